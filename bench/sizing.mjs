import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { Databases } from './databases.mjs';
import { SIZES } from './data/shape.mjs';
import { readTexts } from './data/texts.mjs';
import { machineOf } from './machine.mjs';
import { MIXED_ROUTES } from './mixes.mjs';
import { WARMING } from './plan.mjs';
import { memoryOf, processorSeconds, ROOT } from './processes.mjs';
import { summarize } from './report.mjs';
import { measureRounds } from './rounds.mjs';
import { ROUTES } from './routes.mjs';
import { startService } from './servers.mjs';
import { describeSizing } from './sizing-description.mjs';
import { TestBed } from './stand.mjs';

const PAGE = 'docs/sizing.md';
const MARK = '<!-- measured -->';
const CONNECTIONS = 16;
const ADMINISTRATOR = { ADMIN_EMAIL: 'sizing@worksmith.example', ADMIN_PASSWORD: 'a river of quiet lamps' };
const WRITES = ['post', 'patch', 'comment'];
/** The parts of the database: tables whose names begin so. */
const PARTS = {
  'tasks and demands': '^(tasks|demands|entities)$',
  'events and the feed': '^(events|feed)',
  histories: '^(task_|demand_|iteration_changes)',
};

/** Measures what a request of each kind of user costs, and prints what follows from it for docs/sizing.md. */
export async function measureSizing({ server, options, isKept, texts, say }) {
  const size = options.smoke ? SIZES.tiny : (SIZES[options.rows] ?? SIZES.small);
  const plan = planOf(options.smoke);
  const read = await readTexts(texts);
  const database = await new Databases(server.connection, read, { isKept, say }).open(size);
  const stand = new TestBed(database, size, server.postmaster);
  try {
    const space = await spaceOf(database.connection, size);
    await stand.open(read.texts, plan);
    const figures = await measureRounds({ plan, stands: [stand], say });
    const measured = {
      size,
      space,
      costs: summarize([{ size: size.name, figures }]),
      memory: { idle: stand.idle.service, loaded: stand.memory().service },
      wal: await walOf(stand, options.smoke),
      signIn: await signInSeconds(database.connection, options.smoke ? 1 : 20),
      machine: await machineOf(server),
      source: read.source,
      disturbed: mean(figures.map(({ others, stolen }) => others + stolen)),
    };
    const text = describeSizing(measured);
    say(`\n${text}`);
    if (options.write) replaceIn(PAGE, text);
  } finally {
    await stand.close();
  }
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

function planOf(smoke) {
  return {
    routes: MIXED_ROUTES.map((name) => [name, { ...ROUTES[name], servers: ['service'] }]),
    servers: ['service'],
    processes: 1,
    hasLimit: false,
    warming: smoke ? { ...WARMING, seconds: 0 } : WARMING,
    steps: [{ connections: smoke ? 1 : CONNECTIONS, rounds: smoke ? 1 : 3, warmUp: 0.5, seconds: smoke ? 0 : 2 }],
  };
}

/** Bytes of the loaded database for each task, in all and by part; without the functions and built-in rows. */
async function spaceOf(connection, { tasks }) {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const { rows } = await client.query(
      `SELECT relname AS name, pg_total_relation_size(oid)::float8 AS bytes FROM pg_class
       WHERE relkind = 'r' AND relnamespace IN ('public'::regnamespace, 'partitions'::regnamespace)`,
    );
    const sum = (isWanted) => rows.filter(isWanted).reduce((total, { bytes }) => total + bytes, 0) / tasks;
    const parts = Object.entries(PARTS).map(([part, pattern]) => [
      part,
      sum(({ name }) => new RegExp(pattern).test(name)),
    ]);
    return { all: sum(() => true), parts: Object.fromEntries(parts) };
  } finally {
    await client.end();
  }
}

/** Bytes of the write-ahead log for each write, by route. */
async function walOf(stand, smoke) {
  const position = async () => {
    const { rows } = await stand.client.query(`SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS at`);
    return rows[0].at;
  };
  const bytes = {};
  for (const name of WRITES) {
    const before = await position();
    const step = { connections: smoke ? 1 : CONNECTIONS, warmUp: 0, seconds: smoke ? 0 : 2 };
    const { count } = await stand.measure(name, 'service', step);
    bytes[name] = ((await position()) - before) / count;
  }
  return bytes;
}

/** Seconds of processor time of a sign-in with a password, in a process of its own. */
async function signInSeconds(connection, times) {
  const service = await startService(connection, ADMINISTRATOR);
  const signIn = async () => {
    const response = await fetch(`http://127.0.0.1:${service.port}/api/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: ADMINISTRATOR.ADMIN_EMAIL, password: ADMINISTRATOR.ADMIN_PASSWORD }),
    });
    const body = await response.text();
    if (!response.ok) throw new Error(`the sign-in answered ${response.status}: ${body}`);
  };
  try {
    await signIn();
    const before = processorSeconds(service.pid);
    for (let n = 0; n < times; n += 1) await signIn();
    return { seconds: (processorSeconds(service.pid) - before) / times, memoryMb: memoryOf(service.pid) };
  } finally {
    await service.stop();
  }
}

/** Replaces what stands between the two marks of a page. */
function replaceIn(page, text) {
  const file = join(ROOT, page);
  const [before, , after] = readFileSync(file, 'utf8').split(MARK);
  writeFileSync(file, `${before}${MARK}\n\n${text}\n\n${MARK}${after}`);
}
