import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../database/columns/timestamp-column.js';

/** When recurring work is due, and which process runs it. */
@Entity('jobs')
export class JobRow {
  @PrimaryColumn('text')
  name: string;

  @TimestampColumn()
  dueAt: Date;

  /** Counts the claims, so that a late process cannot complete the work of another. */
  @Column('integer', { default: 0 })
  claim: number;

  @TimestampColumn({ nullable: true })
  lockedUntil: Date | null;

  @TimestampColumn({ nullable: true })
  finishedAt: Date | null;

  @Column('text', { nullable: true })
  lastError: string | null;
}
