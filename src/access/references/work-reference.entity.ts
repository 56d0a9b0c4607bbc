import { Entity, ForeignKey, Index, PrimaryColumn, Column } from 'typeorm';
import { TimestampColumn } from '../../platform/database/columns/timestamp-column.js';

/**
 * A task or demand whose key a description or comment names (spec 14, Keys). It goes with the text, is no relation and is not
 * exported. Triggers delete it, so that the text can change in every way.
 */
@Entity('work_references')
@Index(['targetId', 'createdAt'])
@Index(['sourceId'])
@Index(['entityId'])
export class WorkReference {
  @PrimaryColumn('text')
  @ForeignKey('EntityRow')
  targetId: string;

  /** The task or demand whose description names it, or the comment. */
  @PrimaryColumn('text')
  @ForeignKey('EntityRow')
  sourceId: string;

  /** What the text belongs to: the task or demand itself, or what the comment is on. */
  @Column('text')
  @ForeignKey('EntityRow')
  entityId: string;

  @TimestampColumn({ default: () => 'clock_timestamp()' })
  createdAt: Date;
}
