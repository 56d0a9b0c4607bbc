import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../database/timestamp-column.js';

/** The number of attempts of a client, for all replicas together. The table is unlogged: a crash empties it. */
@Entity('rate_counters')
@Index(['endsAt'])
export class RateCounter {
  /** The limit, and a digest of the client. */
  @PrimaryColumn('text')
  key: string;

  @Column('integer')
  count: number;

  /** From then on the count begins anew. */
  @TimestampColumn()
  endsAt: Date;

  /** Until then nothing more is let through. */
  @TimestampColumn({ default: () => "'-infinity'" })
  heldUntil: Date;
}
