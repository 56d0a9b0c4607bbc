import { Importing } from '../support/importing.js';
import { TestApp, type Person } from '../support/test-app.js';

describe('the undo of an import', () => {
  let app: TestApp;
  let [ann, bob]: Person[] = [];
  let garden: Importing;

  beforeAll(async () => {
    app = await TestApp.open({ WORKERS: 'true', OPERATION_PIECE: '3', LIMIT_WRITES_PER_MINUTE: '100000' });
    [ann, bob] = [await app.person('Ann'), await app.person('Bob')];
  });

  beforeEach(async () => {
    garden = new Importing(app, ann, await app.endeavour(ann));
    await app.join(garden.endeavour, bob, 'member');
  });

  afterAll(() => app.close());

  const undo = async (id: string, body?: object, query = '') => {
    const { headers } = await app.as(ann).post(`/imports/${id}/undo${query}`).send(body).expect(202);
    const { body: ended } = await app.ended(ann, headers.location);
    expect(ended.data).toMatchObject({ type: 'imports_undo', status: 'succeeded', error: null });
    expect(ended.data.progress.done).toBe(ended.data.progress.total);
    return ended.data.result.undo;
  };
  const csv =
    'id,title,parent,depends_on,status\nA,Dig,,,active\nB,Sow,A,,planned\nC,Mow,,B,done\nD,Rest,,,planned\nE,Eat,,,canceled\n';
  const idOf = async (title: string): Promise<string> => String((await garden.tasks()).get(title)?.id);

  it('deletes what it created, with tombstones, after a dry run that says so', async () => {
    const kept = (
      await app.as(ann).post('/tasks').send({ title: 'Before', endeavour_id: garden.endeavour }).expect(201)
    ).body.data;
    const { id } = await garden.run({ format: 'csv' }, csv);
    const dig = await idOf('Dig');
    for (const [body, query] of [
      [{ dry_run: true }, ''],
      [undefined, '?dry_run=true'],
    ] as const) {
      expect(await undo(id, body, query)).toEqual({
        import_id: id,
        is_dry_run: true,
        deleted: 7,
        stays: {},
        things: [],
      });
    }
    expect((await garden.tasks()).size).toBe(6);
    expect(await undo(id)).toEqual({ import_id: id, is_dry_run: false, deleted: 7, stays: {}, things: [] });
    expect(await garden.statuses()).toEqual({ Before: 'planned' });
    expect((await garden.tasks()).get('Before')).toMatchObject({ id: kept.id, revision: 1 });
    await app.as(ann).get(`/tasks/${dig}`).expect(404);
    const { body } = await app.as(ann).get(`/changes?entity_id=${dig}&limit=200`);
    expect(body.data.map(({ type }: { type: string }) => type)).toContain('task.deleted');
    expect(await undo(id)).toMatchObject({ deleted: 0, stays: {} });
    const again = await garden.run({ format: 'csv' }, csv);
    expect(again.counts).toMatchObject({ created: 5, relations: 2 });
    expect(await idOf('Dig')).not.toBe(dig);
  });

  it('keeps what somebody has changed, commented on, judged or related since, and says why', async () => {
    const { id } = await garden.run({ format: 'csv' }, csv);
    const [dig, sow, mow, rest, eat] = await Promise.all(['Dig', 'Sow', 'Mow', 'Rest', 'Eat'].map(idOf));
    await app.as(bob).patch(`/tasks/${dig}`).send({ description: 'Deep' }).expect(200);
    await app.as(bob).post('/comments').send({ entity_type: 'task', entity_id: sow, content: 'Oats?' }).expect(201);
    await app.as(bob).post('/approvals').send({ entity_type: 'task', entity_id: mow, verdict: 'approved' }).expect(201);
    const own = (await app.as(bob).post('/tasks').send({ title: 'Own', endeavour_id: garden.endeavour }).expect(201))
      .body.data;
    const relation = { relationship_type: 'relates_to', source_entity_type: 'task', target_entity_type: 'task' };
    await app
      .as(bob)
      .post('/relations')
      .send({ ...relation, source_entity_id: own.id, target_entity_id: rest })
      .expect(201);
    const stays = { edited: 1, contents: 2, tied: 1 };
    expect(await undo(id, { dry_run: true })).toMatchObject({ deleted: 3, stays });
    const result = await undo(id);
    expect(result).toMatchObject({ deleted: 3, stays });
    const reasons = Object.fromEntries(
      result.things.map((thing: Record<string, string>) => [thing.title, thing.reason]),
    );
    expect(reasons).toEqual({ Dig: 'edited', Sow: 'contents', Mow: 'contents', Rest: 'tied' });
    await app.as(ann).get(`/tasks/${eat}`).expect(404);
    expect(Object.keys(await garden.statuses()).sort()).toEqual(['Dig', 'Mow', 'Own', 'Rest', 'Sow']);
    expect(await garden.relations(sow)).toEqual([]);
  });

  it('only lists what it changed', async () => {
    await garden.run({ format: 'csv' }, 'id,title\nA,Dig\n');
    const { id } = await garden.run({ format: 'csv' }, 'id,title\nA,Dig deep\nB,Sow\n');
    const result = await undo(id);
    expect(result).toMatchObject({ deleted: 1, stays: { changed: 1 } });
    expect(result.things).toEqual([expect.objectContaining({ title: 'Dig deep', type: 'task', reason: 'changed' })]);
    expect(Object.keys(await garden.statuses())).toEqual(['Dig deep']);
  });

  it('keeps what a later import changed, and its comments', async () => {
    const issue = {
      number: 1,
      title: 'Dig',
      state: 'open',
      comments: [{ id: 'c1', body: 'Deep?', user: { login: 'zoe' } }],
    };
    const { id } = await garden.run({ format: 'github' }, [issue]);
    await garden.run({ format: 'github' }, [{ ...issue, comments: [...issue.comments, { id: 'c2', body: 'Yes.' }] }]);
    expect(await undo(id, { dry_run: true })).toMatchObject({ deleted: 1, stays: { contents: 1 } });
    expect(await undo(id)).toMatchObject({ deleted: 1, stays: { contents: 1 } });
    expect((await garden.comments(await idOf('Dig'))).map(({ content }) => content)).toEqual(['Yes.']);
  });

  it('deletes the contents of an export, with demands, artifacts and comments', async () => {
    const source = new Importing(app, ann, await app.endeavour(ann));
    const demand = (
      await app
        .as(ann)
        .post('/demands')
        .send({ title: 'Pond', type: 'story', endeavour_id: source.endeavour })
        .expect(201)
    ).body.data;
    const task = (
      await app
        .as(ann)
        .post('/tasks')
        .send({ title: 'Dig', endeavour_id: source.endeavour, demand_id: demand.id })
        .expect(201)
    ).body.data;
    await app
      .as(ann)
      .post('/artifacts')
      .send({ title: 'Plan', kind: 'doc', endeavour_id: source.endeavour, task_id: task.id })
      .expect(201);
    await app.as(ann).post('/comments').send({ entity_type: 'task', entity_id: task.id, content: 'Deep?' }).expect(201);
    await app.as(ann).post('/time-entries').send({ task_id: task.id, minutes: 90, day: '2026-11-20' }).expect(201);
    const document = (await app.as(ann).get(`/endeavours/${source.endeavour}/export`).expect(200)).text;
    const { id } = await garden.run({ format: 'worksmith' }, document);
    expect((await garden.tasks()).size).toBe(1);
    expect(await undo(id)).toMatchObject({ deleted: 5, stays: {} });
    for (const kind of ['tasks', 'demands', 'artifacts']) {
      const { body } = await app.as(ann).get(`/${kind}?endeavour_id=${garden.endeavour}`).expect(200);
      expect([kind, body.meta.total]).toEqual([kind, 0]);
    }
    await app.as(ann).get(`/tasks/${task.id}`).expect(200);
  });

  it('takes imported time from the tasks that stay', async () => {
    const source = new Importing(app, ann, await app.endeavour(ann));
    const task = await app.task(ann, source.endeavour, { title: 'Dig' });
    for (const minutes of [30, 60]) {
      await app.as(ann).post('/time-entries').send({ task_id: task, minutes, day: '2026-11-20' }).expect(201);
    }
    const document = (await app.as(ann).get(`/endeavours/${source.endeavour}/export`).expect(200)).text;
    const { id } = await garden.run({ format: 'worksmith' }, document);
    const copy = await idOf('Dig');
    await app.as(bob).post('/time-entries').send({ task_id: copy, minutes: 15, day: '2026-11-21' }).expect(201);
    expect(await undo(id)).toMatchObject({ deleted: 2, stays: { edited: 1 } });
    const { body } = await app.as(ann).get(`/tasks/${copy}`).expect(200);
    expect(body.data).toMatchObject({ actual: 0.25, revision: 3 });
    const { body: changes } = await app.as(ann).get(`/tasks/${copy}/changes`).expect(200);
    expect(changes.data[0]).toMatchObject({ type: 'task.updated', previous: { actual: 1.75 } });
  });

  it('is rejected for a dry run, while the import runs, and for other people', async () => {
    const { id } = await garden.run({ format: 'csv', dry_run: 'true' }, csv);
    await app.as(ann).post(`/imports/${id}/undo`).send({}).expect(409);
    const waiting = await app.openConnection();
    await waiting.query('BEGIN');
    await waiting.query('SELECT pg_advisory_xact_lock(830)');
    const { body } = await garden.send({ format: 'csv' }, csv).expect(202);
    const running = `/imports/${body.data.id.replace('opr_', 'imp_')}/undo`;
    const refused = await app.as(ann).post(running).send({}).expect(409);
    expect(refused.body.error).toMatchObject({ code: 'in_progress', details: { operation_id: body.data.id } });
    await waiting.query('ROLLBACK');
    await waiting.end();
    await app.as(bob).post(running).send({}).expect(404);
    await app.ended(ann, `/operations/${body.data.id}`);
  });
});
