import { Injectable } from '@nestjs/common';
import { seenBy } from '../../access/access.js';
import type { Caller } from '../../access/caller.js';
import { printable } from '../../common/text.js';
import type { Place } from '../../platform/changes/actor.js';
import { Database } from '../../platform/database/database.js';
import { MessagesService } from '../messages/messages.service.js';
import type { Comment } from './comment.entity.js';
import { mentioned, mentionedIds, type Mentionable } from './mention.rules.js';

/** The people and other resources that belong where something lies: to the endeavour `$4` or the organization `$5`. */
const IN_PLACE = `
  SELECT u.resource_id FROM endeavour_grants g JOIN users u ON u.id = g.user_id WHERE g.endeavour_id = $4::text
  UNION ALL SELECT m.resource_id FROM organization_endeavours l JOIN organization_resources m USING (organization_id)
    WHERE l.endeavour_id = $4::text
  UNION ALL SELECT m.resource_id FROM organization_resources m WHERE m.organization_id = $5::text`;

/** Whether the text may mention anybody at all. */
export const mayMention = (text: string): boolean => text.includes('@');

/** Tells people that a comment mentions them. */
@Injectable()
export class Mentions {
  constructor(
    private readonly database: Database,
    private readonly messages: MessagesService,
  ) {}

  /** Sends a message to everyone whom the comment mentions and who was not told of it before. */
  async tell(me: Caller, comment: Pick<Comment, 'id' | 'entityId' | 'content'>, place: Place): Promise<void> {
    const { id, entityId, content } = comment;
    if (!mayMention(content)) return;
    const people = mentioned(content, await this.mentionable(me, content, place));
    const untold = await this.database.query<{ resourceId: string; title: string }>(
      `WITH told AS (INSERT INTO comment_mentions (comment_id, resource_id) SELECT $1, unnest($2::text[])
                     ON CONFLICT DO NOTHING RETURNING resource_id)
       SELECT told.resource_id AS "resourceId", x.title FROM told JOIN entities x ON x.id = $3`,
      [id, people.filter((one) => one !== me.resourceId), entityId],
    );
    if (untold.length === 0) return;
    await this.messages.send(me, {
      recipients: untold.map(({ resourceId }) => resourceId),
      subject: printable(`You are mentioned: ${untold[0].title}`, 500),
      content,
      entityId: id,
    });
  }

  /** Whoever is named in the text and belongs there, and whoever the author can see and names by id. */
  private mentionable(me: Caller, text: string, place: Place): Promise<Mentionable[]> {
    return this.database.query<Mentionable>(
      `SELECT r.id, r.name FROM resources r
       WHERE r.id IN (${IN_PLACE}) AND r.deleted_at IS NULL AND strpos(lower($2), '@' || lower(r.name)) > 0
       UNION ALL
       SELECT x.id, x.id FROM entities x WHERE x.id = ANY($3::text[]) AND x.kind = 'resource' AND ${seenBy(me, 'resource')}`,
      [me.userId, text, mentionedIds(text), place.endeavourId, place.organizationId],
    );
  }
}
