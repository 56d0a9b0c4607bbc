import { Injectable } from '@nestjs/common';
import { actsAsAdministrator, leftJoinUser } from '../../../access/visibility/people.view.js';
import { resourcesOf } from '../../../access/visibility/visibility.js';
import type { Actor } from '../../../platform/context/actor.js';
import { Database } from '../../../platform/database/database.js';
import { isAssignable } from './assignable.view.js';
import type { AssigneeCandidate } from './assignment.rules.js';

/** Finds the resources that can be assigned to work of an endeavour. */
@Injectable()
export class AssignmentsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Resolves `res_` and `usr_` ids to resources that can be assigned in the endeavour, by the given id; other ids are
   * absent. With `isLocked`, the resources cannot be deleted until the transaction ends.
   */
  async findAssignable(
    me: Actor,
    endeavourId: string,
    refs: readonly string[],
    { isLocked }: { isLocked: boolean },
  ): Promise<Map<string, string>> {
    const rows = await this.database.query<{ ref: string; id: string }>(
      `SELECT wanted.ref, r.id FROM unnest($1::text[]) AS wanted (ref)
       JOIN resources r ON r.id = wanted.ref OR r.user_id = wanted.ref
       WHERE ${isAssignable('r', '$2', '$3')} ${isLocked ? 'FOR KEY SHARE OF r' : ''}`,
      [refs, endeavourId, me.resourceId],
    );
    return new Map(rows.map(({ ref, id }) => [ref, id]));
  }

  async isAssignable(me: Pick<Actor, 'resourceId'>, endeavourId: string, resourceId: string): Promise<boolean> {
    const row = await this.database.one(
      `SELECT 1 FROM resources r WHERE r.id = $1 AND ${isAssignable('r', '$2', '$3')}`,
      [resourceId, endeavourId, me.resourceId],
    );
    return row !== undefined;
  }

  /** The resources with these `res_` and `usr_` ids that are visible to the caller, by the given id. */
  async visibleCandidates(
    me: Actor,
    endeavourId: string,
    refs: readonly string[],
  ): Promise<Map<string, AssigneeCandidate>> {
    const rows = await this.database.query<AssigneeCandidate & { ref: string }>(
      `SELECT wanted.ref, r.user_id, r.status, u.status AS user_status,
         coalesce((SELECT max(g.rank) FROM endeavour_grants g WHERE g.endeavour_id = $2 AND g.user_id = r.user_id), 0) AS rank
       FROM unnest($3::text[]) AS wanted (ref)
       JOIN resources r ON r.id = wanted.ref OR r.user_id = wanted.ref ${leftJoinUser('u', 'r.user_id')}
       WHERE r.deleted_at IS NULL AND (r.id = ANY(ARRAY(${resourcesOf('$1')}))
         OR ${actsAsAdministrator('$1')})`,
      [me.userId, endeavourId, refs],
    );
    return new Map(rows.map((row) => [row.ref, row]));
  }
}
