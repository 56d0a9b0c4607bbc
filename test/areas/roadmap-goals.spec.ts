import { newId } from '../../src/common/ids.js';
import { TestApp, type Person } from '../support/test-app.js';
import { race } from '../support/races.js';
import { fieldErrorsOf } from '../support/refusals.js';

describe('goals of tasks and demands', () => {
  let app: TestApp;
  let [ann, bob]: Person[] = [];
  let garden: string;
  let [path, pond]: string[] = [];

  beforeAll(async () => {
    app = await TestApp.open({ WORKERS: 'true', LIMIT_WRITES_PER_MINUTE: '100000' });
    [ann, bob] = [await app.person('Ann', { tier: 3 }), await app.person('Bob')];
  });

  beforeEach(async () => {
    garden = await app.endeavour(ann, { goals: [{ title: 'Path', due_day: '2027-05-01' }, { title: 'Pond' }] });
    [path, pond] = (await read(`/endeavours/${garden}`)).goals.map(({ id }: { id: string }) => id);
    await app.join(garden, bob, 'member');
  });

  afterAll(() => app.close());

  const read = async (at: string, person = ann) => (await app.as(person).get(at).expect(200)).body.data;
  const patch = (at: string, body: object, person = ann) => app.as(person).patch(at).send(body);
  const ids = async (at: string): Promise<string[]> => (await read(at)).map(({ id }: { id: string }) => id);
  const goal = (id: string, title: string, more: object = {}) => ({ id, title, ...more });

  it('have a day, which is null unless it is set', async () => {
    const { goals, revision } = await read(`/endeavours/${garden}`);
    expect(goals).toMatchObject([
      { id: path, title: 'Path', status: 'open', due_day: '2027-05-01' },
      { id: pond, title: 'Pond', status: 'open', due_day: null },
    ]);
    const same = await patch(`/endeavours/${garden}`, { goals }).expect(200);
    expect(same.body.data).toMatchObject({ goals, revision });
    const changed = [goal(path, 'Path', { due_day: null }), goal(pond, 'Pond', { due_day: '2027-06-01' })];
    const { body } = await patch(`/endeavours/${garden}`, { goals: changed }).expect(200);
    expect(body.data.goals).toMatchObject([{ due_day: null }, { due_day: '2027-06-01' }]);
    const malformed = await patch(`/endeavours/${garden}`, { goals: [goal(path, 'Path', { due_day: 'soon' })] });
    expect(fieldErrorsOf(malformed.body)).toEqual(['goals.0.due_day invalid_date']);
  });

  it.each(['tasks', 'demands'])('are set, filtered and cleared on %s', async (kind) => {
    const sent = { title: 'Dig', endeavour_id: garden, goal_id: path, ...(kind === 'demands' && { type: 'story' }) };
    const { body } = await app.as(bob).post(`/${kind}`).send(sent).expect(201);
    const { id } = body.data;
    expect(body.data.goal_id).toBe(path);
    const other = kind === 'tasks' ? await app.task(ann, garden) : await app.demand(ann, garden);
    const listed = (goalId: string) => ids(`/${kind}?endeavour_id=${garden}&goal_id=${goalId}`);
    expect(await listed(path)).toEqual([id]);
    expect(await listed(pond)).toEqual([]);
    expect(await listed('none')).toEqual([other]);
    expect((await patch(`/${kind}/${id}`, { goal_id: pond }, bob).expect(200)).body.data.goal_id).toBe(pond);
    expect((await patch(`/${kind}/${id}`, { goal_id: pond }).expect(200)).body.data.revision).toBe(2);
    expect(await listed(`${path},${pond}`)).toEqual([id]);
    expect((await patch(`/${kind}/${id}`, { goal_id: null }).expect(200)).body.data.goal_id).toBeNull();
  });

  it.each(['tasks', 'demands'])('of another endeavour are no goals of %s', async (kind) => {
    const yard = await app.endeavour(ann, { goals: ['Gate'] });
    const [{ id: gate }] = (await read(`/endeavours/${yard}`)).goals;
    const work = kind === 'tasks' ? await app.task(ann, garden) : await app.demand(ann, garden);
    for (const id of [gate, newId('goal')]) {
      const { body } = await patch(`/${kind}/${work}`, { goal_id: id }).expect(400);
      expect(fieldErrorsOf(body)).toEqual(['goal_id reference_not_found']);
      const sent = { title: 'Dig', endeavour_id: garden, goal_id: id, ...(kind === 'demands' && { type: 'story' }) };
      expect(fieldErrorsOf((await app.as(ann).post(`/${kind}`).send(sent).expect(400)).body)).toEqual([
        'goal_id reference_not_found',
      ]);
    }
    // Older replicas, which do not know the rule, and imports.
    await expect(
      app.database.query(`UPDATE ${kind} SET goal_id = $2 WHERE id = $1`, [work, gate]),
    ).rejects.toMatchObject({
      constraint: `${kind}_goal_id_check`,
    });
  });

  it('stay while tasks or demands serve them', async () => {
    const task = await app.task(ann, garden, { goal_id: path });
    const demand = await app.demand(ann, garden, { goal_id: path });
    for (const goals of [[goal(pond, 'Pond')], [], null]) {
      const { body } = await patch(`/endeavours/${garden}`, { goals }).expect(409);
      expect(body.error.details).toEqual({ reason: 'in_use', count: 2 });
    }
    await expect(
      app.database.query(`UPDATE endeavours SET goals = '[]' WHERE id = $1`, [garden]),
    ).rejects.toMatchObject({ constraint: 'endeavours_goals_check' });
    await patch(`/endeavours/${garden}`, { goals: [goal(path, 'Paths')] }).expect(200);
    await patch(`/tasks/${task}`, { goal_id: null }).expect(200);
    await patch(`/demands/${demand}`, { goal_id: null }).expect(200);
    expect((await patch(`/endeavours/${garden}`, { goals: [] }).expect(200)).body.data.goals).toEqual([]);
  });

  it('stay behind when work moves, which its event tells', async () => {
    const yard = await app.endeavour(ann, { goals: ['Gate'] });
    const [{ id: gate }] = (await read(`/endeavours/${yard}`)).goals;
    const [task, follows] = [
      await app.task(ann, garden, { goal_id: path }),
      await app.task(ann, garden, { goal_id: path }),
    ];
    const demand = await app.demand(ann, garden, { goal_id: path });
    const moved = await patch(`/tasks/${task}`, { endeavour_id: yard }).expect(200);
    expect(moved.body.data).toMatchObject({ endeavour_id: yard, goal_id: null });
    const [latest] = await read(`/tasks/${task}/changes`);
    expect(latest.changed).toContain('goal_id');
    const taken = await patch(`/tasks/${follows}`, { endeavour_id: yard, goal_id: gate }).expect(200);
    expect(taken.body.data.goal_id).toBe(gate);
    const left = await app
      .as(ann)
      .post(`/demands/${demand}/move`)
      .send({ endeavour_id: yard, with: 'none' })
      .expect(200);
    expect(left.body.data.goal_id).toBeNull();
    // An older replica moves it without a word of goals.
    const late = await app.task(ann, garden, { goal_id: pond });
    await app.database.query('UPDATE tasks SET endeavour_id = $2, rank = NULL WHERE id = $1', [late, yard]);
    expect(await app.database.one('SELECT goal_id FROM tasks WHERE id = $1', [late])).toEqual({ goal_id: null });
  });

  race('are not removed while a task gets them', 5, async () => {
    const yard = await app.endeavour(ann, { goals: ['Gate'] });
    const [{ id: gate }] = (await read(`/endeavours/${yard}`)).goals;
    const task = await app.task(ann, yard);
    const [taken, removed] = await Promise.all([
      patch(`/tasks/${task}`, { goal_id: gate }),
      patch(`/endeavours/${yard}`, { goals: [] }),
    ]);
    expect([taken.status, removed.status]).toEqual(taken.status === 200 ? [200, 409] : [400, 200]);
  });

  it('are set on many tasks at once', async () => {
    const [first, second] = [await app.task(ann, garden), await app.task(ann, garden)];
    const request = { filter: { endeavour_id: garden, goal_id: 'none' }, changes: { goal_id: path } };
    const { headers } = await app.as(ann).post('/tasks/bulk').send(request).expect(202);
    await app.ended(ann, headers.location);
    expect((await ids(`/tasks?endeavour_id=${garden}&goal_id=${path}`)).sort()).toEqual([first, second].sort());
    const expression = encodeURIComponent(`goal_id = "${path}"`);
    expect(await ids(`/tasks?endeavour_id=${garden}&filter=${expression}`)).toHaveLength(2);
  });
});
