import pg from 'pg';
import type { TestConnection } from './database.js';

/** The number of rows and a fingerprint of each table; the order of the rows does not matter. */
export type Contents = Record<string, string>;

/** Reads all rows of a database, except those of some tables. */
export async function contentsOf(connection: TestConnection, except: readonly string[] = []): Promise<Contents> {
  const client = new pg.Client(connection);
  await client.connect();
  const { rows: tables } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
       AND relname <> ALL ($1) ORDER BY 1`,
    [except],
  );
  const contents: Contents = {};
  for (const { name } of tables) {
    const { rows } = await client.query<{ content: string }>(
      `SELECT count(*) || ' rows, ' || coalesce(md5(string_agg(r, '' ORDER BY r)), '') AS content
       FROM (SELECT t::text AS r FROM ${name} t) rows`,
    );
    contents[name] = rows[0].content;
  }
  await client.end();
  return contents;
}
