import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { Kind } from '../../common/kinds.js';
import { TimestampColumn } from '../../platform/database/columns/timestamp-column.js';
import { INTENTS, MESSAGE_SCOPES, type Intent, type MessageScope } from './intents.js';

/** The maximum length of a message of the service, which may be a rendered prompt; users can send 50,000 characters. */
export const MAX_SERVICE_MESSAGE_LENGTH = 1_048_576;

/** A message of a user or of the service. A trigger prevents changes. */
@Entity('messages')
@Index('messages_words_idx', { synchronize: false })
@Index(['scopeId'], { where: 'scope_id IS NOT NULL' })
@Index('messages_subject_trigram_idx', { synchronize: false })
@Index('messages_content_trigram_idx', { synchronize: false })
@Check('messages_intent_check', `intent IN ('${INTENTS.join("', '")}')`)
@Check('messages_scope_type_check', `scope_type IN ('${MESSAGE_SCOPES.join("', '")}')`)
@Check('messages_scope_id_check', '(scope_type IS NULL) = (scope_id IS NULL)')
@Check('messages_entity_id_check', '(entity_type IS NULL) = (entity_id IS NULL)')
@Check('messages_subject_check', 'char_length(subject) <= 500')
@Check(
  'messages_content_check',
  `char_length(content) BETWEEN 1 AND CASE WHEN sender_id IS NULL THEN ${MAX_SERVICE_MESSAGE_LENGTH} ELSE 50000 END`,
)
@Check('messages_metadata_check', "jsonb_typeof(metadata) = 'object'")
@Index(['senderId', 'createdAt', 'id'])
@Index(['threadId', 'createdAt', 'id'])
@Index(['entityId'])
@Index(['createdAt', 'id'])
export class Message {
  @PrimaryColumn('text')
  @ForeignKey('EntityRow')
  id: string;

  @TimestampColumn({ default: () => 'clock_timestamp()' })
  createdAt: Date;

  /** Null for messages of the service. */
  @Column('text', { nullable: true })
  @ForeignKey('Resource')
  senderId: string | null;

  @Column('text', { nullable: true })
  subject: string | null;

  @Column('text')
  content: string;

  @Column('text', { default: 'info' })
  intent: Intent;

  @Column('text', { nullable: true })
  @ForeignKey('Message')
  replyToId: string | null;

  /** The first message of the thread; the message's own id if it starts the thread. */
  @Column('text')
  @ForeignKey('Message')
  threadId: string;

  @Column('text', { nullable: true })
  entityType: Kind | null;

  /** The entity that the message is about. */
  @Column('text', { nullable: true })
  @ForeignKey('EntityRow')
  entityId: string | null;

  @Column('text', { nullable: true })
  scopeType: MessageScope | null;

  @Column('text', { nullable: true })
  @ForeignKey('EntityRow')
  scopeId: string | null;

  @Column('jsonb', { default: {} })
  metadata: Record<string, unknown>;

  @Column('integer', { default: 0 })
  recipientCount: number;

  /** The ids of the first ten recipients by name, as it was when the message was sent. */
  @Column('text', { array: true, default: [] })
  firstRecipients: string[];

  /** Whether the message is no longer visible to its sender: an agent that another person manages since. */
  @Column('boolean', { default: false })
  closedToSender: boolean;

  /** The full-text search index; maintained by a trigger. */
  @Column('tsvector', { nullable: true, select: false })
  words?: string;
}
