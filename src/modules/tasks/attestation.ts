import type { FieldFault } from '../../common/errors.js';
import { isRecord, type JsonRecord } from '../../common/json.js';
import { printable } from '../../common/text.js';
import { fault, field, type FieldOptions } from '../../platform/http/fields/field.js';
import { jsonObjectFaults } from '../../platform/http/fields.js';
import type { Task } from './task.entity.js';
import { isReopening } from './task.rules.js';

/** The one key of a task's metadata by which somebody says that it is done as it should be (spec 08). */
const ATTESTED = 'dod_attested';

type Sent = JsonRecord | null | undefined;

/** The metadata of a task: the client's own, but for the keys that begin with `dod_`. */
export function TaskMetadata(options: FieldOptions = {}): PropertyDecorator {
  const description = `The client's own. ${ATTESTED}: true attests that the task is done; other dod_ keys are refused.`;
  const schema = { type: 'object', additionalProperties: true, maxProperties: 2000, description } as const;
  return field({ faults: metadataFaults }, schema, options);
}

function metadataFaults(value: unknown, at: string): readonly FieldFault[] {
  const faults = jsonObjectFaults(value, at);
  if (faults.length > 0 || !isRecord(value)) return faults;
  return Object.keys(value)
    .filter((key) => key.startsWith('dod_'))
    .flatMap((key) => reservedFaults(key, value[key], `${at}.${printable(key)}`));
}

function reservedFaults(key: string, value: unknown, at: string): FieldFault[] {
  if (key !== ATTESTED) return fault(at, 'read_only', 'cannot be set here.');
  return typeof value === 'boolean' || value === null ? [] : fault(at, 'invalid_type', 'must be true or false.');
}

/** Who attested a new task, if anybody. */
export const attestedBy = (sent: Sent, resourceId: string, now: Date): Partial<Task> =>
  sent?.[ATTESTED] === true ? { attestedAt: now, attestedBy: resourceId } : {};

/** Whether what was decided about the task does not hold any more: it is taken up again, or goes elsewhere. */
const isFresh = (row: Task, { status, endeavourId }: Partial<Task>): boolean =>
  isReopening(row.status, status ?? row.status) || (endeavourId !== undefined && endeavourId !== row.endeavourId);

/**
 * What a patch says and undoes of the Definition of Done: an attestation with who and when, and what lapses when the
 * task is reopened or moved: an older attestation, and that it may pass without.
 */
export function doneEffects(
  row: Task,
  changes: Partial<Task>,
  sent: Sent,
  { resourceId, now }: { resourceId: string; now: Date },
): Partial<Task> {
  const lapsed = isFresh(row, changes);
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
