import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { TickBatcher } from './tick-batcher.js';

describe('TickBatcher', () => {
  it('runs tasks in order, at most the given number per turn of the event loop', async () => {
    const batcher = new TickBatcher(2);
    const done: number[] = [];
    for (let n = 0; n < 5; n += 1) batcher.add(() => done.push(n));
    const after: number[][] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      after.push([...done]);
      await nextTurn();
    }
    expect(after).toEqual([[], [0, 1], [0, 1, 2, 3], [0, 1, 2, 3, 4]]);
  });

  it('runs tasks that are added by a task, or after all others have run', async () => {
    const batcher = new TickBatcher(1);
    const done: string[] = [];
    batcher.add(() => batcher.add(() => done.push('inner')));
    await nextTurn();
    await nextTurn();
    batcher.add(() => done.push('later'));
    await nextTurn();
    expect(done).toEqual(['inner', 'later']);
  });

  it('runs each task in the asynchronous context in which it was added', async () => {
    const storage = new AsyncLocalStorage<string>();
    const batcher = new TickBatcher(1);
    const seen: (string | undefined)[] = [];
    for (const name of ['ann', 'ben']) storage.run(name, () => batcher.add(() => seen.push(storage.getStore())));
    await nextTurn();
    await nextTurn();
    expect(seen).toEqual(['ann', 'ben']);
  });
});
