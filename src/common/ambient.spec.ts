import { setImmediate as turn } from 'node:timers/promises';
import { Ambient } from './ambient.js';

const user = new Ambient<string>();
const task = new Ambient<string>();
const both = (): (string | undefined)[] => [user.getStore(), task.getStore()];

describe('an ambient value', () => {
  it('is known to what its work starts, and to nothing else', async () => {
    const during = await user.run('Ann', async () => {
      await turn();
      return both();
    });
    expect(during).toEqual(['Ann', undefined]);
    expect(both()).toEqual([undefined, undefined]);
  });

  it('is independent of the others', async () => {
    const seen = await user.run('Ann', () =>
      task.run('paint', async () => {
        const outer = both();
        const inner = await user.run('Ben', async () => {
          await turn();
          return both();
        });
        return [outer, inner, task.exit(both), user.exit(both), both()];
      }),
    );
    expect(seen).toEqual([
      ['Ann', 'paint'],
      ['Ben', 'paint'],
      ['Ann', undefined],
      [undefined, 'paint'],
      ['Ann', 'paint'],
    ]);
  });

  it('is separate for works at the same time', async () => {
    const named = (name: string): Promise<string | undefined> =>
      user.run(name, async () => {
        await turn();
        return user.getStore();
      });
    expect(await Promise.all(['Ann', 'Ben', 'Cleo'].map(named))).toEqual(['Ann', 'Ben', 'Cleo']);
  });

  it('is left before the work fails', () => {
    const fail = (): never => {
      throw new Error('no paint');
    };
    expect(() => user.run('Ann', fail)).toThrow('no paint');
    expect(user.getStore()).toBeUndefined();
  });
});
