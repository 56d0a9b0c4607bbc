import { Client } from 'pg';
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

/** Adds up two parts of 64 bits of each row's hash; unlike a hash of all rows, this needs neither a sort nor memory. */
const digestOf = (columns: string, table: string): string => `
  SELECT count(*)::text AS rows,
         concat_ws('/', sum(('x' || substr(hash, 1, 16))::bit(64)::bigint::numeric),
                        sum(('x' || substr(hash, 17, 16))::bit(64)::bigint::numeric)) AS digest
    FROM (SELECT encode(sha256(convert_to(t::text, 'UTF8')), 'hex') AS hash FROM (SELECT ${columns} FROM ${table}) t) AS hashed`;

/** Reads every row of every table of a database. */
export async function tableDigests(connection: PostgresConnection): Promise<TableDigest[]> {
  const client = new Client(connection);
  client.on('error', () => undefined);
  await client.connect();
  try {
    // Reading all rows takes longer than the statement timeout of requests.
    await client.query('SET statement_timeout = 0');
    const { rows: tables } = await client.query<{ name: string; columns: string }>(TABLES);
    const digests: TableDigest[] = [];
    for (const { name, columns } of tables) {
      const { rows } = await client.query<Omit<TableDigest, 'table'>>(digestOf(columns, name));
      digests.push({ table: name, ...rows[0] });
    }
    return digests;
  } finally {
    await client.end();
  }
}
