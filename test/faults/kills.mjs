import { setTimeout as pause } from 'node:timers/promises';
import { withDatabase } from './support/database.mjs';
import { brokenInvariants } from './support/invariants.mjs';
import { compareWithDatabase, Ledger, runWriter } from './support/ledger.mjs';
import { childrenOf, send } from './support/processes.mjs';
import { Service } from './support/service.mjs';

export const title = 'Kills Node, the database server, its children or all of them in the middle of writes.';

const WRITERS = 8;
const READY_MS = 5_000;
const SPREAD_MS = { full: [1_000, 2_500], short: [300, 900] };

/** What is killed in a round; afterwards the service is launched again, or recovers without help. */
const VICTIMS = {
  node: (service) => service.kill(),
  postmaster: (service) => send(service.postmaster.pid, 'SIGKILL'),
  child: (service) => {
    const children = childrenOf(service.postmaster.pid);
    send(children[Math.floor(Math.random() * children.length)], 'SIGKILL');
  },
  everything: (service) => {
    const { pid } = service.postmaster;
    for (const each of [pid, ...childrenOf(pid)]) send(each, 'SIGKILL');
    return service.kill();
  },
};

/** Kills in rounds, and compares the database with the acknowledged writes after each round. */
export async function run({ full, rounds = full ? 250 : 20, say }) {
  const service = await Service.start();
  const admin = await service.signIn();
  const { id: endeavour } = await admin.post('/endeavours', { name: 'Kills' });
  const course = { service, endeavour, token: admin.token, ledger: new Ledger(), worst: 0, kills: {} };
  let found;
  for (let round = 1; round <= rounds; round += 1) {
    await oneRound(course, round, full ? SPREAD_MS.full : SPREAD_MS.short);
    found = await withDatabase(service.postmaster.connection, (query) =>
      compareWithDatabase(course.ledger, endeavour, query),
    );
    say(`round ${round}: ${course.victim}, ready after ${course.ready} ms; ${summary(found)}`);
  }
  const broken = await withDatabase(service.postmaster.connection, brokenInvariants);
  broken.forEach(say);
  const code = await service.stop();
  return figures({ ...course, ...found, rounds, broken, code, left: service.postmaster === undefined ? 0 : 1 });
}

async function oneRound(course, round, [least, most]) {
  const { service, endeavour, token, ledger } = course;
  const stop = new AbortController();
  const writers = Array.from({ length: WRITERS }, (_, n) =>
    runWriter(service.base, token, { ledger, endeavour, name: `r${round} w${n}`, signal: stop.signal }),
  );
  await pause(least + Math.random() * (most - least));
  course.victim = Object.keys(VICTIMS)[(round - 1) % Object.keys(VICTIMS).length];
  course.kills[course.victim] = (course.kills[course.victim] ?? 0) + 1;
  await VICTIMS[course.victim](service);
  course.ready = await recovered(service);
  course.worst = Math.max(course.worst, course.ready);
  stop.abort();
  await Promise.all(writers);
  await ledger.retryUnknown(service.base, token);
}

/** Milliseconds until the service is ready and stays ready for a moment: it may not have noticed the kill at first. */
async function recovered(service) {
  const begun = performance.now();
  if (!service.isRunning) {
    service.launch();
    return service.ready();
  }
  let readyAt = begun;
  for (let calm = 0; calm < 20; await pause(10)) {
    const isReady = service.postmaster !== undefined && (await service.isReady());
    if (calm === 0 && isReady) readyAt = performance.now();
    calm = isReady ? calm + 1 : 0;
    if (performance.now() - begun > 30_000) throw new Error(`not ready within 30 s:\n${service.output}`);
  }
  return Math.round(readyAt - begun);
}

const summary = ({ acknowledged, lost, doubled, unwanted }) =>
  `${acknowledged} acknowledged, ${lost.length} lost, ${doubled.length} doubled, ${unwanted.length} against a refusal`;

function figures({ rounds, kills, ledger, acknowledged, lost, doubled, unwanted, broken, worst, code, left, service }) {
  const none = (figure, count) => ({ figure, reached: count, bar: '0', passed: count === 0 });
  const ways = Object.entries(kills).map(([victim, count]) => `${victim} ${count}`);
  return [
    { figure: 'kills', reached: `${rounds} (${ways.join(', ')})`, bar: rounds, passed: true },
    { figure: 'acknowledged writes', reached: acknowledged, bar: '> 0', passed: acknowledged > 0 },
    { figure: 'writes retried under their keys', reached: ledger.retried, bar: '-', passed: true },
    none('acknowledged writes lost', lost.length),
    none('writes that took effect twice', doubled.length),
    none('refused writes that took effect', unwanted.length),
    none('writes refused', ledger.refused.size),
    none('broken invariants, including partial writes', broken.length),
    { figure: 'slowest return to ready', reached: `${worst} ms`, bar: `${READY_MS} ms`, passed: worst <= READY_MS },
    {
      figure: 'unexpected exits of Node',
      reached: service.exits.filter((end) => end !== 'SIGKILL').length - 1,
      bar: '0',
      passed: service.exits.filter((end) => end !== 'SIGKILL').length === 1,
    },
    none('exit code of the last stop', code),
    none('database servers still running', left),
  ];
}
