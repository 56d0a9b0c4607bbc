import { FeedRepository } from '../../src/modules/following/feed.repository.js';
import { Database } from '../../src/platform/database/database.js';
import { InProcessApp } from '../support/in-process-app.js';

describe('removing old entries from the feed', () => {
  let app: InProcessApp;

  beforeAll(async () => {
    app = await InProcessApp.open();
  });

  afterAll(() => app.close());

  it('reads only the old entries, not the whole feed', async () => {
    const ann = await app.person('Ann');
    const garden = await app.endeavour(ann);
    for (let n = 0; n < 40; n += 1) await app.task(ann, garden);
    await app.as(ann).get('/changes').expect(200);
    const database = app.nest.get(Database);
    const rowsRead = async (): Promise<number> => {
      const row = await database.one<{ rows: string }>(
        `SELECT seq_tup_read + idx_tup_fetch AS rows FROM pg_stat_xact_user_tables WHERE relname = 'feed'`,
      );
      return Number(row?.rows ?? 0);
    };
    const read = await database.transaction(async () => {
      // As in a large feed: it is neither read whole nor sorted.
      for (const way of ['seqscan', 'bitmapscan', 'sort', 'incremental_sort']) {
        await database.query(`SET LOCAL enable_${way} = off`);
      }
      const before = await rowsRead();
      expect(await app.nest.get(FeedRepository, { strict: false }).dropOlderThan(3_650, 1_000)).toBe(0);
      return (await rowsRead()) - before;
    });
    // A binary search finds where the old entries end.
    expect(read).toBeLessThan(20);
  });
});
