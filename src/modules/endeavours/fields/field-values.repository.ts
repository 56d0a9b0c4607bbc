import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';

/** The number of tasks and demands whose values of a field do not fit it; `at_least` if there are too many to read all. */
export interface UnfittingValues {
  key: string;
  count: number;
  count_is: 'exact' | 'at_least';
}

/** The most tasks, and the most demands, that are counted. */
const MAX_COUNTED = 10_000;

/** Keeps the values of declared fields by which work is filtered. */
@Injectable()
export class FieldValuesRepository {
  constructor(private readonly database: Database) {}

  /** The keys whose values are still being read after a change of the fields. */
  async pendingKeys(endeavourId: string): Promise<string[]> {
    const row = await this.database.one<{ keys: string[] }>('SELECT keys FROM field_renewals WHERE endeavour_id = $1', [
      endeavourId,
    ]);
    return row?.keys ?? [];
  }

  /** Counts the values of these keys that do not fit the fields of the endeavour, or have none there. */
  async unfitting(endeavourId: string, keys: readonly string[]): Promise<UnfittingValues[]> {
    const rows = await this.database.query<{ key: string; count: number; more: boolean }>(
      'SELECT key, count, more FROM count_unfitting($1, $2::text[], $3)',
      [endeavourId, keys, MAX_COUNTED],
    );
    return rows
      .filter(({ count, more }) => count > 0 || more)
      .map(({ key, count, more }) => ({ key, count, count_is: more ? 'at_least' : 'exact' }));
  }

  /**
   * Reads the values of changed fields of the next tasks or demands, of the endeavour if one is named; returns whether there
   * may be more.
   */
  async renew(limit: number, endeavourId: string | null = null): Promise<boolean> {
    const row = await this.database.one<{ more: boolean }>('SELECT renew_field_values($1, $2) AS more', [
      limit,
      endeavourId,
    ]);
    return row?.more === true;
  }
}
