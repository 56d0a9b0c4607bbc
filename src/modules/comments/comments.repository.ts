import { Injectable } from '@nestjs/common';
import {
  isAdministrator,
  joinResourceBehind,
  joinUser,
  resourcesAmong,
  resourcesWithIds,
} from '../../access/visibility/people.view.js';
import { isVisibleTo } from '../../access/visibility/access-statements.js';
import { visible } from '../../access/visibility/visibility.js';
import type { Caller } from '../../access/authentication/caller.js';
import type { ResourceScope } from '../../platform/context/actor.js';
import { Database } from '../../platform/database/database.js';
import { Comment } from './comment.entity.js';
import type { Mentionable } from './mention.rules.js';

/** SQL: the resources of the users with a role in the endeavour `$4` or the organization `$5`, and other resources there. */
const IN_CONTAINER = `
  SELECT u.resource_id FROM endeavour_grants g ${joinUser('u', 'g.user_id')} WHERE g.endeavour_id = $4::text
  UNION ALL SELECT m.resource_id FROM organization_endeavours l JOIN organization_resources m USING (organization_id)
    WHERE l.endeavour_id = $4::text AND m.user_id IS NULL
  UNION ALL SELECT m.resource_id FROM organization_resources m WHERE m.organization_id = $5::text`;

/**
 * A statement for the visible resources with one of the names `$2` or ids `$3`, each with the name as it was sent. Names
 * are looked up, instead of searching the text for the name of each resource. `MATERIALIZED` limits the question who is
 * visible to the resources with these names.
 */
const MENTIONABLE = (me: Caller): string => `
  WITH sent AS MATERIALIZED (
    SELECT word, fold_name(word) AS folded FROM json_array_elements_text($2::json) word),
  named AS MATERIALIZED (
    SELECT r.id, fold_name(r.name) AS folded FROM ${resourcesWithIds('r', IN_CONTAINER)} AND r.deleted_at IS NULL
      AND fold_name(r.name) = ANY(ARRAY(SELECT folded FROM sent)))
  SELECT named.id, sent.word AS name FROM named JOIN sent USING (folded) JOIN entities x ON x.id = named.id
  WHERE ${isVisibleTo(me, 'resource')}
  UNION ALL
  SELECT r.id, x.id FROM entities x ${joinResourceBehind('r', 'x.id')}
  WHERE x.id = ANY($3::text[]) AND x.kind IN ('resource', 'user') AND ${isVisibleTo(me)}`;

/**
 * SQL: whether the resource `r` may read the comments on the entity `$3`. Outside of endeavours and organizations, the
 * service does not know which members of a team may, so a team is not told there.
 */
const MAY_BE_TOLD = `EXISTS (SELECT 1 FROM entities x WHERE x.id = $3 AND CASE WHEN r.type = 'team'
    THEN x.endeavour_id IS NOT NULL OR x.organization_id IS NOT NULL
    ELSE r.user_id IS NOT NULL AND (${isAdministrator('r.user_id')} OR ${visible('x', 'r.user_id')}) END)`;

/** A comment that comes from an import. */
export interface PresentComment {
  id: string;
  entityId: string;
  key: string;
  /** Null if it is deleted. */
  content: string | null;
  authorId: string;
  isDeleted: boolean;
  /** Whether its text was changed since. */
  isEdited: boolean;
}

/** Reads and writes comments, their earlier texts and their mentions. */
@Injectable()
export class CommentsRepository {
  constructor(private readonly database: Database) {}

  /** Returns the entity of a comment; undefined if the comment is deleted. */
  async entityIdOf(id: string): Promise<string | undefined> {
    const row = await this.database.one<{ entityId: string }>(
      'SELECT entity_id AS "entityId" FROM comments WHERE id = $1 AND deleted_at IS NULL',
      [id],
    );
    return row?.entityId;
  }

  /** Returns the first comment in the thread of a comment; undefined if the comment is not on that entity or is deleted. */
  async threadOf(commentId: string, entityId: string): Promise<string | undefined> {
    const row = await this.database.one<{ thread: string }>(
      `SELECT coalesce(reply_to_id, id) AS thread FROM comments
       WHERE id = $1 AND entity_id = $2 AND deleted_at IS NULL FOR SHARE`,
      [commentId, entityId],
    );
    return row?.thread;
  }

  /** Deletes the earlier texts of a comment and returns them. */
  async deleteEarlierTexts(commentId: string): Promise<string[]> {
    const earlier = await this.database.query<{ content: string }>(
      'DELETE FROM comment_texts WHERE comment_id = $1 RETURNING content',
      [commentId],
    );
    return earlier.map(({ content }) => content);
  }

  /** Replaces the earlier texts of a comment and returns them. */
  async replaceEarlierTexts(commentId: string, replacement: string): Promise<string[]> {
    const rows = await this.database.query<{ content: string }>(
      `WITH earlier AS (SELECT id, content FROM comment_texts WHERE comment_id = $1 AND content <> $2 FOR UPDATE)
       UPDATE comment_texts t SET content = $2 FROM earlier WHERE earlier.id = t.id RETURNING earlier.content`,
      [commentId, replacement],
    );
    return rows.map(({ content }) => content);
  }

  /** Returns the imported comments on these entities. */
  importedTo(entityIds: readonly string[]): Promise<PresentComment[]> {
    return this.database.query<PresentComment>(
      `SELECT c.id, c.entity_id AS "entityId", c.metadata ->> 'import_key' AS key, c.content,
         c.author_id AS "authorId", c.deleted_at IS NOT NULL AS "isDeleted",
         EXISTS (SELECT 1 FROM comment_texts h WHERE h.comment_id = c.id) AS "isEdited"
       FROM comments c WHERE c.entity_id = ANY($1::text[]) AND c.metadata ? 'import_key'`,
      [entityIds],
    );
  }

  /** Locks the comment. */
  lock(id: string): Promise<Comment> {
    return this.database.row(Comment, id, { locked: true });
  }

  /** Returns the visible resources with these names in the container, and those with these ids anywhere. */
  mentionable(
    me: Caller,
    { endeavourId, organizationId }: ResourceScope,
    { names, ids }: { names: readonly string[]; ids: readonly string[] },
  ): Promise<Mentionable[]> {
    return this.database.query<Mentionable>(MENTIONABLE(me), [
      me.userId,
      JSON.stringify(names),
      ids,
      endeavourId,
      organizationId,
    ]);
  }

  /**
   * Records the mentions of a comment of people who can see its entity, and of teams, whose members are checked when they
   * receive the message; returns the new ones, each with the title of the entity.
   */
  recordMentions(
    { id, entityId }: Pick<Comment, 'id' | 'entityId'>,
    resourceIds: readonly string[],
  ): Promise<{ resourceId: string; title: string }[]> {
    return this.database.query<{ resourceId: string; title: string }>(
      `WITH told AS (
         INSERT INTO comment_mentions (comment_id, resource_id)
         SELECT $1, r.id FROM ${resourcesAmong('r', '$2::text[]')} AND ${MAY_BE_TOLD}
         ON CONFLICT DO NOTHING RETURNING resource_id)
       SELECT told.resource_id AS "resourceId", x.title FROM told JOIN entities x ON x.id = $3`,
      [id, resourceIds, entityId],
    );
  }
}
