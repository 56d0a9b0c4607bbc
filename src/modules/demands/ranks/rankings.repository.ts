import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { endsOf, lockUnlocked, longRun, nextTo, nextWithLong, writeRanks, type RankedTable } from './ranks.view.js';

/** Something in a row of long ranks, and the short ranks around the row. */
interface LongRanked {
  id: string;
  rank: string;
  lower: string | null;
  upper: string | null;
}

/** Reads the ranks of the tasks or demands of an endeavour. */
@Injectable()
export class RankingsRepository {
  constructor(private readonly database: Database) {}

  /** Waits for transactions that move others in the endeavour, so that each sees the order that the last one made. */
  async lock(table: RankedTable, endeavourId: string): Promise<void> {
    await this.database.query('SELECT pg_advisory_xact_lock(hashtext($1), hashtext($2))', [
      `ranks of ${table}`,
      endeavourId,
    ]);
  }

  /** The first and the last rank of the others; null if there are none. */
  async ends(
    table: RankedTable,
    endeavourId: string,
    id: string,
  ): Promise<{ first: string | null; last: string | null }> {
    const row = await this.database.one<{ first: string | null; last: string | null }>(endsOf(table), [
      endeavourId,
      id,
    ]);
    return row ?? { first: null, last: null };
  }

  /** The rank of another one and the ranks next to it; undefined if it is not in the endeavour. */
  nextTo(
    table: RankedTable,
    endeavourId: string,
    id: string,
    otherId: string,
  ): Promise<{ rank: string; before: string | null; after: string | null } | undefined> {
    return this.database.one(nextTo(table), [endeavourId, id, otherId]);
  }

  /** The id of the next endeavour with long ranks; undefined if there are no more. */
  async nextWithLong(table: RankedTable, afterId: string): Promise<string | undefined> {
    const row = await this.database.one<{ id: string }>(nextWithLong(table), [afterId]);
    return row?.id;
  }

  /** A row of long ranks of the endeavour, in their order; empty if it has none. */
  longRun(table: RankedTable, endeavourId: string): Promise<LongRanked[]> {
    return this.database.query<LongRanked>(longRun(table), [endeavourId]);
  }

  /** Locks them unless another transaction has locked one of them; returns whether it did. */
  async lockAll(table: RankedTable, endeavourId: string, ids: readonly string[]): Promise<boolean> {
    const row = await this.database.one<{ count: number }>(lockUnlocked(table), [endeavourId, ids]);
    return row?.count === ids.length;
  }

  /** Writes ranks that keep the order; no revision changes. */
  async write(table: RankedTable, ids: readonly string[], ranks: readonly string[]): Promise<void> {
    await this.database.query(writeRanks(table), [ids, ranks]);
  }
}
