import { Injectable } from '@nestjs/common';
import type { AuthorizedResource } from '../../access/access.js';
import { forbidden, committing, ApiError } from '../../common/errors.js';
import type { Actor } from '../../platform/events/actor.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import { Database } from '../../platform/database/database.js';
import { describeDetails } from '../../platform/http/document/refusals.js';
import { QUORUM_ACTIONS, shortfallOf, type QuorumAction, type Shortfall, type Tally } from './quorum.rules.js';

/** Work that is about to be changed. */
export interface Motion extends Pick<AuthorizedResource, 'id' | 'kind' | 'place' | 'rank'> {
  row: { ownerId: string };
  /** False if the owner is known not to be a voting team; looked up otherwise. */
  ownerVotes?: boolean;
  /** Only asks what would happen: no vote is stored. */
  isPreview?: boolean;
}

describeDetails(
  'quorum_not_met',
  {
    action: { type: 'string', enum: [...QUORUM_ACTIONS], description: 'The action of the quorum that applies.' },
    current_count: { type: 'integer', description: 'The number of members who have agreed, including you.' },
    required_count: { type: 'integer', description: 'The number of members who must agree.' },
  },
  { action: 'cancel', current_count: 1, required_count: 2 },
);

const ADMIN = 3;

/**
 * The people who can vote, with an agent and its manager as one person: active people of the team who are members of
 * the endeavour of the work `$2`.
 */
const voters = `team_members m JOIN resources p ON p.id = m.resource_id JOIN users u ON u.id = p.user_id
  WHERE m.team_id = team.id AND p.status = 'active' AND p.deleted_at IS NULL AND u.status = 'active'
    AND EXISTS (SELECT 1 FROM entities x JOIN endeavour_grants g ON g.endeavour_id = x.endeavour_id
      WHERE x.id = $2 AND g.user_id = u.id AND g.rank >= role_rank('member'))`;

/** Lets the work of a team move only when enough of its members agree (spec 05). Admins of the endeavour move it alone. */
@Injectable()
export class QuorumsService {
  constructor(
    private readonly database: Database,
    private readonly writer: ResourceWriter,
  ) {}

  /**
   * Accepts the change, or stores the caller's vote and rejects; the vote is kept on purpose. Call this last, so that a
   * call that fails for another reason leaves no vote. The row of the work is locked, so votes are counted one after
   * the other. The last vote executes the change.
   */
  async pass(me: Actor, motion: Motion, action: QuorumAction | 'strictest', to: string): Promise<void> {
    const shortfall = await this.shortfall(me, motion, action, to);
    if (shortfall === undefined) return;
    if (shortfall === 'outsider')
      throw forbidden('the admin role in this endeavour, or to be a member of the team that owns it');
    if (motion.isPreview !== true) await this.vote(me, motion, to);
    throw committing(new ApiError('quorum_not_met', sentenceOf(shortfall), { ...shortfall }));
  }

  /**
   * The same for taking work away from the team or handing it on: otherwise, that would bypass the consent of the team
   * to later changes. The strictest rule of the team applies.
   */
  passTaking(me: Actor, motion: Motion, newOwnerId: string): Promise<void> {
    return this.pass(me, motion, 'strictest', `owner ${newOwnerId}`);
  }

  /** The result of {@link pass} without side effects. */
  async obstacles(
    me: Actor,
    motion: Motion,
    action: QuorumAction,
    to: string,
  ): Promise<{ code: string; message: string }[]> {
    const shortfall = await this.shortfall(me, motion, action, to);
    if (shortfall === undefined) return [];
    if (shortfall !== 'outsider') return [{ code: 'quorum_not_met', message: sentenceOf(shortfall) }];
    return [
      {
        code: 'forbidden',
        message: 'You need the admin role in this endeavour, or to be a member of the team that owns it.',
      },
    ];
  }

  private async shortfall(
    me: Actor,
    { id, rank, row, ownerVotes }: Motion,
    action: QuorumAction | 'strictest',
    to: string,
  ): Promise<Shortfall | 'outsider' | undefined> {
    if (rank >= ADMIN || ownerVotes === false) return undefined;
    const tally = await this.database.one<Tally>(
      `SELECT team.quorum,
         EXISTS (SELECT 1 FROM team_members m WHERE m.team_id = team.id AND m.resource_id = $3) AS "isMember",
         (SELECT count(DISTINCT person_behind(p.id))::integer FROM ${voters}) AS members,
         (SELECT count(DISTINCT person_behind(v.resource_id))::integer FROM quorum_votes v
          WHERE v.entity_id = $2 AND v.team_id = team.id AND v.lapsed_at IS NULL AND v.target = $4
            AND person_behind(v.resource_id) <> person_behind($3) AND v.resource_id IN (SELECT p.id FROM ${voters})) AS "otherVotes"
       FROM resources team WHERE team.id = $1 AND team.quorum IS NOT NULL AND team.deleted_at IS NULL`,
      [row.ownerId, id, me.resourceId, to],
    );
    return tally && shortfallOf(tally, action);
  }

  private async vote(me: Actor, { id, kind, place, row }: Motion, target: string): Promise<void> {
    await this.database.query(
      `INSERT INTO quorum_votes (entity_id, team_id, resource_id, target) VALUES ($1, $2, $3, $4)
       ON CONFLICT (entity_id, resource_id) WHERE lapsed_at IS NULL
       DO UPDATE SET team_id = excluded.team_id, target = excluded.target, cast_at = excluded.cast_at`,
      [id, row.ownerId, me.resourceId, target],
    );
    await this.writer.recordEvent(me, kind, id, place, {
      type: `${kind}.voted`,
      data: { team_id: row.ownerId, target },
    });
  }
}

const sentenceOf = ({ current_count, required_count }: Shortfall): string =>
  `${current_count} of ${required_count} required team members have agreed so far, including you.`;
