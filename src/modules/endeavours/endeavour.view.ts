import { joinOrganization } from '../../access/visibility/containers.view.js';
import { ENDEAVOUR_ROLES } from '../../common/roles.js';
import { externalRef } from '../../platform/database/columns/external-ref-field.js';
import { written } from '../../platform/database/views/text-traits.js';
import {
  counts,
  date,
  day,
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
  type JsonSchema,
} from '../../platform/database/views/view.js';
import { TASK_STATUSES } from '../../common/statuses.js';
import { visibleId } from '../../access/visibility/visibility.js';
import { endeavourLifecycle } from './endeavour.lifecycle.js';
import { declaredFieldsField } from './fields/declared-fields.view.js';
import { GOAL_STATUSES, withoutLink, type Goal } from './goals/goals.js';
import { MAX_WIP_LIMIT, STAGE_STATUSES, type Stage } from './stages/stages.js';

const goalSchema: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'title', 'status', 'linked_entity_type', 'linked_entity_id', 'due_day'],
  properties: {
    id: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'string', enum: [...GOAL_STATUSES] },
    linked_entity_type: { type: ['string', 'null'] },
    linked_entity_id: { type: ['string', 'null'] },
    due_day: {
      type: ['string', 'null'],
      format: 'date',
      description: 'The day by which the goal is to be achieved, in the time zone of the endeavour.',
    },
  },
};

const stageSchema: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'name', 'status', 'wip_limit'],
  properties: {
    id: { type: 'string', description: 'The id, which tasks and filters can name instead of the name.' },
    name: { type: 'string' },
    status: { type: 'string', enum: [...STAGE_STATUSES], description: 'The status of the tasks in the stage.' },
    wip_limit: {
      type: ['integer', 'null'],
      maximum: MAX_WIP_LIMIT,
      description: 'The number of tasks from which members cannot move more into the stage.',
    },
  },
};

const STAGES = `coalesce(e.stages, '[]')`;

/** SQL: the goals, without links to entities in other containers. */
export const goalsInside = `(
  SELECT coalesce(jsonb_agg(CASE WHEN EXISTS (SELECT 1 FROM entities inside
      WHERE inside.id = goal ->> 'linked_entity_id' AND inside.endeavour_id = e.id) THEN '{"due_day": null}' || goal
    ELSE '{"due_day": null}' || goal || '{"linked_entity_type": null, "linked_entity_id": null}' END ORDER BY place), '[]')
  FROM jsonb_array_elements(e.goals) WITH ORDINALITY AS listed (goal, place))`;

const withoutHiddenLinks = `(
  SELECT jsonb_agg('{"due_day": null}' || CASE WHEN goal ->> 'linked_entity_id' IS NULL OR ${visibleId(`(goal ->> 'linked_entity_id')`)} IS NOT NULL
    THEN goal ELSE goal || '{"linked_entity_type": null, "linked_entity_id": null}' END ORDER BY place)
  FROM jsonb_array_elements(e.goals) WITH ORDINALITY AS listed (goal, place))`;

/** Goals are stored without a day if they have none. */
const withDays = `(SELECT jsonb_agg('{"due_day": null}' || goal ORDER BY place)
  FROM jsonb_array_elements(e.goals) WITH ORDINALITY AS listed (goal, place))`;

/** SQL: the goals, without links to entities that are not visible to the caller. */
const visibleGoals = `CASE WHEN e.goals @? '$[*].linked_entity_id ? (@ != null)' THEN ${withoutHiddenLinks}
  WHEN e.goals = '[]' THEN e.goals ELSE ${withDays} END`;

const organizations = `coalesce((
  SELECT json_agg(json_build_object('id', o.id, 'name', o.name) ORDER BY o.id)
  FROM organization_endeavours l ${joinOrganization('o', 'l.organization_id')}
  WHERE l.endeavour_id = e.id), '[]'::json)`;

const progress = `(SELECT json_build_object(
  ${TASK_STATUSES.map((status) => `'${status}', count(*) FILTER (WHERE k.status = '${status}')`).join(', ')})
  FROM task_states k WHERE k.endeavour_id = e.id)`;

const myRole = `(ARRAY['${ENDEAVOUR_ROLES.join("', '")}'])[(
  SELECT max(g.rank) FROM endeavour_grants g WHERE g.endeavour_id = e.id AND g.user_id = :me)]`;

/** The representation of an endeavour. */
export const endeavourView = defineView({
  name: 'Endeavour',
  kind: 'endeavour',
  table: 'endeavours',
  alias: 'e',
  joins: '',
  people: { properties: ['created_by'] },
  fields: {
    id: id('e.id', 'endeavour'),
    key: nullable(
      text(
        'e.key',
        'The beginning of the keys of its tasks and demands, such as SHOP in SHOP-42. Null until an upgraded service has made it.',
      ),
    ),
    name: written(text('e.name'), 'personal', 'redactable', 'searchedName', 'approved'),
    description: written(nullable(text('e.description')), 'personal', 'redactable', 'searchedText', 'approved'),
    goals: written(
      {
        ...json<Goal[]>(visibleGoals, { type: 'array', items: goalSchema }),
        kept: {
          sql: goalsInside,
          previous: (goals) => (goals as Goal[]).map((goal) => ({ due_day: null, ...withoutLink(goal) })),
        },
      },
      'personal',
      'redactable',
      'approved',
    ),
    stages: written(
      {
        ...json<Stage[]>(STAGES, {
          type: 'array',
          items: stageSchema,
          description: 'The stages that its tasks go through, in this order.',
        }),
        kept: { sql: STAGES, previous: (stages) => stages ?? [] },
      },
      'personal',
      'redactable',
    ),
    fields: declaredFieldsField('e'),
    status: oneOf('e.status', endeavourLifecycle.statuses),
    timezone: text('e.timezone', 'The IANA time zone in which the days of the endeavour begin and end.'),
    lang: text('e.lang', 'A language as a BCP 47 tag.'),
    organization_id: nullable(id('e.organization_id', 'organization')),
    is_private: boolean('e.is_private'),
    start_date: nullable(date({ instant: 'e.start_date', day: 'e.start_day', timezone: 'e.timezone' })),
    start_day: nullable(day('e.start_day', 'The day in the time zone of the endeavour; null for an instant.')),
    end_date: nullable(date({ instant: 'e.end_date', day: 'e.end_day', timezone: 'e.timezone' })),
    end_day: nullable(day('e.end_day', 'The day in the time zone of the endeavour; null for an instant.')),
    external_ref: written(externalRef('e.external_ref'), 'redactable'),
    metadata: written(metadata('e.metadata'), 'personal', 'redactable'),
    organizations: withoutEventValue(
      json<{ id: string; name: string }[]>(organizations, {
        type: 'array',
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['id', 'name'],
          properties: { id: { type: 'string' }, name: { type: 'string' } },
        },
      }),
    ),
    progress: withoutEventValue(counts(progress, TASK_STATUSES)),
    my_role: withoutEventValue(nullable(oneOf(myRole, ENDEAVOUR_ROLES))),
    completed_at: nullable(time('e.completed_at')),
    archived_at: nullable(time('e.archived_at')),
    archived_reason: written(nullable(text('e.archived_reason')), 'redactable'),
    dod_policy_id: nullable(id('e.dod_policy_id', 'dod_policy')),
    erasure_at: nullable(time('e.erasure_at')),
    created_by: nullable(id('e.created_by', 'resource')),
    created_at: time('e.created_at'),
    updated_at: time('e.updated_at'),
    revision: integer('e.revision'),
  },
});
