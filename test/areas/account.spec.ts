import { NOTIFICATION_KINDS } from '../../src/common/notifications.js';
import { TestApp, type Person } from '../support/test-app.js';
import { PASSWORD, signUp } from '../support/sign-up.js';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.open({ LIMIT_REGISTER_PER_HOUR: '10000', LIMIT_CODES_PER_HOUR: '10000' });
});
afterAll(() => app.close());

const UNLIMITED = {
  max_orgs: -1,
  max_active_endeavours: -1,
  max_endeavours_per_org: -1,
  max_agents_per_org: -1,
  max_teams_per_org: -1,
  max_creations_per_hour: -1,
};

const ask = (token: string, body: object) =>
  app
    .as({ token } as Person)
    .post('/auth/email/change')
    .send(body);
const verify = (token: string, code?: string) =>
  app
    .as({ token } as Person)
    .post('/auth/email/verify')
    .send({ code });

const pending = async (token: string) =>
  (
    await app
      .as({ token } as Person)
      .get('/auth/email/pending')
      .expect(200)
  ).body.data;

describe('whoami', () => {
  it('returns the profile, the limits and usage of the tier, and the roles', async () => {
    const [ann, ben] = [await app.person('Ann', { lang: 'de' }), await app.person('Ben')];
    const [own, other] = [await app.endeavour(ann), await app.endeavour(ben)];
    const riverside = await app.organization(ben);
    await app.join(riverside, ann, 'guest');
    await app.link(riverside, other);
    const { body, headers } = await app.as(ann).get('/auth/whoami').expect(200);
    expect(body.data).toEqual({
      profile_complete: true,
      user_id: ann.id,
      name: 'Ann',
      email: ann.email,
      status: 'active',
      user_type: 'human',
      lang: 'de',
      timezone: 'UTC',
      email_copy: false,
      notify: Object.fromEntries(NOTIFICATION_KINDS.map((kind) => [kind, 'inbox'])),
      is_admin: false,
      resource_id: ann.resourceId,
      login_count: 0,
      last_active_at: null,
      created_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      tier: 3,
      tier_name: 'enterprise',
      tier_limits: UNLIMITED,
      tier_usage: {
        orgs: 0,
        active_endeavours: 1,
        endeavours_per_org: 0,
        agents_per_org: 0,
        teams_per_org: 0,
        creations_per_hour: 1,
      },
      organizations: { [riverside]: 'guest' },
      endeavours: { [own]: 'owner', [other]: 'viewer' },
    });
    expect(headers.ratelimit).toMatch(/^"reads";r=\d+;t=\d+$/);
    expect(headers['ratelimit-policy']).toBe('"reads";q=6000;w=60');
  });

  it('requires a token', async () => {
    const { headers } = await app.as(null).get('/auth/whoami').expect(401);
    expect(headers['www-authenticate']).toMatch(/^Bearer realm="worksmith"/);
  });
});

describe('the profile', () => {
  it('can be changed, with the same response as whoami', async () => {
    const pia = await app.person('Pia');
    const change = { name: ' Pia Pond ', lang: 'pt-BR', timezone: 'America/Lima', email_copy: true };
    const { body } = await app.as(pia).patch('/auth/profile').send(change).expect(200);
    expect(body.data).toMatchObject({ ...change, name: 'Pia Pond' });
    const { body: whoami } = await app.as(pia).get('/auth/whoami').expect(200);
    expect(whoami).toEqual(body);
    const names = await app.database.query('SELECT name FROM resources WHERE id = $1', [pia.resourceId]);
    expect(names).toEqual([{ name: 'Pia Pond' }]);
  });

  it('rejects read-only fields, and invalid languages and time zones', async () => {
    const pia = await app.person('Pia');
    const { body } = await app
      .as(pia)
      .patch('/auth/profile')
      .send({ name: '', lang: 'not a language', timezone: 'Mars/Olympus', tier: 1, nick: 'P' })
      .expect(400);
    expect(body.error.details.fields.map(({ field, code }: { field: string; code: string }) => [field, code])).toEqual([
      ['name', 'too_short'],
      ['lang', 'invalid_format'],
      ['timezone', 'invalid_format'],
      ['tier', 'read_only'],
      ['nick', 'unknown_field'],
    ]);
    await app.as(null).patch('/auth/profile').send({ name: 'Pat' }).expect(401);
  });

  it('keeps its revision when a request changes nothing', async () => {
    const pia = await app.person('Pia');
    await app.as(pia).patch('/auth/profile').send({}).expect(200);
    await app.as(pia).patch('/auth/profile').send({ name: 'Pia' }).expect(200);
    const rows = await app.database.query('SELECT revision FROM users WHERE id = $1', [pia.id]);
    expect(rows).toEqual([{ revision: 1 }]);
  });
});

describe('changing the e-mail address', () => {
  it('requires the password and a code from the new address, and notifies the old one', async () => {
    const { token, email } = await signUp(app, 'Eli');
    const body = { new_email: 'Eli.New@example.test', current_password: PASSWORD };
    const { body: asked } = await ask(token, body).expect(200);
    expect(asked.data).toMatchObject({ status: 'pending_verification', email: 'eli.new@example.test' });
    const [{ code }] = await app.mail('eli.new@example.test');
    expect((await pending(token)).new_email).toBe('eli.new@example.test');

    await verify(token, '000-000-000').expect(400);
    const { body: changed } = await verify(token, code).expect(200);
    expect(changed.data.email).toBe('eli.new@example.test');
    expect(await pending(token)).toEqual({ pending: false, new_email: null, expires_at: null });
    const [notice] = await app.mail(email);
    expect(notice.text).toContain('eli.new@example.test');
    await app.as(null).post('/auth/login').send({ email, password: PASSWORD }).expect(401);
    const login = { email: 'eli.new@example.test', password: PASSWORD };
    await app.as(null).post('/auth/login').send(login).expect(200);
    const { body: used } = await verify(token, code).expect(400);
    expect(used.error.code).toBe('verification_failed');
  });

  it('rejects a wrong password and a taken address, even one that is taken before verification', async () => {
    const { token } = await signUp(app, 'Fin');
    const taken = await app.person('Gil');
    const wrong = { new_email: 'fin.new@example.test', current_password: 'not the right one' };
    expect((await ask(token, wrong).expect(400)).body.error.code).toBe('invalid_password');
    const clash = { new_email: taken.email, current_password: PASSWORD };
    expect((await ask(token, clash).expect(409)).body.error.details).toEqual({ reason: 'email_taken' });

    await ask(token, { ...wrong, current_password: PASSWORD }).expect(200);
    const [{ code }] = await app.mail('fin.new@example.test');
    await app.person('Faster', { email: 'fin.new@example.test' });
    expect((await verify(token, code).expect(409)).body.error.details).toEqual({ reason: 'email_taken' });
  });

  it('can be canceled, which invalidates the code and drops a mail that is not yet sent', async () => {
    const { token } = await signUp(app, 'Gus');
    const cancel = () =>
      app
        .as({ token } as Person)
        .post('/auth/email/cancel')
        .expect(200);
    await ask(token, { new_email: 'gus.one@example.test', current_password: PASSWORD }).expect(200);
    const [{ code }] = await app.mail('gus.one@example.test');
    expect((await cancel()).body).toEqual({ data: { status: 'canceled' } });
    await verify(token, code).expect(400);
    await ask(token, { new_email: 'gus.two@example.test', current_password: PASSWORD }).expect(200);
    expect(await pending(token)).toEqual({
      pending: true,
      new_email: 'gus.two@example.test',
      expires_at: expect.stringMatching(/Z$/),
    });
    await cancel();
    expect(await app.mail('gus.two@example.test')).toEqual([]);
    expect(await pending(token)).toEqual({ pending: false, new_email: null, expires_at: null });
  });

  it('invalidates the code of an earlier request, and accepts a code from its own user only', async () => {
    const [hue, ike] = [await signUp(app, 'Hue'), await signUp(app, 'Ike')];
    await ask(hue.token, { new_email: 'hue.one@example.test', current_password: PASSWORD }).expect(200);
    const [{ code: first }] = await app.mail('hue.one@example.test');
    await ask(hue.token, { new_email: 'hue.two@example.test', current_password: PASSWORD }).expect(200);
    const [{ code: second }] = await app.mail('hue.two@example.test');
    await verify(ike.token, second).expect(400);
    await verify(hue.token, first).expect(400);
    await verify(hue.token, second).expect(200);
  });
});
