import { setTimeout as pause } from 'node:timers/promises';
import { startNameServer } from './support/name-server.mjs';
import { withDatabase } from './support/database.mjs';
import { brokenInvariants } from './support/invariants.mjs';
import { childrenOf, send } from './support/processes.mjs';
import { Service } from './support/service.mjs';
import { Inbox, startReceiver } from './support/webhook-receivers.mjs';

export const title =
  'Sends webhooks to receivers that are slow, dead, redirect, fail, rebind or are forbidden, and kills the service meanwhile.';

const WRITERS = 4;
const SLOW_MS = 3_000;
const DELAY_MS = 1_000;
/** Longer than the claims of a killed worker last. */
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

/** Writes during kills, and compares the events that the receiver got with the feed. */
export async function run({ full, rounds = full ? 40 : 4, say }) {
  const addresses = new Map([['rebinding.example.com', ALLOWED]]);
  const names = await startNameServer(addresses);
  const environment = {
    WEBHOOK_HTTP: 'true',
    WEBHOOK_ALLOW: ALLOWED,
    WEBHOOK_RESOLVERS: names.address,
    // All receivers are on one host, and the delays are those of the deliveries.
    LIMIT_WEBHOOK_REQUESTS_PER_SECOND: '1000',
  };
  const service = await Service.start({ environment });
  const admin = await service.signIn();
  const { id: endeavour } = await admin.post('/endeavours', { name: 'Webhooks' });
  const { inbox, forbidden } = await subscribe(admin, endeavour, addresses);
  const course = { service, admin, endeavour, accepted: 0 };
  for (let round = 1; round <= rounds; round += 1) await oneRound(course, round, say);
  const caughtUp = await missingAfter(course, inbox);
  const arrivedBefore = new Set(inbox.firstDelays.keys());
  for (let write = 0; write < SETTLED_WRITES; write += 1) await newTask(course, `settled ${write}`);
  const missing = [...caughtUp, ...(await missingAfter(course, inbox))];
  missing.slice(0, 20).forEach((line) => say(line));
  const delays = [...inbox.firstDelays].filter(([id]) => !arrivedBefore.has(id)).map(([, delay]) => delay);
  const broken = await withDatabase(service.postmaster.connection, brokenInvariants);
  broken.forEach(say);
  const code = await service.stop();
  const none = (figure, count) => ({ figure, reached: count, bar: '0', passed: count === 0 });
  const slowest = Math.max(...delays);
  return [
    { figure: 'kills', reached: rounds, bar: '-', passed: true },
    { figure: 'events delivered', reached: inbox.firstDelays.size, bar: '> 0', passed: inbox.firstDelays.size > 0 },
    { figure: 'delivered more than once', reached: inbox.repeated, bar: '-', passed: true },
    none('events lost', missing.length),
    none('out of order for their entity', inbox.outOfOrder),
    none('with an invalid signature', inbox.badSignatures),
    none('requests to forbidden addresses', forbidden.requests),
    {
      figure: 'slowest delivery, next to slow, dead and failing receivers',
      reached: `${slowest} ms`,
      bar: `${DELAY_MS} ms`,
      passed: slowest <= DELAY_MS,
    },
    none('broken invariants', broken.length),
    none('exit code of the last stop', code),
  ];
}

/** Accepts the test that every receiver gets first, and answers everything else with `answer`. */
const afterTest = (answer) => (request, response, body) =>
  JSON.parse(body).type === 'webhook.test' ? response.writeHead(204).end() : answer(request, response, body);

/** Creates one webhook for each kind of receiver; all have the same events. */
async function subscribe(admin, endeavour, addresses) {
  const inbox = new Inbox();
  let secret;
  const good = await startReceiver(
    afterTest((request, response, body) => {
      inbox.receive(secret, request.headers, body);
      response.writeHead(204).end();
    }),
  );
  const forbidden = await startReceiver((_, response) => response.end(), FORBIDDEN);
  const slow = await startReceiver(afterTest((_, response) => setTimeout(() => response.end(), SLOW_MS).unref()));
  const failing = await startReceiver(afterTest((_, response) => response.writeHead(500).end()));
  const silent = await startReceiver(afterTest(() => undefined));
  const redirecting = await startReceiver(
    afterTest((_, response) => response.writeHead(307, { location: forbidden.url }).end()),
  );
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
  const writers = Array.from({ length: WRITERS }, (_, n) => runWriter(course, `r${round} w${n}`, stop.signal));
  await pause(500 + Math.random() * 1_500);
  const victim = Object.keys(VICTIMS)[round % Object.keys(VICTIMS).length];
  await VICTIMS[victim](service);
  stop.abort();
  await Promise.all(writers);
  service.launch();
  const ready = await service.ready();
  say(`round ${round}: ${victim}, ready after ${ready} ms, ${course.accepted} writes accepted`);
}

/** Creates and changes tasks until the signal; writes that fail while the service is dead are not counted. */
async function runWriter(course, name, signal) {
  for (let count = 1; !signal.aborted; count += 1) await newTask(course, `${name} ${count}`).catch(() => pause(20));
}

async function newTask(course, name) {
  const { admin, endeavour } = course;
  const { id } = await admin.post('/tasks', { title: name, endeavour_id: endeavour });
  for (const more of ['again', 'and again']) await admin.patch(`/tasks/${id}`, { title: `${name} ${more}` });
  course.accepted += 3;
}

/** The events of the feed that have not arrived within PATIENCE_MS. */
async function missingAfter({ admin, endeavour }, { firstDelays }) {
  const events = await feedOf(admin, endeavour);
  for (const late = Date.now() + PATIENCE_MS; Date.now() < late; await pause(200)) {
    if (events.every(({ id }) => firstDelays.has(id))) return [];
  }
  return events
    .filter(({ id }) => !firstDelays.has(id))
    .map(({ sequence, type }) => `${sequence} ${type} did not arrive`);
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
