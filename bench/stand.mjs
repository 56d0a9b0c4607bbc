import pg from 'pg';
import { countStatements } from './counting.mjs';
import { Generator } from './generator.mjs';
import { limitOf } from './limits.mjs';
import { memoryOf } from './processes.mjs';
import { Requests } from './requests.mjs';
import { ROUTES } from './routes.mjs';
import { SECRETS, STARTERS } from './servers.mjs';

/** One size with its database, the servers on it, and the requests for them. */
export class TestBed {
  servers = {};
  limits = {};

  constructor({ connection, remove }, size, postmaster) {
    this.size = size;
    this.connection = connection;
    this.remove = remove;
    this.client = new pg.Client(connection);
    this.generator = new Generator(postmaster);
  }

  async open(texts, plan) {
    const { connection, client, servers, size } = this;
    await client.connect();
    const requests = new Requests(size, texts, SECRETS.JWT_SECRET);
    for (const kind of plan.servers) servers[kind] = [await STARTERS[kind](connection)];
    this.idle = this.memory();
    const make = (name) => ROUTES[name].make(requests, { client, service: servers.service[0] });
    const sets = {};
    for (const [name] of plan.routes) sets[name] = await make(name);
    servers.several = [...servers.service];
    while (servers.several.length < plan.processes) servers.several.push(await STARTERS.service(connection));
    this.counts = await countStatements(connection, plan, sets);
    // Counting has changed the status of some tasks.
    if (sets.patch !== undefined) sets.patch = await make('patch');
    for (const [name, { kind }] of plan.routes) await this.generator.define(name, kind, sets[name]);
    if (plan.hasLimit) this.limits = this.limitsOf(plan);
  }

  /** Vacuums and writes a checkpoint, so that the cost of earlier writes is not part of the next measurement. */
  async vacuum() {
    await this.client.query('SET statement_timeout = 0');
    await this.client.query('VACUUM (ANALYZE) tasks, task_statuses, entities, events, comments');
    await this.client.query('CHECKPOINT');
  }

  /** Sends requests of every route to every server until V8 has compiled their code. */
  async warm({ routes, warming }) {
    for (const [name, route] of routes) {
      const kinds = route.servers.filter((kind) => kind !== 'limit');
      const connections = Math.min(warming.connections, route.atMost ?? warming.connections);
      for (const kind of kinds) await this.measure(name, kind, { ...warming, connections, several: true });
    }
  }

  /** Measures one server on one route; undefined if that server is not running. */
  measure(name, kind, { connections, warmUp, seconds, several }) {
    const { servers, generator, limits } = this;
    if (kind === 'limit') return limits[name]?.measure(connections, seconds);
    if (servers[kind] === undefined || (kind === 'several' && (servers.several.length === 1 || !several)))
      return undefined;
    return generator.run({ name, servers: servers[kind], connections, warmUp, seconds });
  }

  /** Resident MB of each server. */
  memory() {
    return Object.fromEntries(Object.entries(this.servers).map(([kind, all]) => [kind, memoryOf(all[0].pid)]));
  }

  async close() {
    this.generator.stop();
    for (const limit of Object.values(this.limits)) limit.remove();
    await Promise.all(
      Object.values(this.servers)
        .flat()
        .map((server) => server.stop()),
    );
    await this.client.end();
    await this.remove();
  }

  limitsOf({ routes }) {
    const { connection, size, counts } = this;
    const limited = routes.filter(([, { servers }]) => servers.includes('limit')).map(([name]) => name);
    return Object.fromEntries(
      limited.map((name) => [name, limitOf(connection, size, name, counts[`${name} service`])]),
    );
  }
}
