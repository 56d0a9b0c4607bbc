import { TASK_STATUSES } from '../../../common/statuses.js';
import { component, exactly } from '../../../platform/http/openapi/schemas.js';
import { BLOCKED_BY_SCHEMA } from '../task-detail.view.js';
import { EDGE_KINDS } from './graph.rules.js';

const idOf = (prefix: string, description: string) => ({
  type: 'string',
  pattern: `^${prefix}_[0-9a-f]{32}$`,
  description,
});
const taskId = idOf('tsk', 'The id of a task.');

const node = component(
  'DependencyNode',
  exactly({
    id: taskId,
    key: { type: ['string', 'null'], description: 'The key of the task.' },
    title: { type: 'string', description: 'The title of the task.' },
    status: { type: 'string', enum: [...TASK_STATUSES], description: 'The status of the task.' },
    estimate: { type: ['number', 'null'], description: 'The estimated effort in hours.' },
    due_date: { type: ['string', 'null'], format: 'date-time', description: 'The due date.' },
    assignee_id: { ...idOf('res', 'The id of the assignee.'), type: ['string', 'null'] },
    assignee_name: { type: ['string', 'null'], description: 'The name of the assignee.' },
    blocked_by_count: { type: 'integer', description: 'The number of open tasks in its endeavour that it depends on.' },
    blocked_by: BLOCKED_BY_SCHEMA,
    level: {
      type: 'integer',
      description: 'The number of tasks in the longest chain of dependencies before it.',
    },
    is_critical: { type: 'boolean', description: 'Whether the task is on the critical path.' },
  }),
);

const edge = component(
  'DependencyEdge',
  exactly({
    from: taskId,
    to: taskId,
    type: {
      type: 'string',
      enum: [...EDGE_KINDS],
      description: 'dependency: `to` depends on `from`; parent: `to` is a part of `from`.',
    },
    relation_id: idOf('rel', 'The id of the relation.'),
  }),
);

/** The OpenAPI schema of a graph. */
export const graphSchema = component(
  'DependencyGraph',
  exactly({
    nodes: { type: 'array', items: node, description: 'The tasks, oldest first.' },
    edges: { type: 'array', items: edge, description: 'The dependencies and parts.' },
    levels: {
      type: 'array',
      items: { type: 'array', items: taskId },
      description: 'The task ids by level. Tasks depend only on tasks of lower levels.',
    },
    critical_path: {
      ...exactly({
        task_ids: { type: 'array', items: taskId, description: 'The task ids in the order of their dependencies.' },
        hours: { type: 'number', description: 'The sum of the estimates.' },
      }),
      description: 'The chain of open tasks with the most estimated hours; tasks without an estimate count as 0.',
    },
  }),
);
