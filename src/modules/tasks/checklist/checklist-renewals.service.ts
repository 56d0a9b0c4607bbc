import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Jobs } from '../../../platform/jobs/jobs.js';
import { TasksRepository } from '../tasks.repository.js';

const INTERVAL_MS = 10_000;
const BATCHES = 25;
const BATCH_SIZE = 500;

/** Gives the items of the checklists of an earlier release their ids, a few tasks at a time. */
@Injectable()
export class ChecklistRenewals implements OnModuleInit {
  constructor(
    private readonly jobs: Jobs,
    private readonly tasks: TasksRepository,
  ) {}

  onModuleInit(): void {
    this.jobs.every('checklist-ids', INTERVAL_MS, () => this.renew());
  }

  private async renew(): Promise<void> {
    for (let batch = 0; batch < BATCHES; batch += 1) {
      if (!(await this.tasks.renewChecklists(BATCH_SIZE))) return;
    }
  }
}
