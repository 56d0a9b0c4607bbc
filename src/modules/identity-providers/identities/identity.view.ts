import {
  boolean,
  defineView,
  id,
  integer,
  nullable,
  text,
  time,
  wireTime,
  withoutEventValue,
} from '../../../platform/database/views/view.js';
import { joinProvider } from '../identity-provider.view.js';

/** What a provider calls a user. */
export const identityView = defineView({
  name: 'Identity',
  kind: 'identity',
  table: 'identities',
  alias: 'idn',
  joins: joinProvider('provider', 'idn.provider_id'),
  fields: {
    id: id('idn.id', 'identity'),
    user_id: id('idn.user_id', 'user'),
    provider_id: id('idn.provider_id', 'identity_provider'),
    provider_name: withoutEventValue(text('provider.name', 'The name of the provider.')),
    subject: withoutEventValue(text('idn.subject', 'What the provider calls you.')),
    email: withoutEventValue(nullable(text('idn.email', 'The address that the provider named when it was linked.'))),
    linked_by_user: withoutEventValue(
      boolean(
        'idn.linked_by_user',
        'Whether you have linked it yourself, and not the address that the provider named.',
      ),
    ),
    last_used_at: withoutEventValue(nullable(time('idn.last_used_at'))),
    created_at: time('idn.created_at'),
    updated_at: time('idn.updated_at'),
    revision: integer('idn.revision'),
  },
});

/** SQL: erases the identities of the user, so that nobody is taken for the user any more. */
export const eraseIdentities = (user: string): string =>
  `UPDATE identities SET subject = '', email = NULL, ended_at = coalesce(ended_at, now()) WHERE user_id = ${user}`;

/** SQL: forgets which organization made the account. */
export const eraseOrganizationAccount = (user: string): string =>
  `DELETE FROM organization_accounts WHERE user_id = ${user}`;

/** A query for the identities of the user, as JSON: for the export of personal data. */
export const ownIdentities = (user: string): string =>
  `SELECT json_build_object('id', i.id, 'provider', p.name, 'subject', i.subject, 'email', i.email,
      'linked_by_user', i.linked_by_user,
      'created_at', ${wireTime('i.created_at')}, 'last_used_at', ${wireTime('i.last_used_at')},
      'ended_at', ${wireTime('i.ended_at')}) AS body
    FROM identities i ${joinProvider('p', 'i.provider_id')} WHERE i.user_id = ${user} ORDER BY i.id`;

/** A query for the organization that made the account of the user, as JSON: for the export of personal data. */
export const ownMakers = (user: string): string =>
  `SELECT json_build_object('organization_id', a.organization_id, 'created_at', ${wireTime('a.created_at')}) AS body
    FROM organization_accounts a WHERE a.user_id = ${user} ORDER BY a.organization_id`;
