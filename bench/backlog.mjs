import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { Client } from './client.mjs';

const HELP = `Puts a backlog (JSON Lines: key, title, description, ...) into a running service through its public interface,
every issue a task of one new endeavour, and reads it back by listing with cursors.

  node bench/backlog.mjs --file <backlog.jsonl> --email <email> --password <password> [--url http://localhost:3000]

What does not fit a limit of the service is reported and left out, never cut.
`;

const AT_ONCE = 16;
const say = (line) => process.stdout.write(`${line}\n`);

async function* issuesOf(file) {
  for await (const line of createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Infinity })) {
    if (line.trim() !== '') yield JSON.parse(line);
  }
}

const asTask = ({ title, description, comments, ...rest }, endeavour_id) => ({
  title,
  description: description ?? '',
  endeavour_id,
  metadata: { ...rest, comment_count: comments?.length ?? 0 },
});

/** Retries after the delay that the service requests, so that a limit slows the load down instead of losing tasks. */
async function create(client, task, key) {
  for (;;) {
    const response = await fetch(`${client.base}/api/v1/tasks`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${client.token}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify(task),
    });
    const answer = await response.json();
    if (response.ok) return { id: answer.data.id };
    if (![429, 503].includes(response.status)) return { status: response.status, error: answer.error };
    await pause(Number(response.headers.get('retry-after') ?? 1) * 1000);
  }
}

async function load(client, file, endeavour_id) {
  const kept = new Map();
  const refused = [];
  const issues = issuesOf(file);
  const worker = async () => {
    for (;;) {
      const { value: issue, done } = await issues.next();
      if (done) return;
      const task = asTask(issue, endeavour_id);
      const { id, status, error } = await create(client, task, `${endeavour_id}-${issue.key}`);
      if (id === undefined) refused.push({ key: issue.key, status, faults: error.details?.fields ?? error.code });
      else kept.set(id, task);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return { kept, refused };
}

/** The service trims titles and treats an empty description as absent; everything else must be unchanged. */
function isSame(task, listed) {
  return (
    listed.title === task.title.trim() &&
    (listed.description ?? '') === task.description &&
    isDeepStrictEqual(listed.metadata, task.metadata)
  );
}

async function compare(client, endeavour_id, kept) {
  const missing = new Map(kept);
  const different = [];
  for await (const listed of client.all(`/tasks?endeavour_id=${endeavour_id}&sort=created_at`)) {
    const task = missing.get(listed.id);
    if (task === undefined || !isSame(task, listed)) different.push(listed.id);
    missing.delete(listed.id);
  }
  return { missing: missing.size, different };
}

async function main() {
  const { values } = parseArgs({
    options: {
      url: { type: 'string', default: `http://localhost:${process.env.PORT ?? 3000}` },
      file: { type: 'string' },
      email: { type: 'string' },
      password: { type: 'string' },
    },
  });
  if (values.file === undefined || values.email === undefined || values.password === undefined) {
    process.stdout.write(HELP);
    process.exitCode = 1;
    return;
  }
  const client = await new Client(values.url).signIn(values.email, values.password);
  const { id } = await client.post('/endeavours', { name: `Backlog ${new Date().toISOString()}` });
  const begun = Date.now();
  const { kept, refused } = await load(client, values.file, id);
  const seconds = (Date.now() - begun) / 1000;
  say(`${kept.size} tasks in ${id} after ${seconds.toFixed(1)} s; ${refused.length} refused:`);
  for (const { key, status, faults } of refused) say(`  ${key}: ${status} ${JSON.stringify(faults)}`);
  const { missing, different } = await compare(client, id, kept);
  say(`Read back by cursor: ${missing} missing, ${different.length} different.`);
  if (missing > 0 || different.length > 0) process.exitCode = 1;
}

await main();
