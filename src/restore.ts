import { StartError } from './common/start-error.js';
import { summary } from './embedded-postgres/backup/command.js';
import { isDump, type Manifest } from './embedded-postgres/backup/manifest.js';
import { restoreBackup, verifyBackup } from './embedded-postgres/backup/restore.js';
import { recordDrill } from './external-postgres/restore-drills.js';
import { restoreDump, verifyDump } from './external-postgres/restore-dump.js';
import { backupUrl } from './external-postgres/server.js';
import { readSettings } from './platform/config/read-settings.js';
import type { Settings } from './platform/config/settings.js';
import { runCommand, UsageError } from './platform/process/command.js';

const USAGE = `Restores a backup: of the embedded database into DATA_DIR, where npm start uses it, or of an external one into the empty
database in DATABASE_URL. Stop the service first.

  npm run restore -- <folder>             restores the backup; fails if the destination already contains data
  npm run restore -- --replace <folder>   moves the existing data of DATA_DIR aside first
  npm run restore -- --verify <folder>    restores a copy, compares every file and table, and removes the copy

--verify of an external database restores into a PostgreSQL of its own that it starts and removes; npm run doctor knows when
a backup was last verified.`;

const quiet = (): void => undefined;

const SAME_KEYS =
  'Start the service with the same PEPPER and JWT_SECRET as before, or passwords and sessions will be invalid.';

async function verify(folder: string, settings: Settings): Promise<string[]> {
  const manifest = isDump(folder) ? await verifyDump(folder) : await verifyBackup(folder, quiet);
  return [`${folder} is intact: ${summary(manifest)}.`, await recordDrill(settings, manifest)];
}

async function restoreExternal(folder: string, url: string, replace: boolean): Promise<string[]> {
  if (!isDump(folder)) {
    throw new StartError(
      `${folder} is a copy of the embedded database. Unset DATABASE_URL to restore it into DATA_DIR; from there npm start serves ` +
        'it, and pg_dump can move it to another server.',
    );
  }
  if (replace) throw new StartError('--replace is for the embedded database. Name an empty database in DATABASE_URL.');
  return [
    `The database in DATABASE_URL contains ${summary(await restoreDump(url, folder))}.`,
    'Run npm run migrate, which grants the role of the service its rights, and then start the service.',
    SAME_KEYS,
  ];
}

async function restoreEmbedded(folder: string, { DATA_DIR }: Settings, replace: boolean): Promise<string[]> {
  if (isDump(folder)) {
    throw new StartError(`${folder} is a dump of an external database. Name an empty database in DATABASE_URL.`);
  }
  const { manifest, directory, aside } = await restoreBackup(DATA_DIR, folder, { replace, log: quiet });
  return [
    `${directory} contains ${summary(manifest)}. Start the service with npm start.`,
    ...(aside === undefined ? [] : [`The previous data was moved to ${aside}.`]),
    ...keysOf(manifest),
  ];
}

const keysOf = ({ holds_keys }: Manifest): string[] => (holds_keys ? [] : [SAME_KEYS]);

await runCommand({
  usage: USAGE,
  options: { verify: { type: 'boolean', default: false }, replace: { type: 'boolean', default: false } },
  async run({ positionals: [folder, ...others], flags }) {
    if (folder === undefined || others.length > 0) throw new UsageError('The folder of one backup is required.');
    const settings = readSettings(process.env, { secrets: [] });
    if (flags.verify === true) return verify(folder, settings);
    const [url, replace] = [backupUrl(settings), flags.replace === true];
    return url === undefined ? restoreEmbedded(folder, settings, replace) : restoreExternal(folder, url, replace);
  },
});
