import pg from 'pg';
import { AuditChain } from '../../src/platform/audit/audit-chain.js';
import { AuditVerification, type AuditFindings } from '../../src/platform/audit/audit-verification.js';
import { readSettings } from '../../src/platform/config/read-settings.js';
import { Secrets } from '../../src/platform/config/secrets.js';
import { asService } from '../../src/platform/process/service-role.js';
import { TestApp, type Person } from '../support/test-app.js';

const KEYS = { JWT_SECRET: 'a-signing-key-for-the-audit-0123456789', PEPPER: 'a-pepper-for-the-audit-0123456789-abc' };
const HOUR_MS = 3_600_000;

describe('the audit', () => {
  let app: TestApp;
  let ada: Person;

  beforeEach(async () => {
    app = await TestApp.open(KEYS);
    ada = await app.admin();
    await app.as(ada).get('/auth/whoami').expect(200);
  });

  afterEach(() => app.close());

  const seal = () => app.service.runJobs();
  const verify = (): Promise<AuditFindings> => {
    const ask = <R>(sql: string, parameters?: unknown[]) => app.observer.query<R>(sql, parameters);
    return new AuditVerification(ask, new AuditChain(Secrets.load(readSettings(KEYS), ''))).run();
  };
  /** Runs a statement as the owner of the tables with the triggers turned off. */
  const asOwner = (sql: string) =>
    app.observer.query(`BEGIN; SET LOCAL session_replication_role = 'replica'; ${sql}; COMMIT`);
  const entries = () => app.observer.query<{ id: string }>('SELECT id FROM audit_entries ORDER BY id');

  it('is written by a role that can add entries and cannot change or delete them in any way', async () => {
    const users = await app.observer.query(
      `SELECT DISTINCT usename FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'worksmith'`,
    );
    const connection = asService(app.service.connection);
    expect(users).toEqual([{ usename: connection.user }]);
    await seal();
    const before = await app.observer.query(
      'SELECT e.*, s.* FROM audit_entries e JOIN audit_seals s ON s.entry_id = e.id',
    );
    const client = new pg.Client(connection);
    await client.connect();
    const outcomes = new Map<string, string>();
    for (const table of ['audit_entries', 'audit_seals', 'audit_checkpoints']) {
      for (const sql of [
        `UPDATE ${table} SET ${table === 'audit_entries' ? `action = 'x'` : `hash = 'x'`}`,
        `DELETE FROM ${table}`,
        `TRUNCATE ${table} CASCADE`,
        `ALTER TABLE ${table} DISABLE TRIGGER ALL`,
        `ALTER TABLE ${table} OWNER TO CURRENT_USER`,
        `ALTER TABLE ${table} ALTER COLUMN ${table === 'audit_entries' ? 'id' : 'hash'} TYPE varchar(4)`,
        `DROP TRIGGER ${table}_immutable ON ${table}`,
        `CREATE RULE kept AS ON INSERT TO ${table} DO INSTEAD NOTHING`,
        `DROP TABLE ${table} CASCADE`,
        `GRANT ALL ON ${table} TO CURRENT_USER; DELETE FROM ${table}`,
      ]) {
        outcomes.set(sql, await refusal(client, sql));
      }
    }
    for (const sql of [
      `SET worksmith.audit_retention = 'on'; DELETE FROM audit_entries`,
      `SET session_replication_role = 'replica'`,
      `SET ROLE ${app.service.connection.user}`,
      `CREATE OR REPLACE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN OLD; END $$`,
      `DROP FUNCTION refuse_audit_change CASCADE`,
      `DROP SCHEMA public CASCADE`,
      `INSERT INTO audit_checkpoints (position, hash, dropped, before, signature) VALUES (1, '', 1, now(), '')`,
      `ALTER ROLE CURRENT_USER SUPERUSER`,
    ]) {
      outcomes.set(sql, await refusal(client, sql));
    }
    await client.end();
    for (const [sql, code] of outcomes) expect([sql, code]).toEqual([sql, '42501']);
    expect(
      await app.observer.query('SELECT e.*, s.* FROM audit_entries e JOIN audit_seals s ON s.entry_id = e.id'),
    ).toEqual(before);
  });

  it('cannot be changed by its owner either, unless the triggers are turned off', async () => {
    for (const sql of [`UPDATE audit_entries SET action = 'x'`, 'DELETE FROM audit_entries', 'TRUNCATE audit_seals']) {
      await expect(app.observer.query(sql)).rejects.toMatchObject({ code: '23001' });
    }
  });

  it('keeps recent entries, even if the role of the service asks to drop them', async () => {
    await seal();
    const client = new pg.Client(asService(app.service.connection));
    await client.connect();
    for (const edge of ['now()', `date_trunc('month', now(), 'UTC')`, `now() - interval '31 days'`]) {
      expect(await refusal(client, `SELECT drop_audit_before(${edge}, 1, 'x')`)).toBe('23001');
    }
    await client.end();
    expect((await verify()).faults).toEqual([]);
  });

  it('keeps recent entries, even if the role of the service adds a seal that looks old', async () => {
    await seal();
    const client = new pg.Client(asService(app.service.connection));
    await client.connect();
    const forged = `
      INSERT INTO audit_seals (position, entry_id, hash, sealed_at)
        SELECT max(position) + 1, 'aud_forged', 'x', now() - interval '90 days' FROM audit_seals;
      SELECT drop_audit_before(date_trunc('month', now() - interval '31 days', 'UTC'), max(position), 'x') FROM audit_seals`;
    expect(await refusal(client, forged)).toBe('23001');
    await client.end();
  });

  it('is sealed into an intact chain, even if several runs seal it', async () => {
    await seal();
    const first = await verify();
    await app.person('Ben');
    await app.service.setTime(new Date(Date.now() + 60_000).toISOString());
    await seal();
    const second = await verify();
    expect([first.faults, second.faults]).toEqual([[], []]);
    expect(first.sealed).toBe(first.position);
    expect(second.sealed).toBe((await entries()).length);
    expect(second.position).toBeGreaterThan(first.position);
  });

  it.each([
    [
      'an entry that was changed',
      `UPDATE audit_entries SET action = 'user.created' WHERE id = (SELECT entry_id FROM audit_seals WHERE position = 2)`,
      /^Entry aud_\w+ at position 2, or its seal, was changed\.$/,
    ],
    [
      'an entry that was removed',
      `DELETE FROM audit_entries WHERE id = (SELECT entry_id FROM audit_seals WHERE position = 1)`,
      /^Entry aud_\w+, sealed at position 1, is missing\.$/,
    ],
    [
      'an entry that was removed with its seal',
      `DELETE FROM audit_entries WHERE id = (SELECT entry_id FROM audit_seals WHERE position = 1); DELETE FROM audit_seals WHERE position = 1`,
      /^The seals from position 1 to 1 are missing\.$/,
    ],
    [
      'a seal that was changed',
      `UPDATE audit_seals SET hash = 'x' WHERE position = 2`,
      /^Entry aud_\w+ at position 2, or its seal, was changed\.$/,
    ],
    [
      'an entry that was inserted',
      `INSERT INTO audit_entries (id, action) VALUES (new_id('aud'), 'user.created')`,
      /^Entry aud_\w+ has no seal and was not written by this service\.$/,
    ],
    [
      'an address that was inserted',
      `INSERT INTO audit_origins (entry_id, address) SELECT entry_id, '192.0.2.1' FROM audit_seals WHERE position = 1`,
      /^The address, user agent or e-mail of entry aud_\w+ was changed\.$/,
    ],
    [
      'a checkpoint that was inserted',
      `INSERT INTO audit_checkpoints (position, hash, dropped, before, signature) VALUES (0, '', 0, now(), 'x')`,
      /^The checkpoint at position 0 has an invalid signature\.$/,
    ],
  ])('verification finds %s', async (_, sql, fault) => {
    await seal();
    await asOwner(sql);
    const { faults } = await verify();
    expect(faults[0]).toMatch(fault);
  });

  it('drops whole months that are too old, leaves a signed checkpoint, and continues after it', async () => {
    await seal();
    const kept = await entries();
    await asOwner(`UPDATE audit_seals SET sealed_at = sealed_at - interval '500 days'`);
    await app.person('Ben');
    await app.service.setTime(new Date(Date.now() + 2 * HOUR_MS).toISOString());
    await seal();
    const left = await entries();
    expect(left.filter(({ id }) => kept.some((gone) => gone.id === id))).toEqual([]);
    expect(left).toHaveLength(2);
    const [checkpoint, ...others] = await app.observer.query<{ position: string; dropped: string }>(
      'SELECT position, dropped FROM audit_checkpoints',
    );
    expect([checkpoint, others]).toEqual([{ position: String(kept.length), dropped: String(kept.length) }, []]);
    expect(await verify()).toMatchObject({ faults: [], sealed: 2, position: kept.length + 2 });
  });

  it('drops a month with many entries in batches, and continues after an interruption', async () => {
    await app.observer.query(
      `INSERT INTO audit_entries (id, action) SELECT new_id('aud'), 'user.created' FROM generate_series(1, 2500)`,
    );
    await seal();
    const old = (await entries()).length;
    await asOwner(`UPDATE audit_seals SET sealed_at = sealed_at - interval '500 days'`);
    // Larger deletions could exceed the statement timeout, so they fail here. The third deletion is interrupted once.
    await app.observer.query(`
      CREATE SEQUENCE deletions;
      CREATE FUNCTION stop_deletion() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
      BEGIN
        IF (SELECT count(*) FROM gone) > 1000 OR nextval('deletions') = 3 THEN
          RAISE EXCEPTION 'canceled' USING ERRCODE = 'query_canceled';
        END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER stops_deletion AFTER DELETE ON audit_entries REFERENCING OLD TABLE AS gone
        FOR EACH STATEMENT EXECUTE FUNCTION stop_deletion()`);
    const checkpoints = () =>
      app.observer.query('SELECT position::integer, dropped::integer FROM audit_checkpoints ORDER BY position');
    const runAfter = async (hours: number) => {
      await app.service.setTime(new Date(Date.now() + hours * HOUR_MS).toISOString());
      await app.service.runJobs();
    };
    await runAfter(2);
    expect(await checkpoints()).toEqual([{ position: 1_000, dropped: 1_000 }]);
    expect(await verify()).toMatchObject({ faults: [], sealed: old - 1_000 });
    await runAfter(4);
    expect(await checkpoints()).toEqual([{ position: old, dropped: old }]);
    expect(await verify()).toMatchObject({ faults: [], sealed: 0, position: old });
  });
});

/** Returns the SQLSTATE with which the statement fails, or `done`; rolls it back. */
async function refusal(client: pg.Client, sql: string): Promise<string> {
  try {
    await client.query(`BEGIN`);
    await client.query(sql);
    return 'done';
  } catch (error) {
    return (error as { code: string }).code;
  } finally {
    await client.query('ROLLBACK');
  }
}
