import type { Client } from 'pg';
import { examineOrphans } from '../../src/platform/doctor/orphan-examination.js';
import {
  examineReplication,
  replicationFindings,
  type Replication,
} from '../../src/platform/doctor/replication-examination.js';
import { TestApp, type Person } from '../support/test-app.js';

describe('the doctor', () => {
  let app: TestApp;
  let ann: Person;
  let client: Client;

  beforeAll(async () => {
    app = await TestApp.open();
    ann = await app.person('Ann');
    await app.task(ann, await app.endeavour(ann));
    client = await app.openConnection();
  });
  afterAll(async () => {
    await client.end();
    await app.close();
  });

  const query = async <R>(sql: string): Promise<R[]> => (await client.query(sql)).rows as R[];
  /** The findings about a database in which triggers were switched off for a statement; it is rolled back. */
  const orphansAfter = async (sql = 'SELECT 1') => {
    await client.query('BEGIN');
    await client.query(`SET LOCAL session_replication_role = 'replica'; ${sql}`);
    const findings = await examineOrphans(query);
    await client.query('ROLLBACK');
    return findings;
  };

  it('finds no row that names one which does not exist', async () => {
    expect(await orphansAfter()).toEqual([{ state: 'ok', text: 'No row names a row that does not exist.' }]);
  });

  it('names the tables of orphans', async () => {
    const findings = await orphansAfter(`DELETE FROM resources WHERE id = '${ann.resourceId}'`);
    expect(new Set(findings.map(({ state }) => state))).toEqual(new Set(['fault']));
    expect(findings.map(({ text }) => text)).toContainEqual(
      expect.stringMatching(
        /^1 rows of users name resources that do not exist \(resource_id; users_resource_id_fkey\)\./,
      ),
    );
  });

  it('says that there is no standby', async () => {
    expect(await examineReplication(query)).toEqual([{ state: 'ok', text: 'No standby is connected.' }]);
  });
});

describe('replication', () => {
  const standby = { name: 'walreceiver', state: 'streaming', sync: 'sync', seconds: 0.2, bytes: 1_500_000 };
  const fine: Replication = { isSynchronous: false, standbys: [standby], slots: [] };
  const alone = { standbys: [], isSynchronous: true };

  it.each<[string, Partial<Replication>, string]>([
    ['ok', {}, 'The standby walreceiver (sync, streaming) is 1.5 MB and 0.2 s behind.'],
    ['ok', { standbys: [{ ...standby, seconds: null, bytes: 0 }] }, 'is 0.0 MB and 0.0 s behind.'],
    ['warning', { standbys: [{ ...standby, seconds: 90 }] }, '90.0 s behind. Look at its log'],
    ['warning', { standbys: [{ ...standby, state: 'catchup' }] }, '(sync, catchup)'],
    ['ok', { standbys: [{ ...standby, state: null }], isSynchronous: true }, 'Grant the role pg_monitor'],
    ['fault', alone, 'No synchronous standby is connected'],
    ['fault', { ...alone, standbys: [{ ...standby, sync: 'async' }] }, 'No synchronous standby is connected'],
    ['warning', { slots: [{ name: 'old', bytes: 2.5e9 }] }, 'slot old, for which the server keeps 2.5 GB'],
  ])('is judged: %s for %j', (state, changes, text) => {
    expect(replicationFindings({ ...fine, ...changes })).toContainEqual({
      state,
      text: expect.stringContaining(text) as string,
    });
  });

  it('may keep a little for a slot that nobody reads', () => {
    expect(replicationFindings({ ...fine, slots: [{ name: 'new', bytes: 1e6 }] })).toHaveLength(1);
  });
});
