import { ApiError } from '../../common/errors.js';
import { StartError } from '../../common/start-error.js';
import { driverError, isConnectionLost, isUnavailable, sqlState } from '../database/connections/driver-errors.js';
import { MigrationError } from '../database/schema/migrations.js';

const LACKS_RIGHT = '42501';

/** The remedy for errors that PostgreSQL reports at the start, by SQLSTATE. */
const REMEDIES: Readonly<Record<string, string>> = {
  '28P01': 'Check the user and the password in DATABASE_URL.',
  '28000': 'Check the user in DATABASE_URL and the rules in pg_hba.conf of the server.',
  '3D000': 'Create it, or use another database in DATABASE_URL.',
  '53100': 'Free some space on the disk of the database.',
  '55P03': 'Another replica or command is changing the same. Try again.',
  '53300': 'Lower DATABASE_POOL on the replicas, or raise max_connections on the server.',
  '25006': 'Use the primary server in DATABASE_URL; this one is read-only.',
};

/** The states with which PostgreSQL rejects a connection; with the others, also what is done on one. */
const CONNECTION_STATES = ['28P01', '28000', '3D000', '53300'];

/** The remedy for errors that end a migration, by SQLSTATE. */
const MIGRATION_REMEDIES: Readonly<Record<string, string>> = {
  '42501': 'The role of the connection needs this right: it must own the database and all that is in it.',
  '0A000':
    'Use a server that is built with ICU and has the extension pg_trgm (on Debian the package postgresql-contrib).',
  '58P01': 'Install the extensions of PostgreSQL on the server (on Debian the package postgresql-contrib).',
  '53100': 'Free some space on the disk of the database.',
  '25006': 'Use the primary server; this one is read-only.',
};

/** Describes the error that ended a start or a command: a sentence if an operator can fix it, otherwise the stack. */
export function explain(error: unknown): string {
  if (error instanceof StartError || error instanceof ApiError) return error.message;
  if (error instanceof MigrationError) return explainMigration(error);
  if (!(error instanceof Error)) return String(error);
  const reason = driverError(error)?.message ?? error.message;
  const state = sqlState(error) ?? '';
  if (state === LACKS_RIGHT) {
    return `The role in DATABASE_URL lacks a right: ${reason}. Grant it, or run npm run migrate as the owner of the tables.`;
  }
  if (REMEDIES[state] !== undefined) {
    const what = CONNECTION_STATES.includes(state) ? 'rejected the connection' : 'refused this';
    return `The database ${what}: ${reason}. ${REMEDIES[state]}`;
  }
  if (/\bSSL\b|certificate/i.test(reason) && driverError(error) !== undefined) {
    return `The database cannot be reached with TLS as configured: ${reason}. Check sslmode in DATABASE_URL.`;
  }
  if (isUnavailable(error)) return unreachableMessage(error);
  const { code, path } = error as NodeJS.ErrnoException;
  if (code === 'EROFS')
    return `The file system is read-only: ${path ?? 'a file'} cannot be written. Use another folder.`;
  if (code === 'ENOTDIR')
    return `${path ?? 'A part of the path'} is not a folder, because a part of the path is a file.`;
  if (code === 'ENOENT' && path !== undefined) return `There is no file or folder ${path}.`;
  if (code === 'ENOSPC') return `The disk is full: ${path ?? 'a file'} cannot be written. Free some space.`;
  if (code === 'EACCES' || code === 'EPERM') {
    return (
      `This user has no permission for ${path ?? 'a file'} (${code}). Change its owner, or run this command as ` +
      'its owner.'
    );
  }
  return error.stack ?? error.message;
}

function explainMigration({ migration, cause }: MigrationError): string {
  const reason = driverError(cause)?.message ?? String(cause);
  const remedy = MIGRATION_REMEDIES[sqlState(cause) ?? ''];
  if (remedy === undefined && isConnectionLost(cause)) {
    return (
      `The connection to the database broke during the migration ${migration} (${reason}). What was applied before it is ` +
      'kept. Run npm run migrate again.'
    );
  }
  return (
    `The migration ${migration} failed: ${reason}. Nothing of it was applied; what was applied before it is kept. ` +
    `${remedy === undefined ? '' : `${remedy} `}Run npm run migrate again afterwards.`
  );
}

export function unreachableMessage(error: unknown): string {
  const { message = '', code = '' } = driverError(error) ?? {};
  return (
    `The database is unreachable (${message || code || 'no error message'}). Check that it is running, and ` +
    'the host and port in DATABASE_URL.'
  );
}
