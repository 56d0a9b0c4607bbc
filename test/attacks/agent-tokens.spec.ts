import { TestApp, type Person } from '../support/test-app.js';

/** Admins of an organization create tokens for its agents; an agent can also have roles elsewhere, from its manager. */
describe('a token for an agent of another manager', () => {
  let app: TestApp;
  let [ann, mia]: Person[] = [];
  let [organization, inside, own, agent]: string[] = [];

  beforeAll(async () => {
    app = await TestApp.open({ LIMIT_WRITES_PER_MINUTE: '100000' });
    [ann, mia] = [await app.person('Ann'), await app.person('Mia')];
    organization = await app.organization(ann);
    await app.join(organization, mia, 'admin');
    [inside, own] = [await app.endeavour(ann, { organization_id: organization }), await app.endeavour(ann)];
    const made = await app.as(ann).post('/agents').send({ name: 'Mole', organization_id: organization }).expect(201);
    agent = made.body.data.id;
    await app.as(ann).post(`/endeavours/${own}/members`).send({ user_id: agent, role: 'member' }).expect(201);
  });
  afterAll(() => app.close());

  const tokenBy = async (person: Person, more: object = {}): Promise<Person & { tokenId: string }> => {
    const sent = { name: 'Main', scopes: ['*'], ...more };
    const { body } = await app.as(person).post(`/agents/${agent}/tokens`).send(sent).expect(201);
    return { ...person, token: body.data.token, tokenId: body.data.id };
  };
  const seen = async (token: Person): Promise<boolean[]> => {
    const responses = [];
    for (const id of [inside, own]) responses.push((await app.as(token).get(`/endeavours/${id}`)).status === 200);
    return responses;
  };

  it('is limited to the organization that its creator administers', async () => {
    expect(await seen(await tokenBy(ann))).toEqual([true, true]);
    expect(await seen(await tokenBy(mia))).toEqual([true, false]);
  });

  it('can be rotated by the manager, and not by another admin', async () => {
    const { tokenId } = await tokenBy(ann);
    await app.as(mia).post(`/auth/tokens/${tokenId}/rotate`).send({}).expect(404);
    const token = await tokenBy(mia);
    const { body } = await app.as(ann).post(`/auth/tokens/${token.tokenId}/rotate`).send({}).expect(200);
    expect(await seen({ ...token, token: body.data.token })).toEqual([true, true]);
  });

  it('does not give the holder of the old secret the rights of the user who rotates it', async () => {
    const { tokenId, token } = await tokenBy(mia);
    const rotate = (overlap: number) => app.as(ann).post(`/auth/tokens/${tokenId}/rotate`).send({ overlap });
    const { body } = await rotate(60).expect(400);
    expect(body.error.details.fields).toMatchObject([{ field: 'overlap', code: 'out_of_range' }]);
    const replaced = await rotate(0).expect(200);
    await app
      .as({ ...mia, token })
      .get('/auth/whoami')
      .expect(401);
    await app
      .as({ ...mia, token: replaced.body.data.token })
      .get('/auth/whoami')
      .expect(200);
    await rotate(60).expect(200);
  });

  it('can be read and deleted by its creator, and by no other admin', async () => {
    const [ada, ben] = [await app.admin(), await app.person('Ben')];
    await app.join(organization, ben, 'admin');
    for (const maker of [mia, ada]) {
      const token = await tokenBy(maker);
      const { body } = await app.as(maker).get(`/auth/tokens?user_id=${agent}&sort=-created_at`).expect(200);
      expect(body.data[0]).toMatchObject({ id: token.tokenId, user_id: agent });
      const path = `/auth/tokens/${token.tokenId}`;
      await app.as(maker).get(path).expect(200);
      for (const method of ['get', 'delete'] as const) await app.as(ben)[method](path).expect(404);
      await app.as(maker).delete(path).expect(200);
      await app.as(token).get('/auth/whoami').expect(401);
    }
    expect((await app.as(ben).get('/auth/tokens').expect(200)).body.data).toEqual([]);
  });

  it('ends when its creator is demoted', async () => {
    const ben = await app.person('Ben');
    await app.join(organization, ben, 'admin');
    const token = await tokenBy(ben, { organization_id: organization });
    expect(await seen(token)).toEqual([true, false]);
    await app.as(ann).patch(`/organizations/${organization}/members/${ben.id}`).send({ role: 'member' }).expect(200);
    await app.as(token).get('/auth/whoami').expect(401);
  });
});
