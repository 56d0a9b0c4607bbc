import type { ClientConfig } from 'pg';
import type { Connection } from './connection.js';
import { PreparedClient } from './prepared-client.js';

/**
 * One connection down which short reads are sent without waiting for the answers before them; that saves most of the
 * cost of a small statement. Nothing slow goes this way, because it would hold up what comes behind it, and never a
 * transaction. While the connection is away the pool has to do.
 */
export class PipelinedReader {
  private client: PreparedClient | undefined;
  private isConnecting = false;
  private isClosed = false;

  /** `connectMs` is how long it waits for a connection to be made. */
  constructor(
    private readonly connection: Connection,
    private readonly connectMs: number,
  ) {}

  /** The connection, if it is open; otherwise starts opening one. */
  get open(): PreparedClient | undefined {
    if (this.client === undefined && !this.isConnecting && !this.isClosed) void this.connect();
    return this.client;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.client?.end().catch(() => undefined);
  }

  private async connect(): Promise<void> {
    this.isConnecting = true;
    const client = new PreparedClient(configOf(this.connection, this.connectMs));
    const lost = () => {
      if (this.client === client) this.client = undefined;
    };
    client.once('end', lost).on('error', lost);
    try {
      await client.connect();
      if (this.isClosed) await client.end();
      else this.client = client;
    } catch {
      // The next caller tries again; until then the pool is used and reports errors.
    } finally {
      this.isConnecting = false;
    }
  }
}

/** `pipeline` is newer than the driver's declared types. */
function configOf(connection: Connection, connectMs: number): ClientConfig & { pipeline: boolean } {
  const where = 'url' in connection ? { connectionString: connection.url } : connection;
  return { ...where, pipeline: true, application_name: 'worksmith', connectionTimeoutMillis: connectMs };
}
