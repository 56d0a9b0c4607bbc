import { setTimeout as sleep } from 'node:timers/promises';
import { PreparedClient } from '../../src/platform/database/connections/prepared-client.js';
import { missingPrograms, sayMissing } from '../support/production/programs.js';
import { requiring } from '../support/production/requiring.js';
import { StockPostgres, until, type RunningPooler } from '../support/production/servers.js';
import { ADMIN, runCommand, send, Site, type Answer } from '../support/production/site.js';

const describeIfInstalled = requiring(sayMissing(missingPrograms()));

const UNKNOWN = { code: 'unavailable', details: { outcome: 'unknown' } };
const WAITING = "wait_event = 'SyncRep' AND datname = 'worksmith'";

describeIfInstalled('a commit that waits for a synchronous standby that is away', () => {
  let postgres: StockPostgres;
  let pooler: RunningPooler;
  let site: Site;
  let token: string;

  beforeAll(async () => {
    postgres = await StockPostgres.start('15');
    await runCommand('migrate', [], { DATABASE_URL: postgres.url() });
    pooler = await postgres.pool('new');
    site = await Site.start({ DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: postgres.url() });
    const body = JSON.stringify(ADMIN);
    const login = await send(`${site.base}/api/v1/auth/login`, 'POST', { 'content-type': 'application/json' }, body);
    ({ token } = login.body.data);
  });
  afterAll(async () => {
    await demand('');
    await site.end();
    await pooler.end();
    await postgres.end();
  });

  /** Demands a standby of that name for every commit, or none. */
  const demand = async (standby: string): Promise<void> => {
    await postgres.asSuperuser(`ALTER SYSTEM SET synchronous_standby_names = '${standby}'`, 'SELECT pg_reload_conf()');
    await until('the changed setting', async () => {
      const [{ setting }] = await postgres.asSuperuser(
        "SELECT setting FROM pg_settings WHERE name = 'synchronous_standby_names'",
      );
      return setting === standby;
    });
  };
  const post = (path: string, body: object, key: string): Promise<Answer> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key };
    return send(`${site.base}/api/v1${path}`, 'POST', headers, JSON.stringify(body));
  };
  /** Ends the waits of commits by that function of PostgreSQL until there is an answer. */
  const whileWaitsEnd = async <T>(by: string, answer: Promise<T>): Promise<T> => {
    const isAnswered = answer.then(() => true);
    do await postgres.asSuperuser(`SELECT ${by}(pid) FROM pg_stat_activity WHERE ${WAITING}`);
    while (!(await Promise.race([isAnswered, sleep(20, false)])));
    return answer;
  };
  const named = async (name: string): Promise<number> => {
    const rows = await postgres.asService(`SELECT id FROM endeavours WHERE name = '${name}'`);
    return rows.length;
  };

  it.each(['pg_cancel_backend', 'pg_terminate_backend'])(
    'is answered as an unknown outcome if the wait is ended by %s, also when its request is repeated, until it is there',
    async (by) => {
      const create = (): Promise<Answer> => post('/endeavours', { name: by }, by);
      await demand('nowhere');
      const first = await whileWaitsEnd(by, create());
      expect([first.status, first.body.error]).toEqual([503, expect.objectContaining(UNKNOWN)]);
      expect(await named(by)).toBe(1);
      // The response is stored, but a failover would lose it.
      const again = await whileWaitsEnd(by, create());
      expect([again.status, again.body.error]).toEqual([503, expect.objectContaining(UNKNOWN)]);
      await demand('');
      const last = await create();
      expect([last.status, last.body.data.name]).toEqual([201, by]);
      expect(await named(by)).toBe(1);
    },
  );

  it('is not reported as a success to a statement outside a transaction either', async () => {
    await postgres.asService('CREATE TABLE notes (note text)');
    const client = new PreparedClient({ connectionString: pooler.url });
    await client.connect();
    try {
      await demand('nowhere');
      const insert = client.send('INSERT INTO notes VALUES ($1)', ['cut']);
      await expect(whileWaitsEnd('pg_cancel_backend', insert)).rejects.toMatchObject(UNKNOWN);
    } finally {
      await demand('');
      await client.end();
    }
    expect(await postgres.asService('SELECT note FROM notes')).toEqual([{ note: 'cut' }]);
  });
});
