import { ApiError, conflict, type FieldError } from '../../common/errors.js';
import { EVENT_TYPES, matchesAnyEvent } from '../../common/event-types.js';
import { isRecord, type JsonRecord } from '../../common/texts/json.js';
import { printable } from '../../common/texts/text.js';
import type { SavedQuery } from '../../platform/http/requests/query-parameters.js';
import type { ListDefinition } from '../../platform/listing/definition.js';
import { readSavedQuery } from '../../platform/listing/request.js';

/** Reasons for which the service disables a rule. */
export const RULE_DISABLED_REASONS = ['owner_left', 'too_many_waiting', 'imported'] as const;
export type RuleDisabledReason = (typeof RULE_DISABLED_REASONS)[number];

/** The kinds of what rules act on. */
export const THING_KINDS = ['task', 'demand'] as const;
export type ThingKind = (typeof THING_KINDS)[number];

/** The people of a task or demand to whom a message can be sent. */
export const ROLES_OF_THING = ['assignee', 'owner', 'creator'] as const;
export type RoleOfThing = (typeof ROLES_OF_THING)[number];

/** One action of a rule; exactly one of its properties is set. */
export interface RuleAction {
  /** The body of a PATCH of the task or demand. */
  patch?: JsonRecord;
  comment?: { content: string };
  message?: { to?: RoleOfThing[]; recipient_ids?: string[]; subject?: string; content: string };
}

/** The kinds to which the entity of an event can belong, by the first word of its type. */
const THINGS_OF: Readonly<Record<string, readonly ThingKind[]>> = {
  task: ['task'],
  demand: ['demand'],
  time_entry: ['task'],
  artifact: THING_KINDS,
  approval: THING_KINDS,
  comment: THING_KINDS,
};

const PATTERN = /^(?:\*|(?:\*|[a-z_]{1,40})\.(?:\*|[a-z_]{1,40}))$/;
const TRIGGERS = EVENT_TYPES.filter((type) => Object.hasOwn(THINGS_OF, type.split('.')[0]));

/** The kinds of things whose events match one of the patterns. */
export const thingKindsOf = (on: readonly string[]): ThingKind[] =>
  THING_KINDS.filter((kind) =>
    TRIGGERS.some(
      (type) => THINGS_OF[type.split('.')[0]].includes(kind) && on.some((pattern) => matches(pattern, type)),
    ),
  );

function matches(pattern: string, type: string): boolean {
  if (pattern === '*') return true;
  const [subject, verb] = pattern.split('.');
  const [own, done] = type.split('.');
  return (subject === '*' || subject === own) && (verb === '*' || verb === done);
}

/** The errors of the patterns, each with its path. */
export const triggerErrors = (on: readonly string[] = []): FieldError[] =>
  on.flatMap((pattern, index): FieldError[] => {
    const field = `on.${index}`;
    if (!PATTERN.test(pattern)) {
      const message = `${field} must be an event type such as task.updated, a pattern such as task.*, or *.`;
      return [{ field, code: 'invalid_format', message }];
    }
    if (matchesAnyEvent(pattern) && thingKindsOf([pattern]).length > 0) return [];
    const message = `${field} matches no event of a task or demand, or of what belongs to one.`;
    return [{ field, code: 'invalid_value', message, allowed: TRIGGERS }];
  });

/** The parameters of a query that select no rows, or that the endeavour of the rule decides. */
const NOT_CONDITIONS = ['limit', 'sort', 'fields', 'mine', 'endeavour_id'];

/** The errors of a filter, which the list of at least one kind must accept. */
export function filterErrors(lists: readonly ListDefinition[], filter: SavedQuery): FieldError[] {
  const others = NOT_CONDITIONS.filter((name) => Object.hasOwn(filter, name)).map((name): FieldError => {
    const field = `filter.${name}`;
    return { field, code: 'unknown_field', message: `${field} is not a condition.` };
  });
  if (others.length > 0) return others;
  const errors = lists.map((list) => errorsIn(list, filter));
  return errors.some((each) => each.length === 0) ? [] : (errors[0] ?? []);
}

function errorsIn(list: ListDefinition, filter: SavedQuery): FieldError[] {
  try {
    readSavedQuery(list, filter);
    return [];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const fields = (error.details?.fields ?? []) as FieldError[];
    return fields.map((each) => ({ ...each, field: `filter.${each.field}` }));
  }
}

/** Reads the body of a PATCH of one kind; returns its errors. */
export type PatchReader = (body: JsonRecord) => FieldError[];

/**
 * The errors of the actions. A patch must be one of at least one of the kinds; it can neither move the thing to another
 * endeavour nor write what counts as evidence.
 */
export const actionErrors = (actions: readonly RuleAction[] = [], readers: readonly PatchReader[]): FieldError[] =>
  actions.flatMap((action, index) => errorsOfAction(action, `actions.${index}`, readers));

function errorsOfAction(action: RuleAction, at: string, readers: readonly PatchReader[]): FieldError[] {
  const set = (['patch', 'comment', 'message'] as const).filter((name) => action[name] != null);
  if (set.length !== 1) {
    const message = `${at} must have exactly one of patch, comment and message.`;
    return [{ field: at, code: set.length === 0 ? 'required' : 'invalid_value', message }];
  }
  const { patch, message } = action;
  if (message !== undefined && !message.to?.length && !message.recipient_ids?.length) {
    return [{ field: `${at}.message.to`, code: 'required', message: `${at}.message.to or recipient_ids is required.` }];
  }
  return patch === undefined ? [] : errorsOfPatch(patch, `${at}.patch`, readers);
}

function errorsOfPatch(patch: JsonRecord, at: string, readers: readonly PatchReader[]): FieldError[] {
  if (Object.keys(patch).length === 0) {
    return [{ field: at, code: 'required', message: `${at} must have at least one field.` }];
  }
  const reserved = reservedErrors(patch, at);
  if (reserved.length > 0) return reserved;
  const errors = readers.map((read) => read(patch));
  const found = errors.some((each) => each.length === 0) ? [] : (errors[0] ?? []);
  return found.map((each) => ({ ...each, field: `${at}.${each.field}`, message: `${at}.${each.message}` }));
}

/** The keys of metadata that count as evidence or that the service writes. */
const isReserved = (key: string): boolean =>
  ['checklist', 'acceptance', 'imported', 'auto_complete'].includes(key) || key.startsWith('dod_');

function reservedErrors(patch: JsonRecord, at: string): FieldError[] {
  const errors: FieldError[] = [];
  if (Object.hasOwn(patch, 'endeavour_id')) {
    const field = `${at}.endeavour_id`;
    errors.push({ field, code: 'read_only', message: `${field} cannot be set: rules act within their endeavour.` });
  }
  const { metadata } = patch;
  if (metadata === null) {
    const field = `${at}.metadata`;
    return [...errors, { field, code: 'not_nullable', message: `${field} cannot be null.` }];
  }
  if (!isRecord(metadata)) return errors;
  for (const key of Object.keys(metadata).filter(isReserved)) {
    const field = `${at}.metadata.${printable(key)}`;
    errors.push({ field, code: 'read_only', message: `${field} cannot be set: what a rule writes is no evidence.` });
  }
  return errors;
}

const MOST_IN_ENDEAVOUR = 100;

/** Rejects new rules beyond the limit of an endeavour. */
export function assertRoomForRules(added: number, present: number): void {
  if (present + added <= MOST_IN_ENDEAVOUR) return;
  throw conflict('too_many_rules', `The endeavour can have at most ${MOST_IN_ENDEAVOUR} rules; delete one first.`);
}
