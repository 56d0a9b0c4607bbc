import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { request, type ClientRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import makeFastify, { type FastifyInstance } from 'fastify';
import type { ApiError } from '../../common/errors.js';
import { SessionConcurrencyLimiter } from './session-concurrency-limiter.js';

const AT_ONCE = 3;
const AT_MOST_WAITING = 1_000;
const belonging = new AsyncLocalStorage<string>();

interface Sent {
  sent: ClientRequest;
  status: Promise<number | undefined>;
  /** The server has noticed that the client has gone, or has sent the response. */
  left: Promise<unknown>;
}

/** A server whose requests are in work until they are told to end. */
class Workshop {
  readonly begun: string[] = [];
  readonly belongings: (string | undefined)[] = [];
  private readonly inWork: (() => void)[] = [];

  private constructor(private readonly fastify: FastifyInstance) {}

  static async open(): Promise<Workshop> {
    const fastify = makeFastify({ forceCloseConnections: true });
    const workshop = new Workshop(fastify);
    fastify.addHook('onRequest', ({ query }, _reply, done) => belonging.run((query as { n: string }).n, done));
    fastify.setErrorHandler((error: ApiError, _request, reply) =>
      reply.code(error.code === 'rate_limited' ? 429 : 503).send(),
    );
    new SessionConcurrencyLimiter(AT_ONCE).register(fastify);
    fastify.get('/api/work', async ({ query }) => {
      workshop.begun.push((query as { n: string }).n);
      workshop.belongings.push(belonging.getStore());
      await new Promise<void>((resolve) => workshop.inWork.push(resolve));
      return 'done';
    });
    fastify.get('/health/ready', () => 'ready');
    await fastify.listen({ port: 0, host: '127.0.0.1' });
    return workshop;
  }

  /** Sends a request and lets the server get as far with it as it can. */
  async send(path: string, token?: string, scheme = 'Bearer '): Promise<Sent> {
    const { port } = this.fastify.server.address() as AddressInfo;
    const headers = token === undefined ? {} : { authorization: scheme + token };
    const arrived = once(this.fastify.server, 'request');
    const sent = request({ port, host: '127.0.0.1', path, headers, agent: false }).end();
    const status = once(sent, 'response').then(([answer]) => answer.resume().statusCode);
    status.catch(() => undefined);
    const [, answer] = await arrived;
    return { sent, status, left: once(answer, 'close') };
  }

  async sendMany(count: number, token: string): Promise<Sent[]> {
    const all = [];
    for (let n = 0; n < count; n += 1) all.push(await this.send(`/api/work?n=${n}`, token));
    return all;
  }

  /** Ends the one that has been in work the longest. */
  endOne(): void {
    this.inWork.shift()?.();
  }

  /** Ends all that are in work, and those that come after them. */
  async endAll(): Promise<void> {
    while (this.inWork.length > 0) {
      this.endOne();
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }

  close(): Promise<void> {
    return this.fastify.close();
  }
}

let workshop: Workshop;
beforeEach(async () => {
  workshop = await Workshop.open();
});
afterEach(() => workshop.close());

const numbers = (count: number): string[] => Array.from({ length: count }, (_, n) => String(n));

describe('the turns of one client', () => {
  it('let so many requests begin, and the others in their order as those before them are answered', async () => {
    const sent = await workshop.sendMany(AT_ONCE + 3, 'ann');
    expect(workshop.begun).toEqual(numbers(AT_ONCE));
    workshop.endOne();
    await sent[0].status;
    expect(workshop.begun).toEqual(numbers(AT_ONCE + 1));
    await workshop.endAll();
    expect(await Promise.all(sent.map(({ status }) => status))).toEqual(sent.map(() => 200));
    expect(workshop.begun).toEqual(numbers(AT_ONCE + 3));
    // Begun by another's end, each has kept its own.
    expect(workshop.belongings).toEqual(workshop.begun);
  });

  it('do not delay other sessions, other addresses or probes from the same address', async () => {
    await workshop.sendMany(AT_ONCE + 1, 'ann');
    await workshop.send('/api/work?n=ben', 'ben');
    await workshop.send('/api/work?n=anonymous');
    expect(workshop.begun.slice(AT_ONCE)).toEqual(['ben', 'anonymous']);
    for (let n = 0; n < AT_ONCE; n += 1) await workshop.send('/api/work?n=more');
    expect(await (await workshop.send('/health/ready')).status).toBe(200);
  });

  it('are those of the token, however the scheme before it is written', async () => {
    await workshop.sendMany(AT_ONCE, 'ann');
    for (const scheme of ['bearer ', 'BEARER ', 'Bearer   ']) await workshop.send('/api/work?n=more', 'ann', scheme);
    expect(workshop.begun).toEqual(numbers(AT_ONCE));
  });

  it('are rejected when the same caller already has too many waiting', async () => {
    await workshop.sendMany(AT_ONCE + AT_MOST_WAITING, 'ann');
    expect(await (await workshop.send('/api/work', 'ann')).status).toBe(429);
    expect(workshop.begun).toHaveLength(AT_ONCE);
  });

  it('pass over what its client no longer waits for, and are given back by what it gave up', async () => {
    const sent = await workshop.sendMany(AT_ONCE + 3, 'ann');
    for (const { sent: gone, left } of [sent[AT_ONCE], sent[0]]) {
      gone.destroy();
      await left;
    }
    while (workshop.begun.length === AT_ONCE) await new Promise((resolve) => setTimeout(resolve, 2));
    expect(workshop.begun).toEqual([...numbers(AT_ONCE), String(AT_ONCE + 1)]);
  });
});
