import { Injectable } from '@nestjs/common';
import type { AuthorizedResource } from '../../access/access.js';
import { forbidden, committing, ApiError } from '../../common/errors.js';
import type { Actor } from '../../platform/events/actor.js';
import { EventRecorder } from '../../platform/events/event-recorder.js';
import { describeDetails } from '../../platform/http/document/refusals.js';
import { QUORUM_ACTIONS, shortfallOf, type QuorumAction, type Shortfall } from './quorum.rules.js';
import { QuorumsRepository, type Vote } from './quorums.repository.js';

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

/** Lets the work of a team move only when enough of its members agree (spec 05). Admins of the endeavour move it alone. */
@Injectable()
export class QuorumsService {
  constructor(
    private readonly quorums: QuorumsRepository,
    private readonly events: EventRecorder,
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
    motion: Motion,
    action: QuorumAction | 'strictest',
    to: string,
  ): Promise<Shortfall | 'outsider' | undefined> {
    if (motion.rank >= ADMIN || motion.ownerVotes === false) return undefined;
    const tally = await this.quorums.tally(voteOf(me, motion, to));
    return tally && shortfallOf(tally, action);
  }

  private async vote(me: Actor, motion: Motion, target: string): Promise<void> {
    const { id, kind, place, row } = motion;
    await this.quorums.store(voteOf(me, motion, target));
    await this.events.record(me, kind, id, place, {
      type: `${kind}.voted`,
      data: { team_id: row.ownerId, target },
    });
  }
}

const voteOf = (me: Actor, { id, row }: Motion, target: string): Vote => ({
  entityId: id,
  teamId: row.ownerId,
  resourceId: me.resourceId,
  target,
});

const sentenceOf = ({ current_count, required_count }: Shortfall): string =>
  `${current_count} of ${required_count} required team members have agreed so far, including you.`;
