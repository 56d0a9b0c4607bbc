import type { Client } from 'pg';
import { clientOf } from '../database/connections/client.js';
import { examinePooling } from '../database/connections/pooling.js';
import { isInRecovery, primaryPosition, type PrimaryPosition } from '../database/connections/standby-position.js';
import { driverError } from '../database/connections/driver-errors.js';
import { fault, ok, warning, type DoctorFinding } from './findings.js';

const TIMEOUT_MS = 5_000;
const REMEDY = 'Set it to the server behind DATABASE_URL; npm run migrate and npm run backup use it.';

/**
 * Checks that `DATABASE_DIRECT_URL` is the server behind `DATABASE_URL`, of which the client is. After a failover it may
 * name the old one, to which migrations would be applied. Another check warns of a standby in `DATABASE_URL`.
 */
export async function examineDirect(service: Client, directUrl: string | undefined): Promise<DoctorFinding[]> {
  if (directUrl === undefined || (await isInRecovery(service))) return [];
  const behind = await primaryPosition(service);
  try {
    const direct = await positionOf(directUrl);
    if (direct.system !== behind.system || direct.timeline !== behind.timeline) {
      return [fault(`DATABASE_DIRECT_URL is another server than DATABASE_URL. ${REMEDY}`)];
    }
    return (await examinePooling({ url: directUrl })) === 'session'
      ? [ok('DATABASE_DIRECT_URL is the server itself.')]
      : [fault(`DATABASE_DIRECT_URL is a pooler, too. ${REMEDY}`)];
  } catch (error) {
    const reason = driverError(error)?.message ?? String(error);
    return [warning(`DATABASE_DIRECT_URL cannot be used: ${reason}. ${REMEDY}`)];
  }
}

async function positionOf(url: string): Promise<PrimaryPosition> {
  const direct = clientOf({ url }, { connectionTimeoutMillis: TIMEOUT_MS, query_timeout: TIMEOUT_MS });
  direct.on('error', () => undefined);
  await direct.connect();
  try {
    return await primaryPosition(direct);
  } finally {
    await direct.end();
  }
}
