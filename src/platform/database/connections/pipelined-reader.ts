import type { Connection } from './connection.js';
import type { PoolOptions } from './data-source.js';
import { PreparedClient, type PreparedClientConfig } from './prepared-client.js';

/**
 * Sends short reads over one connection without waiting for the results of earlier ones, which saves most of the cost
 * of a small statement. It must not be used for slow statements, which would delay those behind them, or for
 * transactions. While the connection is broken, callers use the pool.
 */
export class PipelinedReader {
  private client: PreparedClient | undefined;
  private isConnecting = false;
  private isClosed = false;

  constructor(
    private readonly connection: Connection,
    /** `checkoutMs` limits the time to connect. */
    private readonly pool: Pick<PoolOptions, 'checkoutMs' | 'sessionSettings'>,
  ) {}

  /** The connection if it is open; otherwise starts to open one. */
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
    const client = new PreparedClient(configOf(this.connection, this.pool));
    const onLost = () => {
      if (this.client === client) this.client = undefined;
    };
    client.once('end', onLost).on('error', onLost);
    try {
      await client.connect();
      if (this.isClosed) await client.end();
      else this.client = client;
    } catch {
      // The next caller tries again; until then callers use the pool, which reports errors.
    } finally {
      this.isConnecting = false;
    }
  }
}

/** The configuration of the client; `pipeline` is missing from the driver's type declarations. */
function configOf(
  connection: Connection,
  { checkoutMs, sessionSettings }: Pick<PoolOptions, 'checkoutMs' | 'sessionSettings'>,
): PreparedClientConfig & { pipeline: boolean } {
  const address = 'url' in connection ? { connectionString: connection.url } : connection;
  const limits = { connectionTimeoutMillis: checkoutMs, sessionSettings };
  return { ...address, ...limits, pipeline: true, application_name: 'worksmith' };
}
