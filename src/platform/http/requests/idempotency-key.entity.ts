import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../database/columns/timestamp-column.js';

/**
 * The first successful response under a key, stored for 24 hours with the permissions that the request needed (spec 01).
 */
@Entity('idempotency_keys')
@Check('idempotency_keys_status_check', 'status BETWEEN 200 AND 299')
export class IdempotencyKey {
  @PrimaryColumn('text')
  userId: string;

  @PrimaryColumn('text')
  key: string;

  @Column('text')
  fingerprint: string;

  @Column('integer')
  status: number;

  @Column('jsonb')
  headers: Record<string, string>;

  @Column('text')
  body: string;

  /** The entities and roles that the request required; checked again before the response is repeated. */
  @Column('jsonb')
  required: unknown;

  @TimestampColumn({ default: () => 'now()' })
  @Index()
  createdAt: Date;
}
