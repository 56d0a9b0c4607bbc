import { Injectable } from '@nestjs/common';
import { seenBy } from '../../access/access.js';
import type { Caller } from '../../access/caller.js';
import { invalidField } from '../../common/errors.js';
import { printable } from '../../common/text.js';
import type { ResourceScope } from '../../platform/events/actor.js';
import { Database } from '../../platform/database/database.js';
import { MessagesService } from '../messages/messages.service.js';
import type { Comment } from './comment.entity.js';
import {
  LONGEST_MENTIONED_NAME,
  mayMention,
  mentionableNames,
  mentioned,
  mentionedIds,
  MOST_MENTIONS,
  type Mentionable,
} from './mention.rules.js';

/** The people who have a role where something is, and the other resources there: in the endeavour `$4` or the organization `$5`. */
const IN_PLACE = `
  SELECT u.resource_id FROM endeavour_grants g JOIN users u ON u.id = g.user_id WHERE g.endeavour_id = $4::text
  UNION ALL SELECT m.resource_id FROM organization_endeavours l JOIN organization_resources m USING (organization_id)
    WHERE l.endeavour_id = $4::text AND m.user_id IS NULL
  UNION ALL SELECT m.resource_id FROM organization_resources m WHERE m.organization_id = $5::text`;

/**
 * The names of the text are looked up, not the text searched for each name. IS TRUE keeps the condition from becoming a
 * join, for which the planner might choose nested loops over both: as it stands the names are hashed.
 */
const MENTIONABLE = (me: Caller): string => `
  SELECT r.id, r.name FROM resources r
  WHERE r.id IN (${IN_PLACE}) AND r.deleted_at IS NULL AND char_length(r.name) <= ${LONGEST_MENTIONED_NAME}
    AND (lower(r.name) IN (SELECT lower(named) FROM json_array_elements_text($2::json) named)) IS TRUE
  UNION ALL
  SELECT r.id, x.id FROM entities x JOIN resources r ON r.id = x.id OR r.user_id = x.id
  WHERE x.id = ANY($3::text[]) AND x.kind IN ('resource', 'user') AND ${seenBy(me)}`;

/** Resolves the mentions of comments and notifies the mentioned resources. */
@Injectable()
export class MentionsService {
  constructor(
    private readonly database: Database,
    private readonly messages: MessagesService,
  ) {}

  /** The resources that a text mentions: by name those that belong to the place, by id all that the author sees. */
  async find(me: Caller, content: string, place: ResourceScope): Promise<string[]> {
    if (!mayMention(content)) return [];
    const names = mentionableNames(content);
    const ids = mentionedIds(content);
    if (names.length === 0 && ids.length === 0) return [];
    const { endeavourId, organizationId } = place;
    const people = await this.database.query<Mentionable>(MENTIONABLE(me), [
      me.userId,
      JSON.stringify(names),
      ids,
      endeavourId,
      organizationId,
    ]);
    const found = mentioned(content, people);
    if (found.length <= MOST_MENTIONS) return found;
    const message = `content mentions ${found.length} resources; it can mention at most ${MOST_MENTIONS}.`;
    throw invalidField('content', 'out_of_range', message);
  }

  /** Sends a message to the mentioned resources that have not been notified of the comment before. */
  async notify(
    me: Caller,
    comment: Pick<Comment, 'id' | 'entityId'> & { content: string },
    mentions: string[],
  ): Promise<void> {
    const { id, entityId, content } = comment;
    const others = mentions.filter((one) => one !== me.resourceId);
    if (others.length === 0) return;
    const untold = await this.database.query<{ resourceId: string; title: string }>(
      `WITH told AS (INSERT INTO comment_mentions (comment_id, resource_id) SELECT $1, unnest($2::text[])
                     ON CONFLICT DO NOTHING RETURNING resource_id)
       SELECT told.resource_id AS "resourceId", x.title FROM told JOIN entities x ON x.id = $3`,
      [id, others, entityId],
    );
    if (untold.length === 0) return;
    await this.messages.send(me, {
      recipients: untold.map(({ resourceId }) => resourceId),
      subject: printable(`You were mentioned: ${untold[0].title}`, 500),
      content,
      entityId: id,
    });
  }
}
