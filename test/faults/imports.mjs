import { setTimeout as pause } from 'node:timers/promises';
import { withDatabase } from './support/database.mjs';
import { call } from './support/http.mjs';
import { brokenInvariants } from './support/invariants.mjs';
import { Service } from './support/service.mjs';

export const title = 'Kills the service repeatedly during an import, and imports a long file.';

const READY_MS = 120_000;
const MEGABYTE = 1024 ** 2;
/** How much the memory may grow: enough for delayed garbage collection, but not for all lines. */
const MORE_MEGABYTES = 100;

/** One issue with a comment; every tenth is closed. */
const issue = (number) => ({
  number,
  title: `Issue ${number}`,
  state: number % 10 === 0 ? 'closed' : 'open',
  created_at: '2020-01-01T00:00:00Z',
  closed_at: '2020-02-01T00:00:00Z',
  comments: [{ id: number, body: `Comment ${number}`, author: { login: 'zoe' } }],
});

/** Imports `issues` issues, kills the service `kills` times meanwhile, and returns what exists at the end. */
export async function killImport({ issues, kills }) {
  const service = await Service.start({ environment: { OPERATION_PIECE: '10' } });
  const { token } = await service.signIn();
  const ask = (method, path, body) => call(service.base, method, `/api/v1${path}`, { token, body });
  const endeavour = (await ask('POST', '/endeavours', { name: 'Many' })).body.data.id;
  const file = { issues: Array.from({ length: issues }, (_, at) => issue(at + 1)) };
  const { body } = await ask('POST', `/imports?format=github&endeavour_id=${endeavour}`, file);
  const read = async () => (await ask('GET', `/operations/${body.data.id}`)).body.data;
  let killed = 0;
  for (let next = 1; next <= kills; next += 1) {
    let operation = await read();
    while (operation.finished_at === null && operation.progress.done < (next / (kills + 1)) * 2 * issues) {
      await pause(10);
      operation = await read();
    }
    if (operation.finished_at !== null) break;
    await service.kill();
    killed += 1;
    service.launch();
    await service.ready(READY_MS);
  }
  let operation = await read();
  while (operation.finished_at === null) {
    await pause(100);
    operation = await read();
  }
  const found = await withDatabase(service.postmaster.connection, async (query) => {
    const count = async (from) => (await query(`SELECT count(*)::integer AS n FROM ${from}`, [endeavour]))[0].n;
    const lines = () => count('import_lines WHERE $1 <> import_id');
    // A job deletes them once a minute; if it fails, this loop never ends.
    while ((await lines()) > 0) await pause(200);
    return {
      tasks: await count('tasks WHERE endeavour_id = $1'),
      done: await count(`tasks WHERE endeavour_id = $1 AND completed_at = '2020-02-01T00:00:00Z'`),
      comments: await count(`entities WHERE endeavour_id = $1 AND kind = 'comment'`),
      events: await count(`events WHERE endeavour_id = $1 AND type = 'task.created'`),
      broken: await brokenInvariants(query),
    };
  });
  await service.stop();
  return { killed, status: operation.status, counts: operation.result?.import.counts, ...found };
}

/** Imports `lines` lines of CSV, and measures the time and the memory of the service, early and later. */
async function bringLines(lines) {
  const service = await Service.start();
  const { token } = await service.signIn();
  const ask = async (path, body) =>
    (await call(service.base, body === undefined ? 'GET' : 'POST', `/api/v1${path}`, { token, body })).body.data;
  const { id: endeavour } = await ask('/endeavours', { name: 'Long' });
  const rows = Array.from({ length: lines }, (_, n) => `L-${n},Task ${n},"What is to be done, in some words",done,a;b`);
  const begun = performance.now();
  const response = await fetch(`${service.base}/api/v1/imports?format=csv&endeavour_id=${endeavour}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv' },
    body: ['id,title,description,status,labels', ...rows].join('\n'),
  });
  let operation = (await response.json()).data;
  const memory = { early: 0, later: 0 };
  while (operation.finished_at === null) {
    await pause(250);
    operation = await ask(`/operations/${operation.id}`);
    const { done, total } = operation.progress;
    const part = done < total / 5 ? 'early' : 'later';
    memory[part] = Math.max(memory[part], service.memory);
  }
  const seconds = Math.round((performance.now() - begun) / 1_000);
  await service.stop();
  return { seconds, memory, created: operation.result.import.counts.created };
}

async function linesBrought(lines) {
  const { seconds, memory, created } = await bringLines(lines);
  const { early, later } = { early: Math.round(memory.early / MEGABYTE), later: Math.round(memory.later / MEGABYTE) };
  const atMost = (figure, reached, bar) => ({ figure, reached, bar: `< ${bar}`, passed: reached < bar });
  return [
    { figure: 'tasks created from lines of CSV', reached: created, bar: lines, passed: created === lines },
    atMost('seconds for the lines of CSV', seconds, (120 * lines) / 100_000),
    { figure: 'MB of memory in the first fifth', reached: early, bar: '-', passed: true },
    atMost('MB of memory later', later, early + MORE_MEGABYTES),
  ];
}

export async function run({ full, rounds = full ? 10 : 3 }) {
  const issues = full ? 10_000 : 1_000;
  const found = await killImport({ issues, kills: rounds });
  const exactly = (figure, reached, bar) => ({ figure, reached, bar, passed: reached === bar });
  return [
    exactly('kills', found.killed, rounds),
    exactly('tasks created from issues', found.tasks, issues),
    exactly('closed tasks with their date', found.done, issues / 10),
    exactly('comments', found.comments, issues),
    exactly('events of creations', found.events, issues),
    exactly('broken invariants', found.broken.length, 0),
    ...(await linesBrought(full ? 100_000 : 10_000)),
  ];
}
