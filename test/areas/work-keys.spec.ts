import { newId } from '../../src/common/ids.js';
import { race } from '../support/races.js';
import { fieldErrorsOf } from '../support/refusals.js';
import { TestApp, type Person } from '../support/test-app.js';
import { tokenOf } from '../support/tokens.js';

describe('keys', () => {
  let app: TestApp;
  let ann: Person;

  beforeAll(async () => {
    app = await TestApp.open();
    ann = await app.person('Ann', { tier: 3 });
  });

  afterAll(() => app.close());

  const read = async (path: string, person = ann) => (await app.as(person).get(path).expect(200)).body.data;
  const keyOf = async (id: string): Promise<string> =>
    (await read(`/${id.startsWith('tsk_') ? 'tasks' : 'demands'}/${id}`)).key;
  const homeless = async (key: string, owner = ann): Promise<string> => {
    const id = await app.endeavour(owner, { key });
    return id;
  };

  describe('of endeavours', () => {
    it.each([
      ['Open the garden', 'OTG'],
      ['Website', 'WEBS'],
      ['Über uns', 'UU'],
      ['Q', 'Q1'],
      ['2026 plan', 'P1'],
      ['花园', 'WORK'],
    ])('are made from the name: %s', async (name, key) => {
      const eve = await app.person('Eve');
      const id = await app.endeavour(eve, { name });
      expect((await read(`/endeavours/${id}`, eve)).key).toBe(key);
    });

    it('get a number if they are taken in the home, and are independent between homes', async () => {
      const [home, other] = [await app.organization(ann), await app.organization(ann)];
      const made = async (organization_id: string) =>
        (await read(`/endeavours/${await app.endeavour(ann, { name: 'Shop', organization_id })}`)).key;
      expect([await made(home), await made(home), await made(home), await made(other)]).toEqual([
        'SHOP',
        'SHOP2',
        'SHOP3',
        'SHOP',
      ]);
    });

    it('can be chosen and changed; a former key stays reserved in the home, and its owner can have it again', async () => {
      const organization_id = await app.organization(ann);
      const shop = await app.endeavour(ann, { organization_id, key: 'SHOP' });
      const create = (key: string) => app.as(ann).post('/endeavours').send({ name: 'Other', key, organization_id });
      const change = (key: string) => app.as(ann).patch(`/endeavours/${shop}`).send({ key });
      const { body } = await create('SHOP').expect(409);
      expect(body.error.details).toEqual({ reason: 'key_taken' });
      expect((await change('STORE').expect(200)).body.data).toMatchObject({ key: 'STORE', revision: 2 });
      await create('SHOP').expect(409);
      const other = (await create('OTHER').expect(201)).body.data.id;
      await app.as(ann).patch(`/endeavours/${other}`).send({ key: 'SHOP' }).expect(409);
      expect(await read(`/endeavours/${other}`)).toMatchObject({ key: 'OTHER', revision: 1 });
      expect((await change('SHOP').expect(200)).body.data.key).toBe('SHOP');
    });

    it('have 2 to 10 capital letters and digits, of which the first is a letter', async () => {
      for (const key of ['A', 'shop', '2SHOP', 'SHOP-1', 'ABCDEFGHIJK', 'SH OP', 7]) {
        await app.as(ann).post('/endeavours').send({ name: 'Shop', key }).expect(400);
      }
      const id = await app.endeavour(ann);
      const { body } = await app.as(ann).patch(`/endeavours/${id}`).send({ key: null }).expect(400);
      expect(fieldErrorsOf(body)).toEqual(['key not_nullable']);
    });

    it('get a number where an endeavour arrives, and nothing is refused', async () => {
      const home = await app.organization(ann);
      await app.endeavour(ann, { key: 'ARRIVE', organization_id: home });
      const id = await homeless('ARRIVE');
      await app.as(ann).post(`/organizations/${home}/endeavours`).send({ endeavour_id: id }).expect(200);
      expect((await read(`/endeavours/${id}`)).key).toBe('ARRIVE2');
      const bob = await app.person('Bob');
      await app.join(home, bob, 'admin');
      await app.as(bob).patch(`/endeavours/${id}`).send({ key: 'BOBS' }).expect(200);
    });

    race('are unique in their home for 10 concurrent creations', 2, async () => {
      const organization_id = await app.organization(ann);
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => app.as(ann).post('/endeavours').send({ name: 'Race', organization_id })),
      );
      expect(new Set(answers.map(({ body }) => body.data.key)).size).toBe(10);
    });
  });

  describe('of tasks and demands', () => {
    it('count both together in their endeavour', async () => {
      const endeavour = await homeless('COUNT');
      const ids = [
        await app.task(ann, endeavour),
        await app.demand(ann, endeavour),
        await app.task(ann, endeavour),
        await app.demand(ann, endeavour),
      ];
      expect(await Promise.all(ids.map(keyOf))).toEqual(['COUNT-1', 'COUNT-2', 'COUNT-3', 'COUNT-4']);
    });

    it('are read-only, and null only for the demand of a task without one', async () => {
      const endeavour = await homeless('READ');
      const demand = await app.demand(ann, endeavour);
      const task = await app.task(ann, endeavour, { demand_id: demand });
      expect(await read(`/tasks/${task}`)).toMatchObject({
        key: 'READ-2',
        number: 2,
        former_keys: [],
        demand_key: 'READ-1',
      });
      const { body } = await app.as(ann).patch(`/tasks/${task}`).send({ key: 'READ-9', number: 9 }).expect(400);
      expect(fieldErrorsOf(body)).toEqual(['key read_only', 'number read_only']);
      expect((await read(`/tasks/${await app.task(ann, endeavour)}`)).demand_key).toBeNull();
    });

    it('follow the key of their endeavour, and the former one still leads to them', async () => {
      const endeavour = await homeless('OLD');
      const task = await app.task(ann, endeavour);
      await app.as(ann).patch(`/endeavours/${endeavour}`).send({ key: 'NEW' }).expect(200);
      for (const key of ['NEW-1', 'OLD-1', 'new-1'])
        expect(await read(`/tasks/${key}`)).toMatchObject({ id: task, key: 'NEW-1' });
    });

    race('are never given twice to 50 concurrent creators, and rise', 2, async (round) => {
      const endeavour = await homeless(`FIFTY${round}`);
      const creations = Array.from({ length: 50 }, (_, at) =>
        at % 2 === 0
          ? app.as(ann).post('/tasks').send({ title: 'Race', endeavour_id: endeavour })
          : app.as(ann).post('/demands').send({ title: 'Race', type: 'story', endeavour_id: endeavour }),
      );
      const numbers = (await Promise.all(creations)).map(({ body }) => body.data.number as number);
      expect(new Set(numbers).size).toBe(50);
      const next = await app.task(ann, endeavour);
      expect((await read(`/tasks/${next}`)).number).toBeGreaterThan(Math.max(...numbers));
    });

    it('are given without waiting for the transaction of another creator, and an undone one leaves a gap', async () => {
      const endeavour = await homeless('WAIT');
      const first = await app.task(ann, endeavour);
      const other = await app.openConnection();
      await other.query('BEGIN');
      const copy = newId('task');
      await other.query(
        `INSERT INTO entities (id, kind, endeavour_id, title) SELECT $2, kind, endeavour_id, title FROM entities WHERE id = $1`,
        [first, copy],
      );
      const { rows } = await other.query(
        `INSERT INTO tasks (id, title, endeavour_id, owner_id, creator_id)
         SELECT $2, title, endeavour_id, owner_id, creator_id FROM tasks WHERE id = $1 RETURNING number`,
        [first, copy],
      );
      expect(rows).toEqual([{ number: 2 }]);
      expect(await keyOf(await app.task(ann, endeavour))).toBe('WAIT-3');
      await other.query('ROLLBACK');
      await other.end();
      expect(await keyOf(await app.demand(ann, endeavour))).toBe('WAIT-4');
    });

    it('are consecutive in a large transaction, which others do not wait for', async () => {
      const endeavour = await homeless('MANY');
      const other = await app.openConnection();
      const first = await app.task(ann, endeavour);
      await other.query('BEGIN');
      await other.query(
        `WITH placed AS (INSERT INTO entities (id, kind, endeavour_id, title)
           SELECT 'tsk_' || lpad(n::text, 32, '0'), 'task', $2, 'T' FROM generate_series(1, 200) n)
         INSERT INTO tasks (id, title, endeavour_id, owner_id, creator_id)
         SELECT 'tsk_' || lpad(n::text, 32, '0'), 'T', $2, t.owner_id, t.creator_id
         FROM generate_series(1, 200) n, tasks t WHERE t.id = $1`,
        [first, endeavour],
      );
      const beside = (await read(`/tasks/${await app.task(ann, endeavour)}`)).number;
      await other.query('COMMIT');
      const { rows } = await other.query(
        `SELECT count(DISTINCT number)::integer AS numbers, max(number) AS last,
           (SELECT count(*)::integer FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()) AS locks
         FROM tasks WHERE endeavour_id = $1 AND title = 'T'`,
        [endeavour],
      );
      expect(rows).toEqual([{ numbers: 200, last: 201, locks: 0 }]);
      expect(beside).toBeGreaterThan(201);
      await other.end();
    });

    it('are numbered in a batch, where later requests can use them', async () => {
      const endeavour = await homeless('BATCH');
      const operations = [
        { id: 'd', method: 'POST', path: '/demands', body: { title: 'D', type: 'story', endeavour_id: endeavour } },
        { method: 'POST', path: '/tasks', body: { title: 'T', endeavour_id: endeavour, demand_id: 'BATCH-1' } },
        { method: 'PATCH', path: '/tasks/BATCH-2', body: { title: 'Renamed' } },
        { method: 'PATCH', path: '/demands/$d.key', body: { title: 'Renamed' } },
      ];
      const { body } = await app.as(ann).post('/batch').send({ operations }).expect(200);
      expect(body.data[1].body.data).toMatchObject({ key: 'BATCH-2', demand_key: 'BATCH-1' });
      expect(body.data[3].body.data).toMatchObject({ key: 'BATCH-1', title: 'Renamed' });
    });
  });

  describe('after a move', () => {
    it('lead on from the old key; back at home a task has its number again', async () => {
      const [from, to] = [await homeless('FROM'), await homeless('TO')];
      const task = await app.task(ann, from);
      await app.task(ann, to);
      const move = (endeavour_id: string) => app.as(ann).patch(`/tasks/${task}`).send({ endeavour_id }).expect(200);
      const moved = await move(to);
      expect(moved.body.data).toMatchObject({ key: 'TO-2', former_keys: ['FROM-1'] });
      const again = await app.as(ann).get('/tasks/FROM-1').expect(200);
      expect(again.body.data).toMatchObject({ id: task, key: 'TO-2', former_keys: ['FROM-1'] });
      expect(again.headers.etag).toBe(moved.headers.etag);
      expect(await keyOf(await app.task(ann, from))).toBe('FROM-2');
      expect((await move(from)).body.data).toMatchObject({ key: 'FROM-1', former_keys: ['TO-2'] });
      expect(await keyOf(await app.task(ann, to))).toBe('TO-3');
    });

    it('show and lead on for those who see the other endeavour only', async () => {
      const [from, to] = [await homeless('HIDDEN'), await homeless('SEEN')];
      const vic = await app.person('Vic');
      await app.join(to, vic, 'viewer');
      const task = await app.task(ann, from);
      await app.as(ann).patch(`/tasks/${task}`).send({ endeavour_id: to }).expect(200);
      expect(await read('/tasks/SEEN-1', vic)).toMatchObject({ id: task, former_keys: [] });
      await app.as(vic).get('/tasks/HIDDEN-1').expect(404);
      const admin = await app.admin();
      expect(await read('/tasks/HIDDEN-1', admin)).toMatchObject({ id: task, former_keys: ['HIDDEN-1'] });
    });

    it('yield to present keys', async () => {
      const [one, two] = [await homeless('ONE'), await homeless('TWO')];
      const task = await app.task(ann, one);
      await app.as(ann).patch(`/endeavours/${one}`).send({ key: 'ONCE' }).expect(200);
      const home = await app.organization(ann);
      const other = await app.endeavour(ann, { key: 'ONE', organization_id: home });
      const present = await app.task(ann, other);
      expect((await read('/tasks/ONE-1')).id).toBe(present);
      expect((await read('/tasks/ONCE-1')).id).toBe(task);
      expect(two).toBeDefined();
    });
  });

  describe('in requests', () => {
    it('stand for ids in paths, filters and bodies, and for nothing where they are absent or of another kind', async () => {
      const endeavour = await homeless('USE');
      const demand = await app.demand(ann, endeavour);
      const task = await app.task(ann, endeavour, { demand_id: demand });
      expect((await read('/demands/USE-1')).id).toBe(demand);
      for (const path of ['/tasks/USE-1', '/demands/USE-2', '/tasks/USE-9', '/tasks/NOPE-1', '/tasks/USE-0']) {
        await app.as(ann).get(path).expect(404);
      }
      const list = async (query: string) =>
        (await read(`/tasks?endeavour_id=${endeavour}&${query}`)).map(({ id }: { id: string }) => id);
      const loose = await app.task(ann, endeavour);
      expect(await list('demand_id=USE-1')).toEqual([task]);
      expect(await list('demand_id=!USE-1')).toEqual([loose]);
      expect(await list('demand_id=USE-9')).toEqual([]);
      expect(await list(`demand_id=USE-9,use-1,none`)).toEqual([loose, task]);
      const expression = async (text: string) => list(`filter=${encodeURIComponent(text)}`);
      expect(await expression('demand_id = USE-1 OR demand_id="USE-9"')).toEqual([task]);
      expect(await expression(`NOT key = 'use-2' AND key:USE-3`)).toEqual([loose]);
      expect(await expression('status = planned AND NOT demand_id != USE-1')).toEqual([task]);
      const comment = { entity_type: 'task', entity_id: 'USE-2', content: 'Done' };
      expect((await app.as(ann).post('/comments').send(comment).expect(201)).body.data.entity_id).toBe(task);
      const absent = await app
        .as(ann)
        .post('/tasks')
        .send({ title: 'T', endeavour_id: endeavour, demand_id: 'USE-9' })
        .expect(400);
      expect(fieldErrorsOf(absent.body)).toEqual(['demand_id reference_not_found']);
      const filter = { endeavour_id: endeavour, demand_id: ['USE-1'] };
      const claimed = await app
        .as(ann)
        .post('/tasks/claim')
        .send({ endeavour_id: endeavour, filter: { demand_id: 'USE-1' } })
        .expect(200);
      expect(claimed.body.data.id).toBe(task);
      const bulk = { filter, changes: { demand_id: 'USE-1', title: 'Bulk' }, dry_run: true };
      expect((await app.as(ann).post('/tasks/bulk').send(bulk).expect(202)).body.data.progress).toEqual({
        done: 0,
        total: 1,
      });
      expect((await read('/auth/can?action=tasks_update&entity_id=USE-2')).allowed).toBe(true);
    });

    it('are found by a search, also as former keys', async () => {
      const endeavour = await homeless('FIND');
      const [task, demand] = [await app.task(ann, endeavour), await app.demand(ann, endeavour)];
      const found = async (path: string, person = ann) =>
        (await read(path, person)).map(({ id }: { id: string }) => id);
      expect(await found('/tasks?search=FIND-1')).toEqual([task]);
      expect(await found('/tasks?search=find-1&sort=relevance')).toEqual([task]);
      expect(await found('/demands?search=FIND-2')).toEqual([demand]);
      expect(await found('/search?q=find-2')).toEqual([demand]);
      const eve = await app.person('Eve');
      expect(await found('/tasks?search=FIND-1', eve)).toEqual([]);
      expect(await found('/search?q=FIND-1', eve)).toEqual([]);
      const other = await homeless('MOVED');
      await app.as(ann).patch(`/tasks/${task}`).send({ endeavour_id: other }).expect(200);
      expect(await found('/tasks?search=FIND-1')).toEqual([task]);
    });

    it('filter and sort lists', async () => {
      const endeavour = await homeless('LIST');
      const ids = [await app.task(ann, endeavour), await app.task(ann, endeavour), await app.task(ann, endeavour)];
      const list = async (query: string) =>
        (await read(`/tasks?endeavour_id=${endeavour}&${query}`)).map(({ id }: { id: string }) => id);
      expect(await list('sort=number')).toEqual(ids);
      expect(await list('key=LIST-1,LIST-3&sort=-number')).toEqual([ids[2], ids[0]]);
      expect(await list('key=!LIST-1,LIST-3')).toEqual([ids[1]]);
    });
  });

  describe('with several meanings', () => {
    let [here, there]: string[] = [];
    let tasks: string[];

    beforeAll(async () => {
      const made = async () => {
        const id = await app.endeavour(ann, { key: 'TWICE', organization_id: await app.organization(ann) });
        const task = await app.task(ann, id);
        await app.demand(ann, id);
        return { id, task };
      };
      const [one, two] = [await made(), await made()];
      [here, there] = [one.id, two.id];
      tasks = [one.task, two.task];
    });

    it('are ambiguous, unless the request names the endeavour or a token is restricted to it', async () => {
      const { body } = await app.as(ann).get('/tasks/TWICE-1').expect(409);
      expect(body.error.details).toEqual({ reason: 'ambiguous_key', ids: tasks });
      expect((await read(`/tasks?endeavour_id=${here}&key=TWICE-1`))[0].id).toBe(tasks[0]);
      const restricted = await tokenOf(app, ann, { scopes: ['*'], endeavour_id: there });
      expect((await read('/tasks/TWICE-1', restricted)).id).toBe(tasks[1]);
    });

    it.each<[string, object]>([
      ['/comments', { entity_type: 'task', entity_id: 'TWICE-1', content: 'Done' }],
      ['/messages', { recipient_ids: ['me'], content: 'Done', entity_id: 'TWICE-1' }],
      [`/templates/${newId('template')}/preview`, { entity_id: 'TWICE-1' }],
      ['/tasks/claim', { filter: { demand_id: 'TWICE-2' } }],
      ['/auth/can', { questions: [{ action: 'tasks_get', entity_id: 'TWICE-1' }] }],
    ])('are ambiguous in the body of POST %s', async (path, body) => {
      const refused = await app.as(ann).post(path).send(body).expect(409);
      expect(refused.body.error).toMatchObject({ code: 'conflict', details: { reason: 'ambiguous_key' } });
    });

    it('are ambiguous in the query of a view that changes', async () => {
      const view = { name: 'Parts', kind: 'task', query: { status: 'planned' } };
      const { id } = (await app.as(ann).post('/views').send(view).expect(201)).body.data;
      const query = { demand_id: 'TWICE-2' };
      const { body } = await app.as(ann).patch(`/views/${id}`).send({ query }).expect(409);
      expect(body.error.details).toMatchObject({ reason: 'ambiguous_key' });
      await app.as(ann).patch(`/views/${id}?endeavour_id=${here}`).send({ query }).expect(200);
    });

    it('are ambiguous in the filter of a rule that changes, unless the query names the endeavour', async () => {
      const actions = [{ comment: { content: 'Done' } }];
      const rule = { name: 'Parts', endeavour_id: here, on: ['task.updated'], filter: { status: 'planned' }, actions };
      const { id } = (await app.as(ann).post('/rules').send(rule).expect(201)).body.data;
      const filter = { demand_id: 'TWICE-2' };
      const { body } = await app.as(ann).patch(`/rules/${id}`).send({ filter }).expect(409);
      expect(body.error.details).toMatchObject({ reason: 'ambiguous_key' });
      await app.as(ann).patch(`/rules/${id}?endeavour_id=${here}`).send({ filter }).expect(200);
    });

    it('mean what is in the endeavour that the query names, wherever they stand', async () => {
      const title = { title: 'Mine' };
      await app.as(ann).patch(`/tasks/TWICE-1?endeavour_id=${here}`).send(title).expect(200);
      expect(await read(`/tasks/TWICE-1?endeavour_id=${here}&fields=id,title`)).toEqual({
        id: tasks[0],
        title: 'Mine',
      });
      expect((await read(`/tasks/TWICE-1?endeavour_id=${there}`)).title).not.toBe('Mine');
      const comment = { entity_type: 'task', entity_id: 'TWICE-1', content: 'Done' };
      const { body } = await app.as(ann).post(`/comments?endeavour_id=${there}`).send(comment).expect(201);
      expect(body.data.entity_id).toBe(tasks[1]);
      expect((await read(`/comments?endeavour_id=${there}&entity_id=TWICE-1`))[0].id).toBe(body.data.id);
      const tried = await app.as(ann).patch(`/tasks/TWICE-1?endeavour_id=${here}&dry_run=true`).send({ title: 'No' });
      expect([tried.status, tried.headers['dry-run'], tried.body.data.id]).toEqual([200, 'true', tasks[0]]);
    });

    it('are not chosen by something else than an endeavour', async () => {
      for (const value of ['SHOP', tasks[0], `${here}&endeavour_id=${there}`, '%00']) {
        const { body } = await app.as(ann).get(`/tasks/TWICE-1?endeavour_id=${value}`).expect(400);
        expect(fieldErrorsOf(body)[0]).toMatch(/^endeavour_id /);
      }
      await app.as(ann).get(`/tasks/TWICE-1?endeavour_id=`).expect(409);
      await app
        .as(ann)
        .get(`/tasks/TWICE-1?endeavour_id=${newId('endeavour')}`)
        .expect(409);
    });

    it('are refused by every operation that takes a key, unless the request names the endeavour', async () => {
      const requests = [...keyedRequests(app)];
      const answers = async (parameter: string, isAsked = (_path: string) => true): Promise<string[]> => {
        const seen: string[] = [];
        for (const { method, path, body } of requests.filter((one) => isAsked(one.path))) {
          const request = app.as(ann)[method](path + (path.includes('?') ? '&' : '?') + parameter);
          const answer = await (body === undefined ? request : request.send(body));
          seen.push(`${method} ${path} ${answer.status} ${JSON.stringify(answer.body.error?.details)}`);
        }
        return seen;
      };
      const isAmbiguous = (line: string) => line.includes(' 409 {"reason":"ambiguous_key"');
      expect((await answers('admin=false')).filter((line) => !isAmbiguous(line))).toEqual([]);
      // A stream does not end.
      const named = await answers(`endeavour_id=${here}`, (path) => !path.includes('/stream'));
      expect(named.filter((line) => isAmbiguous(line) || /"endeavour_id","code":"unknown_field"/.test(line))).toEqual(
        [],
      );
      expect(named.length).toBeGreaterThan(30);
    });
  });
});

type Schema = Record<string, unknown> & { properties?: Record<string, Schema>; items?: Schema; pattern?: string };
interface KeyedRequest {
  method: 'get' | 'post' | 'patch' | 'put' | 'delete';
  path: string;
  body?: object;
}

const KEYS: [RegExp, string][] = [
  [/tsk\|?.*\[A-Za-z\]|\[a-z\]\{3\}.*\[A-Za-z\]/, 'TWICE-1'],
  [/dmd.*\[A-Za-z\]/, 'TWICE-2'],
];

const keyFor = (schema: Schema | undefined): string | undefined => {
  const pattern = schema?.pattern ?? schema?.items?.pattern;
  return pattern === undefined ? undefined : KEYS.find(([form]) => form.test(pattern))?.[1];
};

/** A value with a key somewhere, as the schema allows it. */
function keyedValue(schema: Schema | undefined): unknown {
  if (schema === undefined) return undefined;
  const key = keyFor(schema);
  if (key !== undefined) return schema.items === undefined ? key : [key];
  const options = [schema.anyOf, schema.oneOf, schema.allOf].flat().filter((one) => one !== undefined) as Schema[];
  for (const option of options) {
    const value = keyedValue(option);
    if (value !== undefined) return value;
  }
  const item = keyedValue(schema.items);
  if (item !== undefined) return [item];
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const value = keyedValue(property);
    if (value !== undefined) return { [name]: value };
  }
  return undefined;
}

/** One request with an ambiguous key for every operation of the document that takes one. */
function* keyedRequests(app: TestApp): Generator<KeyedRequest> {
  for (const [template, operations] of Object.entries(app.document.paths)) {
    for (const [method, operation] of Object.entries(operations as Record<string, never>)) {
      const { parameters = [], requestBody } = operation as {
        parameters?: { in: string; name: string; schema: Schema }[];
        requestBody?: { content: Record<string, { schema: Schema }> };
      };
      let path = template.replace('/api/v1', '');
      let isKeyed = false;
      for (const { in: place, name, schema } of parameters) {
        const key = keyFor(schema);
        if (place === 'path') path = path.replace(`{${name}}`, key ?? newId('resource'));
        if (key === undefined || isKeyed) continue;
        if (place === 'query') path += `?${name}=${key}`;
        if (place === 'path' || place === 'query') isKeyed = true;
      }
      const body = isKeyed ? undefined : keyedValue(requestBody?.content['application/json']?.schema);
      if (isKeyed || body !== undefined) yield { method: method as KeyedRequest['method'], path, body: body as object };
    }
  }
}
