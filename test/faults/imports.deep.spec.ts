import { ensureBuilt } from '../../scripts/build.mjs';
import { killImport } from './imports.mjs';
import { closeAll } from './support/opened.mjs';

describe('an import whose service is killed repeatedly', () => {
  beforeAll(ensureBuilt);
  afterAll(closeAll);

  it('has the same result as one without interruption', async () => {
    const issues = 1_000;
    expect(await killImport({ issues, kills: 5 })).toEqual({
      killed: 5,
      status: 'succeeded',
      counts: { created: issues, updated: 0, unchanged: 0, comments: issues, relations: 0 },
      tasks: issues,
      done: issues / 10,
      comments: issues,
      events: issues,
      broken: [],
    });
  });
});
