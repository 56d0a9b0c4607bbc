import { setTimeout as pause } from 'node:timers/promises';
import { Cluster } from './support/cluster.mjs';
import { FAULTS, upgrade } from './support/cluster-faults.mjs';
import { missingPrograms, settingsOf } from './support/cluster-programs.mjs';
import { migrate } from './support/commands.mjs';
import { withDatabase } from './support/database.mjs';
import { FeedFollower } from './support/feed-follower.mjs';
import { brokenInvariants } from './support/invariants.mjs';
import { compareWithDatabase, Ledger, runWriter } from './support/ledger.mjs';
import { startProxy } from './support/proxy.mjs';
import { buildReleases } from './support/releases.mjs';
import { Service } from './support/service.mjs';

export const title =
  'Kills, freezes and cuts off machines of the cluster of deploy/cluster, and upgrades, while clients write.';

const REPLICAS = 2;
const WRITERS = 8;
/** Between two writes of a client; the machine of the suite runs three database servers beside it. */
const BETWEEN_MS = 100;
const BACK_WITHIN_MS = 30_000;
const PATIENCE_MS = 180_000;
const UPGRADE = 'upgrade across an expand and a contract migration, with PostgreSQL of the primary killed';

/** A ledger that also measures how long no write was acknowledged. */
class TimedLedger extends Ledger {
  #last = performance.now();
  #longest = 0;

  async send(...write) {
    await pause(BETWEEN_MS);
    const id = await super.send(...write);
    if (id === undefined) return id;
    this.#longest = this.longestPause;
    this.#last = performance.now();
    return id;
  }

  /** The longest time without an acknowledgement since {@link measure}, including the present one, in milliseconds. */
  get longestPause() {
    return Math.max(this.#longest, performance.now() - this.#last);
  }

  measure() {
    this.#longest = 0;
  }
}

/** Two replicas behind the proxy, on PgBouncer and a cluster of three machines; faults in turn, and one upgrade. */
export async function run({ full, rounds = full ? 60 : 8, say }) {
  const missing = missingPrograms();
  if (missing.length > 0) {
    throw new Error(`scripts/production-programs.sh installs what this machine lacks: ${missing.join(', ')}`);
  }
  const site = await open(say);
  const { ledger, endeavour, base, token, follower } = site;
  const outcomes = await underFaults(site, rounds);
  await ledger.retryUnknown(base, token);
  await follower.finish();
  const { lost, doubled, unwanted, broken, missed } = await withDatabase(
    { connectionString: site.cluster.directUrl },
    async (query) => ({
      ...(await compareWithDatabase(ledger, endeavour, query)),
      broken: await brokenInvariants(query),
      missed: await follower.differences(query),
    }),
  );
  [...lost, ...doubled, ...unwanted, ...broken, ...missed].slice(0, 20).forEach((line) => say(line));
  const none = (figure, list) => ({ figure, reached: list.length, bar: '0', passed: list.length === 0 });
  return [
    ...outcomes.flatMap(standstills),
    none('things wrong in the upgrade', site.wrong),
    {
      figure: 'acknowledged writes',
      reached: ledger.acknowledged.size,
      bar: '> 0',
      passed: ledger.acknowledged.size > 0,
    },
    { figure: 'answers by status', reached: answersOf(ledger), bar: '-', passed: true },
    none('acknowledged writes lost', lost),
    none('writes doubled', doubled),
    none('refused writes', [...ledger.refused]),
    none(`events missed, gone or doubled in the feed, of ${follower.events.length}`, missed),
    none('broken invariants', broken),
  ];
}

async function open(say) {
  const { old, next } = buildReleases(say);
  const cluster = await Cluster.start();
  say('a cluster of three machines with the files of deploy/cluster');
  const { databaseUrl, directUrl } = cluster;
  const migrated = await migrate(directUrl, old);
  if (migrated.code !== 0) throw new Error(migrated.output);
  const { DRAIN_MS } = settingsOf('worksmith.env', {});
  const environment = { DATABASE_DIRECT_URL: directUrl, DRAIN_MS, TRUSTED_PROXIES: '127.0.0.1' };
  const replicas = [];
  for (let n = 0; n < REPLICAS; n += 1) {
    replicas.push(await Service.start({ databaseUrl, environment, release: old }));
  }
  const { base } = await startProxy(replicas.map(({ port }) => port));
  const admin = await replicas[0].signIn();
  const { id: endeavour } = await admin.post('/endeavours', { name: 'Cluster' });
  const { token } = admin;
  const follower = new FeedFollower(base, token, endeavour);
  return { cluster, replicas, next, base, token, endeavour, follower, ledger: new TimedLedger(), wrong: [], say };
}

/** The outcomes of so many faults under writers and a reader of the feed; the second fault is the upgrade. */
async function underFaults(site, rounds) {
  const { ledger, endeavour, base, token, follower } = site;
  const stop = new AbortController();
  const { signal } = stop;
  const clients = Array.from({ length: WRITERS }, (_, n) =>
    runWriter(base, token, { ledger, endeavour, name: `cluster w${n}`, signal }),
  );
  clients.push(follower.follow(signal));
  site.isWritten = () => isWritten(ledger);
  const names = Object.keys(FAULTS);
  const outcomes = [];
  try {
    for (let turn = 0; turn < rounds; turn += 1) {
      const name = turn === 1 ? UPGRADE : names[(turn > 1 ? turn - 1 : turn) % names.length];
      outcomes.push(await oneFault(site, name, turn));
    }
  } finally {
    stop.abort();
  }
  await Promise.all(clients);
  return outcomes;
}

async function oneFault(site, name, turn) {
  const { ledger, cluster, say } = site;
  await cluster.isWhole();
  await isWritten(ledger);
  ledger.measure();
  if (name === UPGRADE) site.wrong.push(...(await upgrade(site)));
  else await FAULTS[name](site, turn);
  await cluster.isWhole();
  await isWritten(ledger);
  const milliseconds = Math.round(ledger.longestPause);
  say(`${turn + 1}. ${name}: ${milliseconds} ms without an acknowledged write, ${ledger.acknowledged.size} so far`);
  return { name, milliseconds };
}

/** Waits until more writes have been acknowledged than could have been on their way. */
async function isWritten(ledger) {
  const enough = ledger.acknowledged.size + 4 * WRITERS;
  for (const end = Date.now() + PATIENCE_MS; ledger.acknowledged.size < enough; await pause(50)) {
    if (Date.now() > end) throw new Error(`no writes are acknowledged any more: ${answersOf(ledger)}`);
  }
}

const answersOf = ({ answers }) => [...answers].map(([status, times]) => `${status}: ${times}`).join(', ');

/** For the first outcome of each kind of fault, the longest standstill of all of that kind. */
function standstills({ name }, index, outcomes) {
  if (outcomes.findIndex((outcome) => outcome.name === name) !== index) return [];
  const times = outcomes.filter((outcome) => outcome.name === name).map(({ milliseconds }) => milliseconds);
  const longest = Math.max(...times);
  const figure = `longest time without an acknowledged write: ${name}, ${times.length} times`;
  return [{ figure, reached: `${(longest / 1_000).toFixed(1)} s`, bar: '30 s', passed: longest <= BACK_WITHIN_MS }];
}
