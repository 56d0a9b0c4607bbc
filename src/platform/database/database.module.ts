import { Global, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Connection } from './connections/connection.js';
import { connectUntil, makeDataSource, type PoolOptions, type DatabaseSchema } from './connections/data-source.js';
import { Database, STANDBY_OPTIONS } from './database.js';
import { DirectConnection } from './connections/direct-connection.js';
import { Lease } from './connections/lease.js';
import { PipelinedReader } from './connections/pipelined-reader.js';
import type { StandbyOptions } from './connections/standby.js';

/** The database has just answered on another connection, so an obstacle to this one is temporary. */
const CONNECT_MS = 30_000;

/** Connects to PostgreSQL and provides the {@link Database}. */
@Global()
@Module({})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(
    private readonly database: Database,
    private readonly source: DataSource,
    private readonly pipelinedReader: PipelinedReader,
  ) {}

  /** `direct` leads to the server itself if `connection` is that of a pooler. */
  static with(
    connection: Connection,
    schema: DatabaseSchema,
    pool: PoolOptions,
    { direct, standby }: { direct: Connection; standby: StandbyOptions | null },
  ): DynamicModule {
    return {
      module: DatabaseModule,
      providers: [
        {
          provide: DataSource,
          useFactory: () => connectUntil(Date.now() + CONNECT_MS, () => makeDataSource(connection, schema, pool)),
        },
        { provide: PipelinedReader, useFactory: () => new PipelinedReader(connection, pool) },
        { provide: DirectConnection, useValue: new DirectConnection(direct) },
        { provide: STANDBY_OPTIONS, useValue: standby },
        Database,
        Lease,
      ],
      exports: [Database, DataSource, DirectConnection, Lease],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pipelinedReader.close();
    await this.database.standby?.close();
    if (this.source.isInitialized) await this.source.destroy();
  }
}
