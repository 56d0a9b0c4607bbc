import { ApiError } from '../../common/errors.js';
import { FairQueue } from './fair-queue.js';

const LIMITS = { atOnce: 3, atOncePerUser: 2, waiting: 100, waitingPerUser: 20 };

/** Runs tasks that the test ends, and records which have started. */
class TestTasks {
  readonly started: string[] = [];
  private readonly ends = new Map<string, () => void>();

  constructor(private readonly queue: FairQueue) {}

  run(user: string, name: string): Promise<string> {
    return this.queue.run(user, async () => {
      this.started.push(name);
      await new Promise<void>((resolve) => this.ends.set(name, resolve));
      return name;
    });
  }

  async end(name: string): Promise<void> {
    this.ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('FairQueue', () => {
  it('leaves a slot for other users, however many tasks one user has', async () => {
    const tasks = new TestTasks(new FairQueue(LIMITS));
    const all = Array.from({ length: 22 }, (_, n) => tasks.run('eve', `e${n}`));
    const other = tasks.run('ann', 'a');
    expect(tasks.started).toEqual(['e0', 'e1', 'a']);
    await tasks.end('a');
    expect(await other).toBe('a');
    expect(tasks.started).toEqual(['e0', 'e1', 'a']);
    for (let n = 0; n < 22; n++) await tasks.end(`e${n}`);
    expect(await Promise.all(all)).toHaveLength(22);
  });

  it('takes turns between users', async () => {
    const tasks = new TestTasks(new FairQueue({ ...LIMITS, atOnce: 1 }));
    const all = ['e1', 'e2', 'e3', 'a1', 'a2', 'b1'].map((name) => tasks.run(name[0], name));
    for (const name of ['e1', 'e2', 'a1', 'b1', 'e3', 'a2']) await tasks.end(name);
    await Promise.all(all);
    expect(tasks.started).toEqual(['e1', 'e2', 'a1', 'b1', 'e3', 'a2']);
  });

  it('rejects tasks only of a user who has too many waiting', async () => {
    const tasks = new TestTasks(new FairQueue(LIMITS));
    const all = Array.from({ length: 22 }, (_, n) => tasks.run('eve', `e${n}`));
    await expect(tasks.run('eve', 'more')).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 2 });
    const other = tasks.run('ann', 'a');
    await tasks.end('a');
    await other;
    for (let n = 0; n < 22; n++) await tasks.end(`e${n}`);
    await Promise.all(all);
  });

  it('rejects tasks of every user if too many are waiting in total', async () => {
    const tasks = new TestTasks(new FairQueue({ ...LIMITS, waiting: 2 }));
    const all = ['a', 'b', 'c', 'd', 'e'].map((user) => tasks.run(user, user));
    await expect(tasks.run('f', 'f')).rejects.toBeInstanceOf(ApiError);
    for (const user of ['a', 'b', 'c', 'd', 'e']) await tasks.end(user);
    expect(await Promise.all(all)).toHaveLength(5);
  });

  it('continues after a task that fails', async () => {
    const queue = new FairQueue({ ...LIMITS, atOnce: 1 });
    const failing = queue.run('ann', () => Promise.reject(new Error('broken')));
    const next = queue.run('ann', () => Promise.resolve('done'));
    await expect(failing).rejects.toThrow('broken');
    expect(await next).toBe('done');
  });
});
