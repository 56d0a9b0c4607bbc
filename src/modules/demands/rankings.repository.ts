import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { endsOf, nextTo, type RankedTable } from './ranks.view.js';

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
}
