import { Semaphore } from './semaphore.js';

/** Work that ends when it is told to. */
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

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the gate before the hashing', () => {
  it('lets two in, keeps the next waiting, and turns away who finds no place to wait', async () => {
    const gate = new Semaphore(2, 1);
    const [first, second, third, fourth] = [new Work(), new Work(), new Work(), new Work()];
    const passing = [first, second, third].map(({ run }) => gate.run(run));
    await settled();
    expect([first, second, third].map(({ begun }) => begun)).toEqual([true, true, false]);
    await expect(gate.run(fourth.run)).rejects.toMatchObject({ code: 'unavailable', retryAfter: 2 });

    first.finish();
    await settled();
    expect(third.begun).toBe(true);
    second.finish();
    third.finish();
    expect(await Promise.all(passing)).toEqual(['done', 'done', 'done']);
  });

  it('gives the place back when the work fails', async () => {
    const gate = new Semaphore(1, 0);
    await expect(gate.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await gate.run(() => Promise.resolve('in'))).toBe('in');
  });
});
