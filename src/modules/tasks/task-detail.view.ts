import { referencedBy } from '../../access/references/work-references.view.js';
import { defineView, json, withoutEventValue } from '../../platform/database/views/view.js';
import { MAX_BLOCKERS } from './parts/task-neighbours.database.js';
import { BLOCKED_BY, PART_FIELDS } from './parts/task-neighbours.view.js';
import { taskView } from './task.view.js';

/** The OpenAPI schema of `blocked_by`. */
export const BLOCKED_BY_SCHEMA = {
  type: 'array',
  maxItems: MAX_BLOCKERS,
  items: { type: 'string', pattern: '^tsk_[0-9a-f]{32}$' },
  description: 'The open tasks of its endeavour that it waits for: the first ten by id.',
} as const;

/** A single task, with the tasks that it waits for, the one that it is a part of, its parts, and what refers to it. */
export const taskDetailView = defineView({
  ...taskView,
  named: undefined,
  readsMore: undefined,
  name: 'TaskDetail',
  fields: {
    ...taskView.fields,
    blocked_by: withoutEventValue(json<string[]>(BLOCKED_BY, BLOCKED_BY_SCHEMA)),
    ...PART_FIELDS,
    referenced_by: referencedBy('t'),
  },
});
