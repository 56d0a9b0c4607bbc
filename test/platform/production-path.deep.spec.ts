import { appendFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { missingPrograms, POSTGRES, sayMissing, type Version } from '../support/production/programs.js';
import { requiring } from '../support/production/requiring.js';
import { StockPostgres, until, type RunningPooler } from '../support/production/servers.js';
import { failedStart, runCommand, Site, type DatabaseSettings } from '../support/production/site.js';
import { work, type Work } from '../support/production/work.js';
import { SCHEMA } from '../../src/schema.js';

const describeIfInstalled = requiring(sayMissing(missingPrograms()));

/** What work must have shown, whatever is between the service and its database. */
const AS_DOCUMENTED: Work = {
  statuses: { 200: 180, 201: 60 },
  imported: 210,
  notified: expect.any(Number) as number,
  delivered: ['task.created'],
  refusals: [
    [413, expect.stringContaining('application/json') as string, 'The request body is larger than 1 MiB.'],
    [413, expect.stringContaining('application/json') as string, 'The request body is larger than 1 MiB.'],
    [413, expect.stringContaining('application/json') as string, 'The file is larger than 200 MiB.'],
    [413, expect.stringContaining('application/json') as string, 'The file is larger than 200 MiB.'],
  ],
};

const problemsIn = (output: string): string[] => output.split('\n').filter((line) => /^(?:warning|fault)/.test(line));
/** One role owns the tables and runs the service; docs/audit.md describes two. */
const ONE_ROLE = expect.stringMatching(/^warning +The role worksmith owns the tables of the audit/) as string;

describeIfInstalled.each(Object.keys(POSTGRES) as Version[])(
  'deploy/ on a PostgreSQL %s with its default settings',
  (version) => {
    let postgres: StockPostgres;
    let other: { email: string; password: string };
    const poolers: RunningPooler[] = [];
    const direct = (): DatabaseSettings => ({ DATABASE_URL: postgres.url() });

    let migrated: [code: number | null, output: string];

    beforeAll(async () => {
      postgres = await StockPostgres.start(version);
      migrated = await runCommand('migrate', [], direct());
      const [, created] = await runCommand('admin', ['create', 'eve@example.org'], direct());
      other = { email: 'eve@example.org', password: /Password: (\S+)/.exec(created)?.[1] ?? '' };
    });
    afterAll(async () => {
      for (const pooler of poolers) await pooler.end();
      await postgres.end();
    });

    const pool = async (...args: Parameters<StockPostgres['pool']>): Promise<DatabaseSettings> => {
      const pooler = await postgres.pool(...args);
      poolers.push(pooler);
      return { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: postgres.url() };
    };
    const doctor = async (database: DatabaseSettings): Promise<string[]> => {
      const [, output] = await runCommand('doctor', [], database);
      return problemsIn(output);
    };
    const serve = async (database: DatabaseSettings): Promise<void> => {
      const site = await Site.start(database);
      try {
        expect(await work(site, postgres, other)).toEqual(AS_DOCUMENTED);
        await until('a sealed audit', async () => {
          const [{ count }] = await postgres.asService('SELECT count(*)::integer FROM audit_unsealed');
          return count === 0;
        });
        expect(await doctor(database)).toEqual([ONE_ROLE]);
      } finally {
        await site.end();
      }
      expect(site.log.split('\n').filter((line) => /"level":"(?:warn|error|fatal)"/.test(line))).toEqual([]);
    };

    it('is migrated by its role, and again', async () => {
      const [code, output] = migrated;
      expect(output).toContain(`${SCHEMA.migrations.length} migration(s) applied.`);
      expect(code).toBe(0);
      expect(await runCommand('migrate', [], direct())).toEqual([0, 'The database is up to date.\n']);
    });

    it('serves directly', () => serve(direct()));

    it('serves through PgBouncer in transaction mode', async () => serve(await pool('new')));

    it('serves through PgBouncer in session mode, whatever its version', async () =>
      serve(await pool('old', { pool_mode: 'session' })));

    it.each([
      ['of a version that loses prepared statements', 'old', {}],
      ['that keeps none', 'new', { max_prepared_statements: '0' }],
      ['in statement mode', 'new', { pool_mode: 'statement' }],
    ] as [string, 'old' | 'new', Record<string, string>][])(
      'is not served through a PgBouncer %s, which is said',
      async (_, which, changes) => {
        const database = await pool(which, changes);
        const [code, output] = await failedStart(database);
        expect(output).toContain('The connection pooler in DATABASE_URL loses prepared statements');
        expect(code).toBe(1);
        expect((await doctor(database))[0]).toMatch(
          /^fault +The connection pooler in DATABASE_URL loses prepared statements/,
        );
      },
    );

    it('is migrated directly if DATABASE_URL is a pooler', async () => {
      const database = await pool('new');
      const { DATABASE_URL } = database;
      const [code, output] = await runCommand('migrate', [], { DATABASE_URL });
      expect([code, output]).toEqual([1, expect.stringContaining('Set DATABASE_DIRECT_URL to the server itself')]);
      expect(await runCommand('migrate', [], database)).toEqual([0, 'The database is up to date.\n']);
    });

    it('is restored by its role from a dump, and served with what a dump does not contain', async () => {
      await postgres.restoreInto('restored');
      const restored = { DATABASE_URL: postgres.url('restored') };
      expect((await doctor(restored)).join('\n')).toMatch(/^warning +On new connections, .*jit is on instead of off/m);
      const site = await Site.start(restored);
      try {
        expect(await doctor(restored)).toEqual([ONE_ROLE]);
      } finally {
        await site.end();
      }
      expect(await runCommand('migrate', [], restored)).toEqual([0, 'The database is up to date.\n']);
    });

    it('is backed up, verified and restored by the commands, which the doctor knows', async () => {
      const folder = join(mkdtempSync(join(tmpdir(), 'worksmith-backups-')), 'monday');
      const withPrograms = (database: DatabaseSettings): DatabaseSettings => ({
        ...database,
        PATH: `${POSTGRES[version]}${delimiter}${process.env.PATH}`,
      });
      const settings = withPrograms(direct());
      const [, before] = await runCommand('doctor', [], settings);
      expect(before).toContain('No backup of this database is known to have been verified');

      const [made, madeOutput] = await runCommand('backup', [folder], settings);
      expect([made, madeOutput]).toEqual([0, expect.stringContaining('rows in ')]);
      await postgres.asService("UPDATE users SET name = 'Changed after the backup'");
      const [verified, verifiedOutput] = await runCommand('restore', ['--verify', folder], settings);
      expect(verifiedOutput).toMatch(/is intact: .*\nThe test is recorded for npm run doctor\.\n$/);
      expect(verified).toBe(0);
      const [, after] = await runCommand('doctor', [], settings);
      expect(after).toMatch(/^ok +A backup of .* was restored and compared 0 days ago\.$/m);

      const [full, fullOutput] = await runCommand('restore', [folder], settings);
      expect([full, fullOutput]).toEqual([1, expect.stringContaining('The database worksmith already contains ')]);
      await postgres.asSuperuser("CREATE DATABASE again OWNER worksmith ENCODING 'UTF8' TEMPLATE template0");
      const again = withPrograms({ DATABASE_URL: postgres.url('again') });
      const [restored, restoredOutput] = await runCommand('restore', [folder], again);
      expect([restored, restoredOutput]).toEqual([0, expect.stringContaining('Run npm run migrate')]);
      expect(await runCommand('migrate', [], again)).toEqual([0, 'The database is up to date.\n']);

      appendFileSync(join(folder, 'data', 'worksmith.dump'), 'x');
      const [damaged, damagedOutput] = await runCommand('restore', ['--verify', folder], settings);
      expect([damaged, damagedOutput]).toEqual([1, expect.stringContaining('worksmith.dump has ')]);

      const pooled = withPrograms({ DATABASE_URL: (await pool('new')).DATABASE_URL });
      const [refused, refusedOutput] = await runCommand('backup', [`${folder}-pooled`], pooled);
      expect([refused, refusedOutput]).toEqual([1, expect.stringContaining('A backup needs a connection of its own')]);
    });
  },
);
