import { conflict } from '../../common/errors.js';
import { sameJson } from '../../common/json.js';
import type { Artifact } from './artifact.entity.js';

/**
 * An artifact with a result is evidence for finished tasks, so its result cannot be changed; another result needs
 * another artifact.
 */
export function assertKeepsEvidence(row: Artifact, changes: Partial<Artifact>): void {
  if (!Object.hasOwn(row.metadata, 'result')) return;
  const { tags = row.tags, taskId = row.taskId, metadata = row.metadata } = changes;
  const isKept =
    Object.hasOwn(metadata, 'result') &&
    sameJson(metadata.result, row.metadata.result) &&
    sameJson(tags, row.tags) &&
    taskId === row.taskId;
  if (isKept) return;
  throw conflict(
    'evidence',
    'An artifact with metadata.result is evidence: its result, tags and task cannot be changed. Create a new ' +
      'artifact instead.',
  );
}
