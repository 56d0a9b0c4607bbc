/** A queue whose rows one process at a time claims for a while; the database's clock says how long. */
interface ClaimedQueue {
  table: string;
  /** The column that identifies a row. */
  key: string;
  /** The column that counts the claims of a row, which distinguishes a claim from later ones. */
  counter: string;
  /** SQL: whether a row may be claimed, if no process has claimed it. */
  isDue: string;
  /** SQL: which row is next. */
  order: string;
  /** How long a claim lasts, as an interval. */
  period: string;
  /** SQL: the columns to return. */
  returning: string;
}

/** SQL: claims the next due row, and returns it; rows that another process is just claiming are skipped. */
export const claimNext = ({ table, key, counter, isDue, order, period, returning }: ClaimedQueue): string =>
  `UPDATE ${table} SET ${counter} = ${counter} + 1, locked_until = now() + interval '${period}'
   WHERE ${key} = (
     SELECT ${key} FROM ${table} WHERE ${isDue} AND (locked_until IS NULL OR locked_until <= now())
     ORDER BY ${order} LIMIT 1 FOR UPDATE SKIP LOCKED)
   RETURNING ${returning}`;
