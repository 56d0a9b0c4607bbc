import type { Containment } from '../../platform/containment/containment.js';
import { Task } from './task.entity.js';
import { taskView } from './task.view.js';

/** Archiving an endeavour cancels its planned and active tasks. */
export const taskContainment: Containment<Task> = {
  exportKey: 'tasks',
  view: taskView,
  archiveCascade: {
    entity: Task,
    alive: "t.status IN ('planned', 'active')",
    changes: (canceledReason, canceledAt) => ({ status: 'canceled', canceledAt, canceledReason }),
    type: 'task.status_changed',
  },
  erasing: {
    after: ['artifact', 'time_entry', 'dod_check', 'dod_result'],
    parts: ['task_statuses', 'task_stages', 'task_assignments', 'iteration_changes'].map((table) => ({
      table,
      column: 'task_id',
    })),
  },
};
