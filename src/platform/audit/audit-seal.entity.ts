import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../database/timestamp-column.js';

/** The place of a committed entry in the chain: each hash covers the entry and the hash before it. */
@Entity('audit_seals')
@Index(['entryId'], { unique: true })
@Index(['sealedAt'])
export class AuditSeal {
  /** Counts up by one. */
  @PrimaryColumn('bigint')
  position: string;

  @Column('text')
  entryId: string;

  @Column('text')
  hash: string;

  @TimestampColumn({ default: () => 'clock_timestamp()' })
  sealedAt: Date;
}

/** An entry that has no seal yet; written with the entry. */
@Entity('audit_unsealed')
export class UnsealedEntry {
  @PrimaryColumn('text')
  @ForeignKey('AuditEntry', 'id', { onDelete: 'CASCADE' })
  entryId: string;
}

/** What is left of entries that are no longer kept: where the chain stood behind them, signed. */
@Entity('audit_checkpoints')
export class AuditCheckpoint {
  /** The position of the last seal that is gone. */
  @PrimaryColumn('bigint')
  position: string;

  @Column('text')
  hash: string;

  /** How many seals went with this one. */
  @Column('bigint')
  dropped: string;

  /** All that went was sealed before. */
  @TimestampColumn()
  before: Date;

  @Column('text')
  signature: string;

  @TimestampColumn({ default: () => 'clock_timestamp()' })
  createdAt: Date;
}
