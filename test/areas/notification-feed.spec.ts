import { Database } from '../../src/platform/database/database.js';
import { NotificationFeedRepository } from '../../src/modules/notifications/notification-feed.repository.js';
import { NotificationMailsRepository } from '../../src/modules/notifications/notification-mails.repository.js';
import { crowd } from '../support/crowd.js';
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

  it('takes fewer events at once where each concerns many people', async () => {
    const ann = await app.person('Ann');
    const organization = await app.organization(ann);
    const garden = await app.endeavour(ann, { organization_id: organization });
    await crowd(app, garden, 300, 'Member');
    const sent = { name: 'Crew', type: 'team', organization_id: organization };
    const team = (await app.as(ann).post('/resources').send(sent).expect(201)).body.data.id;
    await app.database.query(
      `INSERT INTO team_members (team_id, resource_id) SELECT $1, resource_id FROM endeavour_members
       WHERE endeavour_id = $2 AND role = 'viewer'`,
      [team, garden],
    );
    const before = (await app.as(ann).get('/changes?after=now').expect(200)).body.meta.next;
    for (let n = 0; n < 20; n += 1) await app.task(ann, garden, { assignee_id: team });
    for (let n = 0; n < 20; n += 1) {
      const content = `Look @${team}`;
      const entity = { entity_type: 'task', entity_id: await app.task(ann, garden) };
      await app
        .as(ann)
        .post('/comments')
        .send({ ...entity, content })
        .expect(201);
    }
    await app.as(ann).get('/changes?limit=1').expect(200);
    const made = () =>
      app.count(`notifications n JOIN tasks t ON t.id = n.entity_id WHERE t.endeavour_id = '${garden}'`);
    let position: number | undefined = before;
    const steps: number[] = [];
    while (position !== undefined) {
      position = await app.nest
        .get(Database)
        .transaction(() =>
          app.nest.get(NotificationFeedRepository, { strict: false }).addFromFeed(position as number, 500, new Date()),
        );
      steps.push((await made()) - steps.reduce((sum, step) => sum + step, 0));
    }
    expect(await made()).toBe(12_000);
    expect(Math.max(...steps)).toBeLessThanOrEqual(5_000);
  });

  it('mails people although suspended people have waited longer', async () => {
    const ann = await app.person('Ann');
    const garden = await app.endeavour(ann);
    const people = [await app.person('Ben'), await app.person('Cat'), await app.person('Dia')];
    for (const person of people) {
      await app.join(garden, person, 'member');
      await app
        .as(person)
        .patch('/auth/profile')
        .send({ notify: { assigned: 'mail' } })
        .expect(200);
      await app.task(ann, garden, { assignee_id: person.id });
      await app.as(person).get('/notifications').expect(200);
    }
    const [ben, cat, dia] = people;
    await app.database.query(`UPDATE users SET status = 'suspended' WHERE id IN ($1, $2)`, [ben.id, cat.id]);
    const readers = await app.nest
      .get(NotificationMailsRepository, { strict: false })
      .due(new Date(Date.now() + 60_000), 2);
    expect(readers.map(({ userId }) => userId)).toEqual([dia.id]);
  });
});
