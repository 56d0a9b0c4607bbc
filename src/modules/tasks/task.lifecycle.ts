import { Lifecycle } from '../../common/lifecycle.js';

export type TaskStatus = 'planned' | 'active' | 'done' | 'canceled';

/** The moves of spec 05. */
export const taskLifecycle = new Lifecycle<TaskStatus>('planned', {
  planned: ['active', 'canceled'],
  active: ['done', 'canceled', 'planned'],
  done: ['active'],
  canceled: ['planned'],
});
