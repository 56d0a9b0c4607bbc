import { FeedRepository } from '../../src/modules/activity/feed/feed.repository.js';
import { SchedulesRepository } from '../../src/modules/rituals/schedules/schedules.repository.js';
import { InProcessApp } from '../support/in-process-app.js';
import { rowsRead } from '../support/rows-read.js';
import type { Person } from '../support/test-app.js';

describe('a recurring job', () => {
  let app: InProcessApp;
  let ann: Person;
  let garden: string;

  beforeAll(async () => {
    app = await InProcessApp.open();
    ann = await app.person('Ann');
    garden = await app.endeavour(ann);
  });

  afterAll(() => app.close());

  it('that removes old entries from the feed reads only those', async () => {
    for (let n = 0; n < 40; n += 1) await app.task(ann, garden);
    await app.as(ann).get('/changes').expect(200);
    const feed = app.nest.get(FeedRepository, { strict: false });
    const read = await rowsRead(app, 'feed', async () => expect(await feed.dropOlderThan(3_650, 1_000)).toBe(0));
    // A binary search finds where the old entries end.
    expect(read).toBeLessThan(20);
  });

  it('that starts rituals reads only those with a schedule', async () => {
    const create = (schedule: object) =>
      app.as(ann).post('/rituals').send({ name: 'Water', prompt: 'Water', endeavour_id: garden, schedule }).expect(201);
    for (let n = 0; n < 20; n += 1) await create({ type: 'manual' });
    await create({ type: 'interval', every: '1d' });
    const schedules = app.nest.get(SchedulesRepository, { strict: false });
    const read = await rowsRead(app, 'rituals', async () => {
      expect(await schedules.next(new Date(), { processed: [], creators: [] })).toBeUndefined();
    });
    expect(read).toBeLessThan(3);
  });
});
