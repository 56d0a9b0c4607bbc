import { TASK_STATUSES, type TaskStatus } from '../../../common/statuses.js';
import type { Forecast } from './forecast.rules.js';

/** The start of a day in the time zone of the endeavour. */
export interface DayStart {
  date: string;
  starts_at: string;
}

/**
 * The size of the tasks that changed from one status to another on a day. Days count from 1; the day after the last one
 * includes all later days.
 */
export interface StatusChanges {
  day: number;
  from: TaskStatus | null;
  to: TaskStatus;
  size: number;
  hours: number;
}

/** The size of the tasks that were closed on a day, and once more later in the period. */
export interface RepeatedClosings {
  day: number;
  to: TaskStatus;
  size: number;
}

/** The size of the tasks in each status. */
export type StatusCounts = Record<TaskStatus, number>;

/** The changes in a period. */
interface Changes {
  /** The change of the size of the tasks in each status. */
  change: StatusCounts;
  created: number;
  completed: number;
  closed: number;
  /** Closings of tasks that were reopened and closed again in the period; they count only there. */
  reopened: number;
  hours: number;
}

/** The sizes at the end of a day, with the changes of the day. */
export interface ProgressDay extends StatusCounts, Omit<Changes, 'change'> {
  date: string;
  starts_at: string;
  ends_at: string;
}

/** A distribution of durations in hours. */
export interface Durations {
  tasks: number;
  median_hours: number | null;
  p85_hours: number | null;
}

/** The hours of the time entries of a period, by who did the work. */
interface TimeSpent {
  hours: number;
  resources: { resource_id: string; resource_name: string; hours: number }[];
  omitted: number;
}

/** The flow through a stage. */
export interface StageFlow {
  id: string;
  name: string;
  status: string;
  /** The size of the tasks in it at the end of each interval. */
  sizes: number[];
  time: Durations;
  age: Durations;
}

/** The progress of an endeavour. */
export interface Progress {
  endeavour_id: string;
  timezone: string;
  interval: ProgressInterval;
  measure: Measure;
  intervals: ProgressDay[];
  throughput: { completed: number; per_interval: number };
  cycle_time: Durations;
  age: { planned: Durations; active: Durations };
  time_spent: TimeSpent;
  forecast: Forecast;
  /** Null without `by=stage`. */
  stages: StageFlow[] | null;
}

export const PROGRESS_INTERVALS = ['day', 'week'] as const;
export type ProgressInterval = (typeof PROGRESS_INTERVALS)[number];

/** What makes up the size of tasks: their number, their estimates in hours, or their points. */
export const MEASURES = ['count', 'hours', 'points'] as const;
export type Measure = (typeof MEASURES)[number];

/** What the sizes at the end of intervals are divided by besides the status. */
export const DIVISIONS = ['status', 'stage'] as const;

const DAYS_OF: Record<ProgressInterval, number> = { day: 1, week: 7 };

/** The number of days of an interval. */
export const daysIn = (interval: ProgressInterval): number => DAYS_OF[interval];

export const rounded = (value: number): number => Math.round(value * 100) / 100;

export const durationsOf = ({
  tasks,
  percentiles,
}: {
  tasks: number;
  percentiles: readonly [median: number, p85: number] | null;
}): Durations => ({
  tasks,
  median_hours: percentiles === null ? null : rounded(percentiles[0]),
  p85_hours: percentiles === null ? null : rounded(percentiles[1]),
});

const noChanges = (): Changes => ({
  change: { planned: 0, active: 0, done: 0, canceled: 0 },
  created: 0,
  completed: 0,
  closed: 0,
  reopened: 0,
  hours: 0,
});

function add(changes: Changes, { from, to, size, hours }: StatusChanges): void {
  changes.change[to] += size;
  if (from === null) changes.created += size;
  else changes.change[from] -= size;
  if (to === 'done') changes.completed += size;
  if (to === 'done' || to === 'canceled') changes.closed += size;
  changes.hours += hours;
}

/** A task that is closed several times in the period counts as closed only the last time. */
function subtract(changes: Changes, { to, size }: RepeatedClosings): void {
  if (to === 'done') changes.completed -= size;
  changes.closed -= size;
  changes.reopened += size;
}

/**
 * The days between these starts. The size of the tasks in a status at the end of a day is the current one minus the
 * changes since then.
 */
export function daysOf(
  starts: readonly DayStart[],
  { moves, repeated }: { moves: readonly StatusChanges[]; repeated: readonly RepeatedClosings[] },
  now: StatusCounts,
): ProgressDay[] {
  const changesByDay = starts.map(noChanges);
  for (const move of moves) add(changesByDay[move.day - 1], move);
  for (const closing of repeated) subtract(changesByDay[closing.day - 1], closing);
  const counts = { ...now };
  const days: ProgressDay[] = [];
  for (let at = starts.length - 1; at >= 0; at -= 1) {
    const { change, ...counters } = changesByDay[at];
    if (at < starts.length - 1) days.push({ ...starts[at], ends_at: starts[at + 1].starts_at, ...counts, ...counters });
    for (const status of TASK_STATUSES) counts[status] -= change[status];
  }
  return days.toReversed();
}

/** Groups days into intervals; weeks have seven days each. */
export function intervalsOf(days: readonly ProgressDay[], interval: ProgressInterval): ProgressDay[] {
  const length = DAYS_OF[interval];
  return Array.from({ length: Math.ceil(days.length / length) }, (_, n) =>
    mergeDays(days.slice(n * length, (n + 1) * length)),
  );
}

function mergeDays(days: readonly ProgressDay[]): ProgressDay {
  const [{ date, starts_at }] = days;
  const { planned, active, done, canceled, ends_at } = days[days.length - 1];
  const sum = (name: 'created' | 'completed' | 'closed' | 'reopened' | 'hours'): number =>
    rounded(days.reduce((total, day) => total + day[name], 0));
  return {
    date,
    starts_at,
    ends_at,
    planned: rounded(planned),
    active: rounded(active),
    done: rounded(done),
    canceled: rounded(canceled),
    created: sum('created'),
    completed: sum('completed'),
    closed: sum('closed'),
    reopened: sum('reopened'),
    hours: sum('hours'),
  };
}

/** The size of the tasks that were completed on each past day, from the first day with tasks on. */
export function completedByDay(days: readonly ProgressDay[], now: Date): number[] {
  const isOver = ({ ends_at }: ProgressDay): boolean => ends_at <= now.toISOString();
  const first = days.findIndex(({ planned, active, done, canceled }) => planned + active + done + canceled > 0);
  return first === -1
    ? []
    : days
        .slice(first)
        .filter(isOver)
        .map(({ completed }) => completed);
}
