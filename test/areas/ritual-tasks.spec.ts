import { SchedulesService } from '../../src/modules/rituals/schedules/schedules.service.js';
import { Clock } from '../../src/platform/jobs/clock.js';
import { faults } from '../support/dod.js';
import { Importing } from '../support/importing.js';
import { InProcessApp } from '../support/in-process-app.js';
import { TestApp, type Person } from '../support/test-app.js';
import { tokenOf } from '../support/tokens.js';

const EACH_MINUTE = { type: 'cron', expression: '* * * * *' };

const WATER = { title: 'Water the plants' };

describe('a ritual with a task', () => {
  let app: InProcessApp;
  let ann: Person;
  let jon: Person;
  let mia: Person;
  let yard: string;
  let now: Date;

  const runDue = (...apps: InProcessApp[]): Promise<unknown> =>
    Promise.all(apps.map(({ nest }) => nest.get(SchedulesService, { strict: false }).runDue()));
  const wait = (minutes: number): void => {
    now = new Date(now.getTime() + minutes * 60_000);
  };

  beforeAll(async () => {
    app = await InProcessApp.open();
    jest.spyOn(app.nest.get(Clock), 'now').mockImplementation(() => now);
    [ann, jon, mia] = [await app.person('Ann'), await app.person('Jon'), await app.person('Mia')];
  });

  beforeEach(async () => {
    now = new Date('2026-10-24T22:30:00Z');
    yard = await app.endeavour(ann, { name: 'Yard', timezone: 'Europe/Berlin' });
    await app.join(yard, jon, 'member');
    await app.join(yard, mia, 'admin');
  });

  afterEach(() => app.database.query('UPDATE rituals SET is_enabled = false WHERE endeavour_id = $1', [yard]));

  afterAll(() => app.close());

  const create = (task: unknown, more: object = {}, person = ann) =>
    app
      .as(person)
      .post('/rituals')
      .send({ name: 'Round', endeavour_id: yard, schedule: EACH_MINUTE, task, ...more });
  const made = async (task: object, more: object = {}): Promise<string> =>
    (await create(task, more).expect(201)).body.data.id;
  const patch = (id: string, body: object, person = ann) => app.as(person).patch(`/rituals/${id}`).send(body);
  const runByHand = (ritual_id: string, person = ann) => app.as(person).post('/ritual-runs').send({ ritual_id });
  const runsOf = async (id: string) =>
    (await app.as(ann).get(`/ritual-runs?ritual_id=${id}&sort=created_at`).expect(200)).body.data;
  const tasksOf = async (endeavour = yard) =>
    (await app.as(ann).get(`/tasks?endeavour_id=${endeavour}&sort=created_at`).expect(200)).body.data;
  const taskOf = async (run: { task_id: string }) =>
    (await app.as(ann).get(`/tasks/${run.task_id}`).expect(200)).body.data;

  it('makes a task with everything that it describes in each run, which appears in lists', async () => {
    const demand = await app.demand(ann, yard);
    const id = await made({
      ...WATER,
      description: 'Not the cactus',
      assignee_id: jon.id,
      demand_id: demand,
      due_in: '0d',
      labels: ['garden', 'weekly'],
      checklist: ['Roses', { text: 'Herbs' }],
    });
    wait(1);
    await runDue(app);
    const [run] = await runsOf(id);
    expect(run).toMatchObject({ status: 'succeeded', trigger: 'schedule', task_errors: [] });
    const [task, ...more] = (await app.as(jon).get('/tasks?assignee_id=me').expect(200)).body.data;
    expect(more).toEqual([]);
    expect(task).toMatchObject({
      ...WATER,
      id: run.task_id,
      description: 'Not the cactus',
      status: 'planned',
      endeavour_id: yard,
      demand_id: demand,
      assignee_id: jon.resourceId,
      owner_id: ann.resourceId,
      creator_id: ann.resourceId,
      // In Berlin it is already the next day.
      due_day: '2026-10-25',
      external_ref: { source: 'ritual_run', id: run.id, url: null },
      labels: ['garden', 'weekly'],
      metadata: {
        checklist: [
          { text: 'Roses', checked: false },
          { text: 'Herbs', checked: false },
        ],
      },
    });
    const found = await app.as(jon).get(`/tasks?external=ritual_run:${run.id}`).expect(200);
    expect(found.body.data).toHaveLength(1);
    const { body: changes } = await app.as(ann).get(`/tasks/${task.id}/changes`).expect(200);
    expect(changes.data).toMatchObject([{ type: 'task.created', actor_id: null }]);
  });

  it('makes one task per time over two replicas and repeated checks, and none if the run is rolled back', async () => {
    const id = await made(WATER);
    const other = await InProcessApp.open({}, app);
    jest.spyOn(other.nest.get(Clock), 'now').mockImplementation(() => now);
    wait(1);
    await runDue(app, other, app, other);
    await runDue(app, other);
    await other.close();
    expect(await runsOf(id)).toHaveLength(1);
    expect(await tasksOf()).toHaveLength(1);
    const [run] = await runsOf(id);
    const copies = app.database.query(
      `INSERT INTO ritual_runs (id, ritual_id, ritual_version, endeavour_id, trigger, task_id)
       SELECT 'rtr_copy', ritual_id, 1, endeavour_id, 'manual', task_id FROM ritual_runs WHERE id = $1`,
      [run.id],
    );
    await expect(copies).rejects.toThrow(/ritual_runs_(task_id|id)/);
    const external = { endeavour_id: yard, external_ref: { source: 'ritual_run', id: run.id } };
    const { body } = await app
      .as(ann)
      .post('/tasks')
      .send({ ...WATER, ...external })
      .expect(409);
    expect(body.error.details.reason).toBe('external_ref_taken');
  });

  it('succeeds at once without a message if it asks for nothing else', async () => {
    const inbox = async () => (await app.as(jon).get('/messages').expect(200)).body.data;
    const before = await inbox();
    const [plain, withPrompt] = [await made(WATER), await made(WATER, { prompt: 'Look at the leaves, too.' })];
    wait(1);
    await runDue(app);
    const [run] = await runsOf(plain);
    expect(run).toMatchObject({ status: 'succeeded', started_at: now.toISOString(), finished_at: now.toISOString() });
    expect(await runsOf(withPrompt)).toMatchObject([{ status: 'running', finished_at: null }]);
    const after = await inbox();
    expect(after).toHaveLength(before.length + 1);
    expect(after[0].content).toBe('Look at the leaves, too.');
    wait(1);
    await runDue(app);
    expect(await runsOf(plain)).toMatchObject([{ status: 'succeeded' }, { status: 'succeeded' }]);
  });

  it('makes no task in a run that is skipped', async () => {
    const id = await made(WATER, { prompt: 'Look at the leaves, too.' });
    wait(1);
    await runDue(app);
    const [{ id: first }] = await runsOf(id);
    await app.as(jon).patch(`/ritual-runs/${first}`).send({ claim: true }).expect(200);
    wait(1);
    await runDue(app);
    expect(
      (await runsOf(id)).map(({ status, task_id }: { status: string; task_id: string | null }) => [
        status,
        task_id !== null,
      ]),
    ).toEqual([
      ['running', true],
      ['skipped', false],
    ]);
    expect(await tasksOf()).toHaveLength(1);
  });

  it('makes its task in runs that are started manually, once per Idempotency-Key, and none in a dry run', async () => {
    const id = await made(WATER, { schedule: { type: 'manual' } });
    const { body: tried } = await app.as(jon).post('/ritual-runs?dry_run=true').send({ ritual_id: id }).expect(201);
    expect(tried.data).toMatchObject({ status: 'running', task_errors: [] });
    expect(await tasksOf()).toEqual([]);
    const send = () => runByHand(id, jon).set('Idempotency-Key', 'water').expect(201);
    const [{ body: run }, { body: again }] = [await send(), await send()];
    expect(again).toEqual(run);
    const [task, ...more] = await tasksOf();
    expect(more).toEqual([]);
    expect(task).toMatchObject({ id: run.data.task_id, creator_id: ann.resourceId });
  });

  it.each([
    ['30m', { due_day: null, due_date: '2026-10-24T23:00:00.000Z' }],
    ['36h', { due_day: null, due_date: '2026-10-26T10:30:00.000Z' }],
    ['0d', { due_day: '2026-10-25', due_date: '2026-10-25T23:59:59.000+01:00' }],
    ['3d', { due_day: '2026-10-28', due_date: '2026-10-28T23:59:59.000+01:00' }],
    ['1w', { due_day: '2026-11-01', due_date: '2026-11-01T23:59:59.000+01:00' }],
    [null, { due_day: null, due_date: null }],
  ])('is due %s after the run, in the time zone of the endeavour', async (due_in, expected) => {
    const { body } = await runByHand(await made({ ...WATER, due_in })).expect(201);
    expect(await taskOf(body.data)).toMatchObject(expected);
  });

  it.each([
    ['0d', null, '2026-10-25'],
    ['2d', '1w', '2026-10-27'],
    ['1w', '1w', '2026-11-01'],
    ['0d', '30m', '2026-10-25'],
    ['1d', '24h', '2026-10-25'],
    [null, '1w', null],
  ])('begins %s after the run and is due %s after it', async (start_in, due_in, start_date) => {
    const { body } = await runByHand(await made({ ...WATER, start_in, due_in })).expect(201);
    expect(await taskOf(body.data)).toMatchObject({ start_date });
  });

  it('does not begin after it is due, whichever of both is changed', async () => {
    const late = { ...WATER, start_in: '2w', due_in: '13d' };
    expect(faults((await create(late).expect(400)).body)).toEqual(['task.start_in out_of_range']);
    expect(faults((await create({ ...WATER, start_in: '2h' }).expect(400)).body)).toEqual([
      'task.start_in invalid_format',
    ]);
    const id = await made({ ...WATER, start_in: '2w', due_in: '14d' });
    expect(faults((await patch(id, { task: { due_in: '1d' } }).expect(400)).body)).toEqual([
      'task.start_in out_of_range',
    ]);
    const { body } = await patch(id, { task: { due_in: '1d', start_in: null } }).expect(200);
    expect(body.data.task).toMatchObject({ start_in: null, due_in: '1d' });
  });

  it('of a release before it has no start', async () => {
    const id = await made(WATER);
    await app.database.query(`UPDATE rituals SET task = task - 'start_in' WHERE id = $1`, [id]);
    expect((await app.as(ann).get(`/rituals/${id}`).expect(200)).body.data.task).toMatchObject({ start_in: null });
    const { body } = await runByHand(id).expect(201);
    expect(await taskOf(body.data)).toMatchObject({ start_date: null });
  });

  it('names every fault of the task that is sent', async () => {
    const elsewhere = await app.endeavour(mia);
    const wrong = { description: 7, due_in: '2y', labels: ['a', 'a'], checklist: [{ done: true }], x: 1 };
    expect(faults((await create(wrong).expect(400)).body)).toEqual([
      'task.title required',
      'task.description invalid_type',
      'task.due_in invalid_format',
      'task.labels.1 invalid_value',
      'task.checklist.0.text required',
      'task.checklist.0.done unknown_field',
      'task.x unknown_field',
    ]);
    expect(faults((await create('Water').expect(400)).body)).toEqual(['task invalid_type']);
    const eve = await app.person('Eve');
    const strange = { ...WATER, assignee_id: eve.id, demand_id: await app.demand(mia, elsewhere) };
    expect(faults((await create(strange).expect(400)).body)).toEqual([
      'task.assignee_id reference_not_found',
      'task.demand_id reference_not_found',
    ]);
    const fulfilled = await app.demand(ann, yard);
    for (const status of ['in_progress', 'fulfilled']) {
      await app.as(ann).patch(`/demands/${fulfilled}`).send({ status }).expect(200);
    }
    const id = await made(WATER);
    expect(faults((await patch(id, { task: { demand_id: fulfilled } }).expect(400)).body)).toEqual([
      'task.demand_id invalid_value',
    ]);
    const personal = { ...WATER, assignee_id: 'me', demand_id: fulfilled };
    expect(faults((await create(personal, { endeavour_id: undefined }).expect(400)).body)).toEqual([
      'task.assignee_id invalid_value',
      'task.demand_id invalid_value',
    ]);
  });

  it('is merged with what a patch sends, and removed by null', async () => {
    const id = await made({ ...WATER, assignee_id: jon.resourceId, labels: ['a'], checklist: ['Roses'] });
    const { body } = await patch(id, { task: { due_in: '1d', assignee_id: null, labels: null } }).expect(200);
    expect(body.data).toMatchObject({
      revision: 2,
      task: {
        ...WATER,
        description: null,
        assignee_id: null,
        due_in: '1d',
        labels: [],
        checklist: [{ text: 'Roses' }],
      },
    });
    expect((await patch(id, { task: { due_in: '1d' } }).expect(200)).body.data.revision).toBe(2);
    expect(faults((await patch(id, { task: { title: null } }).expect(400)).body)).toEqual(['task.title not_nullable']);
    expect((await patch(id, { task: null }).expect(200)).body.data.task).toBeNull();
    expect(faults((await patch(id, { task: { due_in: '1d' } }).expect(400)).body)).toEqual(['task.title required']);
    const { body: run } = await runByHand(id).expect(201);
    expect(run.data).toMatchObject({ task_id: null, task_errors: [] });
  });

  it('says in the run which references could no longer be used, and makes the task without them', async () => {
    const demand = await app.demand(ann, yard);
    const id = await made({ ...WATER, assignee_id: jon.id, demand_id: demand });
    for (const status of ['in_progress', 'fulfilled']) {
      await app.as(ann).patch(`/demands/${demand}`).send({ status }).expect(200);
    }
    await app.as(ann).delete(`/endeavours/${yard}/members/${jon.id}`).expect(200);
    wait(1);
    await runDue(app);
    const [run] = await runsOf(id);
    expect(run.task_errors).toEqual([
      {
        field: 'assignee_id',
        code: 'reference_not_found',
        message: 'assignee_id can no longer be assigned to work of the endeavour; the task has no assignee.',
      },
      {
        field: 'demand_id',
        code: 'invalid_value',
        message: 'demand_id is fulfilled; the task belongs to no demand.',
      },
    ]);
    expect(await taskOf(run)).toMatchObject({ ...WATER, assignee_id: null, demand_id: null });
  });

  it('goes on after its creator has left, and says that the assignee owns the task', async () => {
    const id = await made({ ...WATER, assignee_id: jon.id }, { endeavour_id: yard });
    await app.database.query("UPDATE endeavour_members SET role = 'owner' WHERE user_id = $1", [mia.id]);
    await app.as(mia).delete(`/endeavours/${yard}/members/${ann.id}`).expect(200);
    wait(1);
    await runDue(app);
    const { body } = await app.as(mia).get(`/ritual-runs?ritual_id=${id}`).expect(200);
    expect(body.data[0].task_errors).toMatchObject([{ field: 'owner_id', code: 'reference_not_found' }]);
    const { body: task } = await app.as(mia).get(`/tasks/${body.data[0].task_id}`).expect(200);
    expect(task.data).toMatchObject({ owner_id: jon.resourceId, creator_id: ann.resourceId });
  });

  it('makes no task in archived and completed endeavours, nor outside of any, and says so', async () => {
    const id = await made(WATER);
    await app.as(ann).patch(`/endeavours/${yard}`).send({ status: 'completed' }).expect(200);
    wait(1);
    await runDue(app);
    expect((await runByHand(id).expect(409)).body.error.details.reason).toBe('completed');
    await app.as(ann).post(`/endeavours/${yard}/archive`).send({ reason: 'Winter' }).expect(200);
    expect((await runByHand(id).expect(409)).body.error.code).toBe('archived');
    expect(await tasksOf()).toEqual([]);
    const { body: own } = await create(WATER, { endeavour_id: undefined, schedule: undefined }).expect(201);
    expect((await runByHand(own.data.id).expect(201)).body.data).toMatchObject({
      task_id: null,
      task_errors: [{ field: 'task', code: 'invalid_value' }],
    });
  });

  it('is forked with what is usable in the new container', async () => {
    const id = await made({ ...WATER, assignee_id: jon.id });
    const shed = await app.endeavour(ann, { name: 'Shed' });
    const fork = (body: object) =>
      app
        .as(ann)
        .post(`/rituals/${id}/fork`)
        .send({ endeavour_id: shed, ...body });
    expect(faults((await fork({}).expect(400)).body)).toEqual(['task.assignee_id reference_not_found']);
    const { body } = await fork({ task: { ...WATER, due_in: '2d' } }).expect(201);
    expect(body.data.task).toMatchObject({ assignee_id: null, due_in: '2d' });
    const { body: same } = await fork({ endeavour_id: yard }).expect(201);
    expect(same.data.task).toMatchObject({ assignee_id: jon.resourceId });
    const { body: diff } = await app.as(ann).get(`/rituals/${id}/diff?to=${body.data.id}`).expect(200);
    expect(diff.data.changes.map(({ field }: { field: string }) => field)).toContain('task');
  });

  it('makes those who described the task its authors, who are no reviewers of it', async () => {
    const { body: policy } = await app
      .as(await app.admin('Ada'))
      .post('/dod-policies')
      .send({ name: 'Two eyes', conditions: [{ type: 'peer_review' }] })
      .expect(201);
    await app.as(ann).post(`/endeavours/${yard}/dod-policy`).send({ policy_id: policy.data.id }).expect(200);
    const id = await made(WATER);
    await patch(id, { task: { description: 'All of them' } }, mia).expect(200);
    const { body: run } = await runByHand(id, jon).expect(201);
    const task = run.data.task_id;
    const approve = (person: Person) =>
      app.as(person).post('/approvals').send({ entity_type: 'task', entity_id: task, verdict: 'approved' }).expect(201);
    const isReviewed = async (): Promise<string> =>
      (await app.as(jon).post(`/tasks/${task}/dod-check`).expect(200)).body.data.conditions[0].status;
    await approve(ann);
    await approve(mia);
    expect(await isReviewed()).toBe('failed');
    await approve(jon);
    expect(await isReviewed()).toBe('passed');
  });

  it('makes approvals of the ritual stale when the task changes', async () => {
    const id = await made(WATER);
    const approval = { entity_type: 'ritual', entity_id: id, verdict: 'approved' };
    const { body } = await app.as(mia).post('/approvals').send(approval).expect(201);
    await patch(id, { task: { title: 'Water all plants' } }).expect(200);
    expect((await app.as(mia).get(`/approvals/${body.data.id}`).expect(200)).body.data.stale).toBe(true);
  });

  it('needs the scope tasks:write of access tokens, to describe and to make the task', async () => {
    const id = await made(WATER);
    const narrow = await tokenOf(app, ann, { scopes: ['rituals:write', 'rituals:read'] });
    for (const refused of [
      patch(id, { task: { due_in: '1d' } }, narrow),
      runByHand(id, narrow),
      create(WATER, {}, narrow),
    ]) {
      expect((await refused.expect(403)).body.error.details.required_scope).toBe('tasks:write');
    }
    await patch(id, { name: 'Rounds' }, narrow).expect(200);
    const wide = await tokenOf(app, ann, { scopes: ['rituals:write', 'tasks:write'] });
    await runByHand(id, wide).expect(201);
  });

  it('raises alerts for terms in the description of the task and in each task', async () => {
    const riverside = await app.organization(ann);
    const shed = await app.endeavour(ann, { organization_id: riverside });
    await app
      .as(ann)
      .put(`/organizations/${riverside}/alert-terms`)
      .send({ terms: ['poison'] })
      .expect(200);
    const id = await made({ ...WATER, description: 'No poison' }, { endeavour_id: shed });
    await runByHand(id).expect(201);
    const { body } = await app.as(ann).get(`/organizations/${riverside}/alerts`).expect(200);
    expect(body.data.map(({ entity_type }: { entity_type: string }) => entity_type).sort()).toEqual(['ritual', 'task']);
  });
});

describe('the task of a ritual', () => {
  let app: TestApp;
  let ann: Person;
  let jon: Person;
  let yard: string;

  beforeAll(async () => {
    app = await TestApp.open({ ERASURE_DAYS: '0', WORKERS: 'true' });
    [ann, jon] = [await app.person('Ann'), await app.person('Jon')];
  });

  beforeEach(async () => {
    yard = await app.endeavour(ann, { name: 'Yard' });
    await app.join(yard, jon, 'member');
  });

  afterAll(() => app.close());

  const made = async (task: object): Promise<string> =>
    (await app.as(ann).post('/rituals').send({ name: 'Round', endeavour_id: yard, task }).expect(201)).body.data.id;

  it('can move out of sight of the run, which then names no task, and be erased', async () => {
    const shed = await app.endeavour(ann, { name: 'Shed' });
    const { body: run } = await app
      .as(ann)
      .post('/ritual-runs')
      .send({ ritual_id: await made(WATER) })
      .expect(201);
    await app.as(ann).patch(`/tasks/${run.data.task_id}`).send({ endeavour_id: shed }).expect(200);
    const seen = async (person: Person) =>
      (await app.as(person).get(`/ritual-runs/${run.data.id}`).expect(200)).body.data.task_id;
    expect([await seen(ann), await seen(jon)]).toEqual([run.data.task_id, null]);
    await app.as(ann).post(`/endeavours/${shed}/archive`).send({ reason: 'Sold' }).expect(200);
    const { headers } = await app.as(ann).delete(`/endeavours/${shed}?confirm=Shed`).expect(202);
    const { body: ended } = await app.ended(ann, headers.location);
    expect(ended.data.status).toBe('succeeded');
    expect(await seen(ann)).toBeNull();
  });

  it('is exported and imported with its assignee and demand', async () => {
    const demand = await app.demand(ann, yard);
    const described = { ...WATER, start_in: '0d', due_in: '1d', labels: ['a'], checklist: [{ text: 'Roses' }] };
    await made({ ...described, assignee_id: jon.id, demand_id: demand });
    const exported = async (id: string) => (await app.as(ann).get(`/endeavours/${id}/export`).expect(200)).body;
    const before = await exported(yard);
    const copy = await app.endeavour(ann);
    await app.join(copy, jon, 'member');
    const importInto = async (id: string) => {
      const report = await new Importing(app, ann, id).run({ format: 'worksmith' }, before);
      expect(report.refusals).toEqual([]);
    };
    await importInto(copy);
    const [ritual] = (await exported(copy)).rituals;
    const [copied] = (await app.as(ann).get(`/demands?endeavour_id=${copy}`).expect(200)).body.data;
    expect(ritual).toMatchObject({
      is_enabled: false,
      task: { ...described, assignee_id: jon.resourceId, demand_id: copied.id },
    });
    const lonely = await app.endeavour(ann);
    await importInto(lonely);
    const [alone] = (await exported(lonely)).rituals;
    expect(alone).toMatchObject({
      task: { ...described, assignee_id: null },
      metadata: { imported: { task_assignee: 'Jon' } },
    });
  });
});
