import { request, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { TestApp, type Person } from '../support/test-app.js';

interface HttpResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

describe('compression', () => {
  let app: TestApp;
  let ann: Person;
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open();
    ann = await app.person('Ann');
    garden = await app.endeavour(ann);
    for (let n = 0; n < 12; n += 1) await app.task(ann, garden, { title: `Paint gate ${n} — größer` });
  });

  afterAll(() => app.close());

  /** Returns the response as it was sent; the client of the other tests decompresses it. */
  const ask = (path: string, headers: Record<string, string>, method = 'GET', from = app): Promise<HttpResponse> =>
    new Promise((resolve, reject) => {
      const all = { authorization: `Bearer ${ann.token}`, ...headers };
      request({ port: from.port(), host: '127.0.0.1', path, method, headers: all }, (response) => {
        buffer(response).then(
          (body) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
          reject,
        );
      })
        .on('error', reject)
        .end();
    });

  const LIST = '/api/v1/tasks?sort=title';
  const unpack = { br: brotliDecompressSync, gzip: gunzipSync };

  it.each([
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['gzip, br;q=0.5', 'gzip'],
    ['*', 'br'],
    ['br;q=0, *;q=0.1', 'gzip'],
    ['GZIP', 'gzip'],
    ['deflate', undefined],
    ['identity', undefined],
    ['gzip;q=0', undefined],
    ['gzip;q=0.5, identity', undefined],
    ['', undefined],
  ] as const)('of a list for a client that accepts "%s" is %s', async (accepted, coding) => {
    const plain = await ask(LIST, {});
    expect(plain.headers['content-encoding']).toBeUndefined();
    const { headers, body } = await ask(LIST, { 'accept-encoding': accepted });
    expect(headers['content-encoding']).toBe(coding);
    expect(headers.vary).toBe('Accept, Accept-Encoding');
    expect(headers.etag).toBe(plain.headers.etag);
    if (coding !== undefined) expect(body.length).toBeLessThan(plain.body.length / 2);
    expect(Number(headers['content-length'])).toBe(body.length);
    expect((coding === undefined ? body : unpack[coding](body)).toString()).toBe(plain.body.toString());
  });

  it('applies to documents and assets, too', async () => {
    for (const path of ['/openapi.json', '/openapi.yaml', '/docs/explorer.js', '/docs/request-form.js']) {
      for (const coding of ['br', 'gzip'] as const) {
        const plain = await ask(path, {});
        for (const { headers, body } of [
          await ask(path, { 'accept-encoding': coding }),
          await ask(path, { 'accept-encoding': coding }),
        ]) {
          expect({ path, coding: headers['content-encoding'] }).toEqual({ path, coding });
          expect(unpack[coding](body).equals(plain.body)).toBe(true);
        }
      }
    }
  });

  it('makes a strong ETag weak, and accepts it for conditional requests', async () => {
    const id = await app.task(ann, garden, { description: 'x'.repeat(5_000) });
    const path = `/api/v1/tasks/${id}`;
    const plain = (await ask(path, {})).headers.etag;
    const { etag } = (await ask(path, { 'accept-encoding': 'br' })).headers;
    expect(etag).toBe(`W/${plain}`);
    for (const known of [etag, plain] as string[]) {
      expect((await ask(path, { 'accept-encoding': 'br', 'if-none-match': known })).status).toBe(304);
      await app.as(ann).patch(`/tasks/${id}`).set('If-Match', known).send({}).expect(200);
    }
  });

  it('does not apply to short responses, errors, HEAD and writes', async () => {
    const coding = { 'accept-encoding': 'br, gzip' };
    for (const [path, method] of [
      ['/api/v1/endeavours?limit=1', 'GET'],
      [`/api/v1/tasks?${'x'.repeat(5_000)}=1`, 'GET'],
      [LIST, 'HEAD'],
      ['/api/v1/nowhere', 'GET'],
    ]) {
      const { headers } = await ask(path, coding, method);
      expect({ path, method, coding: headers['content-encoding'] }).toEqual({ path, method, coding: undefined });
    }
    const sent = { title: 'Long', endeavour_id: garden, description: 'x'.repeat(5_000) };
    const { headers } = await app.as(ann).post('/tasks').set(coding).send(sent).expect(201);
    expect(headers['content-encoding']).toBeUndefined();
  });

  it('of many concurrent lists is correct for each of them', async () => {
    const plain = (await ask(LIST, {})).body.toString();
    const responses = await Promise.all(Array.from({ length: 30 }, () => ask(LIST, { 'accept-encoding': 'gzip' })));
    for (const { headers, body } of responses) {
      expect((headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString()).toBe(plain);
    }
  });

  it('can be turned off and left to a proxy', async () => {
    const plain = await TestApp.open({ COMPRESSION: 'off' }, app);
    for (const path of [LIST, '/openapi.json']) {
      expect((await ask(path, { 'accept-encoding': 'br' }, 'GET', plain)).headers['content-encoding']).toBeUndefined();
    }
    await plain.close();
  });
});
