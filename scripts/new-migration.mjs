/** `npm run new:migration -- <name>`: checks the name and installs what new-migration.ts needs, then runs it. */
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled } from './install.mjs';
import { exitWithUsage, isHelp } from './usage.mjs';

const USAGE = `Writes the migration that makes the tables equal to the entities, and functions, views and triggers equal to those that the
features declare, and registers it.

  npm run new:migration -- <name>     for example: npm run new:migration -- artifact-license`;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const words = process.argv.slice(2);
if (isHelp(words)) exitWithUsage(USAGE);
const [name, ...others] = words;
if (name === undefined || others.length > 0) exitWithUsage(USAGE, 'One name is required.');
if (!/^[a-z]+(-[a-z0-9]+)*$/.test(name)) {
  exitWithUsage(USAGE, `"${name}" is not a name of lower-case words with hyphens.`);
}
await ensureInstalled({ everything: true });
const loader = ['--import', `file://${join(root, 'scripts/typescript-loader.mjs')}`];
const program = join(root, 'scripts/new-migration.ts');
const { status } = spawnSync(process.execPath, [...loader, program, name], { cwd: root, stdio: 'inherit' });
process.exitCode = status ?? 1;
