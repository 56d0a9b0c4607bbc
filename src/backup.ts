import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { makeBackup } from './platform/backup/backup.js';
import { readSettings } from './platform/config/settings.js';
import { requireEmbedded, summary } from './platform/backup/command.js';

/** `npm run backup [-- <folder>]`: copies the embedded database of the settings, with its keys and mails. */
async function run([given]: string[]): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const settings = readSettings(process.env);
  requireEmbedded(settings);
  const folder = given ?? join('backups', new Date().toISOString().slice(0, 19).replaceAll(':', '-'));
  const manifest = await makeBackup(settings.DATA_DIR, folder, () => undefined);
  const lines = [`${folder} holds ${summary(manifest)}, and starts.`];
  if (manifest.holds_keys)
    lines.push('It also holds the keys of passwords and sessions: keep it where nobody else can read it.');
  else lines.push('It does not hold JWT_SECRET and PEPPER, which this service is given: keep them as well.');
  process.stdout.write(`${lines.join('\n')}\n`);
}

await run(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
