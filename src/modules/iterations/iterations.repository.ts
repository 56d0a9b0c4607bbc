import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import type { IterationStatus } from './iteration.lifecycle.js';
import { IS_NEXT } from './iteration-references.view.js';

/** An iteration with its days. */
export interface IterationDays {
  id: string;
  name: string;
  status: IterationStatus;
  start_day: string;
  end_day: string;
}

/** The rows of iterations. */
@Injectable()
export class IterationsRepository {
  constructor(private readonly database: Database) {}

  async countIn(endeavourId: string): Promise<number> {
    const row = await this.database.one<{ count: number }>(
      'SELECT count(*)::integer AS count FROM iterations WHERE endeavour_id = $1 AND deleted_at IS NULL',
      [endeavourId],
    );
    return row?.count ?? 0;
  }

  /** The status of an iteration of the endeavour; with `isLocked`, it keeps it until the transaction ends. */
  async statusIn(
    endeavourId: string,
    id: string,
    { isLocked }: { isLocked: boolean },
  ): Promise<IterationStatus | undefined> {
    const row = await this.database.one<{ status: IterationStatus }>(
      `SELECT status FROM iterations WHERE id = $1 AND endeavour_id = $2 AND deleted_at IS NULL
       ${isLocked ? 'FOR KEY SHARE' : ''}`,
      [id, endeavourId],
    );
    return row?.status;
  }

  /** The number of tasks and demands in the iteration. */
  async countMembers(id: string): Promise<number> {
    const row = await this.database.one<{ count: number }>(
      'SELECT count(*)::integer AS count FROM iteration_members WHERE iteration_id = $1',
      [id],
    );
    return row?.count ?? 0;
  }

  /** The number of open tasks and demands in the iteration. */
  async countOpenMembers(id: string): Promise<number> {
    const row = await this.database.one<{ count: number }>(
      'SELECT count(*)::integer AS count FROM iteration_members WHERE iteration_id = $1 AND is_open',
      [id],
    );
    return row?.count ?? 0;
  }

  /** The id of the active iteration of the endeavour. */
  async activeIn(endeavourId: string): Promise<string | undefined> {
    const row = await this.database.one<{ id: string }>(
      `SELECT id FROM iterations WHERE endeavour_id = $1 AND status = 'active'`,
      [endeavourId],
    );
    return row?.id;
  }

  /** The id of the planned iteration of the endeavour that begins first. */
  async nextIn(endeavourId: string): Promise<string | undefined> {
    const row = await this.database.one<{ id: string }>(
      `SELECT i.id FROM iterations i WHERE i.endeavour_id = $1 AND ${IS_NEXT}`,
      [endeavourId],
    );
    return row?.id;
  }

  /** The first iterations of the endeavour with days in the period, by their first days, and the number of all. */
  async inPeriod(
    endeavourId: string,
    { from, to }: { from?: string; to?: string },
    limit: number,
  ): Promise<{ iterations: IterationDays[]; total: number }> {
    const rows = await this.database.query<IterationDays & { total: number }>(
      `SELECT i.id, i.name, i.status, i.start_day::text AS start_day, i.end_day::text AS end_day,
         count(*) OVER ()::integer AS total
       FROM iterations i WHERE i.endeavour_id = $1 AND i.deleted_at IS NULL
         AND ($2::date IS NULL OR i.end_day >= $2::date) AND ($3::date IS NULL OR i.start_day <= $3::date)
       ORDER BY i.start_day, i.id LIMIT $4`,
      [endeavourId, from ?? null, to ?? null, limit],
    );
    return { iterations: rows.map(({ total: _total, ...iteration }) => iteration), total: rows.at(0)?.total ?? 0 };
  }

  /** The planned, active or closed iteration of the endeavour that ends last. */
  lastIn(endeavourId: string): Promise<{ name: string; endDay: string } | undefined> {
    return this.database.one(
      `SELECT i.name, i.end_day::text AS "endDay" FROM iterations i WHERE i.endeavour_id = $1 AND i.deleted_at IS NULL
       ORDER BY i.end_day DESC, i.id DESC LIMIT 1`,
      [endeavourId],
    );
  }

  /** Waits for transactions that plan the next iteration of the endeavour, so that there is one. */
  async lockPlan(endeavourId: string): Promise<void> {
    await this.database.query(`SELECT pg_advisory_xact_lock(hashtext('next iteration'), hashtext($1))`, [endeavourId]);
  }

  /** Runs writes of work that was in iterations before they were closed. */
  async whileImporting(write: () => Promise<void>): Promise<void> {
    await this.database.query(`SELECT set_config('worksmith.importing', 'on', true)`);
    await write();
    await this.database.query(`SELECT set_config('worksmith.importing', 'off', true)`);
  }
}
