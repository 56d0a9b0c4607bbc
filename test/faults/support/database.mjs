import pg from 'pg';

/** Asks the database itself, on a connection of its own; it is none of the service's. */
export async function asking(connection, work) {
  const client = new pg.Client(connection);
  client.on('error', () => undefined);
  await client.connect();
  try {
    // Checks look at whole tables, which the limits of the service's role would cut short.
    await client.query(`SET statement_timeout = '120s'`);
    return await work(async (sql, values) => (await client.query(sql, values)).rows);
  } finally {
    await client.end();
  }
}
