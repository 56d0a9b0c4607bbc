import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Jobs } from '../../platform/jobs/jobs.js';
import { SearchRepository } from './search.repository.js';

const INTERVAL_MS = 10_000;
/** Renewing a row takes about half a millisecond, so that this takes a quarter of one core at most. */
const BATCHES = 25;
const BATCH_SIZE = 200;

/** Renews the search words of existing rows after a release that cuts texts differently, a few rows at a time. */
@Injectable()
export class SearchRenewalService implements OnModuleInit {
  constructor(
    private readonly repository: SearchRepository,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.every('search-renewal', INTERVAL_MS, () => this.renew());
  }

  private async renew(): Promise<void> {
    for (let batch = 0; batch < BATCHES; batch += 1) {
      if (!(await this.repository.renewWords(BATCH_SIZE))) return;
    }
  }
}
