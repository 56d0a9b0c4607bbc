import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/authentication/caller.js';
import { isActivePerson, joinUser } from '../../../access/visibility/people.view.js';
import { Database } from '../../../platform/database/database.js';

/** Reads and writes the transfers of endeavours that wait for a second owner. */
@Injectable()
export class TransferRequestsRepository {
  constructor(private readonly database: Database) {}

  /** Locks the roles of the user who requested it, which decide, until the transaction ends. */
  async isRequestedByOther(me: Caller, endeavourId: string, targetId: string): Promise<boolean> {
    const row = await this.database.one(
      `SELECT 1 FROM endeavours e
         JOIN organization_resources home ON home.organization_id = e.organization_id AND home.user_id = e.transfer_by
         JOIN organization_resources target ON target.organization_id = e.transfer_to AND target.user_id = e.transfer_by
         ${joinUser('u', 'e.transfer_by')}
       WHERE e.id = $1 AND e.transfer_to = $2 AND e.transfer_by <> $3
         AND home.role = 'owner' AND target.role IN ('admin', 'owner') AND ${isActivePerson('u')}
       FOR SHARE OF home, target`,
      [endeavourId, targetId, me.userId],
    );
    return row !== undefined;
  }

  /** Whether the organization has other owners, of whom none owns the target. */
  async needsSecondOwner(me: Caller, homeId: string, targetId: string): Promise<boolean> {
    const row = await this.database.one<{ others: number; inside: number }>(
      `SELECT count(*)::integer AS others, count(*) FILTER (WHERE EXISTS (SELECT 1 FROM organization_resources target
           WHERE target.organization_id = $2 AND target.user_id = m.user_id AND target.role = 'owner'))::integer AS inside
       FROM organization_resources m ${joinUser('u', 'm.user_id')}
       WHERE m.organization_id = $1 AND m.role = 'owner' AND m.user_id <> $3 AND ${isActivePerson('u')}`,
      [homeId, targetId, me.userId],
    );
    return row !== undefined && row.others > 0 && row.inside === 0;
  }

  async store(me: Caller, endeavourId: string, targetId: string): Promise<void> {
    await this.database.query('UPDATE endeavours SET transfer_to = $2, transfer_by = $3 WHERE id = $1', [
      endeavourId,
      targetId,
      me.userId,
    ]);
  }

  async clear(endeavourId: string): Promise<void> {
    await this.database.query(
      'UPDATE endeavours SET transfer_to = NULL, transfer_by = NULL WHERE id = $1 AND transfer_to IS NOT NULL',
      [endeavourId],
    );
  }
}
