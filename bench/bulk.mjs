/** `node bench/bulk.mjs`: how long POST /tasks/bulk takes over 10,000 tasks, from the request to the end of the operation. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from './client.mjs';
import { processorSeconds, startServer, stopAll } from './processes.mjs';

const TASKS = 10_000;
const AT_ONCE = 100;
const ADMIN_EMAIL = 'admin@example.test';
const ADMIN_PASSWORD = 'correct horse battery staple';
/** Each is a change of all tasks: people and dates, then every status in turn. */
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
  // PostgreSQL does not run as root, and its user has to enter this folder.
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
    const { id: endeavour_id } = await client.post('/endeavours', { name: 'Garden' });
    for (let made = 0; made < TASKS; made += AT_ONCE) {
      const operations = Array.from({ length: AT_ONCE }, (_, n) => ({
        method: 'POST',
        path: '/api/v1/tasks',
        body: { title: `Task ${made + n}`, endeavour_id },
      }));
      await client.post('/batch', { operations });
    }
    for (const { name, ...body } of CHANGES) {
      const [begun, used] = [performance.now(), processorSeconds(pid) ?? 0];
      const { changed, refused } = await bulk(client, { filter: { endeavour_id }, ...body });
      const own = (processorSeconds(pid) ?? 0) - used;
      const seconds = (performance.now() - begun) / 1_000;
      process.stdout.write(
        `${name}: ${seconds.toFixed(1)} s, node ${own.toFixed(1)} s; ${changed} changed, ${refused} refused\n`,
      );
    }
  } finally {
    await stopAll();
    rmSync(DATA_DIR, { recursive: true, force: true });
  }
}

async function bulk(client, body) {
  let operation = await client.post('/tasks/bulk', body);
  while (operation.finished_at === null) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    operation = await client.get(`/operations/${operation.id}`);
  }
  if (operation.status !== 'succeeded') throw new Error(JSON.stringify(operation));
  return operation.result;
}

await main();
