import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Jobs } from '../../../platform/jobs/jobs.js';
import { FieldValuesRepository } from './field-values.repository.js';

const INTERVAL_MS = 10_000;
const BATCHES = 25;
/** Reading the values of that many takes about 90 ms, so that this takes a quarter of one core at most. */
const BATCH_SIZE = 1_000;
/** What a request reads itself, so that the values of small endeavours are known when it is answered. */
const IN_REQUEST = { batches: 4, size: 500 };

/** Reads the values of fields that endeavours have declared or changed, a few tasks and demands at a time. */
@Injectable()
export class FieldRenewals implements OnModuleInit {
  constructor(
    private readonly jobs: Jobs,
    private readonly values: FieldValuesRepository,
  ) {}

  onModuleInit(): void {
    this.jobs.every('field-values', INTERVAL_MS, async () => {
      for (let batch = 0; batch < BATCHES; batch += 1) {
        if (!(await this.values.renew(BATCH_SIZE))) return;
      }
    });
  }

  /** Reads the first values of the endeavour within the request that changes its fields; the job reads the others. */
  async begin(endeavourId: string): Promise<void> {
    for (let batch = 0; batch < IN_REQUEST.batches; batch += 1) {
      if (!(await this.values.renew(IN_REQUEST.size, endeavourId))) return;
    }
  }
}
