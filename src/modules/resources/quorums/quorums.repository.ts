import { Injectable } from '@nestjs/common';
import {
  canAct,
  joinUser,
  personBehind,
  rankToAct,
  wasManagedByOther,
} from '../../../access/visibility/people.view.js';
import { Database } from '../../../platform/database/database.js';
import type { Tally } from './quorum.rules.js';

/** A vote of a team member on a change of the team's work. */
export interface Vote {
  entityId: string;
  teamId: string;
  resourceId: string;
  /** The change: a status, or `owner` and the id of the new owner. */
  target: string;
}

/**
 * The members who can vote: active people of the team who are members of the endeavour of the work `$2`.
 */
const voters = `team_members m JOIN resources p ON p.id = m.resource_id ${joinUser('u', 'p.user_id')}
  WHERE m.team_id = team.id AND p.status = 'active' AND p.deleted_at IS NULL AND ${canAct('u')}
    AND EXISTS (SELECT 1 FROM entities x WHERE x.id = $2 AND ${rankToAct('u', 'x.endeavour_id')} >= role_rank('member'))`;

/** Counts and stores votes. */
@Injectable()
export class QuorumsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Counts the votes of other members for the same change; undefined if the owner is not a team with a quorum.
   * Votes are counted by person. That of an agent counts only while the manager who could give it is its manager.
   */
  tally({ entityId, teamId, resourceId, target }: Vote): Promise<Tally | undefined> {
    return this.database.one<Tally>(
      `SELECT team.quorum,
         $3 IN (SELECT p.id FROM ${voters}) AS "canVote",
         (SELECT count(DISTINCT coalesce(u.manager_id, u.id))::integer FROM ${voters}) AS members,
         (SELECT count(DISTINCT ${personBehind('v.resource_id')})::integer FROM quorum_votes v
          WHERE v.entity_id = $2 AND v.team_id = team.id AND v.lapsed_at IS NULL AND v.target = $4
            AND ${personBehind('v.resource_id')} <> ${personBehind('$3')} AND NOT ${wasManagedByOther('v.resource_id', 'v.cast_at')}
            AND v.resource_id IN (SELECT p.id FROM ${voters})) AS "otherVotes"
       FROM resources team WHERE team.id = $1 AND team.quorum IS NOT NULL AND team.deleted_at IS NULL`,
      [teamId, entityId, resourceId, target],
    );
  }

  /** Stores a vote; it replaces an earlier vote of the same member on the same work. */
  async store({ entityId, teamId, resourceId, target }: Vote): Promise<void> {
    await this.database.query(
      `INSERT INTO quorum_votes (entity_id, team_id, resource_id, target) VALUES ($1, $2, $3, $4)
       ON CONFLICT (entity_id, resource_id) WHERE lapsed_at IS NULL
       DO UPDATE SET team_id = excluded.team_id, target = excluded.target, cast_at = excluded.cast_at`,
      [entityId, teamId, resourceId, target],
    );
  }
}
