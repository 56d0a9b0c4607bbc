import { Global, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Connection } from './connection.js';
import { connectUntil, makeDataSource, type PoolOptions, type DatabaseSchema } from './data-source.js';
import { Database } from './database.js';
import { Lease } from './lease.js';
import { PipelinedReader } from './pipelined-reader.js';

/** The database has just answered on another connection, so an obstacle to this one is temporary. */
const CONNECT_MS = 30_000;

/** Connects to PostgreSQL and provides the {@link Database}. */
@Global()
@Module({})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(
    private readonly source: DataSource,
    private readonly pipelinedReader: PipelinedReader,
  ) {}

  static with(connection: Connection, schema: DatabaseSchema, pool: PoolOptions): DynamicModule {
    return {
      module: DatabaseModule,
      providers: [
        {
          provide: DataSource,
          useFactory: () => connectUntil(Date.now() + CONNECT_MS, () => makeDataSource(connection, schema, pool)),
        },
        { provide: PipelinedReader, useFactory: () => new PipelinedReader(connection, pool) },
        Database,
        Lease,
      ],
      exports: [Database, DataSource, Lease],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pipelinedReader.close();
    if (this.source.isInitialized) await this.source.destroy();
  }
}
