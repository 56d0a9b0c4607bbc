/** A table with one partition for each month of its ids, and when the partition of a month can go. */
export interface PartitionedTable {
  table: string;
  /** The kind in `common/ids.ts` that the ids of its key begin with. */
  kind: string;
  /** How many days a partition is kept after its month has ended. */
  days: number;
  /** SQL: whether a row is still needed after that; a partition with such a row stays. */
  needed: string;
}

/** SQL: the partitions of the table `$1` whose month ended `$2` days ago or earlier, from the oldest on. */
export const OLD_PARTITIONS = `SELECT name, ends_at AS "endsAt" FROM month_partitions
  WHERE parent = $1 AND NOT is_detaching AND ends_at <= now() - make_interval(days => $2) ORDER BY ends_at`;

export interface OldPartition {
  name: string;
  endsAt: Date;
}
