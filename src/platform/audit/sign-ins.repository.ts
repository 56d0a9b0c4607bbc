import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';

/** Counts the sign-ins of users. */
@Injectable()
export class SignInsRepository {
  constructor(private readonly database: Database) {}

  /** The number of sign-ins of the user in each hour of the day, in UTC; hours without one are absent. */
  async byHourOfDay(userId: string, from: Date, to: Date): Promise<ReadonlyMap<number, number>> {
    const rows = await this.database.query<{ hour: number; count: number }>(
      `SELECT extract(hour FROM a.occurred_at AT TIME ZONE 'UTC')::integer AS hour, count(*)::integer AS count
       FROM audit_entries a WHERE a.user_id = $1 AND a.action = 'session.created' AND a.occurred_at >= $2 AND a.occurred_at < $3
       GROUP BY 1`,
      [userId, from, to],
    );
    return new Map(rows.map(({ hour, count }) => [hour, count]));
  }
}
