import { newId } from '../../src/common/ids.js';
import { TestApp, type Person } from '../support/test-app.js';
import { race } from '../support/races.js';
import { fieldErrorsOf } from '../support/refusals.js';

const WORK = { minutes: 90, day: '2026-11-20' };

describe('time entries', () => {
  let app: TestApp;
  let [ann, bob, vic, eve]: Person[] = [];
  let garden: string;
  let task: string;

  beforeAll(async () => {
    app = await TestApp.open({ LIMIT_WRITES_PER_MINUTE: '100000' });
    [ann, bob] = [await app.person('Ann', { tier: 3 }), await app.person('Bob')];
    [vic, eve] = [await app.person('Vic'), await app.person('Eve')];
  });

  beforeEach(async () => {
    garden = await app.endeavour(ann);
    await app.join(garden, bob, 'member');
    await app.join(garden, vic, 'viewer');
    task = await app.task(ann, garden, { title: 'Dig' });
  });

  afterAll(() => app.close());

  const create = (more: object = {}, person = bob) =>
    app
      .as(person)
      .post('/time-entries')
      .send({ task_id: task, ...WORK, ...more });
  const made = async (more: object = {}, person = bob): Promise<string> =>
    (await create(more, person).expect(201)).body.data.id;
  const patch = (path: string, body: object, person = bob) => app.as(person).patch(path).send(body);
  const remove = (id: string, person = bob) => app.as(person).delete(`/time-entries/${id}`);
  const read = async (path: string, person = ann) => (await app.as(person).get(path).expect(200)).body.data;
  const hours = async (id = task): Promise<number | null> => (await read(`/tasks/${id}`)).actual;
  const entries = (query = `task_id=${task}&sort=created_at`, person = ann) => read(`/time-entries?${query}`, person);
  const ids = async (query: string, person = ann): Promise<string[]> =>
    (await entries(query, person)).map(({ id }: { id: string }) => id);
  const move = async (...statuses: string[]): Promise<void> => {
    for (const status of statuses) {
      const reason = status === 'canceled' ? { canceled_reason: 'Rain' } : {};
      await patch(`/tasks/${task}`, { status, ...reason }, ann).expect(200);
    }
  };

  it('are made by members for themselves, and returned completely', async () => {
    const { key } = await read(`/tasks/${task}`);
    const { body, headers } = await create({ task_id: key, note: 'Two feet' }).expect(201);
    expect(headers.location).toBe(`/api/v1/time-entries/${body.data.id}`);
    expect(body.data).toEqual({
      id: expect.stringMatching(/^tme_[0-9a-f]{32}$/),
      task_id: task,
      task_key: key,
      task_title: 'Dig',
      endeavour_id: garden,
      resource_id: bob.resourceId,
      resource_name: 'Bob',
      ...WORK,
      note: 'Two feet',
      is_initial: false,
      created_by: bob.resourceId,
      created_at: expect.any(String),
      updated_at: body.data.created_at,
      revision: 1,
    });
    expect(await read(`/time-entries/${body.data.id}`, vic)).toEqual(body.data);
    await app.as(eve).get(`/time-entries/${body.data.id}`).expect(404);
    await create({}, vic).expect(403);
    expect(fieldErrorsOf((await create({}, eve).expect(400)).body)).toEqual(['task_id reference_not_found']);
    expect(await entries()).toHaveLength(1);
  });

  it('name every malformed field', async () => {
    const malformed = { task_id: 'dig', minutes: 0, day: '2026-02-30', note: 5, resource_id: 'bob' };
    expect(fieldErrorsOf((await create(malformed).expect(400)).body)).toEqual([
      'task_id invalid_format',
      'minutes out_of_range',
      'day invalid_date',
      'note invalid_type',
      'resource_id invalid_format',
    ]);
    expect(fieldErrorsOf((await create({ minutes: 1441, is_initial: true }).expect(400)).body)).toEqual([
      'minutes out_of_range',
      'is_initial read_only',
    ]);
    const id = await made({ minutes: 1440 });
    const nulls = { minutes: null, day: null, resource_id: null, task_id: task };
    expect(fieldErrorsOf((await patch(`/time-entries/${id}`, nulls).expect(400)).body)).toEqual([
      'minutes not_nullable',
      'day not_nullable',
      'resource_id not_nullable',
      'task_id read_only',
    ]);
  });

  it('add up to the hours of their task, each with a revision and an event of it', async () => {
    const before = await read(`/tasks/${task}`);
    const first = await made({ minutes: 20 });
    expect(await hours()).toBe(0.3333);
    const second = await made({ minutes: 70 }, ann);
    expect(await hours()).toBe(1.5);
    await patch(`/time-entries/${first}`, { minutes: 35 }).expect(200);
    expect(await hours()).toBe(1.75);
    await patch(`/time-entries/${first}`, { note: 'Deep', day: '2026-11-19' }).expect(200);
    await remove(second, ann).expect(200);
    expect(await hours()).toBe(0.5833);
    await remove(first).expect(200);
    const after = await read(`/tasks/${task}`);
    expect(after).toMatchObject({ actual: null, revision: before.revision + 5 });
    const events = await app.database.query<{ previous: object; data: { actual: number } }>(
      `SELECT previous, data FROM events WHERE entity_id = $1 AND type = 'task.updated' ORDER BY id`,
      [task],
    );
    expect(events.map(({ previous, data }) => [previous, data.actual])).toEqual([
      [{ actual: null }, 0.3333],
      [{ actual: 0.3333 }, 1.5],
      [{ actual: 1.5 }, 1.75],
      [{ actual: 1.75 }, 0.5833],
      [{ actual: 0.5833 }, null],
    ]);
  });

  it('make the hours of the task read-only, which are free without them', async () => {
    await patch(`/tasks/${task}`, { actual: 4 }, ann).expect(200);
    await patch(`/tasks/${task}`, { actual: null }, ann).expect(200);
    const id = await made();
    for (const actual of [4, null, 0]) {
      const { body } = await patch(`/tasks/${task}`, { actual, title: 'Dig deep' }, ann).expect(400);
      expect(fieldErrorsOf(body)).toEqual(['actual read_only']);
    }
    await patch(`/tasks/${task}`, { actual: 1.5, title: 'Dig deep' }, ann).expect(200);
    expect(await hours()).toBe(1.5);
    await remove(id).expect(200);
    await patch(`/tasks/${task}`, { actual: 4 }, ann).expect(200);
    expect(await hours()).toBe(4);
  });

  it('take over the hours that the task had before', async () => {
    await patch(`/tasks/${task}`, { assignee_id: bob.id, status: 'active', actual: 30.25 }, ann).expect(200);
    const { started_at: started } = await read(`/tasks/${task}`);
    const id = await made({}, ann);
    const [initial, own] = await entries();
    expect(initial).toMatchObject({ resource_id: bob.resourceId, minutes: 1815, is_initial: true, note: null });
    expect(initial).toMatchObject({ created_by: ann.resourceId, day: started.slice(0, 10) });
    expect(own).toMatchObject({ id, is_initial: false });
    expect(await hours()).toBe(31.75);
    const events = await app.database.query<{ previous: object; data: { revision: number } }>(
      `SELECT previous, data FROM events WHERE entity_id = $1 AND changed = '{actual}' ORDER BY id`,
      [task],
    );
    expect(events.map(({ previous, data }) => [previous, data.revision])).toEqual([
      [{ actual: 30.25 }, 3],
      [{ actual: 30.25 }, 4],
    ]);
    await made({ minutes: 30 });
    expect(await entries()).toHaveLength(3);
    await patch(`/time-entries/${initial.id}`, { minutes: 60 }).expect(200);
    expect(await hours()).toBe(3);
  });

  it('do not take over more hours than they can hold', async () => {
    await patch(`/tasks/${task}`, { actual: 1e9 }, ann).expect(200);
    expect((await create().expect(409)).body.error.details).toEqual({ reason: 'too_large' });
    expect([await hours(), await entries()]).toEqual([1e9, []]);
  });

  it('of others are for admins', async () => {
    expect((await create({ resource_id: ann.id }).expect(403)).body.error.details.required).toContain('admin');
    await create({ resource_id: eve.id }, ann).expect(400);
    for (const own of ['me', bob.id, bob.resourceId]) await made({ resource_id: own });
    const { body } = await create({ resource_id: bob.id }, ann).expect(201);
    expect(body.data).toMatchObject({ resource_id: bob.resourceId, created_by: ann.resourceId });
    const foreign = await made({}, ann);
    await patch(`/time-entries/${foreign}`, { minutes: 5 }).expect(403);
    await remove(foreign).expect(403);
    await patch(`/time-entries/${body.data.id}`, { resource_id: ann.id }).expect(403);
    await patch(`/time-entries/${body.data.id}`, { minutes: 5, resource_id: bob.id }).expect(200);
    const given = await patch(`/time-entries/${body.data.id}`, { resource_id: 'me' }, ann).expect(200);
    expect(given.body.data).toMatchObject({ resource_id: ann.resourceId, minutes: 5, revision: 3 });
    await app.as(eve).delete(`/time-entries/${foreign}`).expect(404);
  });

  it.each([['done'], ['canceled']])('stay as they are once the task is %s', async (status) => {
    const id = await made();
    await move('active', status);
    const refused = [create(), patch(`/time-entries/${id}`, { minutes: 5 }), remove(id)];
    for (const { status: code, body } of await Promise.all(refused)) {
      expect([code, body.error.details]).toEqual([409, { reason: 'task_closed' }]);
    }
    await patch(`/time-entries/${id}`, { ...WORK }).expect(200);
    expect(await hours()).toBe(1.5);
    await move(status === 'done' ? 'active' : 'planned');
    await patch(`/time-entries/${id}`, { minutes: 60 }).expect(200);
    expect(await hours()).toBe(1);
  });

  it('keep the hours of a task that is done, instead of the time that it was active', async () => {
    await move('active');
    await app.database.query(`UPDATE task_statuses SET entered_at = now() - interval '5 hours' WHERE task_id = $1`, [
      task,
    ]);
    await made();
    await move('done');
    expect(await hours()).toBe(1.5);
  });

  race('are all in the sum when many are written at once', 3, async () => {
    const first = await made({ minutes: 7 });
    const writes = Array.from({ length: 20 }, (_, n) => create({ minutes: n + 1 }, n % 2 === 0 ? ann : bob));
    const others = [patch(`/time-entries/${first}`, { minutes: 9 }), patch(`/tasks/${task}`, { points: 3 }, ann)];
    const statuses = (await Promise.all([...writes, ...others])).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(20);
    const [{ minutes, actual }] = await app.database.query<{ minutes: number; actual: number }>(
      'SELECT logged_minutes AS minutes, actual FROM tasks WHERE id = $1',
      [task],
    );
    expect([minutes, actual]).toEqual([219, 3.65]);
    task = await app.task(ann, garden);
  });

  it('have rules that the database enforces too', async () => {
    const id = await made();
    const refused = (sql: string) => expect(app.database.query(sql, [task])).rejects.toThrow(/check|takes no time/);
    await refused('UPDATE tasks SET actual = 7 WHERE id = $1');
    await refused('UPDATE tasks SET logged_minutes = 7 WHERE id = $1');
    await refused('UPDATE time_entries SET minutes = 1441 WHERE task_id = $1');
    await app.database.query('UPDATE time_entries SET minutes = 60 WHERE id = $1', [id]);
    expect(await hours()).toBe(1);
    await move('active', 'done');
    await refused('UPDATE time_entries SET minutes = 61 WHERE task_id = $1');
  });

  it('make who enters them an author of the task, but not who wrote to it last', async () => {
    await patch(`/tasks/${task}`, { assignee_id: ann.id }, ann).expect(200);
    const writers = async (): Promise<string[]> => {
      const [row] = await app.database.query<{ writers: string[] }>(
        'SELECT writers FROM task_assignments WHERE task_id = $1',
        [task],
      );
      return row.writers;
    };
    await patch(`/tasks/${task}`, { points: 3 }, bob).expect(200);
    await made({}, ann);
    expect(await writers()).toEqual([ann.resourceId]);
    await made({}, bob);
    expect(await writers()).toEqual([ann.resourceId, bob.resourceId]);
  });

  it('are changed with merge patches, unless the revision is stale', async () => {
    const id = await made({ note: 'Deep' });
    const { body } = await patch(`/time-entries/${id}`, { note: null }).set('If-Match', '"1"').expect(200);
    expect(body.data).toMatchObject({ note: null, ...WORK, revision: 2 });
    await patch(`/time-entries/${id}`, { minutes: 5 }).set('If-Match', '"1"').expect(412);
    await remove(id).set('If-Match', '"1"').expect(412);
    expect(await hours()).toBe(1.5);
    const { data } = (await app.as(vic).get(`/time-entries/${id}/changes`).expect(200)).body;
    expect(data.map(({ type }: { type: string }) => type)).toEqual(['time_entry.updated', 'time_entry.created']);
  });

  it('are listed, searched, sorted and saved as CSV where they are visible', async () => {
    const other = await app.task(ann, garden);
    const early = await made({ day: '2026-11-02', minutes: 300, note: 'Hedge' });
    const late = await made({ day: '2026-11-03', task_id: other }, ann);
    const within = `endeavour_id=${garden}`;
    expect(await ids(`${within}&task_id=${other}`)).toEqual([late]);
    expect(await ids(`${within}&task_id=${(await read(`/tasks/${other}`)).key}`)).toEqual([late]);
    expect(await ids(`${within}&resource_id=${bob.id}`)).toEqual([early]);
    expect(await ids(`${within}&resource_id=me`)).toEqual([late]);
    expect(await ids(`${within}&day_after=2026-11-03`)).toEqual([late]);
    expect(await ids(`${within}&day_before=2026-11-03`)).toEqual([early]);
    expect(await ids(`${within}&day_after=2026-11-02&day_before=2026-11-04&sort=day`)).toEqual([early, late]);
    expect(await ids(`${within}&sort=-minutes`)).toEqual([early, late]);
    expect(await ids(`${within}&search=hedge`)).toEqual([early]);
    expect(await ids(within, eve)).toEqual([]);
    const malformed = await app.as(ann).get('/time-entries?day_after=2026-11-31&day_before=now').expect(400);
    expect(fieldErrorsOf(malformed.body)).toEqual(['day_after invalid_date', 'day_before invalid_date']);
    const { text } = await app.as(ann).get(`/time-entries?${within}&sort=day`).set('Accept', 'text/csv').expect(200);
    const [header, row] = text.split('\r\n');
    expect(header).toContain('task_key,task_title,endeavour_id,resource_id,resource_name,day,minutes,note');
    expect(row).toContain('Bob,2026-11-02,300,Hedge');
  });

  it('are gone once they are deleted, with their notes', async () => {
    const id = await made({ note: 'Said too much' });
    await patch(`/time-entries/${id}`, { note: 'Still too much' }).expect(200);
    await remove(id).expect(200);
    await app.as(bob).get(`/time-entries/${id}`).expect(404);
    await remove(id).expect(404);
    await patch(`/time-entries/${newId('time_entry')}`, { minutes: 5 }).expect(404);
    expect(await entries()).toEqual([]);
    const rows = await app.database.query<{ row: string }>(
      `SELECT t::text AS row FROM time_entries t WHERE id = $1
       UNION ALL SELECT v::text FROM events v WHERE entity_id = $1`,
      [id],
    );
    expect(rows).toHaveLength(4);
    expect(rows.filter(({ row }) => row.includes('too much'))).toEqual([]);
  });

  it('move with their task', async () => {
    const lawn = await app.endeavour(ann);
    const id = await made();
    await patch(`/tasks/${task}`, { endeavour_id: lawn }, ann).expect(200);
    await app.as(bob).get(`/time-entries/${id}`).expect(404);
    expect(await read(`/time-entries/${id}`)).toMatchObject({ endeavour_id: lawn, revision: 1 });
    expect(await ids(`endeavour_id=${lawn}`)).toEqual([id]);
    expect(await hours()).toBe(1.5);
    await made({}, ann);
    expect(await hours()).toBe(3);
  });

  it('are not taken by a task with ten thousand of them', async () => {
    const id = await made();
    await app.database.query(
      `WITH made AS (SELECT 'tme_' || lpad(to_hex(n), 32, '0') AS id FROM generate_series(1, 9999) n),
       placed AS (INSERT INTO entities (id, kind, endeavour_id, title, parent_id)
         SELECT made.id, 'time_entry', $2, 'One', $1 FROM made)
       INSERT INTO time_entries (id, task_id, endeavour_id, resource_id, minutes, day, created_by)
         SELECT made.id, $1, $2, t.resource_id, 1, t.day, t.created_by FROM made, time_entries t WHERE t.id = $3`,
      [task, garden, id],
    );
    expect((await create().expect(409)).body.error.details).toEqual({ reason: 'too_many_time_entries' });
    await remove(id).expect(200);
    await made();
  });

  it('change nothing when they are only tried', async () => {
    const id = await made();
    const before = await read(`/tasks/${task}`);
    await app
      .as(bob)
      .post('/time-entries?dry_run=true')
      .send({ task_id: task, ...WORK })
      .expect(201);
    await patch(`/time-entries/${id}?dry_run=true`, { minutes: 5 }).expect(200);
    await app.as(bob).delete(`/time-entries/${id}?dry_run=true`).expect(200);
    expect(await read(`/tasks/${task}`)).toEqual(before);
    expect(await entries()).toHaveLength(1);
  });

  it('are written in a batch, and with tokens for tasks', async () => {
    const operations = [
      { id: 't', method: 'POST', path: '/api/v1/tasks', body: { title: 'Rake', endeavour_id: garden } },
      { method: 'POST', path: '/api/v1/time-entries', body: { task_id: '$t.id', ...WORK } },
    ];
    const { body } = await app.as(bob).post('/batch').send({ operations }).expect(200);
    expect(await hours(body.data[0].body.data.id)).toBe(1.5);
    const token = async (...scopes: string[]): Promise<Person> => {
      const { body: issued } = await app.as(bob).post('/auth/tokens').send({ name: scopes[0], scopes }).expect(201);
      return { ...bob, token: issued.data.token };
    };
    await create({}, await token('demands:write', 'tasks:read')).expect(403);
    await create({}, await token('tasks:write')).expect(201);
  });

  it('of an agent are its own', async () => {
    const organization = await app.organization(ann);
    const lawn = await app.endeavour(ann, { organization_id: organization });
    const agent = { name: 'Robot', organization_id: organization };
    const { id } = (await app.as(ann).post('/agents').send(agent).expect(201)).body.data;
    const scopes = { name: 'Its', scopes: ['tasks:write', 'tasks:read'] };
    const { token } = (await app.as(ann).post(`/agents/${id}/tokens`).send(scopes).expect(201)).body.data;
    const robot: Person = { ...ann, token };
    const onLawn = { task_id: await app.task(ann, lawn) };
    const entry = (await create(onLawn, robot).expect(201)).body.data;
    expect(entry.resource_name).toBe('Robot, for Ann');
    await create({ ...onLawn, resource_id: ann.id }, robot).expect(403);
    await patch(`/time-entries/${await made(onLawn, ann)}`, { minutes: 5 }, robot).expect(403);
    await patch(`/time-entries/${entry.id}`, { minutes: 5 }, robot).expect(200);
  });
});
