import { randomBytes } from 'node:crypto';
import { readCompleteList } from '../support/sent-whole.js';
import { AUDIT_ACTIONS } from '../../src/common/audit.js';
import { PASSWORD } from '../support/sign-up.js';
import { Agreement, attestation } from '../support/dod.js';
import { Authenticator } from '../support/authenticator.js';
import { enableSecondFactor, totpOf } from '../support/second-factor.js';
import { linkedIdentity, PROVIDER } from '../support/identities.js';
import { LyingProvider } from '../support/lying-provider.js';
import { CALLBACK } from '../support/openid-provider.js';
import { TestApp, type Person } from '../support/test-app.js';

interface Entry {
  id: string;
  occurred_at: string;
  action: string;
  actor_id: string | null;
  user_id: string | null;
  entity_id: string | null;
  endeavour_id: string | null;
  organization_id: string | null;
  session_id: string | null;
  token_id: string | null;
  operation: string | null;
  code: string | null;
  count: number;
  details: Record<string, unknown>;
  address: string | null;
  email: string | null;
}

describe('the audit', () => {
  let agreed: Agreement;
  let liar: LyingProvider;
  let app: TestApp;
  let ada: Person;
  let ann: Person;
  let home: string;
  let garden: string;

  beforeAll(async () => {
    liar = await LyingProvider.start();
    agreed = await Agreement.open({ OIDC_REDIRECT_URIS: CALLBACK, IDENTITY_ALLOW: '127.0.0.0/8' });
    ({ app, ada, ann } = agreed);
    home = await app.organization(ann);
    garden = await app.endeavour(ann, { organization_id: home });
  });

  afterAll(() => Promise.all([app.close(), liar.stop()]));

  const entriesOf = async (who: Person, query = ''): Promise<Entry[]> => {
    const { body } = await app.as(who).get(`/audit?limit=200&count=false${query}`).expect(200);
    return body.data as Entry[];
  };

  /** Waits for an entry with the action and the entity, and returns the newest. */
  const entry = async (action: string, entityId: string): Promise<Entry> => {
    for (;;) {
      const [found] = await entriesOf(ada, `&action=${action}&entity_id=${entityId}`);
      if (found !== undefined) return found;
    }
  };

  const idOf = ({ body }: { body: { data: { id: string } } }): string => body.data.id;
  const create = async (path: string, body: object, who = ann): Promise<string> =>
    idOf(await app.as(who).post(path).send(body).expect(201));

  const webhook = (): Promise<string> =>
    create('/webhooks', { url: 'https://hooks.example.com/audit', organization_id: home });

  const provider = (issuer = PROVIDER.issuer): Promise<string> =>
    create('/identity-providers', { ...PROVIDER, issuer, organization_id: home });

  const domain = (): Promise<string> => {
    const claim = { domain: `d${randomBytes(4).toString('hex')}.test` };
    return create(`/organizations/${home}/domains`, claim);
  };

  const program = (): Promise<string> =>
    create('/oauth-clients', { name: 'Calendar', redirect_uris: ['https://app.example.com/callback'] }, ada);

  const registrationToken = (): Promise<string> => create('/oauth-registration-tokens', { name: 'Partners' }, ada);

  const withPassword = async (name = 'Pia'): Promise<Person> => {
    const person = await app.person(name);
    const hash = await app.service.hashPassword(PASSWORD);
    await app.database.query('UPDATE users SET password_hash = $2 WHERE id = $1', [person.id, hash]);
    return person;
  };
  const withFactor = async () => {
    const person = await withPassword();
    const { secret, recoveryCodes } = await enableSecondFactor(app, person);
    const sent = (act: string) =>
      app
        .as(person)
        .post(`/auth/totp/${act}`)
        .send({ code: totpOf(secret) });
    return { ...person, recoveryCodes, sent };
  };
  const withPasskey = async () => {
    const owner = await withPassword();
    const device = new Authenticator();
    const { body } = await app.as(owner).post('/auth/passkeys/options').expect(200);
    const credential = device.create(body.data);
    const added = await app.as(owner).post('/auth/passkeys').send({ name: 'Laptop', credential }).expect(201);
    return { owner, device, passkey: added.body.data.id as string };
  };
  const login = (email: string, password = PASSWORD) => app.as(null).post('/auth/login').send({ email, password });

  const userWith = async (changes: object): Promise<string> => {
    const { id } = await app.person('Uma');
    await app.as(ada).patch(`/users/${id}`).send(changes).expect(200);
    return id;
  };
  const agent = (): Promise<string> => create('/agents', { name: 'Triage', organization_id: home });
  /** An agent that an administrator created as a user, without a manager. */
  const agentWith = async (changes: object): Promise<string> => {
    const email = `agent.${randomBytes(4).toString('hex')}@example.com`;
    const id = await create('/users', { name: 'Triage', email, user_type: 'agent' }, ada);
    await app.as(ada).patch(`/users/${id}`).send(changes).expect(200);
    return id;
  };
  const token = (who = ann): Promise<string> => create('/auth/tokens', { name: 'Robot', scopes: ['tasks:read'] }, who);
  const member = async (): Promise<[string, Person]> => {
    const person = await app.person('Max');
    const shop = await app.organization(ann);
    await app.as(ada).post(`/organizations/${shop}/members`).send({ user_id: person.id, role: 'member' }).expect(201);
    return [shop, person];
  };
  const resource = (): Promise<string> => create('/resources', { name: 'Van', type: 'service' });
  const brought = async (): Promise<string> => {
    const id = await resource();
    await app.as(ann).post(`/organizations/${home}/resources`).send({ resource_id: id }).expect(200);
    return id;
  };
  const archiveAs = (who: Person, id: string) =>
    app.as(who).post(`/organizations/${id}/archive`).send({ reason: 'Over' }).expect(200);
  const archive = (path: string) => app.as(ann).post(`${path}/archive`).send({ reason: 'Over' }).expect(200);
  const archived = async (kind: 'organizations' | 'endeavours'): Promise<string> => {
    const id = await (kind === 'endeavours'
      ? app.endeavour(ann, { name: 'Old' })
      : app.organization(ann, { name: 'Old' }));
    await archive(`/${kind}/${id}`);
    return id;
  };
  const unarchived = async (kind: 'organizations' | 'endeavours'): Promise<string> => {
    const id = await archived(kind);
    await app.as(ann).post(`/${kind}/${id}/unarchive`).expect(200);
    return id;
  };
  const erased = async (kind: 'organizations' | 'endeavours'): Promise<string> => {
    const id = await archived(kind);
    const operation = idOf(await app.as(ann).delete(`/${kind}/${id}?confirm=Old`).expect(202));
    await app.database.query('UPDATE operations SET due_at = now() WHERE id = $1', [operation]);
    const worker = await TestApp.open({ WORKERS: 'true' }, app);
    await worker.ended(ann, `/operations/${operation}`);
    await worker.close();
    return id;
  };
  const overridden = async (): Promise<string> => {
    const id = await agreed.active(await agreed.bound(attestation));
    await agreed.override(id).expect(200);
    return id;
  };

  const policy = (): Promise<string> =>
    create('/dod-policies', { name: 'Reviewed', organization_id: home, conditions: [{ type: 'peer_review' }] });
  const policyWith = async (changes: object): Promise<string> => {
    const id = await policy();
    await app.as(ann).patch(`/dod-policies/${id}`).send(changes).expect(200);
    return id;
  };
  const bound = async (): Promise<[string, string]> => {
    const [id, policy_id] = [await app.endeavour(ann, { organization_id: home }), await policy()];
    await app.as(ann).post(`/endeavours/${id}/dod-policy`).send({ policy_id }).expect(200);
    return [id, policy_id];
  };
  const builtIn = async (): Promise<string> =>
    (await app.as(ann).get('/dod-policies?origin=template&limit=1').expect(200)).body.data[0].id;

  /** For each action, a function that performs it and returns the id of the entity in the entry. */
  const ACTS: [string, () => Promise<string>][] = [
    ['session.created', async () => (await app.person('Eva')).id],
    [
      'session.ended',
      async () => {
        const eva = await app.person('Eva');
        await app.as(eva).post('/auth/logout').expect(200);
        return eva.id;
      },
    ],
    [
      'sign_in.failed',
      async () => {
        const { id, email } = await withPassword();
        await login(email, 'not the password at all').expect(401);
        return id;
      },
    ],
    [
      'password.changed',
      async () => {
        const pia = await withPassword();
        const sent = { current_password: PASSWORD, new_password: 'three iron ladders' };
        await app.as(pia).post('/auth/change-password').send(sent).expect(200);
        return pia.id;
      },
    ],
    [
      'password.reset',
      async () => {
        const { id, email } = await withPassword();
        await app.as(null).post('/auth/forgot-password').send({ email }).expect(200);
        const [{ code }] = await app.mail(email);
        const sent = { email, code, new_password: 'three iron ladders' };
        await app.as(null).post('/auth/reset-password').send(sent).expect(200);
        return id;
      },
    ],
    [
      'second_factor.enabled',
      async () => {
        const { id } = await withFactor();
        return id;
      },
    ],
    [
      'second_factor.disabled',
      async () => {
        const { id, sent } = await withFactor();
        await sent('disable').expect(200);
        return id;
      },
    ],
    [
      'recovery_codes.replaced',
      async () => {
        const { id, sent } = await withFactor();
        await sent('recovery-codes').expect(200);
        return id;
      },
    ],
    [
      'recovery_code.used',
      async () => {
        const { id, email, recoveryCodes } = await withFactor();
        const { pending_token } = (await login(email, PASSWORD).expect(200)).body.data;
        await app.as(null).post('/auth/totp/verify').send({ pending_token, code: recoveryCodes[0] }).expect(200);
        return id;
      },
    ],
    ['domain.created', domain],
    [
      'domain.updated',
      async () => {
        const id = await domain();
        await app.as(ada).post(`/organizations/${home}/domains/${id}/confirm`).expect(200);
        return id;
      },
    ],
    [
      'domain.deleted',
      async () => {
        const id = await domain();
        await app.as(ann).delete(`/organizations/${home}/domains/${id}`).expect(200);
        return id;
      },
    ],
    [
      'organization.second_factor_set',
      async () => {
        const id = await app.organization(ann);
        await app.as(ann).patch(`/organizations/${id}`).send({ second_factor: 'required' }).expect(200);
        await app.database.query(`UPDATE organizations SET second_factor = 'optional' WHERE id = $1`, [id]);
        return id;
      },
    ],
    ['oauth_client.created', () => program()],
    [
      'oauth_client.updated',
      async () => {
        const id = await program();
        await app.as(ada).patch(`/oauth-clients/${id}`).send({ name: 'Other' }).expect(200);
        return id;
      },
    ],
    [
      'oauth_client.deleted',
      async () => {
        const id = await program();
        await app.as(ada).delete(`/oauth-clients/${id}`).expect(200);
        return id;
      },
    ],
    ['registration_token.created', () => registrationToken()],
    [
      'registration_token.deleted',
      async () => {
        const id = await registrationToken();
        await app.as(ada).delete(`/oauth-registration-tokens/${id}`).expect(200);
        return id;
      },
    ],
    ['scim_token.created', () => create(`/organizations/${home}/scim-tokens`, { name: 'Directory' })],
    [
      'scim_token.deleted',
      async () => {
        const id = await create(`/organizations/${home}/scim-tokens`, { name: 'Directory' });
        await app.as(ann).delete(`/organizations/${home}/scim-tokens/${id}`).expect(200);
        return id;
      },
    ],
    ['identity_provider.created', provider],
    [
      'identity_provider.updated',
      async () => {
        const id = await provider();
        await app.as(ann).patch(`/identity-providers/${id}`).send({ name: 'Other' }).expect(200);
        return id;
      },
    ],
    [
      'identity_provider.deleted',
      async () => {
        const id = await provider();
        await app.as(ann).delete(`/identity-providers/${id}`).expect(200);
        return id;
      },
    ],
    [
      'identity.created',
      async () => {
        const body = { redirect_uri: CALLBACK };
        const { body: begun } = await app
          .as(null)
          .post(`/auth/oidc/${await provider(liar.issuer)}/start`)
          .send(body)
          .expect(200);
        const { authorization_url, flow_token } = begun.data;
        return create('/auth/identities', { flow_token, ...liar.signIn(authorization_url, { sub: 'ann' }) });
      },
    ],
    [
      'identity.deleted',
      async () => {
        const owner = await withPassword();
        const id = await linkedIdentity(app, owner, await provider());
        await app.as(owner).delete(`/auth/identities/${id}`).expect(200);
        return id;
      },
    ],
    [
      'passkey.created',
      async () => {
        const { passkey } = await withPasskey();
        return passkey;
      },
    ],
    [
      'passkey.deleted',
      async () => {
        const { owner, passkey } = await withPasskey();
        await app.as(owner).delete(`/auth/passkeys/${passkey}`).expect(200);
        return passkey;
      },
    ],
    [
      'passkey.copied',
      async () => {
        const { owner, device } = await withPasskey();
        for (const [counter, status] of [
          [7, 200],
          [6, 401],
        ]) {
          const { body } = await app.as(null).post('/auth/passkeys/login/options').expect(200);
          const credential = device.get(body.data, { counter });
          await app.as(null).post('/auth/passkeys/login').send({ credential }).expect(status);
        }
        return owner.id;
      },
    ],
    ['user.created', async () => create('/users', { name: 'Nia', email: `nia.${Date.now()}@example.test` }, ada)],
    ['user.email_changed', () => userWith({ email: `uma.${Date.now()}@example.test` })],
    ['user.status_changed', () => userWith({ status: 'suspended' })],
    ['user.administrator_changed', () => userWith({ is_admin: true })],
    ['user.tier_changed', () => userWith({ tier: 2 })],
    [
      'activity.exported',
      async () => {
        const eva = await app.person('Eva');
        await app.as(eva).get('/activity').set('Accept', 'text/csv').expect(200);
        return eva.id;
      },
    ],
    [
      'list.exported',
      async () => {
        await readCompleteList(app, ann, '/tasks', 'text/csv');
        return home;
      },
    ],
    [
      'user.exported',
      async () => {
        await app.as(ann).get('/auth/my-data').expect(200);
        return ann.id;
      },
    ],
    [
      'user.erased',
      async () => {
        const { id } = await app.person('Eva');
        await app.as(ada).delete(`/users/${id}?erase=now`).expect(200);
        return id;
      },
    ],
    ['access_token.created', () => token()],
    [
      'access_token.rotated',
      async () => {
        const id = await token();
        await app.as(ann).post(`/auth/tokens/${id}/rotate`).expect(200);
        return id;
      },
    ],
    [
      'access_token.deleted',
      async () => {
        const id = await token();
        await app.as(ann).delete(`/auth/tokens/${id}`).expect(200);
        return id;
      },
    ],
    ['agent.created', agent],
    [
      'agent.status_changed',
      async () => {
        const id = await agent();
        await app.as(ann).patch(`/agents/${id}`).send({ status: 'paused' }).expect(200);
        return id;
      },
    ],
    [
      'agent.tier_changed',
      async () => {
        const id = await agent();
        await app.as(ada).patch(`/users/${id}`).send({ tier: 2 }).expect(200);
        return id;
      },
    ],
    ['agent.email_changed', async () => agentWith({ email: `triage.${randomBytes(4).toString('hex')}@example.com` })],
    ['agent.administrator_changed', async () => agentWith({ is_admin: true })],
    [
      'agent.erased',
      async () => {
        const id = await agent();
        await app.as(ada).delete(`/users/${id}?erase=now`).expect(200);
        return id;
      },
    ],
    ['member.added', async () => (await member())[0]],
    [
      'member.changed',
      async () => {
        const [shop, { id }] = await member();
        await app.as(ann).patch(`/organizations/${shop}/members/${id}`).send({ role: 'admin' }).expect(200);
        return shop;
      },
    ],
    [
      'member.removed',
      async () => {
        const [shop, { id }] = await member();
        await app.as(ann).delete(`/organizations/${shop}/members/${id}`).expect(200);
        return shop;
      },
    ],
    ['webhook.created', () => webhook()],
    [
      'webhook.updated',
      async () => {
        const id = await webhook();
        await app.as(ann).patch(`/webhooks/${id}`).send({ is_enabled: false }).expect(200);
        return id;
      },
    ],
    [
      'webhook.secret_rotated',
      async () => {
        const id = await webhook();
        await app.as(ann).post(`/webhooks/${id}/rotate-secret`).expect(200);
        return id;
      },
    ],
    [
      'webhook.deleted',
      async () => {
        const id = await webhook();
        await app.as(ann).delete(`/webhooks/${id}`).expect(200);
        return id;
      },
    ],
    ['invitation.created', () => create('/invitations', { organization_id: home, role: 'member' })],
    [
      'invitation.deleted',
      async () => {
        const id = await create('/invitations', { organization_id: home, role: 'member' });
        await app.as(ann).delete(`/invitations/${id}`).expect(200);
        return id;
      },
    ],
    [
      'endeavour.linked',
      async () => {
        const id = await app.endeavour(ann);
        await app.as(ann).post(`/organizations/${home}/endeavours`).send({ endeavour_id: id }).expect(200);
        return id;
      },
    ],
    [
      'endeavour.unlinked',
      async () => {
        const id = await app.endeavour(ann, { organization_id: home });
        await app.join(id, ann, 'owner').catch(() => undefined);
        await app.as(ann).delete(`/organizations/${home}/endeavours/${id}`).expect(200);
        return id;
      },
    ],
    [
      'endeavour.transferred',
      async () => {
        const id = await app.endeavour(ann, { organization_id: home });
        const organization_id = await app.organization(ann, { name: 'Target' });
        await app.as(ann).post(`/endeavours/${id}/transfer`).send({ organization_id }).expect(200);
        return id;
      },
    ],
    ['endeavour.archived', () => archived('endeavours')],
    ['endeavour.unarchived', () => unarchived('endeavours')],
    ['endeavour.erased', () => erased('endeavours')],
    [
      'endeavour.exported',
      async () => {
        await app.as(ann).get(`/endeavours/${garden}/export`).expect(200);
        return garden;
      },
    ],
    ['organization.archived', () => archived('organizations')],
    ['organization.unarchived', () => unarchived('organizations')],
    ['organization.erased', () => erased('organizations')],
    [
      'organization.exported',
      async () => {
        await app.as(ann).get(`/organizations/${home}/export`).expect(200);
        return home;
      },
    ],
    ['resource.linked', brought],
    [
      'resource.unlinked',
      async () => {
        const id = await brought();
        await app.as(ann).delete(`/organizations/${home}/resources/${id}`).expect(200);
        return id;
      },
    ],
    [
      'resource.transferred',
      async () => {
        const id = await brought();
        const organization_id = await app.organization(ann, { name: 'Target' });
        await app.as(ann).post(`/resources/${id}/transfer`).send({ organization_id }).expect(200);
        return id;
      },
    ],
    ['dod.assigned', async () => (await bound())[0]],
    [
      'dod.unassigned',
      async () => {
        const [id] = await bound();
        await app.as(ann).delete(`/endeavours/${id}/dod-policy`).expect(200);
        return id;
      },
    ],
    ['dod_policy.created', policy],
    ['dod_policy.forked', async () => create(`/dod-policies/${await builtIn()}/versions`, { organization_id: home })],
    ['dod_policy.versioned', async () => create(`/dod-policies/${await policy()}/versions`, { name: 'Next' })],
    ['dod_policy.updated', async () => policyWith({ description: 'Stricter' })],
    ['dod_policy.status_changed', async () => policyWith({ status: 'archived' })],
    [
      'organization.alert_terms_changed',
      async () => {
        const shop = await app.organization(ann);
        const terms = [{ term: 'leak' }];
        await app.as(ann).put(`/organizations/${shop}/alert-terms`).send({ terms }).expect(200);
        return shop;
      },
    ],
    ...(['endeavour', 'organization'] as const).map((kind): [string, () => Promise<string>] => [
      `${kind}.erasure_changed`,
      async () => {
        const id = await archived(`${kind}s`);
        await app.as(ann).delete(`/${kind}s/${id}?confirm=Old`).expect(202);
        return id;
      },
    ]),
    [
      'endeavour.privacy_changed',
      async () => {
        const id = await app.endeavour(ann, { organization_id: home });
        await app.as(ann).patch(`/endeavours/${id}`).send({ is_private: true }).expect(200);
        return id;
      },
    ],
    [
      'tasks.imported_as_done',
      async () => {
        const id = await app.endeavour(ann, { organization_id: home });
        const worker = await TestApp.open({ WORKERS: 'true' }, app);
        const { headers } = await worker
          .as(ann)
          .post(`/imports?format=csv&endeavour_id=${id}`)
          .set('Content-Type', 'application/octet-stream')
          .send('title,status\nDug,done\nPlanned,planned\n')
          .expect(202);
        await worker.ended(ann, headers.location);
        await worker.close();
        return id;
      },
    ],
    [
      'message.read_by_administrator',
      async () => {
        const eva = await app.person('Eva');
        await app.join(home, eva, 'member');
        const id = await create('/messages', { recipient_ids: [eva.id], content: 'Between us' });
        await app.as(ada).get(`/messages/${id}`).expect(200);
        return id;
      },
    ],
    ['dod.overridden', overridden],
    [
      'dod.override_lifted',
      async () => {
        const id = await overridden();
        await app.as(ann).delete(`/tasks/${id}/dod-override`).expect(200);
        return id;
      },
    ],
    [
      'history.redacted',
      async () => {
        const id = await app.task(ann, garden, { description: 'hunter2' });
        await app.as(ann).patch(`/tasks/${id}`).send({ description: 'Harmless' }).expect(200);
        const { body } = await app.as(ann).get(`/tasks/${id}/changes`).expect(200);
        const sent = { field: 'description', reason: 'A password' };
        await app.as(ann).post(`/changes/${body.data[0].id}/redact`).send(sent).expect(200);
        return id;
      },
    ],
    [
      'access.denied',
      async () => {
        const guest = await app.person('Gus');
        await app.join(home, guest, 'guest');
        await app.as(guest).patch(`/organizations/${home}`).send({ name: 'Mine' }).expect(403);
        return home;
      },
    ],
  ];

  it.each(ACTS)('has an entry for %s', async (action, act) => {
    const id = await act();
    expect(await entry(action, id)).toMatchObject({ action, entity_id: id, count: 1 });
  });

  /** Rejected requests and tiers, whose entries name no entity. */
  const REFUSALS: [string, object, () => Promise<unknown>][] = [
    [
      'limit.hit',
      { operation: 'POST /api/v1/organizations', code: 'tier_limit' },
      async () => {
        const poor = await app.person('Pat', { tier: 1 });
        await app.organization(poor);
        await app.as(poor).post('/organizations').send({ name: 'Second' }).expect(403);
      },
    ],
    [
      'tier.changed',
      { details: { tier: 2, max_orgs: 6, before: { max_orgs: 5 } } },
      () => app.as(ada).patch('/tiers/2').send({ max_orgs: 6 }).expect(200),
    ],
    [
      'code.refused',
      { operation: 'POST /api/v1/auth/reset-password', code: 'reset_failed', actor_id: null },
      async () => {
        const sent = { email: 'unknown@example.test', code: 'aaa-bbb-ccc', new_password: 'three iron ladders' };
        await app.as(null).post('/auth/reset-password').send(sent).expect(400);
      },
    ],
    [
      'password.refused',
      { operation: 'POST /api/v1/auth/change-password', code: 'invalid_password' },
      async () => {
        const sent = { current_password: 'not the password at all', new_password: 'three iron ladders' };
        await app
          .as(await withPassword())
          .post('/auth/change-password')
          .send(sent)
          .expect(400);
      },
    ],
    [
      'token.refused',
      { operation: 'GET /api/v1/tasks', code: 'unauthorized', actor_id: null, address: '127.0.0.1' },
      () => app.as(null).get('/tasks').set('Authorization', 'Bearer nonsense').expect(401),
    ],
  ];

  it.each(REFUSALS)('has an entry for %s', async (action, expected, act) => {
    await act();
    for (;;) {
      const [found] = await entriesOf(ada, `&action=${action}`);
      if (found === undefined) continue;
      expect(found).toMatchObject({ action, ...expected });
      return;
    }
  });

  it('is tested for every action', () => {
    const actions = [...ACTS, ...REFUSALS].map(([action]) => action);
    expect(actions.toSorted()).toEqual([...AUDIT_ACTIONS]);
  });

  it('names the actor, the session or token, the address and the previous values', async () => {
    const [shop, max] = [await app.organization(ann), await app.person('Max')];
    await app.as(ada).post(`/organizations/${shop}/members`).send({ user_id: max.id, role: 'member' }).expect(201);
    const { headers } = await app
      .as(ann)
      .patch(`/organizations/${shop}/members/${max.id}`)
      .set('User-Agent', 'Curl/9')
      .send({ role: 'admin' })
      .expect(200);
    expect(await entry('member.changed', shop)).toMatchObject({
      actor_id: ann.resourceId,
      user_id: max.id,
      entity_type: 'organization',
      organization_id: shop,
      session_id: sessionIn(ann.token),
      token_id: null,
      request_id: headers['x-request-id'],
      details: { user_id: max.id, resource_id: max.resourceId, role: 'admin', before: { role: 'member' } },
      address: '127.0.0.1',
      user_agent: 'Curl/9',
    });
    const { body } = await app
      .as(ann)
      .post('/auth/tokens')
      .send({ name: 'Robot', scopes: ['*'] })
      .expect(201);
    await app
      .as({ ...ann, token: body.data.token })
      .delete(`/organizations/${shop}/members/${max.id}`)
      .expect(200);
    expect(await entry('member.removed', shop)).toMatchObject({ session_id: null, token_id: body.data.id });
  });

  it('shows owners the entries of their organizations, also of entities that moved away, but no addresses', async () => {
    const [olga, mia] = [await app.person('Olga'), await app.person('Mia')];
    const [from, to] = [await app.organization(ann), await app.organization(ann, { name: 'Target' })];
    await app.join(from, mia, 'admin');
    const id = await app.endeavour(ann, { organization_id: from });
    await app.as(ann).post(`/endeavours/${id}/transfer`).send({ organization_id: to }).expect(200);
    await app.join(from, olga, 'owner');
    expect(await entriesOf(mia)).toEqual([]);
    const seen = await entriesOf(olga);
    expect(seen.map(({ action, organization_id }) => [action, organization_id])).toContainEqual([
      'endeavour.transferred',
      to,
    ]);
    expect(new Set(seen.map(({ address }) => address))).toEqual(new Set([null]));
    expect(await entriesOf(olga, `&organization_id=${from}`)).toEqual(seen);
    expect(await entriesOf(olga, `&organization_id=${home}`)).toEqual([]);
  });

  it("shows owners tokens of the organization's agents, complete lists, and messages that administrators read", async () => {
    const [shop, mia] = [await app.organization(ann), await app.person('Mia')];
    await app.join(shop, mia, 'admin');
    const yard = await app.endeavour(ann, { organization_id: shop });
    const agentId = await create('/agents', { name: 'Bot', organization_id: shop }, mia);
    const tokenId = await create(`/agents/${agentId}/tokens`, { name: 'Main', scopes: ['*'] }, mia);
    await app.as(mia).delete(`/auth/tokens/${tokenId}`).expect(200);
    await readCompleteList(app, mia, '/tasks', 'text/csv');
    await readCompleteList(app, mia, `/tasks?endeavour_id=${yard}`, 'application/x-ndjson');
    await app.as(mia).get('/activity').set('Accept', 'text/csv').expect(200);
    const sent = await create('/messages', { scope_type: 'endeavour', scope_id: yard, content: 'For us' }, mia);
    for (const path of ['', '/thread', '/recipients', '/changes']) {
      await app.as(ada).get(`/messages/${sent}${path}`).expect(200);
    }
    await app.as(ann).get(`/messages/${sent}`).expect(200);
    const seen = await entriesOf(ann, `&organization_id=${shop}`);
    const ofMia = seen.filter(({ actor_id }) => actor_id === mia.resourceId);
    expect(ofMia.map(({ action, entity_id }) => [action, entity_id])).toEqual([
      ['activity.exported', shop],
      ['list.exported', yard],
      ['list.exported', shop],
      ['access_token.deleted', tokenId],
      ['access_token.created', tokenId],
      ['member.added', shop],
      ['agent.created', agentId],
    ]);
    const read = seen.filter(({ action }) => action === 'message.read_by_administrator');
    expect(read).toHaveLength(4);
    for (const one of read) expect(one).toMatchObject({ entity_id: sent, user_id: mia.id, actor_id: ada.resourceId });
    expect(await entriesOf(mia, `&organization_id=${shop}`)).toEqual([]);
  });

  it('shows the owners of other organizations nothing of an export that names them', async () => {
    const [olga, eve] = [await app.person('Olga'), await app.person('Eve')];
    const shop = await app.organization(olga);
    await readCompleteList(app, eve, `/endeavours?organization_id=${shop}`, 'text/csv');
    expect((await entriesOf(olga)).filter(({ action }) => action === 'list.exported')).toEqual([]);
  });

  it('shows users the entries of their own account only', async () => {
    const eva = await withPassword('Eva');
    expect(await entriesOf(eva)).toEqual([]);
    await login(eva.email, 'not the password at all').expect(401);
    await entry('sign_in.failed', eva.id);
    const own = await entriesOf(eva, '&mine=true');
    expect(own.map(({ action, user_id }) => [action, user_id])).toEqual([
      ['sign_in.failed', eva.id],
      ['session.created', eva.id],
      ['user.created', eva.id],
    ]);
    expect(own[0]).toMatchObject({ address: '127.0.0.1', email: eva.email, code: 'invalid_credentials' });
    await app.as(null).get('/audit').expect(401);
  });

  it('can be filtered by actor, action, entity, organization and time', async () => {
    const eva = await app.person('Eva');
    const shop = await app.organization(eva);
    await archiveAs(eva, shop);
    const [found] = await entriesOf(ada, `&actor_id=${eva.id}&action=organization.archived`);
    expect(found).toMatchObject({ entity_id: shop, organization_id: shop, actor_id: eva.resourceId });
    const at = found.occurred_at;
    const only = (query: string) => entriesOf(ada, `&entity_id=${shop}&action=organization.archived${query}`);
    expect(await only(`&from=${at}&organization_id=${shop}`)).toEqual([found]);
    expect(await only(`&to=${at}`)).toEqual([]);
    expect(await only(`&organization_id=${home}`)).toEqual([]);
    await app.as(ada).get('/audit?action=nonsense').expect(400);
    await app.as(ada).get('/audit?from=yesterday').expect(400);
  });

  it('keeps a hash of the origin that is erased with a person', async () => {
    const eva = await withPassword('Eva');
    await login(eva.email, 'not the password at all').expect(401);
    const { id } = await entry('sign_in.failed', eva.id);
    const row = () => app.observer.one<{ origin: string }>('SELECT origin FROM audit_entries WHERE id = $1', [id]);
    const before = await row();
    await app.as(ada).delete(`/users/${eva.id}?erase=now`).expect(200);
    expect(await entry('sign_in.failed', eva.id)).toMatchObject({ id, address: null, user_agent: null, email: null });
    expect(await row()).toEqual(before);
    expect(before?.origin).toMatch(/^[0-9a-f]{64}$/);
    const left = await app.observer.query('SELECT 1 FROM audit_origins WHERE user_id = $1 OR email = $2', [
      eva.id,
      eva.email,
    ]);
    expect(left).toEqual([]);
  });

  it('shows a restricted token nothing from outside its organization', async () => {
    const [one, other] = [await app.organization(ann, { name: 'One' }), await app.organization(ann)];
    for (const shop of [one, other]) await archiveAs(ann, shop);
    const sent = { name: 'Robot', scopes: ['*:read'], organization_id: one };
    const { body } = await app.as(ann).post('/auth/tokens').send(sent).expect(201);
    const robot = { ...ann, token: body.data.token as string };
    const places = (entries: Entry[]) => new Set(entries.map(({ organization_id }) => organization_id));
    expect(places(await entriesOf(robot))).toEqual(new Set([one]));
    expect(places(await entriesOf(robot, '&mine=true'))).toEqual(new Set([one]));
    const { body: narrow } = await app
      .as(ann)
      .post('/auth/tokens')
      .send({ name: 'R', scopes: ['tasks:read'] });
    const refused = await app
      .as({ ...ann, token: narrow.data.token })
      .get('/audit')
      .expect(403);
    expect(refused.body.error.details.required_scope).toBe('*:read');
  });
});

const sessionIn = (token: string): string =>
  (JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString()) as { jti: string }).jti;
