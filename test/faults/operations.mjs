import { setTimeout as pause } from 'node:timers/promises';
import { withDatabase } from './support/database.mjs';
import { call } from './support/http.mjs';
import { brokenInvariants } from './support/invariants.mjs';
import { childrenOf, send } from './support/processes.mjs';
import { Service } from './support/service.mjs';

export const title =
  'Archives, restores and erases many tasks as operations, and kills everything in the middle of each.';

const ANSWER_MS = 1_000;
/** A database that was killed during so many changes has a long log to replay. */
const READY_MS = 120_000;
const PLANTED_AT_ONCE = 5_000;
/** The progress of an operation at each kill, and what is killed. */
const KILLS = [
  [0.2, 'node'],
  [0.45, 'everything'],
  [0.7, 'node'],
];

const VICTIMS = {
  node: (service) => service.kill(),
  everything: (service) => {
    const { pid } = service.postmaster;
    for (const each of [pid, ...childrenOf(pid)]) send(each, 'SIGKILL');
    return service.kill();
  },
};

/** Archives, restores and erases an endeavour with `tasks` tasks, and checks that each operation took effect once. */
export async function run({ full, say, tasks = full ? 200_000 : 1_500 }) {
  // The operations of a short run may end before their last kill.
  const leastKills = KILLS.length * (full ? 4 : 2);
  const environment = { OPERATION_THRESHOLD: '100', ...(!full && { OPERATION_PIECE: '50' }) };
  const service = await Service.start({ environment });
  const { token } = await service.signIn();
  const course = {
    service,
    token,
    say,
    kills: 0,
    accepted: 0,
    refused: 0,
    slowestRefusal: 0,
    answers: [],
    seconds: {},
  };
  course.endeavour = (await write(course, 'POST', '/endeavours', { name: 'Many' })).body.data.id;
  course.query = (sql, values) => withDatabase(service.postmaster.connection, (query) => query(sql, values));
  await plant(course, tasks);
  const before = await statusesOf(course);

  const archived = await finish(course, 'archive', 'POST', `/endeavours/${course.endeavour}/archive`, {
    reason: 'Kills',
  });
  const open = await count(course, `tasks WHERE endeavour_id = $1 AND status IN ('planned', 'active')`);
  const twice = await count(
    course,
    `(SELECT entity_id FROM events WHERE endeavour_id = $1 AND data->>'status' = 'canceled' AND entity_type = 'task'
      GROUP BY entity_id HAVING count(*) > 1) doubled`,
  );
  const canceled = archived.result?.tasks_canceled;
  const restored = await finish(course, 'unarchive', 'POST', `/endeavours/${course.endeavour}/unarchive`);
  const isRestored = (await statusesOf(course)) === before;
  await finish(course, 'archive again', 'POST', `/endeavours/${course.endeavour}/archive`, { reason: 'For good' });
  const broken = await withDatabase(service.postmaster.connection, sweepMany);
  const erased = await finish(course, 'erase', 'DELETE', `/endeavours/${course.endeavour}?confirm=Many`);
  const left = await count(course, `entities WHERE endeavour_id = $1 AND id <> $1`);
  const events = await count(course, `events WHERE endeavour_id = $1 AND type <> 'endeavour.deleted'`);
  broken.push(...(await withDatabase(service.postmaster.connection, sweepMany)));
  broken.forEach(say);
  const code = await service.stop();

  const none = (figure, number) => ({ figure, reached: number, bar: '0', passed: number === 0 });
  const is = (figure, value, bar) => ({ figure, reached: value, bar, passed: value === bar });
  const slowest = Math.round(Math.max(...course.answers));
  return [
    { figure: 'tasks', reached: tasks, bar: '-', passed: true },
    { figure: 'kills', reached: course.kills, bar: leastKills, passed: course.kills >= leastKills },
    {
      figure: 'slowest answer that starts an operation',
      reached: `${slowest} ms`,
      bar: `${ANSWER_MS} ms`,
      passed: slowest <= ANSWER_MS,
    },
    ...Object.entries(course.seconds).map(([what, seconds]) => ({
      figure: `${what}, kills included`,
      reached: `${seconds} s`,
      bar: '-',
      passed: true,
    })),
    none('writes accepted while an operation was running', course.accepted),
    { figure: 'writes refused meanwhile', reached: course.refused, bar: '> 0', passed: course.refused > 0 },
    { figure: 'slowest of these refusals', reached: `${Math.round(course.slowestRefusal)} ms`, bar: '-', passed: true },
    is('archive ended as', archived.status, 'succeeded'),
    is('tasks canceled, as the preview said', canceled, tasks / 2),
    none('tasks still open in the archive', open),
    none('tasks canceled twice', twice),
    is('unarchive ended as', restored.status, 'succeeded'),
    is('all statuses restored', isRestored, true),
    is('erase ended as', erased.status, 'succeeded'),
    none('entities left after erasing', left),
    none('events left after erasing', events),
    none('broken invariants', broken.length),
    none('exit code of the last stop', code),
  ];
}

/** Starts an operation, kills the service during it, and returns the finished operation. */
async function finish(course, name, method, path, body) {
  const { service, say } = course;
  const begun = performance.now();
  const started = await write(course, method, path, body);
  if (started.status !== 202) throw new Error(`${name} answered ${started.status}: ${JSON.stringify(started.body)}`);
  course.answers.push(started.milliseconds);
  const { id, progress } = started.body.data;
  for (const [share, victim] of KILLS) {
    if (!(await isFar(course, id, share * progress.total))) break;
    await VICTIMS[victim](service);
    course.kills += 1;
    if (service.isRunning) throw new Error('it should be dead');
    service.launch();
    await service.ready(READY_MS);
  }
  const ended = await reached(course, id, ({ finished_at }) => finished_at !== null);
  course.seconds[name] = Math.round((performance.now() - begun) / 100) / 10;
  say(
    `${name}: answered after ${Math.round(started.milliseconds)} ms, ${ended.status} after ${course.seconds[name]} s`,
  );
  return ended;
}

/** Waits until the operation has made this progress; returns false if it has ended by then. */
async function isFar(course, id, done) {
  const operation = await reached(course, id, (one) => one.progress.done >= done || one.finished_at !== null);
  return operation.finished_at === null;
}

/** Waits until the operation meets the condition, and tries to write meanwhile. */
async function reached(course, id, isThere) {
  for (;;) {
    const answer = await write(course, 'POST', '/tasks', { title: 'Late', endeavour_id: course.endeavour });
    const { body } = await write(course, 'GET', `/operations/${id}`);
    if (isThere(body.data)) return body.data;
    // It must block writes only while it is known to be running.
    if (answer.status === 201) course.accepted += 1;
    else if (answer.body.error.code === 'in_progress') {
      course.refused += 1;
      course.slowestRefusal = Math.max(course.slowestRefusal, answer.milliseconds);
    }
    await pause(20);
  }
}

const write = ({ service, token }, method, path, body) => call(service.base, method, `/api/v1${path}`, { token, body });

async function count({ query, endeavour }, from) {
  const [{ rows }] = await query(`SELECT count(*)::integer AS rows FROM ${from}`, [endeavour]);
  return rows;
}

async function statusesOf({ query, endeavour }) {
  const [{ digest }] = await query(
    `SELECT md5(string_agg(id || status || coalesce(canceled_reason, '') || coalesce(canceled_at::text, ''), ',' ORDER BY id))
       AS digest FROM tasks WHERE endeavour_id = $1 AND title <> 'Late'`,
    [endeavour],
  );
  return digest;
}

/** Checks the invariants of so many rows that the queries need more time and memory. */
async function sweepMany(query) {
  await query(`SET statement_timeout = 0; SET work_mem = '256MB'`);
  return brokenInvariants(query);
}

/** Inserts tasks directly into the tables, a quarter of them in each status. */
async function plant({ query, endeavour, say }, tasks) {
  const [{ owner }] = await query('SELECT created_by AS owner FROM endeavours WHERE id = $1', [endeavour]);
  for (let at = 0; at < tasks; at += PLANTED_AT_ONCE) {
    await query(
      `WITH planted AS (
         SELECT 'tsk_' || replace(gen_random_uuid()::text, '-', '') AS id, n,
           (ARRAY['planned', 'active', 'done', 'canceled'])[1 + n % 4] AS status
         FROM generate_series($3::integer, $4::integer) n),
       placed AS (INSERT INTO entities (id, kind, endeavour_id, title) SELECT id, 'task', $1, 'Task ' || n FROM planted),
       told AS (INSERT INTO events (id, type, entity_type, entity_id, endeavour_id, data)
         SELECT replace(id, 'tsk', 'evt'), 'task.created', 'task', id, $1, '{"revision": 1}' FROM planted)
       INSERT INTO tasks (id, title, endeavour_id, owner_id, creator_id, status, actual, completed_at, canceled_at,
         canceled_reason)
       SELECT id, 'Task ' || n, $1, $2, $2, status, CASE status WHEN 'done' THEN 1 END,
         CASE status WHEN 'done' THEN now() END, CASE status WHEN 'canceled' THEN now() END,
         CASE status WHEN 'canceled' THEN 'No' END
       FROM planted`,
      [endeavour, owner, at, Math.min(tasks, at + PLANTED_AT_ONCE) - 1],
    );
  }
  await query('ANALYZE');
  say(`${tasks} tasks planted`);
}
