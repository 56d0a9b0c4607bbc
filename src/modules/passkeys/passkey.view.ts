import {
  defineView,
  id,
  integer,
  nullable,
  text,
  time,
  wireTime,
  withoutEventValue,
} from '../../platform/database/views/view.js';

/** A passkey without its keys. */
export const passkeyView = defineView({
  name: 'Passkey',
  kind: 'passkey',
  table: 'passkeys',
  alias: 'p',
  joins: '',
  fields: {
    id: id('p.id', 'passkey'),
    user_id: id('p.user_id', 'user'),
    name: text('p.name'),
    last_used_at: withoutEventValue(nullable(time('p.last_used_at'))),
    created_at: time('p.created_at'),
    updated_at: time('p.updated_at'),
    revision: integer('p.revision'),
  },
});

/** SQL: erases the passkeys of the user; who signed what stays. */
export const erasePasskeys = (user: string): string =>
  `UPDATE passkeys SET name = 'Passkey', user_handle = '', ended_at = coalesce(ended_at, now()) WHERE user_id = ${user}`;

/** A query for the passkeys of the user without their keys, as JSON: for the export of personal data. */
export const ownPasskeys = (user: string): string =>
  `SELECT json_build_object('id', p.id, 'name', p.name, 'created_at', ${wireTime('p.created_at')},
      'last_used_at', ${wireTime('p.last_used_at')}, 'ended_at', ${wireTime('p.ended_at')}) AS body
    FROM passkeys p WHERE p.user_id = ${user} ORDER BY p.id`;

/** SQL: whether the user can sign in with a passkey. */
export const hasPasskey = (user: string): string =>
  `EXISTS (SELECT 1 FROM passkeys own WHERE own.user_id = ${user} AND own.ended_at IS NULL)`;
