import { readdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../../scripts/build.mjs';
import { keepResults, table } from './support/results.mjs';
import { closeAll, closeOnSignals } from './support/opened.mjs';

const HELP = `Puts the service under faults and looks whether it keeps its promises.

  npm run resilience                      what suites there are
  npm run resilience -- kills             a short run
  npm run resilience -- kills --full      the run that the figures in test/faults/RESULTS.md come from; writes them there
    --rounds 50                       that many rounds, where a suite goes in rounds
    --only 1-20                       those by number, or those with that word in their name, where a suite has parts
    --file backlog.jsonl          that file, where a suite reads one
    --write                           keeps the figures of a shorter run, too
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    full: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    file: { type: 'string' },
    only: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const say = (line) => process.stdout.write(`${line}\n`);

const suites = readdirSync(new URL('.', import.meta.url))
  .filter((name) => name.endsWith('.mjs') && name !== 'run.mjs')
  .map((name) => name.replace('.mjs', ''));
const load = (name) => import(`./${name}.mjs`);

async function list() {
  say(HELP);
  for (const name of suites) say(`  ${name.padEnd(12)} ${(await load(name)).title}`);
}

async function runSuite(name) {
  if (!suites.includes(name)) throw new Error(`there is no suite ${name}; there are ${suites.join(', ')}`);
  await ensureBuilt();
  const { title, run } = await load(name);
  say(title);
  const begun = Date.now();
  const { full, only, file } = values;
  const figures = await run({ full, only, file, rounds: values.rounds && Number(values.rounds), say });
  say(`\n${table(figures)}\n\n${Math.round((Date.now() - begun) / 1000)} s`);
  if ((full && only === undefined) || values.write) keepResults(name, title, figures);
  if (figures.some(({ passed }) => !passed)) process.exitCode = 1;
}

closeOnSignals();
try {
  if (values.help || positionals.length === 0) await list();
  for (const name of positionals) await runSuite(name);
} catch (error) {
  // Before everything is closed, which can end this process by an error of its own.
  process.stderr.write(`${error.stack}\n`);
  process.exitCode = 1;
} finally {
  await closeAll();
}
