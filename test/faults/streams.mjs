import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { startPostgres } from './support/postgres.mjs';
import { residentMemory } from './support/processes.mjs';
import { Service } from './support/service.mjs';

export const title = 'Opens 2,000 idle streams in one process, and measures their cost.';

const USERS = 400;
const STREAMS_OF_USER = 5;
const QUIET_MS = 30_000;
/** The number of clock ticks per second in /proc/{pid}/stat. */
const TICKS = 100;
const MIB = 1024 * 1024;

export async function run({ say }) {
  const { databaseUrl } = await startPostgres();
  const service = await Service.start({ databaseUrl });
  const { tokens, writer, endeavour } = await populate(service);
  const before = { memory: residentMemory(service.child.pid), ...(await processorOf(service.child.pid)) };
  say(`before: ${Math.round(before.memory / MIB)} MiB, ${before.percent} % of a processor`);
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
  const streams = [];
  for (const token of tokens) {
    const own = Array.from({ length: STREAMS_OF_USER }, () => open(service, token, agent));
    streams.push(...(await Promise.all(own)));
  }
  const idle = { memory: residentMemory(service.child.pid), ...(await processorOf(service.child.pid)) };
  const milliseconds = await slowestDelivery(streams, () =>
    writer.post('/tasks', { title: 'For all', endeavour_id: endeavour }),
  );
  agent.destroy();
  const each = Math.round((idle.memory - before.memory) / streams.length / 1024);
  return [
    {
      figure: 'streams',
      reached: streams.length,
      bar: USERS * STREAMS_OF_USER,
      passed: streams.length === USERS * STREAMS_OF_USER,
    },
    {
      figure: 'memory of the process with them, MiB',
      reached: Math.round(idle.memory / MIB),
      bar: 600,
      passed: idle.memory < 600 * MIB,
    },
    { figure: 'memory per stream, KiB', reached: each, bar: '-', passed: true },
    { figure: 'processor while nothing happens, % of one', reached: idle.percent, bar: '-', passed: true },
    { figure: 'ms until all 2,000 had received an event', reached: milliseconds, bar: '-', passed: true },
  ];
}

/** Creates an endeavour and signed-in users who are members of it. */
async function populate(service) {
  const writer = await service.signIn();
  const { id: endeavour } = await writer.post('/endeavours', { name: 'Streams' });
  const tokens = [];
  while (tokens.length < USERS) {
    const email = `reader${tokens.length}@worksmith.example`;
    const password = `a password of reader ${tokens.length}`;
    const { id } = await writer.post('/users', { name: `Reader ${tokens.length}`, email, password });
    await writer.post(`/users/${id}/endeavours`, { endeavour_id: endeavour, role: 'member' });
    tokens.push((await service.signIn({ email, password })).token);
  }
  return { tokens, writer, endeavour };
}

/** Opens a stream, and resolves at its first data; `onEvent` of the result is called for each event. */
function open({ port }, token, agent) {
  return new Promise((resolve, reject) => {
    const options = {
      port,
      path: '/api/v1/changes/stream?type=task.*',
      agent,
      headers: { authorization: `Bearer ${token}` },
    };
    const stream = { onEvent: undefined };
    get(options, (response) => {
      if (response.statusCode !== 200) reject(new Error(`a stream was answered with ${response.statusCode}`));
      response.setEncoding('utf8').on('data', (text) => {
        resolve(stream);
        if (text.includes('event: change')) stream.onEvent?.();
      });
    }).on('error', reject);
  });
}

/** The CPU usage of the idle process, in percent of one core. */
async function processorOf(pid) {
  const ticks = () =>
    readFileSync(`/proc/${pid}/stat`, 'utf8')
      .split(' ')
      .slice(13, 15)
      .reduce((sum, n) => sum + Number(n), 0);
  const begun = ticks();
  await pause(QUIET_MS);
  return { percent: Math.round(((ticks() - begun) / TICKS / (QUIET_MS / 1_000)) * 1_000) / 10 };
}

/** Milliseconds from a write until every stream has received its event. */
async function slowestDelivery(streams, write) {
  const received = Promise.all(streams.map((stream) => new Promise((resolve) => (stream.onEvent = resolve))));
  const begun = performance.now();
  await write();
  await received;
  return Math.round(performance.now() - begun);
}
