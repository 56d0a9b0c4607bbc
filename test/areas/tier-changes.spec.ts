import { TestApp, type Person } from '../support/test-app.js';

let app: TestApp;
let ada: Person;
beforeAll(async () => {
  app = await TestApp.open();
  ada = await app.admin();
});
afterAll(() => app.close());

const tier = async (id: number) =>
  (await app.as(ada).get('/tiers').expect(200)).body.data.find((each: { id: number }) => each.id === id);
const change = (id: number | string, changes: object) => app.as(ada).patch(`/tiers/${id}`).send(changes);

describe('the tiers', () => {
  it('are listed with their limits, and changed by administrators', async () => {
    expect(await tier(1)).toEqual({
      id: 1,
      name: 'explorer',
      max_orgs: 1,
      max_active_endeavours: 1,
      max_endeavours_per_org: 3,
      max_agents_per_org: 5,
      max_teams_per_org: 5,
      max_creations_per_hour: 60,
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
      revision: 1,
    });
    const ann = await app.person('Ann', { tier: 2 });
    const { body, headers } = await change(2, { name: 'team', max_orgs: -1 }).expect(200);
    expect(body.data).toMatchObject({ id: 2, name: 'team', max_orgs: -1, max_active_endeavours: 10, revision: 2 });
    expect(headers.etag).toMatch(/^"2-/);
    const { body: whoami } = await app.as(ann).get('/auth/whoami').expect(200);
    expect(whoami.data).toMatchObject({ tier: 2, tier_name: 'team', tier_limits: { max_orgs: -1 } });
    expect((await change(2, { max_orgs: -1 }).expect(200)).body.data.revision).toBe(2);
    expect((await change(2, {}).expect(200)).body.data.revision).toBe(2);
    await change(2, { name: 'professional', max_orgs: 5 }).set('If-Match', '"1"').expect(412);
    await change(2, { name: 'professional', max_orgs: 5 }).set('If-Match', '"2"').expect(200);
  });

  it('reject invalid limits, and there are only three', async () => {
    const { body } = await change(2, { max_orgs: -2, max_teams_per_org: 1.5, name: null, tier: 1, id: 4 }).expect(400);
    expect(body.error.details.fields.map(({ field, code }: { field: string; code: string }) => [field, code])).toEqual([
      ['name', 'not_nullable'],
      ['max_orgs', 'out_of_range'],
      ['max_teams_per_org', 'invalid_type'],
      ['tier', 'unknown_field'],
      ['id', 'read_only'],
    ]);
    for (const id of ['0', '4', 'usr', '01']) await change(id, { max_orgs: 1 }).expect(404);
  });

  it('apply from the next request on', async () => {
    const ann = await app.person('Ann', { tier: 1 });
    await app.organization(ann);
    await app.as(ann).post('/organizations').send({ name: 'Second' }).expect(403);
    await change(1, { max_orgs: 2 }).expect(200);
    await app.as(ann).post('/organizations').send({ name: 'Second' }).expect(201);
    await change(1, { max_orgs: 1 }).expect(200);
  });
});

describe('tier limits cannot be bypassed', () => {
  const resource = async (owner: Person, organization_id: string, type: string): Promise<string> =>
    (await app.as(owner).post('/resources').send({ name: type, type, organization_id }).expect(201)).body.data.id;

  it('by changing the type of a resource into one that is limited', async () => {
    const ann = await app.person('Ann', { tier: 1 });
    const shop = await app.organization(ann);
    for (let n = 0; n < 5; n += 1) await resource(ann, shop, 'agent');
    const machine = await resource(ann, shop, 'service');
    await app.as(ann).patch(`/resources/${machine}`).send({ type: 'budget' }).expect(200);
    const { body } = await app.as(ann).patch(`/resources/${machine}`).send({ type: 'agent' }).expect(403);
    expect(body.error).toMatchObject({ code: 'tier_limit', details: { limit: 'max_agents_per_org', used: 5 } });
    expect((await app.as(ann).get(`/resources/${machine}`).expect(200)).body.data.type).toBe('budget');
  });

  it('by letting agents join by invitation', async () => {
    const ann = await app.person('Ann', { tier: 1 });
    const shop = await app.organization(ann);
    const { body } = await app.as(ann).post('/invitations').send({ organization_id: shop, max_uses: 9 }).expect(201);
    const accept = (person: Person) => app.as(person).post('/invitations/accept').send({ token: body.data.token });
    for (let n = 0; n < 5; n += 1) await accept(await app.person(`Bot ${n}`, { userType: 'agent' })).expect(200);
    const { body: refused } = await accept(await app.person('Bot 6', { userType: 'agent' })).expect(403);
    expect(refused.error).toMatchObject({ code: 'tier_limit', details: { limit: 'max_agents_per_org', used: 5 } });
    await accept(await app.person('Human')).expect(200);
    const { body: left } = await app.as(ann).get(`/invitations/${body.data.id}`).expect(200);
    expect(left.data.uses).toBe(6);
    const late = await app.person('Bot 7', { userType: 'agent' });
    const invitation = { organization_id: shop, email: late.email };
    const { body: invited } = await app.as(ann).post('/invitations').send(invitation).expect(201);
    const { body: sixth } = await app.as(late).post(`/invitations/${invited.data.id}/accept`).expect(403);
    expect(sixth.error).toMatchObject({ code: 'tier_limit', details: { limit: 'max_agents_per_org', used: 5 } });
  });

  it.each([
    ['members', (id: string) => ({ user_id: id })],
    ['resources', (id: string) => ({ resource_id: id })],
  ])('by adding agents of another organization to the %s', async (door, sent) => {
    const ann = await app.person('Ann', { tier: 2 });
    const [shop, mill] = [await app.organization(ann), await app.organization(ann)];
    const agent = async (organization_id: string): Promise<string> =>
      (await app.as(ann).post('/agents').send({ name: 'Triage', organization_id }).expect(201)).body.data.id;
    for (let n = 0; n < 4; n += 1) await agent(shop);
    const [fifth, sixth] = [await agent(mill), await agent(mill)];
    await app.database.query('UPDATE users SET tier = 1 WHERE id = $1', [ann.id]);
    const add = (id: string, body: object = {}) =>
      app
        .as(ann)
        .post(`/organizations/${shop}/${door}`)
        .send({ ...sent(id), ...body });
    await add(fifth).expect(door === 'members' ? 201 : 200);
    const { body } = await add(sixth).expect(403);
    expect(body.error).toMatchObject({ code: 'tier_limit', details: { limit: 'max_agents_per_org', used: 5 } });
    await add(fifth, { role: 'admin' }).expect(door === 'members' ? 201 : 200);
  });

  describe('by archiving and unarchiving', () => {
    const archive = (person: Person, path: string) =>
      app.as(person).post(`/${path}/archive`).send({ reason: 'Winter' }).expect(200);
    const pending = (owner: Person, organization_id: string) =>
      app.endeavour(owner, { organization_id, status: 'pending' });
    const full = { code: 'tier_limit', details: { limit: 'max_endeavours_per_org', allowed: 3 } };

    it('an endeavour of an organization that has reached its limit meanwhile', async () => {
      const ann = await app.person('Ann', { tier: 1 });
      const shop = await app.organization(ann);
      const [first] = [await pending(ann, shop), await pending(ann, shop), await pending(ann, shop)];
      await archive(ann, `endeavours/${first}`);
      const fourth = await pending(ann, shop);
      const { body } = await app.as(ann).post(`/endeavours/${first}/unarchive`).expect(403);
      expect(body.error).toMatchObject({ ...full, details: { ...full.details, used: 3 } });
      await archive(ann, `endeavours/${fourth}`);
      await app.as(ann).post(`/endeavours/${first}/unarchive`).expect(200);
    });

    it('an organization with more endeavours than the tier of its owner now allows', async () => {
      const ann = await app.person('Ann', { tier: 2 });
      const shop = await app.organization(ann);
      for (let n = 0; n < 4; n += 1) await pending(ann, shop);
      await archive(ann, `organizations/${shop}`);
      await app.database.query('UPDATE users SET tier = 1 WHERE id = $1', [ann.id]);
      const unarchive = (body: object) => app.as(ann).post(`/organizations/${shop}/unarchive`).send(body);
      expect((await unarchive({}).expect(403)).body.error).toMatchObject(full);
      await unarchive({ restore_work: false }).expect(200);
    });

    it('except an active endeavour of another person, which counts for its creator', async () => {
      const [ann, ben] = [await app.person('Ann', { tier: 1 }), await app.person('Ben', { tier: 1 })];
      const shop = await app.organization(ann);
      await app.join(shop, ben, 'member');
      const [garden] = [await app.endeavour(ben, { organization_id: shop }), await app.endeavour(ann)];
      await archive(ann, `endeavours/${garden}`);
      await app.as(ann).post(`/endeavours/${garden}/unarchive`).expect(200);
    });
  });

  it('by transferring a team to an organization that has reached its limit', async () => {
    const ann = await app.person('Ann', { tier: 2 });
    const [shop, mill] = [await app.organization(ann), await app.organization(ann)];
    for (let n = 0; n < 5; n += 1) await resource(ann, shop, 'team');
    const sixth = await resource(ann, mill, 'team');
    await app.database.query('UPDATE users SET tier = 1 WHERE id = $1', [ann.id]);
    const transfer = await app.as(ann).post(`/resources/${sixth}/transfer`).send({ organization_id: shop }).expect(403);
    expect(transfer.body.error).toMatchObject({ code: 'tier_limit', details: { limit: 'max_teams_per_org', used: 5 } });
  });
});
