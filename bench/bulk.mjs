/** `node bench/bulk.mjs`: how long POST /tasks/bulk takes over 10,000 tasks, from the request to the end of its operation. */
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from './client.mjs';
import { databaseSeconds, processorSeconds, startServer, stopAll } from './processes.mjs';

const TASKS = 10_000;
const ADMIN_EMAIL = 'admin@example.test';
const ADMIN_PASSWORD = 'correct horse battery staple';
/** Each entry changes all tasks: first the assignee, the due date and the metadata, then the status step by step. */
const CHANGES = [
  { name: 'assignee and due date, dry run', changes: { assignee_id: 'me', due_date: '2030-01-01' }, dry_run: true },
  { name: 'assignee and due date', changes: { assignee_id: 'me', due_date: '2030-01-01' } },
  { name: 'metadata', changes: { metadata: { sprint: 7 } } },
  { name: 'planned to active', changes: { status: 'active' } },
  { name: 'active to done, dry run', changes: { status: 'done' }, dry_run: true },
  { name: 'active to done', changes: { status: 'done' } },
  { name: 'done to active', changes: { status: 'active' } },
  { name: 'active to canceled', changes: { status: 'canceled', canceled_reason: 'Another plan' } },
];

async function main() {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'worksmith-bench-bulk-'));
  // PostgreSQL does not run as root, and its user needs access to this folder.
  chmodSync(DATA_DIR, 0o755);
  try {
    const env = {
      DATA_DIR,
      ADMIN_EMAIL,
      ADMIN_PASSWORD,
      LIMIT_WRITES_PER_MINUTE: '1000000',
      LOG_LEVEL: 'error',
      MAIL: 'files',
    };
    const { port, pid } = await startServer('dist/main.js', env);
    const client = await new Client(`http://127.0.0.1:${port}`).signIn(ADMIN_EMAIL, ADMIN_PASSWORD);
    const postmaster = postmasterOf(DATA_DIR);
    const { id: endeavour_id } = await client.post('/endeavours', { name: 'Garden' });
    await importTasks(client, endeavour_id);
    for (const { name, ...body } of CHANGES) {
      const [begun, used] = [performance.now(), usedBy(pid, postmaster)];
      const { changed, refused } = await bulk(client, { filter: { endeavour_id }, ...body });
      const seconds = (performance.now() - begun) / 1_000;
      const spent = spentSince(used, pid, postmaster);
      const [node, database] = [spent.node, spent.database].map((one) => one.toFixed(1));
      process.stdout.write(
        `${name}: ${seconds.toFixed(1)} s, node ${node} s, PostgreSQL ${database} s; ${changed} changed, ${refused} refused\n`,
      );
    }
  } finally {
    await stopAll();
    rmSync(DATA_DIR, { recursive: true, force: true });
  }
}

/** The pid of the PostgreSQL server whose data is in that folder. */
function postmasterOf(folder) {
  const file = readdirSync(folder, { recursive: true }).find((name) => name.endsWith('postmaster.pid'));
  return Number(readFileSync(join(folder, file), 'utf8').split('\n')[0]);
}

/** Processor time, for PostgreSQL by process, because some of its processes end during a measurement. */
const usedBy = (pid, postmaster) => ({ node: processorSeconds(pid) ?? 0, database: databaseSeconds(postmaster) });

function spentSince(before, pid, postmaster) {
  const now = usedBy(pid, postmaster);
  const spent = [...now.database].map(([each, seconds]) => seconds - (before.database.get(each) ?? 0));
  return { node: now.node - before.node, database: spent.reduce((sum, one) => sum + one, 0) };
}

async function importTasks(client, endeavourId) {
  const lines = Array.from({ length: TASKS }, (_, n) => `Task ${n}`);
  const response = await fetch(`${client.base}/api/v1/imports?format=csv&endeavour_id=${endeavourId}`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream', authorization: `Bearer ${client.token}` },
    body: ['title', ...lines].join('\n'),
  });
  await ended(client, (await response.json()).data);
}

const bulk = async (client, body) => ended(client, await client.post('/tasks/bulk', body));

async function ended(client, started) {
  let operation = started;
  while (operation.finished_at === null) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    operation = await client.get(`/operations/${operation.id}`);
  }
  if (operation.status !== 'succeeded') throw new Error(JSON.stringify(operation));
  return operation.result;
}

await main();
