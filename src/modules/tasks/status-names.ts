import type { TaskStatus } from '../../common/statuses.js';

/** The names of task statuses in a language. */
export type StatusNames = Readonly<Record<TaskStatus, string>>;

export const ENGLISH_STATUSES: StatusNames = {
  planned: 'planned',
  active: 'active',
  done: 'done',
  canceled: 'canceled',
};
