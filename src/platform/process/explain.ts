import { Refusal } from '../../common/errors.js';
import { StartError } from '../../common/start-error.js';
import { driverFault, isUnavailable, sqlState } from '../database/faults.js';

/** What PostgreSQL refuses at the beginning, by SQLSTATE, and the way out. */
const REFUSALS: Readonly<Record<string, string>> = {
  '28P01': 'Check the user and the password in DATABASE_URL.',
  '28000': 'Check the user in DATABASE_URL, and what pg_hba.conf of that server allows.',
  '3D000': 'Create it, or name another database in DATABASE_URL.',
  '42501': 'Give the role in DATABASE_URL that right, or name another role there.',
  '53100': 'Make room on the disk of the database.',
  '53300': 'Lower DATABASE_POOL of the replicas, or raise max_connections of the server.',
  '25006': 'Name the primary server in DATABASE_URL; this one cannot be written.',
};

/** What ended a start or a command, as a sentence where an operator can do something about it, else with its stack. */
export function explain(error: unknown): string {
  if (error instanceof StartError || error instanceof Refusal) return error.message;
  if (!(error instanceof Error)) return String(error);
  const reason = driverFault(error)?.message ?? error.message;
  const state = sqlState(error) ?? '';
  if (REFUSALS[state] !== undefined) return `The database refuses: ${reason}. ${REFUSALS[state]}`;
  if (isUnavailable(error)) return cannotBeReached(error);
  const { code, path } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC') return `The disk is full: ${path ?? 'a file'} cannot be written. Make room there.`;
  if (code === 'EACCES' || code === 'EPERM') {
    return `This user may not use ${path ?? 'a file'} (${code}). Change its owner, or run this as its owner.`;
  }
  return error.stack ?? error.message;
}

export function cannotBeReached(error: unknown): string {
  const { message = '', code = '' } = driverFault(error) ?? {};
  return `The database cannot be reached (${message || code || 'no reason given'}). Check that it runs, and the host and the port in DATABASE_URL.`;
}
