import { makeWorld, type World } from '../access/callers.js';
import { ROWS } from '../access/routes/all.js';
import type { Row } from '../access/rows.js';
import { TestApp } from '../support/test-app.js';

/** The matrix sends more requests than the limits allow one user. */
const GENEROUS = { LIMIT_WRITES_PER_MINUTE: '100000', LIMIT_CODES_PER_HOUR: '1000' };
/** May do everything. */
const CALLER = 'administrator';

/** What the next release may do while this one is running. */
const ADD_COLUMNS = `DO $$ DECLARE one regclass; BEGIN
  FOR one IN SELECT oid::regclass FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
  LOOP EXECUTE format('ALTER TABLE %s ADD COLUMN of_the_next_release text', one); END LOOP;
END $$`;

describe('a column that the next release adds to every table', () => {
  let world: World;

  beforeAll(async () => {
    // With few connections, each has prepared the statements of the first round.
    world = await makeWorld(await TestApp.open({ ...GENEROUS, DATABASE_POOL: '2' }));
  });
  afterAll(() => world.app.close());

  async function send(row: Row): Promise<string> {
    const { method, path, body, by } = await row.request(world, CALLER);
    const call = world.app.as(by ?? world.callers[CALLER])[method](path);
    const { status } = await (body === undefined ? call : call.send(body));
    return `${row.operation} ${row.when ?? ''} ${status}`;
  }

  it('changes nothing for this one, whose statements name their columns', async () => {
    const before: string[] = [];
    for (const row of ROWS) before.push(await send(row));
    expect(before.filter((line) => / 5\d\d$/.test(line))).toEqual([]);
    await world.app.database.query(ADD_COLUMNS);
    const after: string[] = [];
    for (const row of ROWS) after.push(await send(row));
    expect(after).toEqual(before);
  });
});
