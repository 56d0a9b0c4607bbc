import { isRecord } from '../../../common/json.js';
import type { TaskFacts } from './condition.js';

/** Fields of a task that only name the target of another field. */
const NAMED_BY: Record<string, string> = {
  endeavour_name: 'endeavour_id',
  demand_title: 'demand_id',
  assignee_name: 'assignee_id',
  owner_name: 'owner_id',
  creator_name: 'creator_id',
  dod: 'dod_overridden_at',
};

const METADATA = 'metadata.';

/** The value of that name: a field of the task, else that key of its metadata. */
export function valueOf(task: TaskFacts['task'], field: string): unknown {
  const column = Object.hasOwn(NAMED_BY, field) ? NAMED_BY[field] : field;
  if (Object.hasOwn(task, column)) return task[column];
  const key = field.startsWith(METADATA) ? field.slice(METADATA.length) : field;
  const { metadata } = task;
  return isRecord(metadata) && Object.hasOwn(metadata, key) ? metadata[key] : undefined;
}

/** Whether the value counts as filled: 0 and false do, blank text and empty lists do not. */
export function isFilled(value: unknown): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value === 'string') return value.trim() !== '';
  if (value instanceof Date || typeof value !== 'object') return true;
  return Object.keys(value).length > 0;
}

export const isChecked = (item: unknown): boolean => isRecord(item) && item.checked === true;
