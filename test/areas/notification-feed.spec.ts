import { Database } from '../../src/platform/database/database.js';
import { NotificationFeedRepository } from '../../src/modules/notifications/notification-feed.repository.js';
import { InProcessApp } from '../support/in-process-app.js';

describe('making notifications', () => {
  let app: InProcessApp;

  beforeAll(async () => {
    app = await InProcessApp.open();
  });

  afterAll(() => app.close());

  /** The tables that work in a transaction reads from end to end. */
  const readWhole = (work: (repository: NotificationFeedRepository) => Promise<unknown>): Promise<string[]> => {
    const database = app.nest.get(Database);
    const scans = async (): Promise<Map<string, string>> => {
      const rows = await database.query<{ relname: string; scans: string }>(
        'SELECT relname, seq_scan AS scans FROM pg_stat_xact_user_tables WHERE seq_scan > 0 ORDER BY relname',
      );
      return new Map(rows.map((row) => [row.relname, row.scans]));
    };
    return database.transaction(async () => {
      // What this connection has read a moment ago is counted along.
      const before = await scans();
      await work(app.nest.get(NotificationFeedRepository, { strict: false }));
      return [...(await scans())].filter(([name, count]) => count !== before.get(name)).map(([name]) => name);
    });
  };

  it('looks up what it needs for the new events, and reads no table whole', async () => {
    const [ann, mia] = [await app.person('Ann'), await app.person('Mia')];
    const garden = await app.endeavour(ann);
    await app.join(garden, mia, 'member');
    const task = await app.task(ann, garden, { assignee_id: mia.id });
    await app.as(ann).post('/comments').send({ entity_type: 'task', entity_id: task, content: 'Well' }).expect(201);
    await app.as(mia).get('/notifications').expect(200);
    // The only row of the table that holds how far the feed has been read.
    const expected = ['notification_feed'];
    expect(await readWhole((repository) => repository.addFromFeed(0, 500, new Date()))).toEqual(expected);
    const day = 86_400_000;
    const dueUntil = new Date(Date.now() - day);
    expect(await readWhole((repository) => repository.addDue(dueUntil, new Date()))).toEqual(expected);
  });
});
