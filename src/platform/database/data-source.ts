import { DataSource } from 'typeorm';
import type { Connection } from './connection.js';
import { SnakeNaming } from './naming.js';
import { PreparedClient } from './prepared-client.js';

/** The classes that make up the schema; src/entities.ts and src/migrations/index.ts list them. */
export interface Schema {
  entities: Function[];
  migrations: Function[];
}

/** The bounds of a pool of connections. */
export interface PoolOptions {
  poolSize: number;
  /** How long a request waits for a free connection before it is answered with 503. */
  checkoutMs: number;
}

const DEFAULT_POOL: PoolOptions = { poolSize: 10, checkoutMs: 1_500 };

/** A data source with named statements, wire-true times and a bounded pool; not yet connected. */
export function makeDataSource(connection: Connection, schema: Schema, pool: Partial<PoolOptions> = {}): DataSource {
  const { poolSize, checkoutMs } = { ...DEFAULT_POOL, ...pool };
  const where = 'url' in connection ? connection : { ...connection, username: connection.user };
  return new DataSource({
    type: 'postgres',
    ...where,
    entities: schema.entities,
    migrations: schema.migrations,
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
    namingStrategy: new SnakeNaming(),
    poolSize,
    connectTimeoutMS: checkoutMs,
    installExtensions: false,
    applicationName: 'worksmith',
    // Statements are sent without waiting for the answers to those before them.
    extra: { Client: PreparedClient, pipeline: true },
  });
}
