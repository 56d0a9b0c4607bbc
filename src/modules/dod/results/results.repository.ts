import { Injectable } from '@nestjs/common';
import { POLICIES_IN_FORCE } from '../../../access/visibility/containers.view.js';
import { personBehind } from '../../../access/visibility/people.view.js';
import { ENDEAVOUR_ROLES } from '../../../common/roles.js';
import type { Actor } from '../../../platform/context/actor.js';
import { Database } from '../../../platform/database/database.js';
import type { Condition, ResultFact, TaskFacts } from '../conditions/condition.js';
import { namedResources } from '../named-resources.view.js';

/** Reads the roles and conditions that decide who can post results. */
@Injectable()
export class ResultsRepository {
  constructor(private readonly database: Database) {}

  /** Returns the roles of a user in an endeavour: all up to the user's own, and the stakeholder roles; and its person. */
  async posterIn(me: Actor, endeavourId: string): Promise<Pick<ResultFact, 'person_id' | 'roles'>> {
    const row = await this.database.one<{ rank: number; words: string[] | null; person_id: string }>(
      `SELECT coalesce((SELECT max(g.rank) FROM endeavour_grants g WHERE g.endeavour_id = $1 AND g.user_id = $2), 0)::integer AS rank,
         (SELECT m.stakeholder_roles FROM endeavour_members m WHERE m.endeavour_id = $1 AND m.user_id = $2) AS words,
         ${personBehind('$3')} AS person_id`,
      [endeavourId, me.userId, me.resourceId],
    );
    const roles = [...ENDEAVOUR_ROLES.slice(0, row?.rank), ...(row?.words ?? [])];
    return { person_id: row?.person_id ?? me.resourceId, roles };
  }

  /** Returns the conditions of the policy that is in force in an endeavour, and the resources that they name. */
  async conditionsOf(
    endeavourId: string,
  ): Promise<Pick<TaskFacts, 'namedResources'> & { conditions: readonly Condition[] }> {
    const row = await this.database.one<{ conditions: Condition[]; people: TaskFacts['namedResources'] | null }>(
      `SELECT p.conditions, (${namedResources('p.conditions')}) AS people FROM ${POLICIES_IN_FORCE} WHERE e.id = $1`,
      [endeavourId],
    );
    return { conditions: row?.conditions ?? [], namedResources: row?.people ?? {} };
  }
}
