import type { GoalStatus } from '../../endeavours/goals/goals.js';
import type { IterationStatus } from '../../iterations/iteration.lifecycle.js';
import type { DemandStatus } from '../demand.lifecycle.js';

/** The most that a roadmap shows of each kind; what is beyond is counted in `omitted`. */
export const MOST_ITERATIONS = 100;
export const MOST_DEMANDS = 500;

/** The number of tasks or demands for a goal, by what became of them. */
export interface WorkCounts {
  open: number;
  done: number;
  canceled: number;
}

/** The tasks and demands for a goal. */
export interface WorkForGoal {
  tasks: WorkCounts;
  demands: WorkCounts;
}

export interface RoadmapGoal extends WorkForGoal {
  id: string;
  title: string;
  status: GoalStatus;
  due_day: string | null;
}

export interface RoadmapIteration {
  id: string;
  name: string;
  status: IterationStatus;
  start_day: string;
  end_day: string;
}

export interface RoadmapDemand {
  id: string;
  key: string | null;
  type: string;
  title: string;
  status: DemandStatus;
  goal_id: string | null;
  iteration_id: string | null;
  start_date: string | null;
  due_day: string | null;
}

/** What an endeavour is to achieve, and when (spec/14, Iterations). */
export interface Roadmap {
  endeavour_id: string;
  timezone: string;
  goals: RoadmapGoal[];
  iterations: RoadmapIteration[];
  demands: RoadmapDemand[];
  omitted: { iterations: number; demands: number };
}

/** The days, `YYYY-MM-DD`, between which a roadmap shows what has days; open where undefined. */
export interface RoadmapPeriod {
  from?: string;
  to?: string;
}

const NO_WORK: WorkCounts = { open: 0, done: 0, canceled: 0 };

/** The goals in the order of their days, those without one last, each with its work. */
export function goalsByDay(
  goals: readonly Pick<RoadmapGoal, 'id' | 'title' | 'status' | 'due_day'>[],
  work: ReadonlyMap<string, WorkForGoal>,
  { from = '', to = '9999-12-31' }: RoadmapPeriod,
): RoadmapGoal[] {
  return goals
    .filter(({ due_day: day }) => day === null || (day >= from && day <= to))
    .toSorted((one, other) => compareDays(one.due_day, other.due_day))
    .map(({ id, title, status, due_day }) => ({
      id,
      title,
      status,
      due_day,
      ...(work.get(id) ?? { tasks: NO_WORK, demands: NO_WORK }),
    }));
}

/** Days are texts of one length, so that they compare as days do. */
function compareDays(one: string | null, other: string | null): number {
  if (one === other) return 0;
  if (one === null || other === null) return one === null ? 1 : -1;
  return one < other ? -1 : 1;
}
