import { PASSWORD } from '../support/sign-up.js';
import { TestApp, type Person } from '../support/test-app.js';
import { tokenOf } from '../support/tokens.js';

/** What somebody still holds after a dismissal, a new password or a closed account. */
describe('after', () => {
  let app: TestApp;
  let ada: Person;
  let [ann, mia]: Person[] = [];
  let [organization, garden]: string[] = [];

  beforeAll(async () => {
    app = await TestApp.open({ LIMIT_WRITES_PER_MINUTE: '100000' });
    ada = await app.admin();
  });
  afterAll(() => app.close());

  beforeEach(async () => {
    ann = await app.person('Ann');
    mia = await app.person('Mia', { passwordHash: await app.service.hashPassword(PASSWORD) });
    organization = await app.organization(ann);
    await app.join(organization, mia, 'admin');
    garden = await app.endeavour(ann, { organization_id: organization });
  });

  /** Tokens of Mia: her own, a restricted one, one for her agent, and one for the agent of Ann. */
  const tokens = async (): Promise<Person[]> => {
    const agents = [];
    for (const manager of [mia, ann]) {
      const made = await app
        .as(manager)
        .post('/agents')
        .send({ name: 'Bot', organization_id: organization })
        .expect(201);
      const sent = { name: 'Main', scopes: ['*'] };
      const token = await app.as(mia).post(`/agents/${made.body.data.id}/tokens`).send(sent).expect(201);
      agents.push({ ...mia, token: token.body.data.token });
    }
    return [await tokenOf(app, mia), await tokenOf(app, mia, { organization_id: organization }), ...agents];
  };
  const answersTo = async (held: readonly Person[]): Promise<number[]> => {
    const statuses = [];
    for (const person of held) statuses.push((await app.as(person).get('/auth/whoami')).status);
    return statuses;
  };
  const signIn = (password: string) => app.as(null).post('/auth/login').send({ email: mia.email, password });

  it('a change of the password, no access token works that the account created before', async () => {
    const held = await tokens();
    expect(await answersTo(held)).toEqual([200, 200, 200, 200]);
    const change = { current_password: PASSWORD, new_password: 'an entirely new one' };
    await app.as(mia).post('/auth/change-password').send(change).expect(200);
    expect(await answersTo(held)).toEqual([401, 401, 401, 401]);
    expect(await answersTo([mia])).toEqual([200]);
    expect(await answersTo([await tokenOf(app, mia)])).toEqual([200]);
    const { body } = await app.as(ann).get(`/audit?organization_id=${organization}&action=access_token.deleted`);
    expect(body.data).toHaveLength(2);
  });

  it('the account is closed and reopened, its access tokens do not work again', async () => {
    const held = await tokens();
    await app.as(mia).post('/auth/delete-account').send({ current_password: PASSWORD }).expect(200);
    expect(await answersTo(held)).toEqual([401, 401, 401, 401]);
    await signIn(PASSWORD).expect(200);
    expect(await answersTo(held)).toEqual([401, 401, 401, 401]);
  });

  it('an administrator closes and reopens the account, its access tokens do not work again', async () => {
    const held = await tokens();
    await app.as(ada).delete(`/users/${mia.id}`).expect(200);
    await app.as(ada).patch(`/users/${mia.id}`).send({ status: 'active' }).expect(200);
    expect(await answersTo(held)).toEqual([401, 401, 401, 401]);
  });

  it.each([
    ['is removed', () => app.as(ann).delete(`/organizations/${organization}/members/${mia.id}`)],
    [
      'is demoted',
      () => app.as(ann).patch(`/organizations/${organization}/members/${mia.id}`).send({ role: 'member' }),
    ],
  ])('an admin %s, her personal policy no longer changes what binds the endeavour', async (_, dismiss) => {
    const policy = {
      name: 'Mine',
      description: 'Two reviews',
      container: 'personal',
      conditions: [{ type: 'peer_review' }],
    };
    const { body: made } = await app.as(mia).post('/dod-policies').send(policy).expect(201);
    const { id } = made.data;
    await app.as(mia).post(`/endeavours/${garden}/dod-policy`).send({ policy_id: id }).expect(200);
    const own = await app.endeavour(mia);
    await app.as(mia).post(`/endeavours/${own}/dod-policy`).send({ policy_id: id }).expect(200);
    await app.as(ann).post('/dod-endorsements').send({ endeavour_id: garden }).expect(201);
    await dismiss().expect(200);
    await app.as(mia).patch(`/dod-policies/${id}`).send({ name: 'Anything goes', status: 'archived' }).expect(200);
    const inForce = async (endeavour: string, by: Person) =>
      (await app.as(by).get(`/endeavours/${endeavour}`).expect(200)).body.data.dod_policy_id;
    const copy = await inForce(garden, ann);
    expect(copy).not.toBe(id);
    expect(await inForce(own, mia)).toBe(id);
    const { body } = await app.as(ann).get(`/dod-policies/${copy}`).expect(200);
    const { name, description, conditions } = made.data;
    expect(body.data).toMatchObject({ name, description, conditions, status: 'active', origin: 'fork' });
    expect(body.data).toMatchObject({ container: 'endeavour', endeavour_id: garden });
    const endorsed = `dod_endorsements WHERE policy_id = '${copy}' AND status = 'active'`;
    expect(await app.count(endorsed)).toBe(1);
    const refused = await app.as(mia).patch(`/dod-policies/${copy}`).send({ name: 'Mine' });
    expect([403, 404]).toContain(refused.status);
  });
});
