import { readdirSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ensureInstalled } from '../../scripts/install.mjs';
import { exitWithUsage } from '../../scripts/usage.mjs';

const HELP = `Causes failures of the service and its surroundings, and checks that its guarantees hold.

  npm run resilience                      lists the suites
  npm run resilience -- kills             a short run
  npm run resilience -- kills --full      a run at full size, which writes its figures to test/faults/RESULTS.md
    --rounds 50                           the number of rounds, for suites that run in rounds
    --only 1-20                           the parts with these numbers or with this word in their name, for sabotage
    --file backlog.jsonl                  the file to read, for journey
    --write                               stores the figures of a shorter run, too
`;

const OPTIONS = {
  full: { type: 'boolean', default: false },
  write: { type: 'boolean', default: false },
  rounds: { type: 'string' },
  file: { type: 'string' },
  only: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
};
const say = (line) => process.stdout.write(`${line}\n`);

const folder = new URL('.', import.meta.url);
const suites = readdirSync(folder)
  .filter((name) => name.endsWith('.mjs') && name !== 'run.mjs')
  .map((name) => name.replace('.mjs', ''));

/** Reads the titles from the sources, because importing a suite needs packages that may not be installed. */
function listed() {
  const titleOf = (name) =>
    /^export const title =\s*'(.*)';$/m.exec(readFileSync(new URL(`${name}.mjs`, folder), 'utf8'))?.[1];
  return [HELP, ...suites.map((name) => `  ${name.padEnd(12)} ${titleOf(name)}`)].join('\n');
}

function parsed() {
  try {
    return parseArgs({ allowPositionals: true, options: OPTIONS });
  } catch (error) {
    return exitWithUsage(listed(), error.message.split('. ')[0]);
  }
}

const { values, positionals } = parsed();
if (values.help || positionals.length === 0) exitWithUsage(listed());
const unknown = positionals.find((name) => !suites.includes(name));
if (unknown !== undefined) exitWithUsage(listed(), `There is no suite "${unknown}".`);
if (values.rounds !== undefined && !/^[1-9]\d*$/.test(values.rounds)) {
  exitWithUsage(listed(), `"${values.rounds}" is not a number of rounds.`);
}

await ensureInstalled({ everything: true });
const { ensureBuilt } = await import('../../scripts/build.mjs');
const { saveResults, table } = await import('./support/results.mjs');
const { closeAll, closeOnSignals } = await import('./support/opened.mjs');

async function runSuite(name) {
  await ensureBuilt();
  const { title, run } = await import(`./${name}.mjs`);
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
  for (const name of positionals) await runSuite(name);
} catch (error) {
  // Printed before everything is closed, because an error during that can end this process.
  process.stderr.write(`${error.stack}\n`);
  process.exitCode = 1;
} finally {
  await closeAll();
}
