import { Random } from '../forging/random.js';
import { TestApp, type Person } from '../support/test-app.js';

interface Task {
  id: string;
  status: string;
  assignee_id: string | null;
  due_day: string | null;
  overdue: boolean;
}

type Test = (task: Task) => boolean;

describe('filter expressions', () => {
  let app: TestApp;
  let [ann, bob]: Person[] = [];
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open({ LIMIT_READS_PER_MINUTE: '100000', WORKERS: 'true' });
    [ann, bob] = [await app.person('Ann'), await app.person('Bob')];
    garden = await app.endeavour(ann, { timezone: 'UTC' });
    await app.join(garden, bob, 'member');
    const task = async (more: object, status?: string, canceled_reason?: string): Promise<void> => {
      const id = await app.task(ann, garden, more);
      if (status !== undefined) await app.as(ann).patch(`/tasks/${id}`).send({ status, canceled_reason }).expect(200);
    };
    for (const assignee_id of [ann.id, bob.id, undefined]) {
      for (const due_date of ['2026-11-01', '2030-05-02', undefined]) {
        for (const status of [undefined, 'active']) await task({ assignee_id, due_date }, status);
      }
    }
    await task({}, 'canceled', 'Rain');
  });

  afterAll(() => app.close());

  const list = (filter: string, more = '', person = ann) =>
    app.as(person).get(`/tasks?endeavour_id=${garden}&limit=200&filter=${encodeURIComponent(filter)}${more}`);
  const found = async (filter: string, more = ''): Promise<Task[]> => {
    const { body } = await list(filter, more).expect(200);
    expect(body.meta.total).toBe(body.data.length);
    return body.data;
  };
  const fault = async (filter: string): Promise<string> => {
    const { body } = await list(filter).expect(400);
    const [{ field, code, message }] = body.error.details.fields;
    return `${field} ${code} ${message}`;
  };

  it('find what an independent reading of the expression finds', async () => {
    const all = await found(`endeavour_id = ${garden}`);
    const isOpen: Test = ({ status }) => ['planned', 'active'].includes(status);
    const leaves: [string, Test][] = [
      ['status = "active"', ({ status }) => status === 'active'],
      ['status != planned', ({ status }) => status !== 'planned'],
      ['assignee_id = me', ({ assignee_id }) => assignee_id === ann.resourceId],
      [`assignee_id:"${bob.id}"`, ({ assignee_id }) => assignee_id === bob.resourceId],
      ['assignee_id = none', ({ assignee_id }) => assignee_id === null],
      ['assignee_id:*', ({ assignee_id }) => assignee_id !== null],
      ['unassigned = true', ({ assignee_id }) => assignee_id === null],
      ['overdue = true', (task) => isOpen(task) && task.due_day === '2026-11-01'],
      ['due_date < "2030-05-02"', ({ due_day }) => due_day !== null && due_day < '2030-05-02'],
      ['due_date <= 2030-05-02', ({ due_day }) => due_day !== null],
      ['due_date > 2026-11-01', ({ due_day }) => due_day !== null && due_day > '2026-11-01'],
      ['due_date >= 2026-11-01', ({ due_day }) => due_day !== null],
      ['due_date = 2026-11-01', ({ due_day }) => due_day === '2026-11-01'],
      ['due_date != 2026-11-01', ({ due_day }) => due_day !== '2026-11-01'],
      ['due_before = 2030-05-02', ({ due_day }) => due_day !== null && due_day < '2030-05-02'],
      ['created_at < "2020-01-01T00:00:00Z"', () => false],
      ['NOT completed_at >= "2020-01-01T00:00:00Z"', () => true],
    ];
    const random = new Random(7);
    const make = (depth: number): [string, Test] => {
      if (depth === 0 || random.chance(0.3)) return random.pick(leaves);
      const [[left, isLeft], [right, isRight]] = [make(depth - 1), make(depth - 1)];
      const kind = random.pick(['AND', 'OR', ' ', 'NOT', '-']);
      if (kind === 'AND' || kind === ' ')
        return [`(${left} ${kind} ${right})`, (task) => isLeft(task) && isRight(task)];
      if (kind === 'OR') return [`(${left} OR ${right})`, (task) => isLeft(task) || isRight(task)];
      return [`${kind}${kind === 'NOT' ? ' ' : ''}(${left})`, (task) => !isLeft(task)];
    };
    const sizes = new Set<number>();
    for (let turn = 0; turn < 80; turn++) {
      const [filter, test] = make(turn < leaves.length ? 1 : 4);
      const ids = (await found(filter)).map(({ id }) => id);
      expect([filter, ids]).toEqual([filter, all.filter(test).map(({ id }) => id)]);
      sizes.add(ids.length);
    }
    expect(sizes.size).toBeGreaterThan(5);
  });

  it('are read as AIP-160 says: OR binds more than AND', async () => {
    const open = await found('status = planned AND assignee_id = me OR assignee_id = none');
    const grouped = await found('status = planned AND (assignee_id = me OR assignee_id = none)');
    expect(open).toEqual(grouped);
    expect(open).not.toEqual(await found('(status = planned AND assignee_id = me) OR assignee_id = none'));
  });

  it('are the parameters themselves where they only join them', async () => {
    const plain = await app
      .as(ann)
      .get(`/tasks?endeavour_id=${garden}&status=planned&assignee_id=me&due_before=2030-05-02`)
      .expect(200);
    const same = await app
      .as(ann)
      .get(
        `/tasks?filter=${encodeURIComponent(
          `endeavour_id = ${garden} AND status = planned AND assignee_id = me AND due_date < 2030-05-02`,
        )}`,
      )
      .expect(200);
    expect(same.body).toEqual(plain.body);
  });

  it('restrict further what parameters ask for', async () => {
    expect(await found('status = active OR status = canceled', '&status=planned')).toEqual([]);
    expect(await found('status = active', '&status=planned')).toEqual([]);
    expect((await found('assignee_id = none', '&status=active')).length).toBe(3);
  });

  it('say what is wrong, and where', async () => {
    expect(await fault('status = activ')).toBe(
      'filter invalid_format At position 1: status: Must be one of planned, active, done, canceled.',
    );
    expect(await fault('status = active AND colour = red')).toMatch(
      /^filter invalid_format At position 21: colour is not one of status, stage, endeavour_id, .*due_date, completed_at\.$/,
    );
    expect(await fault('status < active')).toContain('At position 1: status has no order');
    expect(await fault('due_date:*')).toContain('due_date is compared with');
    expect(await fault('due_date > soon')).toContain('At position 1: due_after: Must be an RFC 3339 date-time');
    expect(await fault('status = "active,planned"')).toContain('status is compared with one value');
    expect(await fault('status = "!active"')).toContain('status is compared with one value');
    expect(await fault('status = ""')).toContain('status: Must have a value.');
    expect(await fault('summary = true')).toContain('summary is not one of');
    expect(await fault('filter = x')).toContain('filter is not one of');
    expect(await fault('status')).toContain('status is compared with nothing');
    expect(await fault(`status = active AND ${'x'.repeat(4_000)}`)).toBe(
      'filter too_long Must have at most 4000 characters.',
    );
  });

  it('filter demands, counts, bulk changes and claims alike', async () => {
    const [low] = [
      await app.demand(ann, garden, { priority: 'low' }),
      await app.demand(ann, garden, { priority: 'high' }),
    ];
    const demands = await app
      .as(ann)
      .get(`/demands?endeavour_id=${garden}&filter=${encodeURIComponent('priority = low OR priority = urgent')}`)
      .expect(200);
    expect(demands.body.data.map(({ id }: Task) => id)).toEqual([low]);
    const { body: counts } = await list('assignee_id = none', '&summary=true').expect(200);
    expect(counts.data).toMatchObject({ planned: 3, active: 3, canceled: 1 });
    const filter = { filter: 'status = canceled OR (status = planned AND due_date = 2030-05-02)' };
    const sent = { filter: { endeavour_id: garden, ...filter }, changes: { estimate: 3 }, dry_run: true };
    const { headers } = await app.as(ann).post('/tasks/bulk').send(sent).expect(202);
    const { body: bulk } = await app.ended(ann, headers.location);
    expect(bulk.data).toMatchObject({ status: 'succeeded', result: { changed: 4, refused: 0 } });
    const claimed = await app
      .as(bob)
      .post('/tasks/claim')
      .send({ endeavour_id: garden, filter: { filter: 'NOT due_date:2030-05-02' } })
      .expect(200);
    expect(claimed.body.data).toMatchObject({ due_day: '2026-11-01' });
  });
});
