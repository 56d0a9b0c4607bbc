import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../../platform/database/columns/timestamp-column.js';

export const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed', 'skipped'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** The delivery of an event or a test to a webhook. The message is read from the feed at each attempt. */
@Entity('webhook_deliveries')
@Check('webhook_deliveries_status_check', `status IN ('${DELIVERY_STATUSES.join("', '")}')`)
@Check('webhook_deliveries_finished_at_check', "(status = 'pending') = (finished_at IS NULL)")
@Check('webhook_deliveries_due_at_check', "due_at IS NULL OR status = 'pending'")
@Index(['webhookId', 'createdAt', 'id'])
@Index(['createdAt'])
@Index('webhook_deliveries_due_at_idx', ['webhookId', 'dueAt'], { where: 'due_at IS NOT NULL' })
@Index('webhook_deliveries_order_key_idx', ['webhookId', 'orderKey', 'sequence'], {
  where: "status = 'pending' AND order_key IS NOT NULL",
})
export class WebhookDelivery {
  @PrimaryColumn('text')
  id: string;

  @Column('text')
  @ForeignKey('Webhook')
  webhookId: string;

  @Column('text')
  type: string;

  /** The event, its entity and its sequence in the feed; null for a test. */
  @Column('text', { nullable: true })
  eventId: string | null;

  @Column('text', { nullable: true })
  entityId: string | null;

  @Column('bigint', { nullable: true })
  sequence: string | null;

  /** Deliveries of a webhook with the same key are sent one after the other; null for tests and redeliveries. */
  @Column('text', { nullable: true })
  orderKey: string | null;

  @Column('text', { nullable: true })
  redeliveryOf: string | null;

  @Column('text', { default: 'pending' })
  status: DeliveryStatus;

  @Column('integer', { default: 0 })
  attempts: number;

  /** When the next attempt is due; null if the delivery has ended or waits for an earlier one with the same key. */
  @TimestampColumn({ nullable: true })
  dueAt: Date | null;

  @TimestampColumn({ nullable: true })
  attemptedAt: Date | null;

  @Column('integer', { nullable: true })
  responseStatus: number | null;

  @Column('integer', { nullable: true })
  responseMs: number | null;

  @Column('text', { nullable: true })
  responseBody: string | null;

  @Column('text', { nullable: true })
  error: string | null;

  @TimestampColumn({ default: () => 'clock_timestamp()' })
  createdAt: Date;

  @TimestampColumn({ nullable: true })
  finishedAt: Date | null;
}
