import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';

/** An endeavour whose work has dates of another time zone. */
export interface StaleEndeavour {
  id: string;
  timezone: string;
  /** Whether its dates are older than days: instants at the edge of a day become that day. */
  isConverted: boolean;
}

const IS_STALE = 'e.derived_timezone IS DISTINCT FROM e.timezone';
const STALE = `SELECT e.id, e.timezone, e.derived_timezone IS NULL AS "isConverted" FROM endeavours e`;

/** Knows by which time zone the dates of endeavours and their work were derived. */
@Injectable()
export class EndeavourDatesRepository {
  constructor(private readonly database: Database) {}

  stale(id: string): Promise<StaleEndeavour | undefined> {
    return this.database.one<StaleEndeavour>(`${STALE} WHERE e.id = $1 AND ${IS_STALE}`, [id]);
  }

  nextStale(): Promise<StaleEndeavour | undefined> {
    return this.database.one<StaleEndeavour>(`${STALE} WHERE ${IS_STALE} ORDER BY e.id LIMIT 1`);
  }

  /** Also converts the endeavour's own dates if they are older than days. */
  async markDerived({ id, timezone, isConverted }: StaleEndeavour): Promise<void> {
    const own = isConverted
      ? `, start_day = coalesce(start_day, day_beginning_at(start_date, timezone)),
         end_day = coalesce(end_day, day_ending_at(end_date, timezone))`
      : '';
    await this.database.query(`UPDATE endeavours SET derived_timezone = $2 ${own} WHERE id = $1 AND timezone = $2`, [
      id,
      timezone,
    ]);
  }
}
