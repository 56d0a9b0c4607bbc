import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Moment } from '../database/moment.js';

/** When recurring work is due, and who is at it. */
@Entity('jobs')
export class JobRow {
  @PrimaryColumn('text')
  name: string;

  @Moment()
  dueAt: Date;

  /** Counts the claims, so that a late one cannot tick off another's work. */
  @Column('integer', { default: 0 })
  claim: number;

  @Moment({ nullable: true })
  lockedUntil: Date | null;

  @Moment({ nullable: true })
  finishedAt: Date | null;

  @Column('text', { nullable: true })
  lastError: string | null;
}
