import { leftJoinEndeavour } from '../../access/visibility/containers.view.js';
import { visibleId, visibleLineageId } from '../../access/visibility/visibility.js';
import { ORIGINS } from '../../platform/database/views/lineage.js';
import { written } from '../../platform/database/views/text-traits.js';
import {
  defineView,
  boolean,
  id,
  json,
  withoutEventValue,
  metadata,
  nullable,
  oneOf,
  text,
  time,
  integer,
  wireTime,
} from '../../platform/database/views/view.js';
import { idOf } from '../../platform/http/bodies/fields/links.js';
import { component, exactly } from '../../platform/http/openapi/schemas.js';
import { ritualLifecycle, runLifecycle, type RunStatus } from './ritual.lifecycle.js';
import { DUE_IN, START_IN, type RitualTask } from './ritual-task.js';
import { SCHEDULE_TYPES, type Schedule } from './schedules/schedule.js';

interface LastRun {
  id: string;
  status: RunStatus;
  finished_at: string | null;
}

const lastRun = `(SELECT json_build_object('id', l.id, 'status', l.status, 'finished_at', ${wireTime('l.finished_at')})
  FROM ritual_runs l WHERE l.ritual_id = r.id ORDER BY l.created_at DESC, l.id DESC LIMIT 1)`;

/** SQL: null if the ritual is disabled or its endeavour is completed or archived. */
const nextRunAt = `CASE WHEN r.is_enabled AND e.status NOT IN ('completed', 'archived') THEN r.next_run_at END`;

const optional = (schema: Record<string, unknown>) => ({ ...schema, type: [schema.type, 'null'] });
const TASK = exactly({
  title: { type: 'string' },
  description: optional({ type: 'string' }),
  assignee_id: optional(idOf('resource')),
  demand_id: optional(idOf('demand')),
  start_in: optional({ type: 'string', pattern: START_IN }),
  due_in: optional({ type: 'string', pattern: DUE_IN }),
  labels: { type: 'array', items: { type: 'string' } },
  checklist: { type: 'array', items: component('RitualTaskItem', exactly({ text: { type: 'string' } })) },
});

/** A ritual as clients see it. */
export const ritualView = defineView({
  name: 'Ritual',
  kind: 'ritual',
  table: 'rituals',
  alias: 'r',
  joins: leftJoinEndeavour('e', 'r.endeavour_id'),
  people: { properties: ['created_by'] },
  fields: {
    id: id('r.id', 'ritual'),
    name: written(text('r.name'), 'personal', 'redactable', 'searchedName', 'approved', 'watched'),
    description: written(
      nullable(text('r.description')),
      'personal',
      'redactable',
      'compared',
      'searchedText',
      'approved',
      'watched',
    ),
    prompt: written(nullable(text('r.prompt')), 'personal', 'redactable', 'compared', 'approved', 'watched'),
    schedule: written(
      json<Schedule>('r.schedule', {
        type: 'object',
        required: ['type'],
        properties: {
          type: { type: 'string', enum: [...SCHEDULE_TYPES] },
          expression: { type: 'string' },
          every: { type: 'string' },
          on: { type: 'string' },
          time: { type: 'string' },
          start: { type: 'string' },
          timezone: { type: 'string' },
        },
        additionalProperties: false,
      }),
      'approved',
    ),
    task: written(
      nullable(json<RitualTask>(`'{"start_in": null}'::jsonb || r.task`, component('RitualTask', TASK))),
      'personal',
      'redactable',
    ),
    iteration_days: nullable(
      integer(
        'r.iteration_days',
        'The length of the iteration that each run plans, if the endeavour has no planned one.',
      ),
    ),
    is_enabled: boolean('r.is_enabled'),
    lang: text('r.lang', 'A language as a BCP 47 tag.'),
    endeavour_id: nullable(id('r.endeavour_id', 'endeavour')),
    organization_id: nullable(id('r.organization_id', 'organization')),
    origin: oneOf('r.origin', ORIGINS),
    version: integer('r.version'),
    predecessor_id: withoutEventValue(nullable(id(visibleId('r.predecessor_id'), 'ritual'))),
    lineage_id: withoutEventValue(id(visibleLineageId('rituals', 'r'), 'ritual')),
    status: oneOf('r.status', ritualLifecycle.statuses),
    next_run_at: withoutEventValue(nullable(time(nextRunAt))),
    last_run: withoutEventValue(
      nullable(
        json<LastRun>(lastRun, {
          type: 'object',
          additionalProperties: false,
          required: ['id', 'status', 'finished_at'],
          properties: {
            id: { type: 'string' },
            status: { type: 'string', enum: [...runLifecycle.statuses] },
            finished_at: { type: ['string', 'null'], format: 'date-time' },
          },
        }),
      ),
    ),
    metadata: written(metadata('r.metadata'), 'personal', 'redactable'),
    created_by: nullable(id('r.created_by', 'resource')),
    created_at: time('r.created_at'),
    updated_at: time('r.updated_at'),
    revision: integer('r.revision'),
  },
});
