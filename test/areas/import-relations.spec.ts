import { TestApp, type Person } from '../support/test-app.js';

interface ImportReport {
  id: string;
  counts: { created: number; relations: number };
}

const ids = (from: number, count: number): string[] => Array.from({ length: count }, (_, index) => `T-${from + index}`);

describe('an import of lines with many relations', () => {
  let app: TestApp;
  let ann: Person;
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open({ WORKERS: 'true', OPERATION_PIECE: '25' });
    ann = await app.person('Ann');
  });
  beforeEach(async () => {
    garden = await app.endeavour(ann);
  });
  afterAll(() => app.close());

  async function begin(file: string): Promise<string> {
    const { headers } = await app
      .as(ann)
      .post(`/imports?format=csv&endeavour_id=${garden}`)
      .set('Content-Type', 'text/csv')
      .send(file)
      .expect(202);
    return headers.location;
  }

  /** The operation when it has ended. */
  async function ended(location: string): Promise<{ status: string; result: { import: ImportReport } }> {
    for (;;) {
      const { data } = (await app.as(ann).get(location).set('Prefer', 'wait=20').expect(200)).body;
      if (data.finished_at !== null) return data;
    }
  }

  it('reports a line with more than 200, and imports one with as many', async () => {
    const lines = ids(0, 201).map((id) => `${id},Dig,`);
    const file = [
      'id,title,depends_on',
      ...lines,
      `many,Dig,"${ids(0, 201).join()}"`,
      `full,Dig,"${ids(0, 200).join()}"`,
    ];
    const location = await begin(file.join('\n'));
    const { id, counts } = (await ended(location)).result.import;
    expect(counts).toMatchObject({ created: 202, relations: 200 });
    const { refusals } = (await app.as(ann).get(`/imports/${id}`).expect(200)).body.data;
    expect(refusals).toEqual([
      expect.objectContaining({
        external_id: 'many',
        reason: 'too_long',
        message: expect.stringMatching(/^The line has 201 relations; at most 200 /) as string,
      }),
    ]);
  });

  it('is canceled between two lines while it creates them', async () => {
    const targets = ids(500, 100);
    await ended(await begin(['id,title', ...targets.map((id) => `${id},Dig`)].join('\n')));
    const path = `/tasks?endeavour_id=${garden}&external=csv:T-550`;
    const { body: found } = await app.as(ann).get(path).expect(200);
    const other = await app.openConnection();
    await other.query('BEGIN');
    await other.query('SELECT 1 FROM tasks WHERE id = $1 FOR UPDATE', [found.data[0].id]);
    await other.query('SELECT 1 FROM entities WHERE id = $1 FOR UPDATE', [found.data[0].id]);
    const lines = Array.from({ length: 60 }, (_, index) => `S-${index},Dig,"${targets.join()}"`);
    const location = await begin(['id,title,depends_on', ...lines].join('\n'));
    // The relations of the first lines wait for the row lock, and the cancelation waits for them.
    await app.untilLockWaits(1);
    const cancel = app.as(ann).post(`${location.replace('/api/v1', '')}/cancel`);
    const canceling = Promise.resolve(cancel.expect(200));
    await app.untilLockWaits(2);
    await other.query('ROLLBACK');
    await other.end();
    await canceling;
    const { status, result } = await ended(location);
    expect(status).toBe('canceled');
    expect(result.import.counts.created).toBe(60);
    expect(result.import.counts.relations % 100).toBe(0);
    expect(result.import.counts.relations).toBeLessThan(6_000);
  });
});
