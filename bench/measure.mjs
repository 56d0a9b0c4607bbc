import pg from 'pg';
import { count } from './counting.mjs';
import { Generator } from './generator.mjs';
import { limitOf } from './limits.mjs';
import { memoryOf } from './processes.mjs';
import { Requests } from './requests.mjs';
import { rounds } from './rounds.mjs';
import { ROUTES } from './routes.mjs';
import { SECRETS, STARTERS } from './servers.mjs';

/** One size, measured: every route on every server in turn, round after round. */
export async function measureSize({ connection, postmaster, size, texts, plan, say }) {
  const client = new pg.Client(connection);
  const generator = new Generator(postmaster);
  const servers = {};
  let limits = {};
  await client.connect();
  try {
    const requests = new Requests(size, texts, SECRETS.JWT_SECRET);
    for (const kind of plan.servers) servers[kind] = [await STARTERS[kind](connection)];
    const idle = memoryOfAll(servers);
    const make = (name) => ROUTES[name].make(requests, { client, service: servers.service[0] });
    const sets = {};
    for (const [name] of plan.routes) sets[name] = await make(name);
    servers.several = [...servers.service];
    while (servers.several.length < plan.processes) servers.several.push(await STARTERS.service(connection));
    const counts = await count(connection, plan, sets);
    // Counting has moved some tasks on.
    if (sets.patch !== undefined) sets.patch = await make('patch');
    for (const [name, { kind }] of plan.routes) await generator.define(name, kind, sets[name]);
    limits = plan.hasLimit ? limitsOf(connection, size, counts, plan) : {};
    const figures = await rounds({ plan, servers, generator, limits, client, say });
    return { size: size.name, figures, counts, memory: { idle, loaded: memoryOfAll(servers) } };
  } finally {
    generator.stop();
    for (const limit of Object.values(limits)) limit.remove();
    await Promise.all(
      Object.values(servers)
        .flat()
        .map((server) => server.stop()),
    );
    await client.end();
  }
}

function limitsOf(connection, size, counts, { routes }) {
  const limited = routes.filter(([, { servers }]) => servers.includes('limit')).map(([name]) => name);
  return Object.fromEntries(limited.map((name) => [name, limitOf(connection, size, name, counts[`${name} service`])]));
}

const memoryOfAll = (servers) =>
  Object.fromEntries(Object.entries(servers).map(([kind, all]) => [kind, memoryOf(all[0].pid)]));
