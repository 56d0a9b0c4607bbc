import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter, once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { RequestQueue } from './request-queue.js';

const MAX_WAITING = 1_000;
const storage = new AsyncLocalStorage<string>();
const SIGNED_IN = 'Authorization: Bearer ann\r\n';

let server: Server;
let started: string[];
let contexts: (string | undefined)[];
let running: ServerResponse[];
let client: Socket;
let read: string;
beforeEach(async () => {
  started = [];
  contexts = [];
  running = [];
  read = '';
  server = createServer((request, response) => {
    started.push(request.url ?? '');
    contexts.push(storage.getStore());
    storage.run(request.url ?? '', () => running.push(response));
  });
  RequestQueue.install(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  client = await connected();
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function connected(): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined).on('data', (data) => (read += data.toString()));
  await once(socket, 'connect');
  return socket;
}

const rawRequest = (path: string, headers = SIGNED_IN, method = 'GET'): string =>
  `${method} ${path} HTTP/1.1\r\nHost: worksmith\r\n${headers}\r\n`;

const names = (count: number): string[] => Array.from({ length: count }, (_, n) => `/api/v1/tasks/${n}`);

/** Resolves when `count` requests have started, after a pause in which requests that must wait could have started. */
async function untilStarted(count: number): Promise<void> {
  while (started.length < count) await pause(2);
  await pause(30);
}

describe('requests of one connection', () => {
  it('start one after the other, each when the previous one has been answered', async () => {
    client.write(
      names(3)
        .map((name) => rawRequest(name))
        .join(''),
    );
    for (let n = 0; n < 3; n += 1) {
      await untilStarted(n + 1);
      expect(started).toEqual(names(n + 1));
      running[n].end(`answer ${n}`);
    }
    while (!read.includes('answer 2')) await pause(2);
    expect(read.match(/answer \d/g)).toEqual(['answer 0', 'answer 1', 'answer 2']);
    // No request has inherited the context of the request whose end started it.
    expect(contexts).toEqual([undefined, undefined, undefined]);
  });

  it('do not wait for those of other connections', async () => {
    client.write(rawRequest('/api/v1/a') + rawRequest('/api/v1/b'));
    await untilStarted(1);
    const other = await connected();
    other.write(rawRequest('/api/v1/c'));
    await untilStarted(2);
    expect(started).toEqual(['/api/v1/a', '/api/v1/c']);
  });

  it('never start after it is closed', async () => {
    client.write(rawRequest('/api/v1/a') + rawRequest('/api/v1/b'));
    await untilStarted(1);
    const closed = once(running[0], 'close');
    client.destroy();
    await closed;
    await untilStarted(1);
    expect(started).toEqual(['/api/v1/a']);
  });

  it('start at once if the queue has reached its limit', async () => {
    client.write(
      names(MAX_WAITING + 2)
        .map((name) => rawRequest(name))
        .join(''),
    );
    await untilStarted(2);
    expect(started).toEqual(['/api/v1/tasks/0', `/api/v1/tasks/${MAX_WAITING + 1}`]);
  });
});

describe('requests without a session', () => {
  /** Emits the event of a request that arrives on a separate connection. */
  const arrive = (url: string, headers: Record<string, string> = {}, method = 'GET'): void => {
    const response = Object.assign(new EventEmitter(), { end: () => undefined });
    server.emit('request', { url, method, headers, socket: { destroyed: false } }, response);
  };
  const token = { authorization: 'Bearer invented' };

  it.each([
    ['without a token', '/api/v1/tasks', {}, 'GET'],
    ['a sign-in', '/api/v1/auth/login', {}, 'POST'],
    ['a sign-in with an invented token', '/api/v1/auth/login', token, 'POST'],
  ])('start one per turn of the event loop: %s', async (_, url, headers, method) => {
    for (let n = 0; n < 3; n += 1) arrive(url, headers, method);
    const counts: number[] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      counts.push(started.length);
      await nextTurn();
    }
    expect(counts).toEqual([0, 1, 2, 3]);
  });

  it('do not delay requests of signed-in users or health probes', () => {
    arrive('/api/v1/auth/login', {}, 'POST');
    arrive('/api/v1/auth/whoami', token);
    arrive('/health/ready');
    expect(started).toEqual(['/api/v1/auth/whoami', '/health/ready']);
  });
});
