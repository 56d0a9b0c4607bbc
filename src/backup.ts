import { join } from 'node:path';
import { makeBackup } from './embedded-postgres/backup/backup.js';
import { summary } from './embedded-postgres/backup/command.js';
import { dumpDatabase } from './external-postgres/dump.js';
import { backupUrl } from './external-postgres/server.js';
import { readSettings } from './platform/config/read-settings.js';
import { runCommand, UsageError } from './platform/process/command.js';

const USAGE = `Backs up the database, whether or not the service is running: the embedded one with its keys and mail, or the one in
DATABASE_URL with pg_dump, which must be installed.

  npm run backup                 writes to backups/<time>
  npm run backup -- <folder>     writes to this folder, which must be new or empty

With a pooler in DATABASE_URL, DATABASE_DIRECT_URL is the server itself. If the tables belong to another role than that of the
service, DATABASE_OWNER_URL names it.`;

await runCommand({
  usage: USAGE,
  async run({ positionals }) {
    if (positionals.length > 1) throw new UsageError('Only one folder can be given.');
    const settings = readSettings(process.env, { secrets: [] });
    const [folder = join('backups', new Date().toISOString().slice(0, 19).replaceAll(':', '-'))] = positionals;
    const url = backupUrl(settings);
    if (url !== undefined) {
      return [
        `${folder} contains ${summary(await dumpDatabase(url, folder))}.`,
        `Test it: npm run restore -- --verify ${folder}`,
        'It does not contain JWT_SECRET and PEPPER: keep copies of them in another place.',
      ];
    }
    const manifest = await makeBackup(settings.DATA_DIR, folder, () => undefined);
    return [
      `${folder} contains ${summary(manifest)}. A test start of the copy succeeded.`,
      manifest.holds_keys
        ? 'It also contains the keys for passwords and sessions: restrict access to it.'
        : 'It does not contain JWT_SECRET and PEPPER, which are set in the environment: keep copies of them as well.',
    ];
  },
});
