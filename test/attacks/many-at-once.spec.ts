import { TestApp, type Person } from '../support/test-app.js';
import { tokenOf } from '../support/tokens.js';

/** People without the right, or without it any more, hide what they may not do in lists of what they may. */
describe('lists of endorsements and invitations, and capacities of members', () => {
  let app: TestApp;
  let [olga, max, eve, vic, bob]: Person[] = [];
  let [riverside, shop]: string[] = [];
  let [garden, stall]: string[] = [];
  let agent: Person;
  let agentToken: Person;

  beforeAll(async () => {
    app = await TestApp.open();
  });
  beforeEach(async () => {
    const names = ['Olga', 'Max', 'Eve', 'Vic', 'Bob'];
    [olga, max, eve, vic, bob] = await Promise.all(names.map((name) => app.person(name)));
    [riverside, shop] = [await app.organization(olga), await app.organization(eve)];
    garden = await bound(olga, riverside);
    stall = await bound(eve, shop);
    await app.join(riverside, max, 'owner');
    await app.join(riverside, bob, 'member');
    await app.join(shop, bob, 'member');
    await app.join(garden, vic, 'viewer');
    const made = await app.as(max).post('/agents').send({ name: 'Mole', organization_id: riverside }).expect(201);
    const sent = { name: 'Main', scopes: ['*'] };
    const { body } = await app.as(max).post(`/agents/${made.body.data.id}/tokens`).send(sent).expect(201);
    agent = { ...made.body.data, resourceId: made.body.data.resource_id };
    agentToken = { ...agent, token: body.data.token };
  });
  afterAll(() => app.close());

  async function bound(owner: Person, organization_id: string): Promise<string> {
    const policy = { name: 'Ours', conditions: [{ type: 'manual_attestation' }], organization_id };
    const { body } = await app.as(owner).post('/dod-policies').send(policy).expect(201);
    const id = await app.endeavour(owner, { organization_id });
    await app.as(owner).post(`/endeavours/${id}/dod-policy`).send({ policy_id: body.data.id }).expect(200);
    return id;
  }
  const endorse = (person: Person, ids: string[]) =>
    app
      .as(person)
      .post('/dod-endorsements/bulk')
      .send({ endorsements: ids.map((endeavour_id) => ({ endeavour_id })) });
  const invite = (person: Person, invitations: object[]) =>
    app.as(person).post('/invitations/bulk').send({ invitations });
  const capacity = (person: Person, organization: string, whom: Person) =>
    app.as(person).patch(`/organizations/${organization}/members/${whom.id}`).send({ capacity: 1 });
  const written = async () => [
    await app.count('dod_endorsements'),
    await app.count('invitations'),
    await app.database.query('SELECT 1 FROM organization_resources WHERE capacity IS NOT NULL'),
  ];
  const dismiss = () => app.as(olga).delete(`/organizations/${riverside}/members/${max.id}`).expect(200);

  it('give the owner of another organization nothing there, also beside items that are allowed', async () => {
    const before = await written();
    await endorse(eve, [stall, garden]).expect(400);
    await invite(eve, [{ organization_id: shop }, { organization_id: riverside }]).expect(400);
    await invite(eve, [{ organization_id: shop }, { organization_id: shop, endeavour_id: garden }]).expect(400);
    await capacity(eve, riverside, bob).expect(404);
    await capacity(eve, shop, olga).expect(404);
    expect(await written()).toEqual(before);
  });

  it('give a viewer nothing', async () => {
    const before = await written();
    await endorse(vic, [garden]).expect(403);
    await invite(vic, [{ endeavour_id: garden }]).expect(403);
    await capacity(vic, riverside, bob).expect(404);
    expect(await written()).toEqual(before);
  });

  it('give a dismissed owner nothing, neither with a session or token nor by repeating a request', async () => {
    const first = () => endorse(max, [garden]).set('Idempotency-Key', 'max-endorses');
    const offered = () => invite(max, [{ organization_id: riverside }]).set('Idempotency-Key', 'max-invites');
    await first().expect(201);
    const { body } = await offered().expect(201);
    const token = await tokenOf(app, max);
    await dismiss();
    const before = await written();
    for (const repeat of [first, offered]) expect((await repeat()).status).toBeGreaterThanOrEqual(400);
    await endorse(max, [garden]).expect(400);
    await endorse(token, [garden]).expect(400);
    await invite(max, [{ organization_id: riverside }]).expect(400);
    await capacity(max, riverside, bob).expect(404);
    expect(await written()).toEqual(before);
    const stranger = await app.person('Stranger');
    const accepted = await app.as(stranger).post('/invitations/accept').send({ token: body.data[0].token });
    expect(accepted.status).toBe(400);
  });

  it('give an agent neither invitations nor capacities, and endorsements only with a token of its manager', async () => {
    await app.join(garden, agent, 'member');
    const sent = { name: 'Other', scopes: ['*'] };
    const { body: made } = await app.as(olga).post(`/agents/${agent.id}/tokens`).send(sent).expect(201);
    const byOther: Person = { ...agent, token: made.data.token };
    const before = await written();
    const { body } = await invite(agentToken, [{ organization_id: riverside }]).expect(403);
    expect(body.error.details.reason).toBe('session_required');
    await capacity(agentToken, riverside, bob).expect(403);
    const refused = await endorse(byOther, [garden]).expect(403);
    expect(refused.body.error.details.reason).toBe('managers_token_required');
    await endorse(agentToken, [garden, stall]).expect(400);
    expect(await written()).toEqual(before);
    const { body: given } = await endorse(agentToken, [garden]).expect(201);
    expect(given.data[0].resource_id).toBe(agent.resourceId);
  });

  it('show no capacity to members, agents, viewers and the other organization, in any representation', async () => {
    const secret = 31.4159;
    await app.as(olga).patch(`/organizations/${riverside}/members/${bob.id}`).send({ capacity: secret }).expect(200);
    await app.join(riverside, vic, 'guest');
    const due = new Date(Date.now() + 86_400_000).toISOString();
    await app.task(olga, garden, { assignee_id: bob.id, estimate: 3, due_date: due });
    await app.link(shop, garden);
    const paths = [
      `/organizations/${riverside}/members`,
      `/endeavours/${garden}/load`,
      `/endeavours/${garden}/members`,
      `/resources/${bob.resourceId}`,
      `/resources/${bob.resourceId}/load`,
      `/organizations/${riverside}/changes`,
      '/changes?limit=200',
      '/activity?limit=200',
    ];
    for (const reader of [eve, vic, agentToken, await tokenOf(app, olga, { endeavour_id: garden })]) {
      for (const path of paths) {
        const response = await app.as(reader).get(path);
        expect(response.text ?? '').not.toContain(String(secret));
      }
    }
    const { text } = await app.as(olga).get(`/organizations/${riverside}/members`).expect(200);
    expect(text).toContain(String(secret));
    expect((await app.as(bob).get(`/endeavours/${garden}/load`).expect(200)).text).toContain(String(secret));
  });
});
