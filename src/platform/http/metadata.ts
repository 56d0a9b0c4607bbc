import { invalidInput } from '../../common/errors.js';
import { mergePatch, type JsonRecord } from '../../common/json.js';
import { jsonObjectErrors } from './fields.js';

/**
 * The metadata after a patch: merged by key, recursively (RFC 7396); null empties it, undefined leaves it.
 * The limits hold for the outcome too, which two acceptable parts may exceed together.
 */
export function mergeMetadata(current: JsonRecord, patch: JsonRecord | null | undefined): JsonRecord | undefined {
  if (patch === undefined) return undefined;
  if (patch === null) return {};
  const merged = mergePatch(current, patch) as JsonRecord;
  const faults = jsonObjectErrors(merged, 'metadata');
  if (faults.length > 0) throw invalidInput([...faults]);
  return merged;
}
