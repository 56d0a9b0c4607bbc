import { withoutGivenIds } from '../../common/checklist.js';
import { isRecord, sameJson, type JsonRecord } from '../../common/texts/json.js';
import type { Task } from './task.entity.js';

/** The key of the approved part that consists of title and description. */
export const TEXT = '';

/** The parts that every approval covers, under any policy. */
const ALWAYS_APPROVED = [TEXT, 'metadata.checklist', 'metadata.acceptance'];

/** Whether approvals cover one of these parts whatever the policy is. */
export const isAlwaysApproved = (parts: readonly string[]): boolean =>
  parts.some((part) => ALWAYS_APPROVED.includes(part));

/** The metadata whose items can be checked, which is not a change of their content. */
const CHECKABLE = ['checklist', 'acceptance'];
const CHECKED = ['checked', 'checked_at', 'checked_by'];

/** The approved parts that the patch changes (see `ContentChanges`): the text, and metadata by key. */
export function changedParts(row: Task, changes: Partial<Task>): string[] {
  const isText = (['title', 'description'] as const).some(
    (field) => changes[field] !== undefined && changes[field] !== row[field],
  );
  return [...(isText ? [TEXT] : []), ...changedKeys(row.metadata, changes.metadata).map((key) => `metadata.${key}`)];
}

function changedKeys(before: JsonRecord, after: JsonRecord | undefined): string[] {
  if (after === undefined) return [];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].filter((key) => !key.startsWith('dod_') && !isSame(key, valueAt(before, key), valueAt(after, key)));
}

const valueAt = (metadata: JsonRecord, key: string): unknown =>
  Object.hasOwn(metadata, key) ? metadata[key] : undefined;

function isSame(key: string, before: unknown, after: unknown): boolean {
  if (before === undefined || after === undefined) return before === after;
  return sameJson(approvedValue(key, before), approvedValue(key, after));
}

/** The approval of a checklist covers its texts, but neither which items are checked nor the ids that they were given. */
function approvedValue(key: string, value: unknown): unknown {
  if (!CHECKABLE.includes(key) || !Array.isArray(value)) return value;
  return withoutGivenIds(value).map((item) =>
    isRecord(item) ? Object.fromEntries(Object.entries(item).filter(([name]) => !CHECKED.includes(name))) : item,
  );
}
