import { visibleId } from '../../../access/visibility/visibility.js';
import type { FieldError } from '../../../common/errors.js';
import { written } from '../../../platform/database/views/text-traits.js';
import {
  defineView,
  id,
  json,
  withoutEventValue,
  metadata,
  nullable,
  oneOf,
  text,
  time,
  integer,
} from '../../../platform/database/views/view.js';
import { RUN_TRIGGERS, runLifecycle } from '../ritual.lifecycle.js';

/** A run as clients see it. */
export const ritualRunView = defineView({
  name: 'RitualRun',
  kind: 'ritual_run',
  table: 'ritual_runs',
  alias: 'n',
  joins: 'JOIN rituals r ON r.id = n.ritual_id',
  people: { properties: ['run_by'], others: `ARRAY[r.created_by]` },
  fields: {
    id: id('n.id', 'ritual_run'),
    ritual_id: id('n.ritual_id', 'ritual'),
    ritual_name: withoutEventValue(text('r.name')),
    ritual_version: integer('n.ritual_version'),
    endeavour_id: nullable(id('n.endeavour_id', 'endeavour')),
    status: oneOf('n.status', runLifecycle.statuses),
    trigger: oneOf('n.trigger', RUN_TRIGGERS),
    run_by: nullable(id('n.run_by', 'resource')),
    result_summary: written(nullable(text('n.result_summary')), 'redactable'),
    effects: written(nullable(metadata('n.effects')), 'redactable'),
    error: written(nullable(metadata('n.error')), 'redactable'),
    task_id: withoutEventValue(nullable(id(visibleId('n.task_id'), 'task'))),
    task_errors: json<FieldError[]>('n.task_errors', {
      type: 'array',
      items: { $ref: '#/components/schemas/FieldError' },
    }),
    started_at: nullable(time('n.started_at')),
    finished_at: nullable(time('n.finished_at')),
    metadata: written(metadata('n.metadata'), 'personal', 'redactable'),
    created_at: time('n.created_at'),
    updated_at: time('n.updated_at'),
    revision: integer('n.revision'),
  },
});
