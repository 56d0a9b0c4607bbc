import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../platform/database/timestamp-column.js';

/** A network from which a user signed in. Requests from elsewhere cannot use up the limits that apply to it. */
@Entity('known_addresses')
@Index(['lastSignInAt'])
export class KnownAddress {
  @PrimaryColumn('text')
  @ForeignKey('User')
  userId: string;

  /** An IPv4 address or an IPv6 /64, as `networkOf` writes it. */
  @PrimaryColumn('text')
  network: string;

  @TimestampColumn({ default: () => 'now()' })
  lastSignInAt: Date;
}
