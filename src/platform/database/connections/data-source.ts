import { setTimeout as pause } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import type { Connection } from './connection.js';
import { isUnavailable } from './driver-errors.js';
import { SnakeNaming } from '../schema/naming.js';
import { PreparedClient } from './prepared-client.js';
import type { SessionSettings } from './session-settings.js';

/** The classes of the schema; src/entities.ts and src/migrations/index.ts list them. */
export interface DatabaseSchema {
  entities: Function[];
  migrations: Function[];
}

/** The bounds of a pool of connections. */
export interface PoolOptions {
  poolSize: number;
  /** The time limit for waiting for a free connection, after which a request is answered with 503. */
  checkoutMs: number;
  /** What the statements rely on, whatever the defaults of the server are. */
  sessionSettings?: SessionSettings;
}

/** The pool of a data source with one connection; its timeout is long, because connecting is slow on a busy machine. */
export const ONE_CONNECTION: PoolOptions = { poolSize: 1, checkoutMs: 10_000 };
const RETRY_MS = 1_000;
/**
 * How long an unused connection stays open: shorter than the minute after which some proxies and firewalls forget one. A
 * new connection has no plans yet, so that the first requests on it take longer; the driver's default is ten seconds.
 */
const IDLE_MS = 50_000;

/** Creates a data source with named statements, wire-format times and a bounded pool; it is not connected yet. */
export function makeDataSource(connection: Connection, schema: DatabaseSchema, pool = ONE_CONNECTION): DataSource {
  const { poolSize, checkoutMs, sessionSettings } = pool;
  const address = 'url' in connection ? connection : { ...connection, username: connection.user };
  return new DataSource({
    type: 'postgres',
    ...address,
    entities: schema.entities,
    migrations: schema.migrations,
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
    namingStrategy: new SnakeNaming(),
    poolSize,
    connectTimeoutMS: checkoutMs,
    installExtensions: false,
    applicationName: 'worksmith',
    // Sends a statement without waiting for the results of earlier ones.
    extra: { Client: PreparedClient, pipeline: true, sessionSettings, idleTimeoutMillis: IDLE_MS },
  });
}

/** Connects, and retries while the database is unreachable, until the deadline in Unix milliseconds. */
export async function connectUntil(
  deadline: number,
  make: () => DataSource,
  onRetry: (error: unknown) => void = () => undefined,
): Promise<DataSource> {
  for (;;) {
    try {
      return await make().initialize();
    } catch (error) {
      if (!isUnavailable(error) || Date.now() >= deadline) throw error;
      onRetry(error);
      await pause(RETRY_MS);
    }
  }
}
