import { once } from 'node:events';
import { Agent, createServer, get, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { registerCleanup } from './opened.mjs';

const CHECK_MS = 250;
const FAILURES = 2;

/** A replica with its open requests and its failed health checks. */
class Place {
  inFlight = 0;
  failures = 0;
  agent = new Agent({ keepAlive: true });

  constructor(port) {
    this.port = port;
  }

  get isUp() {
    return this.failures < FAILURES;
  }

  async look() {
    const isReady = await new Promise((resolve) => {
      const asked = get(
        { port: this.port, host: '127.0.0.1', path: '/health/ready?for=read', timeout: 2_000 },
        (answer) => {
          answer.resume().once('end', () => resolve(answer.statusCode === 200));
        },
      );
      asked.once('error', () => resolve(false)).once('timeout', () => asked.destroy());
    });
    this.failures = isReady ? 0 : this.failures + 1;
  }
}

/**
 * Starts a small proxy with the rules of deploy/haproxy.cfg, for machines without haproxy. It checks whether each
 * replica is ready, sends a request to the replica with the fewest open requests, and retries on another one only if
 * the connection was refused or the request is a GET.
 */
export async function startNodeProxy(ports) {
  const places = ports.map((port) => new Place(port));
  const server = createServer({ keepAliveTimeout: 30_000 }, (incoming, outgoing) => {
    forward(incoming, outgoing, [...places]);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = new AbortController();
  const checks = places.map(async (place) => {
    while (!stop.signal.aborted) {
      await place.look();
      await pause(CHECK_MS);
    }
  });
  const close = registerCleanup(async () => {
    stop.abort();
    server.close();
    server.closeAllConnections();
    for (const { agent } of places) agent.destroy();
    await Promise.all(checks);
  });
  return { name: 'the proxy of the suite', base: `http://127.0.0.1:${server.address().port}`, close };
}

function forward(incoming, outgoing, candidates) {
  const up = candidates.filter(({ isUp }) => isUp);
  const place = (up.length > 0 ? up : candidates).toSorted((one, other) => one.inFlight - other.inFlight)[0];
  if (place === undefined) return refuse(outgoing, 503);
  const headers = { ...incoming.headers, 'x-forwarded-for': incoming.socket.remoteAddress };
  delete headers.connection;
  const { method, url: path } = incoming;
  const going = request({ port: place.port, host: '127.0.0.1', method, path, headers, agent: place.agent });
  place.inFlight += 1;
  going.once('close', () => (place.inFlight -= 1));
  going.once('error', ({ code }) => {
    const others = candidates.filter((other) => other !== place);
    const isRead = method === 'GET' && !outgoing.headersSent;
    // After a refused connection, the body is still unread: sendWhenConnected reads it only once there is a connection.
    if (code === 'ECONNREFUSED' || isRead) forward(incoming, outgoing, others);
    else refuse(outgoing, 502);
  });
  going.once('response', (answer) => pass(answer, outgoing));
  sendWhenConnected(going, incoming);
}

function sendWhenConnected(going, incoming) {
  going.once('socket', (socket) => {
    if (socket.connecting) socket.once('connect', () => incoming.pipe(going));
    else incoming.pipe(going);
  });
}

function pass(answer, outgoing) {
  const headers = { ...answer.headers };
  delete headers.connection;
  outgoing.writeHead(answer.statusCode, headers);
  answer.once('error', () => outgoing.destroy());
  answer.pipe(outgoing);
}

function refuse(outgoing, status) {
  if (outgoing.headersSent) return outgoing.destroy();
  outgoing.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  outgoing.end('{"error":{"code":"unavailable","message":"No replica has answered.","request_id":null}}');
}
