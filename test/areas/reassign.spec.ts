import { TestApp, type Person } from '../support/test-app.js';

describe('reassigning', () => {
  let app: TestApp;
  let ann: Person;
  let mia: Person;
  let bob: Person;
  let riverside: string;
  let garden: string;
  let shed: string;

  beforeAll(async () => {
    app = await TestApp.open();
  });

  beforeEach(async () => {
    [ann, mia, bob] = [await app.person('Ann'), await app.person('Mia'), await app.person('Bob')];
    riverside = await app.organization(ann);
    garden = await app.endeavour(ann, { organization_id: riverside });
    shed = await app.endeavour(ann, { name: 'Shed', organization_id: riverside });
    for (const endeavour of [garden, shed]) await app.join(endeavour, mia, 'member');
    await app.join(garden, bob, 'member');
  });

  afterAll(() => app.close());

  const reassign = (by: Person, body: object, from = mia) =>
    app.as(by).post(`/resources/${from.resourceId}/reassign`).send(body);
  const task = async (id: string) => (await app.as(ann).get(`/tasks/${id}`).expect(200)).body.data;

  it('reassigns all planned, active and open work in one transaction', async () => {
    const both = await app.task(mia, garden, { assignee_id: mia.resourceId });
    const assigned = await app.task(ann, garden, { assignee_id: mia.resourceId });
    const owned = await app.task(mia, garden);
    const demand = await app.demand(mia, garden);
    const done = await app.task(mia, garden, { assignee_id: mia.resourceId });
    await app.as(mia).patch(`/tasks/${assigned}`).send({ status: 'active' }).expect(200);
    await app.as(mia).patch(`/tasks/${done}`).send({ status: 'active' }).expect(200);
    await app.as(mia).patch(`/tasks/${done}`).send({ status: 'done' }).expect(200);
    const before = (await task(both)).revision;
    const { body } = await reassign(mia, { to: bob.id }).expect(200);
    expect(body.data).toEqual({ moved: 4, skipped: [] });
    expect(await task(both)).toMatchObject({
      assignee_id: bob.resourceId,
      owner_id: bob.resourceId,
      creator_id: mia.resourceId,
      revision: before + 1,
    });
    expect(await task(assigned)).toMatchObject({ assignee_id: bob.resourceId, owner_id: ann.resourceId });
    expect(await task(owned)).toMatchObject({ assignee_id: null, owner_id: bob.resourceId });
    expect((await app.as(ann).get(`/demands/${demand}`)).body.data).toMatchObject({ owner_id: bob.resourceId });
    expect(await task(done)).toMatchObject({ assignee_id: mia.resourceId, owner_id: mia.resourceId });
    const [event] = await app.database.query(
      'SELECT type, actor_id, changed, previous FROM events WHERE entity_id = $1 ORDER BY sequence DESC LIMIT 1',
      [both],
    );
    expect(event).toEqual({
      type: 'task.updated',
      actor_id: mia.resourceId,
      changed: ['assignee_id', 'owner_id'],
      previous: { assignee_id: mia.resourceId, owner_id: mia.resourceId },
    });
    expect((await reassign(mia, { to: bob.id }).expect(200)).body.data).toEqual({ moved: 0, skipped: [] });
  });

  it('moves only the requested work', async () => {
    const work = await app.task(mia, garden, { assignee_id: mia.resourceId });
    expect((await reassign(mia, { to: bob.id, include: ['assigned'] }).expect(200)).body.data.moved).toBe(1);
    expect(await task(work)).toMatchObject({ assignee_id: bob.resourceId, owner_id: mia.resourceId });
    const { body } = await reassign(mia, { to: bob.id, include: ['owned'], endeavour_id: shed }).expect(200);
    expect(body.data.moved).toBe(0);
    await reassign(mia, { to: bob.id, include: [] }).expect(400);
    await reassign(mia, { to: bob.id, include: ['assigned', 'loved'] }).expect(400);
  });

  it('skips endeavours where the new assignee cannot be assigned, and lists them', async () => {
    const here = await app.task(ann, garden, { assignee_id: mia.resourceId });
    const there = await app.task(ann, shed, { assignee_id: mia.resourceId });
    const { body } = await reassign(mia, { to: bob.id }).expect(200);
    expect(body.data).toEqual({ moved: 1, skipped: [{ endeavour_id: shed, reason: 'not_assignable' }] });
    expect(await task(here)).toMatchObject({ assignee_id: bob.resourceId });
    expect(await task(there)).toMatchObject({ assignee_id: mia.resourceId });
  });

  it('does not reassign work to users who are suspended or have left', async () => {
    const work = await app.task(ann, garden, { assignee_id: mia.resourceId });
    for (const status of ['suspended', 'inactive']) {
      await app.database.query('UPDATE users SET status = $2 WHERE id = $1', [bob.id, status]);
      const { body } = await reassign(ann, { to: bob.id }).expect(200);
      expect(body.data).toEqual({ moved: 0, skipped: [{ endeavour_id: garden, reason: 'not_assignable' }] });
      await app.as(ann).patch(`/tasks/${work}`).send({ assignee_id: bob.id }).expect(400);
    }
  });

  it('is limited to the endeavours in which the caller is admin', async () => {
    const eve = await app.person('Eve');
    await app.join(shed, eve, 'admin');
    await app.join(garden, eve, 'member');
    const here = await app.task(ann, garden, { assignee_id: mia.resourceId });
    const there = await app.task(ann, shed, { assignee_id: mia.resourceId });
    expect((await reassign(eve, { to: eve.id }).expect(200)).body.data).toEqual({ moved: 1, skipped: [] });
    expect(await task(here)).toMatchObject({ assignee_id: mia.resourceId });
    expect(await task(there)).toMatchObject({ assignee_id: eve.resourceId });
    await reassign(eve, { to: eve.id, endeavour_id: garden }).expect(403);
    await reassign(bob, { to: bob.id }).expect(403);
    await reassign(ann, { to: mia.id }).expect(400);
  });

  it('skips archived endeavours', async () => {
    const work = await app.task(ann, shed, { assignee_id: mia.resourceId });
    await app.database.query(`UPDATE endeavours SET status = 'archived', archived_at = now() WHERE id = $1`, [shed]);
    const { body } = await reassign(mia, { to: ann.id }).expect(200);
    expect(body.data).toEqual({ moved: 0, skipped: [{ endeavour_id: shed, reason: 'archived' }] });
    expect((await reassign(mia, { to: ann.id, endeavour_id: shed }).expect(409)).body.error.code).toBe('archived');
    expect(await task(work)).toMatchObject({ assignee_id: mia.resourceId });
  });

  it('rejects a new assignee that is being deleted', async () => {
    const [barrow, spare] = await Promise.all(
      ['Barrow', 'Spare'].map(async (name) => {
        const sent = { name, type: 'service', organization_id: riverside };
        return (await app.as(ann).post('/resources').send(sent).expect(201)).body.data.id as string;
      }),
    );
    const work = await app.task(ann, garden, { assignee_id: spare });
    for (const ask of [
      () => app.as(ann).post(`/resources/${spare}/reassign`).send({ to: barrow }),
      () => app.as(ann).delete(`/resources/${spare}?reassign_to=${barrow}`),
    ]) {
      const deleting = await app.openConnection();
      await deleting.query('BEGIN');
      await deleting.query('UPDATE resources SET holds = holds + 1, deleted_at = now() WHERE id = $1', [barrow]);
      const asked = Promise.resolve(ask());
      await app.untilLockWaits(1);
      await deleting.query('COMMIT');
      await deleting.end();
      const { status, body } = await asked;
      expect([status, body.error?.details.fields[0].code]).toEqual([400, 'reference_not_found']);
      await app.database.query('UPDATE resources SET deleted_at = NULL WHERE id = $1', [barrow]);
    }
    expect(await task(work)).toMatchObject({ assignee_id: spare });
  });

  it('during a deletion requires the admin role in every endeavour concerned', async () => {
    const { body } = await app.as(bob).post('/resources').send({ name: 'Barrow', type: 'service' }).expect(201);
    await app.join(riverside, bob, 'admin');
    const sent = { resource_id: body.data.id };
    await app.as(bob).post(`/organizations/${riverside}/resources`).send(sent).expect(200);
    await app.database.query(`UPDATE organization_resources SET role = 'member' WHERE user_id = $1`, [bob.id]);
    await app.task(ann, garden, { assignee_id: body.data.id });
    await app.as(bob).delete(`/resources/${body.data.id}?reassign_to=${bob.id}`).expect(403);
    await app.as(ann).delete(`/resources/${body.data.id}?reassign_to=${bob.id}`).expect(200);
  });
});
