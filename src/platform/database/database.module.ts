import { Global, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Connection } from './connection.js';
import { makeDataSource, type Schema } from './data-source.js';
import { Database } from './database.js';

/** Connects to PostgreSQL and hands out the {@link Database}. */
@Global()
@Module({})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(private readonly source: DataSource) {}

  static with(connection: Connection, schema: Schema, poolSize: number): DynamicModule {
    return {
      module: DatabaseModule,
      providers: [
        { provide: DataSource, useFactory: () => makeDataSource(connection, schema, poolSize).initialize() },
        Database,
      ],
      exports: [Database],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.source.isInitialized) await this.source.destroy();
  }
}
