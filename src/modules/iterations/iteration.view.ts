import { written } from '../../platform/database/views/text-traits.js';
import { day, defineView, id, integer, nullable, oneOf, text, time } from '../../platform/database/views/view.js';
import { iterationLifecycle } from './iteration.lifecycle.js';

/** An iteration as clients see it. */
export const iterationView = defineView({
  name: 'Iteration',
  kind: 'iteration',
  table: 'iterations',
  alias: 'i',
  joins: '',
  people: { properties: ['created_by'] },
  fields: {
    id: id('i.id', 'iteration'),
    name: written(text('i.name'), 'personal', 'redactable'),
    goal: written(nullable(text('i.goal')), 'personal', 'redactable'),
    endeavour_id: id('i.endeavour_id', 'endeavour'),
    start_day: day('i.start_day', 'The first day in the time zone of the endeavour.'),
    end_day: day('i.end_day', 'The last day in the time zone of the endeavour.'),
    status: oneOf('i.status', iterationLifecycle.statuses),
    started_at: nullable(time('i.started_at')),
    closed_at: nullable(time('i.closed_at')),
    created_by: id('i.created_by', 'resource'),
    created_at: time('i.created_at'),
    updated_at: time('i.updated_at'),
    revision: integer('i.revision'),
  },
});
