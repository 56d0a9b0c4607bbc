import { ensureBuilt } from '../../scripts/build.mjs';
import { run } from './rules.mjs';
import { closeAll } from './support/opened.mjs';

describe('rules of a service whose replicas are killed', () => {
  beforeAll(ensureBuilt);
  afterAll(closeAll);

  it('run exactly once for every event, in order', async () => {
    const lines: string[] = [];
    const figures = await run({ full: false, say: (line) => void lines.push(line) });
    const missed = figures.filter(({ passed }) => !passed);
    expect([missed, missed.length > 0 ? lines : []]).toEqual([[], []]);
  });
});
