import { setTimeout as pause } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { call } from '../http.mjs';
import { countClosed, openConnections, tally } from './raw-connection.mjs';

/** Requests large lists, several on each connection, and never reads the responses. */
export async function slowReaders({ port, seconds, token, endeavour, full }) {
  const path = `/api/v1/tasks?endeavour_id=${endeavour}&limit=200`;
  const request = `GET ${path} HTTP/1.1\r\nHost: worksmith\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  const wires = await openConnections(port, full ? 200 : 100, { reads: false });
  for (let second = 0; second < seconds; second += 1, await pause(1_000)) {
    if (second < 10) for (const wire of wires) wire.write(request);
  }
  const summary = `${countClosed(wires)} of ${wires.length} cut off`;
  wires.forEach((wire) => wire.end());
  return { summary, passed: true };
}

/** Sends many concurrent sign-ins repeatedly, each from a different address. */
export async function logins({ base, seconds, email, full }) {
  const statuses = [];
  let requests = 0;
  const attempt = () => {
    requests += 1;
    const from = `10.${(requests >> 16) & 255}.${(requests >> 8) & 255}.${requests & 255}`;
    const body = { email, password: 'certainly not this one' };
    return statusOf(base, 'POST', '/api/v1/auth/login', { body, headers: { 'x-forwarded-for': from } });
  };
  for (const end = Date.now() + seconds * 1_000; Date.now() < end; await pause(500)) {
    statuses.push(...(await Promise.all(Array.from({ length: full ? 300 : 100 }, attempt))));
  }
  return { summary: tally(statuses), passed: statuses.every((status) => [401, 503].includes(status)) };
}

const ZEROS = Buffer.alloc(50_000_000);
const JSON_BODY = Buffer.from('{"email":"ann@example.test","password":"two wooden ladders"}');

/** Sends compressed bodies: some that would decompress to a thousand times their size, and some that are harmless. */
export async function bombs({ base, seconds }) {
  const packed = [
    ['gzip', gzipSync(ZEROS)],
    ['deflate', deflateSync(ZEROS)],
    ['br', brotliCompressSync(ZEROS)],
    ['gzip', gzipSync(JSON_BODY)],
    ['gzip', JSON_BODY],
    ['gzip, identity', JSON_BODY],
    ['zstd', JSON_BODY],
  ];
  const statuses = [];
  for (const end = Date.now() + seconds * 1_000; Date.now() < end; await pause(50)) {
    const sent = packed.map(([encoding, body]) => statusOfRaw(base, { 'content-encoding': encoding }, body));
    statuses.push(...(await Promise.all(sent)));
  }
  return { summary: tally(statuses), passed: statuses.every((status) => status === 415) };
}

const DEEP = '['.repeat(500_000);
/** As many properties as fit into the size limit of a body. */
const WIDE = `{${Array.from({ length: 90_000 }, (_, n) => `"k${n}":0`).join(',')}}`;
const LONG = `{"email":"${'a'.repeat(1_000_000)}","password":"x"}`;
const HUGE = `{"email":"${'a'.repeat(2_000_000)}"}`;

/** Sends bodies that are deeply nested, wide, long, or larger than the limit. */
export async function bodies({ base, seconds }) {
  const statuses = [];
  for (const end = Date.now() + seconds * 1_000; Date.now() < end; await pause(100)) {
    const sent = [DEEP, WIDE, LONG, HUGE].map((text) => statusOfRaw(base, {}, Buffer.from(text)));
    statuses.push(...(await Promise.all(sent)));
  }
  // The connection of a body that is too large may be cut while it is still being sent.
  return { summary: tally(statuses), passed: statuses.every((status) => [400, 413, 'cut off'].includes(status)) };
}

/** Exports the endeavours of ten users concurrently and repeatedly. */
export async function exports({ base, seconds, people }) {
  const statuses = [];
  const end = Date.now() + seconds * 1_000;
  const exporting = async ({ token, endeavour }) => {
    while (Date.now() < end) {
      const status = await statusOf(base, 'GET', `/api/v1/endeavours/${endeavour}/export`, { token });
      statuses.push(status);
      if (status !== 200) await pause(200);
    }
  };
  await Promise.all(people.map(exporting));
  return {
    summary: tally(statuses),
    passed: statuses.includes(200) && statuses.every((s) => [200, 429, 503].includes(s)),
  };
}

const statusOf = (base, method, path, options) =>
  call(base, method, path, options).then(
    ({ status }) => status,
    () => 'cut off',
  );

const statusOfRaw = async (base, headers, body) => {
  const request = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body };
  try {
    const response = await fetch(`${base}/api/v1/auth/login`, request);
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 'cut off';
  }
};
