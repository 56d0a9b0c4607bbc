import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Jobs } from '../../../platform/jobs/jobs.js';
import { FieldValuesRepository } from './field-values.repository.js';

const INTERVAL_MS = 10_000;
const BATCHES = 25;
const BATCH_SIZE = 500;
/** What a request reads itself, so that the values of small endeavours are known when it is answered. */
const BATCHES_OF_A_REQUEST = 4;

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
    for (let batch = 0; batch < BATCHES_OF_A_REQUEST; batch += 1) {
      if (!(await this.values.renew(BATCH_SIZE, endeavourId))) return;
    }
  }
}
