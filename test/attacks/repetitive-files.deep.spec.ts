import { TestApp, type Person } from '../support/test-app.js';

const RECORDS = 1_000;
/** Each line is read to be stored, imported and related, each time with the lines that it refers to. */
const MAX_READS = 15 * RECORDS;

/** Files whose records have so much in common that each of them could cost as much as all together. */
describe('an import of a repetitive file', () => {
  let app: TestApp;
  let ann: Person;
  let garden: string;

  beforeEach(async () => {
    app = await TestApp.open({ WORKERS: 'true', OPERATION_PIECE: '20', LIMIT_WRITES_PER_MINUTE: '100000' });
    ann = await app.person('Ann');
    garden = await app.endeavour(ann);
  });
  afterEach(() => app.close());

  const numbers = Array.from({ length: RECORDS }, (_, n) => n + 1);
  const counts = async (format: string, file: string): Promise<Record<string, number>> => {
    const { body, headers } = await app
      .as(ann)
      .post(`/imports?format=${format}&endeavour_id=${garden}`)
      .set('Content-Type', 'application/octet-stream')
      .send(file)
      .expect(202);
    let operation = body.data;
    while (operation.finished_at === null) {
      operation = (await app.as(ann).get(headers.location).set('Prefer', 'wait=20').expect(200)).body.data;
    }
    expect(operation).toMatchObject({ status: 'succeeded', error: null });
    const { counts: brought, refused } = operation.result.import;
    return { ...brought, refused };
  };
  /** The number of lines that the database has read; its statistics are delayed. */
  const reads = async (): Promise<number> => {
    for (;;) {
      const row = await app.observer.one<{ reads: number }>(
        `SELECT (t.seq_tup_read + sum(i.idx_tup_read))::integer AS reads FROM pg_stat_user_tables t
         JOIN pg_stat_user_indexes i USING (relid) WHERE t.relname = 'import_lines' GROUP BY t.seq_tup_read`,
      );
      if (row !== undefined && row.reads > RECORDS) return row.reads;
      await app.observer.query('SELECT pg_sleep(0.2)');
    }
  };

  it('reads each of the lines with the same id once', async () => {
    const lines = numbers.map((n) => `A-1,Task ${n}`);
    const expected = { created: 1, refused: RECORDS - 1 };
    expect(await counts('csv', `id,title\n${lines.join('\n')}`)).toMatchObject(expected);
    expect(await reads()).toBeLessThan(MAX_READS);
  });

  it('reads only the projects that a piece needs', async () => {
    const projects = numbers.map((n) => ({ id: n, title: `Project ${n}`, tasks: [{ id: n, title: `Task ${n}` }] }));
    expect(await counts('vikunja', JSON.stringify(projects))).toMatchObject({ created: RECORDS, refused: 0 });
    expect(await reads()).toBeLessThan(MAX_READS);
    const { body } = await app.as(ann).get(`/tasks?endeavour_id=${garden}&limit=1&sort=-title`).expect(200);
    expect(body.data[0]).toMatchObject({ title: 'Task 1000', metadata: { project: 'Project 1000' } });
  });

  it('searches the cycles of all dependencies in a piece at once', async () => {
    const lines = numbers.slice(0, 400).map((n) => {
      const before = [1, 2, 3, 4, 5].map((back) => n - back).filter((other) => other > 0);
      return `A-${n},Task ${n},"${before.map((other) => `A-${other}`).join()}"`;
    });
    // The last line would close cycles with all others.
    const file = `id,title,depends_on\n${lines.join('\n')}\nA-0,First,"A-400,A-399"\n`.replace(
      'A-1,Task 1,""',
      'A-1,Task 1,A-0',
    );
    expect(await counts('csv', file)).toMatchObject({ created: 401, relations: 1_986, refused: 2 });
    const read = async (): Promise<number> => {
      const row = await app.observer.one<{ reads: number }>(
        `SELECT sum(idx_tup_fetch)::integer AS reads FROM pg_stat_user_tables WHERE relname = 'relations'`,
      );
      return row?.reads ?? 0;
    };
    while ((await read()) < 1_000) await app.observer.query('SELECT pg_sleep(0.2)');
    // A search for each dependency would read all earlier ones, half a million in all.
    expect(await read()).toBeLessThan(400_000);
  });
});
