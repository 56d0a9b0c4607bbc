import { joinResource, resourceOfUser } from '../../access/visibility/people.view.js';
import { defineView, id, nullable, oneOf, text, time } from '../../platform/database/views/view.js';

const DELIVERY_STATUSES = ['pending', 'copied', 'failed', 'read'] as const;

const isSender = `((SELECT m.sender_id FROM messages m WHERE m.id = d.message_id)
  = ${resourceOfUser(':me')})`;
const status = `CASE WHEN d.read_at IS NOT NULL THEN 'read' ELSE coalesce(d.mail_copy, 'pending') END`;

/** A recipient of a message; only the sender sees the delivery status. */
export const recipientView = defineView({
  name: 'MessageRecipient',
  kind: 'delivery',
  table: 'message_deliveries',
  alias: 'd',
  joins: joinResource('r', 'd.resource_id'),
  fields: {
    resource_id: id('d.resource_id', 'resource'),
    name: text('r.name'),
    status: nullable(oneOf(`CASE WHEN ${isSender} THEN ${status} END`, DELIVERY_STATUSES)),
    read_at: nullable(time(`CASE WHEN ${isSender} THEN d.read_at END`)),
  },
});
