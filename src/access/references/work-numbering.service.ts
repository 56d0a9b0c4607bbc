import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Jobs } from '../../platform/jobs/jobs.js';
import { WorkKeysRepository } from './work-keys.repository.js';

const INTERVAL_MS = 10_000;
const BATCHES = 25;
const BATCH_SIZE = 500;

/** Numbers the tasks and demands of a release without keys, a few rows at a time, and gives their endeavours keys. */
@Injectable()
export class WorkNumberingService implements OnModuleInit {
  constructor(
    private readonly jobs: Jobs,
    private readonly keys: WorkKeysRepository,
  ) {}

  onModuleInit(): void {
    this.jobs.every('work-numbering', INTERVAL_MS, () => this.number());
  }

  private async number(): Promise<void> {
    for (let batch = 0; batch < BATCHES; batch += 1) {
      if (!(await this.keys.numberExisting(BATCH_SIZE))) return;
    }
  }
}
