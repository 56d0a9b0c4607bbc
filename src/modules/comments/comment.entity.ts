import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { TimestampColumn } from '../../platform/database/columns/timestamp-column.js';
import { Row } from '../../platform/database/views/rows.js';

/** The kinds that can have comments. */
export const COMMENTED_KINDS = [
  'task',
  'demand',
  'endeavour',
  'artifact',
  'ritual',
  'organization',
  'dod_policy',
  'template',
] as const;
export type CommentedKind = (typeof COMMENTED_KINDS)[number];

/** A comment on an entity. A trigger stores its earlier texts. */
@Entity('comments')
@Index('comments_words_idx', { synchronize: false })
@Index('comments_content_trigram_idx', { synchronize: false })
@Check('comments_entity_type_check', `entity_type IN ('${COMMENTED_KINDS.join("', '")}')`)
@Check('comments_deleted_at_check', 'content IS NOT NULL OR deleted_at IS NOT NULL')
@Check('comments_content_check', 'char_length(content) BETWEEN 1 AND 50000')
@Check('comments_reply_to_id_check', 'reply_to_id <> id')
@Check('comments_metadata_check', "jsonb_typeof(metadata) = 'object'")
@Index(['entityId', 'createdAt', 'id'])
@Index(['authorId', 'createdAt', 'id'])
@Index(['createdAt', 'id'])
@Index(['replyToId'])
// A reply is on the same entity as its parent.
@Unique(['id', 'entityId'])
@ForeignKey('Comment', ['replyToId', 'entityId'], ['id', 'entityId'])
export class Comment extends Row {
  @Column('text')
  entityType: CommentedKind;

  @Column('text')
  @ForeignKey('EntityRow')
  entityId: string;

  /** The first comment of the thread; null for that comment itself. Threads have one level. */
  @Column('text', { nullable: true })
  replyToId: string | null;

  /** Null once the comment is deleted. */
  @Column('text', { nullable: true })
  content: string | null;

  /** Whether a reader sees anything of its content; only such comments count in the Definition of Done. */
  @Column('boolean', { default: true })
  showsText: boolean;

  @Column('text')
  @ForeignKey('Resource')
  authorId: string;

  /** The rule that wrote it in the name of its author; such a comment is no evidence. */
  @Column('text', { nullable: true, default: () => 'acting_rule()' })
  ruleId: string | null;

  @Column('jsonb', { default: {} })
  metadata: Record<string, unknown>;

  @TimestampColumn({ nullable: true })
  editedAt: Date | null;

  /** Set when the comment is deleted; a deleted comment keeps its position in the thread. */
  @TimestampColumn({ nullable: true })
  deletedAt: Date | null;

  /** The full-text search index; maintained by a trigger. */
  @Column('tsvector', { nullable: true, select: false })
  words?: string;
}
