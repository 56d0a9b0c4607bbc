/** `npm run format`: formats the code. */
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled } from './install.mjs';
import { exitWithUsage, isHelp } from './usage.mjs';

const USAGE = `Formats the code of src, explorer, test, scripts and bench; installs what that needs.

  npm run format`;
const SOURCES = ['src', 'explorer', 'test', 'scripts', 'bench', 'ormconfig.ts'];

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const words = process.argv.slice(2);
if (isHelp(words)) exitWithUsage(USAGE);
if (words.length > 0) exitWithUsage(USAGE, `Unknown argument "${words[0]}".`);
await ensureInstalled({ everything: true });
const prettier = join(root, 'node_modules/prettier/bin/prettier.cjs');
const { status } = spawnSync(process.execPath, [prettier, '--write', '--log-level', 'warn', ...SOURCES], {
  cwd: root,
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
if (status === 0) process.stdout.write('The code is formatted.\n');
