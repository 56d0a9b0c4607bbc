import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import { OperatorAccounts } from './modules/auth/operator-accounts.js';
import { readSettings } from './platform/config/read-settings.js';
import { Secrets } from './platform/config/secrets.js';
import type { Settings } from './platform/config/settings.js';
import type { Connection } from './platform/database/connections/connection.js';
import { SESSION_SETTINGS } from './platform/database/connections/session-settings.js';
import { migrate } from './platform/database/schema/migrations.js';
import { withRunningOrStarted } from './embedded-postgres/use-server.js';
import { runCommand, UsageError } from './platform/process/command.js';
import { requireDatabase } from './platform/process/external-database.js';
import { asService, prepareService } from './platform/process/service-role.js';
import { SCHEMA } from './schema.js';

const USAGE = `Manages accounts in the database, whether or not the service is running.

  npm run admin -- list                      lists the administrators
  npm run admin -- create <email>            creates an administrator, or promotes an existing account
  npm run admin -- promote <email>           makes an account an administrator
  npm run admin -- demote <email>            makes an administrator an ordinary user
  npm run admin -- reset-password <email>    prints a new password and ends all sessions and access tokens of the account
  npm run admin -- reset-second-factor <email>  turns the second factor off and ends all sessions of the account
  npm run admin -- suspend <email>           suspends the account and ends all of its sessions and access tokens
  npm run admin -- revoke-sessions <email>   ends all sessions and access tokens, including those created for agents

It uses the database of the service's configuration. With DATABASE_URL, create and reset-password also need PEPPER.`;

type Action = (accounts: OperatorAccounts, email: string) => Promise<string[]>;

const ACTIONS: Readonly<Record<string, Action>> = {
  create: (accounts, email) => accounts.create(email),
  promote: (accounts, email) => accounts.promote(email),
  demote: (accounts, email) => accounts.demote(email),
  'reset-password': (accounts, email) => accounts.resetPassword(email),
  'reset-second-factor': (accounts, email) => accounts.resetSecondFactor(email),
  suspend: (accounts, email) => accounts.suspend(email),
  'revoke-sessions': (accounts, email) => accounts.revokeSessions(email),
};
/** The commands that hash a password. */
const HASHING = ['create', 'reset-password'];

const quiet = (): void => undefined;

/** The action that the arguments request; throws for invalid ones, before the database is opened. */
function actionOf([name = '', ...emails]: string[]): (accounts: OperatorAccounts) => Promise<string[]> {
  if (name === 'list' && emails.length === 0) return (accounts) => accounts.list();
  if (name === '') throw new UsageError('A command is required.');
  if (name === 'list') throw new UsageError('The command list takes no e-mail address.');
  if (!Object.hasOwn(ACTIONS, name)) throw new UsageError(`Unknown command "${name}".`);
  if (emails.length !== 1) throw new UsageError(`The command ${name} requires one e-mail address.`);
  return (accounts) => ACTIONS[name](accounts, emails[0]);
}

async function withDatabase<T>(settings: Settings, work: (connection: Connection) => Promise<T>): Promise<T> {
  if (settings.DATABASE_URL !== undefined) {
    const connection = { url: settings.DATABASE_URL };
    await requireDatabase(connection, SCHEMA, quiet);
    return work(connection);
  }
  return withRunningOrStarted(settings.DATA_DIR, quiet, async (connection, { dataDir, wasRunning }) => {
    settings.DATA_DIR = dataDir;
    // A database that a running service uses is not migrated.
    if (wasRunning) await requireDatabase(connection, SCHEMA, quiet);
    else await migrate(connection, SCHEMA);
    return work(wasRunning ? asService(connection) : await prepareService(connection));
  });
}

async function withAccounts<T>(settings: Settings, work: (accounts: OperatorAccounts) => Promise<T>): Promise<T> {
  return withDatabase(settings, async (connection) => {
    const secrets = Secrets.load(settings, settings.DATA_DIR);
    const parts = { settings, secrets, connection, sessionSettings: SESSION_SETTINGS };
    const context = await NestFactory.createApplicationContext(AppModule.with(parts), {
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

/** Missing secrets are replaced by random ones: no command signs tokens, and only hashing a password needs PEPPER. */
function settingsFor(name: string): Settings {
  const environment = { ...process.env, BACKGROUND_JOBS: 'false', WORKERS: '1', LOG_LEVEL: 'error' };
  const settings = readSettings(environment, { secrets: HASHING.includes(name) ? ['PEPPER'] : [] });
  if (settings.DATABASE_URL === undefined) return settings;
  settings.JWT_SECRET ??= randomBytes(32).toString('hex');
  settings.PEPPER ??= randomBytes(32).toString('hex');
  return settings;
}

await runCommand({
  usage: USAGE,
  run({ positionals }) {
    const action = actionOf(positionals);
    return withAccounts(settingsFor(positionals[0]), action);
  },
});
