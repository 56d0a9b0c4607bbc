import { RefusalTally } from '../../src/platform/audit/refusal-tally.js';
import { InProcessApp } from '../support/in-process-app.js';
import type { Person } from '../support/test-app.js';

describe('the audit of rejected requests', () => {
  let app: InProcessApp;
  let ann: Person;
  let tally: RefusalTally;

  beforeEach(async () => {
    app = await InProcessApp.open();
    ann = await app.person('Ann');
    tally = app.nest.get(RefusalTally);
  });

  afterEach(() => app.close());

  const counted = () =>
    app.database.query<{ operation: string | null; count: number }>(
      `SELECT operation, sum(count)::integer AS count, count(*)::integer AS rows FROM audit_entries
       WHERE action = 'access.denied' GROUP BY operation ORDER BY operation`,
    );

  it('has at most two entries a minute for one caller and operation, however many requests there are', async () => {
    for (let n = 0; n < 50; n += 1) await app.as(ann).get('/users').expect(403);
    for (let n = 0; n < 5; n += 1) await app.as(ann).get('/tiers').expect(403);
    for (let n = 0; n < 5; n += 1) await tally.write(n === 4);
    expect(await counted()).toEqual([
      { operation: 'GET /api/v1/tiers', count: 5, rows: expect.any(Number) },
      { operation: 'GET /api/v1/users', count: 50, rows: expect.any(Number) },
    ]);
    const rows = await app.database.query(`SELECT 1 FROM audit_entries WHERE action = 'access.denied'`);
    expect(rows.length).toBeLessThanOrEqual(4);
  });

  it('counts the requests of very many callers together', async () => {
    for (let n = 0; n < 5_000; n += 1) {
      tally.record({ action: 'access.denied', code: 'forbidden', operation: 'GET /x', address: `2001:db8::${n}` });
    }
    await tally.write(true);
    expect(await counted()).toEqual([
      { operation: 'GET /x', count: 1_000, rows: 1_000 },
      { operation: null, count: 4_000, rows: 1 },
    ]);
  });

  it('keeps counting requests whose entries could not be written', async () => {
    await app.observer.query('ALTER TABLE audit_entries ADD CONSTRAINT none CHECK (false) NOT VALID');
    tally.record({ action: 'access.denied', code: 'forbidden', operation: 'GET /x', address: '192.0.2.1' });
    await tally.write(true);
    expect(await counted()).toEqual([]);
    await app.observer.query('ALTER TABLE audit_entries DROP CONSTRAINT none');
    tally.record({ action: 'access.denied', code: 'forbidden', operation: 'GET /x', address: '192.0.2.1' });
    await tally.write(true);
    expect(await counted()).toEqual([{ operation: 'GET /x', count: 2, rows: 1 }]);
  });
});
