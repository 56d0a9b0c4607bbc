import { KINDS } from '../../common/kinds.js';
import type { Filter, ListDefinition, Parsed } from '../../platform/listing/definition.js';
import {
  containsText,
  idFilter,
  oneOfFilter,
  parseFlag,
  rangeFilters,
  resourceFilter,
} from '../../platform/listing/filters.js';
import { INTENTS } from './intents.js';
import { messageView } from './message.view.js';

const BOXES = ['inbox', 'sent'] as const;
type Box = (typeof BOXES)[number];

const received = (me: string): string =>
  `m.id IN (SELECT d.message_id FROM message_deliveries d WHERE d.user_id = ${me})`;
const unread = (me: string): string =>
  `m.id IN (SELECT d.message_id FROM message_deliveries d WHERE d.user_id = ${me} AND d.read_at IS NULL)`;

const box: Filter = {
  schema: { type: 'string', enum: [...BOXES], default: 'inbox' },
  description: 'What was sent to you, or what you sent.',
  parse: (raw): Parsed =>
    BOXES.includes(raw as Box)
      ? { value: raw }
      : { code: 'invalid_value', message: `Possible values: ${BOXES.join(', ')}.`, allowed: BOXES },
  where: (wanted: Box, statement) =>
    wanted === 'sent' ? `m.sender_id = ${statement.myResource()}` : received(statement.me),
};

const unreadFilter: Filter = {
  schema: { type: 'string', enum: ['true', 'false', '1', '0', ''] },
  description: 'What you have not read yet; false for the rest.',
  parse: parseFlag,
  where: (wanted: boolean, { me }) => (wanted ? unread(me) : `NOT ${unread(me)}`),
};

const sorts: ListDefinition['sorts'] = { created_at: { sql: 'm.created_at', type: 'timestamptz' } };

/** The caller's own inbox or sent box, an administrator's too. */
export const messageList: ListDefinition = {
  view: messageView,
  scope: () => 'true',
  unlessFiltered: { box: received('$1') },
  filters: {
    box,
    unread: unreadFilter,
    intent: oneOfFilter('m.intent', INTENTS),
    sender_id: resourceFilter('m.sender_id', 'Sent by this resource.'),
    entity_type: oneOfFilter('m.entity_type', Object.keys(KINDS)),
    entity_id: idFilter('m.entity_id', 'About this thing.'),
    ...rangeFilters({ created: 'm.created_at' }),
  },
  sorts,
  search: { where: containsText(['m.subject', 'm.content']) },
};

/** What the caller sent or received, of one thread or another, oldest first. */
export const threadList: ListDefinition = {
  view: messageView,
  scope: (statement) => `(m.sender_id = ${statement.myResource()} OR ${received(statement.me)})`,
  filters: {},
  sorts,
  defaultSort: 'created_at',
};
