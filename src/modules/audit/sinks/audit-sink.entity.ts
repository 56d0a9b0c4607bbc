import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../../platform/database/columns/timestamp-column.js';

/** How far a receiver of the audit has taken its sealed entries. */
@Entity('audit_sinks')
@Check('audit_sinks_position_check', 'position >= 0')
@Check(
  'audit_sinks_failures_check',
  `(failures > 0) = (retry_at IS NOT NULL) AND (failures > 0) = (last_error IS NOT NULL) AND failures >= 0`,
)
export class AuditSinkState {
  /** Protocol, host and port of AUDIT_SINK, which stay when its path or its headers get a new key. */
  @PrimaryColumn('text')
  target: string;

  /** The position of the last seal whose entry was taken. */
  @Column('bigint')
  position: string;

  /** The number of attempts that failed since one succeeded. */
  @Column('integer', { default: 0 })
  failures: number;

  @Column('text', { nullable: true })
  lastError: string | null;

  @TimestampColumn({ nullable: true })
  retryAt: Date | null;

  @TimestampColumn({ default: () => 'clock_timestamp()' })
  updatedAt: Date;
}
