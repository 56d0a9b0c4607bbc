import { keyOfEntity } from '../../access/references/work-keys.view.js';
import { KINDS, type Kind } from '../../common/kinds.js';
import { NOTIFICATION_KINDS, type NotificationKind } from '../../common/notifications.js';
import {
  anyId,
  defineView,
  id,
  integer,
  json,
  withoutEventValue,
  nullable,
  oneOf,
  text,
  time,
} from '../../platform/database/views/view.js';

import { STANDING_KINDS } from './standing-kinds.view.js';

/** A notification as its user sees it, with current names. */
export const notificationView = defineView({
  name: 'Notification',
  kind: 'notification',
  table: 'notifications',
  alias: 'n',
  joins: `JOIN entities x ON x.id = n.entity_id LEFT JOIN entities actor ON actor.id = n.actor_id`,
  fields: {
    id: id('n.id', 'notification'),
    kinds: json<NotificationKind[]>(`to_json(${STANDING_KINDS})`, {
      type: 'array',
      items: { type: 'string', enum: [...NOTIFICATION_KINDS] },
      description:
        'The reasons for the notification since you last read it that still hold, in the order in which they occurred.',
    }),
    count: {
      ...integer('n.count'),
      schema: { type: 'integer', description: 'The number of events since you last read it.' },
    },
    entity_type: oneOf('n.entity_type', Object.keys(KINDS) as Kind[]),
    entity_id: anyId('n.entity_id'),
    entity_key: keyOfEntity('x'),
    entity_title: withoutEventValue(text('x.title')),
    endeavour_id: nullable(id('x.endeavour_id', 'endeavour')),
    source_id: nullable({
      ...anyId('n.source_id'),
      schema: { ...anyId('').schema, description: 'The latest comment or approval, if that is the reason.' },
    }),
    actor_id: nullable(id('n.actor_id', 'resource')),
    actor_name: withoutEventValue(nullable(text('actor.title'))),
    occurred_at: time('n.occurred_at'),
    read_at: nullable(time('n.read_at')),
  },
});
