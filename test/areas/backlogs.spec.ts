import { newId } from '../../src/common/ids.js';
import { race } from '../support/races.js';
import { fieldErrorsOf } from '../support/refusals.js';
import { TestApp, type Person } from '../support/test-app.js';

describe('backlogs', () => {
  let app: TestApp;
  let ann: Person;

  beforeAll(async () => {
    app = await TestApp.open({ WORKERS: 'true' });
    ann = await app.person('Ann', { tier: 3 });
  });

  afterAll(() => app.close());

  const read = async (path: string) => (await app.as(ann).get(path).expect(200)).body.data;
  const finished = async (operation: string): Promise<void> => {
    const { body } = await app.ended(ann, operation);
    expect(body.data).toMatchObject({ status: 'succeeded', error: null });
  };
  const patch = (path: string, body: object) => app.as(ann).patch(path).send(body);
  const titles = async (path: string): Promise<string[]> =>
    (await read(path)).map(({ title }: { title: string }) => title);

  describe('priorities', () => {
    let garden: string;
    let high: string;

    beforeEach(async () => {
      garden = await app.endeavour(ann);
      high = await app.demand(ann, garden, { priority: 'high' });
    });

    const prioritiesOf = async (id: string): Promise<unknown[]> => {
      const { priority, effective_priority } = await read(`/tasks/${id}`);
      return [priority, effective_priority];
    };

    it('of tasks are their own, else those of their demands, else medium', async () => {
      expect(await prioritiesOf(await app.task(ann, garden))).toEqual([null, 'medium']);
      const task = await app.task(ann, garden, { demand_id: high });
      expect(await prioritiesOf(task)).toEqual([null, 'high']);
      await patch(`/tasks/${task}`, { priority: 'low' }).expect(200);
      expect(await prioritiesOf(task)).toEqual(['low', 'low']);
      await patch(`/tasks/${task}`, { priority: null }).expect(200);
      expect(await prioritiesOf(task)).toEqual([null, 'high']);
      await patch(`/tasks/${task}`, { demand_id: null }).expect(200);
      expect(await prioritiesOf(task)).toEqual([null, 'medium']);
      const { body } = await patch(`/tasks/${task}`, { priority: 'odd', effective_priority: 'low' }).expect(400);
      expect(fieldErrorsOf(body)).toEqual(['priority invalid_value', 'effective_priority read_only']);
    });

    it('of demands change those of their tasks without own ones, whose revisions stay', async () => {
      const [own, other] = [
        await app.task(ann, garden, { demand_id: high, priority: 'low' }),
        await app.task(ann, garden, { demand_id: high }),
      ];
      const { revision } = await read(`/tasks/${other}`);
      await patch(`/demands/${high}`, { priority: 'urgent' }).expect(200);
      expect([await prioritiesOf(own), await prioritiesOf(other)]).toEqual([
        ['low', 'low'],
        [null, 'urgent'],
      ]);
      expect((await read(`/tasks/${other}`)).revision).toBe(revision);
    });

    it('filter and sort tasks by their meaning, also in expressions, bulk changes and claims', async () => {
      const task = (title: string, more: object) => app.task(ann, garden, { title, ...more });
      await task('low', { priority: 'low' });
      await task('of its demand', { demand_id: high });
      await task('urgent', { priority: 'urgent' });
      await task('medium', {});
      const list = (query: string) => titles(`/tasks?endeavour_id=${garden}&${query}`);
      expect(await list('sort=-priority')).toEqual(['urgent', 'of its demand', 'medium', 'low']);
      expect(await list('sort=priority')).toEqual(['low', 'medium', 'of its demand', 'urgent']);
      expect(await list('priority=high')).toEqual(['of its demand']);
      expect(await list('priority=!high,low&sort=-priority')).toEqual(['urgent', 'medium']);
      expect(
        await list(`filter=${encodeURIComponent('priority = "low" OR priority = "urgent"')}&sort=priority`),
      ).toEqual(['low', 'urgent']);
      const bulk = {
        filter: { endeavour_id: garden, priority: ['low', 'medium'] },
        changes: { priority: 'high', points: 3 },
      };
      await finished((await app.as(ann).post('/tasks/bulk').send(bulk).expect(202)).headers.location);
      expect(await list('priority=high&sort=number')).toEqual(['low', 'of its demand', 'medium']);
      const claim = { endeavour_id: garden, filter: { priority: 'high' } };
      expect((await app.as(ann).post('/tasks/claim').send(claim).expect(200)).body.data.title).toBe('low');
    });

    race('follow a demand that changes while tasks are added to it', 3, async () => {
      await Promise.all([
        ...Array.from({ length: 10 }, () => app.task(ann, garden, { demand_id: high })),
        ...['urgent', 'low'].map((priority) => patch(`/demands/${high}`, { priority }).expect(200)),
      ]);
      const { priority } = await read(`/demands/${high}`);
      expect(await read(`/tasks?endeavour_id=${garden}&priority=!${priority}`)).toEqual([]);
    });

    it('of tasks that another system knows are kept by its reference', async () => {
      const path = `/tasks/by-external/jira/G-1?endeavour_id=${garden}`;
      const created = await app.as(ann).put(path).send({ title: 'Dig', priority: 'high', points: 5 }).expect(201);
      expect(created.body.data).toMatchObject({ priority: 'high', effective_priority: 'high', points: 5 });
      const changed = await app.as(ann).put(path).send({ points: 8 }).expect(200);
      expect(changed.body.data).toMatchObject({ priority: 'high', points: 8 });
    });
  });

  it('have points, which are numbers from 0', async () => {
    const garden = await app.endeavour(ann);
    const id = await app.task(ann, garden, { points: 0.5 });
    expect((await patch(`/tasks/${id}`, { points: 13 }).expect(200)).body.data.points).toBe(13);
    await app.task(ann, garden);
    expect((await read(`/tasks?endeavour_id=${garden}&sort=-points`))[0].id).toBe(id);
    const { body } = await patch(`/tasks/${id}`, { points: -1 }).expect(400);
    expect(fieldErrorsOf(body)).toEqual(['points out_of_range']);
    expect((await patch(`/tasks/${id}`, { points: null }).expect(200)).body.data.points).toBeNull();
  });

  describe.each([
    { kind: 'tasks', make: (garden: string, title: string) => app.task(ann, garden, { title }) },
    { kind: 'demands', make: (garden: string, title: string) => app.demand(ann, garden, { title }) },
  ])('order of $kind', ({ kind, make }) => {
    let garden: string;
    let ids: string[];

    beforeEach(async () => {
      garden = await app.endeavour(ann);
      ids = [];
      for (const title of ['a', 'b', 'c', 'd']) ids.push(await make(garden, title));
    });

    const order = () => titles(`/${kind}?endeavour_id=${garden}&sort=rank`);
    const rank = (id: string, body: object) => app.as(ann).post(`/${kind}/${id}/rank`).send(body);

    it('is that of their creation until somebody moves one, of which only the revision changes', async () => {
      const [a, b, c, d] = ids;
      expect(await order()).toEqual(['a', 'b', 'c', 'd']);
      const { body } = await rank(d, { before: b }).expect(200);
      expect(body.data).toMatchObject({ id: d, revision: 2 });
      expect(await order()).toEqual(['a', 'd', 'b', 'c']);
      await rank(a, { after: b }).expect(200);
      expect(await order()).toEqual(['d', 'b', 'a', 'c']);
      await rank(c, { first: true }).expect(200);
      expect(await order()).toEqual(['c', 'd', 'b', 'a']);
      await rank(d, { last: true }).expect(200);
      expect(await order()).toEqual(['c', 'b', 'a', 'd']);
      await make(garden, 'new');
      expect(await order()).toEqual(['c', 'b', 'a', 'd', 'new']);
      expect((await read(`/${kind}/${b}`)).revision).toBe(1);
      expect(await titles(`/${kind}?endeavour_id=${garden}&sort=-rank&limit=2`)).toEqual(['new', 'd']);
    });

    it('stays, without a new revision, for what is there already', async () => {
      const [a, b, , d] = ids;
      const places: [string, object][] = [
        [a, { first: true }],
        [d, { last: true }],
        [b, { after: a }],
        [a, { before: b }],
        [b, { before: b }],
      ];
      for (const [id, place] of places) expect((await rank(id, place).expect(200)).body.data.revision).toBe(1);
      expect(await order()).toEqual(['a', 'b', 'c', 'd']);
    });

    it('is followed page by page', async () => {
      const [a, , , d] = ids;
      await rank(d, { before: a }).expect(200);
      const seen: string[] = [];
      let next = `/${kind}?endeavour_id=${garden}&sort=rank&limit=1&cursor=`;
      for (let page = 0; page < 4; page += 1) {
        const { body } = await app.as(ann).get(next).expect(200);
        seen.push(body.data[0].title);
        next = `/${kind}?endeavour_id=${garden}&sort=rank&limit=1&cursor=${body.meta.next_cursor}`;
      }
      expect(seen).toEqual(['d', 'a', 'b', 'c']);
    });

    it('takes keys, and refuses what is no place in the endeavour', async () => {
      const [a, b] = ids;
      const { key } = await read(`/${kind}/${b}`);
      await rank(a, { after: key }).expect(200);
      expect(await order()).toEqual(['b', 'a', 'c', 'd']);
      const elsewhere = await make(await app.endeavour(ann), 'x');
      for (const other of [elsewhere, newId(kind === 'tasks' ? 'task' : 'demand')]) {
        const { body } = await rank(a, { before: other }).expect(400);
        expect(fieldErrorsOf(body)).toEqual(['before reference_not_found']);
        expect(fieldErrorsOf((await rank(a, { after: other }).expect(400)).body)).toEqual([
          'after reference_not_found',
        ]);
      }
      for (const place of [
        {},
        { first: true, last: true },
        { first: false },
        { before: b, last: true },
        { last: false },
      ]) {
        expect(fieldErrorsOf((await rank(a, place).expect(400)).body)).toEqual(['before required']);
      }
      const { body } = await patch(`/${kind}/${a}`, { rank: 'zz' }).expect(400);
      expect(fieldErrorsOf(body)).toEqual(['rank read_only']);
      await app.as(ann).post(`/${kind}/${a}/rank`).set('If-Match', '"1"').send({ first: true }).expect(412);
    });

    it('cannot be changed by viewers, or in an archived endeavour', async () => {
      const vic = await app.person('Vic');
      await app.join(garden, vic, 'viewer');
      await app.as(vic).post(`/${kind}/${ids[0]}/rank`).send({ last: true }).expect(403);
      await app.as(ann).post(`/endeavours/${garden}/archive`).send({ reason: 'Over' }).expect(200);
      const { body } = await rank(ids[0], { last: true }).expect(409);
      expect(body.error.code).toBe('archived');
    });

    race('is the same for all after 50 concurrent moves', 2, async () => {
      const moves = Array.from({ length: 50 }, (_, at) => {
        const [id, other] = [ids[at % 4], ids[(at + 1 + (at % 3)) % 4]];
        const places = [{ first: true }, { last: true }, { before: other }, { after: other }];
        return rank(id, places[(at * 7) % 4]);
      });
      const statuses = (await Promise.all(moves)).map(({ status }) => status);
      expect(new Set(statuses)).toEqual(new Set([200]));
      const ranks = (await read(`/${kind}?endeavour_id=${garden}`)).map((one: { rank: string }) => one.rank);
      expect(new Set(ranks).size).toBe(4);
    });
  });

  it('forget the rank of a task that moves to another endeavour', async () => {
    const [from, to] = [await app.endeavour(ann), await app.endeavour(ann)];
    const [first, task] = [await app.task(ann, from), await app.task(ann, from)];
    await app.as(ann).post(`/tasks/${task}/rank`).send({ before: first }).expect(200);
    const { body } = await patch(`/tasks/${task}`, { endeavour_id: to }).expect(200);
    expect(body.data.rank).toBe(task.slice(4));
  });

  it('are exported and imported in their order, with priorities and points', async () => {
    const organization_id = await app.organization(ann);
    const garden = await app.endeavour(ann, { organization_id });
    const demand = await app.demand(ann, garden, { title: 'later', priority: 'high' });
    await app
      .as(ann)
      .post(`/demands/${await app.demand(ann, garden, { title: 'sooner' })}/rank`)
      .send({ before: demand });
    await app.task(ann, garden, { title: 'second', points: 3, demand_id: demand });
    await app
      .as(ann)
      .post(`/tasks/${await app.task(ann, garden, { title: 'first' })}/rank`)
      .send({ first: true });
    const document = (await app.as(ann).get(`/endeavours/${garden}/export`).expect(200)).body;
    const { headers } = await app
      .as(ann)
      .post(`/imports?format=worksmith&organization_id=${organization_id}`)
      .set('Content-Type', 'application/octet-stream')
      .send(JSON.stringify(document))
      .expect(202);
    await finished(headers.location);
    const copies = (await read(`/endeavours?organization_id=${organization_id}`)).map(({ id }: { id: string }) => id);
    const copy = copies.find((id: string) => id !== garden);
    expect(await titles(`/tasks?endeavour_id=${copy}&sort=rank`)).toEqual(['first', 'second']);
    expect(await titles(`/demands?endeavour_id=${copy}&sort=rank`)).toEqual(['sooner', 'later']);
    expect((await read(`/tasks?endeavour_id=${copy}&sort=rank`))[1]).toMatchObject({
      points: 3,
      effective_priority: 'high',
    });
  });
});
