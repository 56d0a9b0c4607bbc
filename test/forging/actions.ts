import { EVIDENCE } from './actions-evidence.js';
import { PEOPLE } from './actions-people.js';
import { TASK } from './actions-task.js';
import type { Action } from './sequence.js';

/** The actions; frequent ones are repeated. The order decides which sequence a seed produces. */
export const ACTIONS: [string, Action][] = [...TASK, ...EVIDENCE, ...PEOPLE].flatMap(([weight, name, action]) =>
  Array.from({ length: weight }, (): [string, Action] => [name, action]),
);
