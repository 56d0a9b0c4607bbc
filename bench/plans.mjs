/** `npm run bench:plans`: explains the statements of every list; fails if one of them scans a large table. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { withPostgres } from './postgres.mjs';
import { ROOT } from './processes.mjs';

const HELP = `Asks the service for every list, with every documented filter and sort, on 1,000,000 tasks, as a member and
as an administrator, and has PostgreSQL explain the statements that it sent. Fails where a member's list would read
through a table of more than 10,000 rows. Needs a build (npm start makes one).

  node bench/plans.mjs [--data <folder>] [--rows large|small] [--list /tasks] [--texts ../shared/data] [--write]

--data   keeps the loaded database there, or uses the one that is there
--list   asks for that list alone
--write  writes bench/PLANS.md
`;

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    rows: { type: 'string', default: 'large' },
    list: { type: 'string' },
    texts: { type: 'string', default: '../shared/data' },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const say = (line) => process.stdout.write(`${line}\n`);

async function main() {
  const { checkPlans } = await import('./plans/look.mjs');
  await withPostgres(values.data, say, async ({ connection }) => {
    const faults = await checkPlans(connection, { ...values, texts: resolve(ROOT, values.texts) }, say);
    if (faults > 0) process.exitCode = 1;
  });
}

if (values.help) say(HELP);
else if (existsSync(join(ROOT, 'dist/main.js'))) await main();
else {
  say('There is no build. Run npm run build first.');
  process.exitCode = 1;
}
