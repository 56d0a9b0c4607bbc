import { TASK_STATUSES } from '../../../common/statuses.js';
import { component, exactly } from '../../../platform/http/schemas.js';
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
    title: { type: 'string', description: 'Its title.' },
    status: { type: 'string', enum: [...TASK_STATUSES], description: 'Its status.' },
    estimate: { type: ['number', 'null'], description: 'Hours.' },
    due_date: { type: ['string', 'null'], format: 'date-time', description: 'When it should be done.' },
    assignee_id: { type: ['string', 'null'], description: 'The resource that it is assigned to.' },
    assignee_name: { type: ['string', 'null'], description: 'What that resource is called.' },
    blocked_by_count: { type: 'integer', description: 'How many open tasks of its endeavour it waits for.' },
    blocked_by: BLOCKED_BY_SCHEMA,
    level: {
      type: 'integer',
      description: 'How many tasks that are shown have to be done before it, one after another.',
    },
    is_critical: { type: 'boolean', description: 'It is on the critical path.' },
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
      description: 'dependency: `to` waits for `from`; parent: `to` is a part of `from`.',
    },
    relation_id: idOf('rel', 'A relation that says so.'),
  }),
);

/** What the document says of a graph. */
export const graphSchema = component(
  'DependencyGraph',
  exactly({
    nodes: { type: 'array', items: node, description: 'The tasks, the oldest first.' },
    edges: { type: 'array', items: edge, description: 'What is between them.' },
    levels: {
      type: 'array',
      items: { type: 'array', items: taskId },
      description: 'The ids by level: those of a level wait only for those of the levels before.',
    },
    critical_path: {
      ...exactly({
        task_ids: { type: 'array', items: taskId, description: 'In the order in which they can be done.' },
        hours: { type: 'number', description: 'The sum of their estimates.' },
      }),
      description: 'The chain of open tasks with most estimated hours; a task without an estimate counts none.',
    },
  }),
);
