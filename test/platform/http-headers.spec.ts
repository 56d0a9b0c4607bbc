import { connect } from 'node:net';
import { TestApp, type Person } from '../support/test-app.js';

const ORIGIN = 'https://app.example.test';

describe('headers', () => {
  let app: TestApp;
  let ann: Person;
  let garden: string;
  let task: string;

  beforeAll(async () => {
    app = await TestApp.open({ CORS_ORIGINS: `${ORIGIN},https://other.example.test` });
    ann = await app.person('Ann');
    garden = await app.endeavour(ann);
    task = await app.task(ann, garden);
  });

  afterAll(() => app.close());

  /** Returns the response as it was sent, including the headers that clients hide. */
  const raw = async (method: string, path: string, headers: Record<string, string> = {}) => {
    const lines = Object.entries({ Authorization: `Bearer ${ann.token}`, Connection: 'close', ...headers });
    const request = [`${method} ${path} HTTP/1.1`, 'Host: x', ...lines.map(([name, value]) => `${name}: ${value}`)];
    const socket = connect(app.port(), '127.0.0.1');
    socket.write(`${request.join('\r\n')}\r\n\r\n`);
    const response = await socket.setEncoding('utf8').reduce((all, piece) => all + piece, '');
    const [head, body] = response.split('\r\n\r\n');
    return { status: Number(head.split(' ')[1]), head: head.toLowerCase(), body };
  };

  it('of a 304 do not describe a body', async () => {
    const { headers } = await app.as(ann).get(`/tasks/${task}`).expect(200);
    const { status, head, body } = await raw('GET', `/api/v1/tasks/${task}`, { 'If-None-Match': headers.etag });
    expect([status, body]).toEqual([304, '']);
    expect(head).not.toMatch(/\ncontent-(?:type|length|encoding):/);
    expect(head).toContain(`etag: ${headers.etag.toLowerCase()}`);
  });

  describe('ETag', () => {
    const ask = (path: string, etag?: string) => {
      const request = app.as(ann).get(path);
      return etag === undefined ? request : request.set('If-None-Match', etag);
    };

    it.each([['/tasks'], ['/tasks?limit=1'], ['/tasks?summary'], ['/endeavours?count=false'], ['/auth/whoami']])(
      'of %s is weak, changes with the response, and makes it 304 until then',
      async (path) => {
        const { etag } = (await ask(path).expect(200)).headers;
        expect(etag).toMatch(/^W\/"[\w-]{16}"$/);
        const known = await ask(path, `"other", ${etag}`).expect(304);
        expect([known.text, known.headers.etag, known.headers.link]).toEqual(['', etag, undefined]);
        await ask(path, '*').expect(304);
        await app.endeavour(ann);
        await app.task(ann, garden);
        await app
          .as(ann)
          .patch('/auth/profile')
          .send({ name: `Ann ${etag.slice(3, 6)}` });
        expect((await ask(path, etag).expect(200)).headers.etag).not.toBe(etag);
      },
    );

    it('of a page differs from that of another page and another user', async () => {
      const bob = await app.person('Bob');
      await app.join(garden, bob, 'viewer');
      const first = (await ask('/tasks?limit=1').expect(200)).headers.etag;
      await ask('/tasks?limit=1&offset=1', first).expect(200);
      const inbox = (await ask('/messages').expect(200)).headers.etag;
      await app.as(bob).get('/endeavours').set('If-None-Match', inbox).expect(200);
    });

    it('is not compared with If-None-Match by writes', async () => {
      await app.as(ann).patch(`/tasks/${task}`).set('If-None-Match', '*').send({}).expect(200);
    });

    it('of one entity stays strong, and immutable entities have none', async () => {
      expect((await ask(`/tasks/${task}`).expect(200)).headers.etag).toMatch(/^"\d+-/);
      const sent = { entity_type: 'task', entity_id: task, verdict: 'approved' };
      const approval = (await app.as(ann).post('/approvals').send(sent).expect(201)).body.data.id;
      expect((await ask(`/approvals/${approval}`).expect(200)).headers.etag).toBeUndefined();
    });
  });

  it('of every response include Vary with the headers that its format depends on', async () => {
    for (const path of ['/tasks', '/nowhere', '/tasks/x']) {
      const { headers } = await app.as(ann).get(path);
      expect(headers.vary).toBe('Accept, Accept-Encoding, Origin');
    }
  });

  describe('Accept', () => {
    it.each([
      ['application/problem+json', 'problem'],
      ['application/problem+json, application/json;q=0.9', 'problem'],
      ['text/html, application/*;q=0.2, application/problem+json;q=0.3', 'problem'],
      ['application/problem+json;q=0.5, */*;q=0.1', 'problem'],
      ['application/json, application/problem+json', 'usual'],
      ['application/problem+json;q=0, application/json', 'usual'],
      ['application/problem+json;q=0', 'usual'],
      ['application/problem+json;q=0.5, application/json', 'usual'],
      ['application/problem+json;q=0.5, */*', 'usual'],
      ['*/*', 'usual'],
      ['text/html', 'usual'],
    ])('%s selects the %s format of errors', async (accept, form) => {
      for (const path of ['/tasks/x', '/nowhere']) {
        const { headers, body } = await app.as(ann).get(path).set('Accept', accept).expect(404);
        const type = form === 'problem' ? 'application/problem+json' : 'application/json';
        expect(headers['content-type']).toBe(`${type}; charset=utf-8`);
        expect(form === 'problem' ? body.code : body.error.code).toBe('not_found');
      }
    });
  });

  describe('If-Match', () => {
    const patch = (ifMatch: string) => app.as(ann).patch(`/tasks/${task}`).set('If-Match', ifMatch).send({});

    it.each(['junk', '1', '"1', '""1"', '"1" "2"', '*, "1"', '', 'w/"1"'])(
      'that is not an entity tag is 400: %s',
      async (ifMatch) => {
        const { body } = await patch(ifMatch).expect(400);
        expect(body.error.details.fields).toEqual([
          { field: 'If-Match', code: 'invalid_format', message: expect.any(String) },
        ]);
      },
    );

    it('that is longer than documented is 400', async () => {
      const { body } = await patch(`"${'9'.repeat(1_000)}"`).expect(400);
      expect(body.error.details.fields).toEqual([{ field: 'If-Match', code: 'too_long', message: expect.any(String) }]);
    });

    it('accepts the revision, the ETag, a weak ETag, several, and *', async () => {
      const { headers, body } = await app.as(ann).get(`/tasks/${task}`).expect(200);
      const { revision } = body.data;
      for (const good of [`"${revision}"`, headers.etag, `W/${headers.etag}`, `"99", "${revision}"`, '*']) {
        await patch(good).expect(200);
      }
      for (const stale of ['"99"', '"abc"', `"99-${revision}"`]) {
        expect((await patch(stale).expect(412)).body.error.details).toEqual({ current_revision: revision });
      }
    });

    it('is validated after the token', async () => {
      await app.as(null).patch(`/tasks/${task}`).set('If-Match', 'junk').send({}).expect(401);
    });
  });

  describe('OPTIONS', () => {
    it('without preflight is 204 with the methods of the path', async () => {
      const { status, head, body } = await raw('OPTIONS', '/api/v1/tasks');
      expect([status, body]).toEqual([204, '']);
      expect(head).toContain('allow: get, head, post');
      expect(head).not.toContain('content-length');
      const { headers } = await app.as(null).options(`/tasks/${task}`).expect(204);
      expect(headers.allow).toBe('GET, HEAD, PATCH');
    });

    it('with a preflight of an allowed origin lists what it can send and read', async () => {
      const { headers } = await app
        .as(null)
        .options('/tasks')
        .set({ Origin: ORIGIN, 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'if-match' })
        .expect(204);
      expect(headers).toMatchObject({
        'access-control-allow-origin': ORIGIN,
        'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
        'access-control-max-age': '7200',
      });
      expect(headers['access-control-allow-headers'].split(', ')).toEqual(
        expect.arrayContaining([
          'Authorization',
          'Content-Type',
          'If-Match',
          'If-None-Match',
          'Idempotency-Key',
          'Prefer',
        ]),
      );
      expect(headers['access-control-expose-headers'].split(', ')).toEqual(
        expect.arrayContaining([
          'ETag',
          'Dry-Run',
          'Link',
          'Location',
          'RateLimit',
          'RateLimit-Policy',
          'Retry-After',
          'X-Request-Id',
        ]),
      );
    });

    it('from another origin gets no permission', async () => {
      const { headers } = await app
        .as(null)
        .options('/tasks')
        .set({ Origin: 'https://elsewhere.test', 'Access-Control-Request-Method': 'POST' });
      expect(headers['access-control-allow-origin']).toBeUndefined();
    });

    it('with only an origin is not a preflight', async () => {
      const { headers } = await app.as(null).options('/tasks').set('Origin', ORIGIN).expect(204);
      expect(headers.allow).toBe('GET, HEAD, POST');
    });
  });

  it('let pages of an allowed origin read the response', async () => {
    const { headers } = await app.as(ann).get('/tasks').set('Origin', ORIGIN).expect(200);
    expect(headers['access-control-allow-origin']).toBe(ORIGIN);
    expect(headers['access-control-expose-headers']).toContain('ETag');
  });
});
