import { reasonOf } from '../support/refusals.js';
import { TestApp, type Person } from '../support/test-app.js';

describe('moving a demand with its tasks', () => {
  let app: TestApp;
  let ann: Person;
  let garden: string;
  let orchard: string;
  let demand: string;

  beforeAll(async () => {
    app = await TestApp.open({ LIMIT_WRITES_PER_MINUTE: '100000' });
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    ann = await app.person('Ann');
    [garden, orchard] = [await app.endeavour(ann), await app.endeavour(ann, { name: 'Orchard' })];
    demand = await app.demand(ann, garden);
  });

  const move = (body: object, by = ann, id = demand) => app.as(by).post(`/demands/${id}/move`).send(body);
  const task = (body: object = {}) => app.task(ann, garden, { demand_id: demand, ...body });
  const read = async (path: string) => (await app.as(ann).get(path).expect(200)).body.data;
  const placesOf = async (...ids: string[]) =>
    Promise.all(
      ids.map(async (id) => {
        const { endeavour_id, demand_id } = await read(`/tasks/${id}`);
        return [endeavour_id, demand_id];
      }),
    );
  const patch = (id: string, body: object) => app.as(ann).patch(`/tasks/${id}`).send(body).expect(200);
  const finish = async (id: string) => {
    await patch(id, { status: 'active' });
    await patch(id, { status: 'done' });
  };
  /** A planned, a done and a canceled task of the demand. */
  const threeTasks = async (): Promise<string[]> => {
    const tasks = [await task(), await task(), await task()];
    await finish(tasks[1]);
    await patch(tasks[2], { status: 'canceled', canceled_reason: 'Rain' });
    return tasks;
  };

  it('takes all tasks along', async () => {
    const tasks = await threeTasks();
    const { body } = await move({ endeavour_id: orchard, with: 'all' }).expect(200);
    expect(body.data).toMatchObject({
      id: demand,
      endeavour_id: orchard,
      endeavour_name: 'Orchard',
      progress: { planned: 1, active: 0, done: 1, canceled: 1 },
    });
    expect(await placesOf(...tasks)).toEqual(tasks.map(() => [orchard, demand]));
  });

  it('takes the open tasks along; the others stay without their demand', async () => {
    const [open, done, canceled] = await threeTasks();
    await move({ endeavour_id: orchard, with: 'open' }).expect(200);
    expect(await placesOf(open, done, canceled)).toEqual([
      [orchard, demand],
      [garden, null],
      [garden, null],
    ]);
  });

  it('takes no task along', async () => {
    const tasks = await threeTasks();
    const { body } = await move({ endeavour_id: orchard, with: 'none' }).expect(200);
    expect(body.data.progress).toEqual({ planned: 0, active: 0, done: 0, canceled: 0 });
    expect(await placesOf(...tasks)).toEqual(tasks.map(() => [garden, null]));
  });

  it('gives the demand and its tasks keys of the other endeavour; the former keys lead on', async () => {
    const moved = await task();
    const { key } = await read(`/demands/${demand}`);
    const { key: taskKey } = await read(`/tasks/${moved}`);
    await move({ endeavour_id: orchard, with: 'all' }).expect(200);
    expect(await read(`/demands/${key}`)).toMatchObject({ id: demand, former_keys: [key] });
    expect(await read(`/tasks/${taskKey}`)).toMatchObject({ id: moved, former_keys: [taskKey] });
  });

  it('makes its labels elsewhere, and leaves iteration and rank behind', async () => {
    const iteration = { name: 'May', endeavour_id: garden, start_day: '2027-05-01', end_day: '2027-05-14' };
    const { body } = await app.as(ann).post('/iterations').send(iteration).expect(201);
    const changes = { labels: ['shade'], iteration_id: body.data.id };
    await app.as(ann).patch(`/demands/${demand}`).send(changes).expect(200);
    await app.as(ann).post(`/demands/${demand}/rank`).send({ first: true }).expect(200);
    const moved = await move({ endeavour_id: orchard, with: 'none' }).expect(200);
    expect(moved.body.data).toMatchObject({ labels: ['shade'], iteration_id: null });
    const unranked = await app.database.one('SELECT rank FROM demands WHERE id = $1', [demand]);
    expect(unranked).toEqual({ rank: null });
    expect((await read(`/endeavours/${orchard}/labels`)).map(({ name }: { name: string }) => name)).toEqual(['shade']);
  });

  it('keeps dependencies and parts among its tasks, and unblocks none of them', async () => {
    const [first, second, part] = [await task(), await task(), await task()];
    const relation = { relationship_type: 'depends_on', source_entity_type: 'task', source_entity_id: second };
    await app
      .as(ann)
      .post('/relations')
      .send({ ...relation, target_entity_type: 'task', target_entity_id: first })
      .expect(201);
    await patch(part, { parent_id: first });
    await move({ endeavour_id: orchard, with: 'all' }).expect(200);
    expect(await read(`/tasks/${second}`)).toMatchObject({ blocked_by_count: 1 });
    expect(await read(`/tasks/${part}`)).toMatchObject({ parent: { id: first } });
    const unblocked = await app.database.query(
      `SELECT 1 FROM events WHERE type = 'task.unblocked' AND entity_id = ANY($1)`,
      [[first, second, part]],
    );
    expect(unblocked).toEqual([]);
  });

  it('records an event of the demand and of each task that changes', async () => {
    const tasks = await threeTasks();
    await move({ endeavour_id: orchard, with: 'open' }).expect(200);
    const events = await app.database.query<{ entity_id: string; endeavour_id: string; previous: object }>(
      `SELECT entity_id, endeavour_id, data -> 'previous' AS previous FROM events
       WHERE entity_id = ANY($1) AND sequence > (SELECT max(sequence) FROM events WHERE entity_id = $2
         AND type <> 'task.updated') ORDER BY sequence`,
      [[demand, ...tasks], tasks[2]],
    );
    expect(events.map(({ entity_id, endeavour_id }) => [entity_id, endeavour_id])).toEqual(
      expect.arrayContaining([
        [demand, orchard],
        [tasks[0], orchard],
        [tasks[1], garden],
        [tasks[2], garden],
      ]),
    );
    expect(events).toHaveLength(4);
  });

  it('changes nothing if the endeavour stays the same', async () => {
    const [open] = await threeTasks();
    const { referenced_by: _, ...before } = await read(`/demands/${demand}`);
    const { body } = await move({ endeavour_id: garden, with: 'none' }).expect(200);
    expect(body.data).toEqual(before);
    expect(await placesOf(open)).toEqual([[garden, demand]]);
  });

  it('moves nothing if one of the tasks cannot move, and names all that cannot', async () => {
    const mia = await app.person('Mia');
    await app.join(garden, mia, 'member');
    const free = await task();
    const assigned = [await task({ assignee_id: mia.id }), await task({ assignee_id: mia.id })];
    const { body } = await move({ endeavour_id: orchard, with: 'all' }).expect(409);
    expect(body.error.details).toMatchObject({
      reason: 'tasks_stay',
      tasks: assigned.toSorted().map((id) => ({ id, code: 'invalid_input', reason: null })),
    });
    expect(await placesOf(free, ...assigned)).toEqual([free, ...assigned].map(() => [garden, demand]));
    expect(await read(`/demands/${demand}`)).toMatchObject({ endeavour_id: garden, former_keys: [] });
    await app.join(orchard, mia, 'member');
    await move({ endeavour_id: orchard, with: 'all' }).expect(200);
  });

  it('needs an owner of the demand who can own it there', async () => {
    const mia = await app.person('Mia');
    await app.join(garden, mia, 'member');
    await app.as(ann).patch(`/demands/${demand}`).send({ owner_id: mia.id }).expect(200);
    const { body } = await move({ endeavour_id: orchard, with: 'none' }).expect(400);
    expect(body.error.details.fields).toMatchObject([{ field: 'owner_id' }]);
  });

  it('needs the admin role where it is, and the member role where it goes', async () => {
    const mia = await app.person('Mia');
    const hers = await app.endeavour(mia);
    await app.join(garden, mia, 'member');
    await move({ endeavour_id: hers, with: 'none' }, mia).expect(403);
    await app.join(hers, ann, 'viewer');
    await move({ endeavour_id: hers, with: 'none' }).expect(403);
    const secret = await app.endeavour(mia);
    await move({ endeavour_id: secret, with: 'none' }).expect(400);
    await move({ endeavour_id: orchard, with: 'none' }, await app.person('Eve')).expect(404);
  });

  it('cannot move into an archived or completed endeavour', async () => {
    await app.as(ann).patch(`/endeavours/${orchard}`).send({ status: 'completed' }).expect(200);
    expect(reasonOf(await move({ endeavour_id: orchard, with: 'none' }).expect(409))).toBe('completed');
    await app.as(ann).post(`/endeavours/${orchard}/archive`).send({ reason: 'Autumn' }).expect(200);
    await move({ endeavour_id: orchard, with: 'none' }).expect(409);
  });

  it('completes an endeavour whose last open work has moved away', async () => {
    const shed = await app.endeavour(ann, { metadata: { auto_complete: true } });
    const moving = await app.demand(ann, shed);
    await app.task(ann, shed, { demand_id: moving });
    await finish(await app.task(ann, shed));
    await move({ endeavour_id: orchard, with: 'all' }, ann, moving).expect(200);
    expect(await read(`/endeavours/${shed}`)).toMatchObject({ status: 'completed' });
  });

  it('keeps every task in the endeavour of its demand when tasks join and leave while it moves', async () => {
    const tasks = [await task(), await task()];
    const free = await app.task(ann, garden);
    const [moved, ...others] = await Promise.all([
      move({ endeavour_id: orchard, with: 'all' }),
      app.as(ann).patch(`/tasks/${free}`).send({ demand_id: demand }),
      app.as(ann).patch(`/tasks/${tasks[0]}`).send({ demand_id: null }),
      app.as(ann).patch(`/tasks/${tasks[1]}`).send({ status: 'active' }),
      app.as(ann).post('/tasks').send({ title: 'Late', endeavour_id: garden, demand_id: demand }),
    ]);
    expect(moved.status).toBe(200);
    for (const { status } of others) expect([200, 201, 400]).toContain(status);
    const apart = await app.database.query(
      'SELECT 1 FROM tasks t JOIN demands d ON d.id = t.demand_id WHERE t.endeavour_id <> d.endeavour_id',
    );
    expect(apart).toEqual([]);
  });

  it('takes no more tasks along than one transaction moves', async () => {
    await app.database.query(
      `WITH made AS (INSERT INTO tasks (id, title, endeavour_id, demand_id, owner_id, creator_id)
         SELECT new_id('tsk'), 'Weed', $1, $2, $3, $3 FROM generate_series(1, 501) RETURNING id)
       INSERT INTO entities (id, kind, endeavour_id, title) SELECT id, 'task', $1, 'Weed' FROM made`,
      [garden, demand, ann.resourceId],
    );
    expect(reasonOf(await move({ endeavour_id: orchard, with: 'none' }).expect(409))).toBe('too_large');
  });
});
