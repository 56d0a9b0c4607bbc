import { Client, type ClientConfig } from 'pg';
import type { Connection } from './connection.js';

/** A client that is not connected yet. */
export const clientOf = (connection: Connection, limits: ClientConfig = {}): Client =>
  new Client({ ...('url' in connection ? { connectionString: connection.url } : connection), ...limits });

/** Uses a connection of its own for the duration of the call, for commands and for what the start sets up. */
export async function withClient<T>(connection: Connection, work: (client: Client) => Promise<T>): Promise<T> {
  const client = clientOf(connection);
  // A broken connection also rejects the current query; without a listener, the event would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
