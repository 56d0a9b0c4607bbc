import { isDeepStrictEqual } from 'node:util';
import { STARTERS } from './servers.mjs';
import { openWire } from './wire.mjs';

const WARM_UP = 8;
const COUNTED = 20;
/** Where the floor answers with the very same. */
const COMPARED = ['get', 'list'];

/** Sends one request as the load generator would, and waits for its answer. */
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
 * How many statements and round trips a request of each route costs on each server: a pass of its own, one request after
 * the other, with a proxy that reads along on the connections. Keeps what the service sends, for pgbench.
 */
export async function count(connection, { routes, servers }, sets) {
  const counts = {};
  const answers = {};
  for (const kind of servers) {
    const wire = await openWire(connection);
    // Work that goes on by itself would be counted along.
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
        flights: wire.flights / COUNTED,
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

/** Who answers something else is not to be compared with. */
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
