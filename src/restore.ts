import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { requireEmbedded, summary } from './platform/backup/command.js';
import { restoreBackup, verifyBackup } from './platform/backup/restore.js';
import { readSettings } from './platform/config/settings.js';

const USAGE = 'Usage: npm run restore -- --verify <folder>, or npm run restore -- [--replace] <folder>';
const quiet = (): void => undefined;

/** `npm run restore -- <folder>`: puts a backup into the DATA_DIR of the settings; with `--verify` only looks whether it could. */
async function run(args: string[]): Promise<string[]> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const settings = readSettings(process.env);
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { verify: { type: 'boolean', default: false }, replace: { type: 'boolean', default: false } },
  });
  const [folder] = positionals;
  if (folder === undefined || positionals.length > 1) throw new Error(USAGE);
  if (values.verify) return [`${folder} is whole: ${summary(await verifyBackup(folder, quiet))}.`];

  requireEmbedded(settings);
  const { replace } = values;
  const { manifest, directory, aside } = await restoreBackup(settings.DATA_DIR, folder, { replace, log: quiet });
  return [
    `${directory} holds ${summary(manifest)}. npm start goes on from there.`,
    ...(aside === undefined ? [] : [`What was there before is in ${aside}.`]),
    ...(manifest.holds_keys
      ? []
      : ['Its passwords need the PEPPER, its sessions the JWT_SECRET that the service had.']),
  ];
}

await run(process.argv.slice(2))
  .then((lines) => process.stdout.write(`${lines.join('\n')}\n`))
  .catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  });
