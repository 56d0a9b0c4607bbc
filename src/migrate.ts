import 'reflect-metadata';
import { StartError } from './common/start-error.js';
import { migrate } from './platform/database/migrations.js';
import { readSettings } from './platform/config/read-settings.js';
import { runCommand, UsageError } from './platform/process/command.js';
import { grantService } from './platform/process/service-role.js';
import { setRoleLimits } from './platform/process/role-limits.js';
import { SCHEMA } from './schema.js';

const USAGE = `Brings the database of DATABASE_URL up to this build. It may run while the service does.

  npm run migrate

With DATABASE_OWNER_URL the tables belong to the role there, and the role of DATABASE_URL gets only what the service
needs: it cannot change the audit. The embedded database needs this command never: npm start does it.`;

await runCommand({
  usage: USAGE,
  async run({ words }) {
    if (words.length > 0) throw new UsageError(`"${words[0]}" means nothing here.`);
    const { DATABASE_URL: url, DATABASE_OWNER_URL: owner } = readSettings(process.env, { secrets: [] });
    if (url === undefined) {
      throw new StartError('DATABASE_URL is not set. The embedded database needs no migrating: npm start does it.');
    }
    const done = await migrate({ url: owner ?? url }, SCHEMA);
    if (owner !== undefined) await grantService({ url: owner }, { url });
    await setRoleLimits({ url });
    return done.length === 0
      ? ['Nothing to do.']
      : [`${done.length} migration(s) done:`, ...done.map((name) => `  ${name}`)];
  },
});
