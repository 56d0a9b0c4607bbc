import {
  defineView,
  boolean,
  id,
  json,
  withoutEventValue,
  nullable,
  oneOf,
  text,
  time,
  integer,
  withExample,
} from '../../platform/database/views/view.js';
import { DISABLED_REASONS } from './webhook.entity.js';

const events = {
  type: 'array',
  items: { type: 'string' },
  description: 'The patterns of the event types that are sent.',
  example: ['task.*', 'comment.created'],
};

/** A webhook without its secret. */
export const webhookView = defineView({
  name: 'Webhook',
  kind: 'webhook',
  table: 'webhooks',
  alias: 'w',
  joins: `LEFT JOIN webhook_states state ON state.webhook_id = w.id LEFT JOIN entities owner ON owner.id = w.owner_id`,
  fields: {
    id: id('w.id', 'webhook'),
    organization_id: nullable(id('w.organization_id', 'organization')),
    endeavour_id: nullable(id('w.endeavour_id', 'endeavour')),
    owner_id: id('w.owner_id', 'resource'),
    owner_name: withoutEventValue(text('owner.title')),
    url: withExample(text('w.url', 'The URL to which events are sent.'), 'https://hooks.example.com/worksmith'),
    events: json<string[]>('w.events', events),
    description: nullable(text('w.description', 'The purpose of the webhook.')),
    is_enabled: boolean('w.is_enabled', 'Whether events are sent.'),
    disabled_reason: nullable(oneOf('w.disabled_reason', DISABLED_REASONS)),
    secret_rotated_at: withoutEventValue(nullable(time('state.secret_rotated_at'))),
    failing_since: withoutEventValue(nullable(time('state.failing_since'))),
    last_success_at: withoutEventValue(nullable(time('state.last_success_at'))),
    verified_at: withoutEventValue(nullable(time('state.verified_at'))),
    created_at: time('w.created_at'),
    updated_at: time('w.updated_at'),
    revision: integer('w.revision'),
  },
});
