import { connect } from 'node:net';
import { TestApp, type Person } from '../support/test-app.js';

describe('the HTTP interface', () => {
  let app: TestApp;
  let ann: Person;
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open();
    ann = await app.person('Ann');
    garden = await app.endeavour(ann);
  });

  afterAll(() => app.close());

  const task = (more: object = {}) => ({ title: 'Paint the gate', endeavour_id: garden, ...more });

  describe('errors', () => {
    it.each([
      ['get', '/nowhere', 404, 'not_found'],
      ['get', '/tasks/', 404, 'not_found'],
      ['get', '/Tasks', 404, 'not_found'],
      ['get', '/tasks/%zz', 404, 'not_found'],
      ['delete', '/tasks', 405, 'method_not_allowed'],
      ['put', '/tasks', 405, 'method_not_allowed'],
    ] as const)('%s %s is %d in the envelope', async (method, path, status, code) => {
      const { body, headers } = await app.as(ann)[method](path).expect(status);
      expect(headers['content-type']).toBe('application/json');
      expect(body).toEqual({
        error: {
          code,
          message: expect.any(String),
          request_id: headers['x-request-id'],
          ...(status === 405 && { details: { allowed: ['GET', 'HEAD', 'POST'] } }),
        },
      });
      if (status === 405) expect(headers.allow).toBe('GET, HEAD, POST');
    });

    it.each([
      ['patch', '/tasks/claim', 'POST'],
      ['delete', '/messages/read', 'POST'],
      ['get', '/invitations/accept', 'POST'],
      ['patch', '/tasks/summary', 'GET, HEAD'],
    ] as const)('%s %s is 405, although the path with an id in its last segment has that method', async (...asked) => {
      const [method, path, allowed] = asked;
      const { body, headers } = await app.as(ann)[method](path).expect(405);
      expect(body.error).toMatchObject({ code: 'method_not_allowed', details: { allowed: allowed.split(', ') } });
      expect(headers.allow).toBe(allowed);
      expect(headers['x-content-type-options']).toBe('nosniff');
    });

    it.each(['/tasks/:id', '/webhooks/:id/deliveries'])(
      'GET %s treats :id as the id of an unknown entity',
      async (path) => {
        await app.as(ann).get(path).expect(404);
      },
    );

    it.each([
      ['post', '/nowhere', 404, '{"title": ', 'application/json'],
      ['post', '/nowhere', 404, 'title=x', ';'],
      ['post', '/nowhere', 404, `"${'x'.repeat(1024 * 1024)}"`, 'application/json'],
      ['put', '/tasks', 405, '{"title": ', 'application/json'],
      ['delete', '/tasks', 405, '"\\u0000"', 'application/json'],
    ] as const)('%s %s is %d, even if the request is otherwise invalid', async (method, path, status, text, type) => {
      const { body } = await app.as(ann)[method](path).set('Content-Type', type).send(text).expect(status);
      expect(body.error.code).toBe(status === 404 ? 'not_found' : 'method_not_allowed');
    });

    it('a malformed body is rejected by every operation, even if it needs no body', async () => {
      const { paths } = app.document;
      const ada = await app.admin();
      for (const [path, operations] of Object.entries(paths)) {
        for (const method of Object.keys(operations).filter((one) => one !== 'get') as ('post' | 'delete')[]) {
          const asked = path.replaceAll(/\{[^}]+\}/g, 'x');
          const { requestBody } = operations[method as 'post'] as { requestBody?: { content: object } };
          const takesJson = requestBody === undefined || 'application/json' in requestBody.content;
          const json = app.as(ada)[method](asked).set('Content-Type', 'application/json').send('{');
          await json.expect(takesJson ? 400 : 415);
          await app.as(ada)[method](asked).set('Content-Type', 'text/plain').send('x').expect(415);
        }
      }
    });

    it.each([
      [`GET /api/v1/tasks/\xff HTTP/1.1\r\nHost: x\r\n\r\n`, 400, 'The request is not valid HTTP/1.1.'],
      [`GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'The request headers are too large.'],
    ])('malformed requests get an error in the envelope, too: %.20s', async (text, status, message) => {
      const port = app.port();
      const socket = connect(port, '127.0.0.1').end(text, 'latin1');
      const response = await socket.setEncoding('utf8').reduce((all, piece) => all + piece, '');
      const [head, body] = response.split('\r\n\r\n');
      expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} .*content-type: application/json\r\n`, 's'));
      const { error } = JSON.parse(body);
      expect(error).toMatchObject({ code: 'invalid_input', message });
      expect(head).toContain(`x-request-id: ${error.request_id}`);
    });

    it('a path with a very long id is 404, too', async () => {
      await app
        .as(ann)
        .get(`/tasks/${'x'.repeat(3000)}`)
        .expect(404);
    });

    it.each([
      ['application/json', '{"title": ', 400, 'invalid_input'],
      ['application/json', '[1]', 400, 'invalid_input'],
      ['application/json', '"text"', 400, 'invalid_input'],
      ['application/json', `{"metadata": ${'{"a":'.repeat(6000)}1${'}'.repeat(6000)}}`, 400, 'invalid_input'],
      ['application/json', `{"title": "${'x'.repeat(1024 * 1024)}"}`, 413, 'payload_too_large'],
      ['application/json; charset=utf-16', '{}', 415, 'unsupported_media_type'],
      ['application/x-www-form-urlencoded', 'title=x', 415, 'unsupported_media_type'],
      ['text/plain', 'title', 415, 'unsupported_media_type'],
    ])('an invalid body of type %s is rejected', async (type, text, status, code) => {
      const { body } = await app.as(ann).post('/tasks').set('Content-Type', type).send(text).expect(status);
      expect(body.error.code).toBe(code);
    });

    it('are RFC 9457 documents for clients that accept those', async () => {
      const { body, headers } = await app
        .as(ann)
        .post('/tasks')
        .set('Accept', 'application/problem+json')
        .send({})
        .expect(400);
      expect(headers['content-type']).toBe('application/problem+json');
      expect(body).toEqual({
        type: 'urn:worksmith:error:invalid_input',
        title: 'invalid input',
        status: 400,
        detail: expect.any(String),
        instance: '/api/v1/tasks',
        code: 'invalid_input',
        request_id: headers['x-request-id'],
        fields: [
          { field: 'title', code: 'required', message: expect.any(String) },
          { field: 'endeavour_id', code: 'required', message: expect.any(String) },
        ],
      });
    });

    it.each([[undefined], ['Basic abc'], ['Bearer'], ['Bearer x.y.z']])(
      'a request with the authorization %s is 401 and explains how to authenticate',
      async (authorization) => {
        const call = app.as(null).get('/tasks');
        const { headers, body } = await (
          authorization === undefined ? call : call.set('Authorization', authorization)
        ).expect(401);
        expect(headers['www-authenticate']).toMatch(/^Bearer realm="worksmith"/);
        expect(body.error.code).toBe('unauthorized');
      },
    );
  });

  describe('headers', () => {
    it('contain the request id of the client if it is valid, otherwise a generated one', async () => {
      const given = await app.as(ann).get('/tasks').set('X-Request-Id', 'abc-123');
      const unfit = await app.as(ann).get('/tasks').set('X-Request-Id', 'a b');
      expect(given.headers['x-request-id']).toBe('abc-123');
      expect(unfit.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    });

    it('can contain the scheme Bearer in any case', async () => {
      await app.as(null).get('/tasks').set('Authorization', `bearer ${ann.token}`).expect(200);
    });

    it('of HEAD are those of GET, without a body, and keep responses out of shared caches', async () => {
      const { text, headers } = await app.as(ann).head('/tasks').expect(200);
      expect(text ?? '').toBe('');
      expect(headers['cache-control']).toBe('private, no-cache');
      expect(headers['x-content-type-options']).toBe('nosniff');
    });

    it('let no page of another origin read the response', async () => {
      const { headers } = await app.as(ann).get('/tasks').set('Origin', 'https://elsewhere.test').expect(200);
      expect(headers['access-control-allow-origin']).toBeUndefined();
    });
  });

  describe('an idempotency key', () => {
    const send = (key: string, body: object, person = ann) =>
      app.as(person).post('/tasks').set('Idempotency-Key', key).send(body);

    it('replays the first response instead of repeating the write', async () => {
      const first = await send('one', task()).expect(201);
      const second = await send('one', task()).expect(201);
      expect(second.body).toEqual(first.body);
      expect(second.headers).toMatchObject({
        'idempotent-replayed': 'true',
        location: first.headers.location,
        etag: first.headers.etag,
      });
      expect(first.headers['idempotent-replayed']).toBeUndefined();
    });

    it('is 422 with another body, and can be used by another user', async () => {
      await send('two', task()).expect(201);
      const { body } = await send('two', task({ title: 'Other' })).expect(422);
      expect(body.error.code).toBe('idempotency_key_reused');
      const bob = await app.person('Bob');
      await app.join(garden, bob, 'member');
      await send('two', task({ title: 'Other' }), bob).expect(201);
    });

    it('has one effect in eight concurrent requests', async () => {
      const before = await app.count('tasks');
      const responses = await Promise.all(Array.from({ length: 8 }, () => send('eight', task())));
      expect(await app.count('tasks')).toBe(before + 1);
      for (const { status, body } of responses) {
        if (status !== 201) expect(body.error.code).toBe('request_in_progress');
      }
    });

    it('that cannot be stored leaves no effect either', async () => {
      const before = await app.count('tasks');
      await app.database.query('ALTER TABLE idempotency_keys ADD CONSTRAINT none CHECK (false) NOT VALID');
      const { status } = await send('lost', task());
      await app.database.query('ALTER TABLE idempotency_keys DROP CONSTRAINT none');
      expect(status).not.toBe(201);
      expect(await app.count('tasks')).toBe(before);
      await send('lost', task()).expect(201);
    });

    it('stores no error: the request can be retried after the cause is gone', async () => {
      const vic = await app.person('Vic');
      await app.join(garden, vic, 'viewer');
      await send('again', { title: 'No endeavour' }).expect(400);
      await send('again', task()).expect(201);
      await send('vic', task(), vic).expect(403);
      const done = await app.task(ann, garden);
      await app.as(ann).patch(`/tasks/${done}`).set('Idempotency-Key', 'move').send({ status: 'done' }).expect(400);
      await app.as(ann).patch(`/tasks/${done}`).send({ status: 'active' }).expect(200);
      await app.as(ann).patch(`/tasks/${done}`).set('Idempotency-Key', 'move').send({ status: 'done' }).expect(200);
      await app.database.query(`UPDATE endeavour_members SET role = 'member' WHERE user_id = $1`, [vic.id]);
      await send('vic', task(), vic).expect(201);
    });

    it('replays nothing to callers who are signed out or have lost their rights', async () => {
      const vic = await app.person('Vic');
      await app.join(garden, vic, 'member');
      await send('rights', task(), vic).expect(201);
      await app.database.query(`UPDATE endeavour_members SET role = 'viewer' WHERE user_id = $1`, [vic.id]);
      await send('rights', task(), vic).expect(403);
      await app.database.query('DELETE FROM endeavour_members WHERE user_id = $1', [vic.id]);
      await send('rights', task(), vic).expect(404);
      await app
        .as({ ...vic, token: `${vic.token}x` })
        .post('/tasks')
        .set('Idempotency-Key', 'rights')
        .send(task())
        .expect(401);
    });

    it('replays no template preview if its entity has become invisible', async () => {
      const vic = await app.person('Vic');
      await app.join(garden, vic, 'viewer');
      const sent = { name: 'Short', type: 'report', scope: 'task', body: '{{ task.title }}' };
      const template = (await app.as(vic).post('/templates').send(sent).expect(201)).body.data.id;
      const about = { entity_id: await app.task(ann, garden) };
      const ask = () => app.as(vic).post(`/templates/${template}/preview`).set('Idempotency-Key', 'try').send(about);
      await ask().expect(200);
      await app.database.query('DELETE FROM endeavour_members WHERE user_id = $1', [vic.id]);
      await ask().expect(404);
    });

    it('is bound to one revision: the same request with another If-Match is 422', async () => {
      const id = await app.task(ann, garden);
      const patch = (ifMatch: string) =>
        app
          .as(ann)
          .patch(`/tasks/${id}`)
          .set({ 'Idempotency-Key': 'revision', 'If-Match': ifMatch })
          .send({ title: 'New' });
      await patch('"1"').expect(200);
      expect((await patch('"1"').expect(200)).headers['idempotent-replayed']).toBe('true');
      await patch('"2"').expect(422);
      await app.as(ann).patch(`/tasks/${id}`).set('Idempotency-Key', 'revision').send({ title: 'New' }).expect(422);
    });

    it('is bound to the query parameters', async () => {
      await send('query', task()).expect(201);
      await app.as(ann).post('/tasks?admin=true').set('Idempotency-Key', 'query').send(task()).expect(422);
    });

    it('replays no secret', async () => {
      const ask = () =>
        app
          .as(ann)
          .post('/invitations')
          .set('Idempotency-Key', 'invite')
          .send({ endeavour_id: garden, endeavour_role: 'viewer' });
      const first = await ask().expect(201);
      const second = await ask().expect(201);
      expect(first.body.data.token).toEqual(expect.any(String));
      expect(second.body.data).toEqual({ ...first.body.data, token: null });
      expect(second.headers['cache-control']).toBe('no-store');
      const stored = await app.database.query('SELECT body FROM idempotency_keys');
      expect(JSON.stringify(stored)).not.toContain(first.body.data.token);
    });

    it('must be printable and at most 255 characters long', async () => {
      await send('ü', task()).expect(400);
      await send('x'.repeat(256), task()).expect(400);
    });
  });

  describe('lists', () => {
    let shed: string;
    let ids: string[];
    type Item = { id: string };
    const idsOf = (body: { data: Item[] }) => body.data.map(({ id }) => id);
    const list = (query: string, person = ann) => app.as(person).get(`/tasks?endeavour_id=${shed}&${query}`);

    beforeAll(async () => {
      shed = await app.endeavour(ann, { name: 'Shed' });
      ids = [];
      for (let n = 0; n < 7; n += 1) {
        const due = n % 2 === 0 ? { due_date: `2026-12-0${1 + (n % 3)}` } : {};
        ids.push(await app.task(ann, shed, { title: `Task ${n}`, ...due }));
      }
      // With equal times, paging by time alone would fail.
      await app.database.query(
        `UPDATE tasks SET created_at = '2026-01-01', updated_at = '2026-01-01' WHERE endeavour_id = $1`,
        [shed],
      );
    });

    it.each(['-created_at', 'created_at', '-due_date', 'due_date', 'title', '-title', 'status', '-updated_at'])(
      'sorted by %s have pages without overlap or gap, by offset and by cursor',
      async (sort) => {
        const whole = idsOf((await list(`sort=${sort}`).expect(200)).body);
        expect([...whole].sort()).toEqual([...ids].sort());
        const byOffset: string[] = [];
        for (let offset = 0; offset < 7; offset += 3)
          byOffset.push(...idsOf((await list(`sort=${sort}&limit=3&offset=${offset}`)).body));
        expect(byOffset).toEqual(whole);
        const byCursor: string[] = [];
        let next: string | undefined = `/tasks?endeavour_id=${shed}&sort=${sort}&limit=3`;
        while (next !== undefined) {
          const page: { body: { data: Item[]; meta: { total: number } }; headers: Record<string, string> } = await app
            .as(ann)
            .get(next)
            .expect(200);
          expect(page.body.meta.total).toBe(7);
          byCursor.push(...idsOf(page.body));
          next = /<([^>]+)>; rel="next"/.exec(page.headers.link ?? '')?.[1];
        }
        expect(byCursor).toEqual(whole);
      },
    );

    it('put rows without a value last in both directions', async () => {
      const dueDates = async (sort: string) =>
        (await list(`sort=${sort}`)).body.data.map(
          ({ due_date }: { due_date: string | null }) => due_date?.slice(8, 10) ?? null,
        );
      expect(await dueDates('due_date')).toEqual(['01', '01', '02', '03', null, null, null]);
      expect(await dueDates('-due_date')).toEqual(['03', '02', '01', '01', null, null, null]);
    });

    it('end without a cursor if the last page is exactly full', async () => {
      const { body, headers } = await list('limit=7').expect(200);
      expect(body.data).toHaveLength(7);
      expect([body.meta.next_cursor, headers.link]).toEqual([null, undefined]);
    });

    it('cap the limit and show it, and do not count with count=false', async () => {
      expect((await list('limit=500').expect(200)).body.meta).toEqual({
        total: 7,
        limit: 200,
        offset: 0,
        next_cursor: null,
      });
      expect((await list('count=false&limit=2').expect(200)).body.meta).toMatchObject({ total: null, limit: 2 });
    });

    it.each([
      ['limit=0', 'limit out_of_range'],
      ['limit=x', 'limit invalid_type'],
      ['limit=1.5', 'limit invalid_type'],
      ['offset=-1', 'offset invalid_type'],
      ['offset=100001', 'offset out_of_range'],
      ['cursor=abc', 'cursor invalid_format'],
      ['sort=owner', 'sort invalid_value'],
      ['sort=relevance', 'sort invalid_value'],
      ['status=open', 'status invalid_value'],
      ['status=planned,open', 'status invalid_value'],
      ['unassigned=maybe', 'unassigned invalid_value'],
      ['search=%20', 'search too_short'],
      ['created_after=yesterday', 'created_after invalid_date'],
      ['colour=red', 'colour unknown_field'],
      ['limit=1&limit=2', 'limit unknown_field'],
      ['filter[status]=done', 'filter[status] unknown_field'],
      ['search=%00ab', 'search invalid_text'],
    ])('reject %s', async (query, fault) => {
      const { body } = await list(query).expect(400);
      expect(
        body.error.details.fields.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`),
      ).toContain(fault);
    });

    it.each([
      ['status=', ''],
      ['status=&demand_id=&search=&sort=&limit=&cursor=&created_after=', ''],
      ['status=!done,canceled', 'status=planned,active'],
      ['status=!done', 'status=planned,active,canceled'],
      ['limit=99999999999999999999', 'limit=200'],
      ['unassigned', 'unassigned=true'],
      ['unassigned=', 'unassigned=1'],
      ['count=', 'count=true'],
    ])('treat %s like %s', async (one, other) => {
      expect((await list(one).expect(200)).body).toEqual((await list(other).expect(200)).body);
    });

    it('ignore unknown parameters with Prefer: handling=lenient', async () => {
      await list('colour=red').set('Prefer', 'handling=lenient').expect(200);
    });

    it('reject a cursor of another order, a changed cursor, and a cursor with an offset', async () => {
      const { body } = await list('limit=2').expect(200);
      const cursor: string = body.meta.next_cursor;
      await list(`limit=2&cursor=${cursor}`).expect(200);
      await list(`limit=2&sort=title&cursor=${cursor}`).expect(400);
      await list(`limit=2&offset=1&cursor=${cursor}`).expect(400);
      await list(`limit=2&cursor=${cursor.slice(0, -2)}AA`).expect(400);
    });

    it('accept admin=true on every operation and ignore it', async () => {
      await app.as(ann).get(`/endeavours/${garden}?admin=true`).expect(200);
      await app.as(ann).patch(`/endeavours/${garden}?admin=true`).send({}).expect(200);
      const stranger = { email: 'unknown@example.test', password: 'two wooden ladders' };
      await app.as(null).post('/auth/login?admin=true').send(stranger).expect(401);
    });

    it('show an administrator everything, or with mine=true only their own; admin=true has no effect', async () => {
      const ada = await app.admin();
      expect(idsOf((await list('', ada).expect(200)).body)).toHaveLength(7);
      expect(idsOf((await list('mine=true', ada).expect(200)).body)).toEqual([]);
      await list('admin=true', ada).expect(200);
      expect(idsOf((await list('admin=true').expect(200)).body)).toEqual(idsOf((await list('')).body));
    });

    it('are empty for an id that does not exist', async () => {
      expect(
        (await app.as(ann).get('/tasks?endeavour_id=edv_018f6b1a2c3d7e4f8a5b6c7d8e9f0a1b').expect(200)).body,
      ).toMatchObject({
        data: [],
        meta: { total: 0 },
      });
    });
  });
});
