import { newId } from '../../src/common/ids.js';
import { TestApp, type Person } from '../support/test-app.js';
import { race } from '../support/races.js';

describe('tasks', () => {
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
      .post('/tasks')
      .send({ title: 'Paint the gate', endeavour_id: garden, ...more });
  const patch = (id: string, body: object, person = ann) => app.as(person).patch(`/tasks/${id}`).send(body);
  const made = async (more: object = {}): Promise<string> => (await create(more).expect(201)).body.data.id;
  const faults = (body: { error: { details: { fields: { field: string; code: string }[] } } }) =>
    body.error.details.fields.map(({ field, code }) => `${field} ${code}`);

  describe('creating', () => {
    it('returns the whole representation, its location and its revision', async () => {
      const { body, headers } = await create({
        description: 'Green',
        estimate: 1.5,
        metadata: { colour: 'green' },
      }).expect(201);
      expect(headers.location).toBe(`/api/v1/tasks/${body.data.id}`);
      expect(headers.etag).toMatch(/^"1-[\w-]{16}"$/);
      expect(body.data).toEqual({
        id: expect.stringMatching(/^tsk_[0-9a-f]{32}$/),
        key: 'GARD-1',
        number: 1,
        former_keys: [],
        title: 'Paint the gate',
        description: 'Green',
        status: 'planned',
        stage: null,
        stage_name: null,
        rank: body.data.id.slice(4),
        labels: [],
        endeavour_id: garden,
        endeavour_name: 'Garden',
        demand_id: null,
        iteration_id: null,
        goal_id: null,
        start_date: null,
        demand_key: null,
        demand_title: null,
        assignee_id: null,
        assignee_name: null,
        owner_id: ann.resourceId,
        owner_name: 'Ann',
        creator_id: ann.resourceId,
        creator_name: 'Ann',
        estimate: 1.5,
        points: null,
        priority: null,
        effective_priority: 'medium',
        actual: null,
        due_date: null,
        due_day: null,
        started_at: null,
        completed_at: null,
        canceled_at: null,
        canceled_reason: null,
        dod: null,
        attested_at: null,
        blocked_by_count: 0,
        external_ref: null,
        metadata: { colour: 'green' },
        created_at: expect.any(String),
        updated_at: body.data.created_at,
        revision: 1,
      });
    });

    it('accepts me or a user as assignee, and a date as due date in the time zone of the endeavour', async () => {
      const byMe = await create({ assignee_id: 'me', due_date: '2026-07-01' }).expect(201);
      const byUser = await create({ assignee_id: ann.id }).expect(201);
      expect(byMe.body.data).toMatchObject({ assignee_id: ann.resourceId, due_date: '2026-07-01T23:59:59.000+02:00' });
      expect(byUser.body.data).toMatchObject({ assignee_id: ann.resourceId, assignee_name: 'Ann' });
    });

    it('returns all field errors at once and writes nothing', async () => {
      const before = await app.count('tasks');
      const sent = { title: ' ', estimate: -1, due_date: '2026-02-30', status: 'active', colour: 'red' };
      const { body } = await app.as(ann).post('/tasks').send(sent).expect(400);
      expect(faults(body)).toEqual([
        'title too_short',
        'endeavour_id required',
        'due_date invalid_date',
        'estimate out_of_range',
        'status read_only',
        'colour unknown_field',
      ]);
      expect(await app.count('tasks')).toBe(before);
    });

    it('returns the same error for absent and invisible endeavours', async () => {
      const eve = await app.person('Eve');
      const secret = await app.endeavour(eve, { name: 'Secret' });
      const absent = await create({ endeavour_id: newId('endeavour') }).expect(400);
      const invisible = await create({ endeavour_id: secret }).expect(400);
      expect(faults(absent.body)).toEqual(['endeavour_id reference_not_found']);
      expect(invisible.body.error.details).toEqual(absent.body.error.details);
    });

    it('rejects a viewer, an assignee without access, and an absent demand or one of another endeavour', async () => {
      const [vic, eve] = [await app.person('Vic'), await app.person('Eve')];
      await app.join(garden, vic, 'viewer');
      await create({}, vic).expect(403);
      expect(faults((await create({ assignee_id: eve.id }).expect(400)).body)).toEqual([
        'assignee_id reference_not_found',
      ]);
      const elsewhere = await app.demand(ann, await app.endeavour(ann));
      for (const demand_id of [newId('demand'), elsewhere]) {
        expect(faults((await create({ demand_id }).expect(400)).body)).toEqual(['demand_id reference_not_found']);
      }
    });
  });

  describe('changing status', () => {
    it('goes from planned to active to done, and records the times', async () => {
      const id = await made();
      const { body: started } = await patch(id, { status: 'active' }).expect(200);
      expect(started.data).toMatchObject({ status: 'active', started_at: expect.any(String), completed_at: null });
      const { body: finished } = await patch(id, { status: 'done' }).expect(200);
      expect(finished.data).toMatchObject({ status: 'done', completed_at: expect.any(String), actual: 0, revision: 3 });
      const { body: reopened } = await patch(id, { status: 'active' }).expect(200);
      expect(reopened.data).toMatchObject({ completed_at: null, started_at: started.data.started_at });
    });

    it.each([
      ['planned', 'done', ['active', 'canceled']],
      ['done', 'canceled', ['active']],
      ['canceled', 'active', ['planned']],
    ])('rejects %s to %s and lists the allowed statuses', async (from, to, allowed) => {
      const id = await made();
      if (from === 'done') await patch(id, { status: 'active' });
      if (from !== 'planned')
        await patch(id, { status: from, ...(from === 'canceled' && { canceled_reason: 'Rain' }) }).expect(200);
      const { body } = await patch(id, { status: to, ...(to === 'canceled' && { canceled_reason: 'Rain' }) }).expect(
        400,
      );
      expect(body.error).toMatchObject({ code: 'invalid_transition', details: { from, to, allowed } });
    });

    it('requires a reason to cancel, and clears it when planned again', async () => {
      const id = await made();
      expect(faults((await patch(id, { status: 'canceled', canceled_reason: ' ' }).expect(400)).body)).toEqual([
        'canceled_reason required',
      ]);
      expect(faults((await patch(id, { canceled_reason: 'Rain' }).expect(400)).body)).toEqual([
        'canceled_reason invalid_value',
      ]);
      const { body } = await patch(id, { status: 'canceled', canceled_reason: 'Rain' }).expect(200);
      expect(body.data).toMatchObject({ canceled_reason: 'Rain', canceled_at: expect.any(String) });
      const { body: again } = await patch(id, { status: 'planned' }).expect(200);
      expect(again.data).toMatchObject({ status: 'planned', canceled_reason: null, canceled_at: null });
    });

    it('sets actual to the hours in the active status, unless it is sent', async () => {
      const id = await made();
      await patch(id, { status: 'active' });
      await app.database.query(
        `UPDATE task_statuses SET entered_at = entered_at - interval '90 minutes' WHERE task_id = $1 AND status = 'active'`,
        [id],
      );
      await patch(id, { status: 'planned' });
      await patch(id, { status: 'active' });
      expect((await patch(id, { status: 'done' }).expect(200)).body.data.actual).toBe(1.5);
      const other = await made();
      await patch(other, { status: 'active' });
      expect((await patch(other, { status: 'done', actual: 4 }).expect(200)).body.data.actual).toBe(4);
    });

    it('can be canceled by admin, creator, owner and assignee, and by no other member', async () => {
      const [mia, max, adam] = [await app.person('Mia'), await app.person('Max'), await app.person('Adam')];
      await app.join(garden, mia, 'member');
      await app.join(garden, max, 'member');
      await app.join(garden, adam, 'admin');
      const [assigned, owned] = [await made({ assignee_id: mia.id }), await made()];
      await patch(owned, { owner_id: mia.id }).expect(200);
      const created = (await create({}, mia).expect(201)).body.data.id;
      await patch(created, { owner_id: ann.id }, mia).expect(200);
      for (const [id, person] of [
        [assigned, mia],
        [owned, mia],
        [created, mia],
        [await made(), adam],
      ] as const) {
        await patch(id, { status: 'canceled', canceled_reason: 'Mine now' }, max).expect(403);
        await patch(id, { owner_id: 'me' }, max).expect(403);
        await patch(id, { status: 'canceled', canceled_reason: 'Rain' }, person).expect(200);
      }
    });

    it('cannot be taken over in order to be canceled', async () => {
      const max = await app.person('Max');
      await app.join(garden, max, 'member');
      const id = await made();
      await patch(id, { owner_id: 'me', status: 'canceled', canceled_reason: 'Mine now' }, max).expect(403);
      await patch(id, { owner_id: ann.resourceId, title: 'Same owner' }, max).expect(200);
      const { body } = await app.as(ann).get(`/tasks/${id}`).expect(200);
      expect(body.data).toMatchObject({ status: 'planned', owner_id: ann.resourceId });
    });

    it('sets the hours if the same patch clears them', async () => {
      const id = await made();
      await patch(id, { status: 'active', actual: 3 }).expect(200);
      expect((await patch(id, { status: 'done', actual: null }).expect(200)).body.data.actual).toBe(0);
    });

    it('lists the possible statuses, with reasons for those that are not allowed', async () => {
      const vic = await app.person('Vic');
      await app.join(garden, vic, 'viewer');
      const id = await made();
      const mine = await app.as(ann).get(`/tasks/${id}/transitions`).expect(200);
      expect(mine.body.data).toEqual([
        { status: 'active', allowed: true, reasons: [] },
        { status: 'done', allowed: false, reasons: [{ code: 'invalid_transition', message: expect.any(String) }] },
        { status: 'canceled', allowed: true, reasons: [] },
      ]);
      const theirs = await app.as(vic).get(`/tasks/${id}/transitions`).expect(200);
      expect(theirs.body.data.map(({ allowed }: { allowed: boolean }) => allowed)).toEqual([false, false, false]);
    });

    it('shows that it cannot be reopened while its demand is fulfilled', async () => {
      const demand = await app.demand(ann, garden);
      const id = await made({ demand_id: demand });
      for (const status of ['active', 'done']) await patch(id, { status }).expect(200);
      await app.as(ann).patch(`/demands/${demand}`).send({ status: 'fulfilled' }).expect(200);
      const reopening = async () => {
        const { body } = await app.as(ann).get(`/tasks/${id}/transitions`).expect(200);
        return body.data.find(({ status }: { status: string }) => status === 'active');
      };
      expect(await reopening()).toEqual({
        status: 'active',
        allowed: false,
        reasons: [{ code: 'demand_fulfilled', message: 'The demand is fulfilled; reopen it first.' }],
      });
      const { error } = (await patch(id, { status: 'active' }).expect(409)).body;
      expect(error.details.reason).toBe('demand_fulfilled');
      await app.as(ann).patch(`/demands/${demand}`).send({ status: 'open' }).expect(200);
      expect(await reopening()).toEqual({ status: 'active', allowed: true, reasons: [] });
      await patch(id, { status: 'active' }).expect(200);
    });
  });

  describe('patching', () => {
    it('changes only what is sent, merges metadata, and clears with null and ""', async () => {
      const id = await made({ description: 'Green', estimate: 2, metadata: { a: { b: 1, c: 2 }, d: 3 } });
      const { body } = await patch(id, { description: '', estimate: null, metadata: { a: { b: null }, e: 4 } }).expect(
        200,
      );
      expect(body.data).toMatchObject({ title: 'Paint the gate', description: null, estimate: null, revision: 2 });
      expect(body.data.metadata).toEqual({ a: { c: 2 }, d: 3, e: 4 });
    });

    it('records the changed properties and their previous values in the change log', async () => {
      const id = await made({ title: 'Before', estimate: 2 });
      await patch(id, { title: 'After', estimate: null, description: null }).expect(200);
      const events = await app.database.query(
        `SELECT type, changed, previous, data->>'title' AS title FROM events WHERE entity_id = $1 ORDER BY sequence`,
        [id],
      );
      expect(events).toEqual([
        { type: 'task.created', changed: [], previous: {}, title: 'Before' },
        {
          type: 'task.updated',
          changed: ['title', 'estimate'],
          previous: { title: 'Before', estimate: 2 },
          title: 'After',
        },
      ]);
    });

    it.each([[{}], [{ title: 'Paint the gate' }], [{ status: 'planned' }], [{ metadata: {} }]])(
      'keeps the revision if nothing changes: %j',
      async (body) => {
        const id = await made();
        const events = await app.count('events');
        expect((await patch(id, body).expect(200)).body.data.revision).toBe(1);
        expect(await app.count('events')).toBe(events);
      },
    );

    it('keeps the metadata keys __proto__ and constructor', async () => {
      const id = await made();
      const metadata = '{"metadata": {"constructor": 1, "__proto__": {"x": 1}}}';
      const { text } = await app.as(ann).patch(`/tasks/${id}`).type('json').send(metadata).expect(200);
      expect(text).toContain('"__proto__": {"x": 1}');
      expect(text).toContain('"constructor": 1');
    });

    race('keeps all of 100 concurrent patches of different metadata keys', 1, async () => {
      const id = await made();
      const patches = Array.from({ length: 100 }, (_, n) => patch(id, { metadata: { [`key${n}`]: n } }).expect(200));
      await Promise.all(patches);
      const { body } = await app.as(ann).get(`/tasks/${id}`).expect(200);
      expect(Object.keys(body.data.metadata)).toHaveLength(100);
      expect(body.data.revision).toBe(101);
    });

    race('accepts one of 100 concurrent patches with the same If-Match', 1, async () => {
      const id = await made();
      const patches = Array.from({ length: 100 }, (_, n) => patch(id, { title: `Title ${n}` }).set('If-Match', '"1"'));
      const statuses = (await Promise.all(patches)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      expect(statuses.filter((status) => status === 412)).toHaveLength(99);
    });

    it('rejects a stale If-Match and names the current revision', async () => {
      const id = await made();
      const { body } = await patch(id, { title: 'New' }).set('If-Match', '"7-abc"').expect(412);
      expect(body.error).toMatchObject({ code: 'precondition_failed', details: { current_revision: 1 } });
    });
  });

  describe('moving to another endeavour', () => {
    it('requires the admin role in the old and the member role in the new endeavour', async () => {
      const shed = await app.endeavour(ann, { name: 'Shed' });
      const [mia, eve] = [await app.person('Mia'), await app.person('Eve')];
      await app.join(garden, mia, 'member');
      await app.join(shed, mia, 'member');
      const secret = await app.endeavour(eve, { name: 'Secret' });
      const id = await made({ assignee_id: mia.id });
      await patch(id, { endeavour_id: shed }, mia).expect(403);
      expect(faults((await patch(id, { endeavour_id: secret }).expect(400)).body)).toEqual([
        'endeavour_id reference_not_found',
      ]);
      const { body } = await patch(id, { endeavour_id: shed }).expect(200);
      expect(body.data).toMatchObject({ endeavour_id: shed, endeavour_name: 'Shed', assignee_id: mia.resourceId });
      const listed = await app.as(ann).get(`/tasks?endeavour_id=${shed}`).expect(200);
      expect(listed.body.data.map(({ id: each }: { id: string }) => each)).toEqual([id]);
    });

    it('is rejected if the assignee has no role there, unless the same patch changes the assignee', async () => {
      const shed = await app.endeavour(ann, { name: 'Shed' });
      const mia = await app.person('Mia');
      await app.join(garden, mia, 'member');
      const id = await made({ assignee_id: mia.id });
      expect(faults((await patch(id, { endeavour_id: shed }).expect(400)).body)).toEqual([
        'assignee_id reference_not_found',
      ]);
      await patch(id, { endeavour_id: shed, assignee_id: null }).expect(200);
    });
  });

  describe('reading', () => {
    it('returns 404 for users without a role, with the same body as for an absent task', async () => {
      const eve = await app.person('Eve');
      const id = await made();
      const strip = ({ error }: { error: { request_id: string } }) => ({ ...error, request_id: '' });
      const invisible = await app.as(eve).get(`/tasks/${id}`).expect(404);
      const absent = await app
        .as(eve)
        .get(`/tasks/${newId('task')}`)
        .expect(404);
      const malformed = await app.as(eve).get('/tasks/nonsense').expect(404);
      expect(strip(invisible.body)).toEqual(strip(absent.body));
      expect(strip(malformed.body)).toEqual(strip(absent.body));
      await patch(id, { title: 'Mine' }, eve).expect(404);
    });

    it('returns 304 for a current If-None-Match', async () => {
      const id = await made();
      const { headers } = await app.as(ann).get(`/tasks/${id}`).expect(200);
      await app.as(ann).get(`/tasks/${id}`).set('If-None-Match', headers.etag).expect(304);
      await patch(id, { title: 'New' });
      await app.as(ann).get(`/tasks/${id}`).set('If-None-Match', headers.etag).expect(200);
    });
  });
});
