import { TASK_STATUSES } from '../../common/statuses.js';
import { counts, defineView, json, nullable, withoutEventValue } from '../../platform/database/view.js';
import { component, exactly } from '../../platform/http/schemas.js';
import { BLOCKED_BY, CHILDREN, MAX_BLOCKERS, PARENT } from './task-neighbours.view.js';
import { taskView } from './task.view.js';

/** The OpenAPI schema of `blocked_by`. */
export const BLOCKED_BY_SCHEMA = {
  type: 'array',
  maxItems: MAX_BLOCKERS,
  items: { type: 'string', pattern: '^tsk_[0-9a-f]{32}$' },
  description: 'The open tasks of its endeavour that it waits for: the first ten by id.',
} as const;

const PARENT_SCHEMA = component(
  'ParentTask',
  exactly({
    id: { type: 'string', pattern: '^tsk_[0-9a-f]{32}$' },
    key: { type: ['string', 'null'] },
    title: { type: 'string' },
  }),
);

/** A single task, with the tasks that it waits for, the one that it is a part of, and its parts. */
export const taskDetailView = defineView({
  ...taskView,
  readsMore: undefined,
  name: 'TaskDetail',
  fields: {
    ...taskView.fields,
    blocked_by: withoutEventValue(json<string[]>(BLOCKED_BY, BLOCKED_BY_SCHEMA)),
    parent: withoutEventValue(nullable(json<{ id: string; key: string | null; title: string }>(PARENT, PARENT_SCHEMA))),
    children: withoutEventValue(counts(CHILDREN, TASK_STATUSES)),
  },
});
