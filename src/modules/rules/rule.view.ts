import { written } from '../../platform/database/views/text-traits.js';
import {
  boolean,
  defineView,
  id,
  integer,
  json,
  nullable,
  oneOf,
  text,
  time,
  withExample,
} from '../../platform/database/views/view.js';
import { RULE_DISABLED_REASONS, type RuleAction } from './rule.rules.js';

/** A rule as clients see it. */
export const ruleView = defineView({
  name: 'Rule',
  kind: 'rule',
  table: 'rules',
  alias: 'ru',
  joins: '',
  people: { properties: ['created_by', 'owner_id'] },
  fields: {
    id: id('ru.id', 'rule'),
    name: written(text('ru.name'), 'personal', 'redactable'),
    endeavour_id: id('ru.endeavour_id', 'endeavour'),
    on: json<string[]>('ru."on"', {
      type: 'array',
      items: { type: 'string' },
      description: 'The patterns of the event types that trigger it.',
      example: ['task.status_changed'],
    }),
    filter: written(
      withExample(
        json<Record<string, string>>('ru.filter', {
          type: 'object',
          additionalProperties: { type: 'string' },
          description: 'The conditions on the task or demand, as in a query string.',
        }),
        { status: 'done' },
      ),
      'personal',
      'redactable',
    ),
    actions: written(
      withExample(
        json<RuleAction[]>('ru.actions', {
          type: 'array',
          items: { type: 'object', additionalProperties: true },
          description: 'What it does with the task or demand, in this order.',
        }),
        [{ comment: { content: 'Please tell the customer.' } }],
      ),
      'personal',
      'redactable',
    ),
    is_enabled: boolean('ru.is_enabled', 'Whether it runs.'),
    disabled_reason: nullable(oneOf('ru.disabled_reason', RULE_DISABLED_REASONS, 'Why the service has disabled it.')),
    owner_id: id('ru.owner_id', 'resource'),
    created_by: id('ru.created_by', 'resource'),
    created_at: time('ru.created_at'),
    updated_at: time('ru.updated_at'),
    revision: integer('ru.revision'),
  },
});
