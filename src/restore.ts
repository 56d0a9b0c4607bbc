import { requireEmbedded, summary } from './embedded-postgres/backup/command.js';
import { restoreBackup, verifyBackup } from './embedded-postgres/backup/restore.js';
import { readSettings } from './platform/config/read-settings.js';
import { runCommand, UsageError } from './platform/process/command.js';

const USAGE = `Restores a backup into DATA_DIR, where npm start uses it. Stop the service first.

  npm run restore -- <folder>             restores the backup; fails if DATA_DIR already contains data
  npm run restore -- --replace <folder>   moves the existing data aside first
  npm run restore -- --verify <folder>    starts a copy and compares every file and table, without restoring`;

const quiet = (): void => undefined;

await runCommand({
  usage: USAGE,
  options: { verify: { type: 'boolean', default: false }, replace: { type: 'boolean', default: false } },
  async run({ positionals: [folder, ...others], flags: { verify, replace } }) {
    if (folder === undefined || others.length > 0) throw new UsageError('The folder of one backup is required.');
    if (verify === true) return [`${folder} is intact: ${summary(await verifyBackup(folder, quiet))}.`];
    const settings = readSettings(process.env, { secrets: [] });
    requireEmbedded(settings);
    const options = { replace: replace === true, log: quiet };
    const { manifest, directory, aside } = await restoreBackup(settings.DATA_DIR, folder, options);
    return [
      `${directory} contains ${summary(manifest)}. Start the service with npm start.`,
      ...(aside === undefined ? [] : [`The previous data was moved to ${aside}.`]),
      ...(manifest.holds_keys
        ? []
        : [
            'Start the service with the same PEPPER and JWT_SECRET as before, or passwords and sessions will be invalid.',
          ]),
    ];
  },
});
