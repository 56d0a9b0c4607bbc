import type { TaskStatus } from '../../../../common/statuses.js';
import type { ImportItem } from '../../reading/import-format.js';
import type { Priority } from '../../../demands/demand.lifecycle.js';
import type { Reading } from '../../reading/reading.js';
import { strongStatusOf } from '../../words/statuses.js';
import { ownOf, textOf } from '../values.js';

/** The types of states, of which every workflow has its own. */
const TYPES: Readonly<Record<string, TaskStatus>> = {
  triage: 'planned',
  backlog: 'planned',
  unstarted: 'planned',
  started: 'active',
  completed: 'done',
  canceled: 'canceled',
  duplicate: 'canceled',
};

interface LinearState {
  name: unknown;
  /** The type of the state, which CSV exports do not have. */
  type?: unknown;
  isStarted: boolean;
  isCompleted: boolean;
  isCanceled: boolean;
  isArchived: boolean;
}

/**
 * Returns the status of an issue with the reason of a cancelation. Without a type, the times decide: Linear removes those of
 * the end when an issue is reopened, but not the time of the start.
 */
export function linearStateOf(state: LinearState, reading: Reading): Pick<ImportItem, 'status' | 'canceledReason'> {
  const name = textOf(state.name);
  const type = textOf(state.type);
  const known = type === undefined ? undefined : ownOf(TYPES, type);
  if (type !== undefined && known === undefined)
    reading.note('status', type, 'the type of the state is not understood');
  const status = reading.status(name, 'status', known ?? statusByTimes(state, name));
  const isOpen = status !== 'done' && status !== 'canceled';
  if (isOpen && state.isArchived) return { status: 'canceled', canceledReason: 'The issue is archived in Linear.' };
  return status === 'canceled' ? { status, canceledReason: name ?? 'Canceled in Linear.' } : { status };
}

function statusByTimes(
  { isStarted, isCompleted, isCanceled }: LinearState,
  name: string | undefined,
): TaskStatus | undefined {
  if (isCanceled) return 'canceled';
  if (isCompleted) return 'done';
  return isStarted && (name === undefined || strongStatusOf(name) === undefined) ? 'active' : undefined;
}

const PRIORITIES = [null, 'urgent', 'high', 'medium', 'low'] as const;

/** Returns the word for a priority, which is a number in the API and a word in CSV exports; null for none. */
export function linearPriorityOf(value: unknown, reading: Reading): Priority | null {
  const text = textOf(value)?.trim().toLowerCase();
  if (text === undefined || text === 'no priority') return null;
  const found = PRIORITIES[/^[0-4]$/.test(text) ? Number(text) : PRIORITIES.indexOf(text as 'low')];
  if (found === undefined) reading.note('value', 'priority', `${JSON.stringify(text)} is not understood; left out`);
  return found ?? null;
}
