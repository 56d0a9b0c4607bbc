import { defineView, flag, id, json, nullable, oneOf, text, time, whole } from '../../platform/database/view.js';
import { exactly } from '../../platform/http/schemas.js';
import { CHECK_RESULTS } from './check.entity.js';
import type { ConditionResult } from './conditions/condition.js';

export const conditionResultSchema = exactly({
  id: { type: 'string' },
  type: { type: 'string' },
  label: { type: 'string' },
  required: { type: 'boolean' },
  status: { type: 'string', enum: ['passed', 'failed'] },
  detail: { type: 'string', description: 'What was found.' },
  hint: { type: ['string', 'null'], description: 'What to do about it.' },
});

/** A check as clients see it. */
export const checkView = defineView({
  name: 'DodCheck',
  kind: 'dod_check',
  table: 'dod_checks',
  alias: 'k',
  joins: '',
  fields: {
    id: id('k.id', 'dod_check'),
    task_id: id('k.task_id', 'task'),
    result: oneOf('k.result', CHECK_RESULTS),
    overridden: flag('k.overridden'),
    policy_id: nullable(id('k.policy_id', 'dod_policy')),
    policy_name: nullable(text('k.policy_name')),
    policy_version: nullable(whole('k.policy_version')),
    endorsed: flag('k.endorsed'),
    conditions: json<ConditionResult[]>('k.conditions', { type: 'array', items: conditionResultSchema }),
    hint: nullable(text('k.hint')),
    rested_on: json<string[]>('k.rested_on', {
      type: 'array',
      items: { type: 'string' },
      description: 'The ids of what was counted.',
    }),
    checked_by: id('k.checked_by', 'resource'),
    checked_at: time('k.checked_at'),
  },
});
