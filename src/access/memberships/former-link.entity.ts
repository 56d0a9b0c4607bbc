import { Entity, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../platform/database/columns/timestamp-column.js';

/** When the link of an endeavour to an organization last ended; written by a trigger. */
@Entity('former_links')
@Index(['endeavourId'])
export class FormerLink {
  @PrimaryColumn('text')
  organizationId: string;

  @PrimaryColumn('text')
  endeavourId: string;

  @TimestampColumn()
  endedAt: Date;
}
