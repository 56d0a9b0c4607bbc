import request from 'supertest';
import { HealthCheck } from '../../src/platform/health/health.js';
import { Readiness } from '../../src/platform/health/readiness.js';
import { House, type Person } from '../support/house.js';

let house: House;
let ada: Person;
let ann: Person;

beforeAll(async () => {
  house = await House.open();
  ada = await house.admin();
  ann = await house.person();
});

afterAll(() => house.close());

const get = (path: string, token?: string) => {
  const test = house.as(null).get(path);
  return token === undefined ? test : test.set('Authorization', `Bearer ${token}`);
};

describe('health', () => {
  it('is live and ready, and says no more to strangers, members and bad tokens', async () => {
    const live = await get('/health/live').expect(200);
    expect(live.body).toEqual({ data: { status: 'live' } });
    for (const token of [undefined, ann.token, `${ada.token}x`, 'nonsense']) {
      const { body } = await get('/health/ready', token).expect(200);
      expect(body).toEqual({ data: { status: 'ready', details: null } });
    }
  });

  it('gives administrators the figures', async () => {
    const { body } = await get('/health/ready', ada.token).expect(200);
    expect(body.data.details).toMatchObject({ problems: [], pending_migrations: [], unknown_migrations: [] });
    expect(body.data.details.pool.total).toBeGreaterThan(0);
    expect(body.data.details.database_ms).toBeGreaterThan(0);
  });

  it('forgets an administrator who signed out', async () => {
    const gone = await house.admin('Gus');
    await house.database.query('UPDATE sessions SET ended_at = now() WHERE user_id = $1', [gone.id]);
    const { body } = await get('/health/ready', gone.token).expect(200);
    expect(body.data.details).toBeNull();
  });

  it('is not ready where a migration is missing or a newer build was at work', async () => {
    await house.database.query(`UPDATE migrations SET name = 'Later9763700000001' WHERE name LIKE 'Outbox%'`);
    const { headers } = await get('/health/ready').expect(503);
    expect(headers['retry-after']).toBe('5');
    const { body } = await get('/health/ready', ada.token).expect(503);
    expect(body.error).toMatchObject({
      code: 'unavailable',
      details: { pending_migrations: ['Outbox1763700000201'], unknown_migrations: ['Later9763700000001'] },
    });
    await house.database.query(`UPDATE migrations SET name = 'Outbox1763700000201' WHERE name LIKE 'Later%'`);
  });

  it('is not ready where the database does not answer in time, and is again when it does', async () => {
    const blocker = house.database.source.createQueryRunner();
    await blocker.startTransaction();
    await blocker.query('LOCK TABLE migrations');
    const { body } = await get('/health/ready').expect(503);
    expect(body.error.message).toBe('The service is not ready.');
    expect(body.error).not.toHaveProperty('details');
    await blocker.rollbackTransaction();
    await blocker.release();
    await get('/health/ready').expect(200);
  });

  it('answers within its patience even when no connection is free', async () => {
    const held = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const runner = house.database.source.createQueryRunner();
        await runner.connect();
        return runner;
      }),
    );
    const begun = Date.now();
    await get('/health/ready').expect(503);
    expect(Date.now() - begun).toBeLessThan(2_500);
    await Promise.all(held.map((runner) => runner.release()));
  });

  it('shows the way to the explorer', async () => {
    await request(house.app.getHttpServer()).get('/').expect(302).expect('location', '/docs');
  });

  it('is not ready once the process is told to stop, and asks to come back on another connection', async () => {
    house.app.get(Readiness, { strict: false }).leave();
    const { headers } = await get('/health/ready').expect(503);
    expect(headers.connection).toBe('close');
    await get('/health/live').expect(200);
    expect((await house.app.get(HealthCheck, { strict: false }).look()).problems).toEqual(['shutting down']);
  });
});
