import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/authentication/caller.js';
import { invalidField } from '../../common/errors.js';
import { printable } from '../../common/texts/text.js';
import type { ResourceScope } from '../../platform/context/actor.js';
import { MessagesService } from '../messages/messages.service.js';
import type { Comment } from './comment.entity.js';
import { CommentsRepository } from './comments.repository.js';
import { withoutQuotes } from '../../common/texts/quoted-text.js';
import { mayMention, mentionableNames, mentioned, mentionedIds, MAX_MENTIONS } from './mention.rules.js';

/** Resolves the mentions of comments and notifies the mentioned resources. */
@Injectable()
export class MentionsService {
  constructor(
    private readonly comments: CommentsRepository,
    private readonly messages: MessagesService,
  ) {}

  /** Returns the resources that a text mentions and the author can see: by name in the container, by id anywhere. */
  async find(me: Caller, content: string, place: ResourceScope): Promise<string[]> {
    if (!mayMention(content)) return [];
    const text = withoutQuotes(content);
    const names = mentionableNames(text);
    const ids = mentionedIds(text);
    if (names.length === 0 && ids.length === 0) return [];
    const resourceIds = mentioned(text, await this.comments.mentionable(me, place, { names, ids }));
    if (resourceIds.length <= MAX_MENTIONS) return resourceIds;
    const message = `content mentions ${resourceIds.length} resources; it can mention at most ${MAX_MENTIONS}.`;
    throw invalidField('content', 'out_of_range', message);
  }

  /**
   * Sends a message to the mentioned resources that have not been notified of the comment before. A mentioned team stands
   * for its members who have a role in the container of the comment, because the message repeats the comment.
   */
  async notify(
    me: Caller,
    comment: Pick<Comment, 'id' | 'entityId'> & { content: string; place: ResourceScope },
    mentions: string[],
  ): Promise<void> {
    const others = mentions.filter((id) => id !== me.resourceId);
    if (others.length === 0) return;
    const added = await this.comments.recordMentions(comment, others);
    if (added.length === 0) return;
    await this.messages.send(me, {
      recipients: added.map(({ resourceId }) => resourceId),
      teamsIn: comment.place.endeavourId ?? comment.place.organizationId,
      subject: printable(`You were mentioned: ${added[0].title}`, 500),
      content: comment.content,
      entityId: comment.id,
    });
  }
}
