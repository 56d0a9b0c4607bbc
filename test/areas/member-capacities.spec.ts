import { TestApp, type Person } from '../support/test-app.js';
import { tokenOf } from '../support/tokens.js';

const DAY_MS = 86_400_000;

describe('the capacity of a membership', () => {
  let app: TestApp;
  let [ann, abe, bob, cleo, eve]: Person[] = [];
  let riverside: string;
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open();
  });
  beforeEach(async () => {
    const names = ['Ann', 'Abe', 'Bob', 'Cleo', 'Eve'];
    [ann, abe, bob, cleo, eve] = await Promise.all(names.map((name) => app.person(name)));
    riverside = await app.organization(ann);
    garden = await app.endeavour(ann, { organization_id: riverside });
    await app.join(riverside, abe, 'admin');
    for (const person of [bob, cleo]) await app.join(riverside, person, 'member');
  });
  afterAll(() => app.close());

  const set = (by: Person, whom: Person, capacity: unknown, more: object = {}, organization = riverside) =>
    app
      .as(by)
      .patch(`/organizations/${organization}/members/${whom.id}`)
      .send({ capacity, ...more });
  const seenBy = async (person: Person, whom = bob, organization = riverside) => {
    const { body } = await app.as(person).get(`/organizations/${organization}/members`).expect(200);
    const members = body.data as { user_id: string; capacity: number | null }[];
    return members.find(({ user_id }) => user_id === whom.id)?.capacity;
  };
  const own = (person: Person, body: object) =>
    app.as(person).patch(`/resources/${person.resourceId}`).send(body).expect(200);
  const due = (owner: Person, endeavour: string, assignee: Person) =>
    app.task(owner, endeavour, {
      assignee_id: assignee.id,
      estimate: 3,
      due_date: new Date(Date.now() + DAY_MS).toISOString(),
    });
  const loadSeenBy = async (person: Person, endeavour = garden, whom = bob) => {
    const { body } = await app.as(person).get(`/endeavours/${endeavour}/load`).expect(200);
    const found = (body.data.resources as { resource_id: string; weekly_capacity: number | null }[]).find(
      ({ resource_id }) => resource_id === whom.resourceId,
    );
    return found?.weekly_capacity;
  };

  it('is set and cleared by admins, and shown to them and to the person only', async () => {
    expect((await set(abe, bob, 32.5).expect(200)).body.data).toMatchObject({
      user_id: bob.id,
      role: 'member',
      capacity: 32.5,
    });
    const readers = [ann, abe, bob, await app.admin(), cleo];
    expect(await Promise.all(readers.map((person) => seenBy(person)))).toEqual([32.5, 32.5, 32.5, 32.5, null]);
    expect((await set(abe, bob, null).expect(200)).body.data.capacity).toBeNull();
    expect((await set(abe, ann, 20).expect(200)).body.data).toMatchObject({ role: 'owner', capacity: 20 });
    await set(bob, bob, 1).expect(403);
    await set(eve, bob, 1).expect(404);
    await set(await tokenOf(app, ann), bob, 1).expect(403);
    expect(await seenBy(ann)).toBeNull();
  });

  it.each([[-1], ['20'], [1e10], [1.00001]])('is not %j', async (capacity) => {
    const { body } = await set(ann, bob, capacity).expect(400);
    expect(body.error.details.fields.map(({ field }: { field: string }) => field)).toEqual(['capacity']);
    expect(await seenBy(ann)).toBeNull();
  });

  it('leaves endorsements of the member as they are', async () => {
    const made = { name: 'Ours', conditions: [{ type: 'manual_attestation' }], organization_id: riverside };
    const policy = await app.as(ann).post('/dod-policies').send(made).expect(201);
    await app.as(ann).post(`/endeavours/${garden}/dod-policy`).send({ policy_id: policy.body.data.id }).expect(200);
    const { body } = await app.as(bob).post('/dod-endorsements').send({ endeavour_id: garden }).expect(201);
    await set(ann, bob, 20).expect(200);
    const { body: read } = await app.as(bob).get(`/dod-endorsements/${body.data.id}`).expect(200);
    expect(read.data.status).toBe('active');
  });

  it('stays when the role changes, changes with it, and ends with the membership', async () => {
    await set(ann, bob, 20).expect(200);
    const changed = await app.as(ann).patch(`/organizations/${riverside}/members/${bob.id}`).send({ role: 'guest' });
    expect(changed.body.data).toMatchObject({ role: 'guest', capacity: 20 });
    expect((await set(ann, bob, 25, { role: 'admin' }).expect(200)).body.data).toMatchObject({
      role: 'admin',
      capacity: 25,
    });
    await set(abe, bob, 30, { role: 'owner' }).expect(403);
    expect(await seenBy(ann)).toBe(25);
    await app.as(ann).delete(`/organizations/${riverside}/members/${bob.id}`).expect(200);
    await set(ann, bob, 20).expect(404);
    await app.join(riverside, bob, 'member');
    expect(await seenBy(ann)).toBeNull();
  });

  it('counts in the load of endeavours of the organization, instead of the own one', async () => {
    const shed = await app.endeavour(ann);
    await app.join(shed, bob, 'member');
    for (const endeavour of [garden, shed]) await due(ann, endeavour, bob);
    await own(bob, { capacity_model: 'hours_per_week', capacity_value: 40 });
    expect([await loadSeenBy(bob), await loadSeenBy(ann)]).toEqual([40, null]);
    await set(abe, bob, 16).expect(200);
    expect(await Promise.all([ann, abe, bob, cleo].map((person) => loadSeenBy(person)))).toEqual([16, 16, 16, null]);
    expect(await loadSeenBy(bob, shed)).toBe(40);
    const { body } = await app.as(bob).get(`/resources/${bob.resourceId}/load`).expect(200);
    expect(body.data.weekly_capacity).toBe(40);
    await own(bob, { capacity_model: 'tokens_per_day' });
    expect(await loadSeenBy(bob)).toBe(16);
    const { body: mine } = await app.as(bob).get(`/resources/${bob.resourceId}`).expect(200);
    expect(mine.data).toMatchObject({ capacity_value: 40, capacity_model: 'tokens_per_day' });
    await set(abe, bob, 0).expect(200);
    expect(await loadSeenBy(ann)).toBe(0);
    await set(abe, bob, null).expect(200);
    expect(await loadSeenBy(bob)).toBeNull();
  });

  it('is that of the home, also where another organization works along', async () => {
    const shop = await app.organization(eve);
    await app.join(shop, bob, 'member');
    await app.link(shop, garden);
    await due(ann, garden, bob);
    await set(eve, bob, 8, {}, shop).expect(200);
    expect([await seenBy(ann), await seenBy(eve, bob, shop)]).toEqual([null, 8]);
    expect([await loadSeenBy(eve), await loadSeenBy(ann), await loadSeenBy(bob)]).toEqual([null, null, null]);
    await set(ann, bob, 16).expect(200);
    expect([await loadSeenBy(eve), await loadSeenBy(ann), await loadSeenBy(bob)]).toEqual([null, 16, 16]);
    await set(eve, bob, 9).expect(404);
  });

  it('is told in events without its value, once for each change, and in the own data of the person', async () => {
    await set(ann, bob, 16).expect(200);
    await set(ann, bob, 16).expect(200);
    await app.as(ann).patch(`/organizations/${riverside}/members/${bob.id}`).send({}).expect(200);
    const events = await app.database.query(
      `SELECT changed, previous, data, actor_id, audience FROM events WHERE entity_id = $1 AND type = 'member.changed'`,
      [riverside],
    );
    expect(events).toEqual([
      {
        changed: ['capacity'],
        previous: {},
        data: { resource_id: bob.resourceId, user_id: bob.id, role: 'member', stakeholder_roles: [] },
        actor_id: ann.resourceId,
        audience: expect.arrayContaining([bob.resourceId]),
      },
    ]);
    const { body } = await app.as(bob).get('/auth/my-data').expect(200);
    expect(JSON.stringify(body)).toContain('"capacity":16');
  });

  it('is not set in an archived organization, nor of a resource without a user', async () => {
    await app.as(ann).post(`/organizations/${riverside}/archive`).send({ reason: 'Sold' }).expect(200);
    await set(ann, bob, 16).expect(409);
    await set(ann, bob, 16, { role: 'guest' }).expect(409);
    const { body } = await app.as(ann).get(`/organizations/${riverside}/members?role=guest`).expect(200);
    expect(body.data).toEqual([]);
    const write = app.database.query(
      `UPDATE organization_resources SET user_id = NULL, capacity = 1 WHERE user_id = $1`,
      [bob.id],
    );
    await expect(write).rejects.toThrow('organization_resources_capacity_of_person_check');
  });
});
