import { newId } from '../../src/common/ids.js';
import { TestApp, type Person } from '../support/test-app.js';

const cancel = { status: 'canceled', canceled_reason: 'No longer needed' };

describe('dependencies of tasks', () => {
  let app: TestApp;
  let ann: Person;
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open({ ERASURE_DAYS: '0', LIMIT_WRITES_PER_MINUTE: '100000' });
    ann = await app.person('Ann', { tier: 3 });
    garden = await app.endeavour(ann);
  });

  afterAll(() => app.close());

  const relate = (source: string, relationship_type: string, target: string, person = ann) => {
    const ends = { source_entity_type: 'task', target_entity_type: 'task' };
    const sent = { relationship_type, source_entity_id: source, target_entity_id: target, ...ends };
    return app.as(person).post('/relations').send(sent);
  };
  const related = async (source: string, type: string, target: string): Promise<string> =>
    (await relate(source, type, target).expect(201)).body.data.id;
  const tasks = async (count: number, endeavour = garden): Promise<string[]> => {
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1) ids.push(await app.task(ann, endeavour, { title: `Task ${n}` }));
    return ids;
  };
  const read = async (id: string) => (await app.as(ann).get(`/tasks/${id}`).expect(200)).body.data;
  const counts = (...ids: string[]) => Promise.all(ids.map(async (id) => (await read(id)).blocked_by_count));
  const patch = (id: string, body: object) => app.as(ann).patch(`/tasks/${id}`).send(body);
  const finish = async (id: string): Promise<void> => {
    await patch(id, { status: 'active' }).expect(200);
    await patch(id, { status: 'done' }).expect(200);
  };
  const unblocked = async (id: string): Promise<number> => {
    const { body } = await app.as(ann).get(`/tasks/${id}/changes?type=task.unblocked`).expect(200);
    return body.data.length;
  };
  const list = async (query: string): Promise<string[]> => {
    const { body } = await app.as(ann).get(`/tasks?${query}`).expect(200);
    expect(body.meta.total).toBe(body.data.length);
    return body.data.map(({ id }: { id: string }) => id);
  };
  const conflict = ({ body }: { body: { error: { code: string; details: { reason: string; path?: string[] } } } }) =>
    body.error.details;

  describe('blocked_by_count', () => {
    it('follows depends_on and blocks relations, and closing and reopening of blockers', async () => {
      const [door, frame, wall] = await tasks(3);
      await related(door, 'depends_on', frame);
      await related(wall, 'blocks', door);
      expect(await counts(door, frame, wall)).toEqual([2, 0, 0]);
      expect((await read(door)).blocked_by).toEqual([frame, wall].sort());
      await finish(frame);
      expect(await counts(door)).toEqual([1]);
      expect((await read(door)).blocked_by).toEqual([wall]);
      await patch(wall, cancel).expect(200);
      expect(await read(door)).toMatchObject({ blocked_by_count: 0, blocked_by: [] });
      await patch(wall, { status: 'planned' }).expect(200);
      await patch(frame, { status: 'active' }).expect(200);
      expect(await counts(door)).toEqual([2]);
    });

    it('counts a blocker with two relations once, until both are deleted', async () => {
      const [door, frame] = await tasks(2);
      const [first, second] = [await related(door, 'depends_on', frame), await related(frame, 'blocks', door)];
      expect(await counts(door)).toEqual([1]);
      await app.as(ann).delete(`/relations/${first}`).expect(200);
      expect(await counts(door)).toEqual([1]);
      expect(await unblocked(door)).toBe(0);
      await app.as(ann).delete(`/relations/${second}`).expect(200);
      expect(await counts(door)).toEqual([0]);
      expect(await unblocked(door)).toBe(1);
    });

    it('does not change the revision of the task', async () => {
      const [door, frame] = await tasks(2);
      const before = await read(door);
      await related(door, 'depends_on', frame);
      await finish(frame);
      const { revision, updated_at } = await read(door);
      expect([revision, updated_at]).toEqual([before.revision, before.updated_at]);
    });

    it('ignores blockers that are closed when the relation is created, other relations, and parents', async () => {
      const [door, frame, wall, house] = await tasks(4);
      await finish(frame);
      await related(door, 'depends_on', frame);
      await related(door, 'relates_to', wall);
      await related(house, 'parent_of', door);
      expect(await counts(door, house)).toEqual([0, 0]);
    });

    it('ignores tasks of other endeavours until they move to the same one', async () => {
      const shed = await app.endeavour(ann);
      const [[door, window], [frame]] = [await tasks(2), await tasks(1, shed)];
      await related(door, 'depends_on', frame);
      await related(frame, 'depends_on', window);
      expect(await counts(door, frame)).toEqual([0, 0]);
      expect((await read(door)).blocked_by).toEqual([]);
      const moved = await patch(frame, { endeavour_id: garden }).expect(200);
      expect(moved.body.data.blocked_by_count).toBe(1);
      expect(await counts(door)).toEqual([1]);
      await patch(frame, { endeavour_id: shed }).expect(200);
      expect(await counts(door, frame)).toEqual([0, 0]);
      expect([await unblocked(door), await unblocked(frame)]).toEqual([1, 1]);
    });

    it('follows archiving and unarchiving, which close and reopen all tasks of an endeavour', async () => {
      const shed = await app.endeavour(ann);
      const [door, frame] = await tasks(2, shed);
      await related(door, 'depends_on', frame);
      await app.as(ann).post(`/endeavours/${shed}/archive`).send({ reason: 'Winter' }).expect(200);
      expect(await counts(door)).toEqual([0]);
      await app.as(ann).post(`/endeavours/${shed}/unarchive`).send({}).expect(200);
      expect(await counts(door, frame)).toEqual([1, 0]);
    });

    it('ignores a dependency that is deleted while its blocker is being closed', async () => {
      const [door, frame, wall] = await tasks(3);
      const removed = await related(door, 'depends_on', frame);
      await related(door, 'depends_on', wall);
      const [remover, closer] = [await app.openConnection(), await app.openConnection()];
      await remover.query('BEGIN');
      await remover.query('SELECT 1 FROM tasks WHERE id = $1 FOR NO KEY UPDATE', [door]);
      await remover.query('UPDATE relations SET deleted_at = now() WHERE id = $1', [removed]);
      const closed = closer.query(
        `UPDATE tasks SET status = 'canceled', canceled_at = now(), canceled_reason = 'No longer needed' WHERE id = $1`,
        [frame],
      );
      await app.untilLockWaits(1);
      await remover.query('COMMIT');
      await closed;
      await Promise.all([remover.end(), closer.end()]);
      expect(await counts(door)).toEqual([1]);
    });

    it('is correct after erasing an endeavour that has dependencies with another', async () => {
      const shed = await app.endeavour(ann, { name: 'Shed' });
      const [[door, frame], [window]] = [await tasks(2), await tasks(1, shed)];
      await related(door, 'depends_on', frame);
      await related(door, 'depends_on', window);
      await app.as(ann).post(`/endeavours/${shed}/archive`).send({ reason: 'Sold' }).expect(200);
      const { body } = await app.as(ann).delete(`/endeavours/${shed}?confirm=Shed`).expect(202);
      const worker = await TestApp.open({ WORKERS: 'true' }, app);
      const ended = await worker.ended(ann, `/operations/${body.data.id}`);
      await worker.close();
      expect(ended.body.data.status).toBe('succeeded');
      expect(await counts(door)).toEqual([1]);
    });

    it('comes with the first ten blockers, and can be selected with fields', async () => {
      const [door, ...others] = await tasks(12);
      for (const other of others) await related(door, 'depends_on', other);
      const { body } = await app.as(ann).get(`/tasks/${door}?fields=blocked_by,blocked_by_count`).expect(200);
      expect(body.data).toEqual({ blocked_by: others.sort().slice(0, 10), blocked_by_count: 11 });
    });

    it('does not make the author of a relation a worker on the task', async () => {
      const mia = await app.person('Mia');
      await app.join(garden, mia, 'member');
      const [door, frame] = await tasks(2);
      await patch(door, { assignee_id: mia.id }).expect(200);
      await related(door, 'depends_on', frame);
      const row = await app.database.one('SELECT writers FROM task_assignments WHERE task_id = $1', [door]);
      expect(row).toEqual({ writers: [] });
    });
  });

  describe('task.unblocked', () => {
    it('is recorded once, for open tasks whose last blocker is closed', async () => {
      const [door, frame, wall, gone] = await tasks(4);
      for (const blocker of [frame, wall]) await related(door, 'depends_on', blocker);
      await related(gone, 'depends_on', frame);
      await patch(gone, cancel).expect(200);
      await finish(frame);
      expect([await unblocked(door), await unblocked(gone)]).toEqual([0, 0]);
      await finish(wall);
      expect([await unblocked(door), await unblocked(gone)]).toEqual([1, 0]);
      const { body } = await app.as(ann).get(`/activity?entity_id=${door}&type=task.unblocked`).expect(200);
      expect(body.data.map(({ text }: { text: string }) => text)).toEqual(['Ann unblocked task “Task 0”.']);
    });

    it('is recorded once if all blockers are closed at the same time', async () => {
      const [door, ...blockers] = await tasks(9);
      for (const blocker of blockers) await related(door, 'depends_on', blocker);
      await Promise.all(blockers.map((blocker) => patch(blocker, cancel).expect(200)));
      expect(await counts(door)).toEqual([0]);
      expect(await unblocked(door)).toBe(1);
    });

    it('is not recorded again when a closed blocker is patched without changes or moves away', async () => {
      const [door, frame] = await tasks(2);
      await related(door, 'depends_on', frame);
      await patch(frame, { external_ref: { source: 'jira', id: 'FRAME-1' } }).expect(200);
      await finish(frame);
      const { revision } = await read(frame);
      await patch(frame, { endeavour_id: garden }).expect(200);
      await patch(frame, { endeavour_id: garden, status: 'done' }).expect(200);
      const synced = `/tasks/by-external/jira/FRAME-1?endeavour_id=${garden}`;
      await app.as(ann).put(synced).send({ endeavour_id: garden }).expect(200);
      expect([await unblocked(door), (await read(frame)).revision]).toEqual([1, revision]);
      await patch(frame, { endeavour_id: await app.endeavour(ann) }).expect(200);
      expect(await unblocked(door)).toBe(1);
    });

    it('is recorded when an open blocker moves away', async () => {
      const [door, frame] = await tasks(2);
      await related(door, 'depends_on', frame);
      await patch(frame, { endeavour_id: await app.endeavour(ann) }).expect(200);
      expect(await unblocked(door)).toBe(1);
    });
  });

  describe('validation', () => {
    it('rejects a cycle and returns its path', async () => {
      const [a, b, c] = await tasks(3);
      await related(a, 'depends_on', b);
      await related(c, 'blocks', b);
      expect(conflict(await relate(a, 'blocks', c).expect(409))).toEqual({ reason: 'cycle', path: [a, b, c] });
    });

    it('allows a cycle through another endeavour, and rejects the move that would close it', async () => {
      const shed = await app.endeavour(ann);
      const [[a, b], [c]] = [await tasks(2), await tasks(1, shed)];
      await related(a, 'depends_on', b);
      await related(b, 'depends_on', c);
      await related(c, 'depends_on', a);
      const response = await patch(c, { endeavour_id: garden }).expect(409);
      expect(conflict(response)).toEqual({ reason: 'cycle', path: [c, a, b, c] });
      expect(await counts(a, b, c)).toEqual([1, 0, 0]);
    });

    it('allows 500 dependencies per task within its endeavour, on both ends, also after moves', async () => {
      const shed = await app.endeavour(ann);
      const [[hub, more], [late]] = [await tasks(2), await tasks(1, shed)];
      const [first] = await tasks(1);
      const made = await related(hub, 'depends_on', first);
      await app.database.query(
        `WITH numbers AS (SELECT n, 'tsk_' || lpad(to_hex(n), 32, '0') AS id, 'rel_' || lpad(to_hex(n), 32, '0') AS edge
           FROM generate_series(1, 499) n),
         placed AS (INSERT INTO entities (id, kind, endeavour_id, title)
           SELECT id, 'task', $1, 'Many' FROM numbers UNION ALL SELECT edge, 'relation', $1, 'depends_on' FROM numbers RETURNING id),
         tasks AS (INSERT INTO tasks (id, title, endeavour_id, owner_id, creator_id)
           SELECT id, 'Many', $1, $2, $2 FROM numbers RETURNING id)
         SELECT (SELECT count(*) FROM placed), (SELECT count(*) FROM tasks)`,
        [garden, ann.resourceId],
      );
      await app.database.query(
        `INSERT INTO relations (id, relationship_type, source_entity_type, source_entity_id, target_entity_type,
           target_entity_id, created_by)
         SELECT 'rel_' || substr(t.id, 5), 'depends_on', 'task', $1, 'task', t.id, $2 FROM tasks t WHERE t.title = 'Many'`,
        [hub, ann.resourceId],
      );
      expect(await counts(hub)).toEqual([500]);
      const refused = { reason: 'too_many_dependencies', limit: 500 };
      expect(conflict(await relate(hub, 'depends_on', more).expect(409))).toEqual(refused);
      expect(conflict(await relate(hub, 'parent_of', more).expect(409))).toEqual(refused);
      expect(conflict(await relate(more, 'depends_on', hub).expect(409))).toEqual(refused);
      await related(hub, 'relates_to', more);
      await related(late, 'depends_on', hub);
      expect(conflict(await patch(late, { endeavour_id: garden }).expect(409))).toEqual(refused);
      await app.as(ann).delete(`/relations/${made}`).expect(200);
      await patch(late, { endeavour_id: garden }).expect(200);
      expect(await counts(late)).toEqual([1]);
    });
  });

  describe('the filters ready and blocked', () => {
    it('find tasks that can be started and tasks that wait', async () => {
      const shed = await app.endeavour(ann);
      const [door, frame, wall] = await tasks(3, shed);
      await related(door, 'depends_on', frame);
      await patch(wall, { status: 'active' }).expect(200);
      const of = (query: string) => list(`endeavour_id=${shed}&${query}`);
      expect(await of('ready=true')).toEqual([frame]);
      expect(await of('ready=false')).toEqual([wall, door]);
      expect(await of('blocked=true')).toEqual([door]);
      expect(await of('blocked=false')).toEqual([wall, frame]);
      await app.as(ann).get('/tasks?ready=maybe').expect(400);
      await finish(frame);
      expect(await of('ready')).toEqual([door]);
      const { body } = await app.as(ann).get(`/tasks/summary?endeavour_id=${shed}&ready=true`).expect(200);
      expect(body.data).toMatchObject({ total: 1, planned: 1 });
    });

    it.each([
      ['ready=true', 'tasks_ready_idx'],
      ['blocked=true', 'tasks_blocked_idx'],
    ])('%s can be answered from an index', async (filter, index) => {
      const where = filter.startsWith('ready') ? `status = 'planned' AND blocked_by_count = 0` : 'blocked_by_count > 0';
      const [plan] = await app.database.query<{ 'QUERY PLAN': unknown }>(
        `EXPLAIN (FORMAT JSON) SELECT id FROM tasks WHERE endeavour_id = '${newId('endeavour')}' AND ${where}
         ORDER BY created_at DESC, id DESC LIMIT 50`,
      );
      expect(JSON.stringify(plan['QUERY PLAN'])).toContain(index);
    });
  });

  it('are visible to a token that is restricted to the endeavour', async () => {
    const [door, frame] = await tasks(2);
    await related(door, 'depends_on', frame);
    const sent = { name: 'Garden only', scopes: ['tasks:read', 'tasks:write'], endeavour_id: garden };
    const { body } = await app.as(ann).post('/auth/tokens').send(sent).expect(201);
    const robot = { ...ann, token: body.data.token };
    expect((await app.as(robot).get(`/tasks/${door}`).expect(200)).body.data.blocked_by).toEqual([frame]);
    await app.as(robot).patch(`/tasks/${frame}`).send(cancel).expect(200);
    expect((await app.as(robot).get(`/tasks/${door}`).expect(200)).body.data.blocked_by_count).toBe(0);
  });
});
