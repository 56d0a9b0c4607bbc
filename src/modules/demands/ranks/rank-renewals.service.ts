import { Injectable, type OnModuleInit } from '@nestjs/common';
import { newId } from '../../../common/ids.js';
import { rankOfId, spreadRanks } from '../../../common/ranks.js';
import { Database } from '../../../platform/database/database.js';
import { Jobs } from '../../../platform/jobs/jobs.js';
import { RankingsRepository } from './rankings.repository.js';
import type { RankedTable } from './ranks.view.js';

const INTERVAL_MS = 60_000;
/** Writing a rank takes about a tenth of a millisecond, for which those who move others in the endeavour wait. */
const AT_ONCE = 500;
const BATCHES = 25;

/**
 * Makes ranks shorter that many moves between the same two others made long. The order stays, also while others are
 * moved, so that it is no change of the tasks and demands: no revision and no event.
 */
@Injectable()
export class RankRenewals implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly jobs: Jobs,
    private readonly repository: RankingsRepository,
  ) {}

  onModuleInit(): void {
    this.jobs.every('short-ranks', INTERVAL_MS, async () => {
      await this.renew('tasks');
      await this.renew('demands');
    });
  }

  /** Makes long ranks shorter, a few hundred at a time; the next run goes on with those that are being written. */
  async renew(table: RankedTable): Promise<void> {
    let done = '';
    for (let batch = 0; batch < BATCHES; batch += 1) {
      const endeavourId = await this.repository.nextWithLong(table, done);
      if (endeavourId === undefined) return;
      if (!(await this.database.transaction(() => this.shorten(table, endeavourId)))) done = endeavourId;
    }
  }

  /** Returns whether ranks of the endeavour became shorter. */
  private async shorten(table: RankedTable, endeavourId: string): Promise<boolean> {
    await this.repository.lock(table, endeavourId);
    const run = await this.repository.longRun(table, endeavourId);
    const last = run.at(-1);
    if (last === undefined) return false;
    // What is created later comes behind what is there, unless that was moved behind it.
    const later = rankOfId(newId('task'));
    const upper = last.upper ?? (later > last.rank ? later : undefined);
    const ranks = run.map(({ rank }) => rank);
    const spread = spreadRanks(ranks, { lower: last.lower ?? undefined, upper, most: AT_ONCE });
    if (spread === undefined) return false;
    const ids = run.slice(spread.from, spread.from + spread.ranks.length).map(({ id }) => id);
    // Who moves one has locked it before, and waits for the order: waiting for that lock would be a deadlock.
    if (!(await this.repository.lockAll(table, endeavourId, ids))) return false;
    await this.repository.write(table, ids, spread.ranks);
    return true;
  }
}
