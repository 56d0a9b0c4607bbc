import { visibleId } from '../../access/visibility/visibility.js';
import { KINDS } from '../../common/kinds.js';
import type { MatchValues } from '../../platform/listing/chosen-set.js';
import type { Filter, ListDefinition } from '../../platform/listing/definition.js';
import { searchedIn } from '../../platform/database/views/text-traits.js';
import { containsText } from '../../platform/listing/search/contained-text.js';
import { ANY_KIND, idFilter, oneOfFilter, resourceFilter } from '../../platform/listing/filters.js';
import { parseFlag, type Parsed } from '../../platform/http/requests/parsed.js';
import { rangeFilters } from '../../platform/listing/time-filters.js';
import type { SearchableList } from '../../platform/listing/search/searchables.js';
import { INBOX_STATUSES, INTENTS } from './intents.js';
import { messageView } from './message.view.js';

const BOXES = ['inbox', 'sent'] as const;
type Box = (typeof BOXES)[number];

const received = (me: string, condition = 'true'): string =>
  `m.id IN (SELECT inbox.message_id FROM message_deliveries inbox
    WHERE inbox.user_id = ${me} AND inbox.removed_at IS NULL AND ${condition})`;
const unread = (me: string): string => received(me, 'inbox.read_at IS NULL');
const read = (me: string): string => received(me, 'inbox.read_at IS NOT NULL');

const box: Filter = {
  schema: { type: 'string', enum: [...BOXES], default: 'inbox' },
  description: 'inbox for messages that you received, sent for messages that you sent.',
  parse: (raw): Parsed =>
    BOXES.includes(raw as Box)
      ? { value: raw }
      : { code: 'invalid_value', message: `Must be one of ${BOXES.join(', ')}.`, allowed: BOXES },
  where(selected: Box | readonly never[], statement) {
    if (selected === 'sent') return `(m.sender_id = ${statement.myResource()} AND NOT m.closed_to_sender)`;
    return selected === 'inbox' ? received(statement.me) : 'false';
  },
};

const unreadFilter: Filter = {
  schema: { type: 'boolean' },
  description: 'true for unread messages, false for read ones.',
  parse: parseFlag,
  isFlag: true,
  where: (isUnread: boolean, { me }) => (isUnread ? unread(me) : `NOT ${unread(me)}`),
};

/** `pending` is a synonym of `delivered`: the message is unread. */
const STATUSES = [...INBOX_STATUSES, 'pending'] as const;

const withPending = oneOfFilter('', STATUSES);
const withoutPending = oneOfFilter('', INBOX_STATUSES);

const statusFilter: Filter = {
  ...withPending,
  parse(raw) {
    const parsed = withPending.parse(raw);
    return 'value' in parsed ? withoutPending.parse(raw.replaceAll('pending', 'delivered')) : parsed;
  },
  where: (statuses: string[], { me }) =>
    `(false${statuses.map((status) => ` OR ${status === 'read' ? read(me) : unread(me)}`).join('')})`,
};

/** Matches the property of the subject for those who see the subject. */
const ofVisible =
  (column: string): MatchValues =>
  (wanted, { bind, me }) =>
    `(${column} = ANY(${bind(wanted)}::text[]) AND ${visibleId('m.entity_id').replaceAll(':me', me)} IS NOT NULL)`;

const sorts: ListDefinition['sorts'] = { created_at: { sql: 'm.created_at', type: 'timestamptz' } };

/** The messages that the caller received or sent; this also applies to administrators. */
export const messageList: ListDefinition = {
  view: messageView,
  scope: () => 'true',
  defaultFilters: { box: received('$1') },
  filters: {
    box,
    unread: unreadFilter,
    status: statusFilter,
    intent: oneOfFilter('m.intent', INTENTS),
    sender_id: resourceFilter('m.sender_id', 'Messages sent by this resource.'),
    entity_type: oneOfFilter(ofVisible('m.entity_type'), Object.keys(KINDS), { isUnset: 'm.entity_type IS NULL' }),
    entity_id: idFilter(ofVisible('m.entity_id'), ANY_KIND, 'Messages about this entity.', {
      isUnset: 'm.entity_id IS NULL',
    }),
    ...rangeFilters({ created: 'm.created_at' }),
  },
  sorts,
  search: { where: containsText(searchedIn(messageView)) },
};

/** The global search finds the messages that the caller received or sent; this also applies to administrators. */
export const messageSearch: SearchableList = {
  list: {
    ...messageList,
    baseCondition: (statement) => `m.id = ANY(ARRAY(
      SELECT inbox.message_id FROM message_deliveries inbox WHERE inbox.user_id = ${statement.me} AND inbox.removed_at IS NULL
      UNION ALL SELECT sent.id FROM messages sent
        WHERE sent.sender_id = ${statement.myResource()} AND NOT sent.closed_to_sender))`,
  },
  isOwn: true,
};
