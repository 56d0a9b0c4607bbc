import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Database } from '../../src/platform/database/database.js';
import type { AppService } from './app-service.js';
import type { Contract } from './contract.js';
import { RunningApp } from './running-app.js';
import { contractOf, TestApp } from './test-app.js';

/** Runs the service in the process of the test, for tests that use its providers. Loading it takes seconds. */
export class InProcessApp extends TestApp<Database> {
  private constructor(
    private readonly running: RunningApp,
    contract: Contract,
  ) {
    super(running, contract, running.nest.get(Database));
  }

  static override async open(
    environment: Record<string, string> = {},
    beside?: { service: Pick<AppService, 'connection'> },
  ): Promise<InProcessApp> {
    const running = await RunningApp.start({ environment, connection: beside?.service.connection });
    return new InProcessApp(running, await contractOf(running));
  }

  get nest(): NestFastifyApplication {
    return this.running.nest;
  }
}
