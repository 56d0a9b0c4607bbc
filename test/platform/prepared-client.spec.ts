import { databaseProblemOf } from '../../src/platform/database/connections/driver-errors.js';
import { HealthCheck } from '../../src/platform/health/health.js';
import { InProcessApp } from '../support/in-process-app.js';

describe('statements', () => {
  let app: InProcessApp;

  beforeAll(async () => {
    app = await InProcessApp.open();
  });

  afterAll(() => app.close());

  const prepared = (mark: string) =>
    app.database.query('SELECT name FROM pg_prepared_statements WHERE strpos(statement, $1) > 0', [`/* ${mark} */`]);

  it('are prepared when they run for the third time, and not before', async () => {
    const counts = await app.database.transaction(async () => {
      const seen: number[] = [];
      for (let times = 1; times <= 4; times += 1) {
        await app.database.query('SELECT $1::integer /* often */', [times]);
        seen.push((await prepared('often')).length);
      }
      return seen;
    });
    expect(counts).toEqual([0, 0, 1, 1]);
  });

  it('return the same rows, prepared or not', async () => {
    for (let times = 1; times <= 5; times += 1) {
      const rows = await app.database.query('SELECT $1::integer + 1 AS next /* same */', [times]);
      expect(rows).toEqual([{ next: times + 1 }]);
    }
  });

  it('that a pooler loses are named as the problem, replace the connection, and make the service not ready', async () => {
    const send = (times: number) => app.database.query('SELECT $1::integer /* lost */', [times]);
    const { problems } = await app.nest.get(HealthCheck).check();
    expect(problems).toEqual([]);
    const before = app.database.connections.total;
    const error: unknown = await app.database
      .transaction(async () => {
        for (let times = 1; times <= 3; times += 1) await send(times);
        await app.database.query('DEALLOCATE ALL');
        await send(4);
      })
      .catch((reason: unknown) => reason);
    expect(databaseProblemOf(error)).toBe('unfit_pooler');
    expect(app.database.connections.total).toBe(before - 1);
    expect((await app.nest.get(HealthCheck).check()).problems).toEqual([
      'unfit_pooler: The connection pooler of the database loses prepared statements; try again in a moment.',
    ]);
    expect(await send(5)).toHaveLength(1);
  });
});
