import { ROUTES } from './routes.mjs';

function median(values) {
  const sorted = values.filter((value) => Number.isFinite(value)).sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/** The medians over the rounds, by size, route, server and number of connections. */
export function summarize(measured) {
  const groups = new Map();
  for (const { size, figures } of measured) {
    for (const figure of figures) {
      const key = [size, figure.route, figure.server, figure.connections].join(' ');
      groups.set(key, [...(groups.get(key) ?? []), { size, ...figure }]);
    }
  }
  return [...groups.values()].map((group) => {
    const [{ size, route, server, connections }] = group;
    const of = (name) => median(group.map((figure) => figure[name]));
    const figures = {
      rps: of('rps'),
      p50: of('p50'),
      p99: of('p99'),
      nodeUs: of('nodeUs'),
      databaseUs: of('databaseUs'),
    };
    return { size, route, server, connections, ...figures };
  });
}

const shown = (value, digits = 0) => (Number.isFinite(value) ? value.toFixed(digits) : '');

/** Everything that was measured, one row for each route, server and number of connections. */
export function figuresTable(rows, measured) {
  const countsOf = Object.fromEntries(measured.map(({ size, counts }) => [size, counts]));
  return table(
    [
      'size',
      'route',
      'server',
      'connections',
      'req/s',
      'p50 ms',
      'p99 ms',
      'statements',
      'round trips',
      'node µs',
      'PostgreSQL µs',
    ],
    rows.map(({ size, route, server, connections, rps, p50, p99, nodeUs, databaseUs }) => {
      const { statements, flights } = countsOf[size][`${route} ${server}`] ?? {};
      const costs = [shown(statements, 1), shown(flights, 1), shown(nodeUs), shown(databaseUs)];
      return [size, route, server, connections, shown(rps), shown(p50, 2), shown(p99, 2), ...costs];
    }),
  );
}

/** Each bar with what was reached; what was not measured has no line. */
export function barsOf(rows, most) {
  const find = (size, route, server) =>
    rows.find((row) => row.size === size && row.route === route && row.server === server && row.connections === most);
  const bars = [];
  const least = (what, value, bar) => value && bars.push({ what, value, bar: `>= ${bar}`, holds: value >= bar });
  const atMost = (what, value, bar) => value && bars.push({ what, value, bar: `<= ${bar}`, holds: value <= bar });
  for (const size of ['small', 'large']) {
    for (const [name, { bare, naive, p99 }] of Object.entries(ROUTES)) {
      const own = find(size, name, 'service');
      if (own === undefined) continue;
      const ratio = (kind) => own.rps / find(size, name, kind)?.rps;
      if (bare !== undefined) least(`${size} ${name}: of the bare floor`, ratio('bare'), bare);
      if (naive !== undefined) least(`${size} ${name}: times the naive`, ratio('naive'), naive);
      if (p99 !== undefined) atMost(`${size} ${name}: p99 in ms`, own.p99, p99);
      atMost(`${size} ${name}: p99 by p50`, own.p99 / own.p50, 5);
    }
    const pages = ['first', 'deep'].map((name) => find(size, name, 'service')?.rps);
    atMost(`${size}: first page by a page far behind, in req/s`, pages[0] / pages[1], 1.2);
  }
  for (const name of Object.keys(ROUTES)) {
    const [small, large] = ['small', 'large'].map((size) => find(size, name, 'service')?.rps);
    atMost(`${name}: cost of ten times as many tasks`, small / large, 1.3);
  }
  return bars;
}

export const barsTable = (bars) =>
  table(
    ['', 'measured', 'bar', ''],
    bars.map(({ what, value, bar, holds }) => [what, value.toFixed(2), bar, holds ? 'holds' : 'MISSED']),
  );

/** A table in Markdown whose columns also line up as plain text. */
export function table(head, rows) {
  const widths = head.map((title, n) => Math.max(title.length, ...rows.map((row) => String(row[n]).length), 3));
  const line = (cells) => `| ${cells.map((cell, n) => String(cell).padEnd(widths[n])).join(' | ')} |`;
  return [line(head), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rows.map(line)].join('\n');
}
