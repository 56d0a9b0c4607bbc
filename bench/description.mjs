import { barsOf } from './bars.mjs';
import { figuresTable, formatNumber, ratioOf, summarize, table } from './report.mjs';

/** The share of the processors that, if other work used it, makes the figures unreliable. */
const MUCH = 0.05;

/** Returns the report of a run, RESULTS.md. */
export function describe({ measured, startup, machine, source, plan }) {
  const rows = summarize(measured);
  const bars = barsOf(rows, startup);
  return [
    '# What was measured',
    machineText(machine),
    ...(measured.length === 0 ? [] : [preface(source, plan), disturbance(measured)]),
    '## Bars',
    table(
      ['', 'measured', 'in the rounds', 'bar', ''],
      bars.map((bar) => [bar.what, formatNumber(bar.value, 2), rangeOf(bar), bar.bar, bar.holds ? 'holds' : 'MISSED']),
    ),
    ...(startup === undefined ? [] : ['## Start', startupTable(startup)]),
    ...(measured.length === 0 ? [] : ['## Figures', figuresTable(rows, measured), '## Memory', memoryTable(measured)]),
    ...severalSection(rows),
    ...(measured.length === 0 ? [] : ['## Who asks what', routesTable(plan)]),
  ]
    .join('\n\n')
    .concat('\n');
}

const rangeOf = ({ least, most }) =>
  least === undefined ? '' : `${formatNumber(least, 2)} to ${formatNumber(most, 2)}`;

export const machineText = ({ processor, memoryGb, node, postgres, date, commit }) =>
  `${date}, commit ${commit}: ${processor}, ${formatNumber(memoryGb)} GB, node ${node}, PostgreSQL ${postgres} (fsync on, Unix socket).`;

function preface(source, { sizes }) {
  const many = sizes.map(({ name, tasks, endeavours }) => `${name} is ${tasks} tasks in ${endeavours} endeavours`);
  return `The load generator, the service and the database share the processors, so absolute figures are less meaningful than ratios
within a route. All figures and ratios are medians over the rounds. The servers and sizes were measured alternately in one run,
so that other work on the machine affected all of them.

- Data: ${many.join(', ')}; text: ${source}. The endeavours in the requests
  have 1,000 tasks each in every size, 250 in each status.
- limit: pgbench with the statements that the service sends, prepared, on 10 connections at most.
- bare: node's http with pg, prepared statements, JSON built in SQL; no sessions, roles, visibility or validation.
- naive: Nest on Express with TypeORM repositories; no sessions, roles, visibility, change log or names of the entities
  that a task refers to.
- several: more than one process of the service.
- Statements and round trips (waits for the database, each for any number of statements) are those of one request,
  including BEGIN and COMMIT.
- The service writes its log to /dev/null.`;
}

/** States how much of the processors other programs and other virtual machines used. */
function disturbance(measured) {
  const figures = measured.flatMap((size) => size.figures).filter(({ others }) => Number.isFinite(others));
  const mean = (name) => figures.reduce((sum, figure) => sum + figure[name], 0) / figures.length;
  if (figures.length === 0) return 'The load by other programs during the measurement is not known.';
  const told = `During the measurement, other programs used ${formatNumber(mean('others') * 100, 1)} % of the processors, and the host of
this virtual machine withheld ${formatNumber(mean('stolen') * 100, 1)} %.`;
  return mean('others') + mean('stolen') > MUCH ? `${told} **This is a lot: these figures are not reliable.**` : told;
}

const startupTable = ({ coldMs, warmMs, startedMb, idleMb, modulesMb }) =>
  table(
    ['', ''],
    [
      ['first start to ready (database created), ms', formatNumber(coldMs)],
      ['later start to ready, ms', formatNumber(warmMs)],
      ['resident memory of node 5 s later, MB', formatNumber(startedMb)],
      ['resident memory of node a minute later, MB', formatNumber(idleMb)],
      ['installed packages that production needs, MB', formatNumber(modulesMb)],
    ],
  );

const memoryTable = (measured) =>
  table(
    ['size', 'server', 'before, MB', 'after, MB'],
    measured.flatMap(({ size, memory: { idle, loaded } }) =>
      Object.keys(idle).map((kind) => [size, kind, formatNumber(idle[kind]), formatNumber(loaded[kind])]),
    ),
  );

function severalSection(rows) {
  const pairs = rows
    .filter(({ server }) => server === 'several')
    .map((several) => {
      const same = ['size', 'route', 'connections'];
      const one = rows.find((row) => row.server === 'service' && same.every((name) => row[name] === several[name]));
      return [several.size, several.route, formatNumber(ratioOf(several, one).value, 2)];
    });
  return pairs.length === 0
    ? []
    : ['## Several processes, by one', table(['size', 'route', 'req/s by those of one'], pairs)];
}

const routesTable = ({ routes }) =>
  table(
    ['route', '', 'who asks'],
    routes.map(([name, { title, who }]) => [name, title, who]),
  );
