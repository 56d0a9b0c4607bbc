import { conflict } from '../../common/errors.js';
import { sameJson, type JsonRecord } from '../../common/texts/json.js';
import type { Artifact } from './artifact.entity.js';

/** Whether the sent metadata report a result of a check, which is evidence. */
export const reportsResult = (sent: JsonRecord | null | undefined): boolean => sent?.result !== undefined;

/**
 * Rejects changes to the result, tags and task of an artifact with `metadata.result`, which is evidence for completed
 * tasks. A new result requires a new artifact.
 */
export function assertKeepsEvidence(row: Artifact, changes: Partial<Artifact>): void {
  if (!Object.hasOwn(row.metadata, 'result')) return;
  const { tags = row.tags, taskId = row.taskId, metadata = row.metadata } = changes;
  const isUnchanged =
    Object.hasOwn(metadata, 'result') &&
    sameJson(metadata.result, row.metadata.result) &&
    sameJson(tags, row.tags) &&
    taskId === row.taskId;
  if (isUnchanged) return;
  throw conflict(
    'evidence',
    'An artifact with metadata.result is evidence: its result, tags and task cannot be changed. Create a new ' +
      'artifact instead.',
  );
}
