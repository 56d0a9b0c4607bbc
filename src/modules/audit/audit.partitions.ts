import type { PartitionedTable } from '../../platform/partitions/partitioned-table.js';

/** No retention is shorter than this (`drop_audit_before`). */
const LEAST_DAYS = 30;

/**
 * The audit deletes entries itself, and leaves a checkpoint for them; only the empty partitions go. Those that refer to
 * others go first.
 */
export const AUDIT_PARTITIONS: readonly PartitionedTable[] = [
  { table: 'audit_unsealed', days: LEAST_DAYS },
  { table: 'audit_origins', days: LEAST_DAYS },
  { table: 'audit_entries', days: LEAST_DAYS },
];
