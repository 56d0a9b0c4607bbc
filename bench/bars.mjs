import { MAX_CONNECTIONS } from './plan.mjs';
import { ratioOf } from './report.mjs';
import { ROUTES } from './routes.mjs';

const SLOWEST_BY_USUAL = 5;
const COST_OF_TEN_TIMES = 1.2;
const COST_OF_DEPTH = 1.2;
const WARM_START_MS = 2_000;
const IDLE_MB = 150;

/** Collects the measured bars: the value, for a ratio the range over the rounds, and whether the bar holds. */
class Bars {
  all = [];

  least(what, reached, bar) {
    this.add(what, reached, `>= ${bar}`, ({ value }) => value >= bar);
  }

  most(what, reached, bar) {
    this.add(what, reached, `<= ${bar}`, ({ value }) => value <= bar);
  }

  add(what, reached, bar, isHeld) {
    const figure = typeof reached === 'number' ? { value: reached } : reached;
    if (Number.isFinite(figure?.value)) this.all.push({ what, ...figure, bar, holds: isHeld(figure) });
  }
}

/** Compares the service with its bars, at the highest number of connections except for the slowest searches. */
export function barsOf(rows, startup) {
  const bars = new Bars();
  const find = (size, route, server) =>
    rows.find(
      (row) => row.size === size && row.route === route && row.server === server && row.connections === MAX_CONNECTIONS,
    );
  for (const { size, route, server, connections, p99 } of rows) {
    const bar = server === 'service' ? ROUTES[route].p99 : undefined;
    if (bar !== undefined) bars.most(`${size} ${route}: p99 at ${connections} connections, ms`, p99, bar);
  }
  for (const size of ['small', 'large']) {
    for (const name of Object.keys(ROUTES))
      routeBars(bars, `${size} ${name}`, ROUTES[name], (kind) => find(size, name, kind));
    const [first, deep] = ['first', 'deep'].map((name) => find(size, name, 'service'));
    bars.most(`${size}: req/s of the first page by those of one far behind`, ratioOf(first, deep), COST_OF_DEPTH);
  }
  for (const name of Object.keys(ROUTES)) {
    const [small, large] = ['small', 'large'].map((size) => find(size, name, 'service'));
    bars.most(`${name}: req/s on 100,000 tasks by those on 1,000,000`, ratioOf(small, large), COST_OF_TEN_TIMES);
  }
  bars.most('warm start to ready, ms', startup?.warmMs, WARM_START_MS);
  bars.most('memory when idle, MB', startup?.idleMb, IDLE_MB);
  return bars.all;
}

function routeBars(bars, name, { bare, naive }, find) {
  const own = find('service');
  if (own === undefined) return;
  const least = (server, bar) =>
    bars.least(`${name}: req/s by those of the ${server} server`, ratioOf(own, find(server)), bar);
  if (bare !== undefined) least('bare', bare);
  if (naive !== undefined) least('naive', naive);
  bars.most(`${name}: p99 by p50`, own.p99 / own.p50, SLOWEST_BY_USUAL);
}
