import { invalidInput } from '../../../common/errors.js';
import { fromWire, type Camel } from '../../../common/texts/case.js';
import { mergePatch, type JsonRecord } from '../../../common/texts/json.js';
import { jsonObjectErrors } from './fields.js';

/**
 * The metadata after a patch: merged recursively by key (RFC 7396); null clears it, undefined leaves it. The limits
 * also apply to the result, which can exceed them although both parts are valid; they count what `counted` returns of it.
 */
export function mergeMetadata(
  current: JsonRecord,
  patch: JsonRecord | null | undefined,
  counted: (merged: JsonRecord) => JsonRecord = (merged) => merged,
): JsonRecord | undefined {
  if (patch === undefined) return undefined;
  if (patch === null) return {};
  const merged = mergePatch(current, patch) as JsonRecord;
  const fieldErrors = jsonObjectErrors(counted(merged), 'metadata');
  if (fieldErrors.length > 0) throw invalidInput([...fieldErrors]);
  return merged;
}

/** The changes of a patch by property: its metadata merged into that of the row, the others as sent. */
export function mergedChanges<T extends { metadata?: JsonRecord | null }>(
  row: { metadata: JsonRecord },
  { metadata, ...sent }: T,
): Camel<Omit<T, 'metadata'>> & { metadata?: JsonRecord } {
  return { ...fromWire(sent), metadata: mergeMetadata(row.metadata, metadata) };
}
