import { anyId, defineView, id, nullable, oneOf, text, time, integer } from '../../platform/database/view.js';
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
    type: text('d.type', 'The type of the event; webhook.test for a test.'),
    event_id: nullable(id('d.event_id', 'event')),
    entity_id: nullable(anyId('d.entity_id')),
    redelivery_of: nullable(id('d.redelivery_of', 'webhook_delivery')),
    status: oneOf('d.status', DELIVERY_STATUSES),
    attempts: integer('d.attempts'),
    next_attempt_at: nullable(time('d.due_at')),
    attempted_at: nullable(time('d.attempted_at')),
    response_status: nullable(integer('d.response_status')),
    response_ms: nullable(integer('d.response_ms')),
    response_body: nullable(text('d.response_body', 'The first 1,024 bytes of the latest answer.')),
    error: nullable(text('d.error', 'Why the latest attempt failed, or why nothing is sent any more.')),
    created_at: time('d.created_at'),
    finished_at: nullable(time('d.finished_at')),
  },
});
