import { setTimeout as sleep } from 'node:timers/promises';
import request from 'supertest';
import { Lease } from '../../src/platform/database/connections/lease.js';
import { HealthCheck } from '../../src/platform/health/health.js';
import { Readiness } from '../../src/platform/health/readiness.js';
import { checkedOutCommit, releaseVersion } from '../../src/platform/release/checkout.js';
import { SCHEMA } from '../../src/schema.js';
import { InProcessApp } from '../support/in-process-app.js';
import type { Person } from '../support/test-app.js';

let app: InProcessApp;
let ada: Person;
let ann: Person;

beforeAll(async () => {
  app = await InProcessApp.open();
  ada = await app.admin();
  ann = await app.person();
});

afterAll(() => app.close());

const get = (path: string, token?: string) => {
  const test = app.as(null).get(path);
  return token === undefined ? test : test.set('Authorization', `Bearer ${token}`);
};

describe('health', () => {
  it('is live and ready, without details for strangers, members and invalid tokens', async () => {
    const live = await get('/health/live').expect(200);
    expect(live.body).toEqual({ data: { status: 'live' } });
    for (const token of [undefined, ann.token, `${ada.token}x`, 'nonsense']) {
      const { body } = await get('/health/ready', token).expect(200);
      expect(body).toEqual({ data: { status: 'ready', details: null } });
    }
  });

  it('shows administrators the details', async () => {
    const { body } = await get('/health/ready', ada.token).expect(200);
    expect(body.data.details).toMatchObject({ problems: [], pending_migrations: [], unknown_migrations: [] });
    expect(body.data.details.pool.total).toBeGreaterThan(0);
    expect(body.data.details.database_ms).toBeGreaterThan(0);
    const { data: release } = (await get('/version').expect(200)).body;
    const times = { started_at: expect.any(String), seen_at: expect.any(String) };
    expect(body.data.details.replicas).toEqual([{ ...release, ...times }]);
  });

  it('shows no details to an administrator who has signed out', async () => {
    const gone = await app.admin('Gus');
    await app.database.query('UPDATE sessions SET ended_at = now() WHERE user_id = $1', [gone.id]);
    const { body } = await get('/health/ready', gone.token).expect(200);
    expect(body.data.details).toBeNull();
  });

  it('is not ready if a migration is missing', async () => {
    await app.database.query(`UPDATE migrations SET name = 'Later9763700000001' WHERE name LIKE 'Baseline%'`);
    const { headers } = await get('/health/ready').expect(503);
    expect(headers['retry-after']).toBe('5');
    const { body } = await get('/health/ready', ada.token).expect(503);
    expect(body.error).toMatchObject({
      code: 'unavailable',
      details: { pending_migrations: ['Baseline1763700003500'], unknown_migrations: ['Later9763700000001'] },
    });
    await app.database.query(`UPDATE migrations SET name = 'Baseline1763700003500' WHERE name LIKE 'Later%'`);
  });

  it('is ready on the schema of a newer release, which only adds to its own', async () => {
    await app.database.query(`INSERT INTO migrations (timestamp, name) VALUES (1, 'Later9763700000001')`);
    const { body } = await get('/health/ready', ada.token).expect(200);
    expect(body.data.details).toMatchObject({ problems: [], unknown_migrations: ['Later9763700000001'] });
    await app.database.query(`DELETE FROM migrations WHERE name LIKE 'Later%'`);
  });

  it('is not ready after a newer release has removed what this one uses', async () => {
    await app.database.query(`UPDATE schema_requirements SET least_schema = 9763700000001`);
    const { body } = await get('/health/ready', ada.token).expect(503);
    expect(body.error.details.problems).toEqual(['the database needs a newer release']);
    await app.database.query(`UPDATE schema_requirements SET least_schema = 0`);
  });

  it('says which release answers, and nothing else', async () => {
    const { body } = await get('/version').expect(200);
    const newest = Math.max(...SCHEMA.migrations.map(({ name }) => Number(name.slice(-13))));
    expect(body).toEqual({ data: { version: releaseVersion(), commit: checkedOutCommit(), schema: newest } });
  });

  it('rejects an unknown purpose', async () => {
    const { body } = await get('/health/ready?for=fun').expect(400);
    expect(body.error.details.fields).toEqual([
      { field: 'for', code: 'invalid_value', message: 'for must be one of: read, write.', allowed: ['read', 'write'] },
    ]);
  });

  it('is not ready while the database does not respond in time', async () => {
    const hasty = await InProcessApp.open({ HEALTH_TIMEOUT_MS: '100' }, app);
    const blocker = app.database.source.createQueryRunner();
    await blocker.startTransaction();
    await blocker.query('LOCK TABLE migrations');
    const { body } = await hasty.as(null).get('/health/ready').expect(503);
    expect(body.error.message).toBe('The service is not ready.');
    expect(body.error).not.toHaveProperty('details');
    await blocker.rollbackTransaction();
    await blocker.release();
    await get('/health/ready').expect(200);
    await hasty.close();
  });

  it('responds within its timeout even if no database connection is free', async () => {
    const hasty = await InProcessApp.open({ HEALTH_TIMEOUT_MS: '100' }, app);
    const held = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const runner = hasty.database.source.createQueryRunner();
        await runner.connect();
        return runner;
      }),
    );
    await hasty.as(null).get('/health/ready').expect(503);
    await Promise.all(held.map((runner) => runner.release()));
    await hasty.close();
  });

  it('is not ready while the database is read-only, and shows administrators the reason', async () => {
    const name = app.service.connection.database;
    const begin = async (setting: string) => {
      await app.observer.query(`ALTER DATABASE ${name} SET default_transaction_read_only = ${setting}`);
      const replica = await InProcessApp.open({}, app);
      return {
        replica,
        response: await replica.as(null).get('/health/ready').set('Authorization', `Bearer ${ada.token}`),
      };
    };
    const { replica, response } = await begin('on');
    expect(response.status).toBe(503);
    expect(response.body.error.details.problems).toEqual([
      'read_only: The database is read-only; changes cannot be saved at the moment.',
    ]);
    await replica.as(null).get('/health/ready?for=write').expect(503);
    await replica.as(null).get('/health/ready?for=read').expect(200);
    // The heartbeat cannot be written; reads go on without it.
    replica.nest.get(Lease, { strict: false }).extendUntil(-Infinity);
    await replica.as(ann).get('/auth/whoami').expect(200);
    const refused = await replica.as(ann).post('/organizations').send({ name: 'Unsaved' }).expect(503);
    expect(refused.body.error.message).toBe('The database is read-only; changes cannot be saved at the moment.');
    await app.observer.query(
      `BEGIN READ WRITE; ALTER DATABASE ${name} SET default_transaction_read_only = off; COMMIT`,
    );
    const other = await app.openConnection();
    await other.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'worksmith'`,
    );
    await other.end();
    while ((await replica.as(null).get('/health/ready')).status !== 200) await sleep(100);
    await replica.close();
  });

  it('redirects the root path to the explorer', async () => {
    await request(`http://127.0.0.1:${app.port()}`).get('/').expect(302).expect('location', '/docs');
  });

  it('is not ready once the process is shutting down, and closes the connection', async () => {
    app.nest.get(Readiness, { strict: false }).leave();
    const { headers } = await get('/health/ready').expect(503);
    expect(headers.connection).toBe('close');
    await get('/health/live').expect(200);
    expect((await app.nest.get(HealthCheck, { strict: false }).check()).problems).toEqual(['shutting down']);
  });
});
