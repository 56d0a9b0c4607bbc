import { existsSync, readFileSync } from 'node:fs';
import { newId } from '../../src/common/ids.js';
import { RequestContext } from '../../src/platform/context/request-context.js';
import { InProcessApp } from '../support/in-process-app.js';
import type { Person } from '../support/test-app.js';
import { race } from '../support/races.js';

const BACKLOG = process.env.BACKLOG ?? '';

/** Returns 1,000 titles, from the file named by BACKLOG if it exists. */
function titles(): string[] {
  const made = Array.from({ length: 1_000 }, (_, n) => `Plant row ${n}`);
  if (!existsSync(BACKLOG)) return made;
  const lines = readFileSync(BACKLOG, 'utf8').split('\n').filter(Boolean).slice(0, 1_000);
  return lines.map((line) => (JSON.parse(line) as { title: string }).title.slice(0, 500));
}

/** Removes what events do not store of a task: the names of other entities, what blocks it, and its parent and parts. */
const withoutLive = (task: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(task).filter(
      ([name]) =>
        !/_name$|^demand_(title|key)$|^former_keys$|^effective_priority$|^blocked_by|^parent$|^children$|^referenced_by$/.test(
          name,
        ),
    ),
  );

/** Removes what every write changes, and the next run, which unarchiving computes again. */
function withoutTimes({ updated_at: _u, revision: _r, next_run_at: _n, ...rest }: Record<string, unknown>): object {
  return rest;
}

describe('archive', () => {
  let app: InProcessApp;
  let ann: Person;
  let riverside: string;
  let garden: string;

  beforeAll(async () => {
    app = await InProcessApp.open({ LIMIT_WRITES_PER_MINUTE: '100000' });
  });

  beforeEach(async () => {
    ann = await app.person('Ann');
    riverside = await app.organization(ann);
    garden = await app.endeavour(ann, { organization_id: riverside });
  });

  afterAll(() => app.close());

  const archive = (id: string, person = ann, reason = 'Season over') =>
    app
      .as(person)
      .post(`/${pathOf(id)}/archive`)
      .send({ reason });
  const preview = async (id: string) =>
    (
      await app
        .as(ann)
        .get(`/${pathOf(id)}/archive`)
        .expect(200)
    ).body.data;
  const statusOf = async (id: string) =>
    (
      await app
        .as(ann)
        .get(`/${pathOf(id)}`)
        .expect(200)
    ).body.data.status;
  const unarchive = (id: string, person = ann) => app.as(person).post(`/${pathOf(id)}/unarchive`);
  const move = (task: string, body: object) => app.as(ann).patch(`/tasks/${task}`).send(body).expect(200);

  const auto = (more: object = {}) => app.endeavour(ann, { metadata: { auto_complete: true }, ...more });
  const finish = async (task: string) => {
    await move(task, { status: 'active' });
    await move(task, { status: 'done' });
  };

  /** Inserts a task for each name directly into the tables, in each status in turn. */
  const plant = (endeavour: string, names: string[]) =>
    app.database.query(
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
    it('does what the preview says, with an event for each entity', async () => {
      const planned = await app.task(ann, garden);
      const done = await app.task(ann, garden);
      await move(done, { status: 'active' });
      await move(done, { status: 'done' });
      const demand = await app
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
      const task = await app.as(ann).get(`/tasks/${planned}`).expect(200);
      expect(task.body.data).toMatchObject({
        status: 'canceled',
        canceled_reason: 'Endeavour archived: Season over',
        canceled_at: expect.any(String),
        revision: 2,
      });
      const wanted = await app.as(ann).get(`/demands/${demand.body.data.id}`).expect(200);
      expect(wanted.body.data).toMatchObject({
        status: 'canceled',
        canceled_reason: 'Endeavour archived: Season over',
      });
      const [event] = await app.database.query(
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
        data: withoutLive(task.body.data),
      });
      expect(await preview(garden)).toMatchObject({ tasks_to_cancel: 0, demands_to_cancel: 0, canceled_tasks: 1 });
    });

    it('rejects later writes in it, but not reads', async () => {
      const task = await app.task(ann, garden);
      await archive(garden).expect(200);
      const refused = [
        archive(garden),
        app.as(ann).post('/tasks').send({ title: 'Weed', endeavour_id: garden }),
        app.as(ann).patch(`/tasks/${task}`).send({ title: 'Weed' }),
        app.as(ann).patch(`/endeavours/${garden}`).send({ name: 'Shed' }),
        app
          .as(ann)
          .post(`/endeavours/${garden}/members`)
          .send({ user_id: ann.id, stakeholder_roles: ['sponsor'] }),
      ];
      for (const test of refused) expect((await test.expect(409)).body.error.code).toBe('archived');
      await app.as(ann).get(`/tasks/${task}`).expect(200);
      const hidden = await app.as(ann).get('/endeavours').expect(200);
      expect(hidden.body.data).toEqual([]);
      const shown = await app.as(ann).get('/endeavours?status=archived').expect(200);
      expect(shown.body.data.map(({ id }: { id: string }) => id)).toEqual([garden]);
    });

    it('requires the owner role and a reason, and respects If-Match', async () => {
      const [mia, eve] = [await app.person('Mia'), await app.person('Eve')];
      await app.join(garden, mia, 'admin');
      await archive(garden, mia).expect(403);
      await app.as(mia).get(`/endeavours/${garden}/archive`).expect(403);
      await unarchive(garden, mia).expect(403);
      await archive(garden, eve).expect(404);
      await app.as(eve).get(`/endeavours/${garden}/archive`).expect(404);
      await archive(garden, ann, ' ').expect(400);
      await app.as(ann).post(`/endeavours/${garden}/archive`).send({}).expect(400);
      await archive(garden).set('If-Match', '"7"').expect(412);
      expect(await statusOf(garden)).toBe('active');
    });

    it('restores every status when it is undone', async () => {
      const [planned, active, done, canceled] = await Promise.all(
        Array.from({ length: 4 }, () => app.task(ann, garden)),
      );
      await move(active, { status: 'active' });
      await finish(done);
      await move(canceled, { status: 'canceled', canceled_reason: 'Rain' });
      const [open, inProgress] = [await app.demand(ann, garden), await app.demand(ann, garden)];
      await app.as(ann).patch(`/demands/${inProgress}`).send({ status: 'in_progress' }).expect(200);
      const round = { name: 'Round', endeavour_id: garden, schedule: { type: 'cron', expression: '0 9 * * *' } };
      const { body: ritual } = await app.as(ann).post('/rituals').send(round).expect(201);
      const paths = [planned, active, done, canceled].map((id) => `/tasks/${id}`);
      paths.push(`/demands/${open}`, `/demands/${inProgress}`, `/rituals/${ritual.data.id}`);
      const all = async () => {
        const responses = await Promise.all(paths.map((path) => app.as(ann).get(path).expect(200)));
        return responses.map(({ body }) => withoutTimes(body.data));
      };
      const before = await all();
      const { body } = await unarchive(garden).expect(409);
      expect(body.error.details.reason).toBe('not_archived');
      await archive(garden).expect(200);
      const restored = await unarchive(garden).expect(200);
      expect(restored.body.data).toMatchObject({
        status: 'active',
        archived_at: null,
        archived_reason: null,
        tasks_restored: 2,
        demands_restored: 2,
        rituals_restored: 1,
        revision: 3,
      });
      expect(await all()).toEqual(before);
      const { body: history } = await app.as(ann).get(`/endeavours/${garden}/export`).expect(200);
      const last = history.changes.filter(({ entity_id }: { entity_id: string }) => entity_id === active).at(-1);
      expect(last).toMatchObject({
        type: 'task.status_changed',
        actor_id: ann.resourceId,
        previous: { status: 'canceled', canceled_reason: 'Endeavour archived: Season over' },
        data: { status: 'active', canceled_at: null, canceled_reason: null },
      });
      expect(await app.database.query('SELECT 1 FROM archived_states WHERE endeavour_id = $1', [garden])).toEqual([]);
    });

    it('leaves work canceled if restore_work is false, and restores only what the next archive cancels', async () => {
      const [first, second] = [await app.task(ann, garden), await app.task(ann, garden)];
      await archive(garden).expect(200);
      const { body } = await app
        .as(ann)
        .post(`/endeavours/${garden}/unarchive`)
        .send({ restore_work: false })
        .expect(200);
      expect(body.data).toMatchObject({ status: 'active', tasks_restored: 0 });
      await move(second, { status: 'planned' });
      await archive(garden).expect(200);
      expect((await unarchive(garden).expect(200)).body.data.tasks_restored).toBe(1);
      expect(await app.as(ann).get(`/tasks/${first}`)).toMatchObject({ body: { data: { status: 'canceled' } } });
      expect(await app.as(ann).get(`/tasks/${second}`)).toMatchObject({ body: { data: { status: 'planned' } } });
    });

    it('is undone to the previous status, which need not be active', async () => {
      await app.as(ann).patch(`/endeavours/${garden}`).send({ status: 'on_hold' }).expect(200);
      await archive(garden).expect(200);
      expect((await unarchive(garden).expect(200)).body.data.status).toBe('on_hold');
    });

    it('is undone to active if it was made before previous statuses were stored', async () => {
      await archive(garden).expect(200);
      await app.database.query('DELETE FROM archived_states WHERE endeavour_id = $1', [garden]);
      expect((await unarchive(garden).expect(200)).body.data.status).toBe('active');
    });

    race('succeeds for exactly one of several concurrent requests', 3, async () => {
      const shed = await app.endeavour(ann);
      await app.task(ann, shed);
      const responses = await Promise.all(Array.from({ length: 8 }, () => archive(shed)));
      expect(responses.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, ...Array(7).fill(409)]);
    });
  });

  describe('of an organization', () => {
    it('archives the endeavours whose home it is and unlinks those that are shared with it', async () => {
      const other = await app.organization(ann, { name: 'Other' });
      const shared = await app.endeavour(ann, { name: 'Shared', organization_id: other });
      await app.as(ann).post(`/organizations/${riverside}/endeavours`).send({ endeavour_id: shared }).expect(200);
      const kept = await app.task(ann, shared);
      await app.task(ann, garden);
      const active = await app.task(ann, garden);
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
      const freed = await app.as(ann).get(`/endeavours/${shared}`).expect(200);
      expect(freed.body.data).toMatchObject({ status: 'active', organizations: [{ id: other }] });
      expect(await statusOf(kept)).toBe('planned');
      await archive(riverside).expect(409);
      await app.as(ann).post('/endeavours').send({ name: 'New', organization_id: riverside }).expect(409);
      await app.as(ann).patch(`/organizations/${riverside}`).send({ name: 'New' }).expect(409);
    });

    it('is undone for exactly the endeavours and statuses that it changed', async () => {
      const [shed, old] = [
        await app.endeavour(ann, { organization_id: riverside }),
        await app.endeavour(ann, { organization_id: riverside }),
      ];
      await app.as(ann).patch(`/endeavours/${shed}`).send({ status: 'on_hold' }).expect(200);
      await app.as(ann).patch(`/organizations/${riverside}`).send({ status: 'inactive' }).expect(200);
      const [task, late] = [await app.task(ann, garden), await app.task(ann, old)];
      await archive(old).expect(200);
      await archive(riverside).expect(200);
      const { body } = await unarchive(garden).expect(409);
      expect(body.error.code).toBe('archived');
      const { body: back } = await unarchive(riverside).expect(200);
      expect(back.data).toMatchObject({
        status: 'inactive',
        archived_at: null,
        endeavours_restored: 2,
        tasks_restored: 1,
        demands_restored: 0,
        rituals_restored: 0,
      });
      expect([await statusOf(garden), await statusOf(shed), await statusOf(old)]).toEqual([
        'active',
        'on_hold',
        'archived',
      ]);
      expect(await app.as(ann).get(`/tasks/${task}`)).toMatchObject({ body: { data: { status: 'planned' } } });
      await unarchive(riverside).expect(409);
      expect((await unarchive(old).expect(200)).body.data.tasks_restored).toBe(1);
      expect(await app.as(ann).get(`/tasks/${late}`)).toMatchObject({ body: { data: { status: 'planned' } } });
    });

    it('can be undone for the organization alone, and later for its endeavours with their contents', async () => {
      const task = await app.task(ann, garden);
      await archive(riverside).expect(200);
      await app.as(ann).post(`/organizations/${riverside}/unarchive`).send({ restore_work: false }).expect(200);
      expect(await statusOf(garden)).toBe('archived');
      await archive(riverside).expect(200);
      expect((await unarchive(riverside).expect(200)).body.data.endeavours_restored).toBe(0);
      expect((await unarchive(garden).expect(200)).body.data.tasks_restored).toBe(1);
      expect(await app.as(ann).get(`/tasks/${task}`)).toMatchObject({ body: { data: { status: 'planned' } } });
    });

    it('is not undone if that exceeds the active endeavours that the tier allows', async () => {
      await app.database.query('UPDATE users SET tier = 1 WHERE id = $1', [ann.id]);
      await archive(riverside).expect(200);
      const shed = await app.endeavour(ann);
      const { body } = await unarchive(riverside).expect(403);
      expect(body.error).toMatchObject({ code: 'tier_limit', details: { limit: 'max_active_endeavours', used: 1 } });
      await archive(shed).expect(200);
      await unarchive(riverside).expect(200);
    });

    it('lets only owners of the home unarchive an endeavour', async () => {
      const [own, mia] = [await app.person('Own'), await app.person('Mia')];
      await app.join(garden, own, 'owner');
      await app.join(riverside, mia, 'owner');
      await archive(garden).expect(200);
      const { body } = await unarchive(garden, own).expect(403);
      expect(body.error.details.required).toBe('the owner role in the home organization of this endeavour');
      await unarchive(garden, mia).expect(200);
    });

    it('makes an administrator who undoes it the owner if no owner is active', async () => {
      const ada = await app.admin();
      const shed = await app.endeavour(ann);
      await archive(riverside).expect(200);
      await archive(shed).expect(200);
      await app.as(ada).patch(`/users/${ann.id}`).send({ status: 'inactive' }).expect(200);
      expect((await unarchive(riverside, ada).expect(200)).body.data.my_role).toBe('owner');
      expect((await unarchive(shed, ada).expect(200)).body.data.my_role).toBe('owner');
    });

    it('requires the owner role', async () => {
      const mia = await app.person('Mia');
      await app.join(riverside, mia, 'admin');
      await archive(riverside, mia).expect(403);
      await app.as(mia).get(`/organizations/${riverside}/archive`).expect(403);
      await archive(riverside, await app.person('Eve')).expect(404);
    });

    race('archives a shared endeavour once when both of its organizations are archived at once', 10, async () => {
      const [one, two] = [await app.organization(ann), await app.organization(ann)];
      const shared = await app.endeavour(ann, { organization_id: one });
      await app.link(two, shared);
      const responses = await Promise.all([archive(one).expect(200), archive(two).expect(200)]);
      const archived = responses.map(({ body }) => body.data.endeavours_archived as number);
      expect(archived.sort((a, b) => a - b)).toEqual([0, 1]);
      expect(await statusOf(shared)).toBe('archived');
    });
  });

  it('agrees with its preview on a tree of 1,000 tasks', async () => {
    const shed = await app.endeavour(ann, { organization_id: riverside });
    const all = titles();
    await plant(garden, all.slice(0, 600));
    await plant(shed, all.slice(600));
    const before = await preview(riverside);
    const each = [await preview(garden), await preview(shed)];
    expect(each[0].tasks_to_cancel + each[1].tasks_to_cancel).toBe(before.total_tasks_to_cancel);
    expect(before).toMatchObject({ endeavours_to_archive: 2, total_tasks_to_cancel: 500, total_planned_tasks: 250 });
    const { body } = await archive(riverside).expect(200);
    expect(body.data.tasks_canceled).toBe(before.total_tasks_to_cancel);
    expect(body.data.endeavours_archived).toBe(before.endeavours_to_archive);
    const events = await app.database.one<{ n: number }>(
      `SELECT count(*)::integer AS n FROM events WHERE type = 'task.status_changed' AND endeavour_id = ANY($1)`,
      [[garden, shed]],
    );
    expect(events?.n).toBe(500);
  });

  it('waits for the creation of a task, and includes the task', async () => {
    const [shed, bob] = [await app.endeavour(ann), await app.person('Bob')];
    await app.join(shed, bob, 'member');
    const outside = await app.openConnection();
    await outside.query('BEGIN');
    await outside.query('SELECT 1 FROM resources WHERE id = $1 FOR UPDATE', [bob.resourceId]);
    const late = { title: 'Late', endeavour_id: shed, assignee_id: bob.resourceId };
    const created = Promise.resolve(app.as(ann).post('/tasks').send(late).expect(201));
    await app.untilLockWaits(1);
    const archived = Promise.resolve(archive(shed));
    await Promise.race([archived, app.untilLockWaits(2)]);
    await outside.query('ROLLBACK');
    await outside.end();
    await created;
    expect((await archived).body.data.tasks_canceled).toBe(1);
  });

  race('includes every task that is created at the same time, or rejects its creation', 50, async () => {
    const shed = await app.endeavour(ann);
    const create = () => app.as(ann).post('/tasks').send({ title: 'Late', endeavour_id: shed });
    const [response, ...created] = await Promise.all([archive(shed), create(), create(), create()]);
    expect(response.status).toBe(200);
    expect(created.filter(({ status }) => ![201, 409].includes(status))).toEqual([]);
    const made = created.filter(({ status }) => status === 201).length;
    expect(response.body.data.tasks_canceled).toBe(made);
    expect(response.body.data.progress).toEqual({ planned: 0, active: 0, done: 0, canceled: made });
  });

  it('rolls back completely, whichever of its statements fails', async () => {
    const shared = await app.endeavour(ann, { organization_id: riverside });
    await app.link(await app.organization(ann), shared);
    await app.task(ann, garden);
    const fingerprint = () => fingerprintOf(app);
    const before = await fingerprint();
    const query = app.database.query.bind(app.database);
    const context = app.nest.get(RequestContext);
    for (let nth = 1; ; nth++) {
      let seen = 0;
      const spy = jest.spyOn(app.database, 'query').mockImplementation(async (sql, parameters) => {
        const rows = await query(sql, parameters);
        // Reading the caller, and what workers do meanwhile, are not part of the archive.
        const isArchive = context.requestId !== undefined && !/FROM sessions s JOIN users/.test(sql);
        if (isArchive && ++seen === nth) throw new Error('injected');
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

  describe('auto_complete', () => {
    it('completes an endeavour once every task, demand and goal is closed', async () => {
      const shed = await auto({ goals: ['Open the gate'] });
      const [one, two] = [await app.task(ann, shed), await app.task(ann, shed)];
      await finish(one);
      await move(two, { status: 'canceled', canceled_reason: 'Rain' });
      expect(await statusOf(shed)).toBe('active');
      const goals = [{ title: 'Open the gate', status: 'achieved' }];
      const { body } = await app.as(ann).patch(`/endeavours/${shed}`).send({ goals }).expect(200);
      expect(body.data).toMatchObject({ status: 'completed', completed_at: expect.any(String) });
      const late = await app.as(ann).post('/tasks').send({ title: 'Late', endeavour_id: shed }).expect(409);
      expect(late.body.error.details.reason).toBe('completed');
    });

    it('waits for open demands, and is off by default', async () => {
      const [shed, plain] = [await auto(), await app.endeavour(ann)];
      const demand = { type: 'story', title: 'Shade', endeavour_id: shed };
      const { body } = await app.as(ann).post('/demands').send(demand).expect(201);
      await finish(await app.task(ann, shed));
      await finish(await app.task(ann, plain));
      expect(await statusOf(shed)).toBe('active');
      expect(await statusOf(plain)).toBe('active');
      const over = { status: 'canceled', canceled_reason: 'Trees' };
      await app.as(ann).patch(`/demands/${body.data.id}`).send(over).expect(200);
      expect(await statusOf(shed)).toBe('completed');
    });

    it('completes an endeavour when its last open task moves away', async () => {
      const shed = await auto();
      const task = await app.task(ann, shed);
      await finish(await app.task(ann, shed));
      await move(task, { endeavour_id: garden });
      expect(await statusOf(shed)).toBe('completed');
    });

    race('completes an endeavour when its last two tasks are done at once', 10, async () => {
      const shed = await auto();
      const tasks = [await app.task(ann, shed), await app.task(ann, shed)];
      for (const task of tasks) await move(task, { status: 'active' });
      await Promise.all(tasks.map((task) => move(task, { status: 'done' })));
      expect(await statusOf(shed)).toBe('completed');
    });
  });

  it('is not the same as completion, which requires that no task is open and can be undone', async () => {
    const task = await app.task(ann, garden);
    const patch = (body: object) => app.as(ann).patch(`/endeavours/${garden}`).send(body);
    const { body } = await patch({ status: 'completed' }).expect(409);
    expect(body.error.details).toMatchObject({ reason: 'open_tasks', open_tasks: 1 });
    await move(task, { status: 'canceled', canceled_reason: 'Rain' });
    await patch({ status: 'completed' }).expect(200);
    const reopened = await app.as(ann).patch(`/tasks/${task}`).send({ status: 'planned' }).expect(409);
    expect(reopened.body.error.details.reason).toBe('completed');
    expect((await patch({ status: 'active' }).expect(200)).body.data.completed_at).toBeNull();
    await patch({ status: 'archived' }).expect(400);
    await archive(newId('endeavour')).expect(404);
  });
});

const FOLDERS: Record<string, string> = { org: 'organizations', edv: 'endeavours', tsk: 'tasks' };
const pathOf = (id: string) => `${FOLDERS[id.slice(0, 3)]}/${id}`;

/** Hashes the rows of every table, except for rate counters and jobs. */
async function fingerprintOf(app: InProcessApp): Promise<string> {
  const tables = await app.database.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename NOT IN ('rate_counters', 'jobs', 'replicas')
     ORDER BY 1`,
  );
  const hashes: string[] = [];
  for (const { name } of tables) {
    const row = await app.database.one<{ hash: string }>(
      `SELECT md5(coalesce(string_agg(t::text, '' ORDER BY t::text), '')) AS hash FROM "${name}" t`,
    );
    hashes.push(`${name} ${row?.hash}`);
  }
  return hashes.join('\n');
}
