import type { Client } from 'pg';
import { clientOf } from '../database/connections/client.js';
import type { Connection } from '../database/connections/connection.js';
import { driverError } from '../database/connections/driver-errors.js';
import {
  isInRecovery,
  outcomeOf,
  primaryPosition,
  standbyPosition,
  type StandbyOutcome,
  type StandbyPosition,
} from '../database/connections/standby-position.js';
import { ok, warning, type DoctorFinding } from './findings.js';

const TIMEOUT_MS = 5_000;

/** Why the primary answers everything, by what the standby says; reads are right all the same. */
const REASONS: Partial<Record<StandbyOutcome, string>> = {
  promoted: 'is not a standby (any more). Set it to one of the present primary.',
  other_server:
    'belongs to another server, or has not written the timeline of the last failover to its control file yet. Set it to a ' +
    'standby of DATABASE_URL, or wait for checkpoint_timeout.',
};

/**
 * Checks whether the server in DATABASE_READ_URL can answer reads for the primary. Another check warns of a standby in
 * DATABASE_URL, whose transaction an error would end.
 */
export async function examineStandby(primary: Client, readUrl: string | undefined): Promise<DoctorFinding[]> {
  if (readUrl === undefined || (await isInRecovery(primary))) return [];
  try {
    const position = await primaryPosition(primary);
    return [findingOf(await positionOf({ url: readUrl }, (standby) => standbyPosition(standby, position)))];
  } catch (error) {
    const reason = driverError(error)?.message ?? String(error);
    return [warning(`DATABASE_READ_URL cannot be used, so the primary answers everything: ${reason}.`)];
  }
}

async function positionOf(
  connection: Connection,
  read: (standby: Client) => Promise<StandbyPosition>,
): Promise<StandbyPosition> {
  const standby = clientOf(connection, { connectionTimeoutMillis: TIMEOUT_MS, query_timeout: TIMEOUT_MS });
  standby.on('error', () => undefined);
  await standby.connect();
  try {
    return await read(standby);
  } finally {
    await standby.end();
  }
}

function findingOf(position: StandbyPosition): DoctorFinding {
  const reason = REASONS[outcomeOf(position)];
  if (reason !== undefined) return warning(`The server in DATABASE_READ_URL ${reason}`);
  const kilobytes = Math.ceil(Math.max(position.bytesBehind ?? 0, 0) / 1_000);
  return ok(`The standby in DATABASE_READ_URL replicates from this server and is ${kilobytes} kB behind.`);
}
