import { kindOf } from '../../src/common/ids.js';
import { TestApp } from '../support/test-app.js';
import type { Person } from '../support/test-app.js';
import { createEntityFixtures, type EntityFixtures } from './references/entity-fixtures.js';

interface Parameter {
  in: string;
  name: string;
  schema?: { examples?: unknown[]; items?: { enum: string[] } };
  style?: string;
  explode?: boolean;
}

interface Read {
  operationId: string;
  path: string;
  names: string[];
  isList: boolean;
}

/** Properties that lists have only where `fields` names them; they have tests of their own. */
const ONLY_NAMED: Partial<Record<string, string[]>> = { tasks_list: ['parent', 'children'] };
/** Reads of events and the search, which have their own tests; the response of `changes_stream_get` never ends. */
const ELSEWHERE = ['changes_list', 'changes_stream_get', 'search_list'];

/** Reads that only administrators can make. */
const ADMINISTRATORS = ['oauth_clients_get', 'oauth_clients_list', 'oauth_registration_tokens_list', 'users_list'];

describe('the fields parameter', () => {
  let app: TestApp;
  let mine: EntityFixtures;
  let administrator: Person;
  let reads: Read[];

  beforeAll(async () => {
    app = await TestApp.open();
    [mine, administrator] = [await createEntityFixtures(app, 'Ann'), await app.admin()];
    reads = Object.entries(app.document.paths).flatMap(([path, { get }]) => {
      const { operationId, parameters = [] } = (get ?? {}) as { operationId: string; parameters?: Parameter[] };
      const fields = parameters.find(({ name }) => name === 'fields');
      if (fields === undefined || ELSEWHERE.includes(operationId)) return [];
      const inside = new Map(parameters.map(({ name, schema }) => [name, schema?.examples?.[0] as string | undefined]));
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => thing(inside.get(name)));
      const isList = parameters.some(({ name }) => name === 'limit');
      const names = fields.schema?.items?.enum ?? [];
      return [{ operationId, path: filled, names, isList }];
    });
  });

  afterAll(() => app.close());

  const thing = (example: string | undefined): string => {
    const kind = kindOf(example);
    return kind === undefined ? '' : kind === 'resource' ? mine.team : (mine.things[kind] ?? String(example));
  };

  const as = ({ operationId }: Read) => app.as(ADMINISTRATORS.includes(operationId) ? administrator : mine.owner);

  it('is accepted by every list and every read of one resource', () => {
    const without = Object.entries(app.document.paths).flatMap(([path, { get }]) => {
      const { operationId = '', parameters = [] } = (get ?? {}) as { operationId?: string; parameters?: Parameter[] };
      const isRead = path.endsWith('_id}') || path.endsWith('{id}') || parameters.some(({ name }) => name === 'limit');
      return operationId !== '' && isRead && !parameters.some(({ name }) => name === 'fields') ? [operationId] : [];
    });
    expect(without.toSorted()).toEqual(['activity_list', 'endeavours_dod_status_get', 'imports_get', 'reports_get']);
  });

  it('returns only the requested properties, with the values of the full representation', async () => {
    const missing: string[] = [];
    for (const read of reads) {
      const { body: whole, status } = await as(read).get(read.path);
      if (status === 404) missing.push(read.operationId);
      if (status === 404) continue;
      // First the properties at even positions, then those at odd positions.
      for (const rest of [0, 1]) {
        const onlyNamed = ONLY_NAMED[read.operationId] ?? [];
        const inWhole = read.names.filter((name) => !onlyNamed.includes(name));
        const names = inWhole.filter((_, place) => place % 2 === rest);
        if (names.length === 0) continue;
        const { body } = await as(read)
          .get(`${read.path}?fields=${names.join(',')}`)
          .expect(200);
        const shorten = (one: Record<string, unknown>) => Object.fromEntries(names.map((name) => [name, one[name]]));
        const expected = read.isList ? whole.data.map(shorten) : shorten(whole.data);
        expect([read.operationId, body.data]).toEqual([read.operationId, expected]);
        expect(body.meta).toEqual(whole.meta);
      }
    }
    // Ann has none of these.
    expect(missing.toSorted()).toEqual([
      'alerts_get',
      'auth_identities_get',
      'auth_passkeys_get',
      'auth_tokens_get',
      'identity_providers_get',
      'notifications_get',
      'oauth_clients_get',
      'operations_get',
      'organizations_domains_get',
    ]);
  });

  it('is declared as a partial response, and view=compact as a closed one, of every read that takes both', async () => {
    let compact = 0;
    for (const read of reads) {
      const whole = await as(read).get(read.path);
      if (whole.status !== 200) continue;
      expect(whole.headers['content-type']).toBe('application/json');
      const partial = await as(read).get(`${read.path}?fields=${read.names[0]}`).expect(200);
      expect(partial.headers['content-type']).toBe('application/json; profile=partial');
      const small = await as(read).get(`${read.path}?view=compact`);
      if (small.status === 400) continue;
      // Its items are compared with the compact schema like every response with its own.
      expect(small.headers['content-type']).toBe('application/json; profile=compact');
      expect((await as(read).get(`${read.path}?view=full`).expect(200)).body).toEqual(whole.body);
      compact += 1;
    }
    expect(compact).toBeGreaterThan(40);
  });

  it('cannot be combined with view, which has no other values', async () => {
    const { body } = await app.as(mine.owner).get('/tasks?fields=id&view=compact').expect(400);
    expect(body.error.details.fields[0].field).toBe('view');
    await app.as(mine.owner).get(`/tasks/${mine.things.task}?fields=id&view=compact`).expect(400);
    await app.as(mine.owner).get(`/tasks/${mine.things.task}?view=tiny`).expect(400);
  });

  it('rejects an unknown property and lists the allowed ones', async () => {
    for (const read of reads) {
      const { body } = await as(read).get(`${read.path}?fields=id,surprise`).expect(400);
      expect([read.operationId, body.error.details.fields]).toEqual([
        read.operationId,
        [
          {
            field: 'fields',
            code: 'invalid_value',
            message: `fields must be a comma-separated list of ${read.names.join(', ')}.`,
            allowed: read.names,
          },
        ],
      ]);
    }
  });

  it('returns each property once, in the order of the representation, and all of them if it is empty', async () => {
    const path = `/tasks/${mine.things.task}`;
    const { text } = await app.as(mine.owner).get(`${path}?fields=title, id,title`).expect(200);
    expect(Object.keys(JSON.parse(text).data)).toEqual(['id', 'title']);
    const { body: whole } = await app.as(mine.owner).get(path).expect(200);
    const { body: empty } = await app.as(mine.owner).get(`${path}?fields=`).expect(200);
    expect(empty).toEqual(whole);
  });

  it('is the only query parameter of the read of one resource', async () => {
    const path = `/tasks/${mine.things.task}`;
    const { body } = await app.as(mine.owner).get(`${path}?fields=id&limit=2`).expect(400);
    expect(body.error.details.fields).toEqual([
      { field: 'limit', code: 'unknown_field', message: 'Unknown query parameter "limit".' },
    ]);
  });

  it('gives the response its own ETag, whose revision If-Match accepts', async () => {
    const path = `/tasks/${mine.things.task}`;
    const { headers: whole } = await app.as(mine.owner).get(path).expect(200);
    const { headers: part } = await app.as(mine.owner).get(`${path}?fields=title`).expect(200);
    expect(part.etag).toMatch(/^"\d+-.+"$/);
    expect(part.etag).not.toBe(whole.etag);
    await app.as(mine.owner).get(`${path}?fields=title`).set('If-None-Match', part.etag).expect(304);
    await app.as(mine.owner).get(path).set('If-None-Match', part.etag).expect(200);
    const patched = await app.as(mine.owner).patch(path).set('If-Match', part.etag).send({ estimate: 3 }).expect(200);
    expect(patched.body.data.title).toBeDefined();
    await app.as(mine.owner).patch(path).set('If-Match', part.etag).send({ estimate: 4 }).expect(412);
    const { headers: later } = await app.as(mine.owner).get(`${path}?fields=title`).expect(200);
    expect(later.etag).not.toBe(part.etag);
  });

  it('is rejected by writes', async () => {
    const { body } = await app.as(mine.owner).patch(`/tasks/${mine.things.task}?fields=id`).send({}).expect(400);
    expect(body.error.details.fields).toEqual([
      { field: 'fields', code: 'unknown_field', message: 'Unknown query parameter "fields".' },
    ]);
  });

  it('can be combined with pagination, filters and count=false', async () => {
    const query = `endeavour_id=${mine.things.endeavour}&fields=title&limit=1&count=false`;
    const { body } = await app.as(mine.owner).get(`/tasks?${query}`).expect(200);
    expect(Object.keys(body.data[0])).toEqual(['title']);
    expect(body.meta.total).toBeNull();
  });
});
