import { Client } from 'pg';
import { StartError } from '../common/start-error.js';

const GUARANTEES = ['fsync', 'full_page_writes', 'data_checksums'];

/** The connection to a server: `host` is a directory of Unix sockets or the loopback address. */
export interface PostgresConnection {
  host: string;
  port: number;
  user: string;
  password?: string;
  database: string;
}

/** Rejects a server that could lose confirmed data, unless configured otherwise, and creates the database in it. */
export async function prepareDatabase(connection: PostgresConnection, unsafe: boolean): Promise<void> {
  const client = new Client({ ...connection, database: 'postgres', connectionTimeoutMillis: 30_000 });
  // A broken connection also rejects the current query; without a listener, the event would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    if (!unsafe) await requireGuarantees(client);
    await createIfAbsent(client, connection.database);
  } finally {
    await client.end();
  }
}

async function requireGuarantees(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT name FROM pg_settings WHERE name = ANY($1) AND setting <> 'on' ORDER BY name`,
    [GUARANTEES],
  );
  if (rows.length > 0) {
    const off = rows.map(({ name }) => name).join(', ');
    throw new StartError(
      `The embedded PostgreSQL has ${off} switched off and could lose data. The service does not start with it.`,
    );
  }
}

async function createIfAbsent(client: Client, database: string): Promise<void> {
  const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [database]);
  if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(database)}`);
}
