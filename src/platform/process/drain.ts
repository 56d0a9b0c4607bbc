import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Readiness } from '../health/readiness.js';

const IN_FLIGHT_MS = 25_000;
const POLL_MS = 50;

/** Sets `Connection: close` on every response during shutdown, so that clients open their next connection elsewhere. */
export function announceLeaving(fastify: FastifyInstance, readiness: Readiness): void {
  fastify.addHook('onSend', (_request, reply, payload, done) => {
    if (readiness.isShuttingDown) void reply.header('connection', 'close');
    done(null, payload);
  });
}

/**
 * Stops accepting connections and waits for requests in flight; closes the connections that remain after the timeout.
 * Must run before Fastify is closed, because a closed Fastify rejects requests that still arrive on open connections.
 */
export async function drain(server: Server, timeoutMs = IN_FLIGHT_MS): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // Node does not close a connection that becomes idle after `close` was called.
  const closing = setInterval(() => server.closeIdleConnections(), POLL_MS);
  const timeout = new AbortController();
  await Promise.race([closed, sleep(timeoutMs, undefined, { signal: timeout.signal }).catch(() => undefined)]);
  timeout.abort();
  clearInterval(closing);
  server.closeAllConnections();
  await closed;
}
