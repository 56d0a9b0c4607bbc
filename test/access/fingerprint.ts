import type { TestApp } from '../support/test-app.js';

/**
 * Tables that are also written for rejected requests or in the background: audit, notification progress, heartbeats, limits.
 */
const BESIDE = [
  'access_token_uses',
  'audit_entries',
  'audit_origins',
  'audit_unsealed',
  'notification_feed',
  'rate_counters',
  'replicas',
];

/** Makes the database log each row that is written from now on; a rollback of the transaction removes its entries. */
const NOTING = `
  CREATE SCHEMA noting;
  CREATE UNLOGGED TABLE noting.written (name text);
  CREATE FUNCTION noting.note() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
    $$ BEGIN INSERT INTO noting.written VALUES (TG_TABLE_NAME); RETURN NULL; END $$;
  DO $$ DECLARE one text; BEGIN
    FOR one IN SELECT table_name FROM information_schema.tables
      WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name NOT IN ('${BESIDE.join("', '")}')
    LOOP
      EXECUTE format('CREATE TRIGGER noting AFTER INSERT OR UPDATE OR DELETE ON %I FOR EACH ROW EXECUTE FUNCTION noting.note()', one);
    END LOOP;
  END $$`;

/** Returns a function whose result changes as soon as a row of any table is inserted, updated or deleted. */
export async function fingerprintOf({ database }: TestApp): Promise<() => Promise<string[]>> {
  await database.query(NOTING);
  const written = new Map<string, number>();
  return async () => {
    const notes = await database.query<{ name: string; rows: number }>(
      `WITH notes AS (DELETE FROM noting.written RETURNING name)
       SELECT name, count(*)::integer AS rows FROM notes GROUP BY name`,
    );
    for (const { name, rows } of notes) written.set(name, (written.get(name) ?? 0) + rows);
    return [...written].map(([name, rows]) => `${name}: ${rows} rows written`).sort();
  };
}
