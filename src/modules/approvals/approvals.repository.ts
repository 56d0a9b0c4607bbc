import { Injectable } from '@nestjs/common';
import type { Actor, ResourceScope } from '../../platform/context/actor.js';
import { Database } from '../../platform/database/database.js';
import type { Verdict } from './approval.entity.js';
import { APPROVED_TASK, CHANGE_SINCE, IS_IN_ROUND, selectApprovedEntity } from './approved-content.view.js';
import type { ApprovedKind } from './approved-kinds.js';

/** The current state of the entity that an approval is about. */
export interface ApprovedEntity {
  revision: number;
  /** Whether the caller, also as another of their resources, created the entity or changed its content last. */
  is_author: boolean;
}

/** The roles of the approver in the entity's container; being an administrator gives none. */
export interface ApproverRoles {
  /** 1 (guest, viewer) to 4 (owner); 0 without a role. */
  rank: number;
  stakeholder_roles: string[];
}

/** The state of the approver for later checks, which decide by it whether an approval counts. */
export interface ApproverState {
  roleHeld: boolean | null;
  wasMember: boolean;
}

/** The latest approval of an approver in a role. */
interface CurrentApproval extends ApproverState {
  id: string;
  verdict: Verdict;
  /**
   * Whether it is about the current content, was given in the current round, and has neither been dismissed nor outlasted the
   * membership of its giver.
   */
  applies: boolean;
}

/** Reads and writes approvals, and reads the entities and the roles of approvers that decide about them. */
@Injectable()
export class ApprovalsRepository {
  constructor(private readonly database: Database) {}

  async entity(me: Actor, kind: ApprovedKind, id: string): Promise<ApprovedEntity> {
    const row = await this.database.one<ApprovedEntity>(selectApprovedEntity(kind), [id, me.resourceId]);
    if (row === undefined) throw new Error(`The entity ${id} has no row in the table of its kind.`);
    return row;
  }

  async rolesOf({ endeavourId, organizationId }: ResourceScope, userId: string): Promise<ApproverRoles> {
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

  /** Returns the current approval of an approver in a role, and whether it still applies to the entity. */
  current(entityId: string, approverId: string, role: string | null): Promise<CurrentApproval | undefined> {
    return this.database.one(
      `SELECT a.id, a.verdict, a.role_held AS "roleHeld", a.was_member AS "wasMember",
         change.at IS NULL AND ${IS_IN_ROUND} AND a.dismissed_at IS NULL AND a.ended_by IS NULL AS applies FROM approvals a ${CHANGE_SINCE} ${APPROVED_TASK}
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
