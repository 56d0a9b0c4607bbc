import { TestApp, type Person } from '../support/test-app.js';
import { race } from '../support/races.js';
import { PASSWORD, signUp } from '../support/sign-up.js';

let app: TestApp;
let ada: Person;

beforeAll(async () => {
  app = await TestApp.open({ LIMIT_REGISTER_PER_HOUR: '10000', LIMIT_LOGIN_PER_MINUTE: '10000' });
  ada = await app.admin();
});
afterAll(() => app.close());

const login = (email: string, password: string) => app.as(null).post('/auth/login').send({ email, password });
const patch = (person: Person, id: string, body: object) => app.as(person).patch(`/users/${id}`).send(body);
const add = (person: Person, id: string, body: object) => app.as(person).post(`/users/${id}/endeavours`).send(body);

describe('the list of users', () => {
  it('is available to administrators only, and contains exactly the requested users', async () => {
    const [ken, kim] = [await app.person('Kenneth Qu'), await app.person('Kim Qu', { userType: 'agent' })];
    const ids = async (query: string) => {
      const { body } = await app.as(ada).get(`/users?${query}`).expect(200);
      return body.data.map(({ id }: Person) => id);
    };
    expect(await ids('search=qu&sort=name')).toEqual([ken.id, kim.id]);
    expect(await ids('search=qu&sort=-name')).toEqual([kim.id, ken.id]);
    expect(await ids('search=qu&user_type=agent')).toEqual([kim.id]);
    expect(await ids('search=qu&status=inactive,suspended')).toEqual([]);
    expect(await ids('mine=true')).toEqual([ada.id]);
    expect(await ids(`search=${ken.email}`)).toEqual([ken.id]);
    await app.as(ada).get('/users?status=asleep').expect(400);
    const { body } = await app.as(ken).get('/users').expect(403);
    expect(body.error).toMatchObject({ code: 'forbidden', details: { required: 'an administrator' } });
    await app.as(null).get('/users').expect(401);
  });
});

describe('creating a user', () => {
  it('creates the user and their resource', async () => {
    const sent = {
      name: 'Nia',
      email: 'Nia@Example.test',
      password: PASSWORD,
      user_type: 'agent',
      lang: 'de',
      timezone: 'Europe/Berlin',
      tier: 2,
      external_id: 'n-1',
      metadata: { desk: 4 },
    };
    const response = await app.as(ada).post('/users').send(sent).expect(201);
    const { data } = response.body;
    const { password: _password, ...kept } = sent;
    expect(data).toMatchObject({ ...kept, email: 'nia@example.test', status: 'active', is_admin: false, revision: 1 });
    expect(data).toMatchObject({ tier_name: 'professional', login_count: 0, last_active_at: null, email_copy: false });
    expect(response.headers.location).toBe(`/api/v1/users/${data.id}`);
    const [resource] = await app.database.query('SELECT name, type, user_id FROM resources WHERE id = $1', [
      data.resource_id,
    ]);
    expect(resource).toEqual({ name: 'Nia', type: 'agent', user_id: data.id });
    await login('nia@example.test', PASSWORD).expect(200);
  });

  it('mails a code to users without a password', async () => {
    await app.as(ada).post('/users').send({ name: 'Moe', email: 'moe@example.test', lang: 'fr' }).expect(201);
    await login('moe@example.test', '').expect(401);
    const [{ code }] = await app.mail('moe@example.test');
    const body = { email: 'moe@example.test', code, new_password: PASSWORD };
    await app.as(null).post('/auth/reset-password').send(body).expect(200);
    await login('moe@example.test', PASSWORD).expect(200);
  });

  it('rejects a taken address, invalid fields and callers who are not administrators', async () => {
    const ann = await app.person('Ann');
    const create = (person: Person | null, body: object) => app.as(person).post('/users').send(body);
    const { body: taken } = await create(ada, { name: 'Ann', email: ann.email }).expect(409);
    expect(taken.error.details).toEqual({ reason: 'email_taken' });
    const { body: bad } = await create(ada, { email: 'x', tier: 4, login_count: 3, password: 'short' }).expect(400);
    const codes = bad.error.details.fields.map(({ field, code }: { field: string; code: string }) => [field, code]);
    expect(codes).toEqual([
      ['name', 'required'],
      ['email', 'invalid_format'],
      ['password', 'too_short'],
      ['tier', 'out_of_range'],
      ['login_count', 'read_only'],
    ]);
    await create(ann, { name: 'Bob', email: 'bob@example.test' }).expect(403);
    await create(null, { name: 'Bob', email: 'bob@example.test' }).expect(401);
  });

  race('accepts one of several concurrent requests with the same email address', 3, async (round) => {
    const eve = { name: 'Eve', email: `eve${round}@example.test` };
    const responses = await Promise.all(Array.from({ length: 8 }, () => app.as(ada).post('/users').send(eve)));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
    for (const { body } of responses.filter(({ status }) => status === 409)) {
      expect(body.error.details).toEqual({ reason: 'email_taken' });
    }
  });
});

describe('reading a user', () => {
  it('returns all fields to the user and administrators, and a few to users who share a container', async () => {
    const [uma, vic, wes] = [await app.person('Uma'), await app.person('Vic'), await app.person('Wes')];
    const garden = await app.endeavour(uma);
    await app.join(garden, vic, 'viewer');
    const read = async (person: Person) => (await app.as(person).get(`/users/${uma.id}`).expect(200)).body.data;

    const own = await read(uma);
    expect(own).toMatchObject({ id: uma.id, email: uma.email, organizations: [], tier: 3, metadata: {} });
    expect(own.endeavours).toEqual([{ id: garden, name: 'Garden', role: 'owner' }]);
    expect(await read(ada)).toEqual(own);

    const seen = await read(vic);
    const { id, name, user_type, status, resource_id, ...rest } = seen;
    expect({ id, name, user_type, status, resource_id }).toEqual({
      id: uma.id,
      name: 'Uma',
      user_type: 'human',
      status: 'active',
      resource_id: uma.resourceId,
    });
    expect(Object.keys(seen).sort()).toEqual(Object.keys(own).sort());
    expect(new Set(Object.values(rest))).toEqual(new Set([null]));

    const hidden = await app.as(wes).get(`/users/${uma.id}`).expect(404);
    const absent = await app
      .as(wes)
      .get(`/users/usr_${'0'.repeat(32)}`)
      .expect(404);
    expect({ ...hidden.body.error, request_id: '' }).toEqual({ ...absent.body.error, request_id: '' });
    await app.as(wes).get('/users/unknown').expect(404);
  });
});

describe('changing a user', () => {
  it('lets people change their name, language, time zone and email copies, and renames their resource', async () => {
    const pia = await app.person('Pia');
    const body = { name: 'Pia Pond', lang: 'es', timezone: 'Asia/Tokyo', email_copy: true };
    const { body: response } = await patch(pia, pia.id, body).expect(200);
    expect(response.data).toMatchObject({ ...body, revision: 2 });
    const [resource] = await app.database.query('SELECT name, revision FROM resources WHERE id = $1', [pia.resourceId]);
    expect(resource).toEqual({ name: 'Pia Pond', revision: 2 });
    await patch(pia, pia.id, body).expect(200);
    const [again] = await app.database.query('SELECT revision FROM resources WHERE id = $1', [pia.resourceId]);
    expect(again).toEqual({ revision: 2 });
  });

  it.each([
    ['status', { status: 'inactive' }],
    ['user_type', { user_type: 'agent' }],
    ['tier', { tier: 1 }],
    ['is_admin', { is_admin: true }],
    ['external_id', { external_id: 'x' }],
    ['metadata', { metadata: {} }],
    ['email', { email: 'other@example.test' }],
  ])('lets only administrators change %s', async (_, body) => {
    const pat = await app.person('Pat');
    await patch(pat, pat.id, body).expect(403);
    await patch(ada, pat.id, body).expect(200);
  });

  it('keeps people from changing each other', async () => {
    const [uma, vic, wes] = [await app.person('Uma'), await app.person('Vic'), await app.person('Wes')];
    await app.join(await app.endeavour(uma), vic, 'owner');
    await patch(vic, uma.id, { name: 'Vic was here' }).expect(403);
    await patch(wes, uma.id, { name: 'Wes was here' }).expect(404);
    await patch(uma, uma.id, { revision: 4, nick: 'U' }).expect(400);
    await patch(uma, uma.id, { name: null }).expect(400);
  });

  it('honours If-Match', async () => {
    const pia = await app.person('Pia');
    await patch(pia, pia.id, { name: 'Pia II' }).set('If-Match', '"1"').expect(200);
    const { body } = await patch(pia, pia.id, { name: 'Pia III' }).set('If-Match', '"1"').expect(412);
    expect(body.error.details).toEqual({ current_revision: 2 });
  });

  it('merges metadata by key', async () => {
    const pia = await app.person('Pia', { metadata: { a: 1, b: { c: 2, d: 3 } } });
    const { body } = await patch(ada, pia.id, { metadata: { a: null, b: { d: 4 } } }).expect(200);
    expect(body.data.metadata).toEqual({ b: { c: 2, d: 4 } });
  });

  it('permanently ends all sessions of suspended or deactivated users', async () => {
    const { user_id, email, token } = await signUp(app, 'Sam');
    const sam = { token } as Person;
    await patch(ada, user_id, { status: 'suspended' }).expect(200);
    await app.as(sam).get('/auth/whoami').expect(401);
    await login(email, PASSWORD).expect(403);
    await patch(ada, user_id, { status: 'inactive' }).expect(200);
    await login(email, PASSWORD).expect(401);
    await patch(ada, user_id, { status: 'active' }).expect(200);
    await app.as(sam).get('/auth/whoami').expect(401);
    await login(email, PASSWORD).expect(200);
  });

  it('changes the email address and notifies the old one', async () => {
    const pia = await app.person('Pia');
    const { body } = await patch(ada, pia.id, { email: 'PIA.two@example.test' }).expect(200);
    expect(body.data.email).toBe('pia.two@example.test');
    const [mail] = await app.mail(pia.email);
    expect(mail.text).toContain('pia.two@example.test');
    const { body: taken } = await patch(ada, pia.id, { email: ada.email }).expect(409);
    expect(taken.error.details).toEqual({ reason: 'email_taken' });
  });

  it('changes the type of the resource when a user becomes an agent', async () => {
    const pia = await app.person('Pia');
    await patch(ada, pia.id, { user_type: 'agent' }).expect(200);
    const [resource] = await app.database.query('SELECT type FROM resources WHERE id = $1', [pia.resourceId]);
    expect(resource).toEqual({ type: 'agent' });
  });
});

describe('the last administrator', () => {
  it('can neither be demoted nor suspended nor deactivated', async () => {
    const alone = await TestApp.open();
    const admin = await alone.admin();
    for (const body of [{ is_admin: false }, { status: 'suspended' }, { status: 'inactive' }]) {
      const { body: response } = await alone.as(admin).patch(`/users/${admin.id}`).send(body).expect(409);
      expect(response.error.details).toEqual({ reason: 'last_admin' });
    }
    await alone.admin('Idle').then(({ id }) => alone.as(admin).patch(`/users/${id}`).send({ status: 'inactive' }));
    await alone.as(admin).patch(`/users/${admin.id}`).send({ is_admin: false }).expect(409);
    await alone.close();
  });

  race('remains when the last two demote and suspend each other at once', 5, async () => {
    await app.database.query('UPDATE users SET is_admin = false');
    const [one, two] = [await app.admin('One'), await app.admin('Two')];
    const responses = await Promise.all([
      app.as(one).patch(`/users/${two.id}`).send({ is_admin: false }),
      app.as(two).patch(`/users/${one.id}`).send({ status: 'suspended' }),
    ]);
    const left = await app.database.query(`SELECT id FROM users WHERE is_admin AND status = 'active'`);
    expect(left).toHaveLength(1);
    expect(responses.map(({ status }) => status)).toContain(200);
    await app.database.query('UPDATE users SET is_admin = true WHERE id = $1', [ada.id]);
  });
});

describe('adding a user to an endeavour', () => {
  it('gives the role, or changes that of a member', async () => {
    const [uma, vic] = [await app.person('Uma'), await app.person('Vic')];
    const [garden, yard] = [await app.endeavour(uma), await app.organization(uma)];
    await app.join(yard, vic, 'member');
    const { body } = await add(uma, vic.id, { endeavour_id: garden }).expect(200);
    expect(body.data).toEqual({ user_id: vic.id, endeavour_id: garden, role: 'member', stakeholder_roles: [] });
    const more = { endeavour_id: garden, role: 'admin', stakeholder_roles: ['product_owner'] };
    expect((await add(uma, vic.id, more).expect(200)).body.data).toEqual({ user_id: vic.id, ...more });
    const kept = await add(uma, vic.id, { endeavour_id: garden }).expect(200);
    expect(kept.body.data).toMatchObject({ role: 'admin', stakeholder_roles: ['product_owner'] });

    const events = await app.database.query(
      `SELECT type, previous, data->>'user_id' AS who FROM events WHERE entity_id = $1 AND type LIKE 'member.%' ORDER BY sequence`,
      [garden],
    );
    expect(events).toEqual([
      { type: 'member.added', previous: { role: null }, who: vic.id },
      { type: 'member.changed', previous: { role: 'member', stakeholder_roles: [] }, who: vic.id },
    ]);
  });

  it('enforces the rules of roles', async () => {
    const [uma, vic, wes] = [await app.person('Uma'), await app.person('Vic'), await app.person('Wes')];
    const garden = await app.endeavour(uma);
    await app.join(garden, vic, 'admin');
    await app.join(garden, wes, 'member');
    await add(vic, wes.id, { endeavour_id: garden, role: 'owner' }).expect(403);
    await add(vic, uma.id, { endeavour_id: garden, role: 'member' }).expect(403);
    await add(wes, vic.id, { endeavour_id: garden }).expect(403);
    const { body } = await add(uma, uma.id, { endeavour_id: garden, role: 'admin' }).expect(409);
    expect(body.error.details).toEqual({ reason: 'last_owner' });
    await add(uma, vic.id, { role: 'king' }).expect(400);
  });

  it('returns the same errors for invisible users and endeavours as for absent ones', async () => {
    const [uma, vic, wes] = [await app.person('Uma'), await app.person('Vic'), await app.person('Wes')];
    const [garden, foreign] = [await app.endeavour(uma), await app.endeavour(wes)];
    await app.join(garden, vic, 'viewer');
    await add(uma, wes.id, { endeavour_id: garden }).expect(404);
    const { body } = await add(uma, vic.id, { endeavour_id: foreign }).expect(400);
    expect(body.error.details.fields[0]).toMatchObject({ field: 'endeavour_id', code: 'reference_not_found' });
    await add(ada, wes.id, { endeavour_id: garden }).expect(200);
  });

  it('rejects an archived endeavour', async () => {
    const [uma, vic] = [await app.person('Uma'), await app.person('Vic')];
    const garden = await app.endeavour(uma);
    await app.join(garden, vic, 'viewer');
    await app.database.query(`UPDATE endeavours SET status = 'archived', archived_at = now() WHERE id = $1`, [garden]);
    const { body } = await add(uma, vic.id, { endeavour_id: garden, role: 'member' }).expect(409);
    expect(body.error.code).toBe('archived');
  });
});
