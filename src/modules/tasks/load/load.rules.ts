/** A number of tasks with the sums of their estimates and points; tasks without an estimate add no hours. */
export interface PlannedWork {
  tasks: number;
  hours: number;
  unestimated: number;
  points: number;
}

/** A week in the time zone of the response. */
export interface Week {
  date: string;
  starts_at: string;
  ends_at: string;
}

/** The planned work of a resource by week. */
export interface ResourceLoad {
  resource_id: string;
  timezone: string;
  weekly_capacity: number | null;
  weeks: (Week & PlannedWork & { spent_hours: number })[];
  undated: PlannedWork;
  elsewhere: number | null;
}

/** The load of each assignee in an endeavour; the weeks are columns. */
export interface EndeavourLoad {
  endeavour_id: string;
  timezone: string;
  weeks: Week[];
  resources: AssigneeLoad[];
  omitted: number;
  unassigned: { hours: number[]; points: number[] } & Pick<AssigneeLoad, 'tasks' | 'unestimated' | 'undated'>;
}

export interface AssigneeLoad {
  resource_id: string;
  resource_name: string;
  weekly_capacity: number | null;
  /** One number for each week. */
  hours: number[];
  points: number[];
  spent_hours: number[];
  tasks: number;
  unestimated: number;
  undated: PlannedWork;
  elsewhere: number | null;
}

/** The work that is due in a week; weeks count from 1, null is work without a due date. */
export interface WeekWork extends PlannedWork {
  week: number | null;
}

/** The time that was spent in a week; weeks count from 1. */
export interface WeekTime {
  week: number;
  minutes: number;
}

export const NO_WORK: PlannedWork = { tasks: 0, hours: 0, unestimated: 0, points: 0 };

/** Sums of floating-point numbers are rounded to four decimals. */
const ROUNDING = 10_000;
export const exact = (hours: number): number => Math.round(hours * ROUNDING) / ROUNDING;

const workOf = ({ tasks, hours, unestimated, points }: PlannedWork): PlannedWork => ({
  tasks,
  hours: exact(hours),
  unestimated,
  points: exact(points),
});

/** The weeks between these starts. */
export const weeksOf = (starts: readonly Omit<Week, 'ends_at'>[]): Week[] =>
  starts.slice(0, -1).map((start, n) => ({ ...start, ends_at: starts[n + 1].starts_at }));

/** The work of each week, in the order of weeks. */
export function byWeek(work: readonly WeekWork[], weeks: number): PlannedWork[] {
  const workByWeek = new Map(work.map((weekWork) => [weekWork.week, workOf(weekWork)]));
  return Array.from({ length: weeks }, (_, n) => workByWeek.get(n + 1) ?? NO_WORK);
}

/** The hours that were spent in each week, in the order of weeks. */
export function spentByWeek(spent: readonly WeekTime[], weeks: number): number[] {
  const minutesByWeek = new Map(spent.map(({ week, minutes }) => [week, minutes]));
  return Array.from({ length: weeks }, (_, n) => exact((minutesByWeek.get(n + 1) ?? 0) / 60));
}

export const undatedOf = (work: readonly WeekWork[]): PlannedWork =>
  workOf(work.find(({ week }) => week === null) ?? NO_WORK);

/** The work of an assignee as columns. */
export function weeklyLoadOf(work: readonly WeekWork[], weeks: number): EndeavourLoad['unassigned'] {
  const columns = byWeek(work, weeks);
  const sum = (name: 'tasks' | 'unestimated'): number => columns.reduce((total, week) => total + week[name], 0);
  return {
    hours: columns.map(({ hours }) => hours),
    points: columns.map(({ points }) => points),
    tasks: sum('tasks'),
    unestimated: sum('unestimated'),
    undated: undatedOf(work),
  };
}
