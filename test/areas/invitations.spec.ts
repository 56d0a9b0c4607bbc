import { TestApp, type Person } from '../support/test-app.js';
import { race } from '../support/races.js';
import { PASSWORD } from '../support/sign-up.js';

let app: TestApp;
let olga: Person;
let ada: Person;
let riverside: string;
let garden: string;

beforeAll(async () => {
  app = await TestApp.open({ LIMIT_REGISTER_PER_HOUR: '10000' });
  [olga, ada] = [await app.person('Olga'), await app.admin()];
  riverside = await app.organization(olga);
  garden = await app.endeavour(olga);
});
afterAll(() => app.close());

const invite = (person: Person, body: object) => app.as(person).post('/invitations').send(body);
const accept = (person: Person, token: string) => app.as(person).post('/invitations/accept').send({ token });
const tokenFor = async (person: Person, body: object): Promise<string> =>
  (await invite(person, body).expect(201)).body.data.token;

const rolesOf = async (person: Person) => {
  const { body } = await app.as(person).get('/auth/whoami').expect(200);
  return { organizations: body.data.organizations, endeavours: body.data.endeavours };
};

async function enter(email: string, invitation_token?: string): Promise<Person> {
  const registration = { email, name: 'Newcomer', password: PASSWORD, invitation_token };
  await app.as(null).post('/auth/register').send(registration).expect(201);
  const [{ code }] = await app.mail(email);
  const { body } = await app.as(null).post('/auth/verify').send({ email, code }).expect(200);
  return { ...body.data, id: body.data.user_id };
}

describe('inviting', () => {
  it('shows the token once, and keeps only its hash', async () => {
    const response = await invite(olga, { organization_id: riverside, role: 'admin', max_uses: 3 }).expect(201);
    const { token, ...shown } = response.body.data;
    expect(token).toMatch(/^[\w-]{22}$/);
    expect(shown).toMatchObject({
      email: null,
      organization_id: riverside,
      organization_name: 'Riverside',
      role: 'admin',
      endeavour_id: null,
      endeavour_role: null,
      max_uses: 3,
      uses: 0,
      invited_by: olga.id,
      revision: 1,
    });
    const days = (Date.parse(shown.expires_at) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(7);
    expect(response.headers['cache-control']).toBe('no-store');
    const kept = await app.database.query('SELECT * FROM invitations WHERE id = $1', [shown.id]);
    expect(JSON.stringify(kept)).not.toContain(token);
    const { body: list } = await app.as(olga).get('/invitations').expect(200);
    expect(list.data).toEqual([shown]);
    await app.as(olga).delete(`/invitations/${shown.id}`).expect(200);
  });

  it('does not return the token again for a repeated request', async () => {
    const sent = { organization_id: riverside, role: 'member' };
    const ask = () => invite(olga, sent).set('Idempotency-Key', 'invite-once').expect(201);
    const { token, ...shown } = (await ask()).body.data;
    expect(token).toMatch(/^[\w-]{22}$/);
    expect((await ask()).body.data).toEqual({ ...shown, token: null });
    const kept = await app.database.query('SELECT body FROM idempotency_keys');
    expect(JSON.stringify(kept)).not.toContain(token);
    await app.as(olga).delete(`/invitations/${shown.id}`).expect(200);
  });

  it('mails the token to an address without returning it, and accepts it only from that address', async () => {
    const { body } = await invite(olga, { email: 'Guest@example.test', endeavour_id: garden }).expect(201);
    expect(body.data).toMatchObject({ token: null, email: 'guest@example.test', endeavour_role: 'member' });
    const [mail] = await app.mail('guest@example.test');
    expect(mail.subject).toBe('Olga invites you to Garden');
    const token = /^[\w-]{22}$/m.exec(mail.text)?.[0] ?? '';
    await accept(await app.person('Thief'), token).expect(400);
    const guest = await enter('guest@example.test', token);
    expect((await rolesOf(guest)).endeavours).toEqual({ [garden]: 'member' });
  });

  it('requires the right to grant the role', async () => {
    const [member, admin, outsider] = [await app.person('Mia'), await app.person('Abe'), await app.person('Out')];
    await app.join(riverside, member, 'member');
    await app.join(riverside, admin, 'admin');
    await invite(member, { organization_id: riverside }).expect(403);
    await invite(admin, { organization_id: riverside, role: 'owner' }).expect(403);
    await invite(admin, { organization_id: riverside, role: 'admin' }).expect(201);
    const { body } = await invite(outsider, { organization_id: riverside }).expect(400);
    expect(body.error.details.fields[0]).toMatchObject({ field: 'organization_id', code: 'reference_not_found' });
    await invite(admin, { organization_id: riverside, endeavour_id: garden }).expect(400);
    await invite(outsider, {}).expect(403);
    await invite(ada, {}).expect(201);
    await app.as(null).post('/invitations').send({}).expect(401);
  });

  it.each([
    ['more uses for one address', { email: 'a@example.test', max_uses: 2 }, 'max_uses'],
    ['an expiry in the past', { expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
    ['a role without an organization', { role: 'member' }, 'organization_id'],
    ['an endeavour role without an endeavour', { endeavour_role: 'member' }, 'endeavour_id'],
    ['an unknown role', { role: 'king' }, 'role'],
  ])('rejects %s', async (_, body, field) => {
    const { body: response } = await invite(ada, body).expect(400);
    expect(response.error.details.fields.map((fault: { field: string }) => fault.field)).toEqual([field]);
  });

  it('shows each invitation to users who can invite there', async () => {
    const [boss, other] = [await app.person('Boss'), await app.person('Other')];
    const shop = await app.organization(boss);
    const { body } = await invite(boss, { organization_id: shop }).expect(201);
    const ids = async (person: Person, query = '') =>
      (await app.as(person).get(`/invitations?organization_id=${shop}${query}`).expect(200)).body.data.map(
        ({ id }: Person) => id,
      );
    await app.join(shop, other, 'member');
    expect(await ids(boss)).toEqual([body.data.id]);
    expect(await ids(ada)).toEqual([body.data.id]);
    expect(await ids(other)).toEqual([]);
    expect(await ids(ada, '&mine=true')).toEqual([]);
    await app.as(other).delete(`/invitations/${body.data.id}`).expect(404);
    const gone = await app.as(boss).delete(`/invitations/${body.data.id}`).expect(200);
    expect(gone.body).toEqual({ data: { id: body.data.id, deleted: true } });
    expect(await ids(boss)).toEqual([]);
    await app.as(boss).delete(`/invitations/${body.data.id}`).expect(404);
    await accept(other, body.data.token).expect(400);
  });
});

describe('accepting', () => {
  it('grants both roles at once, and never lowers a higher role', async () => {
    const token = await tokenFor(olga, {
      organization_id: riverside,
      role: 'guest',
      endeavour_id: garden,
      endeavour_role: 'viewer',
      max_uses: 2,
    });
    const [new_, old] = [await app.person('New'), await app.person('Old')];
    await app.join(riverside, old, 'admin');
    const { body } = await accept(new_, ` ${token} `).expect(200);
    expect(body.data).toEqual({
      organization_id: riverside,
      role: 'guest',
      endeavour_id: garden,
      endeavour_role: 'viewer',
    });
    expect(await rolesOf(new_)).toEqual({
      organizations: { [riverside]: 'guest' },
      endeavours: { [garden]: 'viewer' },
    });
    expect((await accept(old, token).expect(200)).body.data).toMatchObject({ role: 'admin', endeavour_role: 'viewer' });
  });

  race('succeeds max_uses times, even if more users accept at the same time', 2, async () => {
    const token = await tokenFor(olga, { organization_id: riverside, max_uses: 3 });
    const people = await Promise.all(Array.from({ length: 12 }, (_, index) => app.person(`Racer ${index}`)));
    const responses = await Promise.all(people.map((person) => accept(person, token)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(3);
    const refusals = responses.filter(({ status }) => status === 400);
    expect(refusals.map(({ body }) => body.error.code)).toEqual(Array(9).fill('invalid_token'));
    const joined = await app.database.query('SELECT 1 FROM organization_resources WHERE user_id = ANY($1)', [
      people.map(({ id }) => id),
    ]);
    expect(joined).toHaveLength(3);
  });

  it.each([
    [
      'has expired',
      (id: string) => app.database.query(`UPDATE invitations SET expires_at = now() WHERE id = $1`, [id]),
    ],
    [
      'was made by a user who is no longer an admin',
      (_: string, boss: Person) =>
        app.database.query(`UPDATE organization_resources SET role = 'member' WHERE user_id = $1`, [boss.id]),
    ],
    [
      'was made by a user who is suspended',
      (_: string, boss: Person) => app.database.query(`UPDATE users SET status = 'suspended' WHERE id = $1`, [boss.id]),
    ],
    [
      'belongs to an archived organization',
      (_: string, boss: Person) =>
        app.database.query(`UPDATE organizations SET status = 'archived' WHERE created_by = $1`, [boss.resourceId]),
    ],
  ])('rejects an invitation that %s', async (_, invalidate) => {
    const [boss, joiner] = [await app.person('Boss'), await app.person('Joiner')];
    const shop = await app.organization(boss);
    const { body } = await invite(boss, { organization_id: shop }).expect(201);
    await invalidate(body.data.id, boss);
    const response = await accept(joiner, body.data.token).expect(400);
    expect(response.body.error.code).toBe('invalid_token');
    expect((await rolesOf(joiner)).organizations).toEqual({});
  });
});

describe('signing up with an invitation', () => {
  it('rejects an invalid token', async () => {
    const body = { email: 'bad@example.test', name: 'Bad', password: PASSWORD, invitation_token: 'made-up' };
    const { body: response } = await app.as(null).post('/auth/register').send(body).expect(400);
    expect(response.error.code).toBe('invalid_token');
  });

  it('grants the roles at verification, or none if the invitation is used up by then', async () => {
    const token = await tokenFor(olga, { organization_id: riverside, role: 'member' });
    const registration = { name: 'Late', password: PASSWORD, invitation_token: token };
    await app
      .as(null)
      .post('/auth/register')
      .send({ ...registration, email: 'late@example.test' })
      .expect(201);
    const first = await enter('first@example.test', token);
    expect((await rolesOf(first)).organizations).toEqual({ [riverside]: 'member' });
    const [{ code }] = await app.mail('late@example.test');
    const { body } = await app.as(null).post('/auth/verify').send({ email: 'late@example.test', code }).expect(200);
    expect((await rolesOf(body.data)).organizations).toEqual({});
  });

  it('is the only way to register if self-registration is disabled', async () => {
    const closed = await TestApp.open({ SELF_REGISTRATION: 'false' });
    const admin = await closed.admin();
    const registration = { email: 'new@example.test', name: 'New', password: PASSWORD };
    const register = (body: object) => closed.as(null).post('/auth/register').send(body);
    const { body } = await register(registration).expect(403);
    expect(body.error.code).toBe('self_registration_disabled');

    const { body: invited } = await closed.as(admin).post('/invitations').send({}).expect(201);
    await register({ ...registration, invitation_token: invited.data.token }).expect(201);
    const [{ code }] = await closed.mail('new@example.test');
    await closed.as(admin).delete(`/invitations/${invited.data.id}`).expect(200);
    await closed.as(null).post('/auth/verify').send({ email: 'new@example.test', code }).expect(400);
    await closed.close();
  });
});
