import { Lifecycle } from '../../common/lifecycle.js';
import type { TaskStatus } from '../../common/statuses.js';

export type { TaskStatus };

/** The transitions of spec 05. */
export const taskLifecycle = new Lifecycle<TaskStatus>('planned', {
  planned: ['active', 'canceled'],
  active: ['done', 'canceled', 'planned'],
  done: ['active'],
  canceled: ['planned'],
});
