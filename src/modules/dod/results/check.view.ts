import {
  defineView,
  boolean,
  id,
  json,
  nullable,
  oneOf,
  schemaOf,
  text,
  time,
  integer,
  type JsonSchema,
} from '../../../platform/database/views/view.js';
import { exampleId } from '../../../platform/http/openapi/examples.js';
import { describeDetails } from '../../../platform/http/openapi/refusals.js';
import { component, exactly } from '../../../platform/http/openapi/schemas.js';
import { CHECK_RESULTS } from './check.entity.js';
import type { ConditionResult } from '../conditions/condition.js';

export const conditionResultSchema = component(
  'ConditionResult',
  exactly({
    id: { type: 'string', description: 'The id of the condition in its policy.' },
    type: { type: 'string', description: 'The type of the condition.', example: 'peer_review' },
    label: { type: 'string', description: 'The label of the condition.' },
    required: { type: 'boolean', description: 'Whether the condition is mandatory.' },
    status: { type: 'string', enum: ['passed', 'failed'], description: 'Whether the task meets the condition.' },
    detail: { type: 'string', description: 'The finding.' },
    hint: { type: ['string', 'null'], description: 'How to meet the condition.' },
  }),
);

/** The representation of a check. */
export const checkView = defineView({
  name: 'DodCheck',
  kind: 'dod_check',
  table: 'dod_checks',
  alias: 'k',
  joins: '',
  people: {
    properties: ['checked_by'],
    others: `ARRAY(SELECT q.resource_id FROM entity_people q WHERE q.entity_id = k.task_id)`,
  },
  fields: {
    id: id('k.id', 'dod_check'),
    task_id: id('k.task_id', 'task'),
    result: oneOf('k.result', CHECK_RESULTS),
    overridden: boolean('k.overridden'),
    policy_id: nullable(id('k.policy_id', 'dod_policy')),
    policy_name: nullable(text('k.policy_name')),
    policy_version: nullable(integer('k.policy_version')),
    endorsed: boolean('k.endorsed'),
    conditions: json<ConditionResult[]>('k.conditions', { type: 'array', items: conditionResultSchema }),
    hint: nullable(text('k.hint')),
    rested_on: json<string[]>('k.rested_on', {
      type: 'array',
      items: { type: 'string' },
      description: 'The ids of the evidence that counts.',
    }),
    checked_by: id('k.checked_by', 'resource'),
    checked_at: time('k.checked_at'),
  },
});

// The details of a rejected transition to `done` are the check.
describeDetails('dod_not_met', schemaOf(checkView).properties as Record<string, JsonSchema>, {
  task_id: exampleId('tsk'),
  result: 'not_met',
  conditions: [
    {
      id: 'reviewed',
      type: 'peer_review',
      label: 'Reviewed by another person',
      required: true,
      status: 'failed',
      detail: '0 of 1 approvals',
      hint: 'Ask a colleague to approve the task.',
    },
  ],
});
