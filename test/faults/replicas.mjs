import { setTimeout as pause } from 'node:timers/promises';
import { withDatabase } from './support/database.mjs';
import { call } from './support/http.mjs';
import { brokenInvariants } from './support/invariants.mjs';
import { compareWithDatabase, Ledger } from './support/ledger.mjs';
import { Load } from './support/load.mjs';
import { startNameServer } from './support/name-server.mjs';
import { registerCleanup } from './support/opened.mjs';
import { startPostgres } from './support/postgres.mjs';
import { freePort } from './support/programs.mjs';
import { startHaproxy, startProxy } from './support/proxy.mjs';
import { ADMIN, Service } from './support/service.mjs';

export const title = 'Restarts and kills replicas behind a proxy while clients work, and signs out on one of them.';

const REPLICAS = 2;
const CLIENTS = 8;
const KILL_EVERY_MS = 5_000;
const CODES_PER_ADDRESS = 5;
const FOUND_MS = 5_000;
/** The settings of deploy/compose.yaml; the proxies of this suite connect from the loopback address. */
const SETTINGS = {
  DRAIN_MS: '3000',
  TRUSTED_PROXIES: '127.0.0.1',
  LIMIT_CODES_PER_HOUR: String(CODES_PER_ADDRESS),
};

/** Runs all parts with two replicas of one database behind a proxy. */
export async function run({ full, rounds = full ? 20 : 2, say }) {
  const postgres = await startPostgres();
  const { databaseUrl } = postgres;
  const replicas = [];
  for (let n = 0; n < REPLICAS; n += 1) replicas.push(await Service.start({ databaseUrl, environment: SETTINGS }));
  const proxy = await startProxy(replicas.map(({ port }) => port));
  say(`${REPLICAS} replicas behind ${proxy.name}`);
  const admin = await replicas[0].signIn();
  const { id: endeavour } = await admin.post('/endeavours', { name: 'Replicas' });
  const site = { proxy, replicas, endeavour, token: admin.token, ledger: new Ledger(), say };
  const figures = [
    ...(await rolling(site, rounds, full ? 100_000 : 1_000)),
    ...(await killing(site, full ? 20 : 3)),
    await signingOut(site, full ? 200 : 30),
    await forging(site),
    await moving(databaseUrl),
  ];
  const { lost, doubled, broken } = await withDatabase(postgres.connection, async (query) => ({
    ...(await compareWithDatabase(site.ledger, endeavour, query)),
    broken: await brokenInvariants(query),
  }));
  [...lost, ...doubled, ...broken].slice(0, 20).forEach((line) => say(line));
  const acknowledged = site.ledger.acknowledged.size;
  return [
    ...figures,
    { figure: 'acknowledged writes', reached: acknowledged, bar: '> 0', passed: acknowledged > 0 },
    none('acknowledged writes lost', lost.length),
    none('writes doubled', doubled.length),
    none('broken invariants', broken.length),
  ];
}

/** The proxy finds a replica by its name after its address has changed, as the address of a container can. */
async function moving(databaseUrl) {
  const figure = 'until a replica is found at its new address';
  const addresses = new Map([['replica-1', '127.0.0.2']]);
  const names = await startNameServer(addresses);
  const port = await freePort();
  const proxy = await startHaproxy([`replica-1:${port}`], names.address);
  if (proxy === undefined) return { figure, reached: 'haproxy is not installed', bar: '-', passed: true };
  const milliseconds = [];
  for (const address of ['127.0.0.2', '127.0.0.3']) {
    addresses.set('replica-1', address);
    const service = new Service(port, databaseUrl, { HOST: address, ...SETTINGS });
    service.base = `http://${address}:${port}`;
    const end = registerCleanup(() => service.end());
    service.launch();
    await service.ready();
    const begun = performance.now();
    await proxy.answers();
    milliseconds.push(Math.round(performance.now() - begun));
    await end();
  }
  const [, found] = milliseconds;
  return { figure, reached: `${found} ms`, bar: `${FOUND_MS} ms`, passed: found <= FOUND_MS };
}

const none = (figure, count) => ({ figure, reached: count, bar: '0', passed: count === 0 });

/** Restarts the replicas in turn, `rounds` times each, and on until at least `requests` requests were sent. */
async function rolling(site, rounds, requests) {
  const { load, finish } = begin(site, 'rolling');
  let restarts = 0;
  while (restarts < rounds * REPLICAS || load.requests < requests) {
    const replica = site.replicas[restarts % REPLICAS];
    const code = await replica.stop();
    if (code !== 0) throw new Error(`a replica that was told to stop ended with ${code}:\n${replica.output}`);
    replica.launch();
    await replica.ready();
    // The proxy checks twice a second whether a replica is ready.
    await pause(1_000);
    restarts += 1;
    if (restarts % REPLICAS === 0)
      site.say(`${restarts} restarts, ${load.requests} requests, ${load.failures.length} failed`);
  }
  await finish();
  return [
    {
      figure: 'restarts, one replica after the other',
      reached: `${restarts} of ${REPLICAS} behind ${site.proxy.name}`,
      bar: rounds * REPLICAS,
      passed: true,
    },
    { figure: 'requests meanwhile', reached: load.requests, bar: requests, passed: load.requests >= requests },
    none('of them failed', load.failures.length),
  ];
}

/** Kills one replica after the other, every five seconds, and starts it again. */
async function killing(site, kills) {
  const { load, finish } = begin(site, 'killing');
  const deaths = [];
  for (let n = 0; n < kills; n += 1) {
    await pause(KILL_EVERY_MS);
    const replica = site.replicas[n % REPLICAS];
    const from = performance.now();
    const { inFlight } = load;
    await replica.kill();
    deaths.push({ from, until: performance.now(), inFlight });
    replica.launch();
    await replica.ready();
    site.say(
      `kill ${n + 1}: ${inFlight} requests in flight, ${load.failures.length} failed so far of ${load.requests}`,
    );
  }
  await finish();
  const isOnIt = ({ begun, ended }) => deaths.some(({ from, until }) => begun <= until && ended >= from);
  const others = load.failures.filter((failure) => !isOnIt(failure));
  for (const { status, what, begun, ended } of others) site.say(`${what} ${status}, ${ended - begun} ms`);
  return [
    { figure: 'replicas killed, one every 5 s', reached: kills, bar: kills, passed: true },
    { figure: 'requests meanwhile', reached: load.requests, bar: '> 0', passed: load.requests > 0 },
    {
      figure: 'of them failed while in flight on it',
      reached: load.failures.length - others.length,
      bar: '-',
      passed: true,
    },
    none('reads among them', load.failures.filter(({ what }) => what.startsWith('GET')).length),
    none('of them failed otherwise', others.length),
  ];
}

function begin({ proxy, token, endeavour, ledger, say }, name) {
  const load = new Load({ base: proxy.base, token, endeavour, ledger });
  const stop = new AbortController();
  const clients = Array.from({ length: CLIENTS }, (_, n) => load.runClient(`${name} c${n}`, stop.signal));
  const finish = async () => {
    stop.abort();
    await Promise.all(clients);
    for (const { what, status } of load.failures.slice(0, 10)) say(`failed: ${what} ${status}`);
  };
  return { load, finish };
}

/** A user who signs out on one replica is signed out on the other, which has just used the session. */
async function signingOut({ replicas: [one, other] }, times) {
  const whoami = async ({ base }, token) => (await call(base, 'GET', '/api/v1/auth/whoami', { token })).status;
  let accepted = 0;
  for (let n = 0; n < times; n += 1) {
    const { body } = await call(one.base, 'POST', '/api/v1/auth/login', { body: ADMIN });
    const { token } = body.data;
    const known = await Promise.all([whoami(one, token), whoami(other, token)]);
    if (known.some((status) => status !== 200)) throw new Error(`a fresh session is ${known.join(' and ')}`);
    const { status } = await call(one.base, 'POST', '/api/v1/auth/logout', { token });
    if (status !== 200) throw new Error(`logout answered ${status}`);
    if ((await whoami(other, token)) !== 401) accepted += 1;
  }
  return { ...none('sign-outs that another replica missed', accepted), reached: `${accepted} of ${times}` };
}

/** A client that forges its address uses up the attempts of its real address. */
async function forging({ proxy }) {
  const forgot = async (n) => {
    const headers = { 'x-forwarded-for': `203.0.113.${n}`, forwarded: `for=203.0.113.${n}` };
    const body = { email: `unknown${n}@example.test` };
    return (await call(proxy.base, 'POST', '/api/v1/auth/forgot-password', { body, headers })).status;
  };
  const statuses = [];
  for (let n = 0; n < 2 * CODES_PER_ADDRESS; n += 1) statuses.push(await forgot(n));
  const passed = statuses.filter((status) => status === 200).length;
  return {
    figure: 'requests for codes under forged addresses',
    reached: passed,
    bar: CODES_PER_ADDRESS,
    passed: passed === CODES_PER_ADDRESS,
  };
}
