import { Injectable } from '@nestjs/common';
import { resourcesOf } from '../../access/visibility.js';
import { invalidInput, referenceNotFound, type FieldError } from '../../common/errors.js';
import type { Actor } from '../../platform/events/actor.js';
import { Database } from '../../platform/database/database.js';
import { missingFor, type Candidate } from './assignment.rules.js';

/** Who a field of a body names: a `res_` id, a `usr_` id or `me`; null clears, undefined was not sent. */
export type SentResources = Record<string, string | null | undefined>;

/**
 * SQL: whether resource `r` can be given work of the endeavour: an active person who is a member there, directly or by an
 * organization; an active resource or team of one of its organizations; or one without an organization that belongs to
 * the resource `manager`.
 */
export const isAssignable = (r: string, endeavour: string, manager: string): string => `(
  ${r}.status = 'active' AND ${r}.deleted_at IS NULL AND CASE WHEN ${r}.user_id IS NOT NULL
  THEN EXISTS (SELECT 1 FROM users u JOIN endeavour_grants g ON g.user_id = u.id
    WHERE u.id = ${r}.user_id AND u.status = 'active' AND g.endeavour_id = ${endeavour} AND g.rank >= role_rank('member'))
  ELSE EXISTS (SELECT 1 FROM organization_resources o JOIN organization_endeavours l USING (organization_id)
    WHERE o.resource_id = ${r}.id AND l.endeavour_id = ${endeavour})
    OR (${r}.created_by = ${manager} AND ${r}.organization_id IS NULL)
  END)`;

/** Finds the resources that bodies name, and those that stand for a person. */
@Injectable()
export class AssignmentsService {
  constructor(private readonly database: Database) {}

  /**
   * The resource ids behind the fields of a body. Refuses, for all fields at once, those that cannot be given work of
   * this endeavour, and says of those that the caller sees what is missing. Locked, they cannot be deleted meanwhile.
   */
  async resolve<F extends SentResources>(
    me: Actor,
    endeavourId: string,
    sent: F,
    { isLocked = true } = {},
  ): Promise<F> {
    const named = Object.entries(sent).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    if (named.length === 0) return sent;
    const wanted = named.map(([, ref]) => (ref === 'me' ? me.resourceId : ref));
    const rows = await this.database.query<{ ref: string; id: string }>(
      `SELECT wanted.ref, r.id FROM unnest($1::text[]) AS wanted (ref)
       JOIN resources r ON r.id = wanted.ref OR r.user_id = wanted.ref
       WHERE ${isAssignable('r', '$2', '$3')} ${isLocked ? 'FOR KEY SHARE OF r' : ''}`,
      [wanted, endeavourId, me.resourceId],
    );
    const found = new Map(rows.map(({ ref, id }) => [ref, id]));
    const missing = named.flatMap(([field], i): [string, string][] =>
      found.has(wanted[i]) ? [] : [[field, wanted[i]]],
    );
    if (missing.length > 0) throw invalidInput(await this.faultsOf(me, endeavourId, missing));
    const resolved = named.map(([field], i) => [field, found.get(wanted[i])]);
    return { ...sent, ...Object.fromEntries(resolved) };
  }

  /** The resource that gets handed-back work: its creator, or the caller if the creator cannot be assigned. */
  async handBack(me: Actor, endeavourId: string, creatorId: string): Promise<string> {
    const row = await this.database.one(
      `SELECT 1 FROM resources r WHERE r.id = $1 AND ${isAssignable('r', '$2', '$3')}`,
      [creatorId, endeavourId, me.resourceId],
    );
    return row === undefined ? me.resourceId : creatorId;
  }

  /** The caller's own resource and the teams that it is in. */
  async mine(me: Actor): Promise<string[]> {
    const teams = await this.database.query<{ team_id: string }>(
      'SELECT team_id FROM team_members WHERE resource_id = $1',
      [me.resourceId],
    );
    return [me.resourceId, ...teams.map(({ team_id }) => team_id)];
  }

  /** What is missing of each; what the caller does not see is as good as absent. */
  private async faultsOf(
    me: Actor,
    endeavourId: string,
    missing: readonly [field: string, ref: string][],
  ): Promise<FieldError[]> {
    const rows = await this.database.query<Candidate & { ref: string }>(
      `SELECT wanted.ref, r.user_id, r.status, u.status AS user_status,
         coalesce((SELECT max(g.rank) FROM endeavour_grants g WHERE g.endeavour_id = $2 AND g.user_id = r.user_id), 0) AS rank
       FROM unnest($3::text[]) AS wanted (ref)
       JOIN resources r ON r.id = wanted.ref OR r.user_id = wanted.ref LEFT JOIN users u ON u.id = r.user_id
       WHERE r.deleted_at IS NULL AND (r.id = ANY(ARRAY(${resourcesOf('$1')}))
         OR EXISTS (SELECT 1 FROM users admin WHERE admin.id = $1 AND admin.is_admin))`,
      [me.userId, endeavourId, missing.map(([, ref]) => ref)],
    );
    const seen = new Map(rows.map((row) => [row.ref, row]));
    return missing.map(([field, ref]) => {
      const candidate = seen.get(ref);
      const fault = referenceNotFound(field);
      return candidate === undefined ? fault : { ...fault, message: `${field} ${missingFor(candidate)}` };
    });
  }
}
