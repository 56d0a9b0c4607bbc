import { Injectable } from '@nestjs/common';
import { POLICIES_IN_FORCE } from '../../access/containers.view.js';
import { managerOfResource } from '../../access/people.view.js';
import { ENDEAVOUR_ROLES } from '../../common/roles.js';
import type { Actor } from '../../platform/events/actor.js';
import { Database } from '../../platform/database/database.js';
import type { Condition, ResultFact } from './conditions/condition.js';

/** Reads the roles and conditions that decide who can post results. */
@Injectable()
export class ResultsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Returns the roles of a user in an endeavour, which are all roles up to the user's own and the stakeholder roles, and
   * for an agent the ids of its manager.
   */
  async posterIn(me: Actor, endeavourId: string): Promise<Pick<ResultFact, 'manager_ids' | 'roles'>> {
    const row = await this.database.one<{ rank: number; words: string[] | null; manager_ids: string[] | null }>(
      `SELECT coalesce((SELECT max(g.rank) FROM endeavour_grants g WHERE g.endeavour_id = $1 AND g.user_id = $2), 0)::integer AS rank,
         (SELECT m.stakeholder_roles FROM endeavour_members m WHERE m.endeavour_id = $1 AND m.user_id = $2) AS words,
         ${managerOfResource('$3')} AS manager_ids`,
      [endeavourId, me.userId, me.resourceId],
    );
    const roles = [...ENDEAVOUR_ROLES.slice(0, row?.rank), ...(row?.words ?? [])];
    return { manager_ids: row?.manager_ids ?? null, roles };
  }

  /** Returns the conditions of the policy that is in force in an endeavour. */
  async conditionsOf(endeavourId: string): Promise<Condition[]> {
    const row = await this.database.one<{ conditions: Condition[] }>(
      `SELECT p.conditions FROM ${POLICIES_IN_FORCE} WHERE e.id = $1`,
      [endeavourId],
    );
    return row?.conditions ?? [];
  }
}
