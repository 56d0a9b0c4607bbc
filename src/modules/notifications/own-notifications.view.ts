import { wireTime } from '../../platform/database/views/view.js';

/** A query for the notifications of the user, as JSON: for the export of personal data. */
export const ownNotifications = (user: string): string =>
  `SELECT json_build_object('id', n.id, 'kinds', n.kinds, 'count', n.count, 'entity_type', n.entity_type,
      'entity_id', n.entity_id, 'source_id', n.source_id, 'actor_id', n.actor_id, 'occurred_at', ${wireTime('n.occurred_at')},
      'read_at', ${wireTime('n.read_at')}) AS body
    FROM notifications n WHERE n.user_id = ${user} ORDER BY n.occurred_at, n.id`;

/** A statement that deletes the notifications of the user. */
export const eraseNotifications = (user: string): string => `DELETE FROM notifications WHERE user_id = ${user}`;
