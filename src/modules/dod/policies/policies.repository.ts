import { Injectable } from '@nestjs/common';
import { POLICIES_IN_FORCE } from '../../../access/visibility/containers.view.js';
import type { Caller } from '../../../access/authentication/caller.js';
import { Database } from '../../../platform/database/database.js';
import { Policy } from './policy.entity.js';
import type { PolicyStatus } from './policy.lifecycle.js';

/** SQL: the endeavours `e` in which a personal policy `p` of user `$1` is in force. */
const UNDER_POLICIES_OF_USER = `${POLICIES_IN_FORCE}
  WHERE p.id IN (SELECT x.id FROM entities x WHERE x.owner_user_id = $1 AND x.kind = 'dod_policy')
    AND p.container = 'personal'`;

/**
 * SQL: whether the policy `p` with the entity row `x` can be assigned to the endeavour. Global policies, policies of the
 * endeavour or its home organization, and personal policies of the endeavour's admins can be assigned.
 */
const isAssignable = (endeavour: string): string => `CASE p.container
  WHEN 'global' THEN true
  WHEN 'organization' THEN EXISTS (SELECT 1 FROM organization_endeavours l
    WHERE l.organization_id = p.organization_id AND l.endeavour_id = ${endeavour} AND l.is_home)
  WHEN 'endeavour' THEN p.endeavour_id = ${endeavour}
  ELSE EXISTS (SELECT 1 FROM endeavour_grants g
    WHERE g.endeavour_id = ${endeavour} AND g.user_id = x.owner_user_id AND g.rank >= role_rank('admin')) END`;

/** Reads policies and the endeavours that use them. */
@Injectable()
export class PoliciesRepository {
  constructor(private readonly database: Database) {}

  read(id: string): Promise<Policy> {
    return this.database.row(Policy, id);
  }

  /**
   * Returns the status of a policy; undefined if it cannot be assigned to the endeavour. Locks the policy, so that it is
   * not replaced or archived until the commit; like the creation of a version, before the endeavour is locked.
   */
  async assignableStatus(policyId: string, endeavourId: string): Promise<PolicyStatus | undefined> {
    const row = await this.database.one<{ status: PolicyStatus }>(
      `SELECT p.status FROM dod_policies p JOIN entities x USING (id)
       WHERE p.id = $1 AND ${isAssignable('$2')} FOR SHARE OF p`,
      [policyId, endeavourId],
    );
    return row?.status;
  }

  /** Locks and returns the endeavours that use a policy, accept changes, and to which the caller could assign it now. */
  async lockAssignableEndeavours(me: Caller, policyId: string): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(
      `SELECT e.id FROM ${POLICIES_IN_FORCE} JOIN entities x ON x.id = p.id
       WHERE p.id = $1 AND e.status <> 'archived' AND e.closed_by IS NULL AND ${isAssignable('e.id')}
         AND ($3 OR EXISTS (SELECT 1 FROM endeavour_grants mine
              WHERE mine.endeavour_id = e.id AND mine.user_id = $2 AND mine.rank >= role_rank('admin')))
       ORDER BY e.id FOR NO KEY UPDATE OF e`,
      [policyId, me.userId, me.isAdmin],
    );
    return rows.map(({ id }) => id);
  }

  /** Locks the endeavours that use the policy and in which the caller can no longer assign policies. */
  async lockForeignEndeavours(me: Caller, policyId: string): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(
      `SELECT e.id FROM ${POLICIES_IN_FORCE}
       WHERE p.id = $1 AND NOT EXISTS (SELECT 1 FROM endeavour_grants mine
         WHERE mine.endeavour_id = e.id AND mine.user_id = $2 AND mine.rank >= role_rank('admin'))
       ORDER BY e.id FOR NO KEY UPDATE OF e`,
      [policyId, me.userId],
    );
    return rows.map(({ id }) => id);
  }

  /** The endeavours with a personal policy of the user. */
  async endeavoursUnderPoliciesOf(userId: string): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(`SELECT e.id FROM ${UNDER_POLICIES_OF_USER}`, [userId]);
    return rows.map(({ id }) => id);
  }

  /** Locks the endeavours with a personal policy of the user, who is no admin there. */
  lockEndeavoursWithoutAdmin(userId: string): Promise<{ endeavourId: string; policyId: string }[]> {
    return this.database.query(
      `SELECT e.id AS "endeavourId", p.id AS "policyId" FROM ${UNDER_POLICIES_OF_USER}
         AND NOT EXISTS (SELECT 1 FROM endeavour_grants own
           WHERE own.endeavour_id = e.id AND own.user_id = $1 AND own.rank >= role_rank('admin'))
       ORDER BY e.id FOR NO KEY UPDATE OF e`,
      [userId],
    );
  }

  /** Whether a newer version has replaced the policy. */
  async isReplaced(policyId: string): Promise<boolean> {
    const sql = `SELECT 1 FROM dod_policies WHERE predecessor_id = $1 AND origin = 'custom'`;
    return (await this.database.one(sql, [policyId])) !== undefined;
  }

  /** Replaces the value of a field in the versions that were replaced by newer ones; returns their number. */
  async blankEarlierVersions(policyId: string, field: string, value: string | null): Promise<number> {
    const rows = await this.database.query<{ id: string }>(
      `WITH RECURSIVE chain AS (
         SELECT id, predecessor_id, origin FROM dod_policies WHERE id = $1
         UNION
         SELECT older.id, older.predecessor_id, older.origin FROM chain JOIN dod_policies older
           ON older.id = chain.predecessor_id WHERE chain.origin = 'custom')
       UPDATE dod_policies p SET ${field} = $2
       WHERE p.id IN (SELECT id FROM chain) AND p.origin <> 'template' AND p.${field} IS DISTINCT FROM $2
         AND EXISTS (SELECT 1 FROM dod_policies newer WHERE newer.predecessor_id = p.id AND newer.origin = 'custom')
       RETURNING p.id`,
      [policyId, value],
    );
    if (field === 'name') {
      await this.database.query('UPDATE entities SET title = $2 WHERE id = ANY($1)', [rows.map(({ id }) => id), value]);
    }
    return rows.length;
  }

  /**
   * Returns the id of the policy that is assigned to the endeavour, if the policy belongs to the organization, or to a
   * person who is an admin only through the organization.
   */
  async inForceFrom(endeavourId: string, organizationId: string): Promise<string | undefined> {
    const row = await this.database.one<{ id: string }>(
      `SELECT p.id FROM ${POLICIES_IN_FORCE}
       WHERE e.id = $1 AND (p.organization_id = $2 OR p.container = 'personal' AND NOT EXISTS (
         SELECT 1 FROM endeavour_members m JOIN entities x ON x.owner_user_id = m.user_id
         WHERE x.id = p.id AND m.endeavour_id = e.id AND role_rank(m.role) >= role_rank('admin')))`,
      [endeavourId, organizationId],
    );
    return row?.id;
  }
}
