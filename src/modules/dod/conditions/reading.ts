import { isRecord } from '../../../common/json.js';
import type { TaskFacts } from './condition.js';

/** The column to read for fields that are not columns of a task, but are derived from one. */
const COLUMN_OF_FIELD: Record<string, string> = {
  endeavour_name: 'endeavour_id',
  demand_title: 'demand_id',
  assignee_name: 'assignee_id',
  owner_name: 'owner_id',
  creator_name: 'creator_id',
  dod: 'dod_overridden_at',
};

const METADATA = 'metadata.';

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
  if (Object.hasOwn(task, column)) return task[column];
  const key = keyOf(field);
  const { metadata } = task;
  return isRecord(metadata) && Object.hasOwn(metadata, key) ? metadata[key] : undefined;
}

/** Whether the value counts as filled: 0 and false do; blank text, empty lists and empty objects do not. */
export function isFilled(value: unknown): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value === 'string') return value.trim() !== '';
  if (value instanceof Date || typeof value !== 'object') return true;
  return Object.keys(value).length > 0;
}

export const isChecked = (item: unknown): boolean => isRecord(item) && item.checked === true;
