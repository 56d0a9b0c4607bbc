import type { House } from '../support/house.js';

/**
 * Makes a statement that answers differently as soon as any row of any table was added, changed or removed: `xmin`
 * names the transaction that wrote a row as it stands.
 */
export async function fingerprintOf({ database }: House): Promise<() => Promise<string[]>> {
  const tables = await database.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`,
  );
  const prints = tables.map(
    ({ name }) => `(SELECT '${name} ' || count(*) || ' ' || coalesce(sum(t.xmin::text::bigint), 0) FROM "${name}" t)`,
  );
  const statement = `SELECT ARRAY[${prints.join(', ')}] AS prints`;
  return async () => (await database.one<{ prints: string[] }>(statement))?.prints ?? [];
}
