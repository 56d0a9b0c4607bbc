import type { Condition } from './facts.js';
import type { Random } from './random.js';

type Params = Record<string, unknown>;

const reviewOf = (random: Random): Params => ({
  min_reviewers: random.chance(0.7) ? 1 : 2,
  exclude_author: random.chance(0.85),
  block_on_rejection: random.chance(0.7),
  user_type: random.chance(0.8) ? 'any' : 'human',
});

const FIELDS = ['result_summary', 'metadata.result_summary', 'description', 'due_date'];

const CHANCES: [number, string, (random: Random) => Params][] = [
  [0.6, 'peer_review', reviewOf],
  [
    0.2,
    'stakeholder_sign_off',
    (random) => ({ role: random.pick(['qa', 'owner', 'member']), exclude_author: random.chance(0.7) }),
  ],
  [0.1, 'comment_required', () => ({})],
  [0.15, 'field_populated', (random) => ({ field: random.pick(FIELDS) })],
  [0.15, 'manual_attestation', (random) => ({ prompt: random.pick(['Is it painted?', 'Have the lawyers signed?']) })],
  [0.1, 'checklist_complete', () => ({})],
  [0.2, 'tests_pass', () => ({})],
  [0.15, 'custom_check', (random) => ({ name: 'scan', ...(random.chance(0.5) && { by: 'qa' }) })],
  [0.1, 'children_closed', () => ({})],
  [0.1, 'not_blocked', () => ({})],
  [0.08, 'time_in_status', () => ({ min_duration: '1h', status: 'active' })],
];

/** Conditions of a random policy. Those of one type have one id, so that versions of a policy keep it. */
export function conditionsOf(random: Random): Condition[] {
  const chosen = CHANCES.filter(([share]) => random.chance(share));
  const some = chosen.length > 0 ? chosen : [CHANCES[0]];
  return some.map(([, type, params]) => {
    const label = random.chance(0.3) ? 'Ready' : undefined;
    return { id: type, type, ...(label !== undefined && { label }), params: params(random) };
  });
}

export const quorumOf = (random: Random, conditions: readonly Condition[]): number | undefined =>
  random.chance(0.2) ? 1 + random.below(conditions.length) : undefined;
