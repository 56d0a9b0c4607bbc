import type { Assignment } from '../database/columns/columns.js';

/** Collects the parameters of a statement. `$1` is always the caller, because representations may depend on it. */
export class Parameters {
  readonly values: unknown[];
  /** Uses `$1` with its type in statements that do not need it otherwise; always true. */
  readonly anchor = '($1::text IS NULL OR true)';

  constructor(me: string | null) {
    this.values = [me];
  }

  /** Adds a value and returns its placeholder. */
  bind(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

/** `INSERT INTO table`; `extra` adds columns that are read from another step of the statement. */
export function insertInto(
  table: string,
  row: Assignment[],
  p: Parameters,
  extra?: { columns: Record<string, string>; from: string },
): string {
  const columns = row.map(({ column }) => `"${column}"`);
  const values = row.map(({ value }) => p.bind(value));
  if (extra === undefined) return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${values.join(', ')})`;
  const more = Object.keys(extra.columns);
  return `INSERT INTO ${table} (${[...columns, ...more].join(', ')})
    SELECT ${[...values, ...Object.values(extra.columns)].join(', ')} FROM ${extra.from}`;
}

/** `UPDATE table` of one row by id; a counted update increments its revision. */
export function updateOf(
  table: string,
  id: string,
  set: Assignment[],
  p: Parameters,
  { counted } = { counted: true },
): string {
  const pairs = set.map(({ column, value }) => `"${column}" = ${p.bind(value)}`);
  if (counted) pairs.push('revision = revision + 1', 'updated_at = clock_timestamp()');
  return `UPDATE ${table} SET ${pairs.join(', ')} WHERE id = ${p.bind(id)}`;
}
