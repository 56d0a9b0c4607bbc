import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Readiness } from '../health/readiness.js';

const IN_FLIGHT_MS = 25_000;
const POLL_MS = 50;

/** While the service is leaving, every answer asks the client to come back on another connection. */
export function announceLeaving(fastify: FastifyInstance, readiness: Readiness): void {
  fastify.addHook('onSend', (_request, reply, payload, done) => {
    if (readiness.isShuttingDown) void reply.header('connection', 'close');
    done(null, payload);
  });
}

/**
 * Takes no new connections, and waits for the requests in flight; those that take too long are cut.
 * Fastify is closed only after that: closing it first would turn away what still arrives on open connections.
 */
export async function drain(server: Server, patienceMs = IN_FLIGHT_MS): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection that falls idle only now, after an answer begun before, is not closed by itself.
  const idle = setInterval(() => server.closeIdleConnections(), POLL_MS);
  const late = new AbortController();
  await Promise.race([closed, sleep(patienceMs, undefined, { signal: late.signal }).catch(() => undefined)]);
  late.abort();
  clearInterval(idle);
  server.closeAllConnections();
  await closed;
}
