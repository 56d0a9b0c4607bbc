import { race } from '../support/races.js';
import { fieldErrorsOf } from '../support/refusals.js';
import { TestApp, type Person } from '../support/test-app.js';

describe('parts of tasks', () => {
  let app: TestApp;
  let ann: Person;
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open({ WORKERS: 'true' });
    ann = await app.person('Ann', { tier: 3 });
  });

  afterAll(() => app.close());

  beforeEach(async () => {
    garden = await app.endeavour(ann);
  });

  const task = (title: string, endeavour = garden) => app.task(ann, endeavour, { title });
  const contain = (source: string, target: string) =>
    app.as(ann).post('/relations').send({
      relationship_type: 'parent_of',
      source_entity_type: 'task',
      source_entity_id: source,
      target_entity_type: 'task',
      target_entity_id: target,
    });
  const titles = async (query: string): Promise<string[]> => {
    const { body } = await app.as(ann).get(`/tasks?sort=title&${query}`).expect(200);
    return body.data.map(({ title }: { title: string }) => title);
  };
  const reasonOf = ({ body }: { body: { error: { details: { reason: string; limit?: number } } } }) =>
    body.error.details;
  /** A chain of tasks, each a part of the one before. */
  const chain = async (length: number, endeavour = garden): Promise<string[]> => {
    const ids: string[] = [];
    for (let level = 0; level < length; level += 1) {
      ids.push(await task(String(level), endeavour));
      if (level > 0) await contain(ids[level - 1], ids[level]).expect(201);
    }
    return ids;
  };

  it('are filtered by their parent, by all above them, and by having none', async () => {
    const [top, middle, bottom] = await chain(3);
    const elsewhere = await task('elsewhere', await app.endeavour(ann));
    await contain(top, elsewhere).expect(201);
    await task('alone');
    const found = (query: string) => titles(`endeavour_id=${garden}&${query}`);
    expect(await titles(`parent_id=${top}`)).toEqual(['1']);
    expect(await found(`parent_id=${top},${middle}`)).toEqual(['1', '2']);
    expect(await found(`parent_id=!${top}`)).toEqual(['0', '2', 'alone']);
    expect(await found('parent_id=none')).toEqual(['0', 'alone']);
    expect(await found('parent_id=!none')).toEqual(['1', '2']);
    expect(await titles('parent_id=none')).toContain('elsewhere');
    expect(await titles(`under=${top}`)).toEqual(['1', '2']);
    expect(await found(`under=${middle}`)).toEqual(['2']);
    expect(await found(`under=!${middle}`)).toEqual(['0', '1', 'alone']);
    expect(await found(`under=${bottom}`)).toEqual([]);
    const filter = encodeURIComponent(`under = ${top} AND NOT parent_id = ${top}`);
    expect(await found(`filter=${filter}`)).toEqual(['2']);
    const { body } = await app.as(ann).get(`/tasks/summary?under=${top}`).expect(200);
    expect(body.data).toMatchObject({ total: 2, planned: 2 });
    const { body: graph } = await app.as(ann).get(`/endeavours/${garden}/dependencies?under=${top}`).expect(200);
    expect(graph.data.nodes.map(({ id }: { id: string }) => id).sort()).toEqual([middle, bottom].sort());
    await app.as(ann).get('/tasks?parent_id=me').expect(400);
  });

  it('name their parent in bodies, and show parent and children where one is read', async () => {
    const top = await task('top');
    const { key } = (await app.as(ann).get(`/tasks/${top}`).expect(200)).body.data;
    const id = await app.task(ann, garden, { title: 'part', parent_id: key });
    const done = await app.task(ann, garden, { title: 'done', parent_id: top });
    const read = async (one: string) => (await app.as(ann).get(`/tasks/${one}`).expect(200)).body.data;
    const patch = (one: string, body: object) => app.as(ann).patch(`/tasks/${one}`).send(body);
    await patch(done, { status: 'active' }).expect(200);
    expect(await read(id)).toMatchObject({
      parent: { id: top, key, title: 'top' },
      children: { planned: 0, active: 0, done: 0, canceled: 0 },
    });
    expect(await read(top)).toMatchObject({ parent: null, children: { planned: 1, active: 1, done: 0, canceled: 0 } });
    const { body } = await app.as(ann).get(`/tasks/${id}?fields=parent`).expect(200);
    expect(body.data).toEqual({ parent: { id: top, key, title: 'top' } });
    const other = await task('other');
    const changed = await patch(id, { parent_id: other }).expect(200);
    const again = await app.as(ann).get(`/tasks/${id}`).set('If-None-Match', changed.headers.etag);
    expect(again.status).toBe(304);
    expect(await titles(`parent_id=${other}`)).toEqual(['part']);
    await patch(id, { parent_id: other, title: 'Part' }).expect(200);
    await patch(id, { parent_id: null }).expect(200);
    await patch(id, { parent_id: null }).expect(200);
    expect(await titles(`endeavour_id=${garden}&parent_id=none`)).toEqual(['other', 'Part', 'top']);
  });

  it('are in lists whose fields name them, and in no others', async () => {
    const [top, middle] = await chain(3);
    const elsewhere = await task('elsewhere', await app.endeavour(ann));
    await contain(top, elsewhere).expect(201);
    await contain(elsewhere, await task('inner')).expect(201);
    const { key } = (await app.as(ann).get(`/tasks/${top}`).expect(200)).body.data;
    await app.as(ann).patch(`/tasks/${middle}`).send({ status: 'active' }).expect(200);
    const list = async (query: string, person = ann) =>
      (await app.as(person).get(`/tasks?endeavour_id=${garden}&sort=title&${query}`).expect(200)).body.data;
    const none = { planned: 0, active: 0, done: 0, canceled: 0 };
    expect(await list('fields=title,parent,children')).toEqual([
      { title: '0', parent: null, children: { ...none, active: 1 } },
      { title: '1', parent: { id: top, key, title: '0' }, children: { ...none, planned: 1 } },
      { title: '2', parent: expect.objectContaining({ id: middle }), children: none },
      { title: 'inner', parent: null, children: none },
    ]);
    // With a search and by all containers, lists are read in other ways.
    expect(await list('fields=children&search=inner')).toEqual([{ children: none }]);
    const { body } = await app.as(ann).get('/tasks?fields=id,parent&limit=200').expect(200);
    expect(body.data).toContainEqual({ id: middle, parent: { id: top, key, title: '0' } });
    const vic = await app.person('Vic');
    await app.join(garden, vic, 'viewer');
    expect(await list('fields=parent&parent_id=!none', vic)).toHaveLength(2);
    for (const row of [...(await list('')), ...(await list('view=compact'))]) {
      expect(Object.keys(row)).not.toEqual(expect.arrayContaining(['parent']));
      expect(Object.keys(row)).not.toEqual(expect.arrayContaining(['children']));
    }
    const table = (query: string) =>
      app.as(ann).get(`/tasks?endeavour_id=${garden}&sort=title&${query}`).set('Accept', 'text/csv').expect(200);
    expect((await table('')).text.split('\r\n')[0].split(',')).not.toContain('children');
    expect((await table('fields=title,children')).text.split('\r\n').slice(0, 2)).toEqual([
      'title,children',
      '0,"{""planned"":0,""active"":1,""done"":0,""canceled"":0}"',
    ]);
    const view = { name: 'Tree', kind: 'task', columns: ['title', 'parent'], query: { fields: 'title,parent' } };
    const saved = await app.as(ann).post('/views').send(view).expect(201);
    expect(await list(`view=${saved.body.data.id}&parent_id=${top}`)).toEqual([
      { title: '1', parent: { id: top, key, title: '0' } },
    ]);
  });

  it('cannot have a parent that is elsewhere, invisible, the task itself or below it', async () => {
    const eve = await app.person('Eve');
    const hidden = await app.task(eve, await app.endeavour(eve));
    const elsewhere = await task('elsewhere', await app.endeavour(ann));
    const [a, b] = [await task('a'), await task('b')];
    const patch = (one: string, body: object) => app.as(ann).patch(`/tasks/${one}`).send(body);
    for (const parent_id of [hidden, elsewhere, a]) {
      const { body } = await patch(a, { parent_id }).expect(400);
      expect(fieldErrorsOf(body)).toEqual(['parent_id reference_not_found']);
    }
    await patch(b, { parent_id: a }).expect(200);
    expect(reasonOf(await patch(a, { parent_id: b }).expect(409))).toMatchObject({ reason: 'cycle' });
    await patch(b, { parent_id: 'me' }).expect(400);
  });

  it('change in bulk', async () => {
    const [top, a, b] = [await task('top'), await task('a'), await task('b')];
    await app.as(ann).patch(`/tasks/${a}`).send({ parent_id: top }).expect(200);
    const bulk = async (changes: object, dry_run: boolean) => {
      const sent = { filter: { endeavour_id: garden }, changes, dry_run };
      const { headers } = await app.as(ann).post('/tasks/bulk').send(sent).expect(202);
      const { body } = await app.ended(ann, headers.location);
      return body.data.result;
    };
    expect(await bulk({ parent_id: top }, true)).toMatchObject({ changed: 2 });
    const result = await bulk({ parent_id: top }, false);
    expect(result).toMatchObject({ changed: 1, unchanged: 1, refused: 1 });
    expect(result.refusals).toMatchObject([{ id: top, code: 'invalid_input' }]);
    expect(await titles(`parent_id=${top}`)).toEqual(['a', 'b']);
    expect((await app.as(ann).get(`/tasks/${b}`).expect(200)).body.data.parent.id).toBe(top);
  });

  it('have one parent in their endeavour', async () => {
    const [a, b, part] = [await task('a'), await task('b'), await task('part')];
    const { body } = await contain(a, part).expect(201);
    expect(reasonOf(await contain(b, part).expect(409))).toMatchObject({ reason: 'has_parent' });
    expect(reasonOf(await contain(a, part).expect(409))).toMatchObject({ reason: 'duplicate_relation' });
    await app.as(ann).delete(`/relations/${body.data.id}`).expect(200);
    await contain(b, part).expect(201);
  });

  it('have at most five levels', async () => {
    const ids = await chain(6);
    const [top, more] = [await task('top'), await task('more')];
    const refused = { reason: 'too_deep', limit: 5 };
    expect(reasonOf(await contain(ids[5], more).expect(409))).toEqual(refused);
    expect(reasonOf(await contain(top, ids[0]).expect(409))).toEqual(refused);
    await contain(ids[4], more).expect(201);
  });

  it('are shown where a task and its part have moved to', async () => {
    const [whole, part] = await chain(2);
    const shed = await app.endeavour(ann);
    const shown = async (id: string) => (await app.as(ann).get(`/tasks/${id}`).expect(200)).body.data;
    const move = (id: string) => app.as(ann).patch(`/tasks/${id}`).send({ endeavour_id: shed }).expect(200);
    await move(part);
    expect(await shown(part)).toMatchObject({ parent: null });
    await move(whole);
    expect(await shown(part)).toMatchObject({ parent: { id: whole } });
    expect(await shown(whole)).toMatchObject({
      parent: null,
      children: { planned: 1, active: 0, done: 0, canceled: 0 },
    });
  });

  it('are checked where a task moves to', async () => {
    const yard = await app.endeavour(ann);
    const [a, b, part] = [await task('a'), await task('b'), await task('part', yard)];
    await contain(a, part).expect(201);
    await contain(b, part).expect(201);
    const move = (id: string) => app.as(ann).patch(`/tasks/${id}`).send({ endeavour_id: garden });
    expect(reasonOf(await move(part).expect(409))).toMatchObject({ reason: 'has_parent' });
    const [whole, shared] = [await task('whole', yard), await task('shared')];
    await contain(a, shared).expect(201);
    await contain(whole, shared).expect(201);
    expect(reasonOf(await move(whole).expect(409))).toMatchObject({ reason: 'has_parent' });
    const ids = await chain(6);
    const low = await task('low', yard);
    await contain(ids[5], low).expect(201);
    expect(reasonOf(await move(low).expect(409))).toEqual({ reason: 'too_deep', limit: 5 });
  });

  race('have one parent after concurrent requests', 5, async () => {
    const [a, b, part] = [await task('a'), await task('b'), await task('part')];
    const answers = await Promise.all([contain(a, part), contain(b, part)]);
    expect(answers.map(({ status }) => status).sort((x, y) => x - y)).toEqual([201, 409]);
  });
});
