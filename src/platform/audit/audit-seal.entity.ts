import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../database/columns/timestamp-column.js';

/** The position of a committed entry in the chain: each hash covers the entry and the hash before it. */
@Entity('audit_seals')
@Index(['entryId'], { unique: true })
@Index(['sealedAt'])
export class AuditSeal {
  /** Increases by one. */
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
  /** Its partitions have the foreign key, each to that of the entries of its month (`add_month_partitions`). */
  @PrimaryColumn('text')
  entryId: string;
}

/** A signed checkpoint that replaces the seals of removed entries. */
@Entity('audit_checkpoints')
export class AuditCheckpoint {
  /** The position of the last removed seal. */
  @PrimaryColumn('bigint')
  position: string;

  @Column('text')
  hash: string;

  /** The number of seals that were removed with this one. */
  @Column('bigint')
  dropped: string;

  /** All removed entries were sealed before this time. */
  @TimestampColumn()
  before: Date;

  @Column('text')
  signature: string;

  @TimestampColumn({ default: () => 'clock_timestamp()' })
  createdAt: Date;
}
