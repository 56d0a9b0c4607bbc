import { newId } from '../../src/common/ids.js';
import { TestApp, type Person } from '../support/test-app.js';

/** Limits so small that archiving a few tasks is an operation of several batches. */
const BATCH_SIZE = 4;
const SMALL = {
  ERASURE_DAYS: '0',
  OPERATION_THRESHOLD: '5',
  OPERATION_PIECE: String(BATCH_SIZE),
  LIMIT_WRITES_PER_MINUTE: '100000',
};
const TASKS = 13;

interface Started {
  id: string;
  type: string;
  status: string;
  progress: { done: number; total: number };
  result: Record<string, unknown> | null;
  error: { code: string; message: string } | null;
}

describe('operations', () => {
  let app: TestApp;
  let ann: Person;
  let riverside: string;
  let garden: string;
  let tasks: string[];

  // This instance runs no operations; `withWorker` starts the instances that do.
  beforeAll(async () => {
    app = await TestApp.open(SMALL);
  });

  beforeEach(async () => {
    ann = await app.person('Ann');
    riverside = await app.organization(ann);
    garden = await app.endeavour(ann, { organization_id: riverside });
    tasks = [];
    while (tasks.length < TASKS) tasks.push(await app.task(ann, garden));
    await app.as(ann).patch(`/tasks/${tasks[0]}`).send({ status: 'active' }).expect(200);
  });

  afterAll(() => app.close());

  const pathOf = (id: string): string => (id.startsWith('org') ? `organizations/${id}` : `endeavours/${id}`);
  const archive = (id: string, person = ann) =>
    app
      .as(person)
      .post(`/${pathOf(id)}/archive`)
      .send({ reason: 'A mistake' });
  const started = async (id: string, person = ann): Promise<Started> =>
    (await archive(id, person).expect(202)).body.data;
  const operation = async (id: string, person = ann): Promise<Started> =>
    (await app.as(person).get(`/operations/${id}`).expect(200)).body.data;
  /** Creates the first batch of an archive: demands come before tasks, whose order is not defined. */
  const makeFirstBatch = async (): Promise<void> => {
    for (let n = 0; n < BATCH_SIZE; n += 1) {
      await app.as(ann).post('/demands').send({ type: 'bug', title: 'Dry soil', endeavour_id: garden }).expect(201);
    }
  };
  const statuses = async (): Promise<string[]> => {
    const { body } = await app.as(ann).get(`/tasks?endeavour_id=${garden}&archived=any&sort=created_at`).expect(200);
    return body.data.map(({ id, status }: { id: string; status: string }) => `${id} ${status}`).sort();
  };
  const ended = async (id: string): Promise<void> => {
    const isOver = async () =>
      (await app.database.one('SELECT 1 FROM operations WHERE id = $1 AND finished_at IS NOT NULL', [id])) !==
      undefined;
    while (!(await isOver())) await app.database.query('SELECT pg_sleep(0.02)');
  };
  /** Runs a worker that processes all pending operations until the callback has finished. */
  const withWorker = async <T>(work: (worker: TestApp) => Promise<T>): Promise<T> => {
    const worker = await TestApp.open({ ...SMALL, WORKERS: 'true' }, app);
    try {
      return await work(worker);
    } finally {
      await worker.close();
    }
  };
  const done = async (id: string, person = ann): Promise<Started> => {
    await withWorker(() => ended(id));
    return operation(id, person);
  };

  it('archive in the background: 202 at once, 409 for writes, everything archived at the end', async () => {
    const before = await app.as(ann).get(`/endeavours/${garden}/archive`).expect(200);
    const response = await archive(garden).expect(202);
    const { id } = response.body.data;
    expect(response.headers.location).toBe(`/api/v1/operations/${id}`);
    expect(response.body.data).toEqual({
      id: expect.stringMatching(/^opr_[0-9a-f]{32}$/),
      type: 'endeavours_archive',
      status: 'queued',
      progress: { done: 0, total: TASKS + 1 },
      result: null,
      error: null,
      created_by: ann.resourceId,
      created_at: expect.any(String),
      finished_at: null,
    });
    const refused = [
      app.as(ann).post('/tasks').send({ title: 'Late', endeavour_id: garden }),
      app.as(ann).patch(`/tasks/${tasks[0]}`).send({ status: 'done' }),
      app.as(ann).patch(`/endeavours/${garden}`).send({ name: 'Shed' }),
      app.as(ann).post('/comments').send({ entity_type: 'task', entity_id: tasks[0], content: 'Wait' }),
      app
        .as(ann)
        .post(`/endeavours/${garden}/members`)
        .send({ user_id: ann.id, stakeholder_roles: ['sponsor'] }),
      archive(garden),
      app.as(ann).post(`/endeavours/${garden}/unarchive`),
      archive(riverside),
    ];
    for (const test of refused) {
      const { body } = await test.expect(409);
      expect(body.error).toMatchObject({ code: 'in_progress', details: { operation_id: id } });
    }
    await app.as(ann).get(`/tasks/${tasks[0]}`).expect(200);
    const after = await done(id);
    expect(after).toMatchObject({
      status: 'succeeded',
      progress: { done: TASKS + 1, total: TASKS + 1 },
      error: null,
      finished_at: expect.any(String),
      result: { id: garden, status: 'archived', tasks_canceled: before.body.data.tasks_to_cancel, revision: 2 },
    });
    expect((await statuses()).filter((one) => !one.endsWith(' canceled'))).toEqual([]);
    const late = await app.as(ann).post('/tasks').send({ title: 'Late', endeavour_id: garden }).expect(409);
    expect(late.body.error.code).toBe('archived');
    const events = await app.database.query(
      `SELECT DISTINCT request_id, actor_id FROM events WHERE entity_id = ANY($1) AND data->>'status' = 'canceled'`,
      [tasks],
    );
    expect(events).toEqual([{ request_id: response.headers['x-request-id'], actor_id: ann.resourceId }]);
  });

  it('record who archived, restored and erased, with session, address and user agent of the request', async () => {
    const ada = await app.admin();
    const steps = {
      'endeavour.archived': () => archive(garden),
      'endeavour.unarchived': () => app.as(ann).post(`/endeavours/${garden}/unarchive`),
      'organization.archived': () => archive(riverside),
      'organization.erased': () => app.as(ann).delete(`/organizations/${riverside}?confirm=${name}`),
    };
    const { body: found } = await app.as(ann).get(`/organizations/${riverside}`).expect(200);
    const name = encodeURIComponent(found.data.name);
    const session = JSON.parse(Buffer.from(ann.token.split('.')[1], 'base64url').toString()).jti as string;
    for (const [action, act] of Object.entries(steps)) {
      const response = await act().set('User-Agent', 'Browser/1').expect(202);
      await withWorker(() => ended(response.body.data.id));
      const entity = action.startsWith('org') ? riverside : garden;
      const { body } = await app.as(ada).get(`/audit?entity_id=${entity}&action=${action}`).expect(200);
      expect(body.data).toEqual([
        expect.objectContaining({
          actor_id: ann.resourceId,
          session_id: session,
          token_id: null,
          address: '127.0.0.1',
          user_agent: 'Browser/1',
          request_id: response.headers['x-request-id'],
        }),
      ]);
    }
    expect(await app.database.query('SELECT id FROM operations WHERE origin IS NOT NULL')).toEqual([]);
  });

  it('restore every status when an archived organization is unarchived', async () => {
    const before = await statuses();
    await done((await started(riverside)).id);
    const { body } = await app.as(ann).post(`/organizations/${riverside}/unarchive`).expect(202);
    const after = await done(body.data.id);
    expect(after).toMatchObject({
      type: 'organizations_unarchive',
      status: 'succeeded',
      result: { id: riverside, status: 'active', endeavours_restored: 1, tasks_restored: TASKS },
    });
    expect(await statuses()).toEqual(before);
    await app.as(ann).patch(`/tasks/${tasks[0]}`).send({ status: 'done' }).expect(200);
  });

  it('fail and undo their work if their starter loses the permission midway', async () => {
    const eve = await app.person('Eve');
    await app.join(riverside, eve, 'owner');
    await makeFirstBatch();
    const before = await statuses();
    const { id } = await started(garden, eve);
    // Locks a task, so that the first batch succeeds and one of the others waits.
    const some = await app.openConnection();
    await some.query('BEGIN');
    await some.query('SELECT 1 FROM tasks WHERE id = $1 FOR UPDATE', [tasks[0]]);
    await withWorker(async () => {
      const isUnderWay = async () =>
        (await app.database.one('SELECT 1 FROM operations WHERE id = $1 AND done >= $2', [id, BATCH_SIZE])) !==
        undefined;
      while (!(await isUnderWay())) await app.database.query('SELECT pg_sleep(0.02)');
      await app.as(ann).delete(`/organizations/${riverside}/members/${eve.id}`).expect(200);
      await some.query('ROLLBACK');
      await ended(id);
    });
    await some.end();
    expect(await operation(id)).toMatchObject({
      status: 'failed',
      error: { code: 'forbidden', message: expect.any(String) },
      result: null,
      progress: { done: 0 },
    });
    expect(await statuses()).toEqual(before);
    expect(await app.database.query('SELECT 1 FROM archived_states WHERE endeavour_id = $1', [garden])).toEqual([]);
    await app.as(ann).patch(`/tasks/${tasks[0]}`).send({ status: 'done' }).expect(200);
    // Users who no longer see the container see that the operation failed, but neither the error nor the result.
    expect(await operation(id, eve)).toMatchObject({ status: 'failed', error: null, result: null });
  });

  it('fail and undo their work if a batch cannot be processed', async () => {
    await makeFirstBatch();
    const before = await statuses();
    const [poisoned] = tasks;
    await app.database.query(
      `CREATE FUNCTION refuse_this() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$`,
    );
    await app.database.query(
      `CREATE TRIGGER refuse_this BEFORE UPDATE ON tasks FOR EACH ROW
       WHEN (NEW.id = '${poisoned}' AND NEW.status = 'canceled') EXECUTE FUNCTION refuse_this()`,
    );
    const { id } = await started(garden);
    await withWorker(async () => {
      const isOver = async () =>
        (await app.database.one('SELECT 1 FROM operations WHERE id = $1 AND finished_at IS NOT NULL', [id])) !==
        undefined;
      // The delay between attempts grows: make the next attempt due now.
      while (!(await isOver())) {
        await app.database.query('UPDATE operations SET due_at = clock_timestamp() WHERE id = $1', [id]);
        await app.database.query('SELECT pg_sleep(0.05)');
      }
    });
    await app.database.query('DROP FUNCTION refuse_this CASCADE');
    expect(await operation(id)).toMatchObject({ status: 'failed', error: { code: 'internal_error' }, result: null });
    expect(await statuses()).toEqual(before);
    await app.as(ann).patch(`/tasks/${poisoned}`).send({ title: 'Writable' }).expect(200);
  });

  it('continue after a worker has died, and run once even with several workers', async () => {
    const { id } = await started(garden);
    const died = await app.openConnection();
    await died.query('BEGIN');
    await died.query(`UPDATE operations SET status = 'running', done = 4 WHERE id = $1`, [id]);
    await died.end();
    await withWorker((one) => withWorker(() => withWorker(() => ended(id).then(() => one))));
    expect(await operation(id)).toMatchObject({ status: 'succeeded', progress: { done: TASKS + 1, total: TASKS + 1 } });
    const canceled = await app.database.one<{ events: number }>(
      `SELECT count(*)::integer AS events FROM events WHERE entity_id = ANY($1) AND data->>'status' = 'canceled'`,
      [tasks],
    );
    expect(canceled?.events).toBe(TASKS);
  });

  it('run one at a time per user and two per organization; the others are queued', async () => {
    const eve = await app.person('Eve');
    await app.join(riverside, eve, 'owner');
    const people = [ann, ann, eve, await app.person('Joe')];
    await app.join(riverside, people[3], 'owner');
    const ids: string[] = [];
    for (const person of people) {
      const shed = await app.endeavour(ann, { organization_id: riverside });
      for (let n = 0; n < 6; n += 1) await app.task(ann, shed);
      ids.push((await started(shed, person)).id);
    }
    const mia = await app.person('Mia');
    const meadow = await app.endeavour(mia);
    for (let n = 0; n < 6; n += 1) await app.task(mia, meadow);
    const elsewhere = await started(meadow, mia);
    // Running operations wait for these rows. Operations start in order: once the last one, which is elsewhere, has
    // started, all others that may start have started before it.
    const other = await app.openConnection();
    await other.query('BEGIN');
    await other.query('SELECT 1 FROM endeavours WHERE closed_by = ANY($1) FOR UPDATE', [ids]);
    await withWorker(async () => {
      const isLastStarted = async () => (await operation(elsewhere.id, mia)).status !== 'queued';
      while (!(await isLastStarted())) await app.database.query('SELECT pg_sleep(0.02)');
      const now = await Promise.all(ids.map((id, n) => operation(id, people[n])));
      expect(now.map(({ status }) => status)).toEqual(['running', 'queued', 'running', 'queued']);
      await other.query('ROLLBACK');
      for (const id of [...ids, elsewhere.id]) await ended(id);
    });
    await other.end();
  });

  it('are awaited no longer than the Prefer header says', async () => {
    const { id } = await started(garden);
    const still = await app.as(ann).get(`/operations/${id}`).set('Prefer', 'wait=1').expect(200);
    expect(still.body.data.status).toBe('queued');
    await withWorker(async (worker) => {
      const over = await worker.as(ann).get(`/operations/${id}`).set('Prefer', 'wait=20').expect(200);
      expect(over.body.data.status).toBe('succeeded');
      const back = await worker.as(ann).post(`/endeavours/${garden}/unarchive`).set('Prefer', 'wait=20').expect(202);
      expect(back.body.data).toMatchObject({ status: 'succeeded', result: { tasks_restored: TASKS } });
    });
  });

  it('are returned again for the same idempotency key, without being started again', async () => {
    const first = await archive(garden).set('Idempotency-Key', 'once').expect(202);
    const again = await archive(garden).set('Idempotency-Key', 'once').expect(202);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.headers.location).toBe(first.headers.location);
    expect(again.body).toEqual(first.body);
  });

  it('are visible to the user who started them, admins of the container and administrators', async () => {
    const [mia, joe, ada] = [await app.person('Mia'), await app.person('Joe'), await app.admin()];
    await app.join(riverside, mia, 'admin');
    await app.join(riverside, joe, 'member');
    const { id } = await started(garden);
    for (const person of [ann, mia, ada]) {
      expect(await operation(id, person)).toMatchObject({ id, status: 'queued' });
      const { body } = await app.as(person).get(`/operations?container_id=${garden}&status=queued`).expect(200);
      expect(body.data.map((one: Started) => one.id)).toEqual([id]);
    }
    await app.as(joe).get(`/operations/${id}`).expect(404);
    await app.as(joe).post(`/operations/${id}/cancel`).expect(404);
    expect((await app.as(joe).get('/operations').expect(200)).body.data).toEqual([]);
  });

  it('can be canceled only if they are cancelable and not finished', async () => {
    const { id } = await started(garden);
    const { body } = await app.as(ann).post(`/operations/${id}/cancel`).expect(409);
    expect(body.error.details.reason).toBe('not_cancelable');
    const other = newId('operation');
    await app.database.query(
      `INSERT INTO operations (id, type, user_id, created_by, is_cancelable) VALUES ($1, 'imports', $2, $3, true)`,
      [other, ann.id, ann.resourceId],
    );
    const canceled = await app.as(ann).post(`/operations/${other}/cancel`).expect(200);
    expect(canceled.body.data).toMatchObject({ id: other, status: 'canceled', finished_at: expect.any(String) });
    const again = await app.as(ann).post(`/operations/${other}/cancel`).expect(409);
    expect(again.body.error.details.reason).toBe('finished');
  });
});
