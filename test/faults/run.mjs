import { readdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../../scripts/build.mjs';
import { saveResults, table } from './support/results.mjs';
import { closeAll, closeOnSignals } from './support/opened.mjs';

const HELP = `Causes failures of the service and its surroundings, and checks that its guarantees hold.

  npm run resilience                      lists the suites
  npm run resilience -- kills             a short run
  npm run resilience -- kills --full      a run at full size, which writes its figures to test/faults/RESULTS.md
    --rounds 50                           the number of rounds, for suites that run in rounds
    --only 1-20                           the parts with these numbers or with this word in their name, for sabotage
    --file backlog.jsonl                  the file to read, for journey
    --write                               stores the figures of a shorter run, too
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
  if ((full && only === undefined) || values.write) saveResults(name, title, figures);
  if (figures.some(({ passed }) => !passed)) process.exitCode = 1;
}

closeOnSignals();
try {
  if (values.help || positionals.length === 0) await list();
  for (const name of positionals) await runSuite(name);
} catch (error) {
  // Printed before everything is closed, because an error during that can end this process.
  process.stderr.write(`${error.stack}\n`);
  process.exitCode = 1;
} finally {
  await closeAll();
}
