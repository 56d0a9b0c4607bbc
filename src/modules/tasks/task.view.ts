import { joinEndeavour } from '../../access/visibility/containers.view.js';
import { joinResource, leftJoinResource } from '../../access/visibility/people.view.js';
import { formerKeys, workKey } from '../../access/references/work-keys.view.js';
import { referencesTo } from '../../access/references/work-references.view.js';
import { PRIORITIES } from '../demands/demand.lifecycle.js';
import { rankField } from '../demands/ranks/ranks.view.js';
import { labelsField } from '../labels/labels.view.js';
import { iterationField } from '../iterations/iteration-references.view.js';
import { stageFields } from '../endeavours/stages/stages.view.js';
import { leftJoinDemand } from '../demands/demand-references.view.js';
import { TASK_STATUSES } from '../../common/statuses.js';
import { externalRef } from '../../platform/database/columns/external-ref-field.js';
import { written } from '../../platform/database/views/text-traits.js';
import {
  date,
  day,
  defineView,
  id,
  json,
  withoutEventValue,
  metadata,
  nullable,
  number,
  oneOf,
  text,
  time,
  integer,
  wireTime,
} from '../../platform/database/views/view.js';
import { BLOCKED_BY, CHILDREN, PARENT, PART_FIELDS } from './parts/task-neighbours.view.js';
import { DOD_OUTCOMES, type DodOutcome } from './task.entity.js';

/** How a task met its Definition of Done, and its override, if any. */
interface DodState {
  result: DodOutcome | null;
  check_id: string | null;
  overridden: boolean;
  reason: string | null;
  by: string | null;
  at: string | null;
  changed_by: string | null;
  changed_at: string | null;
}

const dodState = `CASE WHEN t.status = 'done' OR t.dod_overridden_at IS NOT NULL THEN json_build_object(
  'result', t.dod_result, 'check_id', t.dod_check_id, 'overridden', t.dod_overridden_at IS NOT NULL,
  'reason', t.dod_override_reason, 'by', t.dod_overridden_by, 'at', ${wireTime('t.dod_overridden_at')},
  'changed_by', t.dod_changed_by, 'changed_at', ${wireTime('t.dod_changed_at')}) END`;

/** A task as clients see it. */
export const taskView = defineView({
  name: 'Task',
  kind: 'task',
  table: 'tasks',
  alias: 't',
  readsMore: { blocked_by: BLOCKED_BY, parent: PARENT, children: CHILDREN, referenced_by: referencesTo('t') },
  joins: `
    ${joinEndeavour('e', 't.endeavour_id')}
    ${joinResource('owner', 't.owner_id')}
    ${joinResource('creator', 't.creator_id')}
    ${leftJoinResource('assignee', 't.assignee_id')}
    ${leftJoinDemand('d', 't.demand_id')}`,
  named: PART_FIELDS,
  people: { properties: ['assignee_id', 'owner_id', 'creator_id'] },
  fields: {
    id: id('t.id', 'task'),
    key: workKey('e', 't'),
    number: nullable(integer('t.number')),
    former_keys: formerKeys('t'),
    title: written(text('t.title'), 'personal', 'redactable', 'searchedName', 'approved', 'watched'),
    description: written(
      nullable(text('t.description')),
      'personal',
      'redactable',
      'compared',
      'searchedText',
      'approved',
      'watched',
    ),
    status: oneOf('t.status', TASK_STATUSES),
    ...stageFields('t', 'e'),
    rank: rankField('t'),
    labels: labelsField('t'),
    endeavour_id: id('t.endeavour_id', 'endeavour'),
    endeavour_name: withoutEventValue(text('e.name')),
    demand_id: nullable(id('t.demand_id', 'demand')),
    demand_key: withoutEventValue(workKey('e', 'd')),
    demand_title: withoutEventValue(nullable(text('d.title'))),
    iteration_id: iterationField('t'),
    goal_id: nullable(id('t.goal_id', 'goal')),
    assignee_id: nullable(id('t.assignee_id', 'resource')),
    assignee_name: withoutEventValue(nullable(text('assignee.name'))),
    owner_id: id('t.owner_id', 'resource'),
    owner_name: withoutEventValue(text('owner.name')),
    creator_id: id('t.creator_id', 'resource'),
    creator_name: withoutEventValue(text('creator.name')),
    estimate: nullable(number('t.estimate', 'Hours.')),
    points: nullable(number('t.points')),
    priority: nullable(oneOf('t.priority', PRIORITIES)),
    // Changes with the demand, without a new revision of the task.
    effective_priority: withoutEventValue(oneOf('t.effective_priority', PRIORITIES)),
    actual: nullable(
      number(
        't.actual',
        'The hours spent: the sum of the time entries of the task or, without any, what was entered; calculated from ' +
          'the time in the status active if it is unknown when the task is done.',
      ),
    ),
    start_date: nullable(day('t.start_date', 'The day on which work on it is to begin.')),
    due_date: nullable(date({ instant: 't.due_date', day: 't.due_day', timezone: 'e.timezone' })),
    due_day: nullable(day('t.due_day', 'The day in the time zone of the endeavour; null for an instant.')),
    started_at: nullable(time('t.started_at')),
    completed_at: nullable(time('t.completed_at')),
    canceled_at: nullable(time('t.canceled_at')),
    canceled_reason: written(nullable(text('t.canceled_reason')), 'redactable', 'watched'),
    dod: nullable(
      json<DodState>(dodState, {
        type: 'object',
        additionalProperties: false,
        required: ['result', 'check_id', 'overridden', 'reason', 'by', 'at', 'changed_by', 'changed_at'],
        properties: {
          result: {
            type: ['string', 'null'],
            enum: [...DOD_OUTCOMES, null],
            description:
              'How the task met its Definition of Done; `changed` if its approved content has changed since it was met ' +
              'or overridden. A check that is met makes it `met` again.',
          },
          check_id: { type: ['string', 'null'], description: 'The check with which the task was completed.' },
          overridden: {
            type: 'boolean',
            description: 'The override by an admin that allows the task to be completed without meeting the policy.',
          },
          reason: { type: ['string', 'null'], description: 'The reason for the override.' },
          by: { type: ['string', 'null'], description: 'The resource that made the override.' },
          at: { type: ['string', 'null'], format: 'date-time', description: 'When the override was made.' },
          changed_by: { type: ['string', 'null'], description: 'With `changed`: who changed the content last.' },
          changed_at: {
            type: ['string', 'null'],
            format: 'date-time',
            description: 'With `changed`: when the content was last changed.',
          },
        },
      }),
    ),
    attested_at: nullable(time('t.attested_at')),
    // Changes without a new revision of the task.
    blocked_by_count: withoutEventValue(integer('t.blocked_by_count')),
    external_ref: written(externalRef('t.external_ref'), 'redactable'),
    metadata: written(metadata('t.metadata'), 'personal', 'redactable'),
    created_at: time('t.created_at'),
    updated_at: time('t.updated_at'),
    revision: integer('t.revision'),
  },
});
