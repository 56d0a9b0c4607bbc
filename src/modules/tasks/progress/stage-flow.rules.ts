import type { Stage } from '../../endeavours/stages/stages.js';
import { durationsOf, daysIn, rounded, type ProgressInterval, type StageFlow } from './progress.rules.js';

/** By how much the size of the tasks in a stage changed on a day, which counts as in `StatusChanges`. */
export interface StageChange {
  id: string;
  day: number;
  size: number;
}

/** The size of the tasks in a stage now, and how long tasks that left it in the period, and those in it, were there. */
export interface StageSize {
  id: string;
  size: number;
  tasksThatLeft: number;
  hoursOfThose: [median: number, p85: number] | null;
  tasksIn: number;
  hoursIn: [median: number, p85: number] | null;
}

/** The flow through each stage in a period of that many days. */
export function stageFlowsOf(
  stages: readonly Stage[],
  { changes, sizes }: { changes: readonly StageChange[]; sizes: readonly StageSize[] },
  { days, interval }: { days: number; interval: ProgressInterval },
): StageFlow[] {
  return stages.map(({ id, name, status }) => {
    const now = sizes.find((size) => size.id === id);
    const changeOn = new Map(changes.filter((change) => change.id === id).map(({ day, size }) => [day, size]));
    return {
      id,
      name,
      status,
      sizes: endsOf(sizesByDay(now?.size ?? 0, changeOn, days), daysIn(interval)),
      time: durationsOf({ tasks: now?.tasksThatLeft ?? 0, percentiles: now?.hoursOfThose ?? null }),
      age: durationsOf({ tasks: now?.tasksIn ?? 0, percentiles: now?.hoursIn ?? null }),
    };
  });
}

/** The size at the end of each day: the current one minus the changes since then. */
function sizesByDay(now: number, changeOn: ReadonlyMap<number, number>, days: number): number[] {
  let size = now - (changeOn.get(days + 1) ?? 0);
  const sizes: number[] = [];
  for (let day = days; day >= 1; day -= 1) {
    sizes.push(rounded(size));
    size -= changeOn.get(day) ?? 0;
  }
  return sizes.toReversed();
}

/** The sizes at the end of each interval, the last of which can be shorter. */
const endsOf = (sizes: readonly number[], length: number): number[] =>
  Array.from(
    { length: Math.ceil(sizes.length / length) },
    (_, n) => sizes[Math.min((n + 1) * length, sizes.length) - 1],
  );
