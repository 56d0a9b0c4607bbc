import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from '../../scripts/client.mjs';

const HELP = `Kills the service with SIGKILL in the middle of writes, starts it again, and looks whether everything that it
acknowledged is there, once. Needs a build (npm start makes one).

  node test/faults/kill.mjs [--rounds 10] [--port 3900]
`;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    port: { type: 'string', default: '3900' },
    help: { type: 'boolean', default: false },
  },
});

const WRITERS = 8;
const EMAIL = 'fault@worksmith.example';
const PASSWORD = randomBytes(12).toString('hex');
const dataDir = mkdtempSync(join(tmpdir(), 'worksmith-kill-'));
const base = `http://127.0.0.1:${values.port}`;
const children = new Set();
const say = (line) => process.stdout.write(`${line}\n`);

function start() {
  const env = {
    ...process.env,
    PORT: values.port,
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    ADMIN_EMAIL: EMAIL,
    ADMIN_PASSWORD: PASSWORD,
    LIMIT_WRITES_PER_MINUTE: '1000000',
    LIMIT_LOGIN_PER_MINUTE: '1000',
    LOG_LEVEL: 'error',
  };
  const child = spawn(process.execPath, ['scripts/start.mjs'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  children.add(child);
  return child;
}

/** Milliseconds until the service says that it is ready. */
async function ready(child) {
  const begun = Date.now();
  while (Date.now() - begun < 30_000) {
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}`);
    const response = await fetch(`${base}/health/ready`).catch(() => undefined);
    if (response?.ok) return Date.now() - begun;
    await pause(20);
  }
  throw new Error('the service did not become ready within 30 s');
}

/** Creates tasks under keys of its own until the service is gone, and notes what was acknowledged. */
async function write(client, endeavour_id, round, writer, ledger) {
  for (let n = 0; ; n += 1) {
    const title = `r${round} w${writer} n${n}`;
    const response = await client.fetch('POST', '/api/v1/tasks', { title, endeavour_id }).catch(() => undefined);
    if (response === undefined) return;
    const answer = await response.json().catch(() => undefined);
    if (response.status !== 201) throw new Error(`a write answered ${response.status}: ${JSON.stringify(answer)}`);
    if (answer !== undefined) ledger.set(answer.data.id, title);
  }
}

async function check(client, endeavour_id, ledger) {
  const seen = new Map();
  for await (const { id, title } of client.all(`/tasks?endeavour_id=${endeavour_id}`)) {
    if (seen.has(title)) throw new Error(`${title} is there twice`);
    seen.set(title, id);
  }
  const lost = [...ledger].filter(([id, title]) => seen.get(title) !== id);
  return { lost: lost.length, there: seen.size };
}

const signIn = () => new Client(base).signIn(EMAIL, PASSWORD);

/** Servers of this data directory that are still running. */
function postmasters() {
  try {
    const pid = Number(readFileSync(join(dataDir, 'cluster/postmaster.pid'), 'utf8').split('\n')[0]);
    process.kill(pid, 0);
    return 1;
  } catch {
    return 0;
  }
}

async function main() {
  if (values.help) return say(HELP);
  const ledger = new Map();
  let child = start();
  await ready(child);
  let client = await signIn();
  const { id } = await client.post('/endeavours', { name: 'Kill' });
  for (let round = 1; round <= Number(values.rounds); round += 1) {
    const writers = Array.from({ length: WRITERS }, (_, writer) => write(client, id, round, writer, ledger));
    await pause(500 + Math.random() * 1000);
    child.kill('SIGKILL');
    await Promise.all(writers);
    child = start();
    const milliseconds = await ready(child);
    client = await signIn();
    const { lost, there } = await check(client, id, ledger);
    say(`round ${round}: ready after ${milliseconds} ms, ${ledger.size} acknowledged, ${there} there, ${lost} lost`);
    if (lost > 0) process.exitCode = 1;
  }
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const code = await gone;
  say(`stopped with ${code}; ${postmasters()} database servers left`);
  if (code !== 0 || postmasters() > 0) process.exitCode = 1;
  rmSync(dataDir, { recursive: true, force: true });
}

await main().finally(() => {
  for (const child of children) if (child.exitCode === null) child.kill('SIGTERM');
});
