import { TestApp, type Person } from '../support/test-app.js';

/** Pieces of four tasks, so that a small change takes several. */
const SMALL = { OPERATION_PIECE: '4', LIMIT_WRITES_PER_MINUTE: '100000' };
const TASKS = 20;

describe('a bulk change', () => {
  let app: TestApp;
  let [ann, eve]: Person[] = [];
  let garden: string;
  let tasks: string[];

  beforeAll(async () => {
    app = await TestApp.open(SMALL);
  });

  beforeEach(async () => {
    [ann, eve] = [await app.person('Ann'), await app.person('Eve')];
    garden = await app.endeavour(ann);
    await app.join(garden, eve, 'admin');
    tasks = [];
    for (let n = 0; n < TASKS; n += 1) tasks.push(await app.task(ann, garden));
    tasks.sort();
  });

  afterAll(() => app.close());

  const started = async (person: Person): Promise<string> => {
    const sent = { filter: { endeavour_id: garden }, changes: { status: 'active' } };
    return (await app.as(person).post('/tasks/bulk').send(sent).expect(202)).body.data.id;
  };
  const operation = async (id: string) => (await app.as(ann).get(`/operations/${id}`).expect(200)).body.data;
  const active = async (): Promise<number> => {
    const { body } = await app.as(ann).get(`/tasks/summary?endeavour_id=${garden}`).expect(200);
    return body.data.active;
  };
  /** Cancels the first task, so that it cannot become active; returns the expected refusal. */
  const refusedTask = async (): Promise<object> => {
    const canceled = { status: 'canceled', canceled_reason: 'Rain' };
    await app.as(ann).patch(`/tasks/${tasks[0]}`).send(canceled).expect(200);
    return { id: tasks[0], code: 'invalid_transition' };
  };
  const storedRefusals = (id: string) =>
    app.database.query('SELECT task_id FROM bulk_task_refusals WHERE operation_id = $1', [id]);
  const until = async (condition: string, id: string): Promise<void> => {
    const holds = () => app.database.one(`SELECT 1 FROM operations WHERE id = $1 AND ${condition}`, [id]);
    while ((await holds()) === undefined) await app.database.query('SELECT pg_sleep(0.02)');
  };
  const withWorker = async (work: () => Promise<unknown>): Promise<void> => {
    const worker = await TestApp.open({ ...SMALL, WORKERS: 'true' }, app);
    try {
      await work();
    } finally {
      await worker.close();
    }
  };
  /** Waits until a connection waits for a lock of that one, and returns its process. */
  const waiterFor = async (pid: number): Promise<number> => {
    for (;;) {
      const waiter = await app.database.one<{ pid: number }>(
        'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND $1 = ANY (pg_blocking_pids(pid))',
        [pid],
      );
      if (waiter !== undefined) return waiter.pid;
      await app.database.query('SELECT pg_sleep(0.02)');
    }
  };
  /** Runs `work` after two batches, while the third waits for a row lock. `waits`: `work` waits for that batch. */
  const duringThirdBatch = async (
    id: string,
    work: () => PromiseLike<unknown>,
    { waits = false } = {},
  ): Promise<void> => {
    const other = await app.openConnection();
    await other.query('BEGIN');
    await other.query('SELECT 1 FROM tasks WHERE id = $1 FOR UPDATE', [tasks[9]]);
    const { rows } = await other.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await withWorker(async () => {
      await until('done >= 8', id);
      const batch = await waiterFor(rows[0].pid);
      const happening = Promise.resolve(work());
      await (waits ? waiterFor(batch) : happening);
      await other.query('ROLLBACK');
      await happening;
      await until('finished_at IS NOT NULL', id);
    });
    await other.end();
  };

  it('stops when it is canceled, and reports and keeps what it changed', async () => {
    const refusal = await refusedTask();
    const id = await started(ann);
    await duringThirdBatch(id, () => app.as(ann).post(`/operations/${id}/cancel`).expect(200), { waits: true });
    const { status, result, progress } = await operation(id);
    expect(status).toBe('canceled');
    // The cancellation waited for the third piece, and the worker must not overtake it with the fourth.
    expect(progress.done).toBe(12);
    const counts = { changed: 11, unchanged: 0, refused: 1 };
    expect(result).toEqual({ dry_run: false, ...counts, refusals: [expect.objectContaining(refusal)] });
    expect(await active()).toBe(11);
    expect(await storedRefusals(id)).toEqual([]);
  });

  it('does not continue once a cancellation has the lock of its batches, however slow the cancellation is', async () => {
    const id = await started(ann);
    const cancellation = await app.openConnection();
    await app.database.query(`UPDATE operations SET status = 'running' WHERE id = $1`, [id]);
    await cancellation.query('BEGIN');
    await cancellation.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 19))', [id]);
    await withWorker(async () => {
      await until('(lost > 1 OR finished_at IS NOT NULL)', id);
      expect((await operation(id)).progress.done).toBe(0);
      await cancellation.query('ROLLBACK');
      await until('finished_at IS NOT NULL', id);
    });
    await cancellation.end();
    expect(await active()).toBe(TASKS);
  });

  it('reports that nothing changed if it is canceled before it starts', async () => {
    const id = await started(ann);
    const { body } = await app.as(ann).post(`/operations/${id}/cancel`).expect(200);
    const nothing = { dry_run: false, changed: 0, unchanged: 0, refused: 0, refusals: [] };
    expect(body.data).toMatchObject({ status: 'canceled', result: nothing });
  });

  it('fails when the user who started it loses the role midway', async () => {
    const id = await started(eve);
    await duringThirdBatch(id, () => app.as(ann).delete(`/endeavours/${garden}/members/${eve.id}`).expect(200));
    const { status, error } = await operation(id);
    expect([status, error.code]).toEqual(['failed', 'forbidden']);
    const changed = await active();
    expect(changed).toBeGreaterThanOrEqual(8);
    expect(changed).toBeLessThan(TASKS);
  });

  it('reports what it changed and refused when it fails, and deletes the stored refusals', async () => {
    const refusal = await refusedTask();
    const id = await started(eve);
    await duringThirdBatch(id, () => app.as(ann).delete(`/endeavours/${garden}/members/${eve.id}`).expect(200));
    const { status, result } = await operation(id);
    expect(status).toBe('failed');
    const changed = await active();
    expect(result).toMatchObject({ dry_run: false, changed, refused: result.refusals.length });
    expect(result.refusals).toContainEqual(expect.objectContaining(refusal));
    expect(await storedRefusals(id)).toEqual([]);
  });

  it('refuses a task that is erased midway, and changes the tasks after it', async () => {
    const sent = { filter: { endeavour_id: garden }, changes: { title: 'Paint twice' } };
    const { id } = (await app.as(ann).post('/tasks/bulk').send(sent).expect(202)).body.data;
    await duringThirdBatch(id, () =>
      app.observer.query(
        `BEGIN; SET LOCAL session_replication_role = replica; DELETE FROM tasks WHERE id = '${tasks[18]}'; COMMIT`,
      ),
    );
    const { status, result } = await operation(id);
    expect([status, result.changed]).toEqual(['succeeded', TASKS - 1]);
    expect(result.refusals).toEqual([expect.objectContaining({ id: tasks[18], code: 'not_found' })]);
  });

  it('as a dry run neither waits for locks nor takes any', async () => {
    const other = await app.openConnection();
    await other.query('BEGIN');
    await other.query('SELECT 1 FROM tasks WHERE endeavour_id = $1 FOR UPDATE', [garden]);
    const sent = {
      filter: { endeavour_id: garden },
      changes: { status: 'active', assignee_id: eve.id },
      dry_run: true,
    };
    const { body } = await app.as(ann).post('/tasks/bulk').send(sent).expect(202);
    await withWorker(() => until('finished_at IS NOT NULL', body.data.id));
    await other.query('ROLLBACK');
    await other.end();
    expect((await operation(body.data.id)).result).toMatchObject({ dry_run: true, changed: TASKS, refused: 0 });
    expect(await active()).toBe(0);
  });

  it('is resumed where another worker stopped, and changes each task once', async () => {
    const id = await started(ann);
    const other = await app.openConnection();
    await other.query('BEGIN');
    await other.query('SELECT 1 FROM tasks WHERE id = $1 FOR UPDATE', [tasks[9]]);
    await withWorker(() => until('done >= 8', id).then(() => other.query('ROLLBACK')));
    await other.end();
    await withWorker(() => until('finished_at IS NOT NULL', id));
    expect((await operation(id)).result).toMatchObject({ changed: TASKS, refused: 0 });
    const events = await app.database.one<{ count: number }>(
      `SELECT count(*)::integer AS count FROM events WHERE entity_id = ANY($1) AND type = 'task.status_changed'`,
      [tasks],
    );
    expect(events?.count).toBe(TASKS);
  });
});
