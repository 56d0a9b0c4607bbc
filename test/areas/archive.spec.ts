import { existsSync, readFileSync } from 'node:fs';
import { newId } from '../../src/common/ids.js';
import { House, type Person } from '../support/house.js';
import { race } from '../support/races.js';

const BACKLOG = process.env.BACKLOG ?? '';

/** A thousand titles: those of a real backlog where one is named, else made up. */
function titles(): string[] {
  const made = Array.from({ length: 1_000 }, (_, n) => `Plant row ${n}`);
  if (!existsSync(BACKLOG)) return made;
  const lines = readFileSync(BACKLOG, 'utf8').split('\n').filter(Boolean).slice(0, 1_000);
  return lines.map((line) => (JSON.parse(line) as { title: string }).title.slice(0, 500));
}

describe('archive', () => {
  let house: House;
  let ann: Person;
  let riverside: string;
  let garden: string;

  beforeAll(async () => {
    house = await House.open({ LIMIT_WRITES_PER_MINUTE: '100000' });
  });

  beforeEach(async () => {
    ann = await house.person('Ann');
    riverside = await house.organization(ann);
    garden = await house.endeavour(ann, { organization_id: riverside });
  });

  afterAll(() => house.close());

  const archive = (id: string, person = ann, reason = 'Season over') =>
    house
      .as(person)
      .post(`/${pathOf(id)}/archive`)
      .send({ reason });
  const preview = async (id: string) =>
    (
      await house
        .as(ann)
        .get(`/${pathOf(id)}/archive`)
        .expect(200)
    ).body.data;
  const statusOf = async (id: string) =>
    (
      await house
        .as(ann)
        .get(`/${pathOf(id)}`)
        .expect(200)
    ).body.data.status;
  const unarchive = (id: string, person = ann) => house.as(person).post(`/${pathOf(id)}/unarchive`);
  const move = (task: string, body: object) => house.as(ann).patch(`/tasks/${task}`).send(body).expect(200);

  const auto = (more: object = {}) => house.endeavour(ann, { metadata: { auto_complete: true }, ...more });
  const finish = async (task: string) => {
    await move(task, { status: 'active' });
    await move(task, { status: 'done' });
  };

  /** Tasks straight into the tables, as many as wanted, in every status in turn. */
  const plant = (endeavour: string, names: string[]) =>
    house.database.query(
      `WITH named AS (SELECT 'tsk_' || replace(gen_random_uuid()::text, '-', '') AS id, title, n
                      FROM unnest($2::text[]) WITH ORDINALITY AS t (title, n)),
       placed AS (INSERT INTO entities (id, kind, endeavour_id, title) SELECT id, 'task', $1, title FROM named)
       INSERT INTO tasks (id, title, endeavour_id, owner_id, creator_id, status, completed_at, canceled_reason)
       SELECT id, title, $1, $3, $3, s.status, CASE s.status WHEN 'done' THEN now() END,
              CASE s.status WHEN 'canceled' THEN 'No' END
       FROM named, LATERAL (SELECT (ARRAY['planned', 'active', 'done', 'canceled'])[1 + n % 4] AS status) s`,
      [endeavour, names, ann.resourceId],
    );

  describe('of an endeavour', () => {
    it('does what the preview says, each thing with an event of its own', async () => {
      const planned = await house.task(ann, garden);
      const done = await house.task(ann, garden);
      await move(done, { status: 'active' });
      await move(done, { status: 'done' });
      const demand = await house
        .as(ann)
        .post('/demands')
        .send({ type: 'story', title: 'Shade', endeavour_id: garden })
        .expect(201);
      const before = await preview(garden);
      expect(before).toEqual({
        endeavour_id: garden,
        planned_tasks: 1,
        active_tasks: 0,
        done_tasks: 1,
        canceled_tasks: 0,
        tasks_to_cancel: 1,
        demands_to_cancel: 1,
        rituals_to_disable: 0,
      });
      const { body, headers } = await archive(garden).expect(200);
      expect(body.data).toMatchObject({
        id: garden,
        status: 'archived',
        archived_reason: 'Season over',
        archived_at: expect.any(String),
        progress: { planned: 0, active: 0, done: 1, canceled: 1 },
        revision: 2,
        tasks_canceled: 1,
        demands_canceled: 1,
        rituals_disabled: 0,
      });
      expect(headers.etag).toMatch(/^"2-/);
      const task = await house.as(ann).get(`/tasks/${planned}`).expect(200);
      expect(task.body.data).toMatchObject({
        status: 'canceled',
        canceled_reason: 'Endeavour archived: Season over',
        canceled_at: expect.any(String),
        revision: 2,
      });
      const wanted = await house.as(ann).get(`/demands/${demand.body.data.id}`).expect(200);
      expect(wanted.body.data).toMatchObject({
        status: 'canceled',
        canceled_reason: 'Endeavour archived: Season over',
      });
      const [event] = await house.database.query(
        `SELECT type, endeavour_id, actor_id, changed, previous, data FROM events WHERE entity_id = $1
         ORDER BY sequence DESC LIMIT 1`,
        [planned],
      );
      expect(event).toEqual({
        type: 'task.status_changed',
        endeavour_id: garden,
        actor_id: ann.resourceId,
        changed: ['status', 'canceled_at', 'canceled_reason'],
        previous: { status: 'planned', canceled_at: null, canceled_reason: null },
        data: task.body.data,
      });
      expect(await preview(garden)).toMatchObject({ tasks_to_cancel: 0, demands_to_cancel: 0, canceled_tasks: 1 });
    });

    it('refuses every write in it afterwards, but lets it be read', async () => {
      const task = await house.task(ann, garden);
      await archive(garden).expect(200);
      const refused = [
        archive(garden),
        house.as(ann).post('/tasks').send({ title: 'Weed', endeavour_id: garden }),
        house.as(ann).patch(`/tasks/${task}`).send({ title: 'Weed' }),
        house.as(ann).patch(`/endeavours/${garden}`).send({ name: 'Shed' }),
        house
          .as(ann)
          .post(`/endeavours/${garden}/members`)
          .send({ user_id: ann.id, stakeholder_roles: ['sponsor'] }),
      ];
      for (const test of refused) expect((await test.expect(409)).body.error.code).toBe('archived');
      await house.as(ann).get(`/tasks/${task}`).expect(200);
      const hidden = await house.as(ann).get('/endeavours').expect(200);
      expect(hidden.body.data).toEqual([]);
      const shown = await house.as(ann).get('/endeavours?status=archived').expect(200);
      expect(shown.body.data.map(({ id }: { id: string }) => id)).toEqual([garden]);
    });

    it('is for owners, wants a reason, and holds to If-Match', async () => {
      const [mia, eve] = [await house.person('Mia'), await house.person('Eve')];
      await house.join(garden, mia, 'admin');
      await archive(garden, mia).expect(403);
      await house.as(mia).get(`/endeavours/${garden}/archive`).expect(403);
      await unarchive(garden, mia).expect(403);
      await archive(garden, eve).expect(404);
      await house.as(eve).get(`/endeavours/${garden}/archive`).expect(404);
      await archive(garden, ann, ' ').expect(400);
      await house.as(ann).post(`/endeavours/${garden}/archive`).send({}).expect(400);
      await archive(garden).set('If-Match', '"7"').expect(412);
      expect(await statusOf(garden)).toBe('active');
    });

    it('is undone but for what was canceled', async () => {
      const task = await house.task(ann, garden);
      const { body } = await unarchive(garden).expect(409);
      expect(body.error.details.reason).toBe('not_archived');
      await archive(garden).expect(200);
      const restored = await unarchive(garden).expect(200);
      expect(restored.body.data).toMatchObject({ status: 'active', archived_at: null, archived_reason: null });
      expect((await house.as(ann).get(`/tasks/${task}`).expect(200)).body.data.status).toBe('canceled');
      await move(task, { status: 'planned' });
    });

    race('happens once where many ask at once, and none of them fails', 3, async () => {
      const shed = await house.endeavour(ann);
      await house.task(ann, shed);
      const answers = await Promise.all(Array.from({ length: 8 }, () => archive(shed)));
      expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, ...Array(7).fill(409)]);
    });
  });

  describe('of an organization', () => {
    it('archives what is its alone and lets go of what it shares', async () => {
      const other = await house.organization(ann, { name: 'Other' });
      const shared = await house.endeavour(ann, { name: 'Shared', organization_id: riverside });
      await house.as(ann).post(`/organizations/${other}/endeavours`).send({ endeavour_id: shared }).expect(200);
      const kept = await house.task(ann, shared);
      await house.task(ann, garden);
      const active = await house.task(ann, garden);
      await move(active, { status: 'active' });
      expect(await preview(riverside)).toEqual({
        organization_id: riverside,
        endeavours_to_archive: 1,
        endeavours_to_unlink: 1,
        total_tasks_to_cancel: 2,
        total_planned_tasks: 1,
        total_active_tasks: 1,
      });
      const { body } = await archive(riverside).expect(200);
      expect(body.data).toMatchObject({
        id: riverside,
        status: 'archived',
        archived_reason: 'Season over',
        endeavour_count: 1,
        endeavours_archived: 1,
        endeavours_unlinked: 1,
        tasks_canceled: 2,
      });
      expect(await statusOf(garden)).toBe('archived');
      const freed = await house.as(ann).get(`/endeavours/${shared}`).expect(200);
      expect(freed.body.data).toMatchObject({ status: 'active', organizations: [{ id: other }] });
      expect(await statusOf(kept)).toBe('planned');
      await archive(riverside).expect(409);
      await house.as(ann).post('/endeavours').send({ name: 'New', organization_id: riverside }).expect(409);
      await house.as(ann).patch(`/organizations/${riverside}`).send({ name: 'New' }).expect(409);
    });

    it('is undone by itself first, then for each endeavour', async () => {
      await archive(riverside).expect(200);
      const { body } = await unarchive(garden).expect(409);
      expect(body.error.code).toBe('archived');
      expect((await unarchive(riverside).expect(200)).body.data).toMatchObject({ status: 'active', archived_at: null });
      expect(await statusOf(garden)).toBe('archived');
      await unarchive(garden).expect(200);
      await unarchive(riverside).expect(409);
    });

    it('is for owners', async () => {
      const mia = await house.person('Mia');
      await house.join(riverside, mia, 'admin');
      await archive(riverside, mia).expect(403);
      await house.as(mia).get(`/organizations/${riverside}/archive`).expect(403);
      await archive(riverside, await house.person('Eve')).expect(404);
    });

    race('leaves every endeavour to exactly one of two that archive at once', 10, async () => {
      const [one, two] = [await house.organization(ann), await house.organization(ann)];
      const shared = await house.endeavour(ann, { organization_id: one });
      await house.link(two, shared);
      const answers = await Promise.all([archive(one).expect(200), archive(two).expect(200)]);
      const archived = answers.map(({ body }) => body.data.endeavours_archived as number);
      expect(archived.sort((a, b) => a - b)).toEqual([0, 1]);
      expect(await statusOf(shared)).toBe('archived');
    });
  });

  it('agrees with its preview on a tree of 1,000 tasks, far below the statement timeout', async () => {
    const shed = await house.endeavour(ann, { organization_id: riverside });
    const all = titles();
    await plant(garden, all.slice(0, 600));
    await plant(shed, all.slice(600));
    const before = await preview(riverside);
    const each = [await preview(garden), await preview(shed)];
    expect(each[0].tasks_to_cancel + each[1].tasks_to_cancel).toBe(before.total_tasks_to_cancel);
    expect(before).toMatchObject({ endeavours_to_archive: 2, total_tasks_to_cancel: 500, total_planned_tasks: 250 });
    const started = performance.now();
    const { body } = await archive(riverside).expect(200);
    expect(performance.now() - started).toBeLessThan(2_500);
    expect(body.data.tasks_canceled).toBe(before.total_tasks_to_cancel);
    expect(body.data.endeavours_archived).toBe(before.endeavours_to_archive);
    const told = await house.database.one<{ n: number }>(
      `SELECT count(*)::integer AS n FROM events WHERE type = 'task.status_changed' AND endeavour_id = ANY($1)`,
      [[garden, shed]],
    );
    expect(told?.n).toBe(500);
  });

  race('lets no task slip in', 50, async () => {
    const shed = await house.endeavour(ann);
    const create = () => house.as(ann).post('/tasks').send({ title: 'Late', endeavour_id: shed });
    const [answer, ...created] = await Promise.all([archive(shed), create(), create(), create()]);
    expect(answer.status).toBe(200);
    expect(created.filter(({ status }) => ![201, 409].includes(status))).toEqual([]);
    const made = created.filter(({ status }) => status === 201).length;
    expect(answer.body.data.tasks_canceled).toBe(made);
    expect(answer.body.data.progress).toEqual({ planned: 0, active: 0, done: 0, canceled: made });
  });

  it('leaves the database as it was, whichever of its statements fails', async () => {
    const shared = await house.endeavour(ann, { organization_id: riverside });
    await house.link(await house.organization(ann), shared);
    await house.task(ann, garden);
    const fingerprint = () => fingerprintOf(house);
    const before = await fingerprint();
    const query = house.database.query.bind(house.database);
    for (let nth = 1; ; nth++) {
      let seen = 0;
      const spy = jest.spyOn(house.database, 'query').mockImplementation(async (sql, parameters) => {
        const rows = await query(sql, parameters);
        // The caller is read before; what follows is the archive.
        if (!/FROM sessions s JOIN users/.test(sql) && ++seen === nth) throw new Error('injected');
        return rows;
      });
      const { status } = await archive(riverside);
      spy.mockRestore();
      if (status === 200) {
        expect(nth).toBeGreaterThan(10);
        expect(await fingerprint()).not.toBe(before);
        return;
      }
      expect(status).toBe(500);
      expect(await fingerprint()).toBe(before);
    }
  });

  describe('of an endeavour that completes itself', () => {
    it('needs every task, demand and goal to be over', async () => {
      const shed = await auto({ goals: ['Open the gate'] });
      const [one, two] = [await house.task(ann, shed), await house.task(ann, shed)];
      await finish(one);
      await move(two, { status: 'canceled', canceled_reason: 'Rain' });
      expect(await statusOf(shed)).toBe('active');
      const goals = [{ title: 'Open the gate', status: 'achieved' }];
      const { body } = await house.as(ann).patch(`/endeavours/${shed}`).send({ goals }).expect(200);
      expect(body.data).toMatchObject({ status: 'completed', completed_at: expect.any(String) });
      const late = await house.as(ann).post('/tasks').send({ title: 'Late', endeavour_id: shed }).expect(409);
      expect(late.body.error.details.reason).toBe('completed');
    });

    it('waits for open demands, and does nothing unasked', async () => {
      const [shed, plain] = [await auto(), await house.endeavour(ann)];
      const demand = { type: 'story', title: 'Shade', endeavour_id: shed };
      const { body } = await house.as(ann).post('/demands').send(demand).expect(201);
      await finish(await house.task(ann, shed));
      await finish(await house.task(ann, plain));
      expect(await statusOf(shed)).toBe('active');
      expect(await statusOf(plain)).toBe('active');
      const over = { status: 'canceled', canceled_reason: 'Trees' };
      await house.as(ann).patch(`/demands/${body.data.id}`).send(over).expect(200);
      expect(await statusOf(shed)).toBe('completed');
    });

    it('is complete when its last open task moves away', async () => {
      const shed = await auto();
      const task = await house.task(ann, shed);
      await finish(await house.task(ann, shed));
      await move(task, { endeavour_id: garden });
      expect(await statusOf(shed)).toBe('completed');
    });

    race('is complete when the last two tasks end at once', 10, async () => {
      const shed = await auto();
      const tasks = [await house.task(ann, shed), await house.task(ann, shed)];
      for (const task of tasks) await move(task, { status: 'active' });
      await Promise.all(tasks.map((task) => move(task, { status: 'done' })));
      expect(await statusOf(shed)).toBe('completed');
    });
  });

  it('is not reached by completing, which needs no open task and can be taken back', async () => {
    const task = await house.task(ann, garden);
    const patch = (body: object) => house.as(ann).patch(`/endeavours/${garden}`).send(body);
    const { body } = await patch({ status: 'completed' }).expect(409);
    expect(body.error.details).toMatchObject({ reason: 'open_tasks', open_tasks: 1 });
    await move(task, { status: 'canceled', canceled_reason: 'Rain' });
    await patch({ status: 'completed' }).expect(200);
    const reopened = await house.as(ann).patch(`/tasks/${task}`).send({ status: 'planned' }).expect(409);
    expect(reopened.body.error.details.reason).toBe('completed');
    expect((await patch({ status: 'active' }).expect(200)).body.data.completed_at).toBeNull();
    await patch({ status: 'archived' }).expect(400);
    await archive(newId('endeavour')).expect(404);
  });
});

const FOLDERS: Record<string, string> = { org: 'organizations', edv: 'endeavours', tsk: 'tasks' };
const pathOf = (id: string) => `${FOLDERS[id.slice(0, 3)]}/${id}`;

/** Every row of every table but the counters of requests, in one hash. */
async function fingerprintOf(house: House): Promise<string> {
  const tables = await house.database.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename NOT IN ('rate_counters', 'jobs')
     ORDER BY 1`,
  );
  const hashes: string[] = [];
  for (const { name } of tables) {
    const row = await house.database.one<{ hash: string }>(
      `SELECT md5(coalesce(string_agg(t::text, '' ORDER BY t::text), '')) AS hash FROM "${name}" t`,
    );
    hashes.push(`${name} ${row?.hash}`);
  }
  return hashes.join('\n');
}
