import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Jobs } from '../../platform/jobs/jobs.js';
import { LabelsRepository } from './labels.repository.js';

const INTERVAL_MS = 10_000;
/** Renewing a row takes about half a millisecond, so that this takes a quarter of one core at most. */
const BATCHES = 25;
const BATCH_SIZE = 200;

/**
 * Lets the search words of tasks and demands follow renamed labels, and gives those of a release without labels the ones
 * that imports left in metadata, a few rows at a time.
 */
@Injectable()
export class LabelRenewals implements OnModuleInit {
  constructor(
    private readonly jobs: Jobs,
    private readonly labels: LabelsRepository,
  ) {}

  onModuleInit(): void {
    this.jobs.every('label-words', INTERVAL_MS, () => inBatches(() => this.labels.renewWords(BATCH_SIZE)));
    this.jobs.every('label-conversion', INTERVAL_MS, () => inBatches(() => this.labels.convertMetadata(BATCH_SIZE)));
  }
}

async function inBatches(next: () => Promise<boolean>): Promise<void> {
  for (let batch = 0; batch < BATCHES; batch += 1) {
    if (!(await next())) return;
  }
}
