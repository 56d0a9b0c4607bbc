import { TestApp, type Person } from '../support/test-app.js';

describe('the home of a resource', () => {
  let app: TestApp;
  let ann: Person;
  let pat: Person;
  let home: string;
  let partner: string;

  beforeAll(async () => {
    app = await TestApp.open();
  });

  beforeEach(async () => {
    [ann, pat] = [await app.person('Ann'), await app.person('Pat')];
    [home, partner] = [await app.organization(ann), await app.organization(pat)];
  });

  afterAll(() => app.close());

  const made = async (body: object = {}, person = ann): Promise<string> => {
    const sent = { name: 'Server', type: 'service', capacity_value: 7, metadata: { rack: 4 }, ...body };
    return (await app.as(person).post('/resources').send(sent).expect(201)).body.data.id;
  };
  const bring = (person: Person, organization: string, id: string) =>
    app.as(person).post(`/organizations/${organization}/resources`).send({ resource_id: id });
  const take = (person: Person, organization: string, id: string) =>
    app.as(person).delete(`/organizations/${organization}/resources/${id}`);
  const patch = (person: Person, id: string, body: object) => app.as(person).patch(`/resources/${id}`).send(body);
  const seen = async (person: Person, id: string) =>
    (await app.as(person).get(`/resources/${id}`).expect(200)).body.data;
  const homeOf = async (id: string) => (await seen(ann, id)).organization_id;
  const colleague = async (organization: string, role: string): Promise<Person> => {
    const person = await app.person(role);
    await app.join(organization, person, role);
    return person;
  };
  /** Shares a resource of the home with the partner. */
  const share = async (id: string): Promise<void> => {
    await app.join(partner, ann, 'admin');
    await bring(ann, partner, id).expect(200);
    await app.as(ann).delete(`/organizations/${partner}/members/${ann.id}`).expect(200);
  };

  it('is the organization in which it was created, or the first one that its creator adds it to', async () => {
    const [one, two] = [await made({ organization_id: home }), await made()];
    expect(await homeOf(one)).toBe(home);
    expect(await homeOf(two)).toBeNull();
    await bring(ann, home, two).expect(200);
    expect(await homeOf(two)).toBe(home);
    const refused = await patch(ann, two, { organization_id: null }).expect(400);
    expect(refused.body.error.details.fields[0]).toMatchObject({ field: 'organization_id', code: 'read_only' });
  });

  it('is never set for the resource of a user', async () => {
    const mia = await colleague(home, 'member');
    expect((await seen(mia, mia.resourceId)).organization_id).toBeNull();
    const { body } = await app
      .as(mia)
      .post(`/resources/${mia.resourceId}/transfer`)
      .send({ organization_id: home })
      .expect(403);
    expect(body.error.code).toBe('forbidden');
    const admin = await app.admin();
    const refused = await app
      .as(admin)
      .post(`/resources/${mia.resourceId}/transfer`)
      .send({ organization_id: home })
      .expect(409);
    expect(refused.body.error.details.reason).toBe('user_resource');
  });

  it('alone manages resources that a dismissed admin has shared with another organization', async () => {
    const eve = await colleague(home, 'admin');
    const [server, team] = [await made({ organization_id: home }), await made({ type: 'team', organization_id: home })];
    for (const member of [ann.id, eve.id]) {
      await app.as(ann).post(`/resources/${team}/members`).send({ resource_id: member }).expect(201);
    }
    await patch(ann, team, { quorum: { cancel: 2 } }).expect(200);
    const shell = await app.organization(eve);
    for (const id of [server, team]) await bring(eve, shell, id).expect(403);
    for (const id of [server, team]) {
      await app.database.query(`INSERT INTO organization_resources (organization_id, resource_id) VALUES ($1, $2)`, [
        shell,
        id,
      ]);
    }
    await app.as(ann).delete(`/organizations/${home}/members/${eve.id}?keep_links=true`).expect(200);
    expect(await seen(eve, server)).toMatchObject({ name: 'Server', metadata: null, capacity_value: null });
    for (const id of [server, team]) {
      await patch(eve, id, { name: 'Mine' }).expect(403);
      await app.as(eve).delete(`/resources/${id}`).expect(403);
    }
    await patch(eve, team, { quorum: null }).expect(403);
    await app.as(eve).post(`/resources/${team}/members`).send({ resource_id: eve.id }).expect(403);
  });

  it('hides it from a creator who has left the organization', async () => {
    const mia = await colleague(home, 'admin');
    const id = await made({ organization_id: home }, mia);
    await app.as(mia).delete(`/organizations/${home}/members/${mia.id}`).expect(200);
    await app.as(mia).get(`/resources/${id}`).expect(404);
    expect((await app.as(mia).get('/resources').expect(200)).body.data.map((one: { id: string }) => one.id)).toEqual([
      mia.resourceId,
    ]);
  });

  describe('visibility', () => {
    it('is full in the home, without metadata and capacity where it is shared, else four fields', async () => {
      const garden = await app.endeavour(ann, { organization_id: home });
      const vic = await app.person('Vic');
      await app.join(garden, vic, 'viewer');
      const id = await made({ organization_id: home });
      await app.as(vic).get(`/resources/${id}`).expect(404);
      await app.task(ann, garden, { assignee_id: id });
      await share(id);
      const short = { id, name: 'Server', type: 'service', status: 'active' };
      expect(await seen(await colleague(home, 'member'), id)).toMatchObject({
        capacity_value: 7,
        metadata: { rack: 4 },
      });
      expect(await seen(pat, id)).toMatchObject({
        ...short,
        capacity_value: null,
        metadata: null,
        organization_id: home,
        skills: [],
        revision: 1,
      });
      for (const person of [vic, await colleague(home, 'guest'), await colleague(partner, 'guest')]) {
        const { id: _id, name, type, status, ...rest } = await seen(person, id);
        expect({ id, name, type, status }).toEqual(short);
        expect(new Set(Object.values(rest))).toEqual(new Set([null]));
        const { body } = await app.as(person).get(`/resources?type=service`).expect(200);
        expect(body.data).toEqual([{ ...short, ...rest }]);
      }
    });
  });

  it('prevents filtering by hidden properties', async () => {
    const id = await made({ organization_id: home, skills: ['felling'], external_ref: { source: 'erp', id: '4711' } });
    await share(id);
    const filters = ['skill=felling', 'external=erp:4711', 'created_after=2020-01-01', 'updated_before=2100-01-01'];
    const guest = await colleague(home, 'guest');
    for (const [person, count] of [
      [ann, 1],
      [pat, 1],
      [guest, 0],
    ] as const) {
      for (const filter of filters) {
        const { body } = await app.as(person).get(`/resources?type=service&${filter}`).expect(200);
        expect([person.name, filter, body.data.length]).toEqual([person.name, filter, count]);
      }
    }
    expect((await app.as(guest).get('/resources?type=service').expect(200)).body.data).toHaveLength(1);
  });

  describe('sharing', () => {
    it('requires an owner of the home, and can be ended by either side', async () => {
      const id = await made({ organization_id: home });
      const adam = await colleague(home, 'admin');
      await app.join(partner, adam, 'admin');
      await bring(adam, partner, id).expect(403);
      await share(id);
      await patch(pat, id, { name: 'Mine' }).expect(403);
      await take(pat, partner, id).expect(200);
      await app.as(pat).get(`/resources/${id}`).expect(404);
      await share(id);
      await app.as(ann).get(`/organizations/${partner}`).expect(404);
      await take(ann, partner, id).expect(200);
      await take(ann, partner, id).expect(404);
    });

    it('shows only the admins of the home the other organizations of the resource', async () => {
      const id = await made({ organization_id: home });
      const [adam, mia] = [await colleague(home, 'admin'), await colleague(home, 'member')];
      await share(id);
      const shownTo = async (person: Person): Promise<string[]> => {
        const { body } = await app.as(person).get(`/resources/${id}`).expect(200);
        return body.data.organizations.map(({ id: organization }: { id: string }) => organization).sort();
      };
      for (const person of [ann, adam]) expect(await shownTo(person)).toEqual([home, partner].sort());
      expect(await shownTo(mia)).toEqual([home]);
      expect(await shownTo(pat)).toEqual([partner]);
      await take(adam, partner, id).expect(200);
    });

    it('does not give a home to a resource that another user created', async () => {
      const id = await made({}, pat);
      const garden = await app.endeavour(ann);
      await app.join(garden, pat, 'member');
      await bring(ann, home, id).expect(400);
    });
  });

  describe('removing it from its home', () => {
    it('requires an owner of the home, and returns it to its creator', async () => {
      const mia = await colleague(home, 'admin');
      const id = await made({ organization_id: home }, mia);
      await take(mia, home, id).expect(403);
      await take(ann, home, id).expect(200);
      await app.as(ann).get(`/resources/${id}`).expect(404);
      expect(await seen(mia, id)).toMatchObject({ organization_id: null, organizations: [] });
      await patch(mia, id, { name: 'Mine' }).expect(200);
    });

    it('is rejected if it would leave the resource without a manager', async () => {
      const mia = await colleague(home, 'admin');
      const id = await made({ organization_id: home }, mia);
      await app.database.query(`UPDATE users SET status = 'inactive' WHERE id = $1`, [mia.id]);
      const { body } = await take(ann, home, id).expect(409);
      expect(body.error.details.reason).toBe('last_owner');
    });
  });

  describe('transferring', () => {
    const transfer = (person: Person, id: string, organization: string) =>
      app.as(person).post(`/resources/${id}/transfer`).send({ organization_id: organization });

    it('requires an owner of the home who is admin of the target, and removes it from the old home', async () => {
      const id = await made({ organization_id: home });
      const adam = await colleague(home, 'admin');
      const other = await app.organization(ann);
      await app.join(other, adam, 'admin');
      await transfer(adam, id, other).expect(403);
      await transfer(ann, id, partner).expect(400);
      const { body } = await transfer(ann, id, other).expect(200);
      expect(body.data).toMatchObject({ organization_id: other, organizations: [{ id: other }], revision: 2 });
      await app.database.query('DELETE FROM organization_resources WHERE organization_id = $1 AND user_id = $2', [
        other,
        adam.id,
      ]);
      await app.as(adam).get(`/resources/${id}`).expect(404);
      expect((await transfer(ann, id, other).expect(200)).body.data.revision).toBe(2);
    });

    it('is rejected for a team with open work in its home, and keeps only members of the new home', async () => {
      const team = await made({ type: 'team', organization_id: home });
      const mia = await colleague(home, 'member');
      const other = await app.organization(ann);
      for (const member of [ann.id, mia.id]) {
        await app.as(ann).post(`/resources/${team}/members`).send({ resource_id: member }).expect(201);
      }
      const garden = await app.endeavour(ann, { organization_id: home });
      const task = await app.task(ann, garden, { assignee_id: team });
      const { body } = await transfer(ann, team, other).expect(409);
      expect(body.error.details).toMatchObject({ reason: 'in_use', count: 1 });
      await app.as(ann).patch(`/tasks/${task}`).send({ assignee_id: null }).expect(200);
      await transfer(ann, team, other).expect(200);
      const members = await app.as(ann).get(`/resources/${team}/members`).expect(200);
      expect(members.body.data.map(({ name }: { name: string }) => name)).toEqual(['Ann']);
    });

    it('is rejected for a resource without a home', async () => {
      const { body } = await transfer(ann, await made(), home).expect(409);
      expect(body.error.details.reason).toBe('no_home');
    });
  });
});
