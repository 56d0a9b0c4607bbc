import { joinEndeavour } from '../../access/visibility/containers.view.js';
import { joinResource } from '../../access/visibility/people.view.js';
import { formerKeys, workKey } from '../../access/references/work-keys.view.js';
import { referencesTo } from '../../access/references/work-references.view.js';
import { TASK_STATUSES } from '../../common/statuses.js';
import { externalRef } from '../../platform/database/columns/external-ref-field.js';
import { written } from '../../platform/database/views/text-traits.js';
import {
  counts,
  date,
  day,
  defineView,
  id,
  withoutEventValue,
  metadata,
  nullable,
  oneOf,
  text,
  time,
  integer,
  withExample,
} from '../../platform/database/views/view.js';
import { labelsField } from '../labels/labels.view.js';
import { iterationField } from '../iterations/iteration-references.view.js';
import { rankField } from './ranks/ranks.view.js';
import { demandLifecycle, PRIORITIES } from './demand.lifecycle.js';

const progress = `(SELECT json_build_object(
  ${TASK_STATUSES.map((status) => `'${status}', count(*) FILTER (WHERE k.status = '${status}')`).join(', ')})
  FROM task_states k WHERE k.demand_id = d.id)`;

/** The representation of a demand. */
export const demandView = defineView({
  name: 'Demand',
  kind: 'demand',
  table: 'demands',
  alias: 'd',
  readsMore: { referenced_by: referencesTo('d') },
  joins: `
    ${joinEndeavour('e', 'd.endeavour_id')}
    ${joinResource('owner', 'd.owner_id')}
    ${joinResource('creator', 'd.creator_id')}`,
  people: { properties: ['owner_id', 'creator_id'] },
  fields: {
    id: id('d.id', 'demand'),
    key: workKey('e', 'd'),
    number: nullable(integer('d.number')),
    former_keys: formerKeys('d'),
    type: withExample(text('d.type'), 'story'),
    title: written(text('d.title'), 'personal', 'redactable', 'searchedName', 'approved', 'watched'),
    description: written(
      nullable(text('d.description')),
      'personal',
      'redactable',
      'searchedText',
      'approved',
      'watched',
    ),
    status: oneOf('d.status', demandLifecycle.statuses),
    priority: written(oneOf('d.priority', PRIORITIES), 'approved'),
    rank: rankField('d'),
    labels: labelsField('d'),
    endeavour_id: id('d.endeavour_id', 'endeavour'),
    endeavour_name: withoutEventValue(text('e.name')),
    iteration_id: iterationField('d'),
    goal_id: nullable(id('d.goal_id', 'goal')),
    creator_id: id('d.creator_id', 'resource'),
    creator_name: withoutEventValue(text('creator.name')),
    owner_id: id('d.owner_id', 'resource'),
    owner_name: withoutEventValue(text('owner.name')),
    start_date: nullable(day('d.start_date', 'The day on which work on it is to begin.')),
    due_date: nullable(date({ instant: 'd.due_date', day: 'd.due_day', timezone: 'e.timezone' })),
    due_day: nullable(day('d.due_day', 'The day in the time zone of the endeavour; null for an instant.')),
    fulfilled_at: nullable(time('d.fulfilled_at')),
    canceled_at: nullable(time('d.canceled_at')),
    canceled_reason: written(nullable(text('d.canceled_reason')), 'redactable', 'watched'),
    progress: withoutEventValue(counts(progress, TASK_STATUSES)),
    external_ref: written(externalRef('d.external_ref'), 'redactable'),
    metadata: written(metadata('d.metadata'), 'personal', 'redactable'),
    created_at: time('d.created_at'),
    updated_at: time('d.updated_at'),
    revision: integer('d.revision'),
  },
});
