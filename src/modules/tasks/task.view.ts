import { TASK_STATUSES } from '../../common/statuses.js';
import {
  defineView,
  id,
  json,
  metadata,
  nullable,
  number,
  oneOf,
  text,
  time,
  whole,
  wireTime,
} from '../../platform/database/view.js';

/** That the task may pass without its Definition of Done, and by whose word. */
interface Override {
  overridden: true;
  reason: string;
  by: string;
  at: string;
}

const override = `CASE WHEN t.dod_overridden_at IS NOT NULL THEN json_build_object(
  'overridden', true, 'reason', t.dod_override_reason, 'by', t.dod_overridden_by,
  'at', ${wireTime('t.dod_overridden_at')}) END`;

/** A task as clients see it. */
export const taskView = defineView({
  name: 'Task',
  kind: 'task',
  table: 'tasks',
  alias: 't',
  joins: `
    JOIN endeavours e ON e.id = t.endeavour_id
    JOIN resources owner ON owner.id = t.owner_id
    JOIN resources creator ON creator.id = t.creator_id
    LEFT JOIN resources assignee ON assignee.id = t.assignee_id
    LEFT JOIN demands d ON d.id = t.demand_id`,
  fields: {
    id: id('t.id', 'task'),
    title: text('t.title'),
    description: nullable(text('t.description')),
    status: oneOf('t.status', TASK_STATUSES),
    endeavour_id: id('t.endeavour_id', 'endeavour'),
    endeavour_name: text('e.name'),
    demand_id: nullable(id('t.demand_id', 'demand')),
    demand_title: nullable(text('d.title')),
    assignee_id: nullable(id('t.assignee_id', 'resource')),
    assignee_name: nullable(text('assignee.name')),
    owner_id: id('t.owner_id', 'resource'),
    owner_name: text('owner.name'),
    creator_id: id('t.creator_id', 'resource'),
    creator_name: text('creator.name'),
    estimate: nullable(number('t.estimate', 'Hours.')),
    actual: nullable(number('t.actual', 'Hours; filled from the time spent in active where none was given.')),
    due_date: nullable(time('t.due_date')),
    started_at: nullable(time('t.started_at')),
    completed_at: nullable(time('t.completed_at')),
    canceled_at: nullable(time('t.canceled_at')),
    canceled_reason: nullable(text('t.canceled_reason')),
    dod: nullable(
      json<Override>(override, {
        type: 'object',
        additionalProperties: false,
        required: ['overridden', 'reason', 'by', 'at'],
        properties: {
          overridden: { type: 'boolean' },
          reason: { type: 'string' },
          by: { type: 'string' },
          at: { type: 'string', format: 'date-time' },
        },
      }),
    ),
    attested_at: nullable(time('t.attested_at')),
    dod_check_id: nullable(id('t.dod_check_id', 'dod_check')),
    metadata: metadata('t.metadata'),
    created_at: time('t.created_at'),
    updated_at: time('t.updated_at'),
    revision: whole('t.revision'),
  },
});
