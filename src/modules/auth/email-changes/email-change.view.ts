import { wireTime } from '../../../platform/database/views/view.js';

/** A query for the pending change of the user's e-mail address, as JSON: for the export of personal data. */
export const ownEmailChange = (user: string): string =>
  `SELECT json_build_object('new_email', c.new_email, 'expires_at', ${wireTime('c.expires_at')}) AS body
    FROM email_changes c WHERE c.user_id = ${user}`;
