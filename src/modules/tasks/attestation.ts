import type { FieldError } from '../../common/errors.js';
import { isRecord, type JsonRecord } from '../../common/json.js';
import { printable } from '../../common/text.js';
import { fieldError, field, type FieldOptions } from '../../platform/http/fields/field.js';
import { jsonObjectErrors } from '../../platform/http/fields.js';
import type { Task } from './task.entity.js';
import { isTaskReopening } from './task.rules.js';

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
  const attests = isNew ? '' : ` ${ATTESTED}: true attests that the task is done;`;
  const description = `Custom data of the client.${attests} ${isNew ? '' : 'other '}keys that begin with dod_ are reserved.`;
  const schema = { type: 'object', additionalProperties: true, maxProperties: 2000, description } as const;
  return field({ errorsOf: (value, at) => metadataErrors(value, at, isNew) }, schema, options);
}

function metadataErrors(value: unknown, at: string, isNew: boolean): readonly FieldError[] {
  const errors = jsonObjectErrors(value, at);
  if (errors.length > 0 || !isRecord(value)) return errors;
  return Object.keys(value)
    .filter((key) => key.startsWith('dod_'))
    .flatMap((key) => reservedErrors(key, value[key], `${at}.${printable(key)}`, isNew));
}

function reservedErrors(key: string, value: unknown, at: string, isNew: boolean): FieldError[] {
  if (key !== ATTESTED || isNew) return fieldError(at, 'read_only', 'is read-only.');
  return typeof value === 'boolean' || value === null ? [] : fieldError(at, 'invalid_type', 'must be true or false.');
}

/** Whether the patch invalidates earlier decisions about the task: it reopens or moves the task. */
const invalidatesDecisions = (row: Task, { status, endeavourId }: Partial<Task>): boolean =>
  isTaskReopening(row.status, status ?? row.status) || (endeavourId !== undefined && endeavourId !== row.endeavourId);

/**
 * The columns of the Definition of Done that a patch sets: author and time of a new attestation. An older attestation
 * and an override end when the task is reopened or moved, or when its approved content changes.
 */
export function doneEffects(
  row: Task,
  changes: Partial<Task>,
  sent: SentMetadata,
  { resourceId, now, isContentChanged }: { resourceId: string; now: Date; isContentChanged: boolean },
): Partial<Task> {
  const lapsed = invalidatesDecisions(row, changes) || isContentChanged;
  const override = lapsed ? { dodOverriddenAt: null, dodOverriddenBy: null, dodOverrideReason: null } : {};
  const isSent = sent === null || (sent !== undefined && Object.hasOwn(sent, ATTESTED));
  if (sent?.[ATTESTED] === true) {
    const isNew = lapsed || row.attestedAt === null;
    return isNew ? { ...override, attestedAt: now, attestedBy: resourceId } : override;
  }
  if (!isSent && !lapsed) return override;
  const { [ATTESTED]: attested, ...rest } = changes.metadata ?? row.metadata;
  const metadata = lapsed && !isSent && attested !== undefined ? { metadata: rest } : {};
  return { ...override, ...metadata, attestedAt: null, attestedBy: null };
}
