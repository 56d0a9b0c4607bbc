import '../../scripts/typescript-loader.mjs';
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { withDatabase } from './support/database.mjs';
import { brokenInvariants } from './support/invariants.mjs';
import { startPostgres } from './support/postgres.mjs';
import { Service } from './support/service.mjs';

export const title = 'Follows the feed over four replicas, some of which are killed, during long transactions.';

const REPLICAS = 4;
const CLIENTS = 16;
const KILL_EVERY_MS = 2_000;
const SIZES = {
  full: { events: 1_000_000, writers: 16, readers: 8, maxEventsPerTransaction: 400 },
  short: { events: 10_000, writers: 16, readers: 8, maxEventsPerTransaction: 20 },
};

export async function run({ full, say }) {
  const [{ Followers }, { ReplicaClient }] = await Promise.all([
    import('../history/followers.ts'),
    import('../history/wire.ts'),
  ]);
  const { connection, databaseUrl } = await startPostgres();
  const replicas = await Promise.all(Array.from({ length: REPLICAS }, () => Service.start({ databaseUrl })));
  const world = { ...(await populate(replicas[0])), client: new ReplicaClient(replicas.map(({ port }) => port)) };
  const sizes = full ? SIZES.full : SIZES.short;
  const killer = killNowAndThen(replicas, connection);
  const { events, transactions, anomalies } = await new Followers(world, connection).run(sizes);
  const { kills, cut } = await killer.stop();
  world.client.close();
  say(`${events} events in ${transactions} transactions, ${kills} kills, ${cut} connections cut`);
  anomalies.slice(0, 20).forEach((line) => say(line));
  const broken = await withDatabase(connection, brokenInvariants);
  broken.forEach((line) => say(line));
  const none = (figure, count) => ({ figure, reached: count, bar: '0', passed: count === 0 });
  return [
    { figure: 'events committed', reached: events, bar: sizes.events, passed: events >= sizes.events },
    { figure: 'replicas killed meanwhile', reached: kills, bar: '-', passed: true },
    { figure: 'connections of replicas to the database cut meanwhile', reached: cut, bar: '-', passed: true },
    none(`missed, late, doubled or out of order for any of ${sizes.readers} readers over 4 replicas`, anomalies.length),
    none('broken invariants', broken.length),
  ];
}

/** Creates an endeavour and signed-in users who are members of it. */
async function populate(replica) {
  const admin = await replica.signIn();
  const { id: endeavour } = await admin.post('/endeavours', { name: 'Feed' });
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

/** Regularly kills a replica, and terminates active database connections of the others. */
function killNowAndThen(replicas, connection) {
  const stop = new AbortController();
  const done = (async () => {
    let kills = 0;
    let cut = 0;
    while (await pause(KILL_EVERY_MS, true, { signal: stop.signal }).catch(() => false)) {
      const replica = replicas[kills % replicas.length];
      await replica.kill();
      replica.launch();
      await replica.ready();
      kills += 1;
      cut += await cutConnections(connection);
    }
    return { kills, cut };
  })();
  const end = () => {
    stop.abort();
    return done;
  };
  return { stop: end };
}

async function cutConnections(connection) {
  const rows = await withDatabase(connection, (query) =>
    query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'worksmith' AND state <> 'idle' LIMIT 3`,
    ),
  );
  return rows.length;
}
