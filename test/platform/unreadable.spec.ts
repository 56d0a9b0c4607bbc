import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { TestApp, type Person } from '../support/test-app.js';

const HEAD = 'GET /api/v1/auth/whoami HTTP/1.1\r\nHost: worksmith\r\n';

let app: TestApp;
let ann: Person;
beforeAll(async () => {
  app = await TestApp.open();
  ann = await app.person('Ann');
});
afterAll(() => app.close());

/** Sends the text on a new connection, and returns the response once the service has closed it. */
async function told(text: string): Promise<{ status: number; headers: string; body: string }> {
  const port = app.port();
  const socket = connect(port, '127.0.0.1')
    .setEncoding('utf8')
    .on('error', () => undefined);
  let response = '';
  socket.on('data', (piece: string) => (response += piece));
  socket.write(text);
  await once(socket, 'close');
  const [headers, body] = response.split('\r\n\r\n');
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(response)?.[1]), headers, body };
}

describe('a malformed request', () => {
  it.each([
    ['another protocol', '\u0016\u0003\u0001\u0002\u0000', 400],
    ['HTTP/2 without negotiation', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['a NUL in a header', `${HEAD}X-A: a\u0000b\r\n\r\n`, 400],
    ['two content lengths', `${HEAD}Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}`, 400],
    [
      'a content length with chunked encoding',
      `${HEAD}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    ['a header of 100 KB', `${HEAD}X-A: ${'a'.repeat(100_000)}\r\n\r\n`, 431],
    ['a path of 100 KB', `GET /${'a'.repeat(100_000)} HTTP/1.1\r\nHost: worksmith\r\n\r\n`, 431],
    ['a path of 2 MB', `GET /${'a'.repeat(2_000_000)} HTTP/1.1\r\nHost: worksmith\r\n\r\n`, 431],
  ])('gets an error in the envelope, and its connection is closed: %s', async (_, text, status) => {
    const response = await told(text);
    expect(response.status).toBe(status);
    expect(response.headers.toLowerCase()).toContain('content-type: application/json\r\n');
    expect(response.headers.toLowerCase()).toContain('x-content-type-options: nosniff');
    const [, id] = /x-request-id: (\S+)/i.exec(response.headers) ?? [];
    expect(JSON.parse(response.body).error).toMatchObject({ code: 'invalid_input', request_id: id });
  });
});

it('reads the last of very many headers', async () => {
  const many = 'X: y\r\n'.repeat(3_000);
  const response = await told(`${HEAD}${many}Authorization: Bearer ${ann.token}\r\nConnection: close\r\n\r\n`);
  expect(response.status).toBe(200);
});

describe('unsupported methods', () => {
  it.each(['TRACE', 'PROPFIND', 'PURGE'])('are rejected without an echo: %s', async (method) => {
    const response = await told(
      `${method} /api/v1/tasks HTTP/1.1\r\nHost: worksmith\r\nX-Secret: never-to-be-said-again\r\nConnection: close\r\n\r\n`,
    );
    expect([404, 405]).toContain(response.status);
    expect(response.body).not.toContain('never-to-be-said-again');
  });

  it('get no response if they request a tunnel', async () => {
    expect((await told('CONNECT elsewhere.test:443 HTTP/1.1\r\nHost: worksmith\r\n\r\n')).headers).toBe('');
  });
});

describe('a compressed body', () => {
  const packed = (encoding: string, body: Buffer | string) =>
    app
      .as(ann)
      .patch('/auth/profile')
      .set('Content-Type', 'application/json')
      .set('Content-Encoding', encoding)
      .send(body);

  it.each([
    ['gzip', gzipSync('{}')],
    ['gzip', gzipSync(Buffer.alloc(20_000_000))],
    ['gzip', '{}'],
    ['deflate', '{}'],
    ['br', '{}'],
    ['identity, gzip', '{}'],
  ])('is rejected as %s without being decompressed', async (encoding, body) => {
    const response = await packed(encoding, body).expect(415);
    expect(response.body.error.code).toBe('unsupported_media_type');
  });

  it('is accepted if its encoding is identity', async () => {
    await packed('identity', '{}').expect(200);
  });
});
