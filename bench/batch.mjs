/** `node bench/batch.mjs`: a hundred creations in one batch against a hundred calls, one after the other and 8 at once. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from './client.mjs';
import { processorSeconds, startServer, stopAll } from './processes.mjs';

const ROUNDS = 15;
const MANY = 100;
const AT_ONCE = 8;
const ADMIN_EMAIL = 'admin@example.test';
const ADMIN_PASSWORD = 'correct horse battery staple';

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

async function main() {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'worksmith-bench-batch-'));
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
    const { id: endeavour_id } = await client.post('/endeavours', { name: 'Garden' });
    const ways = { batch, calls, atOnce };
    const seconds = { batch: [], calls: [], atOnce: [] };
    const processor = { batch: [], calls: [], atOnce: [] };
    for (let round = -2; round < ROUNDS; round += 1) {
      for (const [name, way] of Object.entries(ways)) {
        const [begun, used] = [performance.now(), processorSeconds(pid) ?? 0];
        await way(client, { title: `Task of round ${round}`, endeavour_id });
        if (round < 0) continue;
        seconds[name].push((performance.now() - begun) / 1_000);
        processor[name].push((processorSeconds(pid) ?? 0) - used);
      }
    }
    for (const name of Object.keys(ways)) {
      const own = processor[name].reduce((sum, one) => sum + one, 0) / ROUNDS;
      const ratios = seconds[name].map((one, at) => one / seconds.batch[at]);
      const figures = [median(seconds[name]) * 1_000, own * 1_000].map((one) => one.toFixed(0));
      const spread = [median(ratios), Math.min(...ratios), Math.max(...ratios)].map((one) => one.toFixed(2));
      process.stdout.write(`${name}: ${figures[0]} ms, node ${figures[1]} ms; ${spread.join(' ')} times the batch\n`);
    }
  } finally {
    await stopAll();
    rmSync(DATA_DIR, { recursive: true, force: true });
  }
}

const batch = (client, body) =>
  client.post('/batch', {
    operations: Array.from({ length: MANY }, () => ({ method: 'POST', path: '/api/v1/tasks', body })),
  });

async function calls(client, body) {
  for (let n = 0; n < MANY; n += 1) await client.post('/tasks', body);
}

async function atOnce(client, body) {
  let left = MANY;
  const some = async () => {
    while (left-- > 0) await client.post('/tasks', body);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, some));
}

await main();
