import { Semaphore } from './semaphore.js';

/** Work that ends when `finish` is called. */
class Work {
  begun = false;
  finish: () => void;
  private readonly done = new Promise<void>((resolve) => (this.finish = resolve));

  readonly run = async (): Promise<string> => {
    this.begun = true;
    await this.done;
    return 'done';
  };
}

const nextTick = () => new Promise((resolve) => setImmediate(resolve));

describe('a semaphore', () => {
  it('runs two tasks, makes the next one wait, and rejects a task if the queue is full', async () => {
    const semaphore = new Semaphore(2, 1);
    const [first, second, third, fourth] = [new Work(), new Work(), new Work(), new Work()];
    const results = [first, second, third].map(({ run }) => semaphore.run(run));
    await nextTick();
    expect([first, second, third].map(({ begun }) => begun)).toEqual([true, true, false]);
    await expect(semaphore.run(fourth.run)).rejects.toMatchObject({ code: 'unavailable', retryAfter: 2 });

    first.finish();
    await nextTick();
    expect(third.begun).toBe(true);
    second.finish();
    third.finish();
    expect(await Promise.all(results)).toEqual(['done', 'done', 'done']);
  });

  it('releases the slot when the task fails', async () => {
    const semaphore = new Semaphore(1, 0);
    await expect(semaphore.run(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await semaphore.run(() => Promise.resolve('done'))).toBe('done');
  });
});
