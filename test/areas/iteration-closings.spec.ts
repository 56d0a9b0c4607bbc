import { newId } from '../../src/common/ids.js';
import { Random } from '../forging/random.js';
import { race } from '../support/races.js';
import { fieldErrorsOf } from '../support/refusals.js';
import { TestApp, type Person } from '../support/test-app.js';

const DAYS = { start_day: '2026-01-05', end_day: '2026-01-16' };
const NOTHING = { count: 0, hours: 0, points: 0 };
const EMPTY = {
  committed: NOTHING,
  added: NOTHING,
  removed: NOTHING,
  completed: NOTHING,
  canceled: NOTHING,
  carried_over: NOTHING,
};

interface Size {
  estimate: number | null;
  points: number | null;
}

/** What an independent model knows of a task: its size, and what it meant to the iteration. */
interface Modelled extends Size {
  id: string;
  isInside: boolean;
  status: 'planned' | 'active' | 'done' | 'canceled';
  /** As large as it was when it became part of the scope. */
  committed?: Size;
  added?: Size;
  /** As large as it was when it left. */
  left?: Size;
}

const sizeOf = ({ estimate, points }: Size): Size => ({ estimate, points });

describe('closing iterations', () => {
  let app: TestApp;
  let ann: Person;
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open({ WORKERS: 'true', LIMIT_WRITES_PER_MINUTE: '100000', OPERATION_THRESHOLD: '30' });
    ann = await app.person('Ann', { tier: 3 });
  });

  beforeEach(async () => {
    garden = await app.endeavour(ann);
  });

  afterAll(() => app.close());

  const made = async (more: object = {}): Promise<string> => {
    const sent = { name: 'First', endeavour_id: garden, ...DAYS, ...more };
    return (await app.as(ann).post('/iterations').send(sent).expect(201)).body.data.id;
  };
  const started = async (more: object = {}): Promise<string> => {
    const id = await made(more);
    await start(id);
    return id;
  };
  const start = (id: string) => app.as(ann).patch(`/iterations/${id}`).send({ status: 'active' }).expect(200);
  const close = (id: string, carry_over = 'backlog', person = ann) =>
    app.as(person).post(`/iterations/${id}/close`).send({ carry_over });
  const patched = (path: string, body: object, person = ann) => app.as(person).patch(path).send(body).expect(200);
  const read = async (path: string) => (await app.as(ann).get(path).expect(200)).body.data;
  const done = async (task: string): Promise<void> => {
    await patched(`/tasks/${task}`, { status: 'active' });
    await patched(`/tasks/${task}`, { status: 'done' });
  };
  const scopeOf = async (id: string) => {
    const { iteration_id: _i, status: _s, velocity: _v, ...scope } = await read(`/iterations/${id}/report`);
    return scope;
  };
  const iterationOf = async (path: string): Promise<string | null> => (await read(path)).iteration_id;

  it('carries what is open over to the next iteration, the backlog, or a named one', async () => {
    const [first, second, third, last] = [
      await started(),
      await made({ start_day: '2026-01-12' }),
      await made({ start_day: '2026-01-11' }),
      await made({ start_day: '2026-01-13' }),
    ];
    const task = await app.task(ann, garden, { iteration_id: first });
    const over = await app.task(ann, garden, { iteration_id: first });
    const demand = await app.demand(ann, garden, { iteration_id: first });
    await done(over);
    const { body } = await close(first, 'next').expect(200);
    expect(body.data).toMatchObject({ id: first, status: 'closed', closed_at: expect.any(String), carried_over: 2 });
    expect(await iterationOf(`/tasks/${task}`)).toBe(third);
    expect(await iterationOf(`/demands/${demand}`)).toBe(third);
    expect(await iterationOf(`/tasks/${over}`)).toBe(first);
    const [latest] = await read(`/tasks/${task}/changes`);
    expect(latest).toMatchObject({ type: 'task.updated', actor_id: ann.resourceId, changed: ['iteration_id'] });
    await start(third);
    await close(third, second).expect(200);
    expect(await iterationOf(`/tasks/${task}`)).toBe(second);
    await start(second);
    expect((await close(second).expect(200)).body.data.carried_over).toBe(2);
    expect(await iterationOf(`/demands/${demand}`)).toBeNull();
    await start(last);
    const { body: without } = await close(last, 'next').expect(409);
    expect(without.error.details.reason).toBe('no_next_iteration');
  });

  it('is for the active iteration, once, and for admins', async () => {
    const [planned, id] = [await made(), await started()];
    const bob = await app.person('Bob');
    await app.join(garden, bob, 'member');
    await close(id, 'backlog', bob).expect(403);
    await close(id, 'backlog', await app.person('Eve')).expect(404);
    expect((await close(planned).expect(400)).body.error.code).toBe('invalid_transition');
    await close(id).set('If-Match', '"7"').expect(412);
    for (const [carry_over, field] of [
      ['later', 'carry_over invalid_format'],
      [newId('iteration'), 'carry_over reference_not_found'],
      [await made({ endeavour_id: await app.endeavour(ann) }), 'carry_over reference_not_found'],
    ]) {
      expect(fieldErrorsOf((await close(id, carry_over).expect(400)).body)).toEqual([field]);
    }
    expect((await close(id, id).expect(409)).body.error.details.reason).toBe('iteration_started');
    await close(id).expect(200);
    expect((await close(id).expect(400)).body.error.code).toBe('invalid_transition');
    await start(planned);
    expect((await close(planned, id).expect(409)).body.error.details.reason).toBe('iteration_closed');
    await app.as(ann).post(`/endeavours/${garden}/archive`).send({ reason: 'Over' }).expect(200);
    expect((await close(planned).expect(409)).body.error.code).toBe('archived');
  });

  it.each(['tasks', 'demands'] as const)('leaves an iteration that takes no more %s', async (kind) => {
    const id = await started();
    const work = (more: object = {}) => (kind === 'tasks' ? app.task : app.demand).call(app, ann, garden, more);
    const [inside, outside] = [await work({ iteration_id: id }), await work()];
    await patched(`/${kind}/${inside}`, { status: 'canceled', canceled_reason: 'Rain' });
    await close(id).expect(200);
    const refused = await app.as(ann).patch(`/${kind}/${outside}`).send({ iteration_id: id }).expect(409);
    expect(refused.body.error.details).toEqual({ reason: 'iteration_closed' });
    const sent = { title: 'New', endeavour_id: garden, iteration_id: id, ...(kind === 'demands' && { type: 'bug' }) };
    const created = await app.as(ann).post(`/${kind}`).send(sent).expect(409);
    expect(created.body.error.details).toEqual({ reason: 'iteration_closed' });
    await expect(
      app.database.query(`UPDATE ${kind} SET iteration_id = $2 WHERE id = $1`, [outside, id]),
    ).rejects.toThrow('takes no work');
    await patched(`/${kind}/${inside}`, { iteration_id: id, title: 'Other' });
    await patched(`/${kind}/${inside}`, { iteration_id: null });
  });

  it('runs as an operation above the threshold, which ends with the same result', async () => {
    const [id, next] = [await started(), await made()];
    const task = await app.task(ann, garden, { iteration_id: id, points: 2 });
    await app.database.query(
      `WITH copies AS (SELECT 'tsk_' || replace(gen_random_uuid()::text, '-', '') AS id FROM generate_series(1, 40)),
         placed AS (INSERT INTO entities (id, kind, endeavour_id, title)
           SELECT c.id, 'task', $2, 'Copy' FROM copies c)
       INSERT INTO tasks (id, title, endeavour_id, owner_id, creator_id, points, iteration_id)
       SELECT c.id, 'Copy', t.endeavour_id, t.owner_id, t.creator_id, t.points, t.iteration_id
       FROM copies c, tasks t WHERE t.id = $1`,
      [task, garden],
    );
    const { body, headers } = await close(id, 'next').expect(202);
    expect(body.data).toMatchObject({ type: 'iterations_close', progress: { total: 41 } });
    const ended = (await app.ended(ann, headers.location)).body.data;
    expect(ended).toMatchObject({ status: 'succeeded', result: { id, status: 'closed', carried_over: 41 } });
    expect(await app.as(ann).get(`/tasks/summary?iteration=${next}`).expect(200)).toMatchObject({
      body: { data: { total: 41 } },
    });
    expect(await scopeOf(id)).toEqual({
      ...EMPTY,
      added: { count: 41, hours: 0, points: 82 },
      carried_over: { count: 41, hours: 0, points: 82 },
    });
  });

  it('freezes a report that later edits do not change', async () => {
    const id = await made();
    const [kept, gone] = [
      await app.task(ann, garden, { iteration_id: id, points: 3, estimate: 5 }),
      await app.task(ann, garden, { iteration_id: id, points: 1 }),
    ];
    const three = { count: 2, hours: 5, points: 4 };
    expect(await scopeOf(id)).toEqual({ ...EMPTY, committed: three, carried_over: three });
    await start(id);
    await patched(`/tasks/${kept}`, { points: 8 });
    await patched(`/tasks/${gone}`, { iteration_id: null });
    await app.task(ann, garden, { iteration_id: id, points: 2 });
    await done(kept);
    const live = {
      committed: three,
      added: { count: 1, hours: 0, points: 2 },
      removed: { count: 1, hours: 0, points: 1 },
      completed: { count: 1, hours: 5, points: 8 },
      canceled: NOTHING,
      carried_over: { count: 1, hours: 0, points: 2 },
    };
    expect(await scopeOf(id)).toEqual(live);
    await close(id).expect(200);
    expect(await scopeOf(id)).toEqual(live);
    await patched(`/tasks/${kept}`, { points: 100, estimate: null });
    await patched(`/tasks/${kept}`, { status: 'active' });
    await patched(`/tasks/${kept}`, { iteration_id: null });
    expect(await scopeOf(id)).toEqual(live);
    await expect(
      app.observer.query('UPDATE iteration_changes SET points = 1 WHERE iteration_id = $1', [id]),
    ).rejects.toThrow('never changed');
    await app
      .as(await app.person('Eve'))
      .get(`/iterations/${id}/report`)
      .expect(404);
  });

  it('counts a task that moved to another endeavour as removed', async () => {
    const id = await made();
    const task = await app.task(ann, garden, { iteration_id: id, estimate: 4 });
    await start(id);
    await patched(`/tasks/${task}`, { endeavour_id: await app.endeavour(ann) });
    const four = { count: 1, hours: 4, points: 0 };
    expect(await scopeOf(id)).toEqual({ ...EMPTY, committed: four, removed: four });
  });

  it('tells the velocity of the last five iterations', async () => {
    const velocityOf = async (id: string) => (await read(`/iterations/${id}/report`)).velocity;
    const next = await made();
    expect(await velocityOf(next)).toEqual({ iterations: 0, ...NOTHING });
    const rounds: string[] = [];
    for (const points of [100, 1, 2, 3, 4, 5]) {
      const id = await started();
      await done(await app.task(ann, garden, { iteration_id: id, points, estimate: 2 }));
      await close(id).expect(200);
      rounds.push(id);
    }
    expect(await velocityOf(next)).toEqual({ iterations: 5, count: 1, hours: 2, points: 3 });
    expect(await velocityOf(rounds[1])).toEqual({ iterations: 1, count: 1, hours: 2, points: 100 });
  });

  race('reports what an independent model of the edits of six clients says', 2, async (round) => {
    garden = await app.endeavour(ann);
    const [id, next] = [await made(), await made({ start_day: '2026-01-12' })];
    const clients = await Promise.all(
      Array.from({ length: 6 }, async (_, n) => {
        const person = await app.person(`Client ${round} ${n}`);
        await app.join(garden, person, 'member');
        const tasks: Modelled[] = [];
        for (let at = 0; at < 3; at += 1) {
          const task = await app.task(person, garden, {});
          tasks.push({ id: task, isInside: false, status: 'planned', estimate: null, points: null });
        }
        return { person, tasks, random: new Random(round * 10 + n + 1) };
      }),
    );
    const all = clients.flatMap(({ tasks }) => tasks);
    let isStarted = false;
    const edit = async (task: Modelled, random: Random, person: Person): Promise<void> => {
      const before = sizeOf(task);
      const change = random.pick(['enter', 'leave', 'points', 'estimate', 'done', 'cancel', 'reopen'] as const);
      if (change === 'enter' || change === 'leave') {
        const enters = change === 'enter';
        await patched(`/tasks/${task.id}`, { iteration_id: enters ? id : null }, person);
        if (enters && !task.isInside && isStarted && task.committed === undefined) task.added ??= before;
        if (!enters && task.isInside) task.left = before;
        task.isInside = enters;
      } else if (change === 'points' || change === 'estimate') {
        task[change] = random.pick([null, 1, 2, 3, 5.5]);
        await patched(`/tasks/${task.id}`, { [change]: task[change] }, person);
      } else if (change === 'done' && task.status === 'planned') {
        await patched(`/tasks/${task.id}`, { status: 'active' }, person);
        await patched(`/tasks/${task.id}`, { status: 'done' }, person);
        task.status = 'done';
      } else if (change === 'cancel' && task.status === 'planned') {
        await patched(`/tasks/${task.id}`, { status: 'canceled', canceled_reason: 'Rain' }, person);
        task.status = 'canceled';
      } else if (change === 'reopen' && task.status === 'canceled') {
        await patched(`/tasks/${task.id}`, { status: 'planned' }, person);
        task.status = 'planned';
      }
    };
    const editAll = (times: number) =>
      Promise.all(
        clients.map(async ({ person, tasks, random }) => {
          for (let n = 0; n < times; n += 1) await edit(random.pick(tasks), random, person);
        }),
      );
    await editAll(8);
    await start(id);
    isStarted = true;
    for (const task of all.filter(({ isInside }) => isInside)) task.committed = sizeOf(task);
    await editAll(12);
    await close(id, 'next').expect(200);
    const scope = all.filter(({ committed, added }) => committed !== undefined || added !== undefined);
    const inside = scope.filter(({ isInside }) => isInside);
    const sum = (sizes: readonly (Size | undefined)[]) => {
      const known = sizes.filter((size) => size !== undefined);
      const total = (measure: keyof Size) => known.reduce((before, size) => before + (size[measure] ?? 0), 0);
      return { count: known.length, hours: total('estimate'), points: total('points') };
    };
    const open = inside.filter(({ status }) => status === 'planned');
    expect(await scopeOf(id)).toEqual({
      committed: sum(scope.map(({ committed }) => committed)),
      added: sum(scope.map(({ added }) => added)),
      removed: sum(scope.filter(({ isInside }) => !isInside).map(({ left }) => left)),
      completed: sum(inside.filter(({ status }) => status === 'done')),
      canceled: sum(inside.filter(({ status }) => status === 'canceled')),
      carried_over: sum(open),
    });
    const carried = (await read(`/tasks?iteration=${next}&limit=100`)).map((task: { id: string }) => task.id);
    expect(carried.sort()).toEqual(open.map((task) => task.id).sort());
    await app
      .as(ann)
      .delete(`/iterations/${next}`)
      .expect(open.length > 0 ? 409 : 200);
  });
});
