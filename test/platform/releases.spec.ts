import type { MigrationInterface, QueryRunner } from 'typeorm';
import { Lease } from '../../src/platform/database/connections/lease.js';
import { migrate } from '../../src/platform/database/schema/migrations.js';
import { Replica } from '../../src/platform/replicas/replica.js';
import { SCHEMA } from '../../src/schema.js';
import { InProcessApp } from '../support/in-process-app.js';
import type { Person } from '../support/test-app.js';

/** The next release: it adds a column and removes another, which it no longer uses. */
class Adding9763700000001 implements MigrationInterface {
  static readonly phase = 'expand';
  up(runner: QueryRunner): Promise<void> {
    return runner.query('ALTER TABLE tasks ADD COLUMN next_release text');
  }
  async down(): Promise<void> {}
}
class Removing9763700000002 implements MigrationInterface {
  static readonly phase = 'contract';
  up(runner: QueryRunner): Promise<void> {
    return runner.query('ALTER TABLE tasks DROP COLUMN next_release');
  }
  async down(): Promise<void> {}
}
const NEXT = { ...SCHEMA, migrations: [...SCHEMA.migrations, Adding9763700000001, Removing9763700000002] };
const silent = (): void => undefined;

describe('a replica of the previous release', () => {
  let app: InProcessApp;
  let ann: Person;

  beforeAll(async () => {
    app = await InProcessApp.open();
    ann = await app.person('Ann');
  });
  afterAll(() => app.close());

  const lease = () => app.nest.get(Lease, { strict: false });
  const whoami = () => app.as(ann).get('/auth/whoami');
  const leastSchema = async () =>
    (await app.observer.query<{ least: string }>('SELECT least_schema AS least FROM schema_requirements'))[0].least;

  it('has a heartbeat with its release', async () => {
    const newest = SCHEMA.migrations.at(-1)?.name.slice(-13);
    expect(await app.observer.query('SELECT version, schema FROM replicas')).toEqual([
      { version: '0.1.0', schema: newest },
    ]);
  });

  it('works on after an expansion, and delays contractions', async () => {
    const said: string[] = [];
    const { connection } = app.service;
    const log = (message: string) => void said.push(message);
    expect(await migrate(connection, NEXT, log, 'leave')).toEqual(['Adding9763700000001']);
    expect(said.at(-1)).toMatch(/^1 contract\(s\) wait until no replica of an older release is running: Removing976/);
    await whoami().expect(200);
    const refused: unknown = await migrate(connection, NEXT, silent, 'applyIfUnused').catch(
      (reason: unknown) => reason,
    );
    expect(String(refused)).toMatch(/1 replica\(s\) of an older release .* 0\.1\.0 .*Nothing was contracted\.$/);
    expect(await leastSchema()).toBe('0');
    await app.database.query('SELECT next_release FROM tasks');
  });

  it('that was frozen for a minute sends no statement after a contraction, and stops itself', async () => {
    const reasons: string[] = [];
    app.nest.get(Replica, { strict: false }).onRefused((reason) => void reasons.push(reason));
    await app.observer.query(`UPDATE replicas SET seen_at = seen_at - interval '2 minutes'`);
    await migrate(app.service.connection, NEXT, silent, 'applyIfUnused');
    expect(await leastSchema()).toBe('9763700000002');
    lease().extendUntil(-Infinity);
    const { body } = await whoami().expect(503);
    expect(body.error).toMatchObject({
      code: 'unavailable',
      message: 'This replica is older than the database; it stops.',
    });
    await app.as(ann).post('/organizations').send({ name: 'Too late' }).expect(503);
    expect(reasons).toHaveLength(1);
    expect(reasons[0]).toMatch(/^The database needs a release with schema 9763700000002 or newer; this one has 1763/);
  });

  it('that was frozen without a contraction works on after one confirmation', async () => {
    await app.observer.query('UPDATE schema_requirements SET least_schema = 0');
    lease().extendUntil(-Infinity);
    const answers = await Promise.all(Array.from({ length: 5 }, () => whoami()));
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200));
    expect(lease().isExpired).toBe(false);
  });
});
