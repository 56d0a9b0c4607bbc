import type { Client } from 'pg';
import { withClient } from '../../platform/database/connections/client.js';
import type { PostgresConnection } from '../database.js';

/** The number of rows of a table (or sequence), and a digest of them that does not depend on their order. */
export interface TableDigest {
  table: string;
  rows: string;
  digest: string;
}

const TABLES = `
  SELECT format('%I.%I', nspname, relname) AS name,
         CASE relkind WHEN 'S' THEN 'last_value, is_called' ELSE '*' END AS columns
    FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace
   WHERE relkind IN ('r', 'S') AND nspname !~ '^pg_' AND nspname <> 'information_schema'
   ORDER BY name`;

/** How values become text; servers have other defaults. */
const AS_TEXT = `SET DateStyle = 'ISO, DMY'; SET TimeZone = 'UTC'; SET IntervalStyle = 'postgres'; SET extra_float_digits = 1;
  SET bytea_output = 'hex'`;

/** Adds up two parts of 64 bits of each row's hash; unlike a hash of all rows, this needs neither a sort nor memory. */
const digestOf = (columns: string, table: string): string => `
  SELECT count(*)::text AS rows,
         concat_ws('/', sum(('x' || substr(hash, 1, 16))::bit(64)::bigint::numeric),
                        sum(('x' || substr(hash, 17, 16))::bit(64)::bigint::numeric)) AS digest
    FROM (SELECT encode(sha256(convert_to(t::text, 'UTF8')), 'hex') AS hash FROM (SELECT ${columns} FROM ${table}) t) AS hashed`;

/** Reads every row of every table and sequence of a database. */
export function tableDigests(connection: PostgresConnection): Promise<TableDigest[]> {
  return withClient(connection, async (client) => {
    // Reading all rows takes longer than the statement timeout of requests.
    await client.query('SET statement_timeout = 0');
    return digestsOf(client, 'tables and sequences');
  });
}

/** Reads all rows in the transaction of the client, if it has one. The values of sequences belong to no transaction. */
export async function digestsOf(client: Client, kinds: 'tables' | 'tables and sequences'): Promise<TableDigest[]> {
  await client.query(AS_TEXT);
  const { rows: found } = await client.query<{ name: string; columns: string }>(TABLES);
  const digests: TableDigest[] = [];
  for (const { name, columns } of found) {
    if (kinds === 'tables' && columns !== '*') continue;
    const { rows } = await client.query<Omit<TableDigest, 'table'>>(digestOf(columns, name));
    digests.push({ table: name, ...rows[0] });
  }
  return digests;
}

/** What differs between the tables of a backup and those of a copy, one line for each. */
export function tableDifferences(expected: TableDigest[], actual: TableDigest[]): string[] {
  const actualByName = new Map(actual.map((table) => [table.table, table]));
  const fieldErrors = expected.flatMap(({ table, rows, digest }) => {
    const restored = actualByName.get(table);
    if (restored === undefined) return [`table ${table} is missing`];
    if (restored.rows !== rows) return [`table ${table} has ${restored.rows} rows instead of ${rows}`];
    return restored.digest === digest ? [] : [`the content of table ${table} differs`];
  });
  const known = new Set(expected.map(({ table }) => table));
  return [
    ...fieldErrors,
    ...actual.filter(({ table }) => !known.has(table)).map(({ table }) => `table ${table} is not in the backup`),
  ];
}
