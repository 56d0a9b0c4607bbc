import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { TickBatcher } from './tick-batcher.js';

describe('a few per turn', () => {
  it('are done in their order, and only so many in one turn of the event loop', async () => {
    const few = new TickBatcher(2);
    const done: number[] = [];
    for (let n = 0; n < 5; n += 1) few.add(() => done.push(n));
    const after: number[][] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      after.push([...done]);
      await nextTurn();
    }
    expect(after).toEqual([[], [0, 1], [0, 1, 2, 3], [0, 1, 2, 3, 4]]);
  });

  it('are done as well when they are added by one of them, or after all were done', async () => {
    const few = new TickBatcher(1);
    const done: string[] = [];
    few.add(() => few.add(() => done.push('inner')));
    await nextTurn();
    await nextTurn();
    few.add(() => done.push('later'));
    await nextTurn();
    expect(done).toEqual(['inner', 'later']);
  });

  it('keep what belongs to each', async () => {
    const belonging = new AsyncLocalStorage<string>();
    const few = new TickBatcher(1);
    const seen: (string | undefined)[] = [];
    for (const name of ['ann', 'ben']) belonging.run(name, () => few.add(() => seen.push(belonging.getStore())));
    await nextTurn();
    await nextTurn();
    expect(seen).toEqual(['ann', 'ben']);
  });
});
