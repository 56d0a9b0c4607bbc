import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { call } from './support/http.mjs';
import { registerCleanup } from './support/opened.mjs';
import { ADMIN, Service } from './support/service.mjs';

export const title = 'Measures how slow, half-open, oversized, compressed and very many requests affect other clients.';

/** The description of each attack, by the name of its function in support/hostile. */
const ATTACKS = {
  slowHeaders: 'headers that never end',
  slowBodies: 'bodies that never end',
  halfOpen: 'silent and half-open connections',
  slowReaders: 'readers of large lists who never read',
  logins: 'many concurrent sign-ins',
  bombs: 'compressed bodies',
  bodies: 'bodies that are deep, wide, long or too large',
  exports: 'ten people who export at once',
  pipelining: 'pipelined requests',
  oversizeHeaders: 'headers that are too large',
  nonsense: 'invalid HTTP',
};

const TIMES_SLOWER = 2;
const MAX_MEMORY_MB = 600;
const PROBES_PER_SECOND = 40;
const PEOPLE = 10;
const TASKS = 200;
const DESCRIPTION = 'A gate that wants paint. '.repeat(2_000);

/** Runs the attacks one after the other while an ordinary client sends requests. */
export async function run({ full, say }) {
  const seconds = full ? 14 : 4;
  const environment = { BCRYPT_COST: '12', TRUSTED_PROXIES: '127.0.0.1', WORKERS: 'true', LIMIT_REQUESTS_AT_ONCE: '' };
  const service = await Service.start({ environment });
  const { token } = await service.signIn();
  const people = await populate(service, token);
  const target = { full, seconds, port: service.port, base: service.base, pid: service.child.pid, email: ADMIN.email };
  const context = { ...target, people, token: people[0].token, endeavour: people[0].endeavour };
  const probe = new Probe(service.base, token, people[1].endeavour);
  await probe.sendUntil(pause(2_000));
  const calm = [await probe.sendUntil(pause(seconds * 1_000))];
  const outcomes = [];
  for (const [attack, what] of Object.entries(ATTACKS)) {
    const outcome = { what, ...(await underAttack(attack, context, probe)) };
    say(`${what}: ${outcome.summary}; others ${describe(outcome.others)}, ${megabytes(outcome.peak)} MB`);
    outcomes.push(outcome);
  }
  calm.push(await probe.sendUntil(pause(seconds * 1_000)));
  const baseline = { times: calm.flatMap(({ times }) => times), failures: calm.flatMap(({ failures }) => failures) };
  const isThere = await service.isReady();
  const code = await service.stop();
  return figures({ outcomes, baseline, isThere, code, exits: service.exits });
}

/** Creates ten users, each with an endeavour and tasks; the tasks of the first user have long descriptions. */
async function populate(service, token) {
  const admin = (path, body) => send(service.base, token, path, body);
  const people = [];
  for (let n = 0; n < PEOPLE; n += 1) {
    const person = { email: `hostile${n}@worksmith.example`, password: 'two wooden ladders' };
    await admin('/users', { ...person, name: `Hostile ${n}` });
    const { token: own } = (await send(service.base, undefined, '/auth/login', person)).data;
    const { id } = (await send(service.base, own, '/endeavours', { name: `Endeavour ${n}` })).data;
    people.push({ token: own, endeavour: id });
    for (let task = 0; task < TASKS; task += 1) {
      const description = n === 0 ? DESCRIPTION : 'A gate that wants paint.';
      await send(service.base, own, '/tasks', { title: `Task ${task}`, description, endeavour_id: id });
    }
  }
  return people;
}

async function send(base, token, path, body) {
  const { status, body: answer } = await call(base, 'POST', `/api/v1${path}`, { token, body });
  if (status >= 300) throw new Error(`${path} answered ${status}: ${JSON.stringify(answer)}`);
  return answer;
}

/** An ordinary client that sends requests at a constant rate, without waiting for responses, and records the times. */
class Probe {
  constructor(base, token, endeavour) {
    this.requests = [
      () => call(base, 'GET', '/api/v1/auth/whoami', { token }),
      () => call(base, 'GET', `/api/v1/tasks?endeavour_id=${endeavour}&limit=20`, { token }),
      () => call(base, 'GET', `/api/v1/endeavours/${endeavour}`, { token }),
      () => call(base, 'POST', '/api/v1/tasks', { token, body: { title: 'Probe', endeavour_id: endeavour } }),
    ];
  }

  /** Sends requests until `over` settles; returns the response times in milliseconds, and the failures. */
  async sendUntil(over) {
    const noted = { times: [], failures: [] };
    const end = new AbortController();
    void over.finally(() => end.abort());
    const sent = [];
    for (let n = 0; !end.signal.aborted; n += 1) {
      sent.push(this.sendOne(this.requests[n % this.requests.length], noted));
      await pause(1_000 / PROBES_PER_SECOND);
    }
    await Promise.all(sent);
    return noted;
  }

  async sendOne(request, { times, failures }) {
    try {
      const { status, milliseconds } = await request();
      if (status >= 400) failures.push(status);
      else times.push(milliseconds);
    } catch (error) {
      failures.push(error.message);
    }
  }
}

async function underAttack(attack, context, probe) {
  const attacker = fork(new URL('support/hostile/attacker.mjs', import.meta.url), { stdio: 'inherit' });
  const close = registerCleanup(async () => attacker.kill('SIGKILL'));
  attacker.send({ attack, context });
  const ended = once(attacker, 'message').then(([outcome]) => outcome);
  const others = await probe.sendUntil(ended);
  await close();
  return { ...(await ended), others };
}

const percentile = (times, share) => times.toSorted((a, b) => a - b)[Math.ceil(times.length * share) - 1];
const describe = ({ times, failures }) =>
  `p50 ${percentile(times, 0.5)?.toFixed(1)} ms, p99 ${percentile(times, 0.99)?.toFixed(1)} ms, ${failures.length} failed`;
const megabytes = (bytes) => Math.round(bytes / 1024 ** 2);

function figures({ outcomes, baseline, isThere, code, exits }) {
  const calm = percentile(baseline.times, 0.99);
  const most = Math.max(...outcomes.map(({ peak }) => peak));
  return [
    { figure: 'an ordinary client without attacks', reached: describe(baseline), bar: '-', passed: true },
    ...outcomes.flatMap(({ what, summary, passed, others }) => [
      { figure: `${what}: responses`, reached: summary, bar: 'as documented', passed },
      othersFigure(what, others, calm),
    ]),
    memoryFigure(most),
    { figure: 'ready afterwards', reached: isThere ? 'yes' : 'no', bar: 'yes', passed: isThere },
    { figure: 'exit code after stopping', reached: code, bar: 0, passed: code === 0 && exits.length === 1 },
  ];
}

function othersFigure(what, { times, failures }, calm) {
  const worst = percentile(times, 0.99) ?? Infinity;
  const passed = worst < TIMES_SLOWER * calm && failures.length === 0;
  const bar = `p99 < ${(TIMES_SLOWER * calm).toFixed(1)} ms, 0 failed`;
  return { figure: `${what}: other clients meanwhile`, reached: describe({ times, failures }), bar, passed };
}

function memoryFigure(most) {
  const bar = `< ${MAX_MEMORY_MB} MB`;
  return {
    figure: 'memory of the service at its most',
    reached: `${megabytes(most)} MB`,
    bar,
    passed: megabytes(most) < MAX_MEMORY_MB,
  };
}
