import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/authentication/caller.js';
import { endeavoursWithIds } from '../../../access/visibility/containers.view.js';
import type { Granter } from '../../../access/memberships/membership-rows.js';
import { Database } from '../../../platform/database/database.js';
import { isAssignable } from './assignable.view.js';

/** An endeavour with work to reassign. */
export interface ReassignmentEndeavour {
  id: string;
  archived: boolean;
  /** Whether the new assignee can be assigned there. */
  assignable: boolean;
}

/** Reads and locks the endeavours of a reassignment. */
@Injectable()
export class ReassignmentsRepository {
  constructor(private readonly database: Database) {}

  /** Whether the caller has the admin role in any endeavour. */
  async isAdminSomewhere(me: Caller): Promise<boolean> {
    const rows = await this.database.query(
      'SELECT 1 FROM endeavour_grants g WHERE g.user_id = $1 AND g.rank >= 3 LIMIT 1',
      [me.userId],
    );
    return rows.length > 0;
  }

  /**
   * Locks the given endeavours in which the caller has at least the rank, in the order of their ids, so that none is
   * archived until the transaction ends; with `home`, only those of that organization. Returns the locked endeavours.
   */
  lockEndeavours(
    me: Granter,
    endeavourIds: readonly string[],
    { to, rank, home = null }: { to: string; rank: number; home?: string | null },
  ): Promise<ReassignmentEndeavour[]> {
    return this.database.query<ReassignmentEndeavour>(
      `SELECT e.id, (e.status = 'archived' OR e.closed_by IS NOT NULL) AS archived,
         EXISTS (SELECT 1 FROM resources r WHERE r.id = $2 AND ${isAssignable('r', 'e.id', '$6')}) AS assignable
       FROM ${endeavoursWithIds('e', '$1')} AND ($3 OR EXISTS (
         SELECT 1 FROM endeavour_grants g WHERE g.endeavour_id = e.id AND g.user_id = $4 AND g.rank >= $5))
         AND ($7::text IS NULL OR e.organization_id = $7)
       ORDER BY e.id FOR KEY SHARE OF e`,
      [endeavourIds, to, me.isAdmin, me.userId, rank, me.resourceId, home],
    );
  }
}
