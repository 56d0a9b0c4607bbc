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
  /** Missing in tasks that a release before it described. */
  start_in?: string | null;
  due_in: string | null;
  labels: string[];
  checklist: ChecklistText[];
}

/** The pattern of a length of time until the task is due. */
export const DUE_IN = '^(0|[1-9][0-9]{0,3})[mhdw]$';
const FORM = new RegExp(DUE_IN);
/** The pattern of a length of time until work on the task is to begin. */
export const START_IN = '^(0|[1-9][0-9]{0,3})[dw]$';
const FORM_OF_START = new RegExp(START_IN);
const HOUR_MS = 3_600_000;
const HOURS: Readonly<Record<string, number>> = { m: 1 / 60, h: 1, d: 24, w: 168 };

export const isDueIn = (value: string): boolean => FORM.test(value);
export const isStartIn = (value: string): boolean => FORM_OF_START.test(value);

const hoursIn = (length: string): number => Number(length.slice(0, -1)) * HOURS[length.slice(-1)];

/** Whether the task would be due before work on it begins. */
export const isDueTooSoon = ({ start_in: start, due_in: due }: Partial<RitualTask>): boolean =>
  start != null && due != null && hoursIn(start) > hoursIn(due);

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
  return { dueDay: dayAt(end, timezone), dueDate: null };
}

/** The day on which work on a task that is made at an instant is to begin, which is none after the day on which it is due. */
export function startOf(
  startIn: string | null | undefined,
  due: ReturnType<typeof dueOf>,
  now: Date,
  timezone: string,
): string | null {
  const { dueDay: day } = dueOf(startIn ?? null, now, timezone);
  const last = due.dueDay ?? (due.dueDate === null ? null : dayAt(due.dueDate, timezone));
  return day !== null && last !== null && day > last ? last : day;
}

const dayAt = (time: Date, timezone: string): string =>
  new Date(wallTimeAt(time.getTime(), timezone)).toISOString().slice(0, 10);

/** The metadata of each task. */
export const taskMetadataOf = ({ checklist }: RitualTask): Record<string, unknown> => ({
  ...(checklist.length > 0 && { checklist: checklist.map(({ text }) => ({ text, checked: false })) }),
});

const NONE: Omit<RitualTask, 'title'> = {
  description: null,
  assignee_id: null,
  demand_id: null,
  start_in: null,
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
