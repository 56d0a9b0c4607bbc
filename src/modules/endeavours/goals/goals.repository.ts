import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import type { Goal } from './goals.js';

/** Reads the goals of endeavours and the work that serves them. */
@Injectable()
export class GoalsRepository {
  constructor(private readonly database: Database) {}

  /** Whether the goal is one of the endeavour; with `isLocked`, it is until the transaction ends. */
  async isOf(endeavourId: string, id: string, { isLocked }: { isLocked: boolean }): Promise<boolean> {
    const row = await this.database.one(
      `SELECT 1 FROM endeavours WHERE id = $1 AND goals @> jsonb_build_array(jsonb_build_object('id', $2::text))
       ${isLocked ? 'FOR KEY SHARE' : ''}`,
      [endeavourId, id],
    );
    return row !== undefined;
  }

  async of(endeavourId: string): Promise<Goal[]> {
    const row = await this.database.one<{ goals: Goal[] }>('SELECT goals FROM endeavours WHERE id = $1', [endeavourId]);
    return row?.goals ?? [];
  }

  /** The number of tasks and demands that serve these goals. */
  async countMembers(ids: readonly string[]): Promise<number> {
    const row = await this.database.one<{ count: number }>(
      'SELECT count(*)::integer AS count FROM goal_members WHERE goal_id = ANY($1::text[])',
      [ids],
    );
    return row?.count ?? 0;
  }
}
