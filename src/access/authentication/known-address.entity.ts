import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../platform/database/columns/timestamp-column.js';

/**
 * A network from which a user has signed in. It has its own sign-in limits, which requests from other networks cannot
 * exhaust.
 */
@Entity('known_addresses')
@Index(['lastSignInAt'])
export class KnownAddress {
  @PrimaryColumn('text')
  @ForeignKey('User')
  userId: string;

  /** An IPv4 address or an IPv6 /64 network, as formatted by `networkOf`. */
  @PrimaryColumn('text')
  network: string;

  @TimestampColumn({ default: () => 'now()' })
  lastSignInAt: Date;
}
