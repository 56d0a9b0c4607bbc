import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter, once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { RequestQueue } from './request-queue.js';

const MOST_IN_LINE = 1_000;
const belonging = new AsyncLocalStorage<string>();
const SIGNED_IN = 'Authorization: Bearer ann\r\n';

let server: Server;
let begun: string[];
let belongings: (string | undefined)[];
let inWork: ServerResponse[];
let client: Socket;
let read: string;
beforeEach(async () => {
  begun = [];
  belongings = [];
  inWork = [];
  read = '';
  server = createServer((request, response) => {
    begun.push(request.url ?? '');
    belongings.push(belonging.getStore());
    belonging.run(request.url ?? '', () => inWork.push(response));
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

const asked = (path: string, headers = SIGNED_IN, method = 'GET'): string =>
  `${method} ${path} HTTP/1.1\r\nHost: worksmith\r\n${headers}\r\n`;

const names = (count: number): string[] => Array.from({ length: count }, (_, n) => `/api/v1/tasks/${n}`);

/** Comes back once so many have begun, and those had time that must not. */
async function untilBegun(count: number): Promise<void> {
  while (begun.length < count) await pause(2);
  await pause(30);
}

describe('requests of one connection', () => {
  it('begin one after the other, each once the one before it is answered', async () => {
    client.write(
      names(3)
        .map((name) => asked(name))
        .join(''),
    );
    for (let n = 0; n < 3; n += 1) {
      await untilBegun(n + 1);
      expect(begun).toEqual(names(n + 1));
      inWork[n].end(`answer ${n}`);
    }
    while (!read.includes('answer 2')) await pause(2);
    expect(read.match(/answer \d/g)).toEqual(['answer 0', 'answer 1', 'answer 2']);
    // Begun by another's end, none has taken over what belonged to that one.
    expect(belongings).toEqual([undefined, undefined, undefined]);
  });

  it('do not wait for those of another', async () => {
    client.write(asked('/api/v1/a') + asked('/api/v1/b'));
    await untilBegun(1);
    const other = await connected();
    other.write(asked('/api/v1/c'));
    await untilBegun(2);
    expect(begun).toEqual(['/api/v1/a', '/api/v1/c']);
  });

  it('never begin once it is gone', async () => {
    client.write(asked('/api/v1/a') + asked('/api/v1/b'));
    await untilBegun(1);
    const isGone = once(inWork[0], 'close');
    client.destroy();
    await isGone;
    await untilBegun(1);
    expect(begun).toEqual(['/api/v1/a']);
  });

  it('begin at once where so many are in line that it would grow for ever', async () => {
    client.write(
      names(MOST_IN_LINE + 2)
        .map((name) => asked(name))
        .join(''),
    );
    await untilBegun(2);
    expect(begun).toEqual(['/api/v1/tasks/0', `/api/v1/tasks/${MOST_IN_LINE + 1}`]);
  });
});

describe('requests of strangers', () => {
  /** One that arrives on a connection of its own, as Node would tell of it. */
  const arrive = (url: string, headers: Record<string, string> = {}, method = 'GET'): void => {
    const response = Object.assign(new EventEmitter(), { end: () => undefined });
    server.emit('request', { url, method, headers, socket: { destroyed: false } }, response);
  };
  const token = { authorization: 'Bearer invented' };

  it.each([
    ['without a session', '/api/v1/tasks', {}, 'GET'],
    ['who sign in', '/api/v1/auth/login', {}, 'POST'],
    ['who invent a token in order to be let past', '/api/v1/auth/login', token, 'POST'],
  ])('begin one in a turn of the event loop: %s', async (_, url, headers, method) => {
    for (let n = 0; n < 3; n += 1) arrive(url, headers, method);
    const counts: number[] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      counts.push(begun.length);
      await nextTurn();
    }
    expect(counts).toEqual([0, 1, 2, 3]);
  });

  it('do not delay requests of signed-in users or health probes', () => {
    arrive('/api/v1/auth/login', {}, 'POST');
    arrive('/api/v1/auth/whoami', token);
    arrive('/health/ready');
    expect(begun).toEqual(['/api/v1/auth/whoami', '/health/ready']);
  });
});
