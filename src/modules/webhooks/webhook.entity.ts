import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../platform/database/columns/timestamp-column.js';
import { Row } from '../../platform/database/views/rows.js';

/** Reasons for which the service disables a webhook. */
export const DISABLED_REASONS = ['owner_left', 'moved', 'failing', 'gone'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** An address to which the events of an organization or endeavour are sent. */
@Entity('webhooks')
@Check('webhooks_container_check', 'num_nonnulls(organization_id, endeavour_id) = 1')
@Check('webhooks_url_check', 'char_length(url) BETWEEN 1 AND 2048')
@Check('webhooks_events_check', 'cardinality(events) BETWEEN 1 AND 50')
@Check('webhooks_disabled_reason_check', `disabled_reason IN ('${DISABLED_REASONS.join("', '")}')`)
@Check('webhooks_enabled_check', 'NOT is_enabled OR (disabled_reason IS NULL AND deleted_at IS NULL)')
@Index(['organizationId'])
@Index(['endeavourId'])
@Index(['ownerId'])
export class Webhook extends Row {
  @Column('text', { nullable: true })
  @ForeignKey('Organization')
  organizationId: string | null;

  @Column('text', { nullable: true })
  @ForeignKey('Endeavour')
  endeavourId: string | null;

  /** The person whose permissions limit its events: its creator, or the last person who changed it. */
  @Column('text')
  @ForeignKey('Resource')
  ownerId: string;

  @Column('text')
  url: string;

  /** Patterns of event types. */
  @Column('text', { array: true })
  events: string[];

  @Column('text', { nullable: true })
  description: string | null;

  @Column('boolean', { default: true })
  isEnabled: boolean;

  @Column('text', { nullable: true })
  disabledReason: DisabledReason | null;

  @TimestampColumn({ nullable: true })
  deletedAt: Date | null;
}

/** The delivery state of a webhook; separate, so that workers do not change its row and revision. */
@Entity('webhook_states')
@Index('webhook_states_due_at_idx', ['dueAt'], { where: 'due_at IS NOT NULL' })
export class WebhookState {
  @PrimaryColumn('text')
  @ForeignKey('Webhook')
  webhookId: string;

  /** Events after this sequence of the feed are delivered. */
  @Column('bigint')
  since: string;

  /** Events before this time are not delivered, even if they get their sequence later. */
  @TimestampColumn({ default: () => 'clock_timestamp()' })
  beganAt: Date;

  /** The home of the endeavour when the webhook was last enabled or changed. */
  @Column('text', { nullable: true })
  homeId: string | null;

  /** Counts the rotations; the secret is derived from it. */
  @Column('integer', { default: 1 })
  secretVersion: number;

  @TimestampColumn({ nullable: true })
  secretRotatedAt: Date | null;

  /** When the next delivery is due; null if there is none. */
  @TimestampColumn({ nullable: true })
  dueAt: Date | null;

  /** The end of the pause after failed batches. */
  @TimestampColumn({ nullable: true })
  restUntil: Date | null;

  /** Counts the claims, so that a late worker cannot overwrite the results of another. */
  @Column('integer', { default: 0 })
  claim: number;

  /** The end of the current worker's claim, by the database's clock, which all replicas share. */
  @TimestampColumn({ nullable: true })
  lockedUntil: Date | null;

  /** Whether the last batch failed or was slow; such webhooks share a part of the slots. */
  @Column('boolean', { default: false })
  isSlow: boolean;

  /** The number of consecutive failed batches. */
  @Column('integer', { default: 0 })
  failures: number;

  /** The time since which every batch has failed; null after a success. */
  @TimestampColumn({ nullable: true })
  failingSince: Date | null;

  @TimestampColumn({ nullable: true })
  lastSuccessAt: Date | null;

  /** When the receiver accepted a test at the present URL; until then, it gets nothing else. */
  @TimestampColumn({ nullable: true, default: () => 'now()' })
  verifiedAt?: Date | null;
}

/** The position of the fan-out in the feed; one row. */
@Entity('webhook_feed')
@Check('webhook_feed_id_check', 'id')
export class WebhookFeed {
  @PrimaryColumn('boolean', { default: true })
  id: boolean;

  @Column('bigint', { default: 0 })
  position: string;
}
