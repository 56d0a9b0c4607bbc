import { Injectable } from '@nestjs/common';
import type { AuthorizedResource } from '../../../access/access.js';
import { assertByManager } from '../../../access/memberships/agents.js';
import { forbidden, committing, ApiError } from '../../../common/errors.js';
import type { Actor } from '../../../platform/context/actor.js';
import { EventRecorder } from '../../../platform/events/event-recorder.js';
import { describeDetails } from '../../../platform/http/openapi/refusals.js';
import { QUORUM_ACTIONS, shortfallOf, type QuorumAction, type Shortfall } from './quorum.rules.js';
import { QuorumsRepository, type Vote } from './quorums.repository.js';
import type { WorkPeople } from '../assignments/work-roles.js';

/** A task or demand that is about to be changed. */
export interface QuorumSubject extends Pick<AuthorizedResource, 'id' | 'kind' | 'place' | 'rank'> {
  row: WorkPeople;
  /** False if the owner is known not to be a voting team; looked up otherwise. */
  ownerVotes?: boolean;
  /** Only checks the change; no vote is stored. */
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
 * Enforces that enough members of a team agree to a change of its work (spec 05). Admins of the endeavour need no
 * votes.
 */
@Injectable()
export class QuorumsService {
  constructor(
    private readonly quorums: QuorumsRepository,
    private readonly events: EventRecorder,
  ) {}

  /**
   * Accepts the change if the quorum is met by the caller's vote. Otherwise stores the vote and rejects; the rejection
   * commits the vote. Call this last, so that a request that fails for another reason leaves no vote. The row of the
   * work must be locked, so that concurrent votes are counted one after the other.
   */
  async requireQuorum(
    me: Actor,
    subject: QuorumSubject,
    action: QuorumAction | 'strictest',
    to: string,
  ): Promise<void> {
    const shortfall = await this.shortfall(me, subject, action, to);
    if (shortfall === undefined) return;
    if (shortfall === 'outsider') {
      assertByManager(me);
      throw forbidden('the admin role in this endeavour, or to be an active member of the team that owns it');
    }
    if (subject.isPreview !== true) await this.vote(me, subject, to);
    throw committing(new ApiError('quorum_not_met', messageOf(shortfall), { ...shortfall }));
  }

  /**
   * Requires the strictest rule of the team for a change of owner, because a new owner could make later changes without
   * the votes of the team.
   */
  requireQuorumForNewOwner(me: Actor, subject: QuorumSubject, newOwnerId: string): Promise<void> {
    return this.requireQuorum(me, subject, 'strictest', `owner ${newOwnerId}`);
  }

  /** The reasons for which {@link requireQuorum} would reject the change; stores no vote. */
  async obstacles(
    me: Actor,
    subject: QuorumSubject,
    action: QuorumAction,
    to: string,
  ): Promise<{ code: string; message: string }[]> {
    const shortfall = await this.shortfall(me, subject, action, to);
    if (shortfall === undefined) return [];
    if (shortfall !== 'outsider') return [{ code: 'quorum_not_met', message: messageOf(shortfall) }];
    return [
      {
        code: 'forbidden',
        message: 'You need the admin role in this endeavour, or to be an active member of the team that owns it.',
      },
    ];
  }

  private async shortfall(
    me: Actor,
    subject: QuorumSubject,
    action: QuorumAction | 'strictest',
    to: string,
  ): Promise<Shortfall | 'outsider' | undefined> {
    if (subject.rank >= ADMIN || subject.ownerVotes === false) return undefined;
    const tally = await this.quorums.tally(voteOf(me, subject, to));
    // The vote of an agent is that of its manager.
    return tally && shortfallOf({ ...tally, canVote: tally.canVote && me.isByOtherAdmin !== true }, action);
  }

  private async vote(me: Actor, subject: QuorumSubject, target: string): Promise<void> {
    const { id, kind, place, row } = subject;
    await this.quorums.store(voteOf(me, subject, target));
    await this.events.record(me, kind, id, place, {
      type: `${kind}.voted`,
      data: { team_id: row.ownerId, target },
    });
  }
}

const voteOf = (me: Actor, { id, row }: QuorumSubject, target: string): Vote => ({
  entityId: id,
  teamId: row.ownerId,
  resourceId: me.resourceId,
  target,
});

const messageOf = ({ current_count, required_count }: Shortfall): string =>
  `${current_count} of ${required_count} required team members have agreed so far, including you.`;
