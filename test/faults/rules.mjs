import { setTimeout as pause } from 'node:timers/promises';
import { withDatabase } from './support/database.mjs';
import { call } from './support/http.mjs';
import { brokenInvariants } from './support/invariants.mjs';
import { startPostgres } from './support/postgres.mjs';
import { Service } from './support/service.mjs';

export const title = 'Kills two replicas in turn while rules run, and compares what the rules did with the events.';

const REPLICAS = 2;
const WRITERS = 8;
const PATIENCE_MS = 300_000;
const PRIORITIES = ['low', 'medium', 'high', 'urgent'];
/** Below the 60 runs of an endeavour in a minute, so that none has to wait for the next one. */
const SIZES = {
  full: { endeavours: 50, tasks: 40, killEveryMs: 2_000 },
  short: { endeavours: 10, tasks: 20, killEveryMs: 1_000 },
};

/** Four rules in each endeavour, one for each priority, so that every new task triggers exactly one of them. */
export async function run({ full, say }) {
  const { endeavours, tasks, killEveryMs } = full ? SIZES.full : SIZES.short;
  const { databaseUrl, connection } = await startPostgres();
  const replicas = [];
  for (let n = 0; n < REPLICAS; n += 1) replicas.push(await Service.start({ databaseUrl }));
  const admin = await replicas[0].signIn();
  const ids = [];
  for (let n = 0; n < endeavours; n += 1) ids.push(await ruledEndeavour(admin, n));
  const site = { replicas, token: admin.token, say };
  const stop = new AbortController();
  const killing = killInTurn(site, killEveryMs, stop.signal);
  await createTasks(site, ids, tasks);
  const isDone = await withDatabase(connection, untilDone);
  stop.abort();
  const kills = await killing;
  const counts = await withDatabase(connection, countsOf);
  const broken = await withDatabase(connection, brokenInvariants);
  broken.slice(0, 20).forEach((line) => say(line));
  for (const replica of replicas) await replica.stop();
  const none = (figure, count) => ({ figure, reached: count, bar: '0', passed: count === 0 });
  return [
    { figure: 'rules', reached: endeavours * PRIORITIES.length, bar: '-', passed: true },
    { figure: 'replicas killed', reached: kills, bar: '> 1', passed: kills > 1 },
    { figure: 'events', reached: counts.tasks, bar: endeavours * tasks, passed: counts.tasks >= endeavours * tasks },
    {
      figure: 'runs that succeeded',
      reached: counts.succeeded,
      bar: counts.tasks,
      passed: counts.succeeded === counts.tasks,
    },
    { figure: 'all ended in time', reached: isDone ? 'yes' : 'no', bar: 'yes', passed: isDone },
    none('tasks without the comment of their rule', counts.missed),
    none('tasks with more comments', counts.doubled),
    none('tasks with the comment but without the patch, or the other way round', counts.torn),
    none('runs out of order in their endeavour', counts.disordered),
    none('broken invariants', broken.length),
  ];
}

async function ruledEndeavour(admin, n) {
  const { id } = await admin.post('/endeavours', { name: `Rules ${n}` });
  for (const priority of PRIORITIES) {
    await admin.post('/rules', {
      name: priority,
      endeavour_id: id,
      on: ['task.created'],
      filter: { priority },
      actions: [{ comment: { content: priority } }, { patch: { metadata: { ruled: priority } } }],
    });
  }
  return id;
}

/** Creates the tasks on whichever replica answers; a request without an answer may have created one, too. */
async function createTasks({ replicas, token }, endeavours, count) {
  const wanted = endeavours.flatMap((id) => Array.from({ length: count }, (_, n) => ({ id, n })));
  const writer = async () => {
    for (let next = wanted.pop(); next !== undefined; next = wanted.pop()) {
      const body = { title: `Task ${next.n}`, endeavour_id: next.id, priority: PRIORITIES[next.n % PRIORITIES.length] };
      for (let at = next.n; !(await isCreated(replicas[at % REPLICAS], token, body)); at += 1) await pause(20);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
}

async function isCreated({ base }, token, body) {
  const response = await call(base, 'POST', '/api/v1/tasks', { token, body }).catch(() => undefined);
  return response?.status === 201;
}

/** Kills one replica after the other and starts it again; returns how often. */
async function killInTurn({ replicas, say }, everyMs, signal) {
  let kills = 0;
  while (!signal.aborted) {
    await pause(everyMs);
    const replica = replicas[kills % REPLICAS];
    await replica.kill();
    kills += 1;
    replica.launch();
    say(`kill ${kills}: ready after ${await replica.ready()} ms`);
  }
  return kills;
}

/** Whether every event has been offered to the rules and every run has ended within PATIENCE_MS. */
async function untilDone(query) {
  for (const late = Date.now() + PATIENCE_MS; Date.now() < late; await pause(200)) {
    const [{ left }] = await query(`SELECT (SELECT count(*) FROM tasks t
        WHERE NOT EXISTS (SELECT 1 FROM rule_runs rn WHERE rn.entity_id = t.id))
      + (SELECT count(*) FROM rule_runs WHERE status IN ('new', 'waiting')) AS left`);
    if (Number(left) === 0) return true;
  }
  return false;
}

async function countsOf(query) {
  const comments = `(SELECT count(*) FROM comments c WHERE c.entity_id = t.id AND c.content = t.priority)`;
  const [row] = await query(`SELECT count(*)::integer AS tasks,
      count(*) FILTER (WHERE ${comments} = 0)::integer AS missed,
      count(*) FILTER (WHERE (SELECT count(*) FROM comments c WHERE c.entity_id = t.id) > 1)::integer AS doubled,
      count(*) FILTER (WHERE (${comments} = 1) <> (t.metadata ->> 'ruled' IS NOT DISTINCT FROM t.priority))::integer AS torn,
      (SELECT count(*) FROM rule_runs WHERE status = 'succeeded')::integer AS succeeded,
      (SELECT count(*) FROM (SELECT ran_at, lag(ran_at) OVER (PARTITION BY endeavour_id ORDER BY position) AS before
        FROM rule_runs) ended WHERE ran_at < before)::integer AS disordered
    FROM tasks t`);
  return row;
}
