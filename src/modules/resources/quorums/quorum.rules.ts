import type { FieldError } from '../../../common/errors.js';
import { isRecord } from '../../../common/texts/json.js';

export const QUORUM_ACTIONS = ['cancel', 'fulfill', 'default'] as const;

/** The change that a rule of a quorum applies to: canceling, fulfilling a demand, or any other status change. */
export type QuorumAction = (typeof QUORUM_ACTIONS)[number];

/** The number of members who must agree, by action (spec 05). */
export type Quorum = Partial<Record<QuorumAction, number>>;

const MOST = 1_000_000;

/** The errors in the shape of a quorum in a patch; null removes a rule. */
export function quorumErrors(value: unknown, at: string): readonly FieldError[] {
  if (!isRecord(value)) return [{ field: at, code: 'invalid_type', message: `${at} must be an object.` }];
  const isKnown = (action: string): boolean => QUORUM_ACTIONS.includes(action as QuorumAction);
  const unknown = Object.keys(value).every(isKnown) ? [] : [unknownAction(at)];
  const known = QUORUM_ACTIONS.filter((action) => Object.hasOwn(value, action));
  return [...unknown, ...known.flatMap((action) => countErrors(value[action], `${at}.${action}`))];
}

const unknownAction = (at: string): FieldError => ({
  field: at,
  code: 'unknown_field',
  message: `${at} can contain only ${QUORUM_ACTIONS.join(', ')}.`,
});

function countErrors(count: unknown, field: string): FieldError[] {
  if (count === null) return [];
  if (!Number.isInteger(count)) return [{ field, code: 'invalid_type', message: `${field} must be an integer.` }];
  return (count as number) >= 2 && (count as number) <= MOST ? [] : [outOfRange(field)];
}

/** The rules of a quorum that require more members than the team has. */
export function rulesExceeding(quorum: Quorum, members: number): FieldError[] {
  return Object.entries(quorum)
    .filter(([, count]) => count > members)
    .map(([action]) => outOfRange(`quorum.${action}`));
}

/** The result of counting the votes of a team on a change of its work. */
export interface Tally {
  quorum: Quorum;
  /** Whether the caller is one of the members who can vote. */
  canVote: boolean;
  /** The number of members who can vote. */
  members: number;
  /** The number of other active members who have voted for the same change. */
  otherVotes: number;
}

/** The votes so far, including that of the caller, and the required votes; in wire names. */
export interface Shortfall {
  action: QuorumAction;
  current_count: number;
  required_count: number;
}

/**
 * Why the change is rejected: too few votes, or `outsider` for a caller who cannot vote. Undefined if it is accepted.
 */
export function shortfallOf(tally: Tally, requested: QuorumAction | 'strictest'): Shortfall | 'outsider' | undefined {
  const action = requested === 'strictest' ? strictestOf(tally.quorum) : requested;
  const rule = tally.quorum[action];
  if (rule === undefined) return undefined;
  if (!tally.canVote) return 'outsider';
  const required_count = Math.min(rule, tally.members);
  const current_count = tally.otherVotes + 1;
  return current_count >= required_count ? undefined : { action, current_count, required_count };
}

const strictestOf = (quorum: Quorum): QuorumAction =>
  QUORUM_ACTIONS.reduce((strictest, action) => ((quorum[action] ?? 0) > (quorum[strictest] ?? 0) ? action : strictest));

const outOfRange = (field: string): FieldError => ({
  field,
  code: 'out_of_range',
  message: `${field} must be between 2 and the number of members.`,
});
