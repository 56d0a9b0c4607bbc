import { House, type Person } from '../support/house.js';

interface Answer {
  body: { error: { code: string; details: Record<string, unknown> } };
}

const refusal = ({ body }: Answer): unknown[] => [
  body.error.code,
  body.error.details.reason ?? body.error.details.limit,
];

describe('what containers refuse, by whichever route', () => {
  let house: House;
  let ann: Person;
  let ben: Person;

  beforeAll(async () => {
    house = await House.open();
  });

  beforeEach(async () => {
    [ann, ben] = [await house.person('Ann', { tier: 1 }), await house.person('Ben')];
  });

  afterAll(() => house.close());

  const post = (path: string, body: object, person = ann) => house.as(person).post(path).send(body);

  describe('beyond the tier', () => {
    it('a sixth team, made there or brought along', async () => {
      const shop = await house.organization(ann);
      const team = { name: 'Gardeners', type: 'team' };
      for (let n = 0; n < 5; n++) await post('/resources', { ...team, organization_id: shop }).expect(201);
      const sixth = await post('/resources', { ...team, organization_id: shop }).expect(403);
      expect(refusal(sixth)).toEqual(['tier_limit', 'max_teams_per_org']);
      const { body } = await post('/resources', team).expect(201);
      const brought = await post(`/organizations/${shop}/resources`, { resource_id: body.data.id }).expect(403);
      expect(refusal(brought)).toEqual(['tier_limit', 'max_teams_per_org']);
    });

    it('a sixth agent, brought as a member; one that is there already still gets its role', async () => {
      const [shop, garden] = [await house.organization(ann), await house.endeavour(ann)];
      const bots: Person[] = [];
      for (let n = 0; n < 6; n++) bots.push(await house.person(`Bot ${n}`, { userType: 'agent' }));
      for (const bot of bots) await house.join(garden, bot, 'member');
      const join = (bot: Person, role = 'member') => post(`/organizations/${shop}/members`, { user_id: bot.id, role });
      for (const bot of bots.slice(0, 5)) await join(bot).expect(201);
      expect(refusal(await join(bots[5]).expect(403))).toEqual(['tier_limit', 'max_agents_per_org']);
      await join(bots[0], 'guest').expect(201);
    });

    it('a fourth endeavour of an organization', async () => {
      const shop = await house.organization(ann);
      for (let n = 0; n < 3; n++) await house.link(shop, await house.endeavour(ben));
      const garden = await house.endeavour(ann);
      const linked = await post(`/organizations/${shop}/endeavours`, { endeavour_id: garden }).expect(403);
      expect(refusal(linked)).toEqual(['tier_limit', 'max_endeavours_per_org']);
    });

    it('a second active endeavour that comes back from the archive', async () => {
      const garden = await house.endeavour(ann);
      await post(`/endeavours/${garden}/archive`, { reason: 'Winter' }).expect(200);
      await house.endeavour(ann);
      const back = await post(`/endeavours/${garden}/unarchive`, {}).expect(403);
      expect(refusal(back)).toEqual(['tier_limit', 'max_active_endeavours']);
    });
  });

  it('the last owner who gives themselves a lower role by adding themselves again', async () => {
    const [shop, garden] = [await house.organization(ann), await house.endeavour(ann)];
    const lower = { user_id: ann.id, role: 'member' };
    for (const [path, body] of [
      [`/organizations/${shop}/members`, lower],
      [`/organizations/${shop}/resources`, { resource_id: 'me', role: 'member' }],
      [`/endeavours/${garden}/members`, lower],
    ] as const) {
      expect(refusal(await post(path, body).expect(409))).toEqual(['conflict', 'last_owner']);
    }
  });

  it('a higher role in what is archived, but not a lower one', async () => {
    const garden = await house.endeavour(ann);
    await house.join(garden, ben, 'member');
    await post(`/endeavours/${garden}/archive`, { reason: 'Winter' }).expect(200);
    const give = (role: string) => house.as(ann).patch(`/endeavours/${garden}/members/${ben.id}`).send({ role });
    expect((await give('admin').expect(409)).body.error.code).toBe('archived');
    await give('viewer').expect(200);
  });

  it('a ritual that is forked into an endeavour that is completed', async () => {
    const garden = await house.endeavour(ann);
    const { body } = await post('/rituals', { name: 'Morning round' }).expect(201);
    await house.as(ann).patch(`/endeavours/${garden}`).send({ status: 'completed' }).expect(200);
    const forked = await post(`/rituals/${body.data.id}/fork`, { endeavour_id: garden }).expect(409);
    expect(refusal(forked)).toEqual(['conflict', 'completed']);
  });
});
