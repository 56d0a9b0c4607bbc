import { Agreement, attestation } from '../support/dod.js';
import { TestApp, type Person } from '../support/test-app.js';

/** Pieces of four lines, so that a small file takes several. */
const SMALL = { OPERATION_PIECE: '4', LIMIT_WRITES_PER_MINUTE: '100000' };
const LINES = 20;
/** The line of a task that exists already, so that another client can lock it. */
const HELD = 10;

const row = (n: number): string => `T-${n},Task ${n}`;
const file = (title = `Task ${HELD}`): string =>
  ['id,title', ...Array.from({ length: LINES }, (_, i) => (i + 1 === HELD ? `T-${HELD},${title}` : row(i + 1)))].join(
    '\n',
  );

describe('an import', () => {
  let app: TestApp;
  let [ann, eve]: Person[] = [];
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open(SMALL);
  });

  beforeEach(async () => {
    [ann, eve] = [await app.person('Ann'), await app.person('Eve')];
    garden = await app.endeavour(ann);
    await app.join(garden, eve, 'admin');
  });

  afterAll(() => app.close());

  const send = async (text: string, person = ann, target = garden): Promise<string> => {
    const { body } = await app
      .as(person)
      .post(`/imports?format=csv&endeavour_id=${target}`)
      .set('Content-Type', 'application/octet-stream')
      .send(text)
      .expect(202);
    return body.data.id;
  };
  const operation = async (id: string, person = ann) =>
    (await app.as(person).get(`/operations/${id}`).expect(200)).body.data;
  const withWorker = async (work: () => Promise<unknown>): Promise<void> => {
    const worker = await TestApp.open({ ...SMALL, WORKERS: 'true' }, app);
    try {
      await work();
    } finally {
      await worker.close();
    }
  };
  const until = async (condition: string, id: string): Promise<void> => {
    const holds = () => app.database.one(`SELECT 1 FROM operations WHERE id = $1 AND ${condition}`, [id]);
    while ((await holds()) === undefined) await app.database.query('SELECT pg_sleep(0.02)');
  };
  const ended = (id: string): Promise<void> => withWorker(() => until('finished_at IS NOT NULL', id));
  const titles = async (): Promise<string[]> => {
    const { body } = await app.as(ann).get(`/tasks?endeavour_id=${garden}&sort=created_at&limit=200`).expect(200);
    return body.data.map(({ title }: { title: string }) => title).sort();
  };
  /** Runs `work` after two batches, while the third waits for a row lock. `waits`: `work` waits for that batch. */
  const duringThirdBatch = async (
    id: string,
    work: () => PromiseLike<unknown>,
    { waits = false } = {},
  ): Promise<void> => {
    const other = await app.openConnection();
    await other.query('BEGIN');
    await other.query(`SELECT 1 FROM tasks WHERE endeavour_id = $1 FOR UPDATE`, [garden]);
    await withWorker(async () => {
      await until('done >= 8', id);
      await app.untilLockWaits(1);
      const happening = Promise.resolve(work());
      await (waits ? app.untilLockWaits(2) : happening);
      await other.query('ROLLBACK');
      await happening;
      await until('finished_at IS NOT NULL', id);
    });
    await other.end();
  };
  const cleaned = async (id: string): Promise<number> => {
    await app.database.query(`UPDATE jobs SET due_at = '2000-01-01' WHERE name = 'import_cleanup'`);
    await app.service.runJobs();
    const found = await app.database.one<{ lines: number }>(
      'SELECT count(*)::integer AS lines FROM import_lines WHERE import_id = $1',
      [id.replace('opr_', 'imp_')],
    );
    return found?.lines ?? 0;
  };

  it('stops when it is canceled, and keeps what it imported', async () => {
    await ended(await send(`id,title\n${row(HELD)}`));
    const id = await send(file('Renamed'));
    await duringThirdBatch(id, () => app.as(ann).post(`/operations/${id}/cancel`).expect(200), { waits: true });
    const { status, progress } = await operation(id);
    expect(status).toBe('canceled');
    expect(progress.done).toBeLessThan(LINES);
    const brought = await titles();
    expect(brought).toContain('Renamed');
    expect(brought).toHaveLength(progress.done);
    const { body } = await app
      .as(ann)
      .get(`/imports/${id.replace('opr_', 'imp_')}`)
      .expect(200);
    expect(body.data.counts).toMatchObject({ created: progress.done - 1, updated: 1 });
    await ended(await send(file()));
    expect(await titles()).toHaveLength(LINES);
  });

  it('fails when the user who started it loses the admin role midway', async () => {
    await ended(await send(`id,title\n${row(HELD)}`));
    const id = await send(file('Renamed'), eve);
    await duringThirdBatch(id, () =>
      app.as(ann).patch(`/endeavours/${garden}/members/${eve.id}`).send({ role: 'member' }).expect(200),
    );
    expect(await operation(id)).toMatchObject({
      status: 'failed',
      error: { code: 'forbidden', message: expect.any(String) },
    });
    const count = (await titles()).length;
    expect(count).toBeGreaterThanOrEqual(8);
    expect(count).toBeLessThan(LINES);
    expect(await cleaned(id)).toBe(0);
  });

  it('deletes its stored lines, whether it succeeds or is canceled', async () => {
    const done = await send(file());
    await ended(done);
    const canceled = await send(file());
    const waiting = async (id: string) =>
      app.database.query('SELECT 1 FROM import_lines WHERE import_id = $1', [id.replace('opr_', 'imp_')]);
    expect(await cleaned(canceled)).toBe(LINES);
    await app.as(ann).post(`/operations/${canceled}/cancel`).expect(200);
    expect(await cleaned(canceled)).toBe(0);
    expect(await waiting(done)).toEqual([]);
  });

  it('notifies each person once about new assignments', async () => {
    const [mia, task] = [await app.person('Mia'), await app.task(ann, garden)];
    await app.join(garden, mia, 'member');
    await ended(await send('id,title,assignee,status\n1,Dig,Mia,\n2,Plant,Mia,Doing\n3,Reap,Mia,Done\n4,Rest,Ann,\n'));
    const list = async (person: Person) => (await app.as(person).get('/notifications').expect(200)).body.data;
    expect(await list(mia)).toEqual([
      expect.objectContaining({ kinds: ['assigned'], count: 2, entity_type: 'endeavour', entity_id: garden }),
    ]);
    expect(await list(ann)).toEqual([]);
    await app.as(ann).patch(`/tasks/${task}`).send({ assignee_id: mia.id }).expect(200);
    expect((await list(mia)).map(({ entity_id }: { entity_id: string }) => entity_id).sort()).toEqual(
      [garden, task].sort(),
    );
  });

  it('looks things up by their index while it fills nearly empty tables', async () => {
    const readAsAWhole = async (): Promise<number> => {
      const table = await app.database.one<{ rows: number }>(
        `SELECT seq_tup_read::float8 AS rows FROM pg_stat_user_tables WHERE relname = 'entities'`,
      );
      return table?.rows ?? 0;
    };
    const lines = Array.from({ length: 1_000 }, (_, n) => `N-${n},New ${n}`);
    const id = await send(['id,title', ...lines].join('\n'));
    const before = await readAsAWhole();
    const worker = await TestApp.open({ ...SMALL, OPERATION_PIECE: '50', WORKERS: 'true' }, app);
    await until('finished_at IS NOT NULL', id);
    // The server counts what a connection has read when it is closed.
    await worker.close();
    expect((await operation(id)).result.import.counts.created).toBe(1_000);
    // Four references of each line, each of which reads 500 entities on average.
    expect((await readAsAWhole()) - before).toBeLessThan(1_000_000);
  });
});

describe('an import into an endeavour with a Definition of Done', () => {
  let agreed: Agreement;

  beforeAll(async () => {
    agreed = await Agreement.open({ ...SMALL, WORKERS: 'true' });
  });

  afterAll(() => agreed.app.close());

  it('reports the tasks that do not meet it, and keeps their checks', async () => {
    const { app, ann } = agreed;
    const garden = await agreed.bound(attestation);
    const report = async (text: string) => {
      const { headers } = await app
        .as(ann)
        .post(`/imports?format=csv&endeavour_id=${garden}`)
        .set('Content-Type', 'application/octet-stream')
        .send(text)
        .expect(202);
      const { body } = await app.ended(ann, headers.location);
      const found = await app
        .as(ann)
        .get(`/imports/${body.data.id.replace('opr_', 'imp_')}`)
        .expect(200);
      return found.body.data;
    };
    await report('id,title,status\n1,Dig,active\n2,Plant,active\n');
    const { counts, refusals } = await report('id,title,status\n1,Dig,done\n2,Plant deeper,active\n3,Reap,done\n');
    expect(counts).toMatchObject({ created: 1, updated: 1 });
    expect(refusals).toEqual([
      expect.objectContaining({
        line: 2,
        external_id: '1',
        code: 'dod_not_met',
        message: expect.stringContaining('Definition of Done'),
      }),
    ]);
    const { body } = await app.as(ann).get(`/tasks?endeavour_id=${garden}&sort=title`).expect(200);
    expect(body.data.map(({ title, status }: Record<string, string>) => [title, status])).toEqual([
      ['Dig', 'active'],
      ['Plant deeper', 'active'],
      ['Reap', 'done'],
    ]);
    const checks = await app.as(ann).get(`/tasks/${body.data[0].id}/dod-checks`).expect(200);
    expect(checks.body.data).toEqual([expect.objectContaining({ result: 'not_met' })]);
  });
});
