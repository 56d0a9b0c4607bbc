import { setTimeout as pause } from 'node:timers/promises';
import { countClosed, openConnections, tally, RawConnection } from './raw-connection.mjs';

const HOST = 'Host: worksmith\r\n';
const WHOAMI = `GET /api/v1/auth/whoami HTTP/1.1\r\n${HOST}`;

/** Sends headers that never end, one line per second. */
export async function slowHeaders({ port, seconds, full }) {
  const connections = await openConnections(port, full ? 1_000 : 300);
  for (const connection of connections) connection.write(WHOAMI);
  for (let second = 0; second < seconds; second += 1, await pause(1_000)) {
    for (const connection of connections) connection.write(`X-Line-${second}: more to come\r\n`);
  }
  const summary = `${countClosed(connections)} of ${connections.length} cut off`;
  connections.forEach((connection) => connection.end());
  return { summary, passed: seconds < 12 || summary.startsWith(String(connections.length)) };
}

/** Sends bodies that never end, one byte per second. */
export async function slowBodies({ port, seconds, full }) {
  const connections = await openConnections(port, full ? 300 : 100);
  const head = `POST /api/v1/auth/login HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{`;
  for (const connection of connections) connection.write(head);
  for (let second = 0; second < seconds; second += 1, await pause(1_000))
    for (const connection of connections) connection.write(' ');
  connections.forEach((connection) => connection.end());
  return { summary: `${connections.length} held open`, passed: true };
}

/** Opens connections that send nothing, and connections that the client closes in the middle of a request. */
export async function halfOpen({ port, seconds, full }) {
  const mute = await openConnections(port, full ? 500 : 150);
  const halves = await openConnections(port, full ? 500 : 150);
  for (const connection of halves) connection.socket.end(WHOAMI);
  await pause(seconds * 1_000);
  const summary = `${countClosed(halves)} of ${halves.length} halves and ${countClosed(mute)} of ${mute.length} mutes cut off`;
  const isCut = countClosed(halves) === halves.length && (seconds < 12 || countClosed(mute) === mute.length);
  [...mute, ...halves].forEach((connection) => connection.end());
  return { summary, passed: isCut };
}

/** Pipelines 100 requests on each connection. */
export async function pipelining({ port, seconds, token }) {
  const request = `${WHOAMI}Authorization: Bearer ${token}\r\n\r\n`;
  const statuses = [];
  for (const end = Date.now() + seconds * 1_000; Date.now() < end;) {
    const connections = await openConnections(port, 10);
    for (const connection of connections) connection.write(request.repeat(100));
    await Promise.race([pause(5_000), Promise.all(connections.map((connection) => answered(connection, 100)))]);
    statuses.push(...connections.flatMap((connection) => connection.statuses ?? ['no answer']));
    connections.forEach((connection) => connection.end());
  }
  return { summary: tally(statuses), passed: statuses.every((status) => ['200', '429', '503'].includes(status)) };
}

async function answered(connection, count) {
  while ((connection.statuses?.length ?? 0) < count && !connection.isClosed) await pause(20);
}

const OVERSIZE = {
  'a header of 100 KB': `${WHOAMI}X-Long: ${'x'.repeat(100_000)}\r\n\r\n`,
  'a path of 100 KB': `GET /api/v1/${'x'.repeat(100_000)} HTTP/1.1\r\n${HOST}\r\n`,
  '5,000 headers': `${WHOAMI}${'X: and more\r\n'.repeat(5_000)}\r\n`,
  'a token of 60 KB': `${WHOAMI}Authorization: Bearer ${'a'.repeat(60_000)}\r\n\r\n`,
};

export const oversizeHeaders = (context) => refused(context, Object.values(OVERSIZE), ['431', '400']);

const POST = `POST /api/v1/auth/login HTTP/1.1\r\n${HOST}Content-Type: application/json\r\n`;
const NONSENSE = {
  'another protocol': '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
  'HTTP/2 at once': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'a NUL in a header': `${WHOAMI}X-A: \u0000\r\n\r\n`,
  'no host': 'GET /api/v1/auth/whoami HTTP/1.1\r\n\r\n',
  'two lengths': `${POST}Content-Length: 2\r\nContent-Length: 30\r\n\r\n{}`,
  'a length and pieces': `${POST}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n`,
  'pieces by another name': `${POST}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
  'a piece of a negative size': `${POST}Transfer-Encoding: chunked\r\n\r\n-1\r\n{}\r\n0\r\n\r\n`,
  'a length that is not a number': `${POST}Content-Length: 0x10\r\n\r\n{}`,
  'a header with a space in its name': `${WHOAMI}Content-Length : 5\r\n\r\n`,
};

export const nonsense = (context) => refused(context, Object.values(NONSENSE), ['400', '431']);

/** Sends each text repeatedly; any status except the expected ones means that it was accepted as a request. */
async function refused({ port, seconds }, texts, expected) {
  const statuses = [];
  for (const end = Date.now() + seconds * 1_000; Date.now() < end; await pause(20)) {
    const connections = texts.map(() => new RawConnection(port));
    await Promise.all(connections.map(({ opened }) => opened));
    connections.forEach((connection, index) => connection.write(texts[index]));
    await Promise.race([pause(5_000), Promise.all(connections.map(({ closed }) => closed))]);
    statuses.push(...connections.map((connection) => connection.statuses?.join('+') ?? 'hung up'));
    connections.forEach((connection) => connection.end());
  }
  const isFine = (status) => status === 'hung up' || expected.includes(status);
  return { summary: tally(statuses), passed: statuses.every(isFine) };
}
