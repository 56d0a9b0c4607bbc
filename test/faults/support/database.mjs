import pg from 'pg';

/** Calls `work` with a function that queries the database on a separate connection. */
export async function withDatabase(connection, work) {
  const client = new pg.Client(connection);
  client.on('error', () => undefined);
  await client.connect();
  try {
    // Checks read whole tables, which exceeds the statement timeout of the service's role.
    await client.query(`SET statement_timeout = '120s'`);
    return await work(async (sql, values) => (await client.query(sql, values)).rows);
  } finally {
    await client.end();
  }
}
