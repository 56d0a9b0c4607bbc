import { requireEmbedded, summary } from './platform/backup/command.js';
import { restoreBackup, verifyBackup } from './platform/backup/restore.js';
import { readSettings } from './platform/config/read-settings.js';
import { runCommand, UsageError } from './platform/process/command.js';

const USAGE = `Puts a backup into DATA_DIR, where npm start finds it; the service must be stopped.

  npm run restore -- <folder>             never over data that is there
  npm run restore -- --replace <folder>   puts the data that is there aside
  npm run restore -- --verify <folder>    only starts a copy of it and compares every file and table`;

const quiet = (): void => undefined;

await runCommand({
  usage: USAGE,
  options: { verify: { type: 'boolean', default: false }, replace: { type: 'boolean', default: false } },
  async run({ words: [folder, ...others], flags: { verify, replace } }) {
    if (folder === undefined || others.length > 0) throw new UsageError('Name the folder of one backup.');
    if (verify === true) return [`${folder} is whole: ${summary(await verifyBackup(folder, quiet))}.`];
    const settings = readSettings(process.env, { secrets: [] });
    requireEmbedded(settings);
    const options = { replace: replace === true, log: quiet };
    const { manifest, directory, aside } = await restoreBackup(settings.DATA_DIR, folder, options);
    return [
      `${directory} holds ${summary(manifest)}. npm start goes on from there.`,
      ...(aside === undefined ? [] : [`What was there before is in ${aside}.`]),
      ...(manifest.holds_keys
        ? []
        : ['Its passwords need the PEPPER, its sessions the JWT_SECRET that the service had.']),
    ];
  },
});
