import { Database } from '../../src/platform/database/database.js';
import { NotificationFeedRepository } from '../../src/modules/notifications/notification-feed.repository.js';
import { NotificationMailsRepository } from '../../src/modules/notifications/notification-mails.repository.js';
import { addViewers } from '../support/crowd.js';
import { InProcessApp } from '../support/in-process-app.js';

describe('creating notifications', () => {
  let app: InProcessApp;

  beforeAll(async () => {
    app = await InProcessApp.open();
  });

  afterAll(() => app.close());

  /** Runs the work in a transaction, and returns the tables that it scans sequentially. */
  const readWhole = (work: (repository: NotificationFeedRepository) => Promise<unknown>): Promise<string[]> => {
    const database = app.nest.get(Database);
    const scans = async (): Promise<Map<string, string>> => {
      const rows = await database.query<{ relname: string; scans: string }>(
        'SELECT relname, seq_scan AS scans FROM pg_stat_xact_user_tables WHERE seq_scan > 0 ORDER BY relname',
      );
      return new Map(rows.map((row) => [row.relname, row.scans]));
    };
    return database.transaction(async () => {
      // The counters include recent scans of this connection from before the transaction.
      const before = await scans();
      await work(app.nest.get(NotificationFeedRepository, { strict: false }));
      return [...(await scans())].filter(([name, count]) => count !== before.get(name)).map(([name]) => name);
    });
  };

  it('scans no table sequentially for new events and due dates', async () => {
    const [ann, mia] = [await app.person('Ann'), await app.person('Mia')];
    const garden = await app.endeavour(ann);
    await app.join(garden, mia, 'member');
    const task = await app.task(ann, garden, { assignee_id: mia.id });
    await app.as(ann).post('/comments').send({ entity_type: 'task', entity_id: task, content: 'Well' }).expect(201);
    await app.as(mia).get('/notifications').expect(200);
    // This table has a single row: the position up to which the feed has been read.
    const expected = ['notification_feed'];
    expect(await readWhole((repository) => repository.addFromFeed(0, 500, new Date()))).toEqual(expected);
    const day = 86_400_000;
    const due = { at: new Date(Date.now() - day), taskId: '' };
    expect(await readWhole((repository) => repository.addDue(due, new Date(), 500))).toEqual(expected);
  });

  it('processes fewer events at a time if each concerns many people', async () => {
    const ann = await app.person('Ann');
    const organization = await app.organization(ann);
    const garden = await app.endeavour(ann, { organization_id: organization });
    await addViewers(app, garden, 300, 'Member');
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

  it('notifies about each of many tasks with the same due date once, in batches', async () => {
    const ann = await app.person('Ann');
    const garden = await app.endeavour(ann);
    const [now, tomorrow] = [new Date(), new Date(Date.now() + 86_400_000 - 60_000)];
    const overdue = new Date(Date.now() - 60_000);
    for (let n = 0; n < 7; n += 1) {
      await app.task(ann, garden, { due_date: overdue.toISOString() });
      await app.task(ann, garden, { due_date: tomorrow.toISOString() });
    }
    const repository = app.nest.get(NotificationFeedRepository, { strict: false });
    const made = () =>
      app.count(`notifications n JOIN tasks t ON t.id = n.entity_id WHERE t.endeavour_id = '${garden}'`);
    let due = { at: new Date(Date.now() - 120_000), taskId: '' };
    const steps: number[] = [];
    for (let hasMore = true; hasMore;) {
      const before = await made();
      hasMore = await app.nest.get(Database).transaction(async () => {
        const isContinued = await repository.addDue(due, now, 4);
        ({ due } = await repository.lockPosition());
        return isContinued;
      });
      steps.push((await made()) - before);
    }
    expect(steps.filter((step) => step > 0)).toEqual([4, 4, 4, 2]);
    expect(await app.count(`notifications WHERE user_id = '${ann.id}' AND count > 1`)).toBe(0);
    expect(due).toEqual({ at: now, taskId: '' });
  });

  it('sends mails to active users even if suspended users have waited longer', async () => {
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
