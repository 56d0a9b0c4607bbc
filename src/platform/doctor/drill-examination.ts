import type { RunQuery } from '../audit/audit-verification.js';
import { ok, warning, type DoctorFinding } from './findings.js';

const DRILL_DAYS = 100;
const VERIFY = 'npm run restore -- --verify <folder>';

/** Checks that a backup was restored and compared in the last quarter. A new installation has as long for its first one. */
export async function examineDrills(query: RunQuery): Promise<DoctorFinding> {
  const [{ verified, begun, age }] = await query<{ verified: number | null; begun: Date | null; age: number | null }>(
    `SELECT extract(day FROM now() - max(verified_at))::integer AS verified,
       (array_agg(backup_begun_at ORDER BY verified_at DESC))[1] AS begun,
       (SELECT extract(day FROM now() - min(created_at))::integer FROM users) AS age
     FROM restore_drills`,
  );
  if (verified === null || begun === null) {
    const text = `No backup of this database is known to have been verified (${VERIFY}).`;
    return (age ?? 0) > DRILL_DAYS ? warning(text) : ok(text);
  }
  const text = `A backup of ${begun.toISOString()} was restored and compared ${verified} days ago.`;
  return verified > DRILL_DAYS ? warning(`${text} Verify a newer one (${VERIFY}).`) : ok(text);
}
