import { brokenInvariants } from '../faults/support/invariants.mjs';
import { TestApp, type Person } from '../support/test-app.js';

/** Two companies work together until a user leaves one of them; each step continues the one before. */
describe('leaving a company', () => {
  let app: TestApp;
  /** Owns Riverside. */
  let ann: Person;
  /** Owns Hillside, a partner of Riverside. */
  let pat: Person;
  /** Works at Riverside, and owns another organization. */
  let mia: Person;
  /** Takes over Mia's work. */
  let bob: Person;
  let riverside: string;
  let hillside: string;
  let beside: string;
  let garden: string;
  let mower: string;
  let crew: string;
  let task: string;

  beforeAll(async () => {
    app = await TestApp.open();
    [ann, pat, mia, bob] = [
      await app.person('Ann'),
      await app.person('Pat'),
      await app.person('Mia'),
      await app.person('Bob'),
    ];
    riverside = await app.organization(ann, { name: 'Riverside' });
    hillside = await app.organization(pat, { name: 'Hillside' });
    beside = await app.organization(mia, { name: 'Beside' });
  });

  afterAll(() => app.close());

  const get = async (path: string, person = ann) => (await app.as(person).get(path).expect(200)).body.data;
  const post = (path: string, body: object, person = ann) => app.as(person).post(path).send(body);
  const make = async (path: string, body: object, person = ann): Promise<string> =>
    (await post(path, body, person).expect(201)).body.data.id;
  const roleIn = async (person: Person): Promise<string | null> => {
    const { endeavours } = await get('/auth/whoami', person);
    return endeavours[garden] ?? null;
  };
  const join = async (organization: string, role: string, by: Person, person: Person): Promise<void> => {
    const sent = await post('/invitations', { organization_id: organization, role }, by).expect(201);
    await post('/invitations/accept', { token: sent.body.data.token }, person).expect(200);
  };

  it('adds members only by invitation', async () => {
    await post(`/organizations/${riverside}/members`, { user_id: mia.id }).expect(400);
    await join(riverside, 'owner', ann, mia);
    await join(riverside, 'member', ann, bob);
    await join(hillside, 'admin', pat, mia);
  });

  it('gives the company an endeavour, a machine and a team', async () => {
    garden = await app.endeavour(mia, { name: 'Rose garden', organization_id: riverside });
    mower = await make('/resources', { name: 'Mower', type: 'service', organization_id: riverside });
    crew = await make('/resources', { name: 'Crew', type: 'team', organization_id: riverside });
    for (const { id } of [mia, bob]) await post(`/resources/${crew}/members`, { resource_id: id }).expect(201);
    task = await app.task(ann, garden, { assignee_id: mia.id });
    expect(await roleIn(bob)).toBe('member');
  });

  it('shares the endeavour and the machine with a partner, who can use but not manage them', async () => {
    for (const organization of [hillside, beside]) {
      await post(`/organizations/${organization}/endeavours`, { endeavour_id: garden }, mia).expect(200);
    }
    await post(`/organizations/${hillside}/resources`, { resource_id: mower }, mia).expect(200);
    expect(await roleIn(pat)).toBe('member');
    await post('/tasks', { title: 'Mow', endeavour_id: garden, assignee_id: mower }, pat).expect(201);
    await app.as(pat).patch(`/resources/${mower}`).send({ name: 'Ours' }).expect(403);
    await post(`/endeavours/${garden}/archive`, { reason: 'Ours' }, pat).expect(403);
  });

  it('reassigns the work, and ends the roles and links that depended on the membership', async () => {
    const { body } = await post(`/resources/${mia.resourceId}/reassign`, { to: bob.id }, mia).expect(200);
    expect(body.data).toEqual({ moved: expect.any(Number), skipped: [] });
    expect((await get(`/tasks/${task}`)).assignee_id).toBe(bob.resourceId);
    const left = await app.as(ann).delete(`/organizations/${riverside}/members/${mia.id}`).expect(200);
    expect(left.body.data).toEqual({
      id: mia.id,
      deleted: true,
      ended: [{ endeavour_id: garden, role: 'owner' }],
      outsiders: [],
      links: expect.arrayContaining([
        { organization_id: hillside, endeavour_id: garden, resource_id: null, ended: true },
        { organization_id: beside, endeavour_id: garden, resource_id: null, ended: true },
        { organization_id: hillside, endeavour_id: null, resource_id: mower, ended: true },
      ]),
    });
    expect([await roleIn(mia), await roleIn(pat), await roleIn(ann)]).toEqual([null, null, 'owner']);
    expect((await get(`/resources/${crew}/members`)).map(({ name }: { name: string }) => name)).toEqual(['Bob']);
  });

  it('lets the company transfer the endeavour and the machine to another organization', async () => {
    const group = await app.organization(ann, { name: 'Group' });
    await post(`/organizations/${group}/endeavours`, { endeavour_id: garden }).expect(200);
    await app.as(ann).delete(`/organizations/${group}/endeavours/${garden}`).expect(200);
    const moved = await post(`/endeavours/${garden}/transfer`, { organization_id: group }).expect(200);
    expect(moved.body.data).toMatchObject({ organization_id: group, organizations: [{ id: group }], outsiders: [] });
    await post(`/resources/${mower}/transfer`, { organization_id: group }).expect(200);
    expect(await roleIn(bob)).toBeNull();
    await app.as(ann).get(`/endeavours/${garden}/export`).expect(200);
  });

  it('violates no invariant of the database', async () => {
    expect(await brokenInvariants((sql) => app.database.query(sql))).toEqual([]);
  });
});
