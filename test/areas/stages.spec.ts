import { newId } from '../../src/common/ids.js';
import { fieldErrorsOf } from '../support/refusals.js';
import { TestApp, type Person } from '../support/test-app.js';

const BOARD = [
  { name: 'Backlog', status: 'planned' },
  { name: 'Ready', status: 'planned', wip_limit: 5 },
  { name: 'Doing', status: 'active' },
  { name: 'Review', status: 'active' },
  { name: 'Shipped', status: 'done' },
];

interface Stage {
  id: string;
  name: string;
  status: string;
  wip_limit: number | null;
}

describe('stages', () => {
  let app: TestApp;
  let [ann, bob, vic, eve]: Person[] = [];
  let garden: string;
  let stages: Stage[];

  beforeAll(async () => {
    app = await TestApp.open({ WORKERS: 'true', LIMIT_WRITES_PER_MINUTE: '100000' });
    [ann, bob] = [await app.person('Ann', { tier: 3 }), await app.person('Bob')];
    [vic, eve] = [await app.person('Vic'), await app.person('Eve', { tier: 3 })];
  });

  beforeEach(async () => {
    garden = await app.endeavour(ann, { stages: BOARD });
    await app.join(garden, bob, 'member');
    await app.join(garden, vic, 'viewer');
    stages = await stagesOf(garden);
  });

  afterAll(() => app.close());

  const read = async (path: string, person = ann) => (await app.as(person).get(path).expect(200)).body.data;
  const stagesOf = async (id: string): Promise<Stage[]> => (await read(`/endeavours/${id}`)).stages;
  const named = (name: string): Stage => stages.find((stage) => stage.name === name) as Stage;
  const patch = (path: string, body: object, person = ann) => app.as(person).patch(path).send(body);
  const setStages = (sent: unknown, person = ann) => patch(`/endeavours/${garden}`, { stages: sent }, person);
  const move = (id: string, body: object, person = bob) => patch(`/tasks/${id}`, body, person);
  const shown = async (id: string): Promise<string> => {
    const { status, stage_name: name, stage } = await read(`/tasks/${id}`);
    expect(stage === null).toBe(name === null);
    return `${String(status)} ${String(name)}`;
  };
  const titles = async (query: string, person = ann): Promise<string[]> =>
    (await read(`/tasks?${query}`, person)).map(({ title }: { title: string }) => title);

  describe('of an endeavour', () => {
    it('are in their order, with ids and limits', () => {
      const id = expect.stringMatching(/^stg_[0-9a-f]{32}$/);
      expect(stages).toEqual(BOARD.map((stage) => ({ id, wip_limit: null, ...stage })));
    });

    it('are replaced by admins: those with a known id or name stay, and keep their tasks', async () => {
      const task = await app.task(bob, garden, { stage: 'Ready' });
      const next = [
        { name: 'Soon', status: 'planned', id: named('Ready').id },
        { name: ' review ', status: 'active', wip_limit: 3 },
        { name: 'Doing', status: 'active' },
        { name: 'New', status: 'done' },
      ];
      const { body } = await setStages(next).expect(200);
      expect(body.data.stages).toEqual([
        { ...named('Ready'), name: 'Soon', wip_limit: null },
        { ...named('Review'), name: 'review', wip_limit: 3 },
        named('Doing'),
        { id: expect.any(String), name: 'New', status: 'done', wip_limit: null },
      ]);
      expect(await shown(task)).toBe('planned Soon');
      expect((await read(`/tasks/${task}`)).revision).toBe(1);
      const again = await setStages(next).expect(200);
      expect(again.body.data).toMatchObject({ stages: body.data.stages, revision: body.data.revision });
      const [event] = await app.database.query(
        `SELECT changed, previous -> 'stages' AS previous, data -> 'stages' AS data FROM events
         WHERE entity_id = $1 AND type = 'endeavour.updated'`,
        [garden],
      );
      expect(event).toEqual({ changed: ['stages'], previous: stages, data: body.data.stages });
      for (const person of [bob, vic]) await setStages([], person).expect(403);
      await setStages([], eve).expect(404);
    });

    it('name every fault', async () => {
      const sent = [
        { id: newId('stage'), name: 'First', status: 'planned' },
        { name: 'ＤＯＩＮＧ', status: 'planned' },
        { name: 'doing', status: 'active' },
        { id: named('Review').id, name: 'Review', status: 'done', wip_limit: 1 },
      ];
      expect(fieldErrorsOf((await setStages(sent).expect(400)).body)).toEqual([
        'stages.0.id reference_not_found',
        'stages.1.status invalid_value',
        'stages.2.name invalid_value',
        'stages.3.status invalid_value',
        'stages.3.wip_limit invalid_value',
      ]);
      const malformed = [
        { name: 'a,b', status: 'canceled' },
        { name: '!', status: 'planned', wip_limit: 0 },
        { name: 'None', status: 'planned', colour: 'red' },
        { name: newId('stage'), status: 'planned', wip_limit: 1.5 },
        {},
      ];
      expect(fieldErrorsOf((await setStages(malformed).expect(400)).body)).toEqual([
        'stages.0.name invalid_format',
        'stages.0.status invalid_value',
        'stages.1.name invalid_format',
        'stages.1.wip_limit out_of_range',
        'stages.2.name invalid_value',
        'stages.2.colour unknown_field',
        'stages.3.name invalid_format',
        'stages.3.wip_limit invalid_type',
        'stages.4.name required',
        'stages.4.status required',
      ]);
      const many = Array.from({ length: 21 }, (_, n) => ({ name: `Stage ${n}`, status: 'planned' }));
      expect(fieldErrorsOf((await setStages(many).expect(400)).body)).toEqual(['stages too_long']);
      const foreign = await app.endeavour(eve, { stages: BOARD });
      const [{ id }] = (await read(`/endeavours/${foreign}`, eve)).stages;
      const stolen = await setStages([{ id, name: 'Mine', status: 'planned' }]).expect(400);
      expect(fieldErrorsOf(stolen.body)).toEqual(['stages.0.id reference_not_found']);
      expect(await stagesOf(garden)).toEqual(stages);
    });

    it('go only without tasks, also for writers that know no rule', async () => {
      const [first, second] = [await app.task(bob, garden), await app.task(bob, garden, { stage: 'Ready' })];
      const kept = BOARD.filter(({ status }) => status !== 'planned');
      const { body } = await setStages(kept).expect(409);
      expect(body.error.details).toEqual({ reason: 'in_use', count: 2 });
      await move(second, { status: 'canceled', canceled_reason: 'Rain' }, ann).expect(200);
      expect((await setStages(kept).expect(409)).body.error.details).toEqual({ reason: 'in_use', count: 1 });
      const raw = (sent: unknown) =>
        app.database.query('UPDATE endeavours SET stages = $2 WHERE id = $1', [garden, JSON.stringify(sent)]);
      await expect(raw(stages.slice(1))).rejects.toThrow('goes while tasks are in it');
      await expect(raw(stages.map((stage) => ({ ...stage, status: 'done' })))).rejects.toThrow('changes its status');
      await move(first, { stage: 'Doing' }).expect(200);
      await setStages(kept).expect(200);
      // The canceled task was in a stage that is gone.
      await move(second, { status: 'planned' }, ann).expect(200);
      expect(await shown(second)).toBe('planned null');
      expect((await setStages(null).expect(409)).body.error.details).toEqual({ reason: 'in_use', count: 1 });
      await move(first, { status: 'planned' }).expect(200);
      expect((await setStages(null).expect(200)).body.data.stages).toEqual([]);
      expect(await shown(first)).toBe('planned null');
    });

    it('can be set for endeavours of other systems again and again', async () => {
      const path = `/endeavours/by-external/jira/${newId('task')}?organization_id=${await app.organization(ann)}`;
      const body = { name: 'Shop', stages: BOARD };
      const first = await app.as(ann).put(path).send(body).expect(201);
      const { id, revision, stages: made } = first.body.data;
      await app.task(ann, id, { stage: 'Ready' });
      const second = await app.as(ann).put(path).send(body).expect(200);
      expect(second.body.data).toMatchObject({ id, revision, stages: made });
    });
  });

  describe('of a task', () => {
    it('are the first of its status, unless a request names one of planned', async () => {
      expect(await shown(await app.task(bob, garden))).toBe('planned Backlog');
      const { body } = await app
        .as(bob)
        .post('/tasks')
        .send({ title: 'Dig', endeavour_id: garden, stage: named('Ready').id })
        .expect(201);
      expect(body.data).toMatchObject({ stage: named('Ready').id, stage_name: 'Ready', status: 'planned' });
      const refused = async (stage: unknown): Promise<string[]> =>
        fieldErrorsOf(
          (await app.as(bob).post('/tasks').send({ title: 'Dig', endeavour_id: garden, stage }).expect(400)).body,
        );
      expect(await refused('Doing')).toEqual(['stage invalid_value']);
      for (const absent of ['Nowhere', newId('stage')])
        expect(await refused(absent)).toEqual(['stage reference_not_found']);
      expect(await refused(7)).toEqual(['stage invalid_type']);
      const plain = await app.endeavour(ann);
      expect(await shown(await app.task(ann, plain))).toBe('planned null');
      const none = await app.as(ann).post('/tasks').send({ title: 'Dig', endeavour_id: plain, stage: 'Ready' });
      expect(fieldErrorsOf(none.body)).toEqual(['stage reference_not_found']);
    });

    it('follow a status, and lead to one with all its rules', async () => {
      const task = await app.task(bob, garden, { stage: 'Ready' });
      expect((await move(task, { stage: 'Shipped' }).expect(400)).body.error.code).toBe('invalid_transition');
      const moved = await move(task, { stage: 'review' }).expect(200);
      expect(moved.body.data).toMatchObject({ status: 'active', stage_name: 'Review', started_at: expect.any(String) });
      await move(task, { stage: named('Doing').id }).expect(200);
      expect(await shown(task)).toBe('active Doing');
      await move(task, { status: 'planned' }).expect(200);
      expect(await shown(task)).toBe('planned Backlog');
      await move(task, { status: 'active', stage: 'Review' }).expect(200);
      expect(await shown(task)).toBe('active Review');
      const { body } = await move(task, { status: 'planned', stage: 'Review' }).expect(400);
      expect(fieldErrorsOf(body)).toEqual(['stage invalid_value']);
      expect(fieldErrorsOf((await move(task, { stage: null }).expect(400)).body)).toEqual(['stage not_nullable']);
      expect(fieldErrorsOf((await move(task, { stage_name: 'Doing' }).expect(400)).body)).toEqual([
        'stage_name read_only',
      ]);
      await move(task, { stage: 'Doing' }, vic).expect(403);
      await move(task, { stage: 'Doing' }, eve).expect(404);
      await move(task, { status: 'canceled', canceled_reason: 'Rain' }).expect(200);
      expect(await shown(task)).toBe('canceled null');
      expect((await move(task, { stage: 'Doing' }).expect(400)).body.error.code).toBe('invalid_transition');
      await move(task, { stage: 'Ready' }).expect(200);
      expect(await shown(task)).toBe('planned Ready');
      const { revision } = await read(`/tasks/${task}`);
      expect((await move(task, { stage: 'READY' }).expect(200)).body.data.revision).toBe(revision);
    });

    it('are in events and in the history', async () => {
      const task = await app.task(bob, garden);
      await move(task, { stage: 'Ready' }).expect(200);
      await move(task, { status: 'active' }).expect(200);
      await move(task, { status: 'canceled', canceled_reason: 'Rain' }).expect(200);
      const events = await app.database.query(
        `SELECT type, changed @> '{stage}' AS is_changed, previous ->> 'stage' AS previous, data ->> 'stage' AS stage
         FROM events WHERE entity_id = $1 ORDER BY sequence`,
        [task],
      );
      const [backlog, ready, doing] = stages.map(({ id }) => id);
      expect(events).toEqual([
        { type: 'task.created', is_changed: false, previous: null, stage: backlog },
        { type: 'task.updated', is_changed: true, previous: backlog, stage: ready },
        { type: 'task.status_changed', is_changed: true, previous: ready, stage: doing },
        { type: 'task.status_changed', is_changed: true, previous: doing, stage: null },
      ]);
    });

    it('stay where the other endeavour has one of the same name and status', async () => {
      const yard = await app.endeavour(ann, {
        stages: [
          { name: 'Inbox', status: 'planned' },
          { name: 'READY', status: 'planned' },
          { name: 'Review', status: 'done' },
          { name: 'Working', status: 'active' },
        ],
      });
      const to = (id: string, more: object = {}) => move(id, { endeavour_id: yard, ...more }, ann);
      const [ready, backlog, review, chosen, plain] = await Promise.all(
        [{ stage: 'Ready' }, {}, {}, {}, {}].map((body) => app.task(ann, garden, body)),
      );
      await move(review, { stage: 'Review' }).expect(200);
      const { body } = await to(ready).expect(200);
      expect(body.data).toMatchObject({ status: 'planned', stage_name: 'READY' });
      await to(backlog).expect(200);
      expect(await shown(backlog)).toBe('planned Inbox');
      await to(review).expect(200);
      expect(await shown(review)).toBe('active Working');
      expect(fieldErrorsOf((await to(chosen, { stage: 'Backlog' }).expect(400)).body)).toEqual([
        'stage reference_not_found',
      ]);
      await to(chosen, { stage: 'Working' }).expect(200);
      expect(await shown(chosen)).toBe('active Working');
      await move(plain, { endeavour_id: await app.endeavour(ann) }, ann).expect(200);
      expect(await shown(plain)).toBe('planned null');
      await move(plain, { endeavour_id: garden }, ann).expect(200);
      expect(await shown(plain)).toBe('planned Backlog');
      const secret = await app.endeavour(eve, { stages: BOARD });
      const hidden = await move(plain, { endeavour_id: secret, stage: 'Doing' }, ann).expect(400);
      expect(fieldErrorsOf(hidden.body)).toEqual(['endeavour_id reference_not_found']);
    });

    it('are those of the tasks of other systems too', async () => {
      const put = (body: object) =>
        app
          .as(bob)
          .put(`/tasks/by-external/ci/${garden}?endeavour_id=${garden}`)
          .send({ title: 'Build', ...body });
      expect((await put({ stage: 'Ready' }).expect(201)).body.data.stage_name).toBe('Ready');
      expect((await put({ stage: 'Doing' }).expect(200)).body.data).toMatchObject({
        status: 'active',
        stage_name: 'Doing',
      });
    });
  });

  it('are of tasks that were there before, and are kept over an archiving', async () => {
    const shed = await app.endeavour(ann);
    const [early, late] = [await app.task(ann, shed, { title: 'early' }), await app.task(ann, shed, { title: 'late' })];
    await patch(`/endeavours/${shed}`, { stages: BOARD }).expect(200);
    expect(await shown(early)).toBe('planned Backlog');
    expect(await titles(`endeavour_id=${shed}&stage=backlog&sort=title`)).toEqual(['early', 'late']);
    expect(await titles(`endeavour_id=${shed}&stage=none`)).toEqual([]);
    await move(late, { stage: 'Review' }, ann).expect(200);
    expect(await titles(`endeavour_id=${shed}&stage=backlog`)).toEqual(['early']);
    await app.as(ann).post(`/endeavours/${shed}/archive`).send({ reason: 'Winter' }).expect(200);
    expect(await shown(late)).toBe('canceled null');
    await app.as(ann).post(`/endeavours/${shed}/unarchive`).send({}).expect(200);
    expect(await shown(late)).toBe('active Review');
    expect(await shown(early)).toBe('planned Backlog');
  });

  it('fill a field that a Definition of Done names where readers see one', async () => {
    const shed = await app.endeavour(ann);
    const [early, late] = [await app.task(ann, shed), await app.task(ann, shed)];
    await move(late, { status: 'active' }, ann).expect(200);
    const conditions = ['stage', 'stage_name'].map((field) => ({ type: 'field_populated', params: { field } }));
    const policy = { name: 'Placed', conditions, endeavour_id: shed };
    const { body } = await app.as(ann).post('/dod-policies').send(policy).expect(201);
    await app.as(ann).post(`/endeavours/${shed}/dod-policy`).send({ policy_id: body.data.id }).expect(200);
    const found = async (id: string): Promise<string> => {
      const check = await app.as(ann).post(`/tasks/${id}/dod-check`).expect(200);
      return check.body.data.conditions.map(({ status }: { status: string }) => status).join();
    };
    const counted = async () => (await read(`/endeavours/${shed}/dod-status`)).tasks;
    expect([await found(early), await found(late)]).toEqual(['failed,failed', 'failed,failed']);
    expect(await counted()).toMatchObject({ met: 0, not_met: 1 });
    await patch(`/endeavours/${shed}`, { stages: BOARD.slice(0, 2) }).expect(200);
    expect([await found(early), await found(late)]).toEqual(['passed,passed', 'failed,failed']);
    await patch(`/endeavours/${shed}`, { stages: BOARD }).expect(200);
    expect([await found(early), await found(late)]).toEqual(['passed,passed', 'passed,passed']);
    expect(await counted()).toMatchObject({ met: 1, not_met: 0 });
  });

  describe('in lists', () => {
    beforeEach(async () => {
      for (const [title, stage] of [
        ['a', 'Review'],
        ['b', 'Ready'],
        ['c', 'Doing'],
        ['d', 'Backlog'],
      ]) {
        const task = await app.task(bob, garden, { title });
        await move(task, { stage }).expect(200);
      }
      const canceled = await app.task(ann, garden, { title: 'e' });
      await move(canceled, { status: 'canceled', canceled_reason: 'Rain' }, ann).expect(200);
    });

    it.each([
      ['stage=review', ['a']],
      ['stage=Ready,DOING', ['b', 'c']],
      ['stage=!ready', ['a', 'c', 'd', 'e']],
      ['stage=none', ['e']],
      ['stage=!none', ['a', 'b', 'c', 'd']],
      ['stage=none,ready', ['b', 'e']],
      ['stage=Nowhere', []],
      ['filter=stage = "Review" OR stage = "Backlog"', ['a', 'd']],
      ['filter=NOT stage:*', ['e']],
    ])('%s finds %j', async (query, expected) => {
      expect(await titles(`endeavour_id=${garden}&sort=title&${query}`)).toEqual(expected);
    });

    it('are named by ids, sorted by place and counted; invisible ones match nothing', async () => {
      const { id } = named('Doing');
      expect(await titles(`stage=${id}`)).toEqual(['c']);
      expect(await titles(`stage=${id}`, eve)).toEqual([]);
      expect(await titles(`endeavour_id=${garden}&sort=stage`)).toEqual(['d', 'b', 'c', 'a', 'e']);
      expect(await read(`/tasks/summary?endeavour_id=${garden}&stage=doing,review`)).toMatchObject({
        total: 2,
        active: 2,
      });
      const bad = await app.as(ann).get('/tasks?stage=,').expect(400);
      expect(bad.body.error.details.fields[0]).toMatchObject({ field: 'stage' });
      const csv = await app
        .as(ann)
        .get(`/tasks?stage=${id}&fields=title,stage_name`)
        .set('Accept', 'text/csv')
        .expect(200);
      expect(csv.text.trim().split(/\r?\n/)).toEqual(['title,stage_name', 'c,Doing']);
    });

    it('choose what is claimed', async () => {
      const claim = (filter: object) => app.as(bob).post('/tasks/claim').send({ endeavour_id: garden, filter });
      expect((await claim({ stage: 'doing' }).expect(200)).body.data).toBeNull();
      expect((await claim({ stage: ['Ready'] }).expect(200)).body.data.title).toBe('b');
    });
  });
});
