import type { TaskStatus } from '../../common/statuses.js';

/** What the statuses of tasks are called in a language. */
export type StatusNames = Readonly<Record<TaskStatus, string>>;

export const ENGLISH_STATUSES: StatusNames = {
  planned: 'planned',
  active: 'active',
  done: 'done',
  canceled: 'canceled',
};
