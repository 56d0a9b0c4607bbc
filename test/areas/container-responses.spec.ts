import { TestApp, type Person } from '../support/test-app.js';

interface HttpResponse {
  body: { error: { code: string; details: Record<string, unknown> } };
}

const refusal = ({ body }: HttpResponse): unknown[] => [
  body.error.code,
  body.error.details.reason ?? body.error.details.limit,
];

describe('containers', () => {
  let app: TestApp;
  let ann: Person;
  let ben: Person;

  beforeAll(async () => {
    app = await TestApp.open();
  });

  beforeEach(async () => {
    [ann, ben] = [await app.person('Ann', { tier: 1 }), await app.person('Ben')];
  });

  afterAll(() => app.close());

  const post = (path: string, body: object, person = ann) => app.as(person).post(path).send(body);

  describe('beyond the tier limit', () => {
    it('reject a sixth team, created or linked', async () => {
      const shop = await app.organization(ann);
      const team = { name: 'Gardeners', type: 'team' };
      for (let n = 0; n < 5; n++) await post('/resources', { ...team, organization_id: shop }).expect(201);
      const sixth = await post('/resources', { ...team, organization_id: shop }).expect(403);
      expect(refusal(sixth)).toEqual(['tier_limit', 'max_teams_per_org']);
      const { body } = await post('/resources', team).expect(201);
      const brought = await post(`/organizations/${shop}/resources`, { resource_id: body.data.id }).expect(403);
      expect(refusal(brought)).toEqual(['tier_limit', 'max_teams_per_org']);
    });

    it('reject a sixth agent, created or linked, but give a linked one its role', async () => {
      const shop = await app.organization(ann);
      const agent = (more: object = {}) => post('/resources', { name: 'Bot', type: 'agent', ...more });
      const own = (await agent().expect(201)).body.data.id;
      for (let n = 0; n < 5; n++) await agent({ organization_id: shop }).expect(201);
      expect(refusal(await agent({ organization_id: shop }).expect(403))).toEqual(['tier_limit', 'max_agents_per_org']);
      const bring = (id: string) => post(`/organizations/${shop}/resources`, { resource_id: id, role: 'guest' });
      expect(refusal(await bring(own).expect(403))).toEqual(['tier_limit', 'max_agents_per_org']);
      const row = await app.database.one<{ id: string }>(
        `SELECT resource_id AS id FROM organization_resources WHERE organization_id = $1 AND user_id IS NULL LIMIT 1`,
        [shop],
      );
      await bring(row?.id ?? '').expect(200);
    });

    it('reject a fourth endeavour of an organization', async () => {
      const shop = await app.organization(ann);
      for (let n = 0; n < 3; n++) await app.link(shop, await app.endeavour(ben));
      const garden = await app.endeavour(ann);
      const linked = await post(`/organizations/${shop}/endeavours`, { endeavour_id: garden }).expect(403);
      expect(refusal(linked)).toEqual(['tier_limit', 'max_endeavours_per_org']);
    });

    it('reject unarchiving a second active endeavour', async () => {
      const garden = await app.endeavour(ann);
      await post(`/endeavours/${garden}/archive`, { reason: 'Winter' }).expect(200);
      await app.endeavour(ann);
      const back = await post(`/endeavours/${garden}/unarchive`, {}).expect(403);
      expect(refusal(back)).toEqual(['tier_limit', 'max_active_endeavours']);
    });
  });

  it('accept the activation of an endeavour that counts toward the limit of another creator', async () => {
    await app.endeavour(ann);
    const garden = await app.endeavour(ben, { status: 'pending' });
    await app.join(garden, ann, 'owner');
    await app.as(ann).patch(`/endeavours/${garden}`).send({ status: 'active' }).expect(200);
  });

  it('reject the last owner lowering their own role by adding themselves again', async () => {
    const [shop, garden] = [await app.organization(ann), await app.endeavour(ann)];
    const lower = { user_id: ann.id, role: 'member' };
    for (const [path, body] of [
      [`/organizations/${shop}/members`, lower],
      [`/organizations/${shop}/resources`, { resource_id: 'me', role: 'member' }],
      [`/endeavours/${garden}/members`, lower],
    ] as const) {
      expect(refusal(await post(path, body).expect(409))).toEqual(['conflict', 'last_owner']);
    }
  });

  it('reject a higher role if they are archived, but accept a lower one', async () => {
    const garden = await app.endeavour(ann);
    await app.join(garden, ben, 'member');
    await post(`/endeavours/${garden}/archive`, { reason: 'Winter' }).expect(200);
    const give = (role: string) => app.as(ann).patch(`/endeavours/${garden}/members/${ben.id}`).send({ role });
    expect((await give('admin').expect(409)).body.error.code).toBe('archived');
    await give('viewer').expect(200);
  });

  it('reject a ritual that is forked into a completed endeavour', async () => {
    const garden = await app.endeavour(ann);
    const { body } = await post('/rituals', { name: 'Morning round' }).expect(201);
    await app.as(ann).patch(`/endeavours/${garden}`).send({ status: 'completed' }).expect(200);
    const forked = await post(`/rituals/${body.data.id}/fork`, { endeavour_id: garden }).expect(409);
    expect(refusal(forked)).toEqual(['conflict', 'completed']);
  });
});
