import { types } from 'node:util';

// Node itself creates socket errors; inside a `vm` context, as in tests, its `Error` differs from the one of this
// module.
const { isNativeError } = types;

interface DriverError {
  code?: string;
  constraint?: string;
  message: string;
}

/** The driver's error, unwrapped from TypeORM's. */
export function driverError(error: unknown): DriverError | undefined {
  if (!isNativeError(error)) return undefined;
  const inner = (error as { driverError?: unknown }).driverError;
  return isNativeError(inner) ? inner : error;
}

/** The SQLSTATE, if any; it always has a digit, unlike the name of a system error (`EPIPE`). */
export function sqlState(error: unknown): string | undefined {
  const code = driverError(error)?.code;
  return code !== undefined && /^(?=.*\d)[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** Whether the same work can succeed when it is repeated: serialization failures and deadlocks. */
export function isRetryable(error: unknown): boolean {
  return ['40001', '40P01'].includes(sqlState(error) ?? '');
}

const SOCKET_CODES = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
];
// A server message that belongs to no statement means that the connection is unusable.
const POOL_MESSAGES =
  /timeout exceeded when trying to connect|^timeout expired$|Connection terminated|Client (has encountered a connection error|was closed)|Query read timeout|Received unexpected \w+ message from backend/;

/** A prepared statement does not exist, or exists already, because a pooler has assigned another server connection. */
const STATEMENT_LOST = ['26000', '42P05'];

export const isStatementLost = (state: string | undefined): boolean => STATEMENT_LOST.includes(state ?? '');

/** Whether the database is unreachable, restarting or out of connections. */
export function isUnavailable(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== undefined) return /^(08|53|57P0)/.test(state) || state === '25006' || isStatementLost(state);
  const cause = driverError(error);
  if (cause === undefined) return false;
  return (
    SOCKET_CODES.includes(cause.code ?? '') ||
    POOL_MESSAGES.test(cause.message) ||
    cause.constructor.name === 'QueryRunnerProviderAlreadyReleasedError' ||
    cause.constructor.name === 'QueryRunnerAlreadyReleasedError'
  );
}

/** Whether the outcome of the statement is unknown: the connection broke without a response. */
export function isConnectionLost(error: unknown): boolean {
  const state = sqlState(error);
  return state === undefined ? isUnavailable(error) : /^(08|57P0)/.test(state);
}

/** Why the database cannot execute a valid request. */
export type DatabaseProblem =
  | 'disk_full'
  | 'read_only'
  | 'out_of_memory'
  | 'too_many_connections'
  | 'no_free_connection'
  | 'lock_timeout'
  | 'statement_timeout'
  | 'conflicting_changes'
  | 'unfit_pooler'
  | 'unreachable';

const PROBLEMS: Readonly<Record<string, DatabaseProblem>> = {
  '53100': 'disk_full',
  '25006': 'read_only',
  '53200': 'out_of_memory',
  '53300': 'too_many_connections',
  '55P03': 'lock_timeout',
  '57014': 'statement_timeout',
  '40001': 'conflicting_changes',
  '40P01': 'conflicting_changes',
  ...Object.fromEntries(STATEMENT_LOST.map((state) => [state, 'unfit_pooler' as const])),
};

/** The database problem behind an error; undefined if the request or the program caused it. */
export function databaseProblemOf(error: unknown): DatabaseProblem | undefined {
  const problem = PROBLEMS[sqlState(error) ?? ''];
  if (problem !== undefined) return problem;
  if (!isUnavailable(error)) return undefined;
  return driverError(error)?.message.includes('timeout exceeded when trying to connect') === true
    ? 'no_free_connection'
    : 'unreachable';
}

/** A message for each database problem, for callers and operators. */
export const DATABASE_PROBLEM_MESSAGES: Readonly<Record<DatabaseProblem, string>> = {
  disk_full: 'The disk of the database is full; changes cannot be saved at the moment.',
  read_only: 'The database is read-only; changes cannot be saved at the moment.',
  out_of_memory: 'The database is out of memory; try again in a moment.',
  too_many_connections: 'The database has reached its connection limit; try again in a moment.',
  no_free_connection: 'All connections to the database are in use; try again in a moment.',
  lock_timeout: 'Another request is changing the same data; try again in a moment.',
  statement_timeout: 'The database took too long to answer; try again in a moment.',
  conflicting_changes: 'Another request changed the same data at the same time; try again in a moment.',
  unfit_pooler: 'The connection pooler of the database loses prepared statements; try again in a moment.',
  unreachable: 'The database is unreachable; try again in a moment.',
};
