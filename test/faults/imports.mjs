import { setTimeout as pause } from 'node:timers/promises';
import { asking } from './support/database.mjs';
import { call } from './support/http.mjs';
import { sweep } from './support/invariants.mjs';
import { Service } from './support/service.mjs';

export const title = 'Kills the service in the middle of an import, again and again.';

const READY_MS = 120_000;

/** One issue with a comment; every tenth is closed. */
const issue = (number) => ({
  number,
  title: `Issue ${number}`,
  state: number % 10 === 0 ? 'closed' : 'open',
  created_at: '2020-01-01T00:00:00Z',
  closed_at: '2020-02-01T00:00:00Z',
  comments: [{ id: number, body: `Comment ${number}`, author: { login: 'zoe' } }],
});

/** Imports that many issues, kills the service that often on the way, and tells what there is at the end. */
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
  const found = await asking(service.postmaster.connection, async (query) => {
    const count = async (from) => (await query(`SELECT count(*)::integer AS n FROM ${from}`, [endeavour]))[0].n;
    const lines = () => count('import_lines WHERE $1 <> import_id');
    // A job deletes them once a minute; where it does not, this does not come to its end.
    while ((await lines()) > 0) await pause(200);
    return {
      tasks: await count('tasks WHERE endeavour_id = $1'),
      done: await count(`tasks WHERE endeavour_id = $1 AND completed_at = '2020-02-01T00:00:00Z'`),
      comments: await count(`entities WHERE endeavour_id = $1 AND kind = 'comment'`),
      events: await count(`events WHERE endeavour_id = $1 AND type = 'task.created'`),
      broken: await sweep(query),
    };
  });
  await service.stop();
  return { killed, status: operation.status, counts: operation.result?.import.counts, ...found };
}

export async function run({ full, rounds = full ? 10 : 3 }) {
  const issues = full ? 10_000 : 1_000;
  const found = await killImport({ issues, kills: rounds });
  const exactly = (figure, reached, bar) => ({ figure, reached, bar, passed: reached === bar });
  return [
    exactly('kills', found.killed, rounds),
    exactly('tasks created of the issues', found.tasks, issues),
    exactly('closed tasks with their date', found.done, issues / 10),
    exactly('comments', found.comments, issues),
    exactly('events of creations', found.events, issues),
    exactly('broken invariants', found.broken.length, 0),
  ];
}
