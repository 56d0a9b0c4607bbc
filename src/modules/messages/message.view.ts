import { KINDS, type Kind } from '../../common/kinds.js';
import {
  anyId,
  defineView,
  id,
  json,
  metadata,
  nullable,
  oneOf,
  text,
  time,
  wireTime,
  type JsonSchema,
} from '../../platform/database/view.js';
import { INTENTS, SCOPES } from './intents.js';

const DELIVERY_STATUSES = ['pending', 'copied', 'failed', 'read'] as const;
type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

interface Recipient {
  resource_id: string;
  name: string;
  status: DeliveryStatus | null;
  read_at: string | null;
}

interface Delivery {
  id: string;
  status: DeliveryStatus;
  read_at: string | null;
}

const isMine = `(m.sender_id = (SELECT u.resource_id FROM users u WHERE u.id = :me))`;
const status = `CASE WHEN d.read_at IS NOT NULL THEN 'read' ELSE coalesce(d.mail_copy, 'pending') END`;

const recipients = `coalesce((
  SELECT json_agg(json_build_object('resource_id', d.resource_id, 'name', r.name,
    'status', CASE WHEN ${isMine} THEN ${status} END,
    'read_at', CASE WHEN ${isMine} THEN ${wireTime('d.read_at')} END) ORDER BY r.name, d.resource_id)
  FROM message_deliveries d JOIN resources r ON r.id = d.resource_id
  WHERE d.message_id = m.id), '[]'::json)`;

const delivery = `(
  SELECT json_build_object('id', d.id, 'status', ${status}, 'read_at', ${wireTime('d.read_at')})
  FROM message_deliveries d WHERE d.message_id = m.id AND d.user_id = :me)`;

const deliverySchema: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'status', 'read_at'],
  properties: {
    id: { type: 'string', pattern: '^mdl_[0-9a-f]{32}$' },
    status: { type: 'string', enum: [...DELIVERY_STATUSES] },
    read_at: { type: ['string', 'null'], format: 'date-time' },
  },
};

const recipientSchema: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['resource_id', 'name', 'status', 'read_at'],
  properties: {
    resource_id: { type: 'string', pattern: '^res_[0-9a-f]{32}$' },
    name: { type: 'string' },
    status: { type: ['string', 'null'], enum: [...DELIVERY_STATUSES, null], description: 'Null but for the sender.' },
    read_at: { type: ['string', 'null'], format: 'date-time', description: 'Null but for the sender.' },
  },
};

/** A message as its sender or one of its recipients sees it. */
export const messageView = defineView({
  name: 'Message',
  kind: 'message',
  table: 'messages',
  alias: 'm',
  joins: 'LEFT JOIN resources sender ON sender.id = m.sender_id',
  fields: {
    id: id('m.id', 'message'),
    sender_id: nullable(id('m.sender_id', 'resource')),
    sender_name: nullable(text('sender.name')),
    subject: nullable(text('m.subject')),
    content: text('m.content'),
    intent: oneOf('m.intent', INTENTS),
    reply_to_id: nullable(id('m.reply_to_id', 'message')),
    thread_id: id('m.thread_id', 'message'),
    entity_type: nullable(oneOf('m.entity_type', Object.keys(KINDS) as Kind[])),
    entity_id: nullable(anyId('m.entity_id')),
    scope_type: nullable(oneOf('m.scope_type', SCOPES)),
    scope_id: nullable(anyId('m.scope_id')),
    recipients: json<Recipient[]>(recipients, { type: 'array', items: recipientSchema }),
    delivery: nullable(json<Delivery>(delivery, deliverySchema)),
    metadata: metadata('m.metadata'),
    created_at: time('m.created_at'),
  },
});
