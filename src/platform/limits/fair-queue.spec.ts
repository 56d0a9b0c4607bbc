import { ApiError } from '../../common/errors.js';
import { FairQueue } from './fair-queue.js';

const LIMITS = { atOnce: 3, atOncePerUser: 2, waiting: 100, waitingPerUser: 20 };

/** Work that ends when it is told to, and what has been begun so far. */
class Works {
  readonly begun: string[] = [];
  private readonly ends = new Map<string, () => void>();

  constructor(private readonly queue: FairQueue) {}

  ask(user: string, name: string): Promise<string> {
    return this.queue.run(user, async () => {
      this.begun.push(name);
      await new Promise<void>((resolve) => this.ends.set(name, resolve));
      return name;
    });
  }

  async end(name: string): Promise<void> {
    this.ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('turns between users', () => {
  it('leave a place for others, however much one asks for', async () => {
    const works = new Works(new FairQueue(LIMITS));
    const all = Array.from({ length: 22 }, (_, n) => works.ask('eve', `e${n}`));
    const other = works.ask('ann', 'a');
    expect(works.begun).toEqual(['e0', 'e1', 'a']);
    await works.end('a');
    expect(await other).toBe('a');
    expect(works.begun).toEqual(['e0', 'e1', 'a']);
    for (let n = 0; n < 22; n++) await works.end(`e${n}`);
    expect(await Promise.all(all)).toHaveLength(22);
  });

  it('go round where places are few', async () => {
    const works = new Works(new FairQueue({ ...LIMITS, atOnce: 1 }));
    const asked = ['e1', 'e2', 'e3', 'a1', 'a2', 'b1'].map((name) => works.ask(name[0], name));
    for (const name of ['e1', 'e2', 'a1', 'b1', 'e3', 'a2']) await works.end(name);
    await Promise.all(asked);
    expect(works.begun).toEqual(['e1', 'e2', 'a1', 'b1', 'e3', 'a2']);
  });

  it('are rejected only for the caller that has too many waiting', async () => {
    const works = new Works(new FairQueue(LIMITS));
    const all = Array.from({ length: 22 }, (_, n) => works.ask('eve', `e${n}`));
    await expect(works.ask('eve', 'more')).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 2 });
    const other = works.ask('ann', 'a');
    await works.end('a');
    await other;
    for (let n = 0; n < 22; n++) await works.end(`e${n}`);
    await Promise.all(all);
  });

  it('are refused to all users where too many wait', async () => {
    const works = new Works(new FairQueue({ ...LIMITS, waiting: 2 }));
    const all = ['a', 'b', 'c', 'd', 'e'].map((user) => works.ask(user, user));
    await expect(works.ask('f', 'f')).rejects.toBeInstanceOf(ApiError);
    for (const user of ['a', 'b', 'c', 'd', 'e']) await works.end(user);
    expect(await Promise.all(all)).toHaveLength(5);
  });

  it('go on after work that fails', async () => {
    const queue = new FairQueue({ ...LIMITS, atOnce: 1 });
    const failing = queue.run('ann', () => Promise.reject(new Error('broken')));
    const next = queue.run('ann', () => Promise.resolve('done'));
    await expect(failing).rejects.toThrow('broken');
    expect(await next).toBe('done');
  });
});
