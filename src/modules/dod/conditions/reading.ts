import { CHECKLIST, withoutGivenIds } from '../../../common/checklist.js';
import { isRecord } from '../../../common/texts/json.js';
import { showsText } from '../../../common/texts/text.js';
import { taskView } from '../../tasks/task.view.js';
import type { TaskFacts } from './condition.js';

/** The column to read for fields that are not columns of a task, but are derived from one. */
const COLUMN_OF_FIELD: Record<string, string> = {
  endeavour_name: 'endeavour_id',
  demand_title: 'demand_id',
  stage_name: 'stage',
  assignee_name: 'assignee_id',
  owner_name: 'owner_id',
  creator_name: 'creator_id',
  dod: 'dod_overridden_at',
};

const METADATA = 'metadata.';

/** The properties of tasks; other names are keys of metadata. */
const FIELDS = new Set(Object.keys(taskView.fields));

/** The properties that every done task has. */
const NEVER_EMPTY = new Set([
  'id',
  'title',
  'status',
  'endeavour_id',
  'endeavour_name',
  'owner_id',
  'owner_name',
  'creator_id',
  'creator_name',
  'started_at',
  'completed_at',
  'blocked_by_count',
  'dod',
  'metadata',
  'created_at',
  'updated_at',
  'revision',
]);

/** Whether the property, or that key of metadata, can be empty when a task is done. */
export const canBeEmpty = (field: string): boolean => !NEVER_EMPTY.has(field);

const columnOf = (field: string): string => (Object.hasOwn(COLUMN_OF_FIELD, field) ? COLUMN_OF_FIELD[field] : field);

const keyOf = (field: string): string => (field.startsWith(METADATA) ? field.slice(METADATA.length) : field);

/** The columns and metadata keys that {@link valueOf} can read for these fields. */
export const partsRead = (fields: readonly string[]): { columns: string[]; metadataKeys: string[] } => ({
  columns: fields.map(columnOf),
  metadataKeys: fields.map(keyOf),
});

/** Returns the value of a field of the task or, if it has no such field, of that key in its metadata. */
export function valueOf(task: TaskFacts['task'], field: string): unknown {
  const column = columnOf(field);
  if (FIELDS.has(field) && Object.hasOwn(task, column)) return task[column];
  const key = keyOf(field);
  const { metadata } = task;
  if (!isRecord(metadata) || !Object.hasOwn(metadata, key)) return undefined;
  const value = metadata[key];
  // A given id fills nothing.
  return key === CHECKLIST && Array.isArray(value) ? withoutGivenIds(value) : value;
}

/**
 * Whether the value counts as filled: 0 and false do; text that shows nothing, and lists and objects without anything that
 * is filled do not.
 */
export function isFilled(value: unknown): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value === 'string') return showsText(value);
  if (value instanceof Date || typeof value !== 'object') return true;
  return Object.values(value).some(isFilled);
}

export const isChecked = (item: unknown): boolean => isRecord(item) && item.checked === true;

/** Whether a reader sees any text of the item of a checklist. */
export function isVisibleItem(item: unknown): boolean {
  if (typeof item === 'string') return showsText(item);
  if (!isRecord(item)) return false;
  const texts = Object.entries(item).filter(([key]) => !key.startsWith('checked'));
  return texts.some(([, text]) => typeof text === 'string' && showsText(text));
}
