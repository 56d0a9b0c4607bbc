import { ensureBuilt } from '../../scripts/build.mjs';
import { run } from './kills.mjs';
import { closeAll } from './support/opened.mjs';

const ROUNDS = 12;

describe('kills of the service and its database during writes', () => {
  // The service starts often here, and starting it from its sources is slow.
  beforeAll(ensureBuilt);
  afterAll(closeAll);

  it('neither lose nor duplicate nor split an acknowledged write', async () => {
    const lines: string[] = [];
    const figures = await run({ full: false, rounds: ROUNDS, say: (line) => void lines.push(line) });
    // The time until it is ready depends on the load of the machine; npm run resilience -- kills checks it.
    const missed = figures.filter(({ figure, passed }) => !passed && figure !== 'slowest return to ready');
    expect([missed, missed.length > 0 ? lines : []]).toEqual([[], []]);
  });
});
