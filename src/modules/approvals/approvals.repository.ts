import { Injectable } from '@nestjs/common';
import type { ResourceScope } from '../../platform/events/actor.js';
import { Database } from '../../platform/database/database.js';
import type { Verdict } from './approval.entity.js';
import { approvedThing, CHANGE_SINCE } from './approved-content.view.js';
import type { ApprovedKind } from './approved-kinds.js';

/** The current state of an entity that an approval is given to. */
export interface ApprovedThing {
  revision: number;
  creator_id: string | null;
  /** The user who changed the approved entity last, if it has changed since its creation. */
  changed_by: string | null;
}

/** The direct roles of the approver in the entity's container; administrators have none by that right. */
export interface ApproverRoles {
  /** 1 (guest, viewer) to 4 (owner); 0 without a role. */
  rank: number;
  stakeholder_roles: string[];
}

/** Reads and writes approvals, with the data of entities and approvers that decides about them. */
@Injectable()
export class ApprovalsRepository {
  constructor(private readonly database: Database) {}

  async thing(kind: ApprovedKind, id: string): Promise<ApprovedThing> {
    const row = await this.database.one<ApprovedThing>(approvedThing(kind), [id]);
    if (row === undefined) throw new Error('no row for a visible entity');
    return row;
  }

  async standing({ endeavourId, organizationId }: ResourceScope, userId: string): Promise<ApproverRoles> {
    const row = await this.database.one<ApproverRoles>(
      `SELECT coalesce((SELECT max(g.rank) FROM endeavour_grants g WHERE g.endeavour_id = $1 AND g.user_id = $3),
           (SELECT role_rank(r.role) FROM organization_resources r
            WHERE $1::text IS NULL AND r.organization_id = $2 AND r.user_id = $3), 0)::integer AS rank,
         coalesce((SELECT m.stakeholder_roles FROM endeavour_members m WHERE m.endeavour_id = $1 AND m.user_id = $3), '{}')
           AS stakeholder_roles`,
      [endeavourId ?? null, organizationId ?? null, userId],
    );
    return row ?? { rank: 0, stakeholder_roles: [] };
  }

  /** The current verdict of a person in a role, and whether its entity has changed since. */
  current(
    entityId: string,
    approverId: string,
    role: string | null,
  ): Promise<{ id: string; verdict: Verdict; stale: boolean } | undefined> {
    return this.database.one(
      `SELECT a.id, a.verdict, change.at IS NOT NULL AS stale FROM approvals a ${CHANGE_SINCE}
       WHERE a.entity_id = $1 AND a.approver_id = $2 AND a.role IS NOT DISTINCT FROM $3 AND a.is_current`,
      [entityId, approverId, role],
    );
  }

  async supersede(id: string): Promise<void> {
    await this.database.query('UPDATE approvals SET is_current = false WHERE id = $1', [id]);
  }

  async dismiss(id: string, by: string, reason: string): Promise<void> {
    await this.database.query(
      'UPDATE approvals SET dismissed_at = clock_timestamp(), dismissed_by = $2, dismissed_reason = $3 WHERE id = $1',
      [id, by, reason],
    );
  }
}
