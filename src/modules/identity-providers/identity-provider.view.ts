import {
  boolean,
  defineView,
  id,
  integer,
  json,
  nullable,
  oneOf,
  text,
  time,
  withExample,
} from '../../platform/database/views/view.js';
import { exactly } from '../../platform/http/openapi/schemas.js';
import { PROVIDER_ROLES, type GroupRole } from './identity-provider.entity.js';

const list = (description: string, example: string[]) => ({
  type: 'array',
  items: { type: 'string' },
  description,
  example,
});

/** A provider without its secret. */
export const identityProviderView = defineView({
  name: 'IdentityProvider',
  kind: 'identity_provider',
  table: 'identity_providers',
  alias: 'idp',
  joins: '',
  fields: {
    id: id('idp.id', 'identity_provider'),
    organization_id: nullable(id('idp.organization_id', 'organization')),
    name: text('idp.name'),
    issuer: withExample(
      text('idp.issuer', 'The address that identifies the provider.'),
      'https://login.example.com/realms/main',
    ),
    client_id: text('idp.client_id', 'What the provider calls this service.'),
    has_client_secret: boolean('idp.client_secret IS NOT NULL', 'Whether a client secret is set.'),
    scopes: json<string[]>('idp.scopes', list('The scopes that are requested.', ['openid', 'email', 'profile'])),
    domains: json<string[]>(
      'idp.domains',
      list('The domains of the addresses that the provider speaks for.', ['example.com']),
    ),
    trust_email: boolean('idp.trust_email', 'Whether all addresses of the provider count as verified.'),
    proves_second_factor: boolean(
      'idp.proves_second_factor',
      'Whether the provider asks for a second factor, so that the service does not.',
    ),
    jit: boolean('idp.jit', 'Whether unknown people of its domains get an account.'),
    role: oneOf('idp.role', PROVIDER_ROLES, 'The role of new accounts in the organization.'),
    groups_claim: nullable(text('idp.groups_claim', 'The claim with the groups of a person.')),
    group_roles: json<GroupRole[]>('idp.group_roles', {
      type: 'array',
      items: exactly({ group: { type: 'string' }, role: { type: 'string', enum: [...PROVIDER_ROLES] } }),
      description: 'The roles that groups give in the organization; of several, the highest counts.',
    }),
    required: boolean('idp.required', 'Whether members with an address in its domains sign in with it only.'),
    is_enabled: boolean('idp.is_enabled', 'Whether people can sign in with it.'),
    created_at: time('idp.created_at'),
    updated_at: time('idp.updated_at'),
    revision: integer('idp.revision'),
  },
});

export const joinProvider = (alias: string, provider: string): string =>
  `JOIN identity_providers ${alias} ON ${alias}.id = ${provider}`;

/** SQL: whether the provider with the id is not deleted. */
export const isOfLiveProvider = (provider: string): string =>
  `EXISTS (SELECT 1 FROM identity_providers live WHERE live.id = ${provider} AND live.deleted_at IS NULL)`;

/** SQL: whether the user has an identity at a provider that proves a second factor towards the organization. */
export const hasIdentityThatProves = (user: string, organization: string): string =>
  `EXISTS (SELECT 1 FROM identities own JOIN identity_providers proving ON proving.id = own.provider_id
    WHERE own.user_id = ${user} AND own.ended_at IS NULL AND proving.is_enabled AND proving.proves_second_factor
      AND coalesce(proving.organization_id, ${organization}) = ${organization})`;
