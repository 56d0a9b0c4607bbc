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
    const rounds = new Map(group.map(({ round, rps }) => [round, rps]));
    return { size, route, server, connections, ...figures, rounds };
  });
}

/**
 * The ratio of two throughputs: the median, minimum and maximum over the rounds. Both are measured within seconds in
 * each round. Undefined if one of them was not measured.
 */
export function ratioOf(one, other) {
  if (one === undefined || other === undefined) return undefined;
  const ratios = [...one.rounds].map(([round, rps]) => rps / other.rounds.get(round));
  return { value: median(ratios), least: Math.min(...ratios), most: Math.max(...ratios) };
}

export const formatNumber = (value, digits = 0) => (Number.isFinite(value) ? value.toFixed(digits) : '');

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
      const { statements, roundTrips } = countsOf[size][`${route} ${server}`] ?? {};
      const costs = [
        formatNumber(statements, 1),
        formatNumber(roundTrips, 1),
        formatNumber(nodeUs),
        formatNumber(databaseUs),
      ];
      return [
        size,
        route,
        server,
        connections,
        formatNumber(rps),
        formatNumber(p50, 2),
        formatNumber(p99, 2),
        ...costs,
      ];
    }),
  );
}

/** A Markdown table. With `isAligned` its columns line up as plain text as well. */
export function table(head, rows, { isAligned = true } = {}) {
  const longest = (n) => Math.max(head[n].length, ...rows.map((row) => String(row[n]).length), 3);
  const widths = head.map((_, n) => (isAligned ? longest(n) : 0));
  const line = (cells) => `| ${cells.map((cell, n) => String(cell).padEnd(widths[n])).join(' | ')} |`;
  const rule = `|${widths.map((width) => '-'.repeat(Math.max(width, 1) + 2)).join('|')}|`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}
