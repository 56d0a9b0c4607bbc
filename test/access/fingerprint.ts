import type { TestApp } from '../support/test-app.js';

/** What is written beside requests, whatever becomes of them. */
const BESIDE = ['access_token_uses'];

/**
 * Makes a statement that answers differently as soon as any row of any table was added, changed or removed: `xmin`
 * names the transaction that wrote a row as it stands.
 */
export async function fingerprintOf({ database }: TestApp): Promise<() => Promise<string[]>> {
  const tables = await database.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE'
       AND table_name <> ALL ($1) ORDER BY 1`,
    [BESIDE],
  );
  const prints = tables.map(
    ({ name }) => `(SELECT '${name} ' || count(*) || ' ' || coalesce(sum(t.xmin::text::bigint), 0) FROM "${name}" t)`,
  );
  const statement = `SELECT ARRAY[${prints.join(', ')}] AS prints`;
  return async () => (await database.one<{ prints: string[] }>(statement))?.prints ?? [];
}
