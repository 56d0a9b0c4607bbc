import type { RunQuery } from '../audit/audit-verification.js';
import type { PartitionedTable } from '../partitions/partitioned-table.js';
import { REMOVED } from '../partitions/partition-removal.js';
import { fault, ok, warning, type DoctorFinding } from './findings.js';

interface Reach {
  parent: string;
  /** The first month without a partition. */
  missing: string;
  isNear: boolean;
}

const REACHES = `SELECT parent, to_char(max(ends_at) AT TIME ZONE 'UTC', 'YYYY-MM') AS missing,
    max(ends_at) < now() + interval '1 month' AS "isNear"
  FROM month_partitions GROUP BY parent ORDER BY parent`;

/** Partitions whose removal was interrupted between the detachment and the end. */
const LEFT = `SELECT parent || ' until ' || to_char(ends_at AT TIME ZONE 'UTC', 'YYYY-MM') AS name FROM month_partitions
  WHERE is_detaching
  UNION ALL SELECT c.relname FROM pg_class c WHERE c.relnamespace = 'partitions'::regnamespace AND NOT c.relispartition
    AND c.relkind = 'r' AND obj_description(c.oid, 'pg_class') = '${REMOVED}' ORDER BY 1`;

const REMEDY = 'Start a replica with BACKGROUND_JOBS=true, or run npm run migrate.';

/** Checks whether the coming month has partitions, and whether removed ones are gone. */
export async function examinePartitions(
  query: RunQuery,
  tables: readonly PartitionedTable[],
): Promise<DoctorFinding[]> {
  const reaches = await query<Reach>(REACHES);
  const left = await query<{ name: string }>(LEFT);
  const faults = tables.flatMap(({ table }) => {
    const reach = reaches.find(({ parent }) => parent === table);
    if (reach === undefined) return [fault(`${table} has no partitions. Restore it from a backup.`)];
    if (!reach.isNear) return [];
    return [
      fault(`${table} has no partition for ${reach.missing}, so that its rows of then cannot be stored. ${REMEDY}`),
    ];
  });
  return [
    ...(faults.length > 0 ? faults : [ok('The partitions of the coming month exist.')]),
    ...left.map(({ name }) => warning(`The removal of the partition ${name} was interrupted. ${REMEDY}`)),
  ];
}
