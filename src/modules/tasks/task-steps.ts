import type { TaskStatus } from '../../common/statuses.js';
import { taskLifecycle } from './task.lifecycle.js';

/** Returns the statuses that a task passes on the shortest way to the status; none if it has it. */
export function taskSteps(from: TaskStatus, to: TaskStatus): TaskStatus[] {
  let ways: TaskStatus[][] = [[from]];
  for (let length = 0; length < taskLifecycle.statuses.length; length++) {
    const found = ways.find((way) => way.at(-1) === to);
    if (found !== undefined) return found.slice(1);
    ways = ways.flatMap((way) => taskLifecycle.from(way[way.length - 1]).map((next) => [...way, next]));
  }
  return [to];
}
