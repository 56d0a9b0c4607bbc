import { Resource } from '../../src/modules/resources/resource.entity.js';
import { LockableRow } from '../../src/platform/database/views/rows.js';
import { InProcessApp } from '../support/in-process-app.js';

let app: InProcessApp;
beforeAll(async () => (app = await InProcessApp.open()));
afterAll(() => app.close());

const heldTables = (): string[] =>
  app.database.source.entityMetadatas
    .filter(({ target }) => typeof target === 'function' && target.prototype instanceof LockableRow)
    .map(({ tableName }) => tableName)
    .sort();

describe('an exclusively locked row', () => {
  it('waits for earlier locks, and makes later ones wait', async () => {
    const ann = await app.person();
    const [before, after] = [await app.openConnection(), await app.openConnection()];
    const holdOn = 'SELECT holds FROM resources WHERE id = $1 FOR KEY SHARE';
    await before.query('BEGIN');
    await before.query(holdOn, [ann.resourceId]);
    const order: string[] = [];
    const alone = app.database.transaction(async () => {
      await app.database.lockExclusively(Resource, ann.resourceId);
      order.push('alone');
      // A transaction that locks the row now waits, and sees the changed row after the commit.
      await after.query('BEGIN');
      void after.query(holdOn, [ann.resourceId]).then(({ rows }) => order.push(`after, ${rows[0].holds}`));
      await app.untilLockWaits(1);
      order.push('done');
    });
    await app.untilLockWaits(1);
    order.push('before');
    await before.query('COMMIT');
    await alone;
    await after.query('COMMIT');
    expect(order).toEqual(['before', 'alone', 'done', 'after, 1']);
    await Promise.all([before.end(), after.end()]);
  });

  it('changes a column of a unique key, so that concurrent FOR KEY SHARE locks wait too', async () => {
    const keys = await app.database.query<{ table: string }>(
      `SELECT i.indrelid::regclass::text AS table
       FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey)
       WHERE a.attname = 'holds' AND i.indisunique AND i.indpred IS NULL AND i.indexprs IS NULL ORDER BY 1`,
    );
    expect(keys.map(({ table }) => table)).toEqual([
      'demands',
      'endeavours',
      'iterations',
      'organizations',
      'resources',
    ]);
    expect(heldTables()).toEqual(keys.map(({ table }) => table));
  });
});
