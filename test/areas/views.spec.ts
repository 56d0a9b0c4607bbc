import { newId } from '../../src/common/ids.js';
import { race } from '../support/races.js';
import { fieldErrorsOf } from '../support/refusals.js';
import { TestApp, type Person } from '../support/test-app.js';

describe('views', () => {
  let app: TestApp;
  let [ann, vic, eve, mia]: Person[] = [];
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open();
    [ann, vic] = [await app.person('Ann', { tier: 3 }), await app.person('Vic')];
    [eve, mia] = [await app.person('Eve'), await app.person('Mia')];
    garden = await app.endeavour(ann);
    await app.join(garden, vic, 'viewer');
    await app.join(garden, mia, 'member');
  });

  afterAll(() => app.close());

  const create = (more: object = {}, person = ann) =>
    app
      .as(person)
      .post('/views')
      .send({ name: 'First', kind: 'task', query: { status: ['planned', 'active'] }, ...more });
  const made = async (more: object = {}, person = ann): Promise<string> =>
    (await create(more, person).expect(201)).body.data.id;
  const shared = (query: object, more: object = {}) => made({ endeavour_id: garden, query, ...more });
  const patch = (id: string, body: object, person = ann) => app.as(person).patch(`/views/${id}`).send(body);
  const list = async (path: string, person = ann) => (await app.as(person).get(path).expect(200)).body.data;
  const ids = async (path: string, person = ann): Promise<string[]> =>
    (await list(path, person)).map(({ id }: { id: string }) => id);
  const titles = async (path: string, person = ann): Promise<string[]> =>
    (await list(path, person)).map(({ title }: { title: string }) => title);

  it('are created by members, and returned completely', async () => {
    const { body, headers } = await create({
      endeavour_id: garden,
      query: { status: ['planned', 'active'], overdue: true, limit: 10 },
      columns: ['title', 'metadata.severity'],
      group_by: 'assignee_id',
    }).expect(201);
    expect(headers.location).toBe(`/api/v1/views/${body.data.id}`);
    expect(body.data).toEqual({
      id: expect.stringMatching(/^viw_[0-9a-f]{32}$/),
      name: 'First',
      kind: 'task',
      query: { status: 'planned,active', overdue: 'true', limit: '10' },
      columns: ['title', 'metadata.severity'],
      group_by: 'assignee_id',
      endeavour_id: garden,
      organization_id: null,
      is_default: false,
      created_by: ann.resourceId,
      created_at: expect.any(String),
      updated_at: body.data.created_at,
      revision: 1,
    });
    await create({ endeavour_id: garden }, vic).expect(403);
    await create({ endeavour_id: garden }, eve).expect(400);
    await create({ endeavour_id: garden }, mia).expect(201);
  });

  it('name every malformed field, and every fault of the query', async () => {
    expect(fieldErrorsOf((await create({ name: '', kind: 'note', query: { status: 5.5 } }).expect(400)).body)).toEqual([
      'name too_short',
      'kind invalid_value',
      'query.status invalid_type',
    ]);
    const query = { status: 'green', colour: 'red', cursor: 'x', view: 'compact', summary: true, filter: 'size = 1' };
    const { body } = await create({ query, columns: ['title', 'size'], group_by: 'size' }).expect(400);
    expect(fieldErrorsOf(body).toSorted()).toEqual([
      'columns.1 invalid_value',
      'group_by invalid_value',
      'query.colour unknown_field',
      'query.cursor unknown_field',
      'query.filter invalid_format',
      'query.status invalid_value',
      'query.summary unknown_field',
      'query.view unknown_field',
    ]);
    const both = await create({ endeavour_id: garden, organization_id: newId('organization') }).expect(400);
    expect(fieldErrorsOf(both.body)).toEqual(['organization_id invalid_value']);
    const { body: large } = await create({ query: { search: 'a'.repeat(10_000) } }).expect(400);
    expect(fieldErrorsOf(large)).toEqual(['query too_long']);
  });

  it('can list an iteration, also by what it is to the day', async () => {
    const yard = await app.endeavour(ann);
    const days = { start_day: '2040-01-02', end_day: '2040-01-13' };
    const sprint = { name: 'First', endeavour_id: yard, ...days };
    const { body } = await app.as(ann).post('/iterations').send(sprint).expect(201);
    const inside = await app.task(ann, yard, { iteration_id: body.data.id });
    const outside = await app.task(ann, yard);
    const listed = async (query: object): Promise<string[]> =>
      ids(`/tasks?view=${await made({ endeavour_id: yard, query })}`);
    expect(await listed({ endeavour_id: yard, iteration: 'next' })).toEqual([inside]);
    expect(await listed({ endeavour_id: yard, iteration: 'none' })).toEqual([outside]);
    expect(await listed({ iteration: body.data.id })).toEqual([inside]);
  });

  it('are changed with merge patches, also of the query, unless the revision is stale', async () => {
    const id = await shared({ status: 'planned', overdue: 'true' });
    const { body } = await patch(id, { name: 'Second', query: { overdue: null, unassigned: true } })
      .set('If-Match', '"1"')
      .expect(200);
    expect(body.data).toMatchObject({ name: 'Second', query: { status: 'planned', unassigned: 'true' }, revision: 2 });
    await patch(id, { name: 'Third' }).set('If-Match', '"1"').expect(412);
    expect(fieldErrorsOf((await patch(id, { query: { colour: 'red' }, kind: 'demand' }).expect(400)).body)).toEqual([
      'kind read_only',
    ]);
    expect(fieldErrorsOf((await patch(id, { query: { colour: 'red' } }).expect(400)).body)).toEqual([
      'query.colour unknown_field',
    ]);
    await patch(id, { name: 'Third' }, vic).expect(403);
    const history = await list(`/views/${id}/changes`);
    expect(history.map(({ type }: { type: string }) => type)).toEqual(['view.updated', 'view.created']);
  });

  it('are listed where they are visible: own ones by one person, shared ones by members', async () => {
    const lawn = await app.endeavour(ann);
    const [first, second] = [
      await made({ name: 'Green', endeavour_id: lawn }),
      await made({ name: 'Blue', endeavour_id: lawn, kind: 'demand', query: {} }),
    ];
    const own = await made({ name: 'Mine' });
    expect(await ids(`/views?endeavour_id=${lawn}&sort=name`)).toEqual([second, first]);
    expect(await ids(`/views?endeavour_id=${lawn}&search=gree`)).toEqual([first]);
    expect(await ids(`/views?endeavour_id=${lawn}&kind=demand`)).toEqual([second]);
    expect(await ids('/views?endeavour_id=none&organization_id=none')).toEqual([own]);
    expect(await ids('/views?personal=true&created_by=me')).toEqual([own]);
    expect(await ids(`/views?personal=false&endeavour_id=${lawn}&sort=created_at`)).toEqual([first, second]);
    expect(await ids(`/views?endeavour_id=${lawn}`, eve)).toEqual([]);
    expect(await ids('/views?personal=true', eve)).toEqual([]);
    await app.as(eve).get(`/views/${own}`).expect(404);
  });

  it('have one default of each kind in a container', async () => {
    const lawn = await app.endeavour(ann);
    const [first, second, other] = [
      await made({ endeavour_id: lawn, is_default: true }),
      await made({ endeavour_id: lawn, is_default: true }),
      await made({ endeavour_id: lawn, is_default: true, kind: 'demand', query: {} }),
    ];
    expect(await ids(`/views?endeavour_id=${lawn}&is_default=true&sort=created_at`)).toEqual([second, other]);
    await patch(first, { is_default: true }).set('If-Match', '"2"').expect(200);
    expect(await ids(`/views?endeavour_id=${lawn}&is_default=true&sort=created_at`)).toEqual([first, other]);
    expect(await ids(`/views?endeavour_id=${lawn}&is_default=false`)).toEqual([second]);
    const [mine, theirs] = [await made({ is_default: true }), await made({ is_default: true }, eve)];
    expect(await ids('/views?personal=true&is_default=true')).toEqual([mine]);
    expect(await ids('/views?personal=true&is_default=true', eve)).toEqual([theirs]);
  });

  race('have one default however many are made at once', 2, async () => {
    const lawn = await app.endeavour(ann);
    const views = await Promise.all(
      Array.from({ length: 6 }, (_, n) => made({ endeavour_id: lawn, is_default: n % 2 === 0 })),
    );
    await Promise.all(views.map((id) => patch(id, { is_default: true }).expect(200)));
    expect(await ids(`/views?endeavour_id=${lawn}&is_default=true`)).toHaveLength(1);
  });

  it('are at most 1,000 in a container', async () => {
    const lawn = await app.endeavour(ann);
    const first = await made({ endeavour_id: lawn });
    await app.database.query(
      `WITH copies AS (SELECT 'viw_' || replace(gen_random_uuid()::text, '-', '') AS id FROM generate_series(1, 999)),
         placed AS (INSERT INTO entities (id, kind, endeavour_id, title) SELECT c.id, 'view', $2, 'First' FROM copies c)
       INSERT INTO views (id, name, kind, query, endeavour_id, container_id, created_by)
       SELECT c.id, v.name, v.kind, v.query, v.endeavour_id, v.container_id, v.created_by FROM copies c, views v WHERE v.id = $1`,
      [first, lawn],
    );
    const { body } = await create({ endeavour_id: lawn }).expect(409);
    expect(body.error.details.reason).toBe('too_many_views');
    await app.as(ann).delete(`/views/${first}`).expect(200);
    await create({ endeavour_id: lawn }).expect(201);
  });

  it('are gone once they are deleted', async () => {
    const id = await shared({});
    await app.as(vic).delete(`/views/${id}`).expect(403);
    await app.as(ann).delete(`/views/${id}`).expect(200);
    await app.as(ann).get(`/views/${id}`).expect(404);
    await app.as(ann).get(`/tasks?view=${id}`).expect(404);
    expect(await ids(`/views?endeavour_id=${garden}`)).not.toContain(id);
  });

  it('of archived containers cannot be made or changed', async () => {
    const shed = await app.endeavour(ann);
    const id = await made({ endeavour_id: shed });
    await app.as(ann).post(`/endeavours/${shed}/archive`).send({ reason: 'Season over' }).expect(200);
    await create({ endeavour_id: shed }).expect(409);
    await patch(id, { name: 'Late' }).expect(409);
    await app.as(ann).delete(`/views/${id}`).expect(409);
    expect(await ids(`/views?endeavour_id=${shed}&archived=true`)).toEqual([id]);
  });

  it('are out of sight of those who leave, who keep their own without what it listed', async () => {
    const lawn = await app.endeavour(ann);
    await app.join(lawn, mia, 'member');
    await app.task(ann, lawn);
    const [theirs, own] = [
      await made({ endeavour_id: lawn, query: {}, is_default: true }, mia),
      await made({ query: { endeavour_id: lawn } }, mia),
    ];
    expect(await titles(`/tasks?view=${own}`, mia)).toHaveLength(1);
    await app.as(ann).delete(`/endeavours/${lawn}/members/${mia.id}`).expect(200);
    await app.as(mia).get(`/views/${theirs}`).expect(404);
    await app.as(mia).get(`/tasks?view=${theirs}`).expect(404);
    await app.as(mia).get(`/views/${theirs}/count`).expect(404);
    await patch(theirs, { name: 'Mine' }, mia).expect(404);
    expect(await titles(`/tasks?view=${own}`, mia)).toEqual([]);
    expect(await list(`/views/${own}/count`, mia)).toEqual({ total: 0 });
    await patch(theirs, { name: 'Ours' }).expect(200);
  });

  it('of organizations are shared by their members', async () => {
    const company = await app.organization(ann);
    await app.join(company, eve, 'guest');
    const id = await made({ organization_id: company });
    expect(await ids(`/views?organization_id=${company}`, eve)).toEqual([id]);
    await create({ organization_id: company }, eve).expect(403);
  });

  describe('in lists', () => {
    let lawn: string;
    let demand: string;

    beforeAll(async () => {
      lawn = await app.endeavour(ann);
      await app.join(lawn, vic, 'viewer');
      demand = await app.demand(ann, lawn, { title: 'Shade', priority: 'high' });
      const task = (title: string, more: object = {}) => app.task(ann, lawn, { title, ...more });
      await task('dig', { priority: 'low', assignee_id: 'me' });
      await task('mow', { priority: 'high', assignee_id: 'me' });
      await task('sow', { priority: 'high', demand_id: demand });
      await task('rake', { priority: 'urgent' });
    });

    const saved = (query: object, kind = 'task') => made({ query, kind, endeavour_id: lawn });

    it('list what matches the query, in its order, with its fields', async () => {
      const id = await saved({ endeavour_id: lawn, priority: 'high,urgent', sort: 'title', fields: 'title', limit: 2 });
      const { body, headers } = await app.as(ann).get(`/tasks?view=${id}`).expect(200);
      expect(body.data).toEqual([{ title: 'mow' }, { title: 'rake' }]);
      expect(body.meta).toMatchObject({ total: 3, limit: 2 });
      expect(headers['content-type']).toContain('profile=partial');
      const next = /<\/api\/v1([^>]*)>/.exec(headers.link)?.[1] ?? '';
      expect((await app.as(ann).get(next).expect(200)).body.data).toEqual([{ title: 'sow' }]);
      expect(await titles(`/tasks?view=${id}&limit=3&sort=-title&fields=title`)).toEqual(['sow', 'rake', 'mow']);
      const csv = await app.as(ann).get(`/tasks?view=${id}`).set('Accept', 'text/csv').expect(200);
      expect(csv.text.trim().split(/\r?\n/)).toEqual(['title', 'mow', 'rake', 'sow']);
    });

    it('must match together with the parameters of the request, also of the same name', async () => {
      const id = await saved({ endeavour_id: lawn, priority: 'high,urgent', sort: 'title' });
      expect(await titles(`/tasks?view=${id}&priority=low,high`)).toEqual(['mow', 'sow']);
      expect(await titles(`/tasks?view=${id}&assignee_id=none`)).toEqual(['rake', 'sow']);
      expect(await titles(`/tasks?view=${id}&endeavour_id=${garden}`)).toEqual([]);
      const filter = encodeURIComponent('priority = "high" OR assignee_id = me');
      expect(await titles(`/tasks?view=${id}&filter=${filter}`)).toEqual(['mow', 'sow']);
      expect((await list(`/tasks?view=${id}&summary=true&priority=urgent`)).planned).toBe(1);
    });

    it('combine expressions, searches and archives with those of the request', async () => {
      const id = await saved({
        endeavour_id: lawn,
        filter: 'priority != "low" AND NOT assignee_id = me',
        sort: 'title',
      });
      expect(await titles(`/tasks?view=${id}`)).toEqual(['rake', 'sow']);
      expect(await titles(`/tasks?view=${id}&filter=${encodeURIComponent('priority = "urgent"')}`)).toEqual(['rake']);
      const found = await saved({ endeavour_id: lawn, search: 'rake' });
      expect(await titles(`/tasks?view=${found}`)).toEqual(['rake']);
      expect(await titles(`/tasks?view=${found}&search=rake`)).toEqual(['rake']);
      expect(await titles(`/tasks?view=${found}&search=sow`)).toEqual([]);
      const old = await saved({ endeavour_id: lawn, archived: 'true' });
      const any = await saved({ endeavour_id: lawn, archived: 'any', sort: 'title' });
      expect(await titles(`/tasks?view=${old}`)).toEqual([]);
      expect(await titles(`/tasks?view=${old}&archived=any`)).toEqual([]);
      expect(await titles(`/tasks?view=${old}&archived=false`)).toEqual([]);
      expect(await titles(`/tasks?view=${any}&archived=false`)).toHaveLength(4);
    });

    it('mean all or any of their labels, whatever the request means by its own', async () => {
      const hedge = await app.endeavour(ann);
      for (const labels of [['a'], ['b'], ['a', 'b'], ['a', 'b', 'c']]) {
        await app.task(ann, hedge, { title: labels.join(''), labels });
      }
      const any = await saved({ endeavour_id: hedge, label: 'a,b', sort: 'title' });
      const all = await saved({ endeavour_id: hedge, label: ['a', 'b'], 'label.all': true, sort: 'title' });
      expect(await titles(`/tasks?view=${any}`)).toEqual(['a', 'ab', 'abc', 'b']);
      expect(await titles(`/tasks?view=${all}`)).toEqual(['ab', 'abc']);
      expect(await titles(`/tasks?view=${any}&label=b,c&label.all=true`)).toEqual(['abc']);
      expect(await titles(`/tasks?view=${all}&label=b,c`)).toEqual(['ab', 'abc']);
      expect(await titles(`/tasks?view=${all}&label=!c`)).toEqual(['ab']);
    });

    it('show every reader what that reader sees, and mean the reader by me', async () => {
      const id = await saved({ assignee_id: 'me', endeavour_id: lawn, sort: 'title' });
      expect(await titles(`/tasks?view=${id}`)).toEqual(['dig', 'mow']);
      expect(await titles(`/tasks?view=${id}`, vic)).toEqual([]);
      await app.as(eve).get(`/tasks?view=${id}`).expect(404);
      await app
        .as(ann)
        .get(`/tasks?view=${newId('view')}`)
        .expect(404);
      const { body: absent } = await app
        .as(ann)
        .get(`/demands?view=${newId('view')}`)
        .expect(404);
      expect(absent.error.code).toBe('not_found');
    });

    it('take keys of tasks and demands, and several sort keys with the endeavour of the query', async () => {
      const { key } = await list(`/demands/${demand}`);
      const id = await saved({ endeavour_id: lawn, demand_id: key, sort: 'priority,title' });
      expect((await list(`/views/${id}`)).query.demand_id).toBe(demand);
      expect(await titles(`/tasks?view=${id}`)).toEqual(['sow']);
    });

    it('of demands list demands, and nothing else', async () => {
      const id = await saved({ endeavour_id: lawn, priority: 'high' }, 'demand');
      expect(await titles(`/demands?view=${id}`)).toEqual(['Shade']);
      expect(await titles(`/demands?view=${id}&priority=low`)).toEqual([]);
      const { body } = await app.as(ann).get(`/tasks?view=${id}`).expect(400);
      expect(fieldErrorsOf(body)).toEqual(['view invalid_value']);
      await app.as(ann).get(`/artifacts?view=${id}`).expect(400);
      expect((await list(`/tasks?view=compact&endeavour_id=${lawn}`))[0]).not.toHaveProperty('metadata');
    });

    it('are counted', async () => {
      const id = await saved({ endeavour_id: lawn, priority: 'high', limit: 1, fields: 'id' });
      expect(await list(`/views/${id}/count`)).toEqual({ total: 2 });
      expect(await list(`/views/${id}/count`, vic)).toEqual({ total: 2 });
      await app.as(eve).get(`/views/${id}/count`).expect(404);
    });

    it('are empty when what they name is gone, and say what is no longer valid', async () => {
      const shed = await app.endeavour(ann);
      const id = await saved({ endeavour_id: shed, demand_id: newId('demand') });
      await app.as(ann).post(`/endeavours/${shed}/archive`).send({ reason: 'Over' }).expect(200);
      expect(await titles(`/tasks?view=${id}`)).toEqual([]);
      // As a release would leave it that no longer knows what was saved.
      await app.database.query(
        `UPDATE views SET query = '{"status": "green", "sort": "colour", "size": "1"}' WHERE id = $1`,
        [id],
      );
      for (const path of [`/tasks?view=${id}`, `/views/${id}/count`]) {
        const { body } = await app.as(ann).get(path).expect(400);
        expect(fieldErrorsOf(body)).toEqual(['view invalid_value', 'view invalid_value', 'view invalid_value']);
      }
    });
  });

  it('are exported, without the ids of what they find elsewhere', async () => {
    const field = await app.endeavour(ann);
    const demand = await app.demand(ann, field);
    const elsewhere = await app.endeavour(ann);
    await made({ endeavour_id: field, query: { endeavour_id: field, demand_id: demand } });
    await made({ name: 'Elsewhere', endeavour_id: field, query: { endeavour_id: elsewhere } });
    const { body } = await app.as(ann).get(`/endeavours/${field}/export`).expect(200);
    expect(body.views.map(({ name, query }: { name: string; query: object }) => [name, query])).toEqual([
      ['First', { endeavour_id: field, demand_id: demand }],
      ['Elsewhere', { endeavour_id: null }],
    ]);
  });
});
