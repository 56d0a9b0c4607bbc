import { wireTime } from '../../platform/database/view.js';

/** SQL: the hash of the user's password; null without one. */
export const passwordOf = (user: string): string =>
  `(SELECT c.secret FROM credentials c WHERE c.user_id = ${user} AND c.kind = 'password')`;

/** A query for the credentials of the user without their secrets, as JSON: for the export of personal data. */
export const ownCredentials = (user: string): string =>
  `SELECT json_build_object('kind', c.kind, 'created_at', ${wireTime('c.created_at')}) AS body
    FROM credentials c WHERE c.user_id = ${user} ORDER BY c.created_at, c.id`;
