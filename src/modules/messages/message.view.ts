import { leftJoinResource, resourcesAmong } from '../../access/visibility/people.view.js';
import { visibleId } from '../../access/visibility/visibility.js';
import { KINDS, type Kind } from '../../common/kinds.js';
import { written } from '../../platform/database/views/text-traits.js';
import {
  anyId,
  defineView,
  id,
  json,
  withoutEventValue,
  metadata,
  nullable,
  oneOf,
  text,
  time,
  integer,
  wireTime,
} from '../../platform/database/views/view.js';
import { exactly } from '../../platform/http/openapi/schemas.js';
import { CHANNELS, INBOX_STATUSES, INTENTS, MESSAGE_SCOPES } from './intents.js';

interface Recipient {
  resource_id: string;
  name: string;
}

/** With longer names, ten recipients would exceed the 2 kB that a row of a list may have besides its content. */
const LONGEST_NAME = 40;
const shortName = `CASE WHEN char_length(r.name) > ${LONGEST_NAME} THEN left(r.name, ${LONGEST_NAME - 1}) || '…' ELSE r.name END`;

const recipients = `coalesce((
  SELECT json_agg(json_build_object('resource_id', r.id, 'name', ${shortName}) ORDER BY r.name, r.id)
  FROM ${resourcesAmong('r', 'm.first_recipients')}), '[]'::json)`;

const recipientSchema = exactly({
  resource_id: { type: 'string', pattern: '^res_[0-9a-f]{32}$' },
  name: { type: 'string', description: `The names, each shortened to ${LONGEST_NAME} characters.` },
});

/** The sender of messages of the service. */
const SERVICE_NAME = 'Worksmith';
const SENDER = `The name of the sender; ${SERVICE_NAME} for messages of the service, which have no sender_id.`;

const CHANNEL = `CASE d.mail_copy WHEN 'copied' THEN 'email' ELSE 'inbox' END`;
const STATUS = `CASE WHEN d.read_at IS NULL THEN 'delivered' ELSE 'read' END`;

const DELIVERY = `json_build_object('id', d.id, 'channel', ${CHANNEL}, 'status', ${STATUS}, 'read_at', ${wireTime('d.read_at')})`;

const deliverySchema = exactly({
  id: { type: 'string', pattern: '^mdl_[0-9a-f]{32}$' },
  channel: { type: 'string', enum: [...CHANNELS] },
  status: { type: 'string', enum: [...INBOX_STATUSES] },
  read_at: { type: ['string', 'null'], format: 'date-time' },
});
/** SQL: the value only for those who see the entity. */
const ifVisible = (entity: string, sql: string): string => `CASE WHEN ${visibleId(entity)} IS NOT NULL THEN ${sql} END`;

const inMyInbox = (sql: string): string => `CASE WHEN d.id IS NOT NULL THEN ${sql} END`;

/** A message as its sender or one of its recipients sees it. */
export const messageView = defineView({
  name: 'Message',
  kind: 'message',
  table: 'messages',
  alias: 'm',
  joins: `${leftJoinResource('sender', 'm.sender_id')}
    LEFT JOIN message_deliveries d ON d.message_id = m.id AND d.user_id = :me AND d.removed_at IS NULL`,
  fields: {
    id: id('m.id', 'message'),
    sender_id: nullable(id('m.sender_id', 'resource')),
    sender_name: withoutEventValue(
      nullable(text(`CASE WHEN m.sender_id IS NULL THEN '${SERVICE_NAME}' ELSE sender.name END`, SENDER)),
    ),
    subject: written(withoutEventValue(nullable(text('m.subject'))), 'searchedName'),
    content: written(withoutEventValue(text('m.content')), 'searchedText'),
    intent: oneOf('m.intent', INTENTS),
    reply_to_id: nullable(id('m.reply_to_id', 'message')),
    thread_id: id('m.thread_id', 'message'),
    entity_type: withoutEventValue(
      nullable(oneOf(ifVisible('m.entity_id', 'm.entity_type'), Object.keys(KINDS) as Kind[])),
    ),
    entity_id: withoutEventValue(nullable(anyId(ifVisible('m.entity_id', 'm.entity_id')))),
    scope_type: withoutEventValue(nullable(oneOf(ifVisible('m.scope_id', 'm.scope_type'), MESSAGE_SCOPES))),
    scope_id: withoutEventValue(nullable(anyId(ifVisible('m.scope_id', 'm.scope_id')))),
    recipient_count: integer('m.recipient_count'),
    recipients: withoutEventValue(
      json<Recipient[]>(recipients, {
        type: 'array',
        maxItems: 10,
        items: recipientSchema,
        description: 'The first ten recipients by name; GET /messages/{id}/recipients returns all.',
      }),
    ),
    delivery_id: withoutEventValue(nullable(id('d.id', 'delivery'))),
    channel: withoutEventValue(nullable(oneOf(inMyInbox(CHANNEL), CHANNELS))),
    status: withoutEventValue(nullable(oneOf(inMyInbox(STATUS), INBOX_STATUSES))),
    read_at: withoutEventValue(nullable(time('d.read_at'))),
    delivery: withoutEventValue(nullable(json<object>(inMyInbox(DELIVERY), deliverySchema))),
    metadata: withoutEventValue(metadata('m.metadata')),
    created_at: time('m.created_at'),
  },
});
