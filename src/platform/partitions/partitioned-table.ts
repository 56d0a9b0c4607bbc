/** A table with one partition for each month of its ids, and when the partition of a month can go. */
export interface PartitionedTable {
  table: string;
  /** How many days a partition is kept after its month has ended. */
  days: number;
  /** Which rows may go with their partition after that; without it, only an empty partition goes. */
  ended?: {
    /** SQL: whether the row may go. */
    condition: string;
    /** What the ids begin with. */
    prefix: string;
  };
}

/** SQL: the partitions of the table `$1` whose month ended `$2` days ago or earlier, from the oldest on. */
export const OLD_PARTITIONS = `SELECT name, ends_at AS "endsAt" FROM month_partitions
  WHERE parent = $1 AND NOT is_detaching AND ends_at <= now() - make_interval(days => $2) ORDER BY ends_at`;

export interface OldPartition {
  name: string;
  endsAt: Date;
}
