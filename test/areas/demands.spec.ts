import { newId } from '../../src/common/ids.js';
import { TestApp, type Person } from '../support/test-app.js';
import { race } from '../support/races.js';

const faults = (body: { error: { details: { fields: { field: string; code: string }[] } } }) =>
  body.error.details.fields.map(({ field, code }) => `${field} ${code}`);
const withReason = (status: string) => ({ status, ...(status === 'canceled' && { canceled_reason: 'Rain' }) });

describe('demands', () => {
  let app: TestApp;
  let ann: Person;
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open();
    ann = await app.person('Ann');
    garden = await app.endeavour(ann, { name: 'Garden', timezone: 'Europe/Berlin' });
  });

  afterAll(() => app.close());

  const create = (more: object = {}, person = ann) =>
    app
      .as(person)
      .post('/demands')
      .send({ type: 'story', title: 'Visitors find the exit', endeavour_id: garden, ...more });
  const made = (more: object = {}): Promise<string> => app.demand(ann, garden, more);
  const patch = (id: string, body: object, person = ann) => app.as(person).patch(`/demands/${id}`).send(body);
  const get = async (id: string) => (await app.as(ann).get(`/demands/${id}`).expect(200)).body.data;
  const task = (demand_id: string) => app.task(ann, garden, { demand_id });
  const moveTask = (id: string, status: string) => app.as(ann).patch(`/tasks/${id}`).send(withReason(status));
  const member = async (name: string, role = 'member'): Promise<Person> => {
    const person = await app.person(name);
    await app.join(garden, person, role);
    return person;
  };

  describe('creating', () => {
    it('returns the whole representation, a Location header and an ETag', async () => {
      const { body, headers } = await create({ due_date: '2026-07-01', metadata: { a: 1 } }).expect(201);
      expect(headers.location).toBe(`/api/v1/demands/${body.data.id}`);
      expect(headers.etag).toMatch(/^"1-[\w-]{16}"$/);
      expect(body.data).toEqual({
        id: expect.stringMatching(/^dmd_[0-9a-f]{32}$/),
        key: 'GARD-1',
        number: 1,
        former_keys: [],
        rank: body.data.id.slice(4),
        labels: [],
        type: 'story',
        title: 'Visitors find the exit',
        description: null,
        status: 'open',
        priority: 'medium',
        endeavour_id: garden,
        endeavour_name: 'Garden',
        iteration_id: null,
        goal_id: null,
        start_date: null,
        creator_id: ann.resourceId,
        creator_name: 'Ann',
        owner_id: ann.resourceId,
        owner_name: 'Ann',
        due_date: '2026-07-01T23:59:59.000+02:00',
        due_day: '2026-07-01',
        fulfilled_at: null,
        canceled_at: null,
        canceled_reason: null,
        progress: { planned: 0, active: 0, done: 0, canceled: 0 },
        external_ref: null,
        metadata: { a: 1 },
        created_at: expect.any(String),
        updated_at: body.data.created_at,
        revision: 1,
      });
    });

    it('returns all field errors at once', async () => {
      const sent = { title: ' ', type: 'Story!', priority: 'huge', status: 'open', owner_id: 'me', colour: 'red' };
      const { body } = await app.as(ann).post('/demands').send(sent).expect(400);
      expect(faults(body)).toEqual([
        'type invalid_format',
        'title too_short',
        'endeavour_id required',
        'priority invalid_value',
        'status read_only',
        'owner_id read_only',
        'colour unknown_field',
      ]);
    });

    it('requires the member role, and an endeavour that is visible and not completed or archived', async () => {
      const vic = await member('Vic', 'viewer');
      const eve = await app.person('Eve');
      await create({}, vic).expect(403);
      expect(faults((await create({}, eve).expect(400)).body)).toEqual(['endeavour_id reference_not_found']);
      expect(faults((await create({ endeavour_id: newId('endeavour') }).expect(400)).body)).toEqual([
        'endeavour_id reference_not_found',
      ]);
      const done = await app.endeavour(ann, { name: 'Done' });
      const inDone = await app.demand(ann, done);
      await patch(inDone, { status: 'canceled', canceled_reason: 'Rain' }).expect(200);
      await app.as(ann).patch(`/endeavours/${done}`).send({ status: 'completed' }).expect(200);
      expect((await create({ endeavour_id: done }).expect(409)).body.error.details.reason).toBe('completed');
      expect((await patch(inDone, { status: 'open' }).expect(409)).body.error.details.reason).toBe('completed');
      await app.database.query(`UPDATE endeavours SET status = 'archived' WHERE id = $1`, [done]);
      expect((await create({ endeavour_id: done }).expect(409)).body.error.code).toBe('archived');
      expect((await patch(inDone, { title: 'New' }).expect(409)).body.error.code).toBe('archived');
    });
  });

  describe('status transitions', () => {
    it('go from open through in_progress to fulfilled and back, and record when', async () => {
      const id = await made();
      expect((await patch(id, { status: 'in_progress' }).expect(200)).body.data.status).toBe('in_progress');
      const { body: fulfilled } = await patch(id, { status: 'fulfilled' }).expect(200);
      expect(fulfilled.data).toMatchObject({ status: 'fulfilled', fulfilled_at: expect.any(String), revision: 3 });
      const { body: reopened } = await patch(id, { status: 'open' }).expect(200);
      expect(reopened.data).toMatchObject({ status: 'open', fulfilled_at: null });
    });

    it.each([
      ['open', 'fulfilled', ['in_progress', 'canceled']],
      ['fulfilled', 'in_progress', ['open']],
      ['fulfilled', 'canceled', ['open']],
      ['canceled', 'in_progress', ['open']],
    ])('reject %s to %s and list the allowed statuses', async (from, to, allowed) => {
      const id = await made();
      if (from === 'fulfilled') await patch(id, { status: 'in_progress' });
      if (from !== 'open') await patch(id, withReason(from)).expect(200);
      const { body } = await patch(id, withReason(to)).expect(400);
      expect(body.error).toMatchObject({ code: 'invalid_transition', details: { from, to, allowed } });
    });

    it('to canceled require a reason, which no other status accepts', async () => {
      const id = await made();
      for (const canceled_reason of [undefined, null, '', ' \n']) {
        const { body } = await patch(id, { status: 'canceled', canceled_reason }).expect(400);
        expect(faults(body)).toEqual(['canceled_reason required']);
      }
      expect(faults((await patch(id, { canceled_reason: 'Rain' }).expect(400)).body)).toEqual([
        'canceled_reason invalid_value',
      ]);
      const { body } = await patch(id, { status: 'canceled', canceled_reason: 'Rain' }).expect(200);
      expect(body.data).toMatchObject({ canceled_reason: 'Rain', canceled_at: expect.any(String) });
      expect((await patch(id, { canceled_reason: 'Snow' }).expect(200)).body.data.canceled_reason).toBe('Snow');
      const { body: reopened } = await patch(id, { status: 'open' }).expect(200);
      expect(reopened.data).toMatchObject({ canceled_reason: null, canceled_at: null });
    });

    it('to canceled and fulfilled are allowed to admins, creator and owner, not to other members', async () => {
      const [mia, max, adam] = [await member('Mia'), await member('Max'), await member('Adam', 'admin')];
      const id = await made();
      await patch(id, { status: 'in_progress' }, max).expect(200);
      await patch(id, { status: 'fulfilled' }, max).expect(403);
      await patch(id, { status: 'canceled', canceled_reason: 'Mine' }, max).expect(403);
      await patch(id, { status: 'canceled', canceled_reason: 'Mine', owner_id: 'me' }, max).expect(403);
      await patch(id, { owner_id: max.id }, max).expect(403);
      expect((await get(id)).owner_id).toBe(ann.resourceId);
      await patch(id, { owner_id: mia.id }).expect(200);
      await patch(id, { status: 'fulfilled' }, mia).expect(200);
      await patch(id, { status: 'open' }, max).expect(200);
      await patch(id, { status: 'canceled', canceled_reason: 'Rain' }, adam).expect(200);
    });

    it('accept only assignable resources as owner', async () => {
      const eve = await app.person('Eve');
      const id = await made();
      for (const owner_id of [eve.id, eve.resourceId, newId('resource')]) {
        expect(faults((await patch(id, { owner_id }).expect(400)).body)).toEqual(['owner_id reference_not_found']);
      }
    });
  });

  describe('with tasks', () => {
    it('count them by status', async () => {
      const id = await made();
      const [, second, third] = [await task(id), await task(id), await task(id)];
      await moveTask(second, 'active').expect(200);
      await moveTask(third, 'canceled').expect(200);
      expect((await get(id)).progress).toEqual({ planned: 1, active: 1, done: 0, canceled: 1 });
    });

    it('change to in_progress once, when a task becomes active or an active task is linked', async () => {
      const id = await made();
      const first = await task(id);
      await moveTask(first, 'active').expect(200);
      expect(await get(id)).toMatchObject({ status: 'in_progress', revision: 2 });
      const second = await task(id);
      await moveTask(second, 'active').expect(200);
      expect((await get(id)).revision).toBe(2);
      const other = await made();
      await app.as(ann).patch(`/tasks/${second}`).send({ demand_id: other }).expect(200);
      expect((await get(other)).status).toBe('in_progress');
    });

    it('cannot be fulfilled while a task is planned or active', async () => {
      const id = await made();
      const first = await task(id);
      await moveTask(first, 'active').expect(200);
      for (const status of ['planned', 'active']) {
        await moveTask(first, status).expect(200);
        const { body } = await patch(id, { status: 'fulfilled' }).expect(409);
        expect(body.error).toMatchObject({ code: 'conflict', details: { reason: 'open_tasks', open_tasks: 1 } });
      }
      await moveTask(first, 'done').expect(200);
      await patch(id, { status: 'fulfilled' }).expect(200);
    });

    it('accept no open task once fulfilled, whether new, reopened or linked', async () => {
      const id = await made();
      const [first, other] = [await task(id), await app.task(ann, garden)];
      await moveTask(first, 'active').expect(200);
      await moveTask(first, 'done').expect(200);
      await patch(id, { status: 'fulfilled' }).expect(200);
      const link = app.as(ann).patch(`/tasks/${other}`).send({ demand_id: id });
      const born = app.as(ann).post('/tasks').send({ title: 'Late', endeavour_id: garden, demand_id: id });
      for (const late of [link, born, moveTask(first, 'active')]) {
        expect((await late.expect(409)).body.error.details.reason).toBe('demand_fulfilled');
      }
    });

    it('reject the start of a task that is linked to a fulfilled demand at the same time', async () => {
      const [first, over] = [await made(), await made()];
      for (const status of ['in_progress', 'fulfilled']) await patch(over, { status }).expect(200);
      const id = await task(first);
      const otherSession = await app.openConnection();
      try {
        await otherSession.query('BEGIN');
        await otherSession.query('UPDATE tasks SET demand_id = $1 WHERE id = $2', [over, id]);
        const moved = moveTask(id, 'active').then((response) => response);
        await app.untilLockWaits(1);
        await otherSession.query('COMMIT');
        expect((await moved).body.error.details.reason).toBe('demand_fulfilled');
      } finally {
        await otherSession.end();
      }
    });

    race('either accept a concurrent new task or become fulfilled, but not both', 25, async () => {
      const id = await made();
      await patch(id, { status: 'in_progress' }).expect(200);
      const addition = app.as(ann).post('/tasks').send({ title: 'Late', endeavour_id: garden, demand_id: id });
      const [fulfilled, added] = await Promise.all([patch(id, { status: 'fulfilled' }), addition]);
      expect([fulfilled.status, added.status]).toEqual(fulfilled.status === 200 ? [200, 409] : [409, 201]);
      const { status, progress } = await get(id);
      expect(status === 'fulfilled' && progress.planned > 0).toBe(false);
    });
  });

  describe('patching', () => {
    it('changes only what is sent, merges metadata, clears with null and "", and rejects read-only fields', async () => {
      const id = await made({ description: 'Green', due_date: '2026-07-01', metadata: { a: { b: 1, c: 2 } } });
      const { body } = await patch(id, { description: '', due_date: null, metadata: { a: { b: null } } }).expect(200);
      expect(body.data).toMatchObject({ description: null, due_date: null, metadata: { a: { c: 2 } }, revision: 2 });
      expect(faults((await patch(id, { type: 'bug', endeavour_id: garden }).expect(400)).body)).toEqual([
        'type read_only',
        'endeavour_id read_only',
      ]);
      await patch(id, { title: 'New' }).set('If-Match', '"1"').expect(412);
    });

    it.each([[{}], [{ title: 'Visitors find the exit' }], [{ status: 'open' }], [{ priority: 'medium' }]])(
      'keeps the revision if nothing changes: %j',
      async (body) => {
        const id = await made();
        expect((await patch(id, body).expect(200)).body.data.revision).toBe(1);
      },
    );
  });

  describe('listing', () => {
    let orchard: string;
    const list = async (query: string, person = ann): Promise<string[]> => {
      const { body } = await app.as(person).get(`/demands?endeavour_id=${orchard}&${query}`).expect(200);
      expect(body.meta.total).toBe(body.data.length);
      return body.data.map(({ title }: { title: string }) => title);
    };

    beforeAll(async () => {
      orchard = await app.endeavour(ann, { name: 'Orchard' });
      const mia = await app.person('Mia');
      await app.join(orchard, mia, 'member');
      await app.demand(ann, orchard, { title: 'Apples', type: 'bug', priority: 'urgent', due_date: '2026-02-01' });
      await app.demand(mia, orchard, { title: 'Berries', type: 'chore', priority: 'low', due_date: '2026-01-01' });
      const cherries = await app.demand(ann, orchard, { title: 'Cherries', priority: 'high' });
      await patch(cherries, { owner_id: mia.id, status: 'in_progress' }).expect(200);
    });

    it.each([
      ['status=open', ['Berries', 'Apples']],
      ['status=in_progress,fulfilled', ['Cherries']],
      ['type=bug,chore', ['Berries', 'Apples']],
      ['type=nothing', []],
      ['priority=urgent,high', ['Cherries', 'Apples']],
      ['creator_id=me', ['Cherries', 'Apples']],
      ['owner_id=me', ['Apples']],
      ['search=berr', ['Berries']],
      ['due_before=2026-01-15', ['Berries']],
      ['sort=priority', ['Berries', 'Cherries', 'Apples']],
      ['sort=-priority', ['Apples', 'Cherries', 'Berries']],
      ['sort=title', ['Apples', 'Berries', 'Cherries']],
      ['sort=due_date', ['Berries', 'Apples', 'Cherries']],
      ['sort=created_at', ['Apples', 'Berries', 'Cherries']],
    ])('supports %s', async (query, titles) => {
      expect(await list(query)).toEqual(titles);
    });

    it('rejects unknown enum values and parameters', async () => {
      await app.as(ann).get('/demands?status=done').expect(400);
      await app.as(ann).get('/demands?priority=huge').expect(400);
      await app.as(ann).get('/demands?colour=red').expect(400);
    });

    it('shows nothing to strangers, in lists or by id', async () => {
      const eve = await app.person('Eve');
      expect(await list('', eve)).toEqual([]);
      const id = await made();
      await app.as(eve).get(`/demands/${id}`).expect(404);
      await patch(id, { title: 'Mine' }, eve).expect(404);
    });
  });
});
