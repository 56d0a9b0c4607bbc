import { defineView, id, integer, json, nullable, oneOf, text, time } from '../../../platform/database/views/view.js';
import { AUTH_METHODS, GRANT_TYPES, REGISTRARS } from './oauth-client.entity.js';

const redirectUris = {
  type: 'array',
  items: { type: 'string' },
  description: 'Where answers may go, compared exactly but for the port of this machine.',
  example: ['https://app.example.com/callback'],
};
const grantTypes = {
  type: 'array',
  items: { type: 'string', enum: [...GRANT_TYPES] },
  description: 'How the program can get tokens.',
};

/** A registered program without its secret. */
export const oauthClientView = defineView({
  name: 'OauthClient',
  kind: 'oauth_client',
  table: 'oauth_clients',
  alias: 'oc',
  joins: '',
  fields: {
    id: id('oc.id', 'oauth_client'),
    name: text('oc.name', 'The name that people see when they are asked.'),
    registered_by: oneOf(
      'oc.registered_by',
      REGISTRARS,
      'Who registered it: an administrator, who held a registration token, or anybody.',
    ),
    registered_with: nullable(id('oc.registered_with', 'registration_token')),
    redirect_uris: json<string[]>('oc.redirect_uris', redirectUris),
    grant_types: json<string[]>('oc.grant_types', grantTypes),
    token_endpoint_auth_method: oneOf(
      'oc.auth_method',
      AUTH_METHODS,
      'How the program proves that it is itself: none for one that could not keep a secret.',
    ),
    created_at: time('oc.created_at'),
    updated_at: time('oc.updated_at'),
    revision: integer('oc.revision'),
  },
});
