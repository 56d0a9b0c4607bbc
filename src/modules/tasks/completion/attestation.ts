import { CHECKLIST, hasRepeatedIds, withoutItemIds } from '../../../common/checklist.js';
import { conflict, type FieldError } from '../../../common/errors.js';
import { isRecord, type JsonRecord } from '../../../common/texts/json.js';
import { printable } from '../../../common/texts/text.js';
import { fieldError, field, type FieldOptions } from '../../../platform/http/bodies/fields/field.js';
import { jsonObjectErrors } from '../../../platform/http/bodies/fields.js';
import { attestationOf, type Attestation, type AttestableCondition } from './attestation.rules.js';
import type { Task } from '../task.entity.js';
import { restsOnContent } from '../task.rules.js';

/** The metadata key with which a user attests that a task is done properly (spec 08). */
const ATTESTED = 'dod_attested';

type SentMetadata = JsonRecord | null | undefined;

/**
 * The metadata of a task: data of the client, except for keys that begin with `dod_`. A new task cannot be attested.
 */
export function TaskMetadata({
  isNew = false,
  ...options
}: FieldOptions & { isNew?: boolean } = {}): PropertyDecorator {
  const attests = isNew
    ? ''
    : ` ${ATTESTED} attests the manual_attestation conditions of the policy: true for all of them, or a list of their ids;`;
  const description = `Custom data of the client.${attests} ${isNew ? '' : 'other '}keys that begin with dod_ are reserved.`;
  const schema = { type: 'object', additionalProperties: true, maxProperties: 2000, description } as const;
  return field({ errorsOf: (value, at) => metadataErrors(value, at, isNew) }, schema, options);
}

function metadataErrors(value: unknown, at: string, isNew: boolean): readonly FieldError[] {
  // Clients that read a checklist can send it back: the ids that its items were given count for no limit.
  const errors = jsonObjectErrors(isRecord(value) ? withoutItemIds(value) : value, at);
  if (errors.length > 0 || !isRecord(value)) return errors;
  const reserved = Object.keys(value)
    .filter((key) => key.startsWith('dod_'))
    .flatMap((key) => reservedErrors(key, value[key], `${at}.${printable(key)}`, isNew));
  if (!hasRepeatedIds(value)) return reserved;
  return [
    ...reserved,
    ...fieldError(`${at}.${CHECKLIST}`, 'invalid_value', 'must not have several items with the same id.'),
  ];
}

function reservedErrors(key: string, value: unknown, at: string, isNew: boolean): FieldError[] {
  if (key !== ATTESTED || isNew) return fieldError(at, 'read_only', 'is read-only.');
  if (typeof value === 'boolean' || value === null) return [];
  const isList = Array.isArray(value) && value.length > 0 && value.every((id) => typeof id === 'string');
  return isList ? [] : fieldError(at, 'invalid_type', 'must be true, false, or a list of ids of conditions.');
}

/** What the patch attests: all conditions, or those with these ids; undefined if it attests nothing. */
export function attestedBy(sent: SentMetadata): true | readonly string[] | undefined {
  const value = sent?.[ATTESTED];
  return value === true || Array.isArray(value) ? (value as true | string[]) : undefined;
}

/** Rejects ids of conditions that the policy in force does not ask to attest. */
export function assertInForce(attested: true | readonly string[], asked: readonly AttestableCondition[]): void {
  if (attested === true) return;
  if (attested.every((id) => asked.some((condition) => condition.id === id))) return;
  const names = asked.map(({ id }) => id);
  const message =
    names.length === 0
      ? 'The policy in force asks for no attestation.'
      : `The policy in force asks only for attestations of ${names.join(', ')}.`;
  throw conflict('not_in_force', message);
}

const leavesDone = (row: Task, { status = row.status }: Partial<Task>): boolean =>
  row.status === 'done' && status !== 'done';

const isMoved = (row: Task, { endeavourId = row.endeavourId }: Partial<Task>): boolean =>
  endeavourId !== row.endeavourId;

/**
 * The columns of the Definition of Done that a patch sets: the attested conditions with author and time, and the result
 * of a done task whose approved content changes. An older attestation and an override end when the task is reopened, or
 * when its approved content changes; an override also when the task is moved.
 *
 * @param asked - the conditions that the policy in force asks to attest; needed only if the patch attests some
 */
export function doneEffects(
  row: Task,
  changes: Partial<Task>,
  sent: SentMetadata,
  {
    resourceId,
    now,
    isContentChanged,
    asked,
  }: { resourceId: string; now: Date; isContentChanged: boolean; asked: readonly AttestableCondition[] },
): Partial<Task> {
  const lapsed = leavesDone(row, changes) || isContentChanged;
  const staysDone = row.status === 'done' && (changes.status ?? 'done') === 'done';
  const effects: Partial<Task> = {
    ...((lapsed || isMoved(row, changes)) && { dodOverriddenAt: null, dodOverriddenBy: null, dodOverrideReason: null }),
    ...(isContentChanged && staysDone && restsOnContent(row) && { dodResult: 'changed' as const }),
  };
  const attested = attestedBy(sent);
  if (attested !== undefined) {
    const wanted = attested === true ? asked : asked.filter(({ id }) => attested.includes(id));
    const given = wanted.map((condition) => attestationOf(condition, resourceId));
    const attestations = withEarlier(lapsed ? [] : (row.attestations ?? []), given);
    const metadata = { ...(changes.metadata ?? row.metadata), [ATTESTED]: attested === true || idsOf(attestations) };
    return { ...effects, metadata, attestedAt: now, attestedBy: resourceId, attestations };
  }
  const isSent = sent === null || (sent !== undefined && Object.hasOwn(sent, ATTESTED));
  if (!isSent && !lapsed) return effects;
  const { [ATTESTED]: present, ...rest } = changes.metadata ?? row.metadata;
  const metadata = lapsed && !isSent && present !== undefined ? { metadata: rest } : {};
  return { ...effects, ...metadata, attestedAt: null, attestedBy: null, attestations: null };
}

/** The attestations of other conditions stay. */
const withEarlier = (earlier: readonly Attestation[], given: readonly Attestation[]): Attestation[] => [
  ...earlier.filter(({ id }) => given.every((each) => each.id !== id)),
  ...given,
];

const idsOf = (attestations: readonly Attestation[]): string[] => attestations.map(({ id }) => id);
