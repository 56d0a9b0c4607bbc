import { connect } from 'node:net';
import { TestApp, type Person } from '../support/test-app.js';

type Method = 'get' | 'post' | 'patch' | 'put' | 'delete';

interface Documented {
  operationId: string;
  security?: unknown[];
  description: string;
}

let app: TestApp;
let ann: Person;
beforeAll(async () => {
  app = await TestApp.open({ LIMIT_READS_PER_MINUTE: '100000', LIMIT_WRITES_PER_MINUTE: '100000' });
  ann = await app.person('Ann');
});
afterAll(() => app.close());

/** The documented operations that match, with ids in their paths that do not exist. */
function operations(where: (operation: Documented) => boolean): { method: Method; path: string }[] {
  const paths = app.document.paths as unknown as Record<string, Record<Method, Documented>>;
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, operation]) => where(operation))
      .map(([method]) => ({
        method: method as Method,
        path: path.replace('/api/v1', '').replaceAll(/\{[^}]+\}/g, 'x'),
      })),
  );
}

const needsToken = ({ security }: Documented): boolean => security?.length !== 0;
const isAdministrators = (operation: Documented): boolean =>
  operation.description.includes('Only administrators can call this operation.');

/** Invalid requests, which every operation rejects. */
const FAULTS: [string, Record<string, string>, string, string][] = [
  ['malformed JSON', { 'Content-Type': 'application/json' }, '{', ''],
  ['text', { 'Content-Type': 'text/plain' }, 'x', ''],
  ['a malformed media type', { 'Content-Type': ';' }, 'x', ''],
  ['a body without a type', { 'Content-Type': '' }, 'x', ''],
  ['a compressed body', { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }, '{}', ''],
  ['a body that names a property twice', { 'Content-Type': 'application/json' }, '{"a":1,"a":1}', ''],
  ['unknown and repeated parameters', {}, '', '?no_such_parameter=1&limit=0&limit=x'],
  ['a malformed If-Match', { 'If-Match': 'x' }, '', ''],
];

function sent(person: Person | null, { method, path }: { method: Method; path: string }, fault: (typeof FAULTS)[0]) {
  const [, headers, body, query] = fault;
  const call = app.as(person)[method](`${path}${query}`).set(headers);
  return method === 'get' || body === '' ? call : call.send(body);
}

describe('without a valid token every operation that needs one is 401', () => {
  it.each(FAULTS)('even if the request is invalid: %s', async (...fault) => {
    for (const operation of operations(needsToken)) {
      const { body, headers } = await sent(null, operation, fault).expect(401);
      expect(body.error.code).toBe('unauthorized');
      expect(headers['www-authenticate']).toMatch(/^Bearer realm="worksmith"/);
    }
  });

  it.each([
    [
      'of a session that has ended',
      async () => {
        const again = await app.signInAgain(ann);
        await app.as(again).post('/auth/logout').expect(200);
        return again;
      },
    ],
    ['that was forged', () => Promise.resolve({ ...ann, token: `${ann.token}x` })],
    ['of an access token that does not exist', () => Promise.resolve({ ...ann, token: `wst_${'0'.repeat(64)}` })],
  ])('with a token %s, too', async (_, person) => {
    const caller = await person();
    for (const fault of FAULTS) await sent(caller, { method: 'post', path: '/tasks' }, fault).expect(401);
    const [, , , , , , parameters] = FAULTS;
    await sent(caller, { method: 'get', path: '/tasks' }, parameters).expect(401);
  });

  it('even if the body is too large, before it has been sent', async () => {
    const head = `POST /api/v1/tasks HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1048577\r\n\r\n`;
    const announced = await answerTo(head);
    const piece = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    const chunked = await answerTo(
      `${head.replace(/Content-Length.*?\r\n/, 'Transfer-Encoding: chunked\r\n')}${piece.repeat(17)}`,
    );
    expect([announced, chunked]).toEqual([expect.stringContaining(' 401 '), expect.stringContaining(' 401 ')]);
    expect(announced.toLowerCase()).toContain('connection: close');
  });
});

/** Sends the text on a new connection, and returns the status line and the headers of the response. */
async function answerTo(text: string): Promise<string> {
  const socket = connect(app.port(), '127.0.0.1').setEncoding('utf8');
  socket.on('error', () => undefined);
  return new Promise((resolve) => {
    let response = '';
    socket.on('data', (piece: string) => (response += piece)).on('close', () => resolve(response.split('\r\n\r\n')[0]));
    socket.write(text);
  });
}

describe('with a valid token', () => {
  it.each(FAULTS)(
    'operations of administrators are 403 for other users, even if the request is invalid: %s',
    async (...fault) => {
      const those = operations(isAdministrators);
      expect(those).toContainEqual({ method: 'get', path: '/users' });
      for (const operation of those) {
        const { body } = await sent(ann, operation, fault).expect(403);
        expect(body.error).toMatchObject({ code: 'forbidden', details: { required: 'an administrator' } });
      }
    },
  );

  it('a body that is too large is 413, announced or not', async () => {
    const head = `POST /api/v1/tasks HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ann.token}\r\nContent-Type: application/json\r\n`;
    const piece = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    expect(await answerTo(`${head}Content-Length: 1048577\r\n\r\n`)).toContain(' 413 ');
    expect(await answerTo(`${head}Transfer-Encoding: chunked\r\n\r\n${piece.repeat(17)}`)).toContain(' 413 ');
  });

  it('a body without a type is 415', async () => {
    const head = `POST /api/v1/tasks HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ann.token}\r\nConnection: close\r\n`;
    expect(await answerTo(`${head}Content-Length: 2\r\n\r\n{}`)).toContain(' 415 ');
  });

  it('a read ignores the content type', async () => {
    await app.as(ann).get('/tasks').set('Content-Type', 'text/plain').expect(200);
  });

  it('malformed requests count against the rate limit', async () => {
    const strict = await TestApp.open({ LIMIT_WRITES_PER_MINUTE: '2' });
    try {
      const bob = await strict.person('Bob');
      const broken = () => strict.as(bob).post('/tasks').set('Content-Type', 'application/json').send('{');
      await broken().expect(400);
      await broken().expect(400);
      await broken().expect(429);
    } finally {
      await strict.close();
    }
  });
});
