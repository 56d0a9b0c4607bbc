import { wireTime } from '../../platform/database/views/view.js';

/** SQL: the hash of the user's password; null without one. */
export const passwordHashOf = (user: string): string =>
  `(SELECT c.secret FROM credentials c WHERE c.user_id = ${user} AND c.kind = 'password')`;

/** SQL: whether the credential `c` is the secret of an authenticator app that is in use. */
export const IS_ENABLED_TOTP = `c.kind = 'totp' AND c.expires_at IS NULL`;

/** SQL: whether the user signs in with a second factor. */
export const hasSecondFactor = (user: string): string =>
  `EXISTS (SELECT FROM credentials c WHERE c.user_id = ${user} AND ${IS_ENABLED_TOTP})`;

/** A query for the credentials of the user without their secrets, as JSON: for the export of personal data. */
export const ownCredentials = (user: string): string =>
  `SELECT json_build_object('kind', c.kind, 'created_at', ${wireTime('c.created_at')},
      'expires_at', ${wireTime('c.expires_at')}) AS body
    FROM credentials c WHERE c.user_id = ${user} ORDER BY c.created_at, c.id`;
