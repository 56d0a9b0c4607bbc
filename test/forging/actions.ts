import { EVIDENCE } from './actions-evidence.js';
import { PEOPLE } from './actions-people.js';
import { TASK } from './actions-task.js';
import type { Sequence } from './sequence.js';

export type Action = (sequence: Sequence) => Promise<void>;
/** How frequent an action is, its name, and the action. */
export type Weighted = [number, string, Action];

/** The actions; frequent ones are repeated. The order decides which sequence a seed produces. */
export const ACTIONS: [string, Action][] = [...TASK, ...EVIDENCE, ...PEOPLE].flatMap(([weight, name, action]) =>
  Array.from({ length: weight }, (): [string, Action] => [name, action]),
);
