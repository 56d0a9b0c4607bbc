interface DriverFault {
  code?: string;
  constraint?: string;
  message: string;
}

/** The driver's own error behind whatever TypeORM wrapped it in. */
export function driverFault(error: unknown): DriverFault | undefined {
  if (!(error instanceof Error)) return undefined;
  const inner = (error as { driverError?: unknown }).driverError;
  return inner instanceof Error ? inner : error;
}

/** SQLSTATE, where there is one; it always has a digit, unlike the name of a system error (`EPIPE`). */
export function sqlState(error: unknown): string | undefined {
  const code = driverFault(error)?.code;
  return code !== undefined && /^(?=.*\d)[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** Serialization failures and deadlocks: the same work may well succeed when done again. */
export function isWorthRetrying(error: unknown): boolean {
  return ['40001', '40P01'].includes(sqlState(error) ?? '');
}

const SOCKET_CODES = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH'];
const POOL_MESSAGES =
  /timeout exceeded when trying to connect|Connection terminated|Client (has encountered a connection error|was closed)|Query read timeout/;

/** The database is away, restarting or out of connections; nothing is wrong with the request. */
export function isUnavailable(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== undefined) return /^(08|53|57P0)/.test(state) || state === '25006';
  const fault = driverFault(error);
  if (fault === undefined) return false;
  return (
    SOCKET_CODES.includes(fault.code ?? '') ||
    POOL_MESSAGES.test(fault.message) ||
    fault.constructor.name === 'QueryRunnerProviderAlreadyReleasedError' ||
    fault.constructor.name === 'QueryRunnerAlreadyReleasedError'
  );
}
