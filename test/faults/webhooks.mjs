import { setTimeout as pause } from 'node:timers/promises';
import { startNameServer } from './support/name-server.mjs';
import { asking } from './support/database.mjs';
import { sweep } from './support/invariants.mjs';
import { childrenOf, send } from './support/processes.mjs';
import { Service } from './support/service.mjs';
import { Inbox, receiver } from './support/webhook-receivers.mjs';

export const title =
  'Sends webhooks to receivers that are slow, dead, redirect, fail, rebind or are forbidden, and kills the service meanwhile.';

const WRITERS = 4;
const SLOW_MS = 3_000;
const DELAY_MS = 1_000;
/** Longer than the claim of a worker that was killed. */
const PATIENCE_MS = 180_000;
const SETTLED_WRITES = 60;
const ALLOWED = '127.0.0.1';
const FORBIDDEN = '127.0.0.3';

const VICTIMS = {
  node: (service) => service.kill(),
  everything: (service) => {
    const { pid } = service.postmaster;
    for (const each of [pid, ...childrenOf(pid)]) send(each, 'SIGKILL');
    return service.kill();
  },
};

/** Writes through kills, and compares what the receiver got with what is in the feed. */
export async function run({ full, rounds = full ? 40 : 4, say }) {
  const addresses = new Map([['rebinding.example.com', ALLOWED]]);
  const names = await startNameServer(addresses);
  const environment = { WEBHOOK_HTTP: 'true', WEBHOOK_ALLOW: ALLOWED, WEBHOOK_RESOLVERS: names.address };
  const service = await Service.start({ environment });
  const admin = await service.signIn();
  const { id: endeavour } = await admin.post('/endeavours', { name: 'Webhooks' });
  const { inbox, forbidden } = await subscribe(admin, endeavour, addresses);
  const course = { service, admin, endeavour, accepted: 0 };
  for (let round = 1; round <= rounds; round += 1) await oneRound(course, round, say);
  const caughtUp = await missingAfter(course, inbox);
  const arrivedBefore = new Set(inbox.first.keys());
  for (let write = 0; write < SETTLED_WRITES; write += 1) await newTask(course, `settled ${write}`);
  const missing = [...caughtUp, ...(await missingAfter(course, inbox))];
  missing.slice(0, 20).forEach((line) => say(line));
  const delays = [...inbox.first].filter(([id]) => !arrivedBefore.has(id)).map(([, delay]) => delay);
  const broken = await asking(service.postmaster.connection, sweep);
  broken.forEach(say);
  const code = await service.stop();
  const none = (figure, count) => ({ figure, reached: count, bar: '0', passed: count === 0 });
  const slowest = Math.max(...delays);
  return [
    { figure: 'kills', reached: rounds, bar: '-', passed: true },
    { figure: 'events delivered', reached: inbox.first.size, bar: '> 0', passed: inbox.first.size > 0 },
    { figure: 'delivered more than once', reached: inbox.repeated, bar: '-', passed: true },
    none('lost', missing.length),
    none('out of order for their thing', inbox.disordered),
    none('with a signature that is not right', inbox.forged),
    none('requests to forbidden addresses', forbidden.requests),
    {
      figure: 'slowest from the change to the receiver, beside slow, dead and failing ones',
      reached: `${slowest} ms`,
      bar: `${DELAY_MS} ms`,
      passed: slowest <= DELAY_MS,
    },
    none('broken invariants', broken.length),
    none('exit code of the last stop', code),
  ];
}

/** One webhook to each kind of receiver; all get everything. */
async function subscribe(admin, endeavour, addresses) {
  const inbox = new Inbox();
  let secret;
  const good = await receiver((request, response, body) => {
    inbox.take(secret, request.headers, body);
    response.writeHead(204).end();
  });
  const forbidden = await receiver((_, response) => response.end(), FORBIDDEN);
  const slow = await receiver((_, response) => setTimeout(() => response.end(), SLOW_MS).unref());
  const failing = await receiver((_, response) => response.writeHead(500).end());
  const silent = await receiver(() => undefined);
  const redirecting = await receiver((_, response) => response.writeHead(307, { location: forbidden.url }).end());
  const create = (url) => admin.post('/webhooks', { url, endeavour_id: endeavour, events: ['task.*'] });
  ({ secret } = await create(good.url));
  const rebinding = `http://rebinding.example.com:${forbidden.port}/`;
  for (const url of [slow.url, failing.url, silent.url, redirecting.url, rebinding]) await create(url);
  await create('http://127.0.0.1:9/');
  addresses.set('rebinding.example.com', FORBIDDEN);
  return { inbox, forbidden };
}

async function oneRound(course, round, say) {
  const { service } = course;
  const stop = new AbortController();
  const writers = Array.from({ length: WRITERS }, (_, n) => writeOn(course, `r${round} w${n}`, stop.signal));
  await pause(500 + Math.random() * 1_500);
  const victim = Object.keys(VICTIMS)[round % Object.keys(VICTIMS).length];
  await VICTIMS[victim](service);
  stop.abort();
  await Promise.all(writers);
  service.launch();
  const ready = await service.ready();
  say(`round ${round}: ${victim}, ready after ${ready} ms, ${course.accepted} writes accepted`);
}

/** A task with a few changes, again and again; what fails while the service is dead is not counted. */
async function writeOn(course, name, signal) {
  for (let count = 1; !signal.aborted; count += 1) await newTask(course, `${name} ${count}`).catch(() => pause(20));
}

async function newTask(course, name) {
  const { admin, endeavour } = course;
  const { id } = await admin.post('/tasks', { title: name, endeavour_id: endeavour });
  for (const more of ['again', 'and again']) await admin.patch(`/tasks/${id}`, { title: `${name} ${more}` });
  course.accepted += 3;
}

/** The events of the feed that have not arrived when the patience is over. */
async function missingAfter({ admin, endeavour }, { first }) {
  const events = await feedOf(admin, endeavour);
  for (const late = Date.now() + PATIENCE_MS; Date.now() < late; await pause(200)) {
    if (events.every(({ id }) => first.has(id))) return [];
  }
  return events.filter(({ id }) => !first.has(id)).map(({ sequence, type }) => `${sequence} ${type} did not arrive`);
}

async function feedOf(admin, endeavour) {
  const events = [];
  for (let after = 0, isMore = true; isMore;) {
    const path = `/api/v1/changes?after=${after}&limit=200&type=task.*&endeavour_id=${endeavour}&fields=id,sequence,type`;
    const { data, meta } = await (await admin.fetch('GET', path)).json();
    events.push(...data);
    ({ next: after, has_more: isMore } = meta);
  }
  return events;
}
