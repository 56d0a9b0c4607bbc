import { written } from '../../../platform/database/views/text-traits.js';
import { defineView, boolean, id, nullable, text, time } from '../../../platform/database/views/view.js';

/** The representation of a posted result. */
export const resultView = defineView({
  name: 'DodResult',
  kind: 'dod_result',
  table: 'dod_results',
  alias: 'r',
  joins: '',
  people: {
    properties: ['posted_by'],
    others: `ARRAY(SELECT q.resource_id FROM entity_people q WHERE q.entity_id = r.task_id)`,
  },
  fields: {
    id: id('r.id', 'dod_result'),
    task_id: id('r.task_id', 'task'),
    name: written(text('r.name'), 'personal'),
    passed: written(boolean('r.passed'), 'personal'),
    detail: written(nullable(text('r.detail')), 'personal'),
    posted_by: id('r.posted_by', 'resource'),
    created_at: time('r.created_at'),
  },
});
