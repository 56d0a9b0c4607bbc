import { ensureBuilt } from '../../scripts/build.mjs';
import { closeAll } from './support/opened.mjs';
import { run } from './upgrade.mjs';

describe('an upgrade to a release with another schema, one replica after the other', () => {
  beforeAll(ensureBuilt);
  afterAll(closeAll);

  it('fails no request, and the contract waits for the last replica of the old release', async () => {
    const lines: string[] = [];
    const figures = await run({ full: false, say: (line) => void lines.push(line) });
    const missed = figures.filter(({ passed }) => !passed);
    expect([missed, missed.length > 0 ? lines : []]).toEqual([[], []]);
  });
});
