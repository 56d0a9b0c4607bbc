import { machineText } from './description.mjs';
import { COMPANY, MIXES, TASKS_A_YEAR } from './mixes.mjs';
import { formatNumber, table } from './report.mjs';

/** The share of a core that is planned for the busiest hour; the rest is for peaks within it, backups and vacuuming. */
const BUSY = 0.6;
const HOUR = 3_600;
/** Two processes, so that one can be replaced while the other serves. */
const LEAST_PROCESSES = 2;
const MORNING_SECONDS = 1_800;
const COMPANIES = [
  [100, 10_000],
  [1_000, 100_000],
  [5_000, 1_000_000],
  [20_000, 10_000_000],
  [100_000, 100_000_000],
];

/** The tables of docs/sizing.md. */
export function describeSizing(measured) {
  const { size, machine, source, disturbed, signIn } = measured;
  const loads = loadsOf(measured);
  return [
    `${machineText(machine)} ${count(size.tasks)} tasks in ${count(size.endeavours)} endeavours (text: ${source}), 16 connections.
Other programs and the host used ${formatNumber(disturbed * 100, 1)} % of the processors meanwhile.`,
    '## What users cost',
    usersTable(loads),
    `A sign-in with a password takes ${formatNumber(signIn.seconds * 1000)} ms of a core: a core serves ${formatNumber(1 / signIn.seconds, 1)} a second.`,
    '## What a request costs',
    requestsTable(measured),
    '## Space',
    spaceTable(measured),
    '## Calculator',
    companiesTable(measured, loads),
  ].join('\n\n');
}

const count = (value) => value.toLocaleString('en-US');

/** Seconds of a core that one user of each kind takes in an hour: of the service, and of PostgreSQL. */
function loadsOf({ costs }) {
  const costOf = new Map(costs.map((row) => [row.route, row]));
  const sum = (requests, name) =>
    Object.entries(requests).reduce((total, [route, times]) => total + times * costOf.get(route)[name], 0) / 1e6;
  return Object.fromEntries(
    Object.entries(MIXES).map(([mix, { requests }]) => [
      mix,
      { service: sum(requests, 'nodeUs'), database: sum(requests, 'databaseUs') },
    ]),
  );
}

function usersTable(loads) {
  const rows = Object.entries(MIXES).map(([mix, { who, requests }]) => {
    const { service, database } = loads[mix];
    const all = Object.values(requests).reduce((total, times) => total + times, 0);
    return [
      who,
      count(all),
      formatNumber(service, 2),
      formatNumber(database, 2),
      count(Math.floor((BUSY * HOUR) / (service + database))),
    ];
  });
  const head = ['who', 'requests an hour', 'service, s of a core', 'PostgreSQL, s of a core'];
  return table([...head, `users per core, ${BUSY * 100} % busy, both on it`], rows);
}

function requestsTable({ costs, wal }) {
  const rows = costs.map(({ route, nodeUs, databaseUs, p50, p99 }) => [
    route,
    formatNumber(nodeUs / 1000, 2),
    formatNumber(databaseUs / 1000, 2),
    formatNumber(p50, 1),
    formatNumber(p99, 1),
    wal[route] === undefined ? '' : formatNumber(wal[route] / 1024, 1),
  ]);
  return table(['request', 'service, ms of a core', 'PostgreSQL, ms of a core', 'p50 ms', 'p99 ms', 'WAL kB'], rows);
}

function spaceTable({ size, space, memory, signIn }) {
  const megabytes = (bytes) => `${formatNumber((bytes * 1000) / 2 ** 20, 2)} MB`;
  return table(
    ['what', 'measured'],
    [
      [`database for 1,000 tasks with all that belongs to them, of ${count(size.tasks)}`, megabytes(space.all)],
      ...Object.entries(space.parts).map(([part, bytes]) => [`of it ${part}, with their indexes`, megabytes(bytes)]),
      ['a process of the service after its start', `${formatNumber(memory.idle)} MB`],
      ['the same under load', `${formatNumber(memory.loaded)} MB`],
      ['a process that only signs people in', `${formatNumber(signIn.memoryMb)} MB`],
    ],
  );
}

function companiesTable({ size, space, memory, signIn }, loads) {
  const perAccount = (part) =>
    Object.entries(COMPANY).reduce((total, [mix, share]) => total + share * loads[mix][part], 0);
  const cores = (accounts, part) => (accounts * perAccount(part)) / HOUR / BUSY;
  const rows = COMPANIES.map(([accounts, tasks]) => {
    const service = cores(accounts, 'service');
    const database = cores(accounts, 'database');
    const processes = Math.max(LEAST_PROCESSES, Math.ceil(service));
    const gigabytes = (of) => formatNumber((of * space.all) / 2 ** 30, 1);
    return [
      count(accounts),
      count(tasks),
      formatNumber(service, 2),
      `${processes} (${formatNumber((processes * memory.loaded) / 1024, 1)} GB)`,
      formatNumber(database, 2),
      gigabytes(tasks),
      gigabytes(accounts * TASKS_A_YEAR),
      formatNumber((accounts / MORNING_SECONDS) * signIn.seconds, 1),
      tasks > size.tasks || service + database > 1 ? 'extrapolated' : 'measured',
    ];
  });
  const head = ['accounts', 'tasks', 'service, cores', 'processes (memory)', 'PostgreSQL, cores', 'database GB'];
  return table([...head, 'GB more a year', 'cores while all sign in within 30 min', ''], rows);
}
