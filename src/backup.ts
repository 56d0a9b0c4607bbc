import { join } from 'node:path';
import { makeBackup } from './platform/backup/backup.js';
import { requireEmbedded, summary } from './platform/backup/command.js';
import { readSettings } from './platform/config/read-settings.js';
import { runCommand, UsageError } from './platform/process/command.js';

const USAGE = `Copies the embedded database with its keys and mails, while the service runs or not.

  npm run backup                 into backups/<time>
  npm run backup -- <folder>     into that folder, which must be new or empty`;

await runCommand({
  usage: USAGE,
  async run({ words }) {
    if (words.length > 1) throw new UsageError('A backup goes into one folder.');
    const settings = readSettings(process.env, { secrets: [] });
    requireEmbedded(settings);
    const [folder = join('backups', new Date().toISOString().slice(0, 19).replaceAll(':', '-'))] = words;
    const manifest = await makeBackup(settings.DATA_DIR, folder, () => undefined);
    return [
      `${folder} holds ${summary(manifest)}, and starts.`,
      manifest.holds_keys
        ? 'It also holds the keys of passwords and sessions: keep it where nobody else can read it.'
        : 'It does not hold JWT_SECRET and PEPPER, which this service is given: keep them as well.',
    ];
  },
});
