import { newId } from '../../../src/common/ids.js';
import { linkedIdentity, PROVIDER } from '../../support/identities.js';
import { PERSONAL_OWNER, type CallerName, type World } from '../callers.js';
import { del, everyCaller, get, made, patch, post, type ApiRequest, type Row } from '../rows.js';

/** Deletes all providers, because the matrix creates more than an organization may have. */
async function makeRoom({ app }: World): Promise<void> {
  await app.database.query(
    'UPDATE identity_providers SET deleted_at = now(), is_enabled = false WHERE deleted_at IS NULL',
  );
  await app.database.query(
    `UPDATE entities SET deleted_at = now() WHERE kind = 'identity_provider' AND deleted_at IS NULL`,
  );
}

async function freshProvider(world: World): Promise<string> {
  await makeRoom(world);
  return made(world, world.founder, '/identity-providers', { ...PROVIDER, organization_id: world.organization });
}

/** A provisioning token; there can be two. */
async function freshScimToken(world: World): Promise<string> {
  await world.app.database.query('UPDATE scim_tokens SET ended_at = now(), hash = NULL WHERE ended_at IS NULL');
  await world.app.database.query(
    `UPDATE entities SET deleted_at = now() WHERE kind = 'scim_token' AND deleted_at IS NULL`,
  );
  return made(world, world.founder, `/organizations/${world.organization}/scim-tokens`, { name: 'Directory' });
}

/** An identity of the personal owner, who has a password too. */
async function identity(world: World): Promise<string> {
  const owner = world.callers[PERSONAL_OWNER];
  await world.app.database.query(`UPDATE users SET password_hash = 'none' WHERE id = $1`, [owner.id]);
  return linkedIdentity(world.app, owner, await freshProvider(world));
}

const ABSENT = newId('identity_provider');

const askedIdentity = (act: 'get' | 'delete', id: string): ApiRequest =>
  act === 'get' ? get(`/auth/identities/${id}`) : del(`/auth/identities/${id}`);

/** Deletes all domains, because the matrix claims more than an organization may. */
async function makeDomainRoom({ app }: World): Promise<void> {
  await app.database.query(
    'UPDATE domains SET deleted_at = now(), proved_at = NULL, is_confirmed = false WHERE deleted_at IS NULL',
  );
  await app.database.query(`UPDATE entities SET deleted_at = now() WHERE kind = 'domain' AND deleted_at IS NULL`);
}

async function freshDomain(world: World): Promise<string> {
  await makeDomainRoom(world);
  return made(world, world.founder, `/organizations/${world.organization}/domains`, { domain: 'company.test' });
}

const domainPath = async (world: World): Promise<string> =>
  `/organizations/${world.organization}/domains/${await freshDomain(world)}`;

/** Only owners can see it; other members get 404. */
const OWNERS_ONLY: Partial<Record<CallerName, number>> = {
  'organization guest': 404,
  'organization member': 404,
  'organization admin': 404,
};

const PROGRAM = { name: 'Calendar', redirect_uris: ['https://app.example.com/callback'] };

const freshProgram = (world: World): Promise<string> => made(world, world.administrator, '/oauth-clients', PROGRAM);

/** A registration token; there can be twenty. */
async function freshRegistrationToken(world: World): Promise<string> {
  await world.app.database.query(
    'UPDATE oauth_registration_tokens SET ended_at = now(), hash = NULL WHERE ended_at IS NULL',
  );
  await world.app.database.query(
    `UPDATE entities SET deleted_at = now() WHERE kind = 'registration_token' AND deleted_at IS NULL`,
  );
  return made(world, world.administrator, '/oauth-registration-tokens', { name: 'Partners' });
}

/** Others are refused before anything is looked up. */
const ADMINISTRATORS_ONLY = everyCaller(403, { administrator: 200 });

export const IDENTITY: readonly Row[] = [
  { operation: 'oauth_clients_list', scope: null, success: 200, request: () => get('/oauth-clients') },
  { operation: 'oauth_clients_create', scope: null, success: 201, request: () => post('/oauth-clients', PROGRAM) },
  {
    operation: 'oauth_clients_get',
    scope: null,
    success: 200,
    request: async (world) => get(`/oauth-clients/${await freshProgram(world)}`),
    exceptions: ADMINISTRATORS_ONLY,
  },
  {
    operation: 'oauth_clients_update',
    scope: null,
    success: 200,
    request: async (world, caller) => patch(`/oauth-clients/${await freshProgram(world)}`, { name: caller }),
    exceptions: ADMINISTRATORS_ONLY,
  },
  {
    operation: 'oauth_clients_delete',
    scope: null,
    success: 200,
    request: async (world) => del(`/oauth-clients/${await freshProgram(world)}`),
    exceptions: ADMINISTRATORS_ONLY,
  },
  {
    operation: 'oauth_registration_tokens_list',
    scope: null,
    success: 200,
    request: () => get('/oauth-registration-tokens'),
  },
  {
    operation: 'oauth_registration_tokens_create',
    scope: null,
    success: 201,
    request: async (world, caller) => {
      await freshRegistrationToken(world);
      return post('/oauth-registration-tokens', { name: caller });
    },
  },
  {
    operation: 'oauth_registration_tokens_delete',
    scope: null,
    success: 200,
    request: async (world) => del(`/oauth-registration-tokens/${await freshRegistrationToken(world)}`),
    exceptions: ADMINISTRATORS_ONLY,
  },
  {
    operation: 'organizations_scim_tokens_list',
    scope: 'organization',
    success: 200,
    request: ({ organization }) => get(`/organizations/${organization}/scim-tokens`),
  },
  {
    operation: 'organizations_scim_tokens_create',
    scope: 'organization',
    success: 201,
    request: async (world, caller) => {
      await freshScimToken(world);
      return post(`/organizations/${world.organization}/scim-tokens`, { name: caller });
    },
  },
  {
    operation: 'organizations_scim_tokens_delete',
    scope: 'organization',
    success: 200,
    request: async (world) => del(`/organizations/${world.organization}/scim-tokens/${await freshScimToken(world)}`),
  },
  { operation: 'identity_providers_list', scope: null, success: 200, request: () => get('/identity-providers') },
  {
    operation: 'identity_providers_create',
    when: 'of an organization',
    scope: 'organization',
    inBody: true,
    success: 201,
    request: async (world) => {
      await makeRoom(world);
      return post('/identity-providers', { ...PROVIDER, organization_id: world.organization });
    },
  },
  {
    operation: 'identity_providers_create',
    when: 'of the installation',
    scope: null,
    success: 201,
    request: async (world) => {
      await makeRoom(world);
      return post('/identity-providers', PROVIDER);
    },
    exceptions: everyCaller(403, { administrator: 201 }),
  },
  {
    operation: 'identity_providers_get',
    scope: 'organization',
    success: 200,
    request: async (world) => get(`/identity-providers/${await freshProvider(world)}`),
    exceptions: OWNERS_ONLY,
  },
  {
    operation: 'identity_providers_update',
    scope: 'organization',
    success: 200,
    request: async (world, caller) => patch(`/identity-providers/${await freshProvider(world)}`, { name: caller }),
    exceptions: OWNERS_ONLY,
  },
  {
    operation: 'identity_providers_delete',
    scope: 'organization',
    success: 200,
    request: async (world) => del(`/identity-providers/${await freshProvider(world)}`),
    exceptions: OWNERS_ONLY,
  },
  {
    operation: 'identity_providers_test',
    scope: 'organization',
    success: 200,
    request: async (world) => post(`/identity-providers/${await freshProvider(world)}/test`),
    exceptions: OWNERS_ONLY,
  },
  {
    operation: 'organizations_domains_list',
    scope: 'organization',
    success: 200,
    request: ({ organization }) => get(`/organizations/${organization}/domains`),
  },
  {
    operation: 'organizations_domains_create',
    scope: 'organization',
    success: 201,
    request: async (world) => {
      await makeDomainRoom(world);
      return post(`/organizations/${world.organization}/domains`, { domain: 'company.test' });
    },
  },
  {
    operation: 'organizations_domains_get',
    scope: 'organization',
    success: 200,
    request: async (world) => get(await domainPath(world)),
  },
  {
    operation: 'organizations_domains_verify',
    scope: 'organization',
    // The name servers of the tests do not answer.
    success: 409,
    request: async (world) => post(`${await domainPath(world)}/verify`),
  },
  {
    operation: 'organizations_domains_confirm',
    scope: 'organization',
    success: 200,
    request: async (world) => post(`${await domainPath(world)}/confirm`),
  },
  {
    operation: 'organizations_domains_delete',
    scope: 'organization',
    success: 200,
    request: async (world) => del(await domainPath(world)),
  },
  { operation: 'auth_identities_list', scope: null, success: 200, request: () => get('/auth/identities') },
  {
    operation: 'auth_identities_create',
    scope: null,
    // What a provider has not confirmed is refused for everybody.
    success: 400,
    request: () => post('/auth/identities', { flow_token: 'unknown', state: 'unknown', code: 'unknown' }),
  },
  {
    operation: 'auth_step_up_oidc_create',
    scope: null,
    // Nobody has an identity there.
    success: 400,
    request: () => post('/auth/step-up/oidc', { provider_id: ABSENT, redirect_uri: 'https://app.example.org' }),
  },
  ...(['get', 'delete'] as const).map((act): Row => ({
    operation: `auth_identities_${act}`,
    scope: 'person',
    success: 200,
    request: async (world) => askedIdentity(act, await identity(world)),
    exceptions: { administrator: 404 },
  })),
];
