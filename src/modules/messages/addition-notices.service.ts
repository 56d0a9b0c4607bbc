import { Injectable } from '@nestjs/common';
import { InvitationLimit } from '../../access/memberships/invitation-limit.js';
import { printable } from '../../common/texts/text.js';
import type { Actor } from '../../platform/context/actor.js';
import { MessagesRepository } from './messages.repository.js';
import { MessagesService } from './messages.service.js';

/** The addition of a resource to a container or team. */
interface Addition {
  resourceId: string;
  userId: string | null;
  /** An organization, endeavour or team. */
  to: string;
  role: string | null;
}

/** Notifies people who were added without an invitation (spec 02, Consent), and limits such additions. */
@Injectable()
export class AdditionNoticesService {
  constructor(
    private readonly limit: InvitationLimit,
    private readonly messages: MessagesService,
    private readonly repository: MessagesRepository,
  ) {}

  async notify(me: Actor, { resourceId, userId, to, role }: Addition): Promise<void> {
    if (userId === null || userId === me.userId) return;
    if (me.isDirectory !== true) await this.limit.consumeAddition(me.userId);
    const container = await this.repository.kindAndTitleOf(to);
    if (container === undefined) return;
    const type = container.kind === 'resource' ? 'team' : container.kind;
    const name = `the ${type} ${container.title}`;
    await this.messages.send(null, {
      recipients: [resourceId],
      subject: printable(`You were added to ${name}`, 500),
      content: `${me.name} added you to ${name}${role === null ? '' : ` as ${role}`}.`,
      entityId: to,
    });
  }
}
