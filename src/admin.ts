import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import { OperatorAccounts } from './modules/auth/operator-accounts.js';
import { readSettings } from './platform/config/read-settings.js';
import { Secrets } from './platform/config/secrets.js';
import type { Settings } from './platform/config/settings.js';
import type { Connection } from './platform/database/connection.js';
import { migrate } from './platform/database/migrations.js';
import { withRunningOrStarted } from './platform/embedded-postgres/use-server.js';
import { runCommand, UsageError } from './platform/process/command.js';
import { requireDatabase } from './platform/process/external-database.js';
import { asService, prepareService } from './platform/process/service-role.js';
import { SCHEMA } from './schema.js';

const USAGE = `Accounts, from outside the service; it may run meanwhile, or not.

  npm run admin -- list                      the administrators
  npm run admin -- create <email>            a new administrator, or an account that becomes one
  npm run admin -- promote <email>           makes an account an administrator
  npm run admin -- demote <email>            takes that back
  npm run admin -- reset-password <email>    gives it a new password, which is printed, and ends its sessions and tokens
  npm run admin -- suspend <email>           keeps it from signing in, and ends its sessions and tokens
  npm run admin -- revoke-sessions <email>   ends its sessions and its access tokens, those it made for agents too

It uses the database of the settings. With DATABASE_URL, create and reset-password need PEPPER.`;

type Act = (accounts: OperatorAccounts, email: string) => Promise<string[]>;

const ACTS: Readonly<Record<string, Act>> = {
  create: (accounts, email) => accounts.create(email),
  promote: (accounts, email) => accounts.promote(email),
  demote: (accounts, email) => accounts.demote(email),
  'reset-password': (accounts, email) => accounts.resetPassword(email),
  suspend: (accounts, email) => accounts.suspend(email),
  'revoke-sessions': (accounts, email) => accounts.revokeSessions(email),
};
const HASHING = ['create', 'reset-password'];

const quiet = (): void => undefined;

/** What the words ask for; nothing is touched where they ask for nothing. */
function actOf([name = '', ...emails]: string[]): (accounts: OperatorAccounts) => Promise<string[]> {
  if (name === 'list' && emails.length === 0) return (accounts) => accounts.list();
  if (name === '') throw new UsageError('Say what to do.');
  if (name === 'list') throw new UsageError('list takes no address.');
  if (!Object.hasOwn(ACTS, name)) throw new UsageError(`There is no command "${name}".`);
  if (emails.length !== 1) throw new UsageError(`${name} takes one e-mail address.`);
  return (accounts) => ACTS[name](accounts, emails[0]);
}

async function withDatabase<T>(settings: Settings, work: (connection: Connection) => Promise<T>): Promise<T> {
  if (settings.DATABASE_URL !== undefined) {
    const connection = { url: settings.DATABASE_URL };
    await requireDatabase(connection, SCHEMA, quiet);
    return work(connection);
  }
  return withRunningOrStarted(settings.DATA_DIR, quiet, async (connection, { dataDir, wasRunning }) => {
    settings.DATA_DIR = dataDir;
    // What a service is using is never migrated under it.
    if (wasRunning) await requireDatabase(connection, SCHEMA, quiet);
    else await migrate(connection, SCHEMA);
    return work(wasRunning ? asService(connection) : await prepareService(connection));
  });
}

async function withAccounts<T>(settings: Settings, work: (accounts: OperatorAccounts) => Promise<T>): Promise<T> {
  return withDatabase(settings, async (connection) => {
    const secrets = Secrets.load(settings, settings.DATA_DIR);
    const context = await NestFactory.createApplicationContext(AppModule.with({ settings, secrets, connection }), {
      logger: ['error'],
      abortOnError: false,
    });
    try {
      return await work(context.get(OperatorAccounts, { strict: false }));
    } finally {
      await context.close();
    }
  });
}

/** No token is signed and, but where a password is hashed, nothing is keyed: such secrets need not be the real ones. */
function settingsFor(name: string): Settings {
  const environment = { ...process.env, WORKERS: 'false', LOG_LEVEL: 'error' };
  const settings = readSettings(environment, { secrets: HASHING.includes(name) ? ['PEPPER'] : [] });
  if (settings.DATABASE_URL === undefined) return settings;
  settings.JWT_SECRET ??= randomBytes(32).toString('hex');
  settings.PEPPER ??= randomBytes(32).toString('hex');
  return settings;
}

await runCommand({
  usage: USAGE,
  run({ words }) {
    const act = actOf(words);
    return withAccounts(settingsFor(words[0]), act);
  },
});
