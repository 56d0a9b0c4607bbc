import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { InProcessApp } from '../support/in-process-app.js';
import type { Person } from '../support/test-app.js';

describe('a file that arrives slowly', () => {
  let app: InProcessApp;
  let ann: Person;
  let server: Server;

  beforeAll(async () => {
    app = await InProcessApp.open({ WORKERS: 'false' });
    ann = await app.person('Ann');
    server = app.nest.getHttpServer();
    server.requestTimeout = 10_000;
  });
  afterAll(() => app.close());

  const begun = (path: string, headers: string[] = []): Socket => {
    const socket = connect(app.port(), '127.0.0.1').setEncoding('utf8');
    socket.on('error', () => undefined);
    const head = [`POST /api/v1/${path} HTTP/1.1`, 'Host: worksmith', `Authorization: Bearer ${ann.token}`, ...headers];
    socket.write([...head, '', ''].join('\r\n'));
    return socket;
  };
  const answerOn = async (socket: Socket): Promise<string> => {
    let response = '';
    for await (const piece of socket) response += String(piece);
    return response;
  };

  it.each([[[]], [['Idempotency-Key: nightly']]])(
    'is imported, although it takes longer than other requests may, and no transaction waits for it: %j',
    async (headers) => {
      const garden = await app.endeavour(ann);
      const file = 'id,title\nK-1,Dig\n';
      const type = ['Content-Type: text/csv', `Content-Length: ${file.length}`, ...headers];
      const socket = begun(`imports?format=csv&endeavour_id=${garden}&dry_run=true`, type);
      socket.write(file.slice(0, 12));
      server.requestTimeout = 1;
      // The server has found that the request is late.
      const [error] = (await once(server, 'clientError')) as [{ code: string }];
      server.requestTimeout = 10_000;
      expect(error.code).toBe('ERR_HTTP_REQUEST_TIMEOUT');
      const written = `SELECT count(*)::integer AS count FROM pg_stat_activity
        WHERE datname = current_database() AND backend_xid IS NOT NULL`;
      expect(await app.observer.query(written)).toEqual([{ count: 0 }]);
      socket.write(file.slice(12));
      expect(await answerOn(socket)).toMatch(/^HTTP\/1\.1 202 /);
    },
  );

  it('is 408 for every other request', async () => {
    const socket = begun('tasks', ['Content-Type: application/json', 'Content-Length: 100']);
    socket.write('{"title":');
    server.requestTimeout = 1;
    await once(server, 'clientError');
    server.requestTimeout = 10_000;
    expect(await answerOn(socket)).toMatch(/^HTTP\/1\.1 408 /);
  });
});
