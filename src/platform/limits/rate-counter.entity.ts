import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../database/columns/timestamp-column.js';

/** The number of attempts of a client, for all replicas together. The table is unlogged: a crash empties it. */
@Entity('rate_counters')
@Index(['endsAt'])
export class RateCounter {
  /** The limit, and a hash of the client. */
  @PrimaryColumn('text')
  key: string;

  @Column('integer')
  count: number;

  /** The end of the window. */
  @TimestampColumn()
  endsAt: Date;

  /** Attempts are rejected until then. */
  @TimestampColumn({ default: () => "'-infinity'" })
  heldUntil: Date;
}
