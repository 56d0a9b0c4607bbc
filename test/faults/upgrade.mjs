import { setTimeout as pause } from 'node:timers/promises';
import { migrate } from './support/commands.mjs';
import { withDatabase } from './support/database.mjs';
import { call } from './support/http.mjs';
import { compareWithDatabase, Ledger } from './support/ledger.mjs';
import { Load } from './support/load.mjs';
import { startPostgres } from './support/postgres.mjs';
import { startProxy } from './support/proxy.mjs';
import { buildReleases } from './support/releases.mjs';
import { Service } from './support/service.mjs';

export const title = 'Updates replicas to a release with another schema, one after the other, while clients work.';

const CLIENTS = 6;
const REPLICAS = 2;
/** The settings of deploy/compose.yaml. */
const SETTINGS = { DRAIN_MS: '3000', TRUSTED_PROXIES: '127.0.0.1' };
const PATIENCE_MS = 300_000;

/** Two replicas of the old release behind the proxy become two of the next one; then its contract is applied. */
export async function run({ full, say }) {
  const { old, next } = buildReleases(say);
  const postgres = await startPostgres({ release: old });
  const { databaseUrl } = postgres;
  const replicas = [];
  for (let n = 0; n < REPLICAS; n += 1) {
    replicas.push(await Service.start({ databaseUrl, environment: SETTINGS, release: old }));
  }
  const proxy = await startProxy(replicas.map(({ port }) => port));
  const admin = await replicas[0].signIn();
  const { id: endeavour } = await admin.post('/endeavours', { name: 'Upgrade' });
  const site = { databaseUrl, replicas, proxy, endeavour, token: admin.token, ledger: new Ledger(), old, next, say };
  const figures = [...(await rolling(site, full ? 20_000 : 200)), ...(await contracting(site))];
  const { lost, doubled } = await withDatabase(postgres.connection, (query) =>
    compareWithDatabase(site.ledger, endeavour, query),
  );
  return [...figures, none('acknowledged writes lost', lost.length), none('writes doubled', doubled.length)];
}

const none = (figure, count) => ({ figure, reached: count, bar: '0', passed: count === 0 });
const holds = (figure, passed, reached = passed ? 'yes' : 'no') => ({ figure, reached, bar: 'yes', passed });

/** At least `requests` requests in each step: both old on the new schema, old and new together, both new. */
async function rolling(site, requests) {
  const { proxy, token, endeavour, ledger, say } = site;
  const load = new Load({ base: proxy.base, token, endeavour, ledger });
  const stop = new AbortController();
  const clients = Array.from({ length: CLIENTS }, (_, n) => load.runClient(`upgrade c${n}`, stop.signal));
  const work = async (step) => {
    for (const end = load.requests + requests; load.requests < end;) await pause(50);
    say(`${step}: ${load.requests} requests, ${load.failures.length} failed`);
  };
  await work('old release');
  const migrated = await migrate(site.databaseUrl, site.next);
  await work('old release on the new schema');
  const refused = await migrate(site.databaseUrl, site.next, '--contract');
  for (const replica of site.replicas) {
    await replica.stop();
    replica.release = site.next;
    replica.launch();
    await replica.ready();
    // The proxy checks twice a second whether a replica is ready.
    await pause(1_000);
    await work('one more replica of the next release');
  }
  stop.abort();
  await Promise.all(clients);
  for (const { what, status } of load.failures.slice(0, 10)) say(`failed: ${what} ${status}`);
  return [
    holds('the next release migrates beside the old one', migrated.code === 0),
    holds('its contract is refused meanwhile', refused.code === 1 && refused.output.includes('of an older release')),
    { figure: 'requests meanwhile', reached: load.requests, bar: '> 0', passed: load.requests > 0 },
    none('of them failed', load.failures.length),
  ];
}

/**
 * A replica of the old release is frozen until it counts as gone, and the contract is applied. When it wakes, it has
 * waiting requests, all of which it must refuse, and stops.
 */
async function contracting(site) {
  const { databaseUrl, old, next, token, endeavour, say } = site;
  const late = await Service.start({ databaseUrl, environment: SETTINGS, release: old });
  await call(late.base, 'GET', '/api/v1/auth/whoami', { token });
  late.child.kill('SIGSTOP');
  let attempts = 0;
  let applied = await migrate(databaseUrl, next, '--contract');
  for (const end = Date.now() + PATIENCE_MS; applied.code !== 0 && Date.now() < end; attempts += 1) {
    await pause(2_000);
    applied = await migrate(databaseUrl, next, '--contract');
  }
  say(`the contract was refused ${attempts} times, then: ${applied.output.trim().split('\n').at(-1)}`);
  const waiting = [
    call(late.base, 'GET', '/api/v1/auth/whoami', { token }),
    call(late.base, 'POST', '/api/v1/tasks', { token, body: { title: 'Too late', endeavour_id: endeavour } }),
  ].map((answer) =>
    answer.then(
      ({ status }) => status,
      () => 0,
    ),
  );
  await pause(500);
  late.child.kill('SIGCONT');
  const statuses = await Promise.all(waiting);
  const ended = await late.ended;
  const again = new Service(late.port, databaseUrl, SETTINGS);
  again.release = old;
  again.launch();
  const startedWith = await again.ended;
  const after = [];
  for (const { base } of site.replicas) {
    after.push((await call(base, 'GET', `/api/v1/tasks?endeavour_id=${endeavour}`, { token })).status);
  }
  return [
    holds('the contract waits for a frozen replica', attempts > 0, `${attempts} attempts were refused`),
    holds('the contract is applied when it counts as gone', applied.code === 0),
    holds(
      'the frozen replica refuses what waited for it',
      statuses.every((status) => status === 503 || status === 0),
      statuses.join(' '),
    ),
    holds('and stops itself', ended === 1, `exit code ${ended}`),
    holds('the old release does not start any more', startedWith === 1, `exit code ${startedWith}`),
    holds(
      'the replicas of the next release work',
      after.every((status) => status === 200),
      after.join(' '),
    ),
  ];
}
