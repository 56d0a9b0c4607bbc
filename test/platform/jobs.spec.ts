import { setTimeout as sleep } from 'node:timers/promises';
import { Settings } from '../../src/platform/config/settings.js';
import { Clock } from '../../src/platform/jobs/clock.js';
import { JobTable } from '../../src/platform/jobs/job-table.js';
import { Jobs } from '../../src/platform/jobs/jobs.js';
import { Loop } from '../../src/platform/jobs/loop.js';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import { Tracing } from '../../src/platform/tracing/tracing.js';
import { InProcessApp } from '../support/in-process-app.js';

const MINUTE = 60_000;

/** A clock that moves only when a test advances it. */
class SetClock extends Clock {
  private time = new Date('2026-11-20T10:00:00Z').getTime();

  override now(): Date {
    return new Date(this.time);
  }

  advance(ms: number): void {
    this.time += ms;
  }
}

let app: InProcessApp;
let clock: SetClock;

beforeAll(async () => {
  app = await InProcessApp.open();
});

beforeEach(async () => {
  await app.database.query('DELETE FROM jobs');
  clock = new SetClock();
});

afterAll(() => app.close());

/** Creates the jobs of another replica on the same database. */
function replica(environment: Partial<Settings> = {}): Jobs {
  const settings = Object.assign(new Settings(), { BACKGROUND_JOBS: false }, environment);
  const metrics = new Metrics();
  return new Jobs(new JobTable(app.database, clock, metrics), clock, settings, app.nest.get(Tracing), metrics);
}

describe('jobs', () => {
  it('run at once, then once per interval, however many intervals were missed', async () => {
    const jobs = replica();
    let times = 0;
    jobs.every('count', MINUTE, async () => void (times += 1));
    await jobs.runDue();
    await jobs.runDue();
    expect(times).toBe(1);
    clock.advance(MINUTE);
    await jobs.runDue();
    expect(times).toBe(2);
    clock.advance(10 * MINUTE);
    await jobs.runDue();
    await jobs.runDue();
    expect(times).toBe(3);
  });

  it('are run by exactly one replica each time they are due', async () => {
    const done: string[] = [];
    const replicas = Array.from({ length: 4 }, () => {
      const jobs = replica();
      for (const job of ['one', 'two', 'three']) {
        jobs.every(job, MINUTE, async () => {
          done.push(`${job} at ${clock.now().getTime()}`);
          await sleep(Math.random() * 5);
        });
      }
      return jobs;
    });
    for (let round = 0; round < 20; round += 1) {
      await Promise.all(replicas.map((jobs) => jobs.runDue()));
      clock.advance(MINUTE);
    }
    expect(done).toHaveLength(60);
    expect(new Set(done).size).toBe(60);
  });

  it('do not delay one another, and are retried after a failure', async () => {
    const jobs = replica();
    let tries = 0;
    jobs.every('broken', 60 * MINUTE, () => {
      tries += 1;
      return Promise.reject(new Error('no luck'));
    });
    jobs.every('fine', MINUTE, async () => undefined);
    await jobs.runDue();
    const rows = await app.database.query('SELECT name, last_error FROM jobs ORDER BY name');
    expect(rows).toEqual([
      { name: 'broken', last_error: 'Error: no luck' },
      { name: 'fine', last_error: null },
    ]);
    clock.advance(MINUTE);
    await jobs.runDue();
    expect(tries).toBe(2);
    const line = 'The job broken failed, and runs again in 60 s: Error: no luck';
    expect(await app.service.logOf(line)).toHaveLength(2);
  });

  it('and other workers that fail say what they work on, and when they try again', async () => {
    const loop = new Loop('weeds', () => Promise.reject(new Error('no spade')), 5_000);
    loop.wake();
    await loop.stop();
    const line = 'The worker for weeds failed, and tries again in 5 s: Error: no spade';
    expect(await app.service.logOf(line)).toHaveLength(1);
  });

  it('are taken over from a dead replica, which can no longer release them', async () => {
    const dead = new JobTable(app.database, clock, new Metrics());
    await dead.ensureRows(['heir']);
    const claimed = await dead.claim(['heir']);
    if (claimed === undefined) throw new Error('nothing was due');
    const jobs = replica();
    let times = 0;
    jobs.every('heir', MINUTE, async () => void (times += 1));
    await jobs.runDue();
    expect(times).toBe(0);
    await app.database.query("UPDATE jobs SET locked_until = now() - interval '1 second'");
    await jobs.runDue();
    expect(times).toBe(1);
    await dead.release(claimed, new Date(0), null);
    await jobs.runDue();
    expect(times).toBe(1);
  });

  it('start automatically if workers are on, and a stop waits for the running job', async () => {
    const jobs = replica({ BACKGROUND_JOBS: true });
    let isDone = false;
    const begun = new Promise<void>((resolve) => {
      jobs.every('slow', MINUTE, async () => {
        resolve();
        await sleep(100);
        isDone = true;
      });
    });
    jobs.onApplicationBootstrap();
    await begun;
    await jobs.onModuleDestroy();
    expect(isDone).toBe(true);
    const [row] = await app.database.query<{ locked_until: Date | null }>('SELECT locked_until FROM jobs');
    expect(row.locked_until).toBeNull();
  });
});

const ago = (days: number): string => `now() - interval '${days} days'`;

describe('housekeeping', () => {
  it('deletes only old keys, mails and sessions', async () => {
    const ann = await app.person();
    for (const [key, days] of [
      ['old', 2],
      ['young', 0.5],
    ] as const) {
      await app.database.query(
        `INSERT INTO idempotency_keys (user_id, key, fingerprint, status, headers, body, required, created_at)
         VALUES ($1, $2, '', 200, '{}', '', '[]', ${ago(days)})`,
        [ann.id, key],
      );
    }
    for (const [status, days] of [
      ['sent', 8],
      ['sent', 6],
      ['lapsed', 8],
      ['failed', 8],
      ['failed', 91],
      ['pending', 91],
    ] as const) {
      await app.database.query(
        `INSERT INTO outbox (kind, recipient, lang, data, due_at, status, created_at)
         VALUES ('invitation', 'x@example.test', 'en', '{}', now() + interval '1 day', $1, ${ago(days)})`,
        [status],
      );
    }
    for (const [id, days] of [
      ['ses_old', 31],
      ['ses_young', 29],
    ] as const) {
      await app.database.query(
        `INSERT INTO sessions (id, user_id, created_at, expires_at) VALUES ($1, $2, ${ago(days)}, ${ago(days)})`,
        [id, ann.id],
      );
    }
    await app.nest.get(Jobs, { strict: false }).runDue();
    const keys = await app.database.query('SELECT key FROM idempotency_keys');
    const mails = await app.database.query('SELECT status FROM outbox ORDER BY status');
    const sessions = await app.database.query('SELECT id FROM sessions WHERE user_id = $1', [ann.id]);
    expect(keys).toEqual([{ key: 'young' }]);
    expect(mails.map(({ status }) => status)).toEqual(['failed', 'pending', 'sent']);
    expect(sessions.map(({ id }) => id)).toEqual(expect.arrayContaining(['ses_young']));
    expect(sessions).toHaveLength(2);
  });
});
