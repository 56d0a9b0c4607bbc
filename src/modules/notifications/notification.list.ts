import { visible } from '../../access/visibility/visibility.js';
import { KINDS } from '../../common/kinds.js';
import { NOTIFICATION_KINDS } from '../../common/notifications.js';
import type { ListDefinition } from '../../platform/listing/definition.js';
import { ANY_KIND, flagFilter, idFilter, oneOfFilter } from '../../platform/listing/filters.js';
import { rangeFilters } from '../../platform/listing/time-filters.js';
import { notificationView } from './notification.view.js';
import { IS_STANDING } from './standing-kinds.view.js';

/** SQL: whether the user can see the entity `x` of the notification; invitees can see their invitations. */
export const isNotificationSeen = (me: string): string => `(${visible('x', me)} OR (x.kind = 'invitation' AND EXISTS (
  SELECT 1 FROM invited_users i WHERE i.invitation_id = x.id AND i.user_id = ${me})))`;

/** The caller's own notifications about entities that are visible now; this also applies to administrators. */
export const notificationList: ListDefinition = {
  view: notificationView,
  joins: 'JOIN entities x ON x.id = n.entity_id',
  scope: ({ me }) => isNotificationSeen(me),
  baseCondition: ({ me }) => `n.user_id = ${me} AND x.deleted_at IS NULL AND ${IS_STANDING}`,
  filters: {
    unread: flagFilter(
      'n.read_at IS NULL',
      'n.read_at IS NOT NULL',
      'true for unread notifications, false for read ones.',
    ),
    kind: oneOfFilter((selected, { bind }) => `n.kinds && ${bind(selected)}::text[]`, NOTIFICATION_KINDS),
    entity_type: oneOfFilter('n.entity_type', Object.keys(KINDS)),
    entity_id: idFilter('n.entity_id', ANY_KIND, 'Notifications about this entity.'),
    endeavour_id: idFilter('x.endeavour_id', 'endeavour', 'Notifications about entities in this endeavour.', {
      isUnset: 'x.endeavour_id IS NULL',
    }),
    ...rangeFilters({ occurred: 'n.occurred_at' }),
  },
  sorts: { occurred_at: { sql: 'n.occurred_at', type: 'timestamptz' } },
  defaultSort: '-occurred_at',
};
