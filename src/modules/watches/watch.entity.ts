import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../platform/database/columns/timestamp-column.js';

/** The decision of a resource to watch a task, a demand or an endeavour, or not to. */
@Entity('watches')
@Index(['resourceId'], { where: 'is_on' })
export class Watch {
  @PrimaryColumn('text')
  @ForeignKey('EntityRow')
  entityId: string;

  @PrimaryColumn('text')
  @ForeignKey('Resource')
  resourceId: string;

  /** False if it was switched off, so that a comment or a mention does not begin it again. */
  @Column('boolean')
  isOn: boolean;

  /** When it was last switched on or off. */
  @TimestampColumn({ default: () => 'now()' })
  createdAt: Date;
}
