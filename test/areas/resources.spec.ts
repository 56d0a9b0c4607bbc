import { newId } from '../../src/common/ids.js';
import { TestApp, type Person } from '../support/test-app.js';
import { race } from '../support/races.js';

const faults = (body: { error: { details: { fields: { field: string; code: string }[] } } }) =>
  body.error.details.fields.map(({ field, code }) => `${field} ${code}`);

describe('resources', () => {
  let app: TestApp;
  let ann: Person;
  let riverside: string;

  beforeAll(async () => {
    app = await TestApp.open();
    ann = await app.person('Ann');
    riverside = await app.organization(ann);
  });

  afterAll(() => app.close());

  const create = (more: object = {}, person = ann) =>
    app
      .as(person)
      .post('/resources')
      .send({ name: 'Wheelbarrow', type: 'service', ...more });
  const made = async (more: object = {}, person = ann): Promise<string> =>
    (await create(more, person).expect(201)).body.data.id;
  const patch = (id: string, body: object, person = ann) => app.as(person).patch(`/resources/${id}`).send(body);
  const remove = (id: string, query = '', person = ann) => app.as(person).delete(`/resources/${id}${query}`);
  const list = async (query: string, person = ann): Promise<string[]> => {
    const { body } = await app.as(person).get(`/resources?${query}`).expect(200);
    expect(body.meta.total).toBe(body.data.length);
    return body.data.map(({ name }: { name: string }) => name);
  };
  const colleague = async (name: string, role = 'member'): Promise<Person> => {
    const person = await app.person(name);
    await app.join(riverside, person, role);
    return person;
  };

  describe('creating', () => {
    it('returns the whole representation', async () => {
      const sent = { capacity_model: 'hours_per_week', capacity_value: 38.5, skills: ['digging'], metadata: { a: 1 } };
      const { body, headers } = await create({ ...sent, organization_id: riverside }).expect(201);
      expect(headers.location).toBe(`/api/v1/resources/${body.data.id}`);
      expect(body.data).toEqual({
        id: expect.stringMatching(/^res_[0-9a-f]{32}$/),
        name: 'Wheelbarrow',
        type: 'service',
        ...sent,
        status: 'active',
        user_id: null,
        organization_id: riverside,
        organizations: [{ id: riverside, role: 'member' }],
        quorum: null,
        external_ref: null,
        created_by: ann.resourceId,
        created_at: expect.any(String),
        updated_at: body.data.created_at,
        revision: 1,
      });
    });

    it('returns all field errors at once', async () => {
      const sent = { type: 'robot', capacity_value: -1, capacity_model: 'Hours', skills: ['a', 'a'], status: 'active' };
      const { body } = await app.as(ann).post('/resources').send(sent).expect(400);
      expect(faults(body)).toEqual([
        'name required',
        'type invalid_value',
        'capacity_model invalid_format',
        'capacity_value out_of_range',
        'skills.1 invalid_value',
        'status read_only',
      ]);
    });

    it('requires the admin role in the organization, which must not be archived', async () => {
      const [mia, eve] = [await colleague('Mia'), await app.person('Eve')];
      await create({ organization_id: riverside }, mia).expect(403);
      expect(faults((await create({ organization_id: riverside }, eve).expect(400)).body)).toEqual([
        'organization_id reference_not_found',
      ]);
      const closed = await app.organization(ann);
      const inClosed = await made({ organization_id: closed });
      await app.database.query(`UPDATE organizations SET status = 'archived' WHERE id = $1`, [closed]);
      expect((await create({ organization_id: closed }).expect(409)).body.error.code).toBe('archived');
      expect((await patch(inClosed, { name: 'New' }).expect(409)).body.error.code).toBe('archived');
    });
  });

  describe('reading', () => {
    it('is allowed for its creator, its user, and members of its organizations and endeavours', async () => {
      const [mia, vic, eve] = [await colleague('Mia', 'guest'), await app.person('Vic'), await app.person('Eve')];
      const garden = await app.endeavour(ann);
      await app.link(riverside, garden);
      await app.join(garden, vic, 'viewer');
      const id = await made({ organization_id: riverside });
      const alone = await made({});
      await app.task(ann, garden, { assignee_id: id });
      for (const person of [ann, mia, vic]) await app.as(person).get(`/resources/${id}`).expect(200);
      for (const person of [mia, vic, eve]) await app.as(person).get(`/resources/${alone}`).expect(404);
      await app.as(eve).get(`/resources/${id}`).expect(404);
      await app.as(eve).get(`/resources/${ann.resourceId}`).expect(404);
      await app.as(eve).get(`/resources/${eve.resourceId}`).expect(200);
      await app.as(vic).get(`/resources/${ann.resourceId}`).expect(200);
    });

    it('lists exactly what can be read one by one', async () => {
      const [mia, vic, eve] = [await colleague('Mia'), await app.person('Vic'), await app.person('Eve')];
      const shed = await app.endeavour(mia);
      await app.join(shed, vic, 'viewer');
      await made({}, eve);
      const { body: all } = await app
        .as(await app.admin())
        .get('/resources?limit=200')
        .expect(200);
      for (const person of [ann, mia, vic, eve]) {
        const { body } = await app.as(person).get('/resources?limit=200').expect(200);
        const listed = body.data.map(({ id }: { id: string }) => id);
        const readable = [];
        for (const { id } of all.data) {
          const { status } = await app.as(person).get(`/resources/${id}`);
          if (status === 200) readable.push(id);
        }
        expect(listed).toEqual(readable);
      }
    });

    it('does not reveal other memberships of a person', async () => {
      const mia = await colleague('Mia');
      const secret = await app.organization(mia, { name: 'Secret' });
      const isVisibleTo = async (person: Person) =>
        (await app.as(person).get(`/resources/${mia.resourceId}`).expect(200)).body.data.organizations;
      expect(await isVisibleTo(ann)).toEqual([{ id: riverside, role: 'member' }]);
      expect(await isVisibleTo(mia)).toEqual([
        { id: riverside, role: 'member' },
        { id: secret, role: 'owner' },
      ]);
    });
  });

  describe('patching', () => {
    it('changes only what is sent, and clears with null and ""', async () => {
      const id = await made({
        capacity_model: 'always_on',
        capacity_value: 1,
        skills: ['a'],
        metadata: { a: 1, b: 2 },
      });
      const sent = { capacity_model: '', capacity_value: null, skills: null, metadata: { a: null } };
      const { body } = await patch(id, sent).expect(200);
      expect(body.data).toMatchObject({
        name: 'Wheelbarrow',
        capacity_model: null,
        capacity_value: null,
        skills: [],
        metadata: { b: 2 },
        revision: 2,
      });
      expect((await patch(id, {}).expect(200)).body.data.revision).toBe(2);
      expect((await patch(id, { skills: [], status: 'active' }).expect(200)).body.data.revision).toBe(2);
      await patch(id, { name: 'New' }).set('If-Match', '"1"').expect(412);
      expect(faults((await patch(id, { name: null, user_id: ann.id }).expect(400)).body)).toEqual([
        'name not_nullable',
        'user_id read_only',
      ]);
    });

    it('changes the type among human, agent, service and budget, but not of teams and users', async () => {
      const id = await made();
      for (const type of ['human', 'agent', 'budget', 'service'])
        expect((await patch(id, { type }).expect(200)).body.data.type).toBe(type);
      expect(faults((await patch(id, { type: 'team' }).expect(400)).body)).toEqual(['type invalid_value']);
      const team = await made({ type: 'team' });
      expect(faults((await patch(team, { type: 'human' }).expect(400)).body)).toEqual(['type invalid_value']);
      expect(faults((await patch(ann.resourceId, { type: 'agent' }).expect(400)).body)).toEqual(['type read_only']);
      await patch(ann.resourceId, { type: 'human' }).expect(200);
    });

    it('is allowed to admins of its home, to its creator while it has none, and to users for their own', async () => {
      const [adam, mia, cleo] = [await colleague('Adam', 'admin'), await colleague('Mia'), await colleague('Cleo')];
      const id = await made({}, cleo);
      await patch(id, { name: 'A' }, cleo).expect(200);
      await patch(id, { name: 'B' }, adam).expect(404);
      const ours = await made({ organization_id: riverside }, adam);
      await app.database.query(
        `UPDATE organization_resources SET role = 'member' WHERE organization_id = $1 AND user_id = $2`,
        [riverside, adam.id],
      );
      await patch(ours, { name: 'C' }, adam).expect(403);
      await patch(ours, { name: 'D' }, ann).expect(200);
      await patch(mia.resourceId, { name: 'E' }, adam).expect(403);
      expect((await patch(mia.resourceId, { skills: ['digging'] }, mia).expect(200)).body.data.skills).toEqual([
        'digging',
      ]);
      await patch(mia.resourceId, { name: 'Mia M.' }, await app.admin()).expect(200);
    });

    it('to inactive keeps its work and prevents new assignments', async () => {
      const garden = await app.endeavour(ann);
      await app.link(riverside, garden);
      const id = await made({ organization_id: riverside });
      const task = await app.task(ann, garden, { assignee_id: id });
      await patch(id, { status: 'inactive' }).expect(200);
      const { body } = await app
        .as(ann)
        .post('/tasks')
        .send({ title: 'More', endeavour_id: garden, assignee_id: id })
        .expect(400);
      expect(faults(body)).toEqual(['assignee_id reference_not_found']);
      await app.as(ann).patch(`/tasks/${task}`).send({ title: 'Same', assignee_id: id }).expect(200);
    });
  });

  describe('deleting', () => {
    let garden: string;

    beforeAll(async () => {
      garden = await app.endeavour(ann);
      await app.link(riverside, garden);
    });

    it('is a soft delete: finished tasks keep the name, lists and reads exclude it', async () => {
      const id = await made({ name: 'Old mower', organization_id: riverside });
      const task = await app.task(ann, garden, { assignee_id: id });
      await app.as(ann).patch(`/tasks/${task}`).send({ status: 'active' }).expect(200);
      await app.as(ann).patch(`/tasks/${task}`).send({ status: 'done' }).expect(200);
      const { body } = await remove(id).expect(200);
      expect(body.data).toEqual({ id, deleted: true });
      await app.as(ann).get(`/resources/${id}`).expect(404);
      await remove(id).expect(404);
      await patch(id, { name: 'New' }).expect(404);
      const { body: listed } = await app.as(ann).get('/resources?search=mower').expect(200);
      expect(listed).toMatchObject({ data: [], meta: { total: 0 } });
      const { body: done } = await app.as(ann).get(`/tasks/${task}`).expect(200);
      expect(done.data).toMatchObject({ assignee_id: id, assignee_name: 'Old mower' });
      expect(
        await app.database.query(`SELECT type FROM events WHERE entity_id = $1 ORDER BY sequence DESC LIMIT 1`, [id]),
      ).toEqual([{ type: 'resource.deleted' }]);
    });

    it('ends its memberships in teams and organizations, each with an event and an audit entry', async () => {
      const partner = await app.organization(ann);
      const id = await made({ organization_id: riverside });
      const crew = await made({ type: 'team', organization_id: riverside });
      await app.as(ann).post(`/organizations/${partner}/resources`).send({ resource_id: id }).expect(200);
      await app.as(ann).post(`/resources/${crew}/members`).send({ resource_id: id, role: 'tool' }).expect(201);
      const { body } = await app.as(ann).get('/changes?after=now').expect(200);
      await remove(id).expect(200);
      const changes = await app.as(ann).get(`/changes?after=${body.meta.next}`).expect(200);
      const ofOrganization = { resource_id: id, user_id: null, role: null, stakeholder_roles: [] };
      const ended = changes.body.data.map((event: { type: string; entity_id: string; data: object }) => [
        event.type,
        event.entity_id,
        event.type === 'member.removed' ? event.data : undefined,
      ]);
      expect(ended).toEqual([
        ['member.removed', crew, { resource_id: id, role: 'tool' }],
        ...[riverside, partner].sort().map((organization) => ['member.removed', organization, ofOrganization]),
        ['resource.deleted', id, undefined],
      ]);
      const ada = await app.admin();
      const { body: audit } = await app.as(ada).get('/audit?action=member.removed').expect(200);
      const entries = audit.data.filter(
        (entry: { details: { resource_id?: string } }) => entry.details.resource_id === id,
      );
      expect(entries.map(({ entity_id }: { entity_id: string }) => entity_id).sort()).toEqual(
        [crew, riverside, partner].sort(),
      );
    });

    it('rejects the resource of a user, and one in use with the number of uses', async () => {
      expect((await remove(ann.resourceId).expect(409)).body.error.details.reason).toBe('user_resource');
      const id = await made({ organization_id: riverside });
      await app.task(ann, garden, { assignee_id: id });
      await app.task(ann, garden, { assignee_id: id });
      const { body } = await remove(id).expect(409);
      expect(body.error).toMatchObject({ code: 'conflict', details: { reason: 'in_use', count: 2 } });
      await app.as(ann).get(`/resources/${id}`).expect(200);
    });

    it('reassigns its open tasks, each with a new revision and an event', async () => {
      const id = await made({ organization_id: riverside });
      const task = await app.task(ann, garden, { assignee_id: id });
      await remove(id, '?reassign_to=me').expect(200);
      const { body } = await app.as(ann).get(`/tasks/${task}`).expect(200);
      expect(body.data).toMatchObject({ assignee_id: ann.resourceId, revision: 2 });
      const events = await app.database.query(
        'SELECT type, changed, previous FROM events WHERE entity_id = $1 ORDER BY sequence',
        [task],
      );
      expect(events).toEqual([
        { type: 'task.created', changed: [], previous: {} },
        { type: 'task.updated', changed: ['assignee_id'], previous: { assignee_id: id } },
      ]);
    });

    it('reassigns only to assignable resources, and only by members of the endeavour', async () => {
      const adam = await colleague('Adam', 'admin');
      const eve = await app.person('Eve');
      const secret = await app.endeavour(ann);
      await app.link(riverside, secret);
      const id = await made({ organization_id: riverside });
      await app.task(ann, garden, { assignee_id: id });
      const other = await made({ organization_id: await app.organization(ann) });
      for (const heir of [eve.id, newId('resource'), other]) {
        expect(faults((await remove(id, `?reassign_to=${heir}`).expect(400)).body)).toEqual([
          'reassign_to reference_not_found',
        ]);
      }
      expect(faults((await remove(id, `?reassign_to=${id}`).expect(400)).body)).toEqual(['reassign_to invalid_value']);
      expect(faults((await remove(id, '?reassign_to=x').expect(400)).body)).toEqual(['reassign_to invalid_format']);
      expect(faults((await remove(id, '?force=true').expect(400)).body)).toEqual(['force unknown_field']);
      const task = await app.task(ann, secret, { assignee_id: id });
      await app.as(ann).delete(`/organizations/${riverside}/endeavours/${secret}`).expect(200);
      await app.join(secret, adam, 'viewer');
      await remove(id, '?reassign_to=me', adam).expect(403);
      await app.as(ann).patch(`/tasks/${task}`).send({ assignee_id: null }).expect(200);
      await remove(id, '?reassign_to=me', adam).expect(200);
    });

    it('looks up the new assignee before it compares If-Match', async () => {
      const id = await made({ organization_id: riverside });
      const removeStale = (query: string) => remove(id, query).set('If-Match', '"999"');
      await removeStale(`?reassign_to=${newId('resource')}`).expect(400);
      await removeStale('?reassign_to=me').expect(412);
      await app.as(ann).get(`/resources/${id}`).expect(200);
    });

    race('either prevents a concurrent assignment or is rejected because of it', 25, async () => {
      const id = await made({ organization_id: riverside });
      const slip = app.as(ann).post('/tasks').send({ title: 'Late', endeavour_id: garden, assignee_id: id });
      const [removed, added] = await Promise.all([remove(id), slip]);
      expect([removed.status, added.status]).toEqual(removed.status === 200 ? [200, 400] : [409, 201]);
    });
  });

  describe('listing', () => {
    let yard: string;
    let orchard: string;
    beforeAll(async () => {
      yard = await app.organization(ann, { name: 'Yard' });
      orchard = await app.endeavour(ann, { name: 'Orchard' });
      await app.link(yard, orchard);
      await made({ name: 'Axe', skills: ['felling', 'sharp'], organization_id: yard });
      const broom = await made({ name: 'Broom', type: 'budget', skills: ['sweeping'], organization_id: yard });
      await patch(broom, { status: 'inactive' }).expect(200);
      await made({ name: 'Crew', type: 'team', organization_id: yard });
    });

    it.each([
      ['type=budget,team', ['Broom', 'Crew']],
      ['status=inactive', ['Broom']],
      ['skill=sharp', ['Axe']],
      ['skill=felling,sweeping', ['Axe', 'Broom']],
      ['search=ROO', ['Broom']],
      ['search=50%25', []],
      ['sort=-name&type=service,budget,team', ['Crew', 'Broom', 'Axe']],
      ['sort=created_at&type=service,budget,team', ['Axe', 'Broom', 'Crew']],
    ])('filters by %s', async (query, names) => {
      expect(await list(`organization_id=${yard}&${query.includes('sort') ? '' : 'sort=name&'}${query}`)).toEqual(
        names,
      );
    });

    it('by endeavour returns the resources that can be assigned its work', async () => {
      const names = await list(`endeavour_id=${orchard}&sort=name`);
      // Includes Ann's own resources without an organization.
      expect([...new Set(names)]).toEqual(['Ann', 'Axe', 'Crew', 'Wheelbarrow']);
    });

    it('is empty for a container that the caller does not see, even if they see its members', async () => {
      const mia = await app.person('Mia');
      const shed = await app.endeavour(mia);
      await app.join(shed, ann, 'member');
      expect(await list(`endeavour_id=${orchard}`, mia)).toEqual([]);
      expect(await list(`organization_id=${yard}`, mia)).toEqual([]);
      expect(await list(`endeavour_id=${shed}&sort=name`, mia)).toEqual(['Ann', 'Mia']);
    });
  });
});
