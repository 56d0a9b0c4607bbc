import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Jobs } from '../../platform/jobs/jobs.js';
import { ImportsRepository } from './imports.repository.js';

const INTERVAL_MS = 60_000;
const BATCH_SIZE = 5_000;

/**
 * Deletes the stored lines of imports that have ended. It is a job because a large file has more lines than one
 * statement can delete within its timeout.
 */
@Injectable()
export class ImportCleanup implements OnModuleInit {
  constructor(
    private readonly jobs: Jobs,
    private readonly repository: ImportsRepository,
  ) {}

  onModuleInit(): void {
    this.jobs.every('import_cleanup', INTERVAL_MS, () => this.clean());
  }

  private async clean(): Promise<void> {
    for (let deleted = 1; deleted > 0;) deleted = await this.repository.deleteEndedLines(BATCH_SIZE);
  }
}
