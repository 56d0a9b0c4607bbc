import {
  anyId,
  defineView,
  id,
  nullable,
  oneOf,
  text,
  time,
  integer,
  withExample,
} from '../../../platform/database/views/view.js';
import { DELIVERY_STATUSES } from './webhook-delivery.entity.js';

/** A delivery as the admins of the webhook's container see it. */
export const deliveryView = defineView({
  name: 'WebhookDelivery',
  kind: 'webhook_delivery',
  table: 'webhook_deliveries',
  alias: 'd',
  joins: '',
  fields: {
    id: id('d.id', 'webhook_delivery'),
    webhook_id: id('d.webhook_id', 'webhook'),
    type: withExample(text('d.type', 'The type of the event, or webhook.test.'), 'task.status_changed'),
    event_id: nullable(id('d.event_id', 'event')),
    entity_id: nullable(anyId('d.entity_id')),
    redelivery_of: nullable(id('d.redelivery_of', 'webhook_delivery')),
    status: oneOf('d.status', DELIVERY_STATUSES),
    attempts: integer('d.attempts'),
    next_attempt_at: nullable(time('d.due_at')),
    attempted_at: nullable(time('d.attempted_at')),
    response_status: nullable(withExample(integer('d.response_status'), 200)),
    response_ms: nullable(withExample(integer('d.response_ms'), 84)),
    response_body: nullable(text('d.response_body', 'The first 1,024 bytes of the latest response.')),
    error: nullable(text('d.error', 'Why the latest attempt failed, or why the delivery was ended.')),
    created_at: time('d.created_at'),
    finished_at: nullable(time('d.finished_at')),
  },
});
