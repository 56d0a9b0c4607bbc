import '../../scripts/typescript-loader.mjs';
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { withDatabase } from './support/database.mjs';
import { brokenInvariants } from './support/invariants.mjs';
import { startPostgres } from './support/postgres.mjs';
import { Service } from './support/service.mjs';

export const title = 'Checks that the responses of four replicas fit one order of events while replicas are killed.';

const REPLICAS = 4;
const CLIENTS = 16;
const KILL_EVERY_MS = 10_000;
/** Operations on tasks, operations on lists of comments, and idempotency keys, each of which is used nine times. */
const SIZES = {
  full: { registers: 28_000, lists: 14_000, keys: 1_000 },
  short: { registers: 2_000, lists: 1_000, keys: 60 },
};

/** Runs the parts of test/history over replicas in separate processes, and regularly kills one of them. */
export async function run({ full, say }) {
  const { Registers, CommentLists, Keys, ReplicaClient } = await parts();
  const { connection, databaseUrl } = await startPostgres();
  const replicas = await Promise.all(Array.from({ length: REPLICAS }, () => Service.start({ databaseUrl })));
  const people = await populate(replicas[0]);
  const world = { ...people, client: new ReplicaClient(replicas.map(({ port }) => port)) };
  const sizes = full ? SIZES.full : SIZES.short;
  const killer = killNowAndThen(replicas);
  const works = {
    tasks: () => new Registers(world, 16).run(sizes.registers),
    comments: () => new CommentLists(world).run(sizes.lists),
    keys: () => new Keys(world).run(sizes.keys),
  };
  const outcomes = {};
  for (const [name, work] of Object.entries(works)) {
    outcomes[name] = await work();
    const { operations, unknown, anomalies } = outcomes[name];
    say(`${name}: ${operations} operations, ${unknown} of unknown outcome, ${anomalies.length} anomalies`);
    anomalies.slice(0, 10).forEach((line) => say(line));
  }
  const kills = await killer.stop();
  world.client.close();
  const broken = await withDatabase(connection, brokenInvariants);
  broken.forEach((line) => say(line));
  return figures(outcomes, sizes, kills, broken);
}

async function parts() {
  const load = (name) => import(`../history/${name}.ts`);
  const loaded = await Promise.all(['registers', 'comment-lists', 'keys', 'wire'].map(load));
  return Object.assign({}, ...loaded);
}

/** Creates an endeavour and signed-in users who are members of it. */
async function populate(replica) {
  const admin = await replica.signIn();
  const { id: endeavour } = await admin.post('/endeavours', { name: 'History' });
  const tokens = [admin.token];
  while (tokens.length < CLIENTS) {
    const email = `client${tokens.length}@worksmith.example`;
    const password = randomBytes(12).toString('hex');
    const { id } = await admin.post('/users', { name: `Client ${tokens.length}`, email, password });
    await admin.post(`/users/${id}/endeavours`, { endeavour_id: endeavour, role: 'member' });
    const { token } = await replica.signIn({ email, password });
    tokens.push(token);
  }
  return { tokens, endeavour };
}

function killNowAndThen(replicas) {
  const stop = new AbortController();
  const done = (async () => {
    let kills = 0;
    while (await pause(KILL_EVERY_MS, true, { signal: stop.signal }).catch(() => false)) {
      const replica = replicas[kills % replicas.length];
      await replica.kill();
      replica.launch();
      await replica.ready();
      kills += 1;
    }
    return kills;
  })();
  const end = () => {
    stop.abort();
    return done;
  };
  return { stop: end };
}

function figures({ tasks, comments, keys }, sizes, kills, broken) {
  const none = (figure, count) => ({ figure, reached: count, bar: '0', passed: count === 0 });
  const all = [tasks, comments, keys];
  const sum = (of) => all.reduce((total, outcome) => total + of(outcome), 0);
  const operations = sum((outcome) => outcome.operations);
  const bar = sizes === SIZES.full ? 50_000 : 3_500;
  return [
    { figure: 'operations over 4 replicas', reached: operations, bar, passed: operations >= bar },
    { figure: 'of them of unknown outcome', reached: sum(({ unknown }) => unknown), bar: '-', passed: true },
    { figure: 'replicas killed meanwhile', reached: kills, bar: '-', passed: true },
    none(`anomalies in ${tasks.operations} reads and writes of 16 tasks`, tasks.anomalies.length),
    none(`anomalies in ${comments.operations} reads and writes of lists of comments`, comments.anomalies.length),
    none(`anomalies in ${sizes.keys} idempotency keys, 8 uses at once and one later`, keys.anomalies.length),
    none('broken invariants', broken.length),
  ];
}
