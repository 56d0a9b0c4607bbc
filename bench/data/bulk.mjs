/**
 * Loads data in bulk, without triggers and foreign keys: the data includes the rows that triggers would write, and the
 * references are checked afterwards. Most indexes are dropped before the load and created after it.
 */
export async function loadInBulk(client, load, loadWithIndexes) {
  await client.query(`SET statement_timeout = 0; SET synchronous_commit = off; SET work_mem = '64MB';
    SET maintenance_work_mem = '512MB'; SET session_replication_role = replica`);
  await setServer(client, BULK);
  const indexes = await dropIndexes(client);
  await load();
  for (const definition of indexes) await client.query(definition);
  await loadWithIndexes();
  await client.query('SET session_replication_role = origin');
  await assertReferences(client);
  await client.query('VACUUM (ANALYZE, FREEZE)');
  await setServer(client, Object.fromEntries(Object.keys(BULK).map((name) => [name, 'DEFAULT'])));
  await client.query('CHECKPOINT');
}

/** Settings that avoid repeated checkpoints and vacuums during the load. */
const BULK = { max_wal_size: `'16GB'`, autovacuum: 'off' };

async function setServer(client, settings) {
  for (const [name, value] of Object.entries(settings)) await client.query(`ALTER SYSTEM SET ${name} = ${value}`);
  await client.query('SELECT pg_reload_conf()');
}

/** Drops all indexes that belong to no constraint, and returns their definitions. */
async function dropIndexes(client) {
  const { rows } = await client.query(`
    SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition
    FROM pg_index JOIN pg_class c ON c.oid = indrelid
    WHERE c.relnamespace = 'public'::regnamespace AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)`);
  await client.query(`DROP INDEX ${rows.map(({ name }) => name).join(', ')}`);
  // The index of a table with partitions is defined without them, and would stay invalid.
  return rows.map(({ definition }) => definition.replace(' ON ONLY ', ' ON '));
}

async function assertReferences(client) {
  const { rows } = await client.query(`
    SELECT conname, conrelid::regclass::text AS child, confrelid::regclass::text AS parent,
      (SELECT json_agg(attname ORDER BY nr) FROM unnest(conkey) WITH ORDINALITY k (num, nr)
       JOIN pg_attribute ON attrelid = conrelid AND attnum = num) AS theirs,
      (SELECT json_agg(attname ORDER BY nr) FROM unnest(confkey) WITH ORDINALITY k (num, nr)
       JOIN pg_attribute ON attrelid = confrelid AND attnum = num) AS ours
    FROM pg_constraint WHERE contype = 'f'`);
  for (const { conname, child, parent, theirs, ours } of rows) {
    const on = theirs.map((column, n) => `p.${ours[n]} = c.${column}`).join(' AND ');
    const given = theirs.map((column) => `c.${column} IS NOT NULL`).join(' AND ');
    const { rows: lost } = await client.query(
      `SELECT 1 FROM ${child} c WHERE ${given} AND NOT EXISTS (SELECT FROM ${parent} p WHERE ${on}) LIMIT 1`,
    );
    if (lost.length > 0) throw new Error(`the data that was loaded breaks ${conname}`);
  }
}
