import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { Jobs } from '../../../platform/jobs/jobs.js';
import { EndeavourDatesRepository, type StaleEndeavour } from './endeavour-dates.repository.js';

/** The position in the work of an endeavour, which is read in the order of its creation. */
export interface WorkPosition {
  createdAt: Date;
  id: string;
}

/** Derives the dates of the next work of an endeavour; undefined if there is no more. */
export type DeriveDates = (
  endeavour: StaleEndeavour,
  after: WorkPosition | undefined,
  limit: number,
) => Promise<WorkPosition | undefined>;

const MINUTE_MS = 60_000;
const BATCH_SIZE = 1_000;
/** The rows that a request derives itself; a job derives the dates of larger endeavours. */
const BATCHES_PER_REQUEST = 5;

/**
 * Brings the instants of days up when the time zone of their endeavour has changed (spec 01, Time). Features register
 * their dated work.
 */
@Injectable()
export class DatedWork implements OnModuleInit {
  private readonly kinds: DeriveDates[] = [];

  constructor(
    private readonly database: Database,
    private readonly jobs: Jobs,
    private readonly repository: EndeavourDatesRepository,
  ) {}

  register(derive: DeriveDates): void {
    this.kinds.push(derive);
  }

  onModuleInit(): void {
    this.jobs.every('dates of changed time zones', MINUTE_MS, () => this.deriveStale());
  }

  /** Derives the dates of an endeavour whose time zone the current transaction has changed; a job does the rest. */
  async followTimezone(endeavourId: string): Promise<void> {
    const endeavour = await this.repository.stale(endeavourId);
    if (endeavour === undefined) return;
    let batches = BATCHES_PER_REQUEST;
    for (const derive of this.kinds) {
      let position: WorkPosition | undefined;
      do {
        if (batches === 0) return;
        batches -= 1;
        position = await derive(endeavour, position, BATCH_SIZE);
      } while (position !== undefined);
    }
    await this.repository.markDerived(endeavour);
  }

  /** Each batch is a transaction, so that no writer waits long for the rows of a large endeavour. */
  private async deriveStale(): Promise<void> {
    for (let endeavour = await this.repository.nextStale(); endeavour; endeavour = await this.repository.nextStale()) {
      const stale = endeavour;
      for (const derive of this.kinds) {
        let position: WorkPosition | undefined;
        do {
          const after = position;
          position = await this.database.transaction(() => derive(stale, after, BATCH_SIZE));
        } while (position !== undefined);
      }
      await this.repository.markDerived(stale);
    }
  }
}
