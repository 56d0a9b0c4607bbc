import pg from 'pg';
import { AuditChain } from '../../src/platform/audit/audit-chain.js';
import { AuditVerification, type AuditFindings } from '../../src/platform/audit/audit-verification.js';
import { readSettings } from '../../src/platform/config/read-settings.js';
import { Secrets } from '../../src/platform/config/secrets.js';
import { makeDataSource } from '../../src/platform/database/connections/data-source.js';
import { migrate } from '../../src/platform/database/schema/migrations.js';
import { examineRole } from '../../src/platform/doctor/examination.js';
import { removeOldPartitions } from '../../src/platform/partitions/partition-removal.js';
import { asService } from '../../src/platform/process/service-role.js';
import { PARTITIONED_TABLES } from '../../src/partitioned-tables.js';
import { SCHEMA } from '../../src/schema.js';
import { TestApp, type Person } from '../support/test-app.js';

const KEYS = { JWT_SECRET: 'a-signing-key-for-the-audit-0123456789', PEPPER: 'a-pepper-for-the-audit-0123456789-abc' };
const WRITERS = 6;
/** What waits for a reader or a scan waits longer; a catalog change takes some milliseconds. */
const WRITER_LOCK_TIMEOUT = '500ms';
const TABLES = ['audit_entries', 'audit_unsealed', 'audit_origins'];
const FIRST_MIGRATION = 'BoundedDeliveries1763700004530';

/** Divides the first partitions of the audit: what is older than 100 days, until yesterday, and since then. */
const DIVIDED = `DO $$ DECLARE member text; edge text; old text := first_id_of('aud', now() - interval '100 days');
    yesterday text := first_id_of('aud', now() - interval '1 day'); BEGIN
  SELECT first_id_of('aud', min(ends_at)) INTO edge FROM month_partitions WHERE parent = 'audit_entries';
  FOREACH member IN ARRAY '{audit_entries,audit_unsealed,audit_origins}'::text[] LOOP
    EXECUTE format('ALTER TABLE %I DETACH PARTITION partitions.%I', member, member);
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION partitions.%I FOR VALUES FROM (%L) TO (%L)', member, member, yesterday, edge);
    EXECUTE format('CREATE TABLE partitions.%I PARTITION OF %I FOR VALUES FROM (MINVALUE) TO (%L)', member || '_old', member, old);
    EXECUTE format('CREATE TABLE partitions.%I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)', member || '_later', member, old, yesterday);
    IF member <> 'audit_entries' THEN
      EXECUTE format('ALTER TABLE partitions.%I ADD FOREIGN KEY (entry_id) REFERENCES partitions.audit_entries_old ON DELETE CASCADE', member || '_old');
    END IF;
  END LOOP;
END $$`;

describe('the partitions of the audit', () => {
  let app: TestApp;
  let ada: Person;

  beforeEach(async () => {
    app = await TestApp.open(KEYS);
    ada = await app.admin();
    await app.as(ada).post('/auth/logout').expect(200);
    await runJobs();
  });
  afterEach(() => app.close());

  const owner = () => app.observer;
  const runJobs = async (): Promise<void> => {
    await owner().query(`UPDATE jobs SET due_at = '2000-01-01' WHERE name LIKE 'audit%'`);
    await app.service.runJobs();
  };
  const verify = (): Promise<AuditFindings> => {
    const ask = <R>(sql: string, parameters?: unknown[]) => owner().query<R>(sql, parameters);
    return new AuditVerification(ask, new AuditChain(Secrets.load(readSettings(KEYS), ''))).run();
  };
  const partitionsOf = async (table: string): Promise<string[]> =>
    (
      await owner().query<{ name: string }>('SELECT name FROM month_partitions WHERE parent = $1 ORDER BY ends_at', [
        table,
      ])
    ).map(({ name }) => name);
  const digest = async (): Promise<Record<string, unknown>[]> =>
    owner().query(`SELECT (SELECT md5(string_agg(t::text, '' ORDER BY id)) FROM audit_entries t) AS entries,
      (SELECT md5(string_agg(t::text, '' ORDER BY entry_id)) FROM audit_origins t) AS origins,
      (SELECT count(*)::integer FROM audit_entries) AS count`);

  it('cannot be read, changed, emptied or dropped by the role of the service, nor changed by the owner', async () => {
    const client = new pg.Client(asService(app.service.connection));
    await client.connect();
    const names = (await Promise.all(TABLES.map(partitionsOf))).flat();
    expect(names.length).toBeGreaterThanOrEqual(6);
    for (const name of names) {
      for (const sql of ['SELECT FROM', 'DELETE FROM', 'TRUNCATE', 'DROP TABLE']) {
        await expect(client.query(`${sql} partitions.${name}`)).rejects.toMatchObject({ code: '42501' });
      }
    }
    const detach = 'ALTER TABLE audit_entries DETACH PARTITION partitions.audit_entries';
    await expect(client.query(detach)).rejects.toMatchObject({ code: '42501' });
    await client.end();
    for (const name of await partitionsOf('audit_entries')) {
      await expect(owner().query(`TRUNCATE partitions.${name} CASCADE`)).rejects.toMatchObject({ code: '23001' });
    }
    await expect(owner().query('DELETE FROM partitions.audit_entries')).rejects.toMatchObject({ code: '23001' });
  });

  it('are a fault for the doctor if the role of the service can change one', async () => {
    const { user } = asService(app.service.connection);
    const examine = () => examineRole((sql, values) => owner().query(sql, values), user);
    expect((await examine()).state).toBe('ok');
    const [, later] = await partitionsOf('audit_entries');
    await owner().query(`GRANT UPDATE ON partitions.${later} TO ${user}`);
    expect((await examine()).state).toBe('ok');
    await owner().query(`GRANT USAGE ON SCHEMA partitions TO ${user}`);
    expect((await examine()).state).toBe('fault');
  });

  it('list entries of a later month for the seals, and bind origins to their entries', async () => {
    const next = `first_id_of('aud', now() + interval '2 months') || '7' || repeat('0', 19)`;
    const [{ id }] = await owner().query<{ id: string }>(
      `INSERT INTO audit_entries (id, action) VALUES (${next}, 'user.created') RETURNING id`,
    );
    expect(await owner().query('SELECT 1 FROM audit_unsealed WHERE entry_id = $1', [id])).toHaveLength(1);
    await expect(owner().query(`UPDATE audit_entries SET action = 'x' WHERE id = $1`, [id])).rejects.toMatchObject({
      code: '23001',
    });
    const origin = 'INSERT INTO audit_origins (entry_id) VALUES ($1)';
    await expect(owner().query(origin, [`${id.slice(0, -1)}1`])).rejects.toMatchObject({ code: '23503' });
    await owner().query(origin, [id]);
    await runJobs();
    expect((await verify()).faults).toEqual([]);
  });

  it('go when the retention has emptied them, and the chain stays whole', async () => {
    await owner().query(DIVIDED);
    await owner().query(
      `INSERT INTO audit_entries (id, action) SELECT first_id_of('aud', now() - interval '500 days') || '7' || lpad(n::text, 19, '0'),
         'user.created' FROM generate_series(1, 1200) n`,
    );
    await owner().query(`INSERT INTO audit_origins (entry_id)
      SELECT id FROM audit_entries WHERE id < first_id_of('aud', now() - interval '100 days') LIMIT 1`);
    await runJobs();
    const before = await verify();
    expect(before.sealed).toBeGreaterThan(1_200);
    await owner().query(`BEGIN; SET LOCAL session_replication_role = 'replica';
      UPDATE audit_seals SET sealed_at = sealed_at - interval '500 days'; COMMIT`);
    const remove = () => removeOldPartitions(app.service.connection, PARTITIONED_TABLES);
    // Entries that are not too old for the retention keep their partitions.
    expect(await remove()).toEqual(['audit_unsealed_old']);
    expect((await verify()).sealed).toBe(before.sealed);
    await runJobs();
    expect(await remove()).toEqual(['audit_origins_old', 'audit_entries_old']);
    expect(await verify()).toMatchObject({ faults: [], sealed: 0, position: before.position });
    await app.person('Ben');
    await runJobs();
    expect(await verify()).toMatchObject({ faults: [], position: before.position + 2 });
  });

  it('are made of a database with rows, under writers that do not wait, and nothing else changes', async () => {
    const source = await makeDataSource(app.service.connection, SCHEMA).initialize();
    const isReverted = async (): Promise<boolean> =>
      (await source.query<unknown[]>('SELECT 1 FROM migrations WHERE name = $1', [FIRST_MIGRATION])).length === 0;
    const before = await digest();
    while (!(await isReverted())) await source.undoLastMigration();
    await source.destroy();
    expect(
      await owner().query(
        `SELECT relname FROM pg_class WHERE relkind = 'p' OR relnamespace = to_regnamespace('partitions')`,
      ),
    ).toEqual([]);
    expect(await digest()).toEqual(before);
    expect((await verify()).faults).toEqual([]);
    const end = new AbortController();
    const write = async (): Promise<number> => {
      const client = new pg.Client(asService(app.service.connection));
      client.on('error', () => undefined);
      await client.connect();
      await client.query(`SET lock_timeout = '${WRITER_LOCK_TIMEOUT}'`);
      let written = 0;
      for (; !end.signal.aborted; written++) {
        await client.query(`WITH entry AS (
            INSERT INTO audit_entries (id, action) VALUES (new_id('aud'), 'user.created') RETURNING id)
          INSERT INTO audit_origins (entry_id) SELECT id FROM entry`);
      }
      await client.end();
      return written;
    };
    const reader = await app.openConnection();
    await reader.query('BEGIN; SELECT count(*) FROM audit_entries');
    const all = Promise.all(Array.from({ length: WRITERS }, write));
    const migrated = migrate(app.service.connection, SCHEMA);
    // The tables are asked for again and again, and given up again, while they are read.
    await Promise.race([reader.query('SELECT pg_sleep(3)'), all]);
    await reader.query('COMMIT');
    await reader.end();
    await Promise.race([migrated, all]);
    end.abort();
    const written = (await all).reduce((sum, one) => sum + one, 0);
    expect(written).toBeGreaterThan(WRITERS);
    const [{ count }] = await digest();
    expect(count).toBe(Number(before[0].count) + written);
    await runJobs();
    expect(await verify()).toMatchObject({ faults: [], sealed: count });
    for (const table of TABLES) expect((await partitionsOf(table)).length).toBeGreaterThan(1);
    const service = new pg.Client(asService(app.service.connection));
    await service.connect();
    for (const sql of ['UPDATE audit_entries SET count = 2', 'DELETE FROM audit_entries', 'TRUNCATE audit_entries']) {
      await expect(service.query(sql)).rejects.toMatchObject({ code: '42501' });
    }
    await service.end();
  });
});
