import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { request, type ClientRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import makeFastify, { type FastifyInstance } from 'fastify';
import type { ApiError } from '../../../common/errors.js';
import { identify, SessionConcurrencyLimiter } from './session-concurrency-limiter.js';

const MAX_CONCURRENT = 3;
const MAX_WAITING = 1_000;
const storage = new AsyncLocalStorage<string>();

interface Sent {
  sent: ClientRequest;
  status: Promise<number | undefined>;
  /** Resolves when the server has sent the response or has noticed that the client disconnected. */
  closed: Promise<unknown>;
}

/** A server whose requests run until the test ends them. */
class TestServer {
  readonly started: string[] = [];
  readonly contexts: (string | undefined)[] = [];
  private readonly running: (() => void)[] = [];

  private constructor(private readonly fastify: FastifyInstance) {}

  static async open(): Promise<TestServer> {
    const fastify = makeFastify({ forceCloseConnections: true });
    const server = new TestServer(fastify);
    fastify.addHook('onRequest', ({ query }, _reply, done) => storage.run((query as { n: string }).n, done));
    fastify.setErrorHandler((error: ApiError, _request, reply) =>
      reply.code(error.code === 'rate_limited' ? 429 : 503).send(),
    );
    new SessionConcurrencyLimiter(MAX_CONCURRENT).register(fastify);
    // Tokens such as `ann.1` are those of a user; all others are forged, and are being verified.
    fastify.addHook('preHandler', (incoming, _reply, done) => {
      const [userId, number] = (incoming.headers.authorization?.split(' ').at(-1) ?? '').split('.');
      if (number !== undefined) {
        Object.assign(incoming, { caller: { userId } });
        identify(incoming);
      }
      done();
    });
    fastify.get('/api/work', async ({ query }) => {
      server.started.push((query as { n: string }).n);
      server.contexts.push(storage.getStore());
      await new Promise<void>((resolve) => server.running.push(resolve));
      return 'done';
    });
    fastify.get('/health/ready', () => 'ready');
    await fastify.listen({ port: 0, host: '127.0.0.1' });
    return server;
  }

  /** Sends a request and waits until it has arrived. */
  async send(path: string, token?: string, scheme = 'Bearer '): Promise<Sent> {
    const { port } = this.fastify.server.address() as AddressInfo;
    const headers = token === undefined ? {} : { authorization: scheme + token };
    const arrived = once(this.fastify.server, 'request');
    const sent = request({ port, host: '127.0.0.1', path, headers, agent: false }).end();
    const status = once(sent, 'response').then(([response]) => response.resume().statusCode);
    status.catch(() => undefined);
    const [, response] = await arrived;
    return { sent, status, closed: once(response, 'close') };
  }

  async sendMany(count: number, token: string): Promise<Sent[]> {
    const all = [];
    for (let n = 0; n < count; n += 1) all.push(await this.send(`/api/work?n=${n}`, token));
    return all;
  }

  /** Ends the request that has been running longest. */
  endOne(): void {
    this.running.shift()?.();
  }

  /** Ends all running requests, and those that start after them. */
  async endAll(): Promise<void> {
    while (this.running.length > 0) {
      this.endOne();
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }

  close(): Promise<void> {
    return this.fastify.close();
  }
}

let server: TestServer;
beforeEach(async () => {
  server = await TestServer.open();
});
afterEach(() => server.close());

const numbers = (count: number): string[] => Array.from({ length: count }, (_, n) => String(n));

describe('requests of one client', () => {
  it('start up to the limit, and the others in their order as earlier ones are answered', async () => {
    const sent = await server.sendMany(MAX_CONCURRENT + 3, 'ann');
    expect(server.started).toEqual(numbers(MAX_CONCURRENT));
    server.endOne();
    await sent[0].status;
    expect(server.started).toEqual(numbers(MAX_CONCURRENT + 1));
    await server.endAll();
    expect(await Promise.all(sent.map(({ status }) => status))).toEqual(sent.map(() => 200));
    expect(server.started).toEqual(numbers(MAX_CONCURRENT + 3));
    // No request has inherited the context of the request whose end started it.
    expect(server.contexts).toEqual(server.started);
  });

  it('do not delay other users, or probes from the same address', async () => {
    await server.sendMany(MAX_CONCURRENT + 1, 'ann.1');
    await server.send('/api/work?n=ben', 'ben.1');
    expect(server.started.slice(MAX_CONCURRENT)).toEqual(['ben']);
    await server.send('/api/work?n=anonymous');
    expect(await (await server.send('/health/ready')).status).toBe(200);
    await server.endAll();
  });

  it('are counted together for tokens that have not been seen before, so that many new tokens are not many clients', async () => {
    for (let n = 0; n < 4 * MAX_CONCURRENT; n += 1) await server.send(`/api/work?n=${n}`, `ann.${n}`);
    // Those of the user, and those that keep the slots of the address.
    expect(server.started).toEqual(numbers(2 * MAX_CONCURRENT));
    await server.endAll();
    expect(server.started).toHaveLength(4 * MAX_CONCURRENT);
  });

  it('are counted by the token, however the scheme before it is written', async () => {
    await server.sendMany(MAX_CONCURRENT, 'ann');
    for (const scheme of ['bearer ', 'BEARER ', 'Bearer   ']) await server.send('/api/work?n=more', 'ann', scheme);
    expect(server.started).toEqual(numbers(MAX_CONCURRENT));
  });

  it('are counted together for all tokens of a user, and not for users that a forged token names', async () => {
    for (const token of ['ann.1', 'ann.2', 'ben.1']) {
      const { status } = await server.send('/api/work?n=first', token);
      await server.endAll();
      expect(await status).toBe(200);
    }
    for (let n = 0; n < 2 * MAX_CONCURRENT; n += 1) await server.send(`/api/work?n=ann${n}`, `ann.${1 + (n % 2)}`);
    await server.send('/api/work?n=ben', 'ben.1');
    await server.send('/api/work?n=forged', 'ann');
    expect(server.started.slice(3)).toEqual(['ann0', 'ann1', 'ann2', 'ben', 'forged']);
    await server.endAll();
  });

  it('are rejected if too many of them are waiting', async () => {
    await server.sendMany(MAX_CONCURRENT + MAX_WAITING, 'ann');
    expect(await (await server.send('/api/work', 'ann')).status).toBe(429);
    expect(server.started).toHaveLength(MAX_CONCURRENT);
  });

  it('are skipped after the client has disconnected, and release their slots', async () => {
    const sent = await server.sendMany(MAX_CONCURRENT + 3, 'ann');
    for (const { sent: aborted, closed } of [sent[MAX_CONCURRENT], sent[0]]) {
      aborted.destroy();
      await closed;
    }
    while (server.started.length === MAX_CONCURRENT) await new Promise((resolve) => setTimeout(resolve, 2));
    expect(server.started).toEqual([...numbers(MAX_CONCURRENT), String(MAX_CONCURRENT + 1)]);
  });
});
