/** `npm run bench`: compares the service with the database's limit, a bare server and a typical Nest application. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { withPostgres } from './postgres.mjs';
import { ROOT } from './processes.mjs';

const HELP = `Measures the service against the database's limit (pgbench, where it is installed), a bare server on node's own
http, and a naive server, on 100,000 tasks. Needs a build (npm start makes one).

  node bench/run.mjs [--smoke | --quick | --full] [--rows small|large|both] [--routes get,list,...] [--servers service,bare,naive]
    [--processes 2] [--only startup|speed] [--data <folder>] [--texts ../shared/data] [--write]
  node bench/run.mjs --sizing [--smoke] [--rows small|large] [--data <folder>] [--texts ../shared/data] [--write]
  node bench/run.mjs --compare <commit> | --with <NAME=value> [--routes get,list,...] [--starts 2] [--rounds 4] [--texts ../shared/data]

--smoke      asks everything once, of 2,000 tasks: shows that the measuring works, and nothing else
--quick      48 connections, one round
--full       on 1,000,000 tasks as well, seven rounds
--data       keeps the loaded database there, or uses the one that is there
--texts      a folder with real backlogs (JSON Lines) for the text of tasks
--processes  measures GET one and list with so many processes of the service as well
--only       startup: how soon it is ready, and what it takes; speed: everything else
--sizing     measures what users of three kinds cost; --write writes the tables of docs/sizing.md
--compare    pairs this build with the one of that commit, and prints the ratios; needs git and npm
--with       pairs this build with itself with that setting; several times for several settings
--starts     how often both services are started for it, each time for that many rounds
--write      writes bench/RESULTS.md, as a run without --quick and without a choice of what is measured does
`;

const { values } = parseArgs({
  options: {
    smoke: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    full: { type: 'boolean', default: false },
    rows: { type: 'string' },
    routes: { type: 'string' },
    servers: { type: 'string' },
    processes: { type: 'string' },
    only: { type: 'string' },
    data: { type: 'string' },
    texts: { type: 'string', default: '../shared/data' },
    sizing: { type: 'boolean', default: false },
    compare: { type: 'string' },
    with: { type: 'string', multiple: true },
    starts: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '4' },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const say = (line) => process.stdout.write(`${line}\n`);

async function compare() {
  const { compareBuilds } = await import('./compare.mjs');
  const { planOf } = await import('./plan.mjs');
  const { SIZES } = await import('./data/shape.mjs');
  await withPostgres(undefined, say, async ({ connection, dataDir }) => {
    const { routes } = planOf({ quick: true, routes: values.routes });
    const texts = resolve(ROOT, values.texts);
    const what = {
      commit: values.compare,
      settings: Object.fromEntries((values.with ?? []).map((setting) => setting.split(/=(.*)/s, 2))),
      starts: Number(values.starts),
      rounds: Number(values.rounds),
      size: SIZES.small,
      routes,
      texts,
    };
    say(`\n${await compareBuilds({ ...what, connection, postmaster: postmasterIn(dataDir), say })}`);
  });
}

function postmasterIn(dataDir) {
  const [pid] = readFileSync(join(dataDir, 'cluster/postmaster.pid'), 'utf8').split('\n');
  return Number(pid);
}

async function main() {
  if (values.compare !== undefined || values.with !== undefined) return compare();
  const measure = values.sizing ? (await import('./sizing.mjs')).measureSizing : (await import('./all.mjs')).measureAll;
  await withPostgres(values.data, say, async ({ connection, dataDir }) => {
    await measure({
      server: { connection, postmaster: postmasterIn(dataDir) },
      options: values,
      isKept: values.data !== undefined,
      texts: resolve(ROOT, values.texts),
      say,
    });
  });
}

if (values.help) say(HELP);
else if (existsSync(join(ROOT, 'dist/main.js'))) await main();
else {
  say('There is no build. Run npm run build first.');
  process.exitCode = 1;
}
