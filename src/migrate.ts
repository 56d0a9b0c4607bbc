import 'reflect-metadata';
import { StartError } from './common/start-error.js';
import { migrate } from './platform/database/schema/migrations.js';
import { readSettings } from './platform/config/read-settings.js';
import { examinePooling } from './platform/database/connections/pooling.js';
import { removeOldPartitions } from './platform/partitions/partition-removal.js';
import { runCommand, UsageError } from './platform/process/command.js';
import { grantService } from './platform/process/service-role.js';
import { setRoleLimits } from './platform/process/role-limits.js';
import { PARTITIONED_TABLES } from './partitioned-tables.js';
import { SCHEMA } from './schema.js';

const USAGE = `Applies the migrations of this release to the database in DATABASE_URL. The service can keep running: the result also
fits the previous release.

  npm run migrate
  npm run migrate -- --contract     also removes what only older releases use; refused while one is running

With DATABASE_OWNER_URL, the tables belong to the role in that URL, and the role in DATABASE_URL gets only the rights that
the service needs: it cannot change the audit. With a pooler in DATABASE_URL, DATABASE_DIRECT_URL is the server itself. The embedded database does not need this: npm start migrates it.`;

const POOLED =
  'The migrations need a connection of their own, and this pooler assigns one for each transaction. Set ' +
  'DATABASE_DIRECT_URL to the server itself (the port of PostgreSQL instead of that of the pooler).';

await runCommand({
  usage: USAGE,
  options: { contract: { type: 'boolean', default: false } },
  async run({ positionals, flags }) {
    if (positionals.length > 0) throw new UsageError(`Unknown argument "${positionals[0]}".`);
    const settings = readSettings(process.env, { secrets: [] });
    const { DATABASE_URL: url, DATABASE_OWNER_URL: owner, DATABASE_DIRECT_URL: direct } = settings;
    if (url === undefined) {
      throw new StartError('DATABASE_URL is not set. The embedded database is migrated by npm start.');
    }
    const own = owner ?? direct ?? url;
    if ((await examinePooling({ url: own })) !== 'session') throw new StartError(POOLED);
    const log = (message: string) => process.stdout.write(`${message}\n`);
    const contracts = flags.contract === true ? 'applyIfUnused' : 'leave';
    const applied = await migrate({ url: own }, SCHEMA, log, contracts);
    if (owner !== undefined) await grantService({ url: owner }, { url });
    await setRoleLimits({ url });
    for (const name of (await removeOldPartitions({ url: own }, PARTITIONED_TABLES)) ?? [])
      log(`Removed partition ${name}.`);
    return [applied.length === 0 ? 'The database is up to date.' : `${applied.length} migration(s) applied.`];
  },
});
