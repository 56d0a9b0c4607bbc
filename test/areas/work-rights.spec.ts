import { fieldErrorsOf } from '../support/refusals.js';
import { TestApp, type Person } from '../support/test-app.js';

interface Fault {
  field: string;
  code: string;
  message: string;
}

describe('permissions for work', () => {
  let app: TestApp;
  let [ann, mia, max, nia, vic]: Person[] = [];
  let riverside: string;
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open();
    [ann, mia, max, nia, vic] = await Promise.all(['Ann', 'Mia', 'Max', 'Nia', 'Vic'].map((name) => app.person(name)));
    riverside = await app.organization(ann);
    garden = await app.endeavour(ann, { organization_id: riverside });
    for (const person of [mia, max, nia]) {
      await app.join(riverside, person, 'member');
      await app.join(garden, person, 'member');
    }
    await app.join(garden, vic, 'viewer');
  });

  afterAll(() => app.close());

  const change = (id: string, body: object, person = ann) =>
    app
      .as(person)
      .patch(`/${id.startsWith('tsk_') ? 'tasks' : 'demands'}/${id}`)
      .send(body);
  const cancel = { status: 'canceled', canceled_reason: 'Rain' };

  async function team(quorum: object | null, ...members: Person[]): Promise<string> {
    const sent = { name: 'Painters', type: 'team', organization_id: riverside };
    const { id } = (await app.as(ann).post('/resources').send(sent).expect(201)).body.data;
    for (const { resourceId } of members) {
      await app.as(ann).post(`/resources/${id}/members`).send({ resource_id: resourceId }).expect(201);
    }
    if (quorum !== null) await app.as(ann).patch(`/resources/${id}`).send({ quorum }).expect(200);
    return id;
  }

  describe('canceling', () => {
    it('is not allowed for a member who assigned the task to themselves', async () => {
      const task = await app.task(ann, garden);
      await change(task, cancel, max).expect(403);
      await change(task, { assignee_id: 'me' }, max).expect(200);
      await change(task, cancel, max).expect(403);
      await change(task, { ...cancel, assignee_id: max.id }, max).expect(403);
      const transitions = await app.as(max).get(`/tasks/${task}/transitions`).expect(200);
      const canceled = transitions.body.data.find(({ status }: { status: string }) => status === 'canceled');
      expect(canceled).toMatchObject({ allowed: false, reasons: [{ code: 'forbidden' }] });
    });

    it('is not allowed for a member who assigned the task to a team of theirs', async () => {
      const task = await app.task(ann, garden);
      await change(task, { assignee_id: await team(null, max, mia) }, max).expect(200);
      await change(task, cancel, max).expect(403);
      await change(task, cancel, mia).expect(200);
    });

    it('is allowed to the creator, the owner, and an assignee assigned by another person', async () => {
      const assigned = await app.task(ann, garden, { assignee_id: max.id });
      await change(assigned, cancel, max).expect(200);
      const own = await app.task(max, garden);
      await change(own, cancel, max).expect(200);
      const owned = await app.task(ann, garden);
      await change(owned, { owner_id: max.id }).expect(200);
      await change(owned, cancel, max).expect(200);
    });

    it('of a demand is allowed for its creator and owner, like fulfilling', async () => {
      const demand = await app.demand(ann, garden);
      await change(demand, { status: 'in_progress' }, max).expect(200);
      await change(demand, { status: 'fulfilled' }, max).expect(403);
      await change(demand, cancel, max).expect(403);
      await change(demand, { owner_id: max.id }).expect(200);
      await change(demand, { status: 'fulfilled' }, max).expect(200);
    });
  });

  describe('the owner', () => {
    it('returns to the creator with null, or to the caller if the creator has left', async () => {
      for (const made of [await app.task(max, garden), await app.demand(max, garden)]) {
        await change(made, { owner_id: mia.id }).expect(200);
        await change(made, { owner_id: null }, nia).expect(403);
        expect((await change(made, { owner_id: null }, mia).expect(200)).body.data.owner_id).toBe(max.resourceId);
        await change(made, { owner_id: mia.id }).expect(200);
        expect((await change(made, { owner_id: '' }).expect(200)).body.data.owner_id).toBe(max.resourceId);
      }
      const gus = await app.person('Gus');
      await app.join(garden, gus, 'member');
      const task = await app.task(gus, garden);
      await change(task, { owner_id: mia.id }).expect(200);
      await app.as(gus).delete(`/endeavours/${garden}/members/${gus.id}`).expect(200);
      expect((await change(task, { owner_id: null }, mia).expect(200)).body.data.owner_id).toBe(mia.resourceId);
      await change(task, { owner_id: null }).expect(200);
      expect((await app.as(ann).get(`/tasks/${task}`).expect(200)).body.data.owner_id).toBe(ann.resourceId);
    });

    it('cannot be taken from a team by the creator in order to bypass its quorum', async () => {
      for (const made of [await app.task(nia, garden), await app.demand(nia, garden)]) {
        await change(made, { owner_id: await team({ cancel: 2 }, mia, max) }).expect(200);
        await change(made, { owner_id: nia.id }, nia).expect(403);
        await change(made, { owner_id: null }, nia).expect(403);
        await change(made, { ...cancel, owner_id: nia.id }, nia).expect(403);
        const { body } = await change(made, { owner_id: mia.id }, mia).expect(409);
        expect(body.error).toMatchObject({
          code: 'quorum_not_met',
          details: { action: 'cancel', current_count: 1, required_count: 2 },
        });
        await change(made, { owner_id: nia.id }, max).expect(409);
        await change(made, { owner_id: mia.id }, max).expect(200);
      }
    });

    it('can be changed by an endeavour admin alone, and freely if the team has no quorum', async () => {
      const task = await app.task(nia, garden);
      await change(task, { owner_id: await team({ default: 2 }, mia, max) }).expect(200);
      await change(task, { owner_id: ann.id }).expect(200);
      await change(task, { owner_id: await team(null, mia, max) }).expect(200);
      await change(task, { owner_id: max.id }, mia).expect(200);
    });

    it('does not restore old votes when a team gets the work back', async () => {
      const painters = await team({ cancel: 2 }, mia, max);
      const task = await app.task(ann, garden);
      await change(task, { owner_id: painters }).expect(200);
      await change(task, cancel, mia).expect(409);
      await change(task, { owner_id: ann.id }).expect(200);
      await change(task, { owner_id: painters }).expect(200);
      expect((await change(task, cancel, max).expect(409)).body.error.details.current_count).toBe(1);
    });
  });

  describe('the quorum', () => {
    it('counts only people who are members of the endeavour', async () => {
      const out = await app.person('Out');
      await app.join(riverside, out, 'member');
      const bot = { name: 'Bot', type: 'service', organization_id: riverside };
      const service = (await app.as(ann).post('/resources').send(bot).expect(201)).body.data.id;
      const painters = await team(null, mia, max, out);
      await app.as(ann).post(`/resources/${painters}/members`).send({ resource_id: service }).expect(201);
      await app
        .as(ann)
        .patch(`/resources/${painters}`)
        .send({ quorum: { cancel: 4 } })
        .expect(200);
      const shed = await app.endeavour(ann);
      for (const person of [mia, max]) await app.join(shed, person, 'member');
      const task = await app.task(ann, shed);
      await app.database.query('UPDATE tasks SET owner_id = $2 WHERE id = $1', [task, painters]);
      const { body } = await change(task, cancel, mia).expect(409);
      expect(body.error.details).toMatchObject({ current_count: 1, required_count: 2 });
      await change(task, cancel, max).expect(200);
    });

    it('requires new votes after a change, which needs the right to cancel', async () => {
      const task = await app.task(ann, garden);
      await change(task, { owner_id: await team({ cancel: 2 }, mia, max) }).expect(200);
      await change(task, cancel, mia).expect(409);
      await change(task, { title: 'Burn the gate' }, nia).expect(403);
      await change(task, { due_date: '2027-01-01' }, nia).expect(200);
      await change(task, { title: 'Burn the gate' }, max).expect(200);
      expect((await change(task, cancel, max).expect(409)).body.error.details.current_count).toBe(1);
      const demand = await app.demand(ann, garden);
      await change(demand, { owner_id: await team({ cancel: 2 }, mia, max) }).expect(200);
      await change(demand, cancel, mia).expect(409);
      await change(demand, { description: 'Other' }).expect(200);
      expect((await change(demand, cancel, max).expect(409)).body.error.details.current_count).toBe(1);
    });
  });

  describe('assigning', () => {
    const refused = async (assignee_id: string, person = ann): Promise<Fault> => {
      const { body } = await app
        .as(person)
        .post('/tasks')
        .send({ title: 'Paint', endeavour_id: garden, assignee_id })
        .expect(400);
      return body.error.details.fields[0];
    };

    it('rejects a suspended user, and names the reason', async () => {
      const sam = await app.person('Sam');
      await app.join(garden, sam, 'member');
      await app.database.query(`UPDATE users SET status = 'suspended' WHERE id = $1`, [sam.id]);
      expect(await refused(sam.id)).toEqual({
        field: 'assignee_id',
        code: 'reference_not_found',
        message: expect.stringContaining('a user who is suspended'),
      });
      const task = await app.task(ann, garden);
      expect(fieldErrorsOf((await change(task, { owner_id: sam.id }).expect(400)).body)).toEqual([
        'owner_id reference_not_found',
      ]);
    });

    it('names the missing step and operation for visible users, and nothing for others', async () => {
      const [eve, hid] = [await app.person('Eve'), await app.person('Hid')];
      await app.join(riverside, eve, 'guest');
      expect((await refused(vic.id)).message).toContain('PATCH /endeavours/{id}/members/{user_id}');
      expect((await refused(eve.resourceId)).message).toContain('PATCH /endeavours/{id}/members/{user_id}');
      const shed = await app.endeavour(ann);
      await app.join(shed, hid, 'member');
      expect((await refused(hid.id)).message).toContain('POST /endeavours/{id}/members');
      const unseen = await refused(hid.id, mia);
      expect(unseen).toEqual(await refused(`usr_${'0'.repeat(32)}`, mia));
    });

    it('accepts resources of the organizations, and one without an organization from its manager', async () => {
      const make = async (person: Person, more: object = {}): Promise<string> =>
        (
          await app
            .as(person)
            .post('/resources')
            .send({ name: 'Van', type: 'service', ...more })
            .expect(201)
        ).body.data.id;
      const ours = await make(ann, { organization_id: riverside });
      await app.task(mia, garden, { assignee_id: ours });
      const mias = await make(mia);
      await app.task(mia, garden, { assignee_id: mias });
      expect((await refused(mias)).code).toBe('reference_not_found');
      const other = await app.organization(mia, { name: 'Elsewhere' });
      const theirs = await make(mia, { organization_id: other });
      expect((await refused(theirs, mia)).message).toContain('POST /organizations/{id}/resources');
      const listed = await app.as(mia).get(`/resources?endeavour_id=${garden}`).expect(200);
      const ids = listed.body.data.map(({ id }: { id: string }) => id);
      expect(ids).toEqual(expect.arrayContaining([ours, mias, mia.resourceId]));
      expect(ids).not.toContain(vic.resourceId);
      expect(ids).not.toContain(theirs);
      await app.as(ann).patch(`/resources/${ours}`).send({ status: 'inactive' }).expect(200);
      expect((await refused(ours)).message).toContain('inactive');
    });
  });

  it('keep a permanent history of who was assigned, when and by whom', async () => {
    const task = await app.task(ann, garden, { assignee_id: mia.id });
    await change(task, { assignee_id: max.id }, mia).expect(200);
    await change(task, { title: 'Paint it' }, max).expect(200);
    await change(task, { assignee_id: null }).expect(200);
    const rows = await app.database.query(
      `SELECT assignee_id, assigned_by, ended_by, writers, ended_at >= assigned_at AS over
       FROM task_assignments WHERE task_id = $1 ORDER BY id`,
      [task],
    );
    expect(rows).toEqual([
      { assignee_id: mia.resourceId, assigned_by: ann.resourceId, ended_by: mia.resourceId, writers: [], over: true },
      {
        assignee_id: max.resourceId,
        assigned_by: mia.resourceId,
        ended_by: ann.resourceId,
        writers: [max.resourceId],
        over: true,
      },
    ]);
  });

  it('allow only admins of the home organization to move a task out of it', async () => {
    const adam = await app.person('Adam');
    await app.join(garden, adam, 'admin');
    const own = await app.endeavour(adam);
    const task = await app.task(ann, garden);
    const { body } = await change(task, { endeavour_id: own }, adam).expect(403);
    expect(body.error.details.required).toContain('home organization');
    const sibling = await app.endeavour(ann, { organization_id: riverside });
    await app.join(sibling, adam, 'member');
    await change(task, { endeavour_id: sibling }, adam).expect(200);
    await app.join(own, ann, 'member');
    await change(task, { endeavour_id: own }).expect(200);
    await change(task, { endeavour_id: sibling, owner_id: ann.id }, ann).expect(403);
    const free = await app.task(adam, own);
    await change(free, { endeavour_id: sibling }, adam).expect(200);
  });

  describe('listing', () => {
    it('returns a summary of tasks separately, with every filter of the list', async () => {
      const shed = await app.endeavour(ann, { organization_id: riverside });
      const tasks = [await app.task(ann, shed), await app.task(ann, shed), await app.task(ann, shed)];
      await change(tasks[0], { status: 'active' }).expect(200);
      await change(tasks[0], { status: 'done' }).expect(200);
      const counts = async (query: string, person = ann) =>
        (await app.as(person).get(`/tasks/summary?${query}`).expect(200)).body.data;
      expect(await counts(`endeavour_id=${shed}`)).toEqual({ total: 3, planned: 2, active: 0, done: 1, canceled: 0 });
      expect(await counts(`endeavour_id=${shed}&status=done`)).toMatchObject({ total: 1 });
      expect(await counts(`endeavour_id=${shed}`, vic)).toMatchObject({ total: 0 });
      expect(await counts(`endeavour_id=${shed}&search=paint`)).toMatchObject({ total: 3 });
      for (const name of ['limit', 'sort', 'cursor', 'summary']) {
        await app.as(ann).get(`/tasks/summary?${name}=1`).expect(400);
      }
    });

    it('finds work by organization and completion time, and overdue demands', async () => {
      const home = await app.organization(ann, { name: 'Hill' });
      const shed = await app.endeavour(ann, { organization_id: home });
      const [first, second] = [await app.task(ann, shed), await app.task(ann, shed)];
      const late = await app.demand(ann, shed, { due_date: '2020-01-01' });
      const soon = await app.demand(ann, shed, { due_date: '2100-01-01' });
      const ids = async (path: string): Promise<string[]> =>
        (await app.as(ann).get(path).expect(200)).body.data.map(({ id }: { id: string }) => id);
      expect(await ids(`/tasks?organization_id=${home}`)).toEqual([second, first]);
      expect(await ids(`/demands?organization_id=${home}&sort=created_at`)).toEqual([late, soon]);
      expect(await ids(`/demands?organization_id=${home}&overdue=true`)).toEqual([late]);
      expect(await ids(`/demands?organization_id=${home}&overdue=false`)).toEqual([soon]);
      for (const task of [second, first]) {
        await change(task, { status: 'active' }).expect(200);
        await change(task, { status: 'done' }).expect(200);
      }
      await app.database.query(`UPDATE tasks SET completed_at = '2026-01-01' WHERE id = $1`, [second]);
      expect(await ids(`/tasks?organization_id=${home}&completed_before=2026-01-02`)).toEqual([second]);
      expect(await ids(`/tasks?organization_id=${home}&completed_after=2026-01-02`)).toEqual([first]);
      expect(await ids(`/tasks?endeavour_id=${shed}&sort=completed_at`)).toEqual([second, first]);
    });
  });
});
