import { keepItemIds, withoutItemIds } from '../../../common/checklist.js';
import type { JsonRecord } from '../../../common/texts/json.js';
import { mergeMetadata } from '../../../platform/http/bodies/metadata.js';

/**
 * The metadata of a task after a patch. Items of the checklist that are sent without their ids keep them, and the limits
 * do not count the ids that the service has given.
 */
export function mergeTaskMetadata(current: JsonRecord, patch: JsonRecord | null | undefined): JsonRecord | undefined {
  const merged = mergeMetadata(current, patch, withoutItemIds);
  return merged && keepItemIds(current, merged);
}
