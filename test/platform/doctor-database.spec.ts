import { examineRights, examineSettings } from '../../src/platform/doctor/connection-examination.js';
import { expectedObjects } from '../../src/platform/doctor/expected-objects.js';
import type { DoctorFinding } from '../../src/platform/doctor/findings.js';
import { examineObjects } from '../../src/platform/doctor/object-examination.js';
import { setRoleLimits } from '../../src/platform/process/role-limits.js';
import { asService } from '../../src/platform/process/service-role.js';
import { OBJECTS, SCHEMA } from '../../src/schema.js';
import { cloneDatabase, dropDatabase, TestDatabase, type TestConnection } from '../support/database.js';

const PLAN = { connections: 11 };

describe('the doctor', () => {
  let connection: TestConnection;
  let owner: TestDatabase;
  let service: TestDatabase;

  beforeAll(async () => {
    connection = await cloneDatabase();
    owner = new TestDatabase(connection);
    service = new TestDatabase(asService(connection));
  });
  afterAll(async () => {
    await owner.close();
    await service.close();
    await dropDatabase(connection);
  });

  const problemsOf = (findings: DoctorFinding[]): string[] =>
    findings.filter(({ state }) => state !== 'ok').map(({ text }) => text);
  const problems = async (): Promise<string[]> =>
    problemsOf(await examineObjects((sql) => owner.query(sql), await expectedObjects(OBJECTS, SCHEMA.migrations)));

  it('finds exactly the functions, triggers and indexes of this release', async () => {
    expect(await problems()).toEqual([]);
    const expected = await expectedObjects(OBJECTS, SCHEMA.migrations);
    const counts = await owner.query(
      `SELECT (SELECT count(*)::integer FROM pg_proc p WHERE pronamespace IN ('public'::regnamespace, 'confined'::regnamespace)
           AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')) AS functions,
         (SELECT count(*)::integer FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid WHERE NOT t.tgisinternal
           AND c.relnamespace IN ('public'::regnamespace, 'confined'::regnamespace)) AS triggers,
         (SELECT count(*)::integer FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
           WHERE c.relnamespace IN ('public'::regnamespace, 'confined'::regnamespace)
             AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = c.oid)) AS indexes`,
    );
    const { functions, triggers, indexes } = expected;
    expect(counts).toEqual([{ functions: functions.size, triggers: triggers.size, indexes: indexes.size }]);
  });

  it.each([
    [
      'CREATE OR REPLACE FUNCTION home_of(endeavour text) RETURNS text LANGUAGE sql STABLE AS $$ SELECT NULL $$',
      'functions differ from those of this release: public.home_of.',
    ],
    ['DROP FUNCTION only_keys', 'functions are missing: public.only_keys.'],
    [
      'DROP TRIGGER audit_entries_unsealed ON audit_entries',
      'triggers are missing: audit_entries.audit_entries_unsealed.',
    ],
    [
      'ALTER TABLE audit_seals DISABLE TRIGGER audit_seals_immutable',
      'triggers are disabled: audit_seals.audit_seals_immutable.',
    ],
    ['DROP INDEX audit_entries_occurred_at_id_idx', 'indexes are missing: audit_entries_occurred_at_id_idx.'],
  ])('notices what is lost or changed: %s', async (sql, problem) => {
    await owner.query(sql);
    expect((await problems()).join('\n')).toContain(`These ${problem}`);
  });

  it('names the rights that the role lacks, and too few connections', async () => {
    const { user } = asService(connection);
    const rights = async (plan = PLAN) =>
      problemsOf(await examineRights((sql, values) => owner.query(sql, values), user, plan));
    expect(await rights()).toEqual([]);
    await owner.query(`REVOKE DELETE ON tasks FROM ${user}; REVOKE EXECUTE ON FUNCTION home_of FROM PUBLIC`);
    expect(await rights({ connections: 100_000 })).toEqual([
      `The role ${user} has no right to DELETE on tasks, EXECUTE on home_of. Run npm run migrate, as the owner of the tables (DATABASE_OWNER_URL).`,
      expect.stringMatching(/^The server allows .* connections; each replica opens 100000 \(DATABASE_POOL\)\.$/),
    ]);
  });

  it('names the settings that new connections lack', async () => {
    const found = async (): Promise<string[]> => {
      const fresh = new TestDatabase(asService(connection));
      try {
        return problemsOf(await examineSettings((sql, values) => fresh.query(sql, values)));
      } finally {
        await fresh.close();
      }
    };
    await owner.query(`ALTER DATABASE ${connection.database} SET jit = on`);
    expect((await found())[0]).toMatch(/^On new connections, .*jit is on instead of off/);
    await setRoleLimits(asService(connection));
    expect((await found()).filter((text) => text.startsWith('On new connections'))).toEqual([]);
  });
});
