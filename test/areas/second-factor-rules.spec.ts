import type { QueryRunner } from 'typeorm';
import { ToldTiers1763700004494 } from '../../src/migrations/1763700004494-told-tiers.js';
import { enableSecondFactor, totpOf } from '../support/second-factor.js';
import { PASSWORD } from '../support/sign-up.js';
import { TestApp, type Person } from '../support/test-app.js';
import { tokenOf } from '../support/tokens.js';

let app: TestApp;
let owner: Person;
let organization: string;
let endeavour: string;
let task: string;
/** The same people have something elsewhere, which must stay as it is. */
let elsewhere: { owner: Person; organization: string; endeavour: string; task: string };

type Way = 'password' | 'password+totp' | 'passkey' | 'oidc';

/** Another session of the person that began in that way. */
async function signedIn(
  person: Person,
  method: Way,
  more: { code?: boolean; provedTo?: string } = {},
): Promise<Person> {
  const again = await app.signInAgain(person);
  const [, claims] = again.token.split('.');
  const { jti } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { jti: string };
  await app.database.query(`UPDATE sessions SET method = $2, has_second_factor = $3, proved_to = $4 WHERE id = $1`, [
    jti,
    method,
    more.code ?? false,
    more.provedTo ?? null,
  ]);
  return again;
}

const reasonOf = (body: { error: { details: { reason?: string } } }) => body.error.details.reason;
const setRule = (person: Person, id: string, body: object, query = '') =>
  app.as(person).patch(`/organizations/${id}${query}`).send(body);
const idsOf = async (person: Person, path: string): Promise<string[]> =>
  (await app.as(person).get(path).expect(200)).body.data.map(({ id }: { id: string }) => id);

/** The things that the organization is the home of, by the path of each. */
const homes = (): string[] => [
  `/organizations/${organization}`,
  `/organizations/${organization}/members`,
  `/endeavours/${endeavour}`,
  `/tasks/${task}`,
  `/tasks/${task}/changes`,
  `/comments?entity_type=task&entity_id=${task}`,
  `/tasks?endeavour_id=${endeavour}`,
  `/audit?organization_id=${organization}`,
];

async function expectWithheld(person: Person): Promise<void> {
  for (const path of homes()) {
    const { body, status } = await app.as(person).get(path);
    expect([path, status, body.error?.details?.reason]).toEqual([path, 403, 'second_factor_required']);
  }
  expect(await idsOf(person, '/organizations')).not.toContain(organization);
  expect(await idsOf(person, '/endeavours')).not.toContain(endeavour);
  expect(await idsOf(person, '/tasks?limit=100')).not.toContain(task);
  expect(JSON.stringify((await app.as(person).get('/search?q=gate').expect(200)).body)).not.toContain(task);
  expect(JSON.stringify((await app.as(person).get('/changes?limit=200').expect(200)).body.data)).not.toContain(task);
  expect(JSON.stringify((await app.as(person).get('/work').expect(200)).body.data)).not.toContain(task);
}

async function expectOpen(person: Person): Promise<void> {
  for (const path of homes().slice(0, 4)) await app.as(person).get(path).expect(200);
  expect(await idsOf(person, '/organizations')).toContain(organization);
  expect(await idsOf(person, '/tasks?limit=100')).toContain(task);
}

beforeAll(async () => {
  app = await TestApp.open({ LIMIT_LOGIN_PER_MINUTE: '1000' });
});
afterAll(() => app.close());

beforeEach(async () => {
  owner = await app.person('Ann');
  organization = await app.organization(owner, { name: 'Strict' });
  endeavour = await app.endeavour(owner, { organization_id: organization });
  task = await app.task(owner, endeavour, { assignee_id: 'me' });
  const other = await app.person('Eve');
  const theirs = await app.organization(other, { name: 'Lax' });
  const cellar = await app.endeavour(other, { organization_id: theirs, name: 'Cellar' });
  elsewhere = { owner: other, organization: theirs, endeavour: cellar, task: await app.task(other, cellar) };
});
afterEach(() => app.database.query(`UPDATE organizations SET second_factor = 'optional'`));

const require = async (): Promise<void> => {
  await setRule(owner, organization, { second_factor: 'required' }).expect(200);
};

describe('an organization that requires a second factor', () => {
  it('withholds what it is the home of from a session with a password alone, and nothing else', async () => {
    await app.join(elsewhere.organization, owner, 'member');
    await expectOpen(owner);
    await require();
    await expectWithheld(owner);
    await app.as(owner).get(`/tasks/${elsewhere.task}`).expect(200);
    expect(await idsOf(owner, '/organizations')).toEqual([elsewhere.organization]);
    const { body } = await app.as(owner).get('/auth/whoami').expect(200);
    expect(Object.keys(body.data.organizations).toSorted()).toEqual([organization, elsewhere.organization].toSorted());
  });

  it.each<[string, Way, { code?: boolean }]>([
    ['a passkey', 'passkey', {}],
    ['a password and a code', 'password+totp', {}],
    ['a provider that proves it, or with a code after it', 'oidc', { code: true }],
  ])('is open to sessions that began with %s', async (_, method, more) => {
    await require();
    await expectOpen(await signedIn(owner, method, more));
    await expectWithheld(await signedIn(owner, 'oidc'));
  });

  it('is open to the provider of that organization, not to that of another one', async () => {
    await require();
    await expectOpen(await signedIn(owner, 'oidc', { provedTo: organization }));
    await expectWithheld(await signedIn(owner, 'oidc', { provedTo: elsewhere.organization }));
  });

  it('counts for each organization alone', async () => {
    await require();
    await app.join(elsewhere.organization, owner, 'owner');
    const both = await signedIn(owner, 'passkey');
    await setRule(both, elsewhere.organization, { second_factor: 'required' }).expect(200);
    const one = await signedIn(owner, 'oidc', { provedTo: organization });
    await expectOpen(one);
    const { body } = await app.as(one).get(`/tasks/${elsewhere.task}`).expect(403);
    expect(reasonOf(body)).toBe('second_factor_required');
  });

  it('applies at once to a session that has just read, and ends with the rule', async () => {
    await app.as(owner).get(`/tasks/${task}`).expect(200);
    await app.as(owner).get(`/tasks/${task}`).expect(200);
    await require();
    await app.as(owner).get(`/tasks/${task}`).expect(403);
    const strong = await signedIn(owner, 'passkey');
    await setRule(strong, organization, { second_factor: 'optional' }).expect(200);
    await app.as(owner).get(`/tasks/${task}`).expect(200);
  });

  it('keeps its rule when a release is installed whose tiers are told of it', async () => {
    await require();
    await app.database.query('UPDATE tiers SET may_ask_second_factor = false');
    await expectOpen(owner);
    await new ToldTiers1763700004494().up(app.database as unknown as QueryRunner);
    await expectWithheld(owner);
  });

  it('is met by setting a second factor up and signing in with it, which needs nothing else', async () => {
    const passwordHash = await app.service.hashPassword(PASSWORD);
    const ben = await app.person('Ben', { passwordHash });
    await app.join(organization, ben, 'member');
    await require();
    await expectWithheld(ben);
    const { secret } = await enableSecondFactor(app, ben);
    await expectWithheld(ben);
    const sent = { email: ben.email, password: PASSWORD };
    const { body: pending } = await app.as(null).post('/auth/login').send(sent).expect(200);
    const code = { pending_token: pending.data.pending_token, code: totpOf(secret) };
    const { body } = await app.as(null).post('/auth/totp/verify').send(code).expect(200);
    await expectOpen({ ...ben, token: body.data.token });
  });

  it('is absent for strangers, and no more visible to a viewer than before', async () => {
    const viewer = await app.person('Vic');
    await app.join(endeavour, viewer, 'viewer');
    await require();
    for (const path of homes().slice(0, 5)) await app.as(elsewhere.owner).get(path).expect(404);
    const { body } = await app.as(viewer).get(`/tasks/${task}`).expect(403);
    expect(reasonOf(body)).toBe('second_factor_required');
    await app.as(viewer).get(`/organizations/${organization}/members`).expect(404);
    const strong = await signedIn(viewer, 'passkey');
    await app.as(strong).get(`/tasks/${task}`).expect(200);
    await app.as(strong).get(`/organizations/${organization}`).expect(404);
  });

  it('withholds also what it shares with another organization', async () => {
    await app.link(elsewhere.organization, endeavour);
    await app.as(elsewhere.owner).get(`/tasks/${task}`).expect(200);
    await require();
    const { body } = await app.as(elsewhere.owner).get(`/tasks/${task}`).expect(403);
    expect(reasonOf(body)).toBe('second_factor_required');
    expect(await idsOf(elsewhere.owner, '/endeavours')).toEqual([elsewhere.endeavour]);
    await app
      .as(await signedIn(elsewhere.owner, 'passkey'))
      .get(`/tasks/${task}`)
      .expect(200);
  });

  it('refuses writes that name something of it in the path or the body, and writes nothing', async () => {
    await app.join(elsewhere.organization, owner, 'member');
    await require();
    const before = await app.count('events');
    const calls = [
      app.as(owner).patch(`/tasks/${task}`).send({ title: 'Mine' }),
      app.as(owner).post('/tasks').send({ title: 'In', endeavour_id: endeavour }),
      app.as(owner).post('/endeavours').send({ name: 'In', organization_id: organization }),
      app.as(owner).post('/tasks').send({ title: 'Beside', endeavour_id: elsewhere.endeavour, parent_id: task }),
      app.as(owner).delete(`/organizations/${organization}/members/${owner.id}`),
    ];
    for (const call of calls) expect(reasonOf((await call.expect(403)).body)).toBe('second_factor_required');
    const batch = { operations: [{ method: 'PATCH', path: `/tasks/${task}`, body: { title: 'Mine' } }] };
    const { body } = await app.as(owner).post('/batch').send(batch);
    expect(JSON.stringify(body)).toContain('second_factor_required');
    expect(await app.count('events')).toBe(before);
  });

  it('shows itself to a caller that waits for changes no longer', async () => {
    await app.join(elsewhere.organization, owner, 'member');
    const { body: start } = await app.as(owner).get('/changes?after=now').expect(200);
    const waiting = app.as(owner).get(`/changes?after=${start.meta.next}&wait=20`).expect(200);
    const answer = waiting.then(({ body }) => JSON.stringify(body.data));
    await require();
    const strong = await signedIn(owner, 'passkey');
    await app.as(strong).patch(`/tasks/${task}`).send({ title: 'Hidden gate' }).expect(200);
    await app.as(elsewhere.owner).patch(`/tasks/${elsewhere.task}`).send({ title: 'Open gate' }).expect(200);
    expect(await answer).not.toContain('Hidden gate');
  });

  it('does not keep anybody from leaving, and from seeing their own data', async () => {
    const ben = await app.person('Ben', { passwordHash: await app.service.hashPassword(PASSWORD) });
    await app.join(organization, ben, 'member');
    await require();
    await app.as(ben).get('/auth/my-data').expect(200);
    await app.as(ben).post('/auth/delete-account').send({ current_password: PASSWORD }).expect(200);
    await app.as(ben).get('/auth/whoami').expect(401);
  });
});

describe('an access token', () => {
  it('counts as the session that made it', async () => {
    const weak = await tokenOf(app, owner);
    const strong = await tokenOf(app, await signedIn(owner, 'passkey'));
    const partial = await tokenOf(app, await signedIn(owner, 'oidc', { provedTo: organization }));
    await require();
    await expectWithheld(weak);
    await expectOpen(strong);
    await expectOpen(partial);
  });

  it('counts as the session that gave it its secret, but an old secret gains nothing', async () => {
    const weak = await tokenOf(app, owner);
    await require();
    const strong = await signedIn(owner, 'passkey');
    const rotate = async (person: Person, overlap: number): Promise<Person> => {
      const { body } = await app.as(person).post(`/auth/tokens/${weak.tokenId}/rotate`).send({ overlap }).expect(200);
      return { ...owner, token: body.data.token };
    };
    await app
      .as(await rotate(strong, 60))
      .get(`/tasks/${task}`)
      .expect(403);
    await app.as(weak).get(`/tasks/${task}`).expect(403);
    await app
      .as(await rotate(strong, 0))
      .get(`/tasks/${task}`)
      .expect(200);
    await app
      .as(await rotate(owner, 0))
      .get(`/tasks/${task}`)
      .expect(403);
  });

  it('of an agent counts as the session of the person who made it', async () => {
    const made = { name: 'Triage', organization_id: organization };
    const { data: agent } = (await app.as(owner).post('/agents').send(made).expect(201)).body;
    const tokenFrom = async (person: Person): Promise<Person> => {
      const sent = { name: 'Robot', scopes: ['*'] };
      const { body } = await app.as(person).post(`/agents/${agent.id}/tokens`).send(sent).expect(201);
      return { ...owner, id: agent.id, token: body.data.token };
    };
    const strong = await signedIn(owner, 'passkey');
    const [weakRobot, strongRobot] = [await tokenFrom(owner), await tokenFrom(strong)];
    await require();
    const { body } = await app.as(weakRobot).get(`/organizations/${organization}`).expect(403);
    expect(reasonOf(body)).toBe('second_factor_required');
    await app.as(strongRobot).get(`/organizations/${organization}`).expect(200);
  });
});

describe('the rule', () => {
  it('tells first whom it shuts out, without changing anything', async () => {
    const [ben, cara] = [await app.person('Ben'), await app.person('Cara')];
    for (const person of [ben, cara]) await app.join(organization, person, 'member');
    await enableSecondFactor(app, cara);
    const [everywhere, here] = [await tokenOf(app, ben), await tokenOf(app, ben, { organization_id: organization })];
    await tokenOf(app, await signedIn(ben, 'passkey'));
    await tokenOf(app, elsewhere.owner);
    const { body } = await setRule(owner, organization, { second_factor: 'required' }, '?dry_run=true').expect(200);
    expect(body.data).toMatchObject({ second_factor: 'required' });
    expect(body.data.without_second_factor.toSorted((a: Person, b: Person) => (a.name < b.name ? -1 : 1))).toEqual([
      { user_id: owner.id, name: 'Ann' },
      { user_id: ben.id, name: 'Ben' },
    ]);
    expect(body.data.tokens_without_second_factor).toEqual(
      [
        { id: everywhere.tokenId, user_id: ben.id, is_restricted: false },
        { id: here.tokenId, user_id: ben.id, is_restricted: true },
      ].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    );
    await expectOpen(owner);
  });

  it('ends the tokens that reach nothing else, if it is asked to', async () => {
    const ben = await app.person('Ben');
    await app.join(organization, ben, 'member');
    await app.join(elsewhere.organization, ben, 'member');
    const [everywhere, here] = [await tokenOf(app, ben), await tokenOf(app, ben, { organization_id: organization })];
    const strong = await tokenOf(app, await signedIn(ben, 'passkey'), { organization_id: organization });
    await setRule(owner, organization, { second_factor: 'required', revoke_tokens: true }).expect(200);
    await app.as(here).get('/auth/whoami').expect(401);
    await app.as(everywhere).get(`/tasks/${elsewhere.task}`).expect(200);
    await app.as(everywhere).get(`/tasks/${task}`).expect(403);
    await app.as(strong).get(`/tasks/${task}`).expect(200);
  });

  it('is set by owners in a session with a recent proof, and is in the audit', async () => {
    const admin = await app.person('Max');
    await app.join(organization, admin, 'admin');
    const change = { second_factor: 'required' };
    await setRule(admin, organization, change).expect(403);
    await setRule(admin, organization, { revoke_tokens: true }).expect(403);
    expect(reasonOf((await setRule(await tokenOf(app, owner), organization, change).expect(403)).body)).toBe(
      'session_required',
    );
    await app.database.query(`UPDATE sessions SET proved_at = now() - interval '1 hour' WHERE user_id = $1`, [
      owner.id,
    ]);
    expect(reasonOf((await setRule(owner, organization, change).expect(403)).body)).toBe('proof_required');
    await app.keepProofs();
    await setRule(owner, organization, { second_factor: 'sometimes' }).expect(400);
    await setRule(elsewhere.owner, organization, change).expect(404);
    await require();
    const strong = await signedIn(owner, 'passkey');
    const { body } = await app
      .as(strong)
      .get(`/audit?organization_id=${organization}&action=organization.second_factor_set`)
      .expect(200);
    expect(body.data).toMatchObject([
      { actor_id: owner.resourceId, details: { second_factor: 'required', before: { second_factor: 'optional' } } },
    ]);
  });

  it('cannot be set any more by an owner who was dismissed, nor lifted by one without a second factor', async () => {
    const ben = await app.person('Ben');
    await app.join(organization, ben, 'owner');
    await require();
    await setRule(ben, organization, { second_factor: 'optional' }).expect(403);
    const strong = await signedIn(ben, 'passkey');
    await app
      .as(await signedIn(owner, 'passkey'))
      .delete(`/organizations/${organization}/members/${ben.id}`)
      .expect(200);
    await setRule(strong, organization, { second_factor: 'optional' }).expect(404);
  });
});

describe('an administrator without a second factor', () => {
  it('administers the installation, but sees of organizations only those of an own role that require none', async () => {
    const ada = await app.admin();
    await app.join(elsewhere.organization, ada, 'member');
    await app.as(ada).get(`/tasks/${task}`).expect(200);
    await require();
    await expectWithheld(ada);
    await app.as(ada).get('/users').expect(200);
    expect(await idsOf(ada, '/organizations')).toEqual([elsewhere.organization]);
    await app.as(ada).get(`/tasks/${elsewhere.task}`).expect(200);
    const strong = await signedIn(ada, 'passkey');
    await app.as(strong).get(`/tasks/${task}`).expect(200);
    expect(await idsOf(strong, '/organizations?limit=100')).toEqual(
      expect.arrayContaining([organization, elsewhere.organization]),
    );
  });
});

describe('an installation that requires a second factor', () => {
  let strict: TestApp;

  const openWith = async (policy: string): Promise<void> => {
    strict = await TestApp.open({ SECOND_FACTOR: policy });
  };
  afterEach(() => strict.close());

  const refused = async (person: Person, path: string): Promise<void> => {
    const { body } = await strict.as(person).get(path).expect(403);
    expect(reasonOf(body)).toBe('second_factor_required');
  };

  it('of everyone lets the others only see who they are, set one up, and leave', async () => {
    await openWith('everyone');
    const ben = await strict.person('Ben');
    for (const path of ['/tasks', '/organizations', '/auth/sessions', '/auth/tokens', '/changes'])
      await refused(ben, path);
    for (const path of ['/auth/whoami', '/auth/my-data', '/auth/totp/status', '/auth/passkeys'])
      await strict.as(ben).get(path).expect(200);
    await enableSecondFactor(strict, ben);
    await refused(ben, '/tasks');
    await strict.database.query(`UPDATE sessions SET method = 'password+totp' WHERE user_id = $1`, [ben.id]);
    await strict.as(ben).get('/tasks').expect(200);
    const token = await tokenOf(strict, ben);
    await strict.as(token).get('/tasks').expect(200);
    await strict.database.query('UPDATE access_tokens SET has_second_factor = false');
    await refused(token, '/tasks');
    // The provider of an organization proves nothing towards the installation.
    await strict.database.query(`UPDATE sessions SET method = 'oidc', proved_to = 'org' WHERE user_id = $1`, [ben.id]);
    await refused(ben, '/tasks');
    await strict.as(ben).post('/auth/logout').expect(200);
  });

  it('of administrators asks nobody else', async () => {
    await openWith('administrators');
    const [ada, ben] = [await strict.admin(), await strict.person('Ben')];
    await refused(ada, '/users');
    await refused(ada, '/tasks');
    await strict.as(ben).get('/tasks').expect(200);
    await strict.database.query(`UPDATE sessions SET method = 'passkey' WHERE user_id = $1`, [ada.id]);
    await strict.as(ada).get('/users').expect(200);
  });
});
