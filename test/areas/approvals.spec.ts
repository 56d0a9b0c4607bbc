import { newId } from '../../src/common/ids.js';
import { TestApp, type Person } from '../support/test-app.js';
import { race } from '../support/races.js';
import { fieldErrorsOf } from '../support/refusals.js';

const onTask = (id: string) => ({ entity_type: 'task', entity_id: id });

describe('approvals', () => {
  let app: TestApp;
  let [ann, ben, vic, eve, ada]: Person[] = [];
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open();
    [ann, ben, vic, eve, ada] = [
      await app.person('Ann'),
      await app.person('Ben'),
      await app.person('Vic'),
      await app.person('Eve'),
      await app.admin(),
    ];
    garden = await app.endeavour(ann);
    await app.join(garden, ben, 'member', ['product_owner']);
    await app.join(garden, vic, 'viewer');
  });

  afterAll(() => app.close());

  const give = (on: object, more: object = {}, person = ann) =>
    app
      .as(person)
      .post('/approvals')
      .send({ verdict: 'approved', ...on, ...more });
  const given = async (on: object, more: object = {}, person = ann): Promise<string> =>
    (await give(on, more, person).expect(201)).body.data.id;
  const get = (id: string, person = ann) => app.as(person).get(`/approvals/${id}`);
  const list = async (query: string, person = ann) => {
    const { body } = await app.as(person).get(`/approvals?${query}`).expect(200);
    return body.data as { id: string; current: boolean; stale: boolean; verdict: string }[];
  };
  const ids = async (query: string, person = ann) => (await list(query, person)).map(({ id }) => id);
  const task = () => app.task(ann, garden);
  const isStale = async (id: string) => (await get(id).expect(200)).body.data.stale;
  const change = (path: string, body: object) => app.as(ann).patch(path).send(body).expect(200);

  describe('giving', () => {
    it('returns the whole representation and a Location header', async () => {
      const id = await task();
      await app.as(ann).patch(`/tasks/${id}`).send({ title: 'Paint' }).expect(200);
      const more = { role: 'owner', comment: ' Fine ', metadata: { seen: true } };
      const { body, headers } = await give(onTask(id), more).expect(201);
      expect(headers.location).toBe(`/api/v1/approvals/${body.data.id}`);
      expect(headers.etag).toBeUndefined();
      expect(body.data).toEqual({
        id: expect.stringMatching(/^apr_[0-9a-f]{32}$/),
        entity_type: 'task',
        entity_id: id,
        verdict: 'approved',
        role: 'owner',
        role_held: true,
        comment: ' Fine ',
        approver_id: ann.resourceId,
        approver_name: 'Ann',
        entity_revision: 2,
        current: true,
        stale: false,
        stale_at: null,
        stale_by: null,
        dismissed_at: null,
        dismissed_by: null,
        dismissed_reason: null,
        metadata: { seen: true },
        created_at: expect.any(String),
      });
      expect((await get(body.data.id, vic).expect(200)).body.data).toEqual(body.data);
      const events = await app.database.query('SELECT type, endeavour_id FROM events WHERE entity_id = $1', [
        body.data.id,
      ]);
      expect(events).toEqual([{ type: 'approval.created', endeavour_id: garden }]);
    });

    it.each([
      [{ verdict: undefined }, ['verdict required']],
      [
        { verdict: 'maybe', role: 7, entity_id: undefined },
        ['entity_id required', 'verdict invalid_value', 'role invalid_type'],
      ],
      [{ entity_type: 'comment' }, ['entity_type invalid_value']],
      [{ entity_type: 'demand' }, ['entity_id invalid_format']],
      [{ entity_id: newId('task') }, ['entity_id reference_not_found']],
      [{ approver_id: newId('resource'), current: true }, ['approver_id read_only', 'current read_only']],
    ])('rejects %j', async (more, expected) => {
      expect(fieldErrorsOf((await give(onTask(await task()), more).expect(400)).body)).toEqual(expected);
    });

    it('requires the member role, and returns the same error for invisible and absent entities', async () => {
      const id = await task();
      await give(onTask(id), {}, vic).expect(403);
      const hidden = await give(onTask(id), {}, eve).expect(400);
      const absent = await give(onTask(newId('task')), {}, eve).expect(400);
      expect(hidden.body.error.details).toEqual(absent.body.error.details);
      const old = await app.endeavour(ann);
      await app.database.query(`UPDATE endeavours SET status = 'archived' WHERE id = $1`, [old]);
      const { body } = await give({ entity_type: 'endeavour', entity_id: old }).expect(409);
      expect(body.error.code).toBe('archived');
    });

    it.each([
      ['viewer', true],
      ['member', true],
      ['product_owner', true],
      ['admin', false],
      ['owner', false],
      ['guest', false],
      ['security_lead', false],
    ])('in the role %s sets role_held to %s for a member who is product owner', async (role, held) => {
      const { body } = await give(onTask(await task()), { role }, ben).expect(201);
      expect(body.data).toMatchObject({ role, role_held: held });
    });

    it('sets role_held to false for an administrator who is not a member', async () => {
      const { body } = await give(onTask(await task()), { role: 'member' }, ada).expect(201);
      expect(body.data.role_held).toBe(false);
      expect((await give(onTask(await task())).expect(201)).body.data.role_held).toBeNull();
    });

    it('rejects a verdict on an outdated revision', async () => {
      const id = await task();
      await change(`/tasks/${id}`, { title: 'New' });
      const { body } = await give(onTask(id), { entity_revision: 1 }).expect(412);
      expect(body.error).toMatchObject({ code: 'precondition_failed', details: { current_revision: 2 } });
      await give(onTask(id)).set('If-Match', '"1"').expect(412);
      await give(onTask(id), { entity_revision: 2 }).set('If-Match', '"2"').expect(201);
      expect(fieldErrorsOf((await give(onTask(id), { entity_revision: 0 }).expect(400)).body)).toEqual([
        'entity_revision out_of_range',
      ]);
    });

    it('depends on the role in the organization, and is limited to administrators for built-in entities', async () => {
      const riverside = await app.organization(ann);
      await app.join(riverside, ben, 'member');
      await app.join(riverside, vic, 'guest');
      const ritual = (await app.as(ann).get('/rituals?origin=template&limit=1').expect(200)).body.data[0].id;
      const on = { entity_type: 'ritual', entity_id: ritual };
      await give(on).expect(403);
      await get(await given(on, {}, ada), eve).expect(200);
      const conditions = [{ type: 'comment_required' }];
      const policy = { name: 'Careful', conditions, organization_id: riverside };
      const { body } = await app.as(ann).post('/dod-policies').send(policy).expect(201);
      const onPolicy = { entity_type: 'dod_policy', entity_id: body.data.id };
      expect((await give(onPolicy, { role: 'guest' }, ben).expect(201)).body.data.role_held).toBe(true);
      expect((await give(onPolicy, { role: 'admin' }, ben).expect(201)).body.data.role_held).toBe(false);
      await give(onPolicy, {}, vic).expect(403);
      expect(await ids(`entity_id=${body.data.id}`, vic)).toHaveLength(2);
      expect(await ids(`entity_id=${body.data.id}`, eve)).toEqual([]);
    });
  });

  describe('once given', () => {
    it('cannot be changed or deleted, not even in the database', async () => {
      const id = await given(onTask(await task()));
      for (const method of ['patch', 'delete', 'put'] as const) {
        const { body, headers } = await app.as(ann)[method](`/approvals/${id}`).send({}).expect(405);
        expect(body.error.code).toBe('method_not_allowed');
        expect(headers.allow).toContain('GET');
      }
      const run = (sql: string) => app.database.query(sql, [id]);
      for (const sql of [
        `UPDATE approvals SET verdict = 'rejected' WHERE id = $1`,
        `UPDATE approvals SET is_current = false, comment = 'Hm' WHERE id = $1`,
        'DELETE FROM approvals WHERE id = $1',
      ]) {
        await expect(run(sql)).rejects.toThrow('never changed');
      }
      await run('UPDATE approvals SET is_current = false WHERE id = $1');
      await expect(run('UPDATE approvals SET is_current = true WHERE id = $1')).rejects.toThrow('never changed');
    });
  });

  describe('the current approval', () => {
    it('is the newest of each approver in each role', async () => {
      const id = await task();
      const first = await given(onTask(id), { verdict: 'needs_work' });
      const asOwner = await given(onTask(id), { role: 'owner' });
      const bens = await given(onTask(id), {}, ben);
      const second = await given(onTask(id));
      expect(await ids(`entity_id=${id}`)).toEqual([second, bens, asOwner, first]);
      expect(await ids(`entity_id=${id}&current=true`)).toEqual([second, bens, asOwner]);
      expect(await ids(`entity_id=${id}&current=false`)).toEqual([first]);
      expect((await get(first).expect(200)).body.data.current).toBe(false);
    });

    it('cannot be repeated for the same content, but can for changed content', async () => {
      const id = await task();
      await given(onTask(id));
      const { body } = await give(onTask(id)).expect(409);
      expect(body.error).toMatchObject({ code: 'conflict', details: { reason: 'already_given' } });
      expect(await ids(`entity_id=${id}&current=true`)).toHaveLength(1);
      await given(onTask(id), { verdict: 'rejected' });
      await given(onTask(id));
      await app.as(ann).patch(`/tasks/${id}`).send({ title: 'Paint it all' }).expect(200);
      await given(onTask(id));
      expect(await ids(`entity_id=${id}&current=true`)).toHaveLength(1);
    });

    race('is a single one if many are given at once', 2, async () => {
      const id = await task();
      const same = await Promise.all(Array.from({ length: 20 }, async () => (await give(onTask(id))).status));
      expect(same.filter((status) => status === 201)).toHaveLength(1);
      expect(same.filter((status) => status === 409)).toHaveLength(19);
      const verdicts = ['approved', 'rejected', 'needs_work'];
      await Promise.all(Array.from({ length: 30 }, (_, n) => give(onTask(id), { verdict: verdicts[n % 3] })));
      expect(await ids(`entity_id=${id}&current=true`)).toHaveLength(1);
    });
  });

  describe('staleness', () => {
    it.each([
      ['task', { title: 'New' }, true],
      ['task', { description: 'New' }, true],
      ['task', { due_date: '2027-01-01' }, false],
      ['task', { estimate: 3 }, false],
      ['task', { status: 'active' }, false],
      ['task', { assignee_id: 'me' }, false],
      ['task', { metadata: { a: 1 } }, false],
      ['task', { actual: 3 }, false],
      ['demand', { title: 'New' }, true],
      ['demand', { priority: 'urgent' }, true],
      ['demand', { status: 'in_progress' }, false],
      ['endeavour', { name: 'New' }, true],
      ['endeavour', { goals: ['Bloom'] }, true],
      ['endeavour', { status: 'on_hold' }, false],
      ['artifact', { url: 'https://example.com/new' }, true],
      ['artifact', { summary: 'New' }, true],
      ['artifact', { status: 'archived' }, false],
      ['ritual', { prompt: 'New' }, true],
      ['ritual', { schedule: { type: 'interval', every: '2d' } }, true],
      ['ritual', { is_enabled: false }, false],
    ])('of a %s after %j: %s', async (kind, changes, expected) => {
      const home = await app.endeavour(ann);
      const bodies: Record<string, [string, object]> = {
        task: ['/tasks', { title: 'Paint', endeavour_id: home }],
        demand: ['/demands', { title: 'Paint', type: 'story', endeavour_id: home }],
        endeavour: ['/endeavours', { name: 'Garden' }],
        artifact: ['/artifacts', { kind: 'doc', title: 'Plan', endeavour_id: home }],
        ritual: ['/rituals', { name: 'Look', prompt: 'Look at it', endeavour_id: home }],
      };
      const [path, made] = bodies[kind];
      const { body } = await app.as(ann).post(path).send(made).expect(201);
      const id = await given({ entity_type: kind, entity_id: body.data.id });
      await change(`${path}/${body.data.id}`, changes);
      expect(await isStale(id)).toBe(expected);
      expect(await list(`entity_id=${body.data.id}`)).toMatchObject([{ id, stale: expected, current: true }]);
    });

    it('records who changed the entity and when, even if the change is reverted', async () => {
      const on = await task();
      const id = await given(onTask(on));
      await change(`/tasks/${on}`, { title: 'New' });
      await app.as(ben).patch(`/tasks/${on}`).send({ title: 'Paint the gate' }).expect(200);
      expect((await get(id).expect(200)).body.data).toMatchObject({
        stale: true,
        stale_by: ben.resourceId,
        stale_at: expect.any(String),
      });
    });

    it('of a task depends on the metadata that the current policy reads, including checklist texts', async () => {
      const home = await app.endeavour(ann);
      const conditions = [
        { type: 'field_populated', params: { field: 'result_summary' } },
        { type: 'field_populated', params: { field: 'metadata.tool' } },
        { type: 'checklist_complete' },
      ];
      const policy = { name: 'Ours', endeavour_id: home, conditions };
      const { body } = await app.as(ann).post('/dod-policies').send(policy).expect(201);
      const checklist = [{ text: 'Sand', checked: false }];
      const on = await app.task(ann, home, { metadata: { checklist } });
      const approveAndChange = async (metadata: object) => {
        const id = await given(onTask(on));
        await change(`/tasks/${on}`, { metadata });
        return isStale(id);
      };
      expect(await approveAndChange({ result_summary: 'Painted' })).toBe(false);
      await app.as(ann).post(`/endeavours/${home}/dod-policy`).send({ policy_id: body.data.id }).expect(200);
      expect(await approveAndChange({ result_summary: 'Painted twice' })).toBe(true);
      expect(await approveAndChange({ tool: 'brush' })).toBe(true);
      expect(await approveAndChange({ colour: 'green' })).toBe(false);
      await app.as(ann).patch(`/tasks/${on}`).send({ title: 'Paint it' }).expect(200);
      expect(await approveAndChange({ checklist: [{ text: 'Sand', checked: true }] })).toBe(false);
      await app.as(ann).patch(`/tasks/${on}`).send({ title: 'Paint it all' }).expect(200);
      expect(await approveAndChange({ checklist: [{ text: 'Nothing', checked: true }] })).toBe(true);
    });

    it('does not depend on the status of goals', async () => {
      const home = await app.endeavour(ann, { goals: ['Bloom'] });
      const id = await given({ entity_type: 'endeavour', entity_id: home });
      await change(`/endeavours/${home}`, { goals: [{ title: 'Bloom', status: 'achieved' }] });
      expect(await isStale(id)).toBe(false);
      await change(`/endeavours/${home}`, { goals: ['Bloom', 'Grow'] });
      expect(await isStale(id)).toBe(true);
    });
  });

  describe('dismissing', () => {
    const dismiss = (id: string, person: Person, reason = 'About another task') =>
      app.as(person).post(`/approvals/${id}/dismiss`).send({ reason });

    it('is allowed once, for current rejections, to admins who are not authors', async () => {
      const cleo = await app.person('Cleo');
      await app.join(garden, cleo, 'admin');
      const on = onTask(await task());
      const rejection = await given(on, { verdict: 'rejected' }, ben);
      await dismiss(rejection, ben).expect(403);
      await dismiss(rejection, ann).expect(403);
      await dismiss(rejection, eve).expect(404);
      expect(fieldErrorsOf((await dismiss(rejection, cleo, ' ').expect(400)).body)).toEqual(['reason too_short']);
      const { body } = await dismiss(rejection, cleo).expect(200);
      expect(body.data).toMatchObject({
        id: rejection,
        verdict: 'rejected',
        dismissed_by: cleo.resourceId,
        dismissed_reason: 'About another task',
        dismissed_at: expect.any(String),
      });
      const reason = async (id: string) => (await dismiss(id, cleo).expect(409)).body.error.details.reason;
      expect(await reason(rejection)).toBe('already_dismissed');
      expect(await reason(await given(on, {}, cleo))).toBe('not_a_rejection');
      const older = await given(on, { verdict: 'rejected', role: 'member' }, ben);
      await given(on, { role: 'member' }, ben);
      expect(await reason(older)).toBe('not_current');
      const events = await app.database.query(`SELECT type FROM events WHERE entity_id = $1 ORDER BY sequence`, [
        rejection,
      ]);
      expect(events).toEqual([{ type: 'approval.created' }, { type: 'approval.dismissed' }]);
      const forge = app.database.query(`UPDATE approvals SET dismissed_reason = 'x' WHERE id = $1`, [rejection]);
      await expect(forge).rejects.toThrow('never changed');
    });

    it('is not allowed to authors of an entity of any kind', async () => {
      const demand = await app.demand(ben, garden);
      const rejection = await given({ entity_type: 'demand', entity_id: demand }, { verdict: 'rejected' }, ben);
      await change(`/demands/${demand}`, { title: 'New' });
      await dismiss(rejection, ann).expect(403);
      await app.as(ben).patch(`/demands/${demand}`).send({ title: 'Newer' }).expect(200);
      await dismiss(rejection, ann).expect(200);
    });
  });

  describe('listing', () => {
    it('finds visible approvals by entity, kind, approver, verdict and role', async () => {
      const shed = await app.endeavour(ann, { name: 'Shed' });
      const carl = await app.person('Carl');
      await app.join(shed, carl, 'member', ['qa']);
      const work = await app.task(ann, shed);
      const onShed = { entity_type: 'endeavour', entity_id: shed };
      const first = await given(onTask(work), { verdict: 'rejected', role: 'qa' }, carl);
      const second = await given(onShed, {}, carl);
      const third = await given(onShed, { role: 'owner' });
      expect(await ids(`entity_id=${shed},${work}`, carl)).toEqual([third, second, first]);
      expect(await ids(`entity_id=${shed}`)).toEqual([third, second]);
      expect(await ids('entity_type=task', carl)).toEqual([first]);
      expect(await ids('approver_id=me', carl)).toEqual([second, first]);
      expect(await ids(`approver_id=${carl.id}&verdict=rejected,needs_work`)).toEqual([first]);
      expect(await ids('role=qa,owner&sort=created_at', carl)).toEqual([first, third]);
      expect(await ids(`entity_id=${shed}`, eve)).toEqual([]);
      expect(await ids(`entity_id=${shed}`, ada)).toEqual([third, second]);
      await app.as(ann).get('/approvals?verdict=maybe').expect(400);
      await get(first, eve).expect(404);
    });
  });

  it('move with their task, and are deleted with their artifact', async () => {
    const [shed, work] = [await app.endeavour(ann, { name: 'Shed' }), await task()];
    const ofTask = await given(onTask(work));
    await app.as(ann).patch(`/tasks/${work}`).send({ endeavour_id: shed }).expect(200);
    await get(ofTask, vic).expect(404);
    expect((await get(ofTask).expect(200)).body.data).toMatchObject({ stale: false, current: true });
    const artifact = { kind: 'doc', title: 'Plan', endeavour_id: garden };
    const { body } = await app.as(ann).post('/artifacts').send(artifact).expect(201);
    const ofArtifact = await given({ entity_type: 'artifact', entity_id: body.data.id });
    await app.as(ann).delete(`/artifacts/${body.data.id}`).expect(200);
    for (const person of [ann, ada]) {
      await get(ofArtifact, person).expect(404);
      expect(await ids(`entity_id=${body.data.id}`, person)).toEqual([]);
    }
  });
});
