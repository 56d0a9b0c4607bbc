import { newId } from '../../src/common/ids.js';
import { TestApp, type Person } from '../support/test-app.js';
import { race } from '../support/races.js';
import { fieldErrorsOf } from '../support/refusals.js';

const DAYS = { start_day: '2026-01-05', end_day: '2026-01-16' };

describe('iterations', () => {
  let app: TestApp;
  let [ada, ann, bob, vic, eve]: Person[] = [];
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open({ WORKERS: 'true', LIMIT_WRITES_PER_MINUTE: '100000' });
    ada = await app.admin('Ada');
    [ann, bob] = [await app.person('Ann', { tier: 3 }), await app.person('Bob')];
    [vic, eve] = [await app.person('Vic'), await app.person('Eve')];
  });

  beforeEach(async () => {
    garden = await app.endeavour(ann);
    await app.join(garden, bob, 'member');
    await app.join(garden, vic, 'viewer');
  });

  afterAll(() => app.close());

  const create = (more: object = {}, person = ann) =>
    app
      .as(person)
      .post('/iterations')
      .send({ name: 'First', endeavour_id: garden, ...DAYS, ...more });
  const made = async (more: object = {}): Promise<string> => (await create(more).expect(201)).body.data.id;
  const patch = (path: string, body: object, person = ann) => app.as(person).patch(path).send(body);
  const start = (id: string) => patch(`/iterations/${id}`, { status: 'active' });
  const read = async (path: string, person = ann) => (await app.as(person).get(path).expect(200)).body.data;
  const ids = async (path: string, person = ann): Promise<string[]> =>
    (await read(path, person)).map(({ id }: { id: string }) => id);

  it('are created by admins, and returned completely', async () => {
    const { body, headers } = await create({ goal: 'Green' }).expect(201);
    expect(headers.location).toBe(`/api/v1/iterations/${body.data.id}`);
    expect(body.data).toEqual({
      id: expect.stringMatching(/^itr_[0-9a-f]{32}$/),
      name: 'First',
      goal: 'Green',
      endeavour_id: garden,
      ...DAYS,
      status: 'planned',
      started_at: null,
      closed_at: null,
      created_by: ann.resourceId,
      created_at: expect.any(String),
      updated_at: body.data.created_at,
      revision: 1,
    });
    for (const person of [bob, vic]) await create({}, person).expect(403);
    await create({}, eve).expect(400);
    expect(await read(`/iterations/${body.data.id}`, vic)).toEqual(body.data);
    await app.as(eve).get(`/iterations/${body.data.id}`).expect(404);
    await patch(`/iterations/${body.data.id}`, { name: 'Second' }, bob).expect(403);
  });

  it('name every malformed field', async () => {
    const malformed = { name: '', endeavour_id: 'garden', start_day: '2026-02-30', end_day: 5 };
    expect(fieldErrorsOf((await create(malformed).expect(400)).body)).toEqual([
      'name too_short',
      'endeavour_id invalid_format',
      'start_day invalid_date',
      'end_day invalid_type',
    ]);
    expect(fieldErrorsOf((await create({ end_day: '2026-01-04' }).expect(400)).body)).toEqual(['end_day out_of_range']);
    const id = await made();
    const { body } = await patch(`/iterations/${id}`, { start_day: '2026-01-17' }).expect(400);
    expect(fieldErrorsOf(body)).toEqual(['end_day out_of_range']);
    const closed = await patch(`/iterations/${id}`, { status: 'closed', started_at: null }).expect(400);
    expect(fieldErrorsOf(closed.body)).toEqual(['status invalid_value', 'started_at read_only']);
  });

  it('are changed with merge patches, unless the revision is stale', async () => {
    const id = await made({ goal: 'Green' });
    const { body } = await patch(`/iterations/${id}`, { name: 'Second', goal: null, ...DAYS })
      .set('If-Match', '"1"')
      .expect(200);
    expect(body.data).toMatchObject({ name: 'Second', goal: null, revision: 2 });
    await patch(`/iterations/${id}`, { name: 'Third' }).set('If-Match', '"1"').expect(412);
    const events = await app.database.query('SELECT type FROM events WHERE entity_id = $1 ORDER BY occurred_at', [id]);
    expect(events).toEqual([{ type: 'iteration.created' }, { type: 'iteration.updated' }]);
  });

  it('are active one at a time, and never planned again', async () => {
    const [first, second] = [await made(), await made({ start_day: '2026-01-10' })];
    const { body } = await start(first).expect(200);
    expect(body.data).toMatchObject({ status: 'active', started_at: expect.any(String) });
    const refused = await start(second).expect(409);
    expect(refused.body.error.details).toEqual({ reason: 'active_iteration' });
    const back = await patch(`/iterations/${first}`, { status: 'planned' }).expect(400);
    expect(back.body.error.code).toBe('invalid_transition');
    expect((await start(first).expect(200)).body.data.revision).toBe(body.data.revision);
  });

  race('have one that is active when many start', 3, async () => {
    garden = await app.endeavour(ann);
    const rounds = [await made(), await made(), await made(), await made()];
    const statuses = await Promise.all(rounds.map(async (id) => (await start(id)).status));
    expect(statuses.sort()).toEqual([200, 409, 409, 409]);
    expect(await ids(`/iterations?endeavour_id=${garden}&status=active`)).toHaveLength(1);
  });

  it('are listed, searched and sorted where they are visible', async () => {
    const [later, sooner] = [
      await made({ name: 'Blue', start_day: '2026-01-06', goal: 'Cut the hedge' }),
      await made({ name: 'Green' }),
    ];
    expect(await ids(`/iterations?endeavour_id=${garden}&sort=start_day`)).toEqual([sooner, later]);
    expect(await ids(`/iterations?endeavour_id=${garden}&sort=name`)).toEqual([later, sooner]);
    expect(await ids(`/iterations?endeavour_id=${garden}&search=hedge`)).toEqual([later]);
    await start(later).expect(200);
    expect(await ids(`/iterations?endeavour_id=${garden}&status=!active`)).toEqual([sooner]);
    expect(await ids(`/iterations?endeavour_id=${garden}`, eve)).toEqual([]);
  });

  it('are deleted while they are planned and empty', async () => {
    const id = await made({ name: 'Secret', goal: 'Hidden' });
    const task = await app.task(ann, garden, { iteration_id: id });
    await app.as(bob).delete(`/iterations/${id}`).expect(403);
    const { body } = await app.as(ann).delete(`/iterations/${id}`).expect(409);
    expect(body.error.details).toEqual({ reason: 'in_use', count: 1 });
    await patch(`/tasks/${task}`, { iteration_id: null }).expect(200);
    await app.as(ann).delete(`/iterations/${id}`).set('If-Match', '"7"').expect(412);
    await app.as(ann).delete(`/iterations/${id}`).expect(200);
    await app.as(ann).get(`/iterations/${id}`).expect(404);
    expect(await ids(`/iterations?endeavour_id=${garden}`)).toEqual([]);
    const gone = await patch(`/tasks/${task}`, { iteration_id: id }).expect(400);
    expect(fieldErrorsOf(gone.body)).toEqual(['iteration_id reference_not_found']);
    const rows = await app.database.query('SELECT data::text FROM events WHERE entity_id = $1', [id]);
    expect(JSON.stringify(rows)).not.toMatch(/Secret|Hidden/);
    const active = await made();
    await start(active).expect(200);
    const started = await app.as(ann).delete(`/iterations/${active}`).expect(409);
    expect(started.body.error.details).toEqual({ reason: 'iteration_started' });
  });

  it('stay as they are in archived endeavours, and begin in none that is completed', async () => {
    const id = await made();
    await patch(`/endeavours/${garden}`, { status: 'completed' }).expect(200);
    expect((await create().expect(409)).body.error.details.reason).toBe('completed');
    expect((await start(id).expect(409)).body.error.details.reason).toBe('completed');
    await app.as(ann).post(`/endeavours/${garden}/archive`).send({ reason: 'Over' }).expect(200);
    expect((await create().expect(409)).body.error.code).toBe('archived');
    expect((await patch(`/iterations/${id}`, { name: 'x' }).expect(409)).body.error.code).toBe('archived');
    expect((await app.as(ann).delete(`/iterations/${id}`).expect(409)).body.error.code).toBe('archived');
    expect(await read(`/iterations/${id}`)).toMatchObject({ status: 'planned', revision: 1 });
  });

  it('are at most 1,000 in an endeavour', async () => {
    const id = await made();
    await app.database.query(
      `WITH copies AS (SELECT 'itr_' || replace(gen_random_uuid()::text, '-', '') AS id FROM generate_series(1, 999)),
         placed AS (INSERT INTO entities (id, kind, endeavour_id, title) SELECT c.id, 'iteration', $2, 'First' FROM copies c)
       INSERT INTO iterations (id, name, endeavour_id, start_day, end_day, created_by)
       SELECT c.id, i.name, i.endeavour_id, i.start_day, i.end_day, i.created_by FROM copies c, iterations i WHERE i.id = $1`,
      [id, garden],
    );
    expect((await create().expect(409)).body.error.details.reason).toBe('too_many_iterations');
  });

  describe.each(['tasks', 'demands'] as const)('of %s', (kind) => {
    const work = (more: object = {}, endeavour = garden): Promise<string> =>
      kind === 'tasks' ? app.task(ann, endeavour, more) : app.demand(ann, endeavour, more);
    const put = (id: string, iteration_id: string | null) => patch(`/${kind}/${id}`, { iteration_id }, bob);

    it('are set, changed and cleared by members', async () => {
      const [first, second] = [await made(), await made()];
      const id = await work({ iteration_id: first });
      expect((await read(`/${kind}/${id}`)).iteration_id).toBe(first);
      expect((await put(id, second).expect(200)).body.data.iteration_id).toBe(second);
      const { body } = await put(id, null).expect(200);
      expect(body.data).toMatchObject({ iteration_id: null, revision: 3 });
      const [latest] = await read(`/${kind}/${id}/changes`);
      expect(latest).toMatchObject({ changed: ['iteration_id'], previous: { iteration_id: second } });
      await patch(`/${kind}/${id}`, { iteration_id: first }, vic).expect(403);
    });

    it('are in the endeavour, and not invisible or absent', async () => {
      const id = await work();
      const elsewhere = await made({ endeavour_id: await app.endeavour(ann) });
      for (const other of [elsewhere, newId('iteration')]) {
        const { body } = await patch(`/${kind}/${id}`, { iteration_id: other }).expect(400);
        expect(fieldErrorsOf(body)).toEqual(['iteration_id reference_not_found']);
      }
      await expect(
        app.database.query(`UPDATE ${kind} SET iteration_id = $2 WHERE id = $1`, [id, elsewhere]),
      ).rejects.toThrow(`${kind}_iteration_id_endeavour_id_fkey`);
    });

    it('filter and sort', async () => {
      const [current, next, later] = [
        await made({ name: 'Current' }),
        await made({ start_day: '2026-01-07' }),
        await made({ start_day: '2026-01-08' }),
      ];
      await start(current).expect(200);
      const inside = {
        current: await work({ iteration_id: current }),
        next: await work({ iteration_id: next }),
        later: await work({ iteration_id: later }),
        none: await work(),
      };
      const named = (found: string[]): string[] =>
        found.map((id) => Object.entries(inside).find(([, own]) => own === id)?.[0] ?? id);
      const found = async (query: string): Promise<string[]> =>
        named(await ids(`/${kind}?endeavour_id=${garden}&sort=created_at&${query}`));
      expect(await found('iteration=current')).toEqual(['current']);
      expect(await found('iteration=next')).toEqual(['next']);
      expect(await found('iteration=none')).toEqual(['none']);
      expect(await found(`iteration=${later}`)).toEqual(['later']);
      expect(await found(`iteration=${later},${next}`)).toEqual(['next', 'later']);
      expect(await found(`iteration=current,none,${later}`)).toEqual(['current', 'later', 'none']);
      expect(await found('iteration=!current')).toEqual(['next', 'later', 'none']);
      expect(await found(`iteration=!none,next`)).toEqual(['current', 'later']);
      expect(await found(`iteration=${newId('iteration')}`)).toEqual([]);
      expect(await found(`filter=${encodeURIComponent('iteration = current OR iteration = none')}`)).toEqual([
        'current',
        'none',
      ]);
      expect(await found(`filter=${encodeURIComponent('iteration:* AND NOT iteration = next')}`)).toEqual([
        'current',
        'later',
      ]);
      expect(named(await ids(`/${kind}?endeavour_id=${garden}&sort=-iteration`))).toEqual([
        'later',
        'next',
        'current',
        'none',
      ]);
      const { body } = await app.as(ann).get(`/${kind}?iteration=soon`).expect(400);
      expect(fieldErrorsOf(body)).toEqual(['iteration invalid_format']);
      const elsewhere = await app.endeavour(ann);
      await start(await made({ endeavour_id: elsewhere })).expect(200);
      expect(await found('iteration=current')).toEqual(['current']);
      const { text } = await app.as(ann).get(`/${kind}?iteration=${later}`).set('Accept', 'text/csv').expect(200);
      const [header, row] = text.split('\r\n').map((line: string) => line.split(','));
      expect(row[header.indexOf('iteration_id')]).toBe(later);
    });
  });

  it('of a task end visibly when it moves to another endeavour', async () => {
    const [to, id] = [await app.endeavour(ann), await made()];
    const there = await made({ endeavour_id: to });
    const [first, second] = [
      await app.task(ann, garden, { iteration_id: id }),
      await app.task(ann, garden, { iteration_id: id }),
    ];
    const { body } = await patch(`/tasks/${first}`, { endeavour_id: to }).expect(200);
    expect(body.data.iteration_id).toBeNull();
    const [latest] = await read(`/tasks/${first}/changes`);
    expect(latest).toMatchObject({
      changed: expect.arrayContaining(['endeavour_id', 'iteration_id']),
      // As of the endeavour and the demand: readers of the new endeavour may not see the former one.
      previous: { iteration_id: null },
    });
    const kept = await patch(`/tasks/${second}`, { endeavour_id: to, iteration_id: id }).expect(400);
    expect(fieldErrorsOf(kept.body)).toEqual(['iteration_id reference_not_found']);
    const moved = await patch(`/tasks/${second}`, { endeavour_id: to, iteration_id: there }).expect(200);
    expect(moved.body.data.iteration_id).toBe(there);
  });

  it('end when a replica of the previous release moves the task', async () => {
    const [to, task] = [await app.endeavour(ann), await app.task(ann, garden, { iteration_id: await made() })];
    await app.database.query('UPDATE tasks SET endeavour_id = $2 WHERE id = $1', [task, to]);
    expect((await read(`/tasks/${task}`)).iteration_id).toBeNull();
  });

  it('are set in bulk, in batches, by external references, and narrow claims', async () => {
    const [id, other] = [await made(), await made()];
    const [task] = [await app.task(ann, garden), await app.task(ann, garden)];
    const bulk = { filter: { endeavour_id: garden, iteration: 'none' }, changes: { iteration_id: id } };
    const { headers } = await app.as(ann).post('/tasks/bulk').send(bulk).expect(202);
    const { body } = await app.ended(ann, headers.location);
    expect(body.data).toMatchObject({ status: 'succeeded', result: { changed: 2 } });
    const operations = [
      { method: 'PATCH', path: `/api/v1/tasks/${task}`, body: { iteration_id: other } },
      { method: 'POST', path: '/api/v1/tasks', body: { title: 'New', endeavour_id: garden, iteration_id: other } },
    ];
    await app.as(ann).post('/batch').send({ operations }).expect(200);
    const ref = `/tasks/by-external/jira/7?endeavour_id=${garden}`;
    await app.as(ann).put(ref).send({ title: 'There', iteration_id: other }).expect(201);
    await app.as(ann).put(ref).send({ iteration_id: id }).expect(200);
    expect(await ids(`/tasks?iteration=${id}`)).toHaveLength(2);
    expect(await ids(`/tasks?iteration=${other}`)).toHaveLength(2);
    const claim = { endeavour_id: garden, filter: { iteration: [other] } };
    const claimed = await app.as(ann).post('/tasks/claim').send(claim).expect(200);
    expect(claimed.body.data.iteration_id).toBe(other);
  });

  it('can be asked for by a Definition of Done', async () => {
    const condition = { type: 'field_populated', params: { field: 'iteration_id' } };
    const policy = { name: 'Planned', conditions: [condition] };
    const policy_id = (await app.as(ada).post('/dod-policies').send(policy).expect(201)).body.data.id;
    await app.as(ann).post(`/endeavours/${garden}/dod-policy`).send({ policy_id }).expect(200);
    const task = await app.task(ann, garden);
    const check = async () =>
      (await app.as(ann).post(`/tasks/${task}/dod-check`).expect(200)).body.data.conditions[0].status;
    expect(await check()).toBe('failed');
    await patch(`/tasks/${task}`, { iteration_id: await made() }).expect(200);
    expect(await check()).toBe('passed');
  });
});
