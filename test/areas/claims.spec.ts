import { newId } from '../../src/common/ids.js';
import { race } from '../support/races.js';
import { TestApp, type Person } from '../support/test-app.js';
import { fieldErrorsOf } from '../support/refusals.js';

const AGENTS = 20;

describe('claiming tasks', () => {
  let app: TestApp;
  let ann: Person;

  beforeAll(async () => {
    app = await TestApp.open({ LIMIT_WRITES_PER_MINUTE: '100000', LIMIT_REQUESTS_AT_ONCE: '1000' });
    ann = await app.person('Ann', { tier: 3 });
  });

  afterAll(() => app.close());

  const claim = (person: Person, endeavour_id: string, filter?: object) =>
    app.as(person).post('/tasks/claim').send({ endeavour_id, filter });
  const claimed = async (endeavour: string, filter?: object) => {
    const { body } = await claim(ann, endeavour, filter).expect(200);
    return body.data?.title ?? null;
  };
  const relate = (source: string, target: string) =>
    app
      .as(ann)
      .post('/relations')
      .send({
        relationship_type: 'depends_on',
        source_entity_type: 'task',
        source_entity_id: source,
        target_entity_type: 'task',
        target_entity_id: target,
      })
      .expect(201);

  it('assigns overdue tasks first, then by effective priority and rank, until none is left', async () => {
    const garden = await app.endeavour(ann);
    const demand = (priority: string) => app.demand(ann, garden, { priority });
    const [urgent, low] = [await demand('urgent'), await demand('low')];
    const task = (title: string, more: object = {}) => app.task(ann, garden, { title, ...more });
    await task('low', { demand_id: low });
    await task('old');
    await task('younger');
    await task('urgent', { demand_id: urgent });
    await task('late', { due_date: '2099-02-01' });
    await task('soon', { due_date: '2099-01-01', demand_id: low });
    await task('overdue', { due_date: '2020-01-01' });
    await task('overdue and low', { due_date: '2019-01-01', priority: 'low' });
    const first = await task('first of the backlog');
    await task('high', { demand_id: low, priority: 'high' });
    await app.as(ann).post(`/tasks/${first}/rank`).send({ first: true }).expect(200);
    const given: unknown[] = [];
    for (let n = 0; n < 11; n += 1) given.push(await claimed(garden));
    expect(given).toEqual([
      'overdue',
      'overdue and low',
      'urgent',
      'high',
      'first of the backlog',
      'old',
      'younger',
      'late',
      'low',
      'soon',
      null,
    ]);
  });

  it('returns the task assigned to the caller, as GET does, and records the change', async () => {
    const garden = await app.endeavour(ann);
    const id = await app.task(ann, garden);
    const { body, headers } = await claim(ann, garden).expect(200);
    expect(body.data).toMatchObject({ id, assignee_id: ann.resourceId, assignee_name: 'Ann', revision: 2 });
    expect(headers.etag).toMatch(/^"2-/);
    const { body: history } = await app.as(ann).get(`/tasks/${id}/changes`).expect(200);
    expect(history.data[0]).toMatchObject({ type: 'task.updated', changed: ['assignee_id'] });
  });

  it('skips tasks that are blocked, assigned, active, or excluded by the filter', async () => {
    const garden = await app.endeavour(ann);
    const [frame, door] = [
      await app.task(ann, garden, { title: 'frame', assignee_id: 'me' }),
      await app.task(ann, garden, { title: 'door' }),
    ];
    await relate(door, frame);
    const running = await app.task(ann, garden, { title: 'running' });
    await app.as(ann).patch(`/tasks/${running}`).send({ status: 'active' }).expect(200);
    await app.task(ann, garden, { title: 'window', due_date: '2020-01-01' });
    expect(await claimed(garden, { search: 'chimney' })).toBeNull();
    expect(await claimed(garden, { overdue: false })).toBeNull();
    expect(await claimed(garden, { demand_id: [newId('demand')] })).toBeNull();
    expect(await claimed(garden, { creator_id: [(await app.person('Eve')).resourceId] })).toBeNull();
    expect(await claimed(garden, { status: ['planned'], overdue: 'true' })).toBe('window');
    expect(await claimed(garden)).toBeNull();
    await app.as(ann).patch(`/tasks/${frame}`).send({ status: 'canceled', canceled_reason: 'No' }).expect(200);
    expect(await claimed(garden)).toBe('door');
  });

  it('reports every invalid filter field at once', async () => {
    const garden = await app.endeavour(ann);
    const filter = { status: 'odd', colour: 'red', overdue: 'perhaps' };
    expect(fieldErrorsOf((await claim(ann, garden, filter).expect(400)).body)).toEqual([
      'filter.colour unknown_field',
      'filter.status invalid_value',
      'filter.overdue invalid_value',
    ]);
    expect(fieldErrorsOf((await claim(ann, garden, { status: { a: 1 } }).expect(400)).body)).toEqual([
      'filter.status invalid_type',
    ]);
    const sent = { endeavour_id: garden, filter: 'ready' };
    expect(fieldErrorsOf((await app.as(ann).post('/tasks/claim').send(sent).expect(400)).body)).toEqual([
      'filter invalid_type',
    ]);
  });

  it('requires the member role, assignability of the caller, and an endeavour that is not archived', async () => {
    const garden = await app.endeavour(ann);
    await app.task(ann, garden);
    const [vic, eve] = [await app.person('Vic'), await app.person('Eve')];
    await app.join(garden, vic, 'viewer');
    await claim(vic, garden).expect(403);
    expect(fieldErrorsOf((await claim(eve, garden).expect(400)).body)).toEqual(['endeavour_id reference_not_found']);
    await claim(await app.admin(), garden).expect(400);
    await app.database.query(`UPDATE endeavours SET status = 'archived' WHERE id = $1`, [garden]);
    expect((await claim(ann, garden).expect(409)).body.error.code).toBe('archived');
  });

  it('replays a claimed task for the same idempotency key, but not an empty response', async () => {
    const garden = await app.endeavour(ann);
    const again = () => claim(ann, garden).set('Idempotency-Key', 'claim-1').expect(200);
    const none = await again();
    expect([none.body, none.headers.etag]).toEqual([{ data: null }, undefined]);
    const id = await app.task(ann, garden);
    expect((await again()).body.data.id).toBe(id);
    await app.task(ann, garden);
    const repeated = await again();
    expect([repeated.body.data.id, repeated.headers['idempotent-replayed']]).toEqual([id, 'true']);
  });

  it('respects the endeavour that a token is restricted to', async () => {
    const [garden, shed] = [await app.endeavour(ann), await app.endeavour(ann)];
    const id = await app.task(ann, garden);
    const sent = { name: 'Garden only', scopes: ['tasks:write'], endeavour_id: garden };
    const { body } = await app.as(ann).post('/auth/tokens').send(sent).expect(201);
    const robot = { ...ann, token: body.data.token };
    await claim(robot, shed).expect(400);
    expect((await claim(robot, garden).expect(200)).body.data.id).toBe(id);
  });

  race('assigns each task once to concurrent agents', 2, async () => {
    const garden = await app.endeavour(ann);
    const agents: Person[] = [];
    for (let n = 0; n < AGENTS; n += 1) {
      const agent = await app.person(`Agent ${n}`);
      await app.join(garden, agent, 'member');
      agents.push(agent);
    }
    const ids: string[] = [];
    for (let n = 0; n < 45; n += 1) ids.push(await app.task(ann, garden));
    const work = async (agent: Person): Promise<string[]> => {
      const mine: string[] = [];
      for (;;) {
        const { body } = await claim(agent, garden).expect(200);
        if (body.data === null) return mine;
        expect(body.data.assignee_id).toBe(agent.resourceId);
        mine.push(body.data.id);
      }
    };
    const given = (await Promise.all(agents.map(work))).flat();
    expect(given.sort()).toEqual(ids.sort());
  });

  it('waits for the last task if another client is changing it', async () => {
    const garden = await app.endeavour(ann);
    const id = await app.task(ann, garden);
    const holder = await app.openConnection();
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM tasks WHERE id = $1 FOR UPDATE', [id]);
    const asked = Promise.resolve(claim(ann, garden).expect(200));
    await app.untilLockWaits(1);
    await holder.query('COMMIT');
    await holder.end();
    expect((await asked).body.data.id).toBe(id);
  });
});
