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

    it('is compared with If-None-Match by writes: 412 if the entity has that revision, or exists at all', async () => {
      const { revision } = (await app.as(ann).get(`/tasks/${task}`).expect(200)).body.data;
      for (const known of ['*', `"${revision}"`, `W/"${revision}-abc", "99"`]) {
        const { body } = await app.as(ann).patch(`/tasks/${task}`).set('If-None-Match', known).send({}).expect(412);
        expect(body.error.details).toEqual({ current_revision: revision });
      }
      await app.as(ann).patch(`/tasks/${task}`).set('If-None-Match', '"99"').send({}).expect(200);
      const byExternal = () => app.as(ann).put(`/tasks/by-external/jira/G-1?endeavour_id=${garden}`);
      await byExternal().set('If-None-Match', '*').send({ title: 'Paint' }).expect(201);
      await byExternal().set('If-None-Match', '*').send({ title: 'Paint it twice' }).expect(412);
      await byExternal().send({ title: 'Paint it twice' }).expect(200);
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
        expect(headers['content-type']).toBe(type);
        expect(form === 'problem' ? body.code : body.error.code).toBe('not_found');
      }
    });
  });

  describe('Content-Type', () => {
    it('of JSON has no charset, whatever the response says', async () => {
      const paths = ['/tasks', `/tasks/${task}`, '/nowhere', '/auth/my-data', `/endeavours/${garden}/export`];
      const types = await Promise.all(paths.map(async (path) => (await app.as(ann).get(path)).headers['content-type']));
      expect([...new Set(types)]).toEqual(['application/json']);
      expect((await raw('GET', '/%zz')).head).toContain('content-type: application/json\r\n');
      const { headers } = await app.as(ann).get('/tasks').set('Accept', 'application/x-ndjson').expect(200);
      expect(headers['content-type']).toBe('application/x-ndjson');
    });
  });

  describe('HEAD', () => {
    it.each(['/tasks', '/auth/my-data', '/endeavours/GARDEN/export', '/activity'])(
      'of a streamed response does not say that it is empty: %s',
      async (path) => {
        const accept = { Accept: path.endsWith('s') || path.endsWith('y') ? 'text/csv' : '*/*' };
        const { status, head, body } = await raw('HEAD', `/api/v1${path.replace('GARDEN', garden)}`, accept);
        expect([status, body]).toEqual([200, '']);
        expect(head).not.toContain('content-length: 0');
      },
    );
  });

  describe('WWW-Authenticate', () => {
    it('says whether the token is missing, invalid or has too few scopes', async () => {
      const without = await app.as(null).get('/tasks').expect(401);
      const where = /^resource_metadata="http:\/\/[^"]+\/\.well-known\/oauth-protected-resource\/api\/v1"$/;
      const challengeOf = ({ headers }: { headers: Record<string, string> }) => headers['www-authenticate'].split(', ');
      expect(challengeOf(without)).toEqual(['Bearer realm="worksmith"', expect.stringMatching(where)]);
      const forged = await app.as({ ...ann, token: `${ann.token}x` }).get('/tasks');
      expect(challengeOf(forged)).toEqual([
        'Bearer realm="worksmith"',
        'error="invalid_token"',
        expect.stringMatching(where),
      ]);
      const scopes = { name: 'Reader', scopes: ['tasks:read'] };
      const { token } = (await app.as(ann).post('/auth/tokens').send(scopes).expect(201)).body.data;
      const narrow = await app
        .as({ ...ann, token })
        .post('/demands')
        .send({})
        .expect(403);
      expect(narrow.headers['www-authenticate']).toBe(
        'Bearer realm="worksmith", error="insufficient_scope", scope="demands:write"',
      );
    });
  });

  describe('a body of an unsupported type', () => {
    it('is answered with the types that the path accepts', async () => {
      const text = { 'Content-Type': 'text/plain' };
      const patched = await app.as(ann).patch(`/tasks/${task}`).set(text).send('x').expect(415);
      expect(patched.headers['accept-patch']).toBe('application/json, application/merge-patch+json');
      const posted = await app.as(ann).post('/tasks').set(text).send('x').expect(415);
      expect(posted.headers['accept-post']).toContain('application/json');
      const file = await app.as(ann).post(`/imports?format=csv&endeavour_id=${garden}`).set(text).send('x').expect(415);
      expect(file.headers['accept-post']).toContain('text/csv');
      const packed = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
      const compressed = await app.as(ann).patch(`/tasks/${task}`).set(packed).send('{}').expect(415);
      expect(compressed.headers['accept-encoding']).toBe('identity');
    });
  });

  describe('Prefer', () => {
    const lenient = { Prefer: 'handling=lenient' };

    it('handling=lenient ignores unknown properties of bodies at every depth, and says so', async () => {
      const { body, headers } = await app
        .as(ann)
        .post('/tasks?colour=red')
        .set(lenient)
        .send({
          title: 'Paint',
          endeavour_id: garden,
          colour: 'red',
          external_ref: { source: 'a', id: 'b', colour: 1 },
        })
        .expect(201);
      expect(headers['preference-applied']).toBe('handling=lenient');
      const changed = await app.as(ann).patch(`/tasks/${body.data.id}`).set(lenient).send({ revision: 7, colour: 1 });
      expect([changed.status, changed.body.data.revision]).toEqual([200, 1]);
      const { headers: read } = await app.as(ann).get('/tasks?colour=red').set(lenient).expect(200);
      expect(read['preference-applied']).toBe('handling=lenient');
    });

    it('handling=lenient neither ignores invalid values nor changes other requests', async () => {
      const invalid = { title: 'Paint', endeavour_id: garden, estimate: -1 };
      await app.as(ann).post('/tasks').set(lenient).send(invalid).expect(400);
      await app.as(ann).get('/tasks?status=purple').set(lenient).expect(400);
      const { body, headers } = await app.as(ann).post('/tasks').send({ title: 'x', endeavour_id: garden, colour: 1 });
      expect([body.error.code, headers['preference-applied']]).toEqual(['invalid_input', undefined]);
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
          'Last-Event-ID',
        ]),
      );
      expect(headers['access-control-expose-headers'].split(', ')).toEqual(
        expect.arrayContaining([
          'ETag',
          'Content-Disposition',
          'Preference-Applied',
          'WWW-Authenticate',
          'Accept-Patch',
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
