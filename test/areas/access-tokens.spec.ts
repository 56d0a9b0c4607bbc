import { setTimeout as sleep } from 'node:timers/promises';
import { TestApp, type Person } from '../support/test-app.js';
import { PASSWORD } from '../support/sign-up.js';
import { tokenOf } from '../support/tokens.js';

const GENEROUS = { LIMIT_WRITES_PER_MINUTE: '100000', LIMIT_CODES_PER_HOUR: '1000' };

let app: TestApp;
let ann: Person;

beforeAll(async () => {
  app = await TestApp.open(GENEROUS);
});
afterAll(() => app.close());
beforeEach(async () => {
  ann = await app.person('Ann');
});

const create = (person: Person, body: object) => app.as(person).post('/auth/tokens').send(body);
const detailsOf = ({ body }: { body: { error: { details: Record<string, unknown> } } }) => body.error.details;

describe('an access token', () => {
  it('is shown once, and kept as a keyed hash', async () => {
    const { body } = await create(ann, { name: 'Import', scopes: ['tasks:read'] }).expect(201);
    const { token, ...rest } = body.data;
    expect(token).toMatch(/^wsk_[0-9A-Za-z]{46}$/);
    expect(rest).toMatchObject({ name: 'Import', scopes: ['tasks:read'], user_id: ann.id, last_used_at: null });
    const { body: again } = await app.as(ann).get(`/auth/tokens/${rest.id}`).expect(200);
    expect(again.data).toEqual(rest);
    const { body: list } = await app.as(ann).get('/auth/tokens').expect(200);
    expect(list.data).toEqual([rest]);
    const tables = await app.database.query<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
    );
    for (const { name } of tables) {
      const rows = await app.database.query(`SELECT 1 FROM ${name} t WHERE strpos(t::text, $1) > 0`, [token]);
      expect([name, rows.length]).toEqual([name, 0]);
    }
  });

  it('is not returned again when the request is repeated with an idempotency key', async () => {
    const ask = () => create(ann, { name: 'Import', scopes: ['*'] }).set('Idempotency-Key', 'once');
    expect((await ask().expect(201)).body.data.token).toMatch(/^wsk_/);
    expect((await ask().expect(201)).body.data.token).toBeNull();
  });

  it('is rejected with an error for each invalid field', async () => {
    const { body } = await create(ann, { scopes: ['tasks:fly'], allowed_networks: ['10.0.0.0/8'] }).expect(400);
    expect(body.error.details.fields.map(({ field }: { field: string }) => field).sort()).toEqual(['name', 'scopes.0']);
    const shape = { name: 'A', scopes: ['*'] };
    const ids = { organization_id: `org_${'0'.repeat(32)}`, endeavour_id: `edv_${'0'.repeat(32)}` };
    const both = await create(ann, { ...shape, ...ids, allowed_networks: ['10.0.0.0/8', 'here'] }).expect(400);
    expect(both.body.error.details.fields).toMatchObject([{ field: 'allowed_networks.1' }, { field: 'endeavour_id' }]);
    for (const expires_at of ['2020-01-01T00:00:00Z', '2999-01-01T00:00:00Z']) {
      const { body: late } = await create(ann, { ...shape, expires_at }).expect(400);
      expect(late.error.details.fields).toMatchObject([{ field: 'expires_at', code: 'out_of_range' }]);
    }
    for (const [field, id] of Object.entries(ids)) {
      const { body: absent } = await create(ann, { ...shape, [field]: id }).expect(400);
      expect(absent.error.details.fields).toMatchObject([{ field, code: 'reference_not_found' }]);
    }
  });

  it('acts as its user in every operation that its scopes allow', async () => {
    const garden = await app.endeavour(ann);
    const reader = await tokenOf(app, ann, { scopes: ['tasks:read'] });
    const writer = await tokenOf(app, ann, { scopes: ['tasks:write'] });
    const all = await tokenOf(app, ann, { scopes: ['*:read'] });
    const task = await app.task(writer, garden);
    await app.as(reader).get(`/tasks/${task}`).expect(200);
    await app.as(all).get(`/tasks/${task}`).expect(200);
    await app.as(all).get('/demands').expect(200);
    const refused = await app.as(reader).patch(`/tasks/${task}`).send({ title: 'No' }).expect(403);
    expect(detailsOf(refused)).toMatchObject({ reason: 'scope_required', required_scope: 'tasks:write' });
    expect(detailsOf(await app.as(all).patch(`/tasks/${task}`).send({}).expect(403)).required_scope).toBe(
      'tasks:write',
    );
    expect(detailsOf(await app.as(writer).get(`/tasks/${task}`).expect(403)).required_scope).toBe('tasks:read');
    expect(detailsOf(await app.as(writer).get('/demands').expect(403)).required_scope).toBe('demands:read');
    const { body } = await app.as(reader).get('/auth/whoami').expect(200);
    expect(body.data.user_id).toBe(ann.id);
  });

  it('cannot call operations that require a session, regardless of its scopes', async () => {
    const [organization, ben] = [await app.organization(ann), await app.person('Ben')];
    await app.join(organization, ben, 'member');
    const robot = await tokenOf(app, ann);
    const asked = [
      app.as(robot).get('/auth/tokens'),
      app
        .as(robot)
        .post('/auth/tokens')
        .send({ name: 'More', scopes: ['*'] }),
      app.as(robot).get('/auth/sessions'),
      app.as(robot).patch('/auth/profile').send({ name: 'Bot' }),
      app.as(robot).post('/auth/logout'),
      app.as(robot).get('/auth/my-data'),
      app.as(robot).patch(`/organizations/${organization}/members/${ben.id}`).send({ role: 'admin' }),
      app.as(robot).post('/invitations').send({ organization_id: organization }),
      app.as(robot).delete(`/organizations/${organization}?confirm=Riverside`),
    ];
    for (const test of asked) expect(detailsOf(await test.expect(403)).reason).toBe('session_required');
  });

  it('of an administrator cannot make a user an administrator or change an email address', async () => {
    const [ada, ben] = [await app.admin(), await app.person('Ben')];
    const robot = await tokenOf(app, ada);
    await app.as(robot).patch(`/users/${ben.id}`).send({ name: 'Benjamin' }).expect(200);
    for (const body of [{ is_admin: true }, { email: 'thief@example.test' }]) {
      const refused = await app.as(robot).patch(`/users/${ben.id}`).send(body).expect(403);
      expect(detailsOf(refused).reason).toBe('session_required');
    }
  });

  it('never has more rights than its user has at that moment', async () => {
    const owner = await app.person('Owner');
    const garden = await app.endeavour(owner);
    await app.join(garden, ann, 'member');
    const robot = await tokenOf(app, ann);
    const task = await app.task(robot, garden);
    await app.as(owner).patch(`/endeavours/${garden}/members/${ann.id}`).send({ role: 'viewer' }).expect(200);
    await app.as(robot).patch(`/tasks/${task}`).send({ title: 'Later' }).expect(403);
    await app.as(owner).delete(`/endeavours/${garden}/members/${ann.id}`).expect(200);
    await app.as(robot).get(`/tasks/${task}`).expect(404);
  });

  it.each([
    [
      'has expired',
      (id: string) => app.database.query(`UPDATE access_tokens SET expires_at = now() WHERE id = $1`, [id]),
    ],
    ['is deleted', (id: string) => app.as(ann).delete(`/auth/tokens/${id}`).expect(200)],
  ])('is rejected once it %s', async (_, end) => {
    const robot = await tokenOf(app, ann);
    await end(robot.tokenId);
    await app.as(robot).get('/auth/whoami').expect(401);
    const { status } = await app.as(ann).post(`/auth/tokens/${robot.tokenId}/rotate`);
    expect([404, 409]).toContain(status);
  });

  it('ends when its user is suspended or resets the password, and pauses while the user is inactive', async () => {
    const ada = await app.admin();
    const robot = await tokenOf(app, ann);
    await app.as(ada).patch(`/users/${ann.id}`).send({ status: 'inactive' }).expect(200);
    await app.as(robot).get('/auth/whoami').expect(401);
    await app.as(ada).patch(`/users/${ann.id}`).send({ status: 'active' }).expect(200);
    await app.as(robot).get('/auth/whoami').expect(200);
    await app.as(ada).patch(`/users/${ann.id}`).send({ status: 'suspended' }).expect(200);
    await app.as(ada).patch(`/users/${ann.id}`).send({ status: 'active' }).expect(200);
    await app.as(robot).get('/auth/whoami').expect(401);

    const ben = await app.person('Ben');
    const other = await tokenOf(app, ben);
    await app.as(null).post('/auth/forgot-password').send({ email: ben.email }).expect(200);
    const [{ code }] = await app.mail(ben.email);
    const reset = { email: ben.email, code, new_password: `${PASSWORD} new` };
    await app.as(null).post('/auth/reset-password').send(reset).expect(200);
    await app.as(other).get('/auth/whoami').expect(401);
  });

  it('can be rotated; the old secret stays valid for the requested overlap', async () => {
    const robot = await tokenOf(app, ann);
    const rotate = async (body?: object): Promise<Person> => {
      const call = app.as(ann).post(`/auth/tokens/${robot.tokenId}/rotate`);
      const response = await (body === undefined ? call : call.send(body)).expect(200);
      return { ...ann, token: response.body.data.token };
    };
    const second = await rotate({ overlap: 3600 });
    for (const each of [robot, second]) await app.as(each).get('/auth/whoami').expect(200);
    const third = await rotate({ overlap: 3600 });
    await app.as(robot).get('/auth/whoami').expect(401);
    await app.database.query(`UPDATE access_token_secrets SET expires_at = now() WHERE expires_at IS NOT NULL`);
    await app.as(second).get('/auth/whoami').expect(401);
    const fourth = await rotate();
    await app.as(third).get('/auth/whoami').expect(401);
    await app.as(fourth).get('/auth/whoami').expect(200);
    await app.as(ann).post(`/auth/tokens/${robot.tokenId}/rotate`).send({ overlap: 86_401 }).expect(400);
  });

  it('gets a new revision when renamed, and is invisible to other users', async () => {
    const robot = await tokenOf(app, ann);
    const path = `/auth/tokens/${robot.tokenId}`;
    const { body } = await app.as(ann).patch(path).send({ name: 'Nightly' }).expect(200);
    expect(body.data).toMatchObject({ name: 'Nightly', revision: 2 });
    await app.as(ann).patch(path).set('If-Match', '"1"').send({ name: 'Late' }).expect(412);
    await app.as(ann).delete(path).set('If-Match', '"1"').expect(412);
    await app.as(ann).post(`${path}/rotate`).set('If-Match', '"1"').expect(412);
    for (const other of [await app.person('Ben'), await app.admin()]) {
      await app.as(other).get(path).expect(404);
      await app.as(other).delete(path).expect(404);
      expect((await app.as(other).get('/auth/tokens').expect(200)).body.data).toEqual([]);
    }
  });

  it('counts toward a limit of 50 unexpired tokens', async () => {
    const sql = `WITH x AS (INSERT INTO entities (id, kind, title, owner_user_id)
        SELECT 'tok_' || lpad(n::text, 32, '0'), 'access_token', 'Access token', $1 FROM generate_series(1, 49) n RETURNING id)
      INSERT INTO access_tokens (id, user_id, made_by, name, scopes, expires_at)
      SELECT id, $1, $1, 'Robot', '{*}', now() + interval '1 day' FROM x`;
    await app.database.query(sql, [ann.id]);
    await create(ann, { name: 'Fiftieth', scopes: ['*'] }).expect(201);
    const refused = await create(ann, { name: 'Too many', scopes: ['*'] }).expect(409);
    expect(detailsOf(refused).reason).toBe('too_many_tokens');
    await app.database.query(`UPDATE access_tokens SET expires_at = now() WHERE id = 'tok_' || lpad('1', 32, '0')`);
    await create(ann, { name: 'Again', scopes: ['*'] }).expect(201);
  });

  it('is accepted from its allowed networks only', async () => {
    const here = await tokenOf(app, ann, { allowed_networks: ['127.0.0.0/8', '::1'] });
    await app.as(here).get('/auth/whoami').expect(200);
    const elsewhere = await tokenOf(app, ann, { allowed_networks: ['203.0.113.0/24'] });
    const refused = await app.as(elsewhere).get('/auth/whoami').expect(403);
    expect(detailsOf(refused).reason).toBe('network_not_allowed');
    await app.as(elsewhere).get('/auth/can?action=tasks_list').expect(403);
    const questions = [{ action: 'tasks_list' }];
    await app.as(elsewhere).post('/auth/can').send({ questions }).expect(403);
  });

  it('shows the time and address of its last use, to the minute', async () => {
    const robot = await tokenOf(app, ann);
    await app.as(robot).get('/auth/whoami').expect(200);
    const read = async () => (await app.as(ann).get(`/auth/tokens/${robot.tokenId}`).expect(200)).body.data;
    while ((await read()).last_used_at === null) await sleep(50);
    const { last_used_at, last_used_address, revision } = await read();
    expect(last_used_at).toMatch(/:00\.000Z$/);
    expect(last_used_address).toMatch(/127\.0\.0\.1$/);
    expect(revision).toBe(1);
  });

  it('is not accepted when altered or in the query string, and is never logged', async () => {
    const robot = await tokenOf(app, ann);
    const changed = `${robot.token.slice(0, -1)}${robot.token.endsWith('a') ? 'b' : 'a'}`;
    for (const token of [changed, robot.token.slice(0, -1), 'wsk_', robot.token.toUpperCase()]) {
      await app
        .as({ ...ann, token })
        .get('/auth/whoami')
        .expect(401);
    }
    await app.as(null).get(`/auth/whoami?access_token=${robot.token}`).expect(401);
    await app.as(robot).get(`/auth/whoami?access_token=${robot.token}`).expect(400);
    expect(await app.service.logOf(robot.token)).toEqual([]);
    expect((await app.service.logOf(robot.tokenId)).length).toBeGreaterThan(0);
  });
});
