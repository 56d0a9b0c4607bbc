import { TestApp, type Person } from '../support/test-app.js';

describe('leaving the home organization', () => {
  let app: TestApp;
  let ann: Person;
  let riverside: string;

  beforeAll(async () => {
    app = await TestApp.open();
  });

  beforeEach(async () => {
    ann = await app.person('Ann');
    riverside = await app.organization(ann);
  });

  afterAll(() => app.close());

  const colleague = async (name: string, role = 'member'): Promise<Person> => {
    const person = await app.person(name);
    await app.join(riverside, person, role);
    return person;
  };
  const dismiss = (person: Person, query = '', by = ann) =>
    app.as(by).delete(`/organizations/${riverside}/members/${person.id}${query}`);
  const roleIn = async (endeavour: string, person: Person): Promise<string | null> => {
    const { status, body } = await app.as(person).get(`/endeavours/${endeavour}`);
    return status === 404 ? null : body.data.my_role;
  };
  const events = async (id: string): Promise<string[]> => {
    const rows = await app.database.query<{ type: string }>(
      'SELECT type FROM events WHERE entity_id = $1 ORDER BY sequence',
      [id],
    );
    return rows.map(({ type }) => type);
  };

  it('keeps the owners of the home as owners when a removed member tries to link the endeavour', async () => {
    const mia = await colleague('Mia');
    const garden = await app.endeavour(mia, { organization_id: riverside });
    const { body } = await dismiss(mia).expect(200);
    expect(body.data).toEqual({
      id: mia.id,
      deleted: true,
      ended: [{ endeavour_id: garden, role: 'owner' }],
      outsiders: [],
      links: [],
    });
    const shell = await app.organization(mia);
    await app.as(mia).post(`/organizations/${shell}/endeavours`).send({ endeavour_id: garden }).expect(400);
    await app.as(mia).get(`/endeavours/${garden}/export`).expect(404);
    await app.as(mia).post(`/endeavours/${garden}/archive`).send({ reason: 'Mine' }).expect(404);
    expect(await roleIn(garden, ann)).toBe('owner');
    expect(await events(garden)).toEqual(['endeavour.created', 'member.removed']);
  });

  it('ends the roles of the member in the organization, and no others', async () => {
    const mia = await colleague('Mia');
    const garden = await app.endeavour(mia, { organization_id: riverside });
    const own = await app.endeavour(mia);
    const { body } = await dismiss(mia, '', mia).expect(200);
    expect(body.data.ended).toEqual([{ endeavour_id: garden, role: 'owner' }]);
    expect([await roleIn(garden, mia), await roleIn(own, mia)]).toEqual([null, 'owner']);
  });

  it('removes the links that the removed member made to organizations that they control', async () => {
    const [mia, stranger] = [await colleague('Mia', 'owner'), await app.person('Stranger')];
    const garden = await app.endeavour(ann, { organization_id: riverside });
    const [shell, partner] = [await app.organization(mia), await app.organization(await app.person('Pat'))];
    await app.join(partner, mia, 'admin');
    await app.as(mia).post(`/organizations/${shell}/endeavours`).send({ endeavour_id: garden }).expect(200);
    await app.join(shell, stranger, 'member');
    const server = await app
      .as(ann)
      .post('/resources')
      .send({ name: 'Server', type: 'service', organization_id: riverside })
      .expect(201);
    const shared = server.body.data.id;
    await app.as(mia).post(`/organizations/${partner}/resources`).send({ resource_id: shared }).expect(200);
    const crew = { name: 'Crew', type: 'team', organization_id: partner };
    const team = (await app.as(mia).post('/resources').send(crew).expect(201)).body.data.id;
    await app.as(mia).post(`/resources/${team}/members`).send({ resource_id: shared }).expect(201);
    const { body } = await dismiss(mia).expect(200);
    expect(body.data.links).toEqual([
      { organization_id: shell, endeavour_id: garden, resource_id: null, ended: true },
      { organization_id: partner, endeavour_id: null, resource_id: shared, ended: true },
    ]);
    expect([await roleIn(garden, stranger), await roleIn(garden, mia)]).toEqual([null, null]);
    await app.as(mia).get(`/resources/${shared}`).expect(404);
    expect(await events(garden)).toContain('endeavour.unlinked');
    expect(await events(team)).toEqual(['resource.created', 'member.added', 'member.removed']);
  });

  it('reports, and keeps, links elsewhere and outsiders that the member added', async () => {
    const [mia, pat] = [await colleague('Mia', 'owner'), await app.person('Pat')];
    const garden = await app.endeavour(ann, { organization_id: riverside });
    const partner = await app.organization(pat);
    await app.join(partner, mia, 'admin');
    await app.as(mia).post(`/organizations/${partner}/endeavours`).send({ endeavour_id: garden }).expect(200);
    await app.database.query('DELETE FROM organization_resources WHERE organization_id = $1 AND user_id = $2', [
      partner,
      mia.id,
    ]);
    const eve = await app.person('Eve');
    await app.join(garden, eve, 'viewer');
    await app.database.query('UPDATE endeavour_members SET added_by = $1 WHERE user_id = $2', [mia.id, eve.id]);
    const { body } = await dismiss(mia).expect(200);
    expect(body.data.outsiders).toEqual([{ endeavour_id: garden, user_id: eve.id, role: 'viewer' }]);
    expect(body.data.links).toEqual([
      { organization_id: partner, endeavour_id: garden, resource_id: null, ended: false },
    ]);
    expect([await roleIn(garden, eve), await roleIn(garden, pat)]).toEqual(['viewer', 'member']);
  });

  it('removes the member from the teams of the organization, with an event for each', async () => {
    const mia = await colleague('Mia');
    const made = await app
      .as(ann)
      .post('/resources')
      .send({ name: 'Crew', type: 'team', organization_id: riverside })
      .expect(201);
    const team = made.body.data.id;
    await app.as(ann).post(`/resources/${team}/members`).send({ resource_id: mia.id }).expect(201);
    await app.as(ann).delete(`/organizations/${riverside}/resources/${mia.resourceId}`).expect(200);
    const { body } = await app.as(ann).get(`/resources/${team}/members`).expect(200);
    expect(body.data).toEqual([]);
    expect(await events(team)).toEqual(['resource.created', 'member.added', 'member.removed']);
  });

  describe('can keep', () => {
    it('roles in endeavours, at most as member, when an admin removes another member', async () => {
      const [mia, adam] = [await colleague('Mia'), await colleague('Adam', 'admin')];
      const garden = await app.endeavour(mia, { organization_id: riverside });
      await dismiss(mia, '?keep_endeavours=true', mia).expect(403);
      const { body } = await dismiss(mia, '?keep_endeavours=true', adam).expect(200);
      expect(body.data.ended).toEqual([]);
      expect(await roleIn(garden, mia)).toBe('member');
      expect(await events(garden)).toEqual(['endeavour.created', 'member.changed']);
    });

    it('links, when an owner removes another member', async () => {
      const [mia, adam] = [await colleague('Mia'), await colleague('Adam', 'admin')];
      const garden = await app.endeavour(ann, { organization_id: riverside });
      const shell = await app.organization(mia);
      await app.link(shell, garden);
      await dismiss(mia, '?keep_links=true', adam).expect(403);
      await dismiss(mia, '?keep_links=true', mia).expect(403);
      const { body } = await dismiss(mia, '?keep_links=true').expect(200);
      expect(body.data.links).toEqual([]);
      expect(await roleIn(garden, mia)).toBe('member');
    });

    it('nothing with invalid parameters', async () => {
      const mia = await colleague('Mia');
      const { body } = await dismiss(mia, '?keep_links=maybe').expect(400);
      expect(body.error.details.fields).toMatchObject([{ field: 'keep_links', code: 'invalid_value' }]);
      await dismiss(mia, '?keep=1').expect(400);
    });
  });
});
