import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';

/** Reads when memberships ended, and records departures. */
@Injectable()
export class EndedMembershipsRepository {
  constructor(private readonly database: Database) {}

  /** When the last membership of the user in the container ended; undefined if none has. */
  async endOf(containerId: string, userId: string): Promise<Date | undefined> {
    const row = await this.database.one<{ at: Date | null }>(
      'SELECT left_at AS at FROM former_members WHERE container_id = $1 AND user_id = $2',
      [containerId, userId],
    );
    return row?.at ?? undefined;
  }

  /** Records that a person left voluntarily. */
  async recordDeparture(id: string, userId: string): Promise<void> {
    await this.database.query(
      `INSERT INTO departures (container_id, user_id, left_at) VALUES ($1, $2, clock_timestamp())
       ON CONFLICT (container_id, user_id) DO UPDATE SET left_at = excluded.left_at`,
      [id, userId],
    );
  }
}
