import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { Moment } from '../database/moment.js';

/** How often something was tried by somebody, for all replicas together. The table is unlogged: a crash forgets it. */
@Entity('rate_counters')
@Index(['endsAt'])
export class RateCounter {
  /** The limit, and a digest of whom it is counted for. */
  @PrimaryColumn('text')
  key: string;

  @Column('integer')
  count: number;

  /** From then on the count begins anew. */
  @Moment()
  endsAt: Date;

  /** Until then nothing more is let through. */
  @Moment({ default: () => "'-infinity'" })
  heldUntil: Date;
}
