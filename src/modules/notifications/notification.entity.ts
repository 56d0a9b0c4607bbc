import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { NOTIFICATION_KINDS, type NotificationKind } from '../../common/notifications.js';
import type { Kind } from '../../common/kinds.js';
import { TimestampColumn } from '../../platform/database/columns/timestamp-column.js';

/** A notification for a user about the events of an entity on one day; derived from the feed. */
@Entity('notifications')
@Check('notifications_kinds_check', `kinds <@ '{${NOTIFICATION_KINDS.join(',')}}' AND cardinality(kinds) > 0`)
@Check('notifications_count_check', 'count > 0')
@Index(['userId', 'entityId', 'day'], { unique: true })
@Index(['userId', 'occurredAt', 'id'])
@Index('notifications_unread_idx', ['userId', 'occurredAt', 'id'], { where: 'read_at IS NULL' })
@Index('notifications_mail_idx', ['mailWantedAt'], { where: 'mail_wanted_at IS NOT NULL AND mailed_at IS NULL' })
@Index('notifications_mailed_idx', ['userId', 'mailedAt'], { where: 'mailed_at IS NOT NULL' })
@Index(['entityId'])
@Index(['sourceId'], { where: 'source_id IS NOT NULL' })
@Index(['occurredAt'])
export class Notification {
  @PrimaryColumn('text')
  id: string;

  @Column('text')
  @ForeignKey('User')
  userId: string;

  @Column('text')
  @ForeignKey('EntityRow')
  entityId: string;

  @Column('text')
  entityType: Kind;

  /** The day in UTC; all events of an entity on a day are one notification. */
  @Column('date')
  day: string;

  /** The reasons since it was last read, in order. */
  @Column('text', { array: true })
  kinds: NotificationKind[];

  @Column('integer', { default: 1 })
  count: number;

  /** The resource that caused the latest event. */
  @Column('text', { nullable: true })
  @ForeignKey('Resource')
  actorId: string | null;

  /** The comment, approval or other entity that caused it, if that is not the entity itself. */
  @Column('text', { nullable: true })
  sourceId: string | null;

  @TimestampColumn()
  occurredAt: Date;

  @TimestampColumn({ nullable: true })
  readAt: Date | null;

  /** The time since which it waits for a mail. */
  @TimestampColumn({ nullable: true })
  mailWantedAt: Date | null;

  @TimestampColumn({ nullable: true })
  mailedAt: Date | null;
}

/** The last processed feed entry and due date; a single row. */
@Entity('notification_feed')
@Check('notification_feed_id_check', 'id')
export class NotificationFeed {
  @PrimaryColumn('boolean', { default: true })
  id: boolean;

  @Column('bigint', { default: 0 })
  position: string;

  @TimestampColumn()
  dueUntil: Date;

  /** The last processed task among those that are due at that time. */
  @Column('text', { default: '' })
  dueTaskId: string;
}
