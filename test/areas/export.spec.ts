import { request as httpRequest } from 'node:http';
import { InProcessApp } from '../support/in-process-app.js';
import type { Person } from '../support/test-app.js';

/** Lists of an exported document, by name. */
type Document = Record<string, Record<string, unknown>[]> & {
  endeavour: Record<string, unknown>;
  organization: Record<string, unknown>;
};

const ids = (list: Record<string, unknown>[]) => list.map(({ id }) => id);

describe('export', () => {
  let app: InProcessApp;
  let ann: Person;
  let riverside: string;
  let garden: string;

  beforeAll(async () => {
    app = await InProcessApp.open();
  });

  beforeEach(async () => {
    ann = await app.person('Ann');
    riverside = await app.organization(ann);
    garden = await app.endeavour(ann, { organization_id: riverside });
  });

  afterAll(() => app.close());

  const get = (id: string, person = ann) =>
    app.as(person).get(`/${id.startsWith('org') ? 'organizations' : 'endeavours'}/${id}/export`);
  const exported = async (id: string): Promise<Document> => (await get(id).expect(200)).body;

  /** Inserts tasks directly into the tables. */
  const plant = (endeavour: string, rows: number, description = 'Water it twice a day. '.repeat(20)) =>
    app.database.query(
      `WITH made AS (SELECT 'tsk_' || replace(gen_random_uuid()::text, '-', '') AS id FROM generate_series(1, $2)),
       placed AS (INSERT INTO entities (id, kind, endeavour_id, title) SELECT id, 'task', $1, 'Row' FROM made)
       INSERT INTO tasks (id, title, description, endeavour_id, owner_id, creator_id)
       SELECT id, 'Row', $4, $1, $3, $3 FROM made`,
      [endeavour, rows, ann.resourceId, description],
    );

  it('of an endeavour is one document with the representations of its contents', async () => {
    const mia = await app.person('Mia');
    await app.join(garden, mia, 'viewer', ['sponsor']);
    const task = await app.task(ann, garden, { metadata: { n: 1.5, '': 'x' } });
    await app.task(ann, await app.endeavour(ann));
    const demand = { type: 'story', title: 'Shade', endeavour_id: garden };
    const made = await app.as(ann).post('/demands').send(demand).expect(201);
    const { headers, body } = await get(garden).expect(200);
    expect(headers['content-disposition']).toBe(`attachment; filename="${garden}.json"`);
    const document = body as Document;
    const read = async (path: string) => (await app.as(ann).get(path).expect(200)).body.data;
    expect(document).toMatchObject({ version: 1, kind: 'endeavour', exported_at: expect.any(String) });
    expect(document.endeavour).toEqual(await read(`/endeavours/${garden}`));
    const detail = (await read(`/tasks/${task}`)) as Record<string, unknown>;
    const { blocked_by: blockers, parent, children: _, referenced_by: references, ...shown } = detail;
    expect([document.tasks, blockers, parent]).toEqual([[shown], [], null]);
    const whole = (await read(`/demands/${made.body.data.id}`)) as Record<string, unknown>;
    expect(document.demands.map((one: object) => ({ ...one, referenced_by: references }))).toEqual([whole]);
    expect(document.members).toEqual(
      expect.arrayContaining((await read(`/endeavours/${garden}/members`)) as unknown[]),
    );
    expect(document.members).toHaveLength(2);
    expect(ids(document.resources)).toEqual([ann.resourceId, mia.resourceId]);
    const types = document.changes.map(({ type }) => type);
    expect(types).toEqual(['endeavour.created', 'task.created', 'demand.created']);
    expect(document).not.toHaveProperty('endeavours');
  });

  it('of an organization contains the endeavours whose home it is, and only the names of others', async () => {
    const eve = await app.person('Eve');
    const foreign = await app.organization(eve, { name: 'CanaryOrganization' });
    const theirs = await app.endeavour(eve, { name: 'Theirs', organization_id: foreign });
    await app.link(riverside, theirs);
    const canaries = [foreign, theirs, await app.task(eve, theirs), eve.id, eve.resourceId];
    const mine = await app.endeavour(ann, { organization_id: riverside });
    await app.link(foreign, mine);
    const tasks = [await app.task(ann, garden), await app.task(ann, mine)];
    await app.task(ann, await app.endeavour(ann, { name: 'Private' }));
    const { text } = await get(riverside).expect(200);
    const document = JSON.parse(text) as Document;
    expect(document).toMatchObject({ version: 1, kind: 'organization', organization: { id: riverside } });
    expect(ids(document.members)).toHaveLength(1);
    expect(ids(document.tasks)).toEqual(tasks);
    expect(document.endeavours).toEqual([
      expect.objectContaining({ id: garden, members: [expect.objectContaining({ user_id: ann.id })] }),
      expect.objectContaining({ id: mine, organizations: [{ id: riverside, name: 'Riverside' }] }),
      { name: 'Theirs' },
    ]);
    for (const canary of [...canaries, 'CanaryOrganization']) expect(text).not.toContain(canary);
  });

  it('requires the owner role, and includes archived containers', async () => {
    const [mia, eve] = [await app.person('Mia'), await app.person('Eve')];
    await app.join(garden, mia, 'admin');
    await app.join(riverside, mia, 'admin');
    for (const id of [garden, riverside]) {
      expect((await get(id, mia).expect(403)).body.error.code).toBe('forbidden');
      await get(id, eve).expect(404);
    }
    await app.as(ann).post(`/organizations/${riverside}/archive`).send({ reason: 'Over' }).expect(200);
    await app.as(ann).head(`/organizations/${riverside}/export`).expect(200);
    expect((await exported(riverside)).endeavours).toEqual([expect.objectContaining({ status: 'archived' })]);
  });

  it('is a consistent snapshot despite concurrent writes', async () => {
    await plant(garden, 500);
    const query = app.database.query.bind(app.database);
    const spy = jest.spyOn(app.database, 'query').mockImplementation(async (sql, parameters) => {
      if (/FROM exported/.test(sql)) await app.database.source.query(`UPDATE tasks SET title = title || '!'`);
      return query(sql, parameters);
    });
    const { tasks } = await exported(garden);
    spy.mockRestore();
    expect(new Set(tasks.map(({ title }) => title))).toEqual(new Set(['Row']));
  });

  it('ends before its response ends, so that the next export is not rejected', async () => {
    const { database } = app;
    const snapshot = database.snapshot.bind(database);
    const order: string[] = [];
    const spy = jest.spyOn(database, 'snapshot').mockImplementation(async (seconds, work) => {
      const result = await snapshot(seconds, work);
      await database.query('SELECT pg_sleep(0.1)');
      order.push('ended');
      return result;
    });
    await exported(garden);
    order.push('read');
    spy.mockRestore();
    expect(order).toEqual(['ended', 'read']);
  });

  describe('streaming', () => {
    let port: number;

    beforeAll(async () => {
      port = app.port();
    });

    /** Starts an export, and returns the response before its body is read. */
    const begin = (id: string, person: Person) =>
      new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
        const headers = { authorization: `Bearer ${person.token}` };
        const path = `/api/v1/${id.startsWith('org') ? 'organizations' : 'endeavours'}/${id}/export`;
        const asked = httpRequest({ host: '127.0.0.1', port, path, headers }, resolve);
        asked.on('error', reject);
        asked.end();
      });

    it('is limited to one per user and two in total, and stops when the client disconnects', async () => {
      await plant(garden, 5_000);
      const admins = [await app.admin(), await app.admin()];
      const first = await begin(garden, ann);
      const { body, headers } = await get(garden).expect(429);
      expect(body.error.code).toBe('rate_limited');
      expect(headers['retry-after']).toBe('5');
      const second = await begin(garden, admins[0]);
      await get(garden, admins[1]).expect(429);
      first.destroy();
      second.destroy();
      while ((await get(garden)).status !== 200) await new Promise((resolve) => setTimeout(resolve, 50));
    });
  });
});
