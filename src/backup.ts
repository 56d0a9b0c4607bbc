import { join } from 'node:path';
import { makeBackup } from './embedded-postgres/backup/backup.js';
import { requireEmbedded, summary } from './embedded-postgres/backup/command.js';
import { readSettings } from './platform/config/read-settings.js';
import { runCommand, UsageError } from './platform/process/command.js';

const USAGE = `Backs up the embedded database with its keys and mail, whether or not the service is running.

  npm run backup                 writes to backups/<time>
  npm run backup -- <folder>     writes to this folder, which must be new or empty`;

await runCommand({
  usage: USAGE,
  async run({ positionals }) {
    if (positionals.length > 1) throw new UsageError('Only one folder can be given.');
    const settings = readSettings(process.env, { secrets: [] });
    requireEmbedded(settings);
    const [folder = join('backups', new Date().toISOString().slice(0, 19).replaceAll(':', '-'))] = positionals;
    const manifest = await makeBackup(settings.DATA_DIR, folder, () => undefined);
    return [
      `${folder} contains ${summary(manifest)}. A test start of the copy succeeded.`,
      manifest.holds_keys
        ? 'It also contains the keys for passwords and sessions: restrict access to it.'
        : 'It does not contain JWT_SECRET and PEPPER, which are set in the environment: keep copies of them as well.',
    ];
  },
});
