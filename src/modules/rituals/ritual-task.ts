import { addDays, wallTimeAt } from '../../common/time.js';

/** An item of the checklist of each task. */
export interface ChecklistText {
  text: string;
}

/** The task that each run of a ritual makes, as it is stored and returned. */
export interface RitualTask {
  title: string;
  description: string | null;
  assignee_id: string | null;
  demand_id: string | null;
  due_in: string | null;
  labels: string[];
  checklist: ChecklistText[];
}

/** The pattern of a length of time until the task is due. */
export const DUE_IN = '^(0|[1-9][0-9]{0,3})[mhdw]$';
const FORM = new RegExp(DUE_IN);
const HOUR_MS = 3_600_000;

export const isDueIn = (value: string): boolean => FORM.test(value);

/** When a task that is made at an instant is due: days and weeks give a day in the zone, minutes and hours an instant. */
export function dueOf(
  dueIn: string | null,
  start: Date,
  timezone: string,
): { dueDay: string | null; dueDate: Date | null } {
  if (dueIn === null) return { dueDay: null, dueDate: null };
  const [number, unit] = [Number(dueIn.slice(0, -1)), dueIn.slice(-1)];
  if (unit === 'm' || unit === 'h') {
    return { dueDay: null, dueDate: new Date(start.getTime() + number * (unit === 'h' ? HOUR_MS : HOUR_MS / 60)) };
  }
  const end = addDays(start, unit === 'w' ? 7 * number : number, timezone);
  return { dueDay: new Date(wallTimeAt(end.getTime(), timezone)).toISOString().slice(0, 10), dueDate: null };
}

/** The metadata of each task. */
export const taskMetadataOf = ({ checklist }: RitualTask): Record<string, unknown> => ({
  ...(checklist.length > 0 && { checklist: checklist.map(({ text }) => ({ text, checked: false })) }),
});

const NONE: Omit<RitualTask, 'title'> = {
  description: null,
  assignee_id: null,
  demand_id: null,
  due_in: null,
  labels: [],
  checklist: [],
};

/** A task as sent: the current one merged with what was sent, where null clears. */
export function mergedTask(current: RitualTask | null, sent: object): Partial<RitualTask> {
  const given = Object.entries(sent).filter(([, value]) => value !== undefined);
  const set = given.map(([name, value]) => [name, value ?? NONE[name as keyof typeof NONE]]);
  const merged: Partial<RitualTask> & typeof NONE = { ...NONE, ...current, ...Object.fromEntries(set) };
  return { ...merged, checklist: merged.checklist.map(({ text }) => ({ text })) };
}
