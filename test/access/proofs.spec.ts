import { TestApp } from '../support/test-app.js';
import { makeWorld, PERSONAL_OWNER, type CallerName, type World } from './callers.js';
import { fingerprintOf } from './fingerprint.js';
import { ROWS } from './routes/all.js';

/** The operations that ask for a proof, written a second time, as the rights are. */
const ASKING = [
  'agents_tokens_create',
  'auth_consents_create',
  'auth_identities_create',
  'auth_identities_delete',
  'auth_passkeys_create',
  'auth_passkeys_delete',
  'auth_passkeys_options_create',
  'auth_tokens_create',
  'auth_tokens_rotate',
  'auth_totp_enable',
  'auth_totp_setup',
  'endeavours_transfer',
  'identity_providers_create',
  'identity_providers_delete',
  'identity_providers_update',
  'oauth_clients_create',
  'oauth_clients_delete',
  'oauth_clients_update',
  'oauth_registration_tokens_create',
  'oauth_registration_tokens_delete',
  'organizations_domains_confirm',
  'organizations_domains_create',
  'organizations_domains_delete',
  'organizations_domains_verify',
  'organizations_scim_tokens_create',
  'organizations_scim_tokens_delete',
  'users_delete',
];

const ADMINISTRATORS = [
  'oauth_clients_create',
  'oauth_clients_delete',
  'oauth_clients_update',
  'oauth_registration_tokens_create',
  'oauth_registration_tokens_delete',
  'organizations_domains_confirm',
  'users_delete',
];

describe('operations that ask for a recent proof', () => {
  let world: World;
  let fingerprint: () => Promise<string[]>;

  beforeAll(async () => {
    world = await makeWorld(await TestApp.open({ LIMIT_WRITES_PER_MINUTE: '100000' }));
    fingerprint = await fingerprintOf(world.app);
  });

  afterAll(() => world.app.close());

  it('are those that change credentials, tokens and accounts, and say so in the document', () => {
    const operations = Object.values(world.app.document.paths).flatMap(
      (methods) => Object.values(methods as object) as { operationId: string; description: string }[],
    );
    const asking = operations.filter(({ description }) => description.includes('(403 `proof_required`)'));
    expect(asking.map(({ operationId }) => operationId).toSorted()).toEqual(ASKING);
  });

  it.each(ASKING)('%s is rejected without one, whoever calls, and changes nothing', async (operation) => {
    const row = ROWS.find((each) => each.operation === operation);
    if (row === undefined) throw new Error(`${operation} has no row`);
    const callers: CallerName[] = ['administrator', 'organization owner', PERSONAL_OWNER];
    for (const name of callers) {
      const { method, path, body, by = world.callers[name] } = await row.request(world, name);
      await world.app.database.query(
        `UPDATE sessions SET proved_at = now() - interval '16 minutes' WHERE user_id = $1`,
        [by.id],
      );
      const before = await fingerprint();
      const call = world.app.as(by)[method](path);
      const refused = await (body === undefined ? call : call.send(body));
      const isAdministrators = ADMINISTRATORS.includes(operation) && name !== 'administrator';
      expect([name, refused.status, refused.body.error.details?.reason]).toEqual([
        name,
        403,
        isAdministrators ? undefined : 'proof_required',
      ]);
      expect(await fingerprint()).toEqual(before);
      await world.app.keepProofs();
    }
  });
});
