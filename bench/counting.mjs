import { isDeepStrictEqual } from 'node:util';
import { STARTERS } from './servers.mjs';
import { startRecordingProxy } from './wire.mjs';

const WARM_UP = 8;
const COUNTED = 20;
/** The routes on which the bare server must return the same response as the service. */
const COMPARED = ['get', 'list'];

/** Sends one request like the load generator, and returns the response. */
async function send(port, text) {
  const [head, body] = text.split('\r\n\r\n');
  const [first, ...lines] = head.split('\r\n');
  const [method, path] = first.split(' ');
  const headers = Object.fromEntries(
    lines.map((line) => line.split(': ')).filter(([name]) => !['host', 'content-length'].includes(name)),
  );
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, ...(body !== '' && { body }) });
  const answer = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${answer}`);
  return JSON.parse(answer);
}

/**
 * Counts the statements and round trips of a request of each route on each server, in a separate pass that sends one
 * request after the other through a recording proxy. Keeps the statements of the service for pgbench.
 */
export async function countStatements(connection, { routes, servers }, sets) {
  const counts = {};
  const answers = {};
  for (const kind of servers) {
    const wire = await startRecordingProxy(connection);
    // Background work would be counted, too.
    const server = await STARTERS[kind]({ ...connection, host: '127.0.0.1', port: wire.port }, { WORKERS: 'false' });
    for (const [name, route] of routes) {
      if (!route.servers.includes(kind)) continue;
      const texts = sets[name].slice(0, WARM_UP + COUNTED).flat();
      const all = Array.from({ length: WARM_UP + COUNTED }, (_, n) => texts[n % texts.length]);
      for (const text of all.slice(0, WARM_UP)) await send(server.port, text);
      wire.reset();
      for (const text of all.slice(WARM_UP)) {
        const answer = await send(server.port, text);
        if (kind !== 'naive' && COMPARED.includes(name)) (answers[`${name} ${text}`] ??= []).push(answer);
      }
      counts[`${name} ${kind}`] = {
        statements: wire.statements / COUNTED,
        roundTrips: wire.roundTrips / COUNTED,
        last: wire.seen.slice(-Math.round(wire.statements / COUNTED)),
        request: all.at(-1),
      };
    }
    await server.stop();
    wire.close();
  }
  assertSame(answers);
  return counts;
}

/** Throws if the servers respond differently, because their figures could not be compared. */
function assertSame(answers) {
  for (const [request, [first, ...others]] of Object.entries(answers)) {
    for (const other of others) {
      if (!isDeepStrictEqual(withoutCursor(first), withoutCursor(other))) {
        throw new Error(`the servers answer ${request.split('\r\n')[0]} differently`);
      }
    }
  }
}

const withoutCursor = ({ data, meta }) => ({ data, total: meta?.total });
