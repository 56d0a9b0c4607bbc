import { TestApp, type Person } from '../support/test-app.js';

const SMALL = { OPERATION_THRESHOLD: '2', OPERATION_PIECE: '4', LIMIT_WRITES_PER_MINUTE: '100000' };

/** A piece that crashes its process would crash every process that tries it again. */
describe('a piece of an operation that crashes its process', () => {
  let app: TestApp;
  let ann: Person;
  let garden: string;
  let tasks: string[];

  beforeAll(async () => {
    app = await TestApp.open(SMALL);
  });
  beforeEach(async () => {
    ann = await app.person('Ann');
    garden = await app.endeavour(ann);
    tasks = [];
    for (let n = 0; n < 4; n += 1) tasks.push(await app.task(ann, garden));
  });
  afterAll(() => app.close());

  const started = async (): Promise<string> => {
    const { body } = await app.as(ann).post(`/endeavours/${garden}/archive`).send({ reason: 'A mistake' }).expect(202);
    return body.data.id;
  };
  const lostBy = async (id: string): Promise<number | undefined> =>
    (await app.observer.one<{ lost: number }>('SELECT lost FROM operations WHERE id = $1', [id]))?.lost;
  const ended = async (id: string) => {
    const worker = await TestApp.open({ ...SMALL, WORKERS: 'true' }, app);
    const { body } = await app.ended(ann, `/operations/${id}`);
    await worker.close();
    return body.data;
  };

  it('is counted as lost before the work begins, and no longer after the work has ended', async () => {
    const id = await started();
    const other = await app.openConnection();
    await other.query('BEGIN');
    await other.query('SELECT 1 FROM tasks WHERE id = $1 FOR UPDATE', [tasks[0]]);
    const ending = ended(id);
    await app.untilLockWaits(1);
    expect(await lostBy(id)).toBe(1);
    await other.query('ROLLBACK');
    await other.end();
    expect(await ending).toMatchObject({ status: 'succeeded' });
    expect(await lostBy(id)).toBe(0);
  });

  it('is tried eight times; then the operation fails and its changes are undone', async () => {
    const id = await started();
    await app.observer.query(`UPDATE operations SET status = 'running', lost = 8 WHERE id = $1`, [id]);
    expect(await ended(id)).toMatchObject({ status: 'failed', error: { code: 'internal_error' } });
    await app.as(ann).patch(`/tasks/${tasks[0]}`).send({ title: 'Writable' }).expect(200);
  });

  it('is given up if undoing the changes crashes the process, too', async () => {
    const id = await started();
    await app.observer.query(
      `UPDATE operations SET status = 'running', lost = 8, error = '{"code": "internal_error", "message": "No."}'
       WHERE id = $1`,
      [id],
    );
    expect(await ended(id)).toMatchObject({ status: 'failed' });
    await app.as(ann).patch(`/tasks/${tasks[0]}`).send({ title: 'Writable' }).expect(200);
  });
});
