import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { TimestampColumn } from '../../platform/database/columns/timestamp-column.js';

/**
 * An edge between two tasks of one endeavour that stopped to count, because it was deleted or one of them was moved away;
 * written by triggers. It counts on in the Definition of Done unless an admin did it who is no author of the task.
 */
@Entity('lost_edges')
@Index(['relationId'])
export class LostEdge {
  @PrimaryGeneratedColumn('increment', { type: 'bigint' })
  id: string;

  @Column('text')
  @ForeignKey('Relation', { onDelete: 'CASCADE' })
  relationId: string;

  @Column('text', { nullable: true })
  lostBy: string | null;

  @Column('boolean')
  byAdmin: boolean;

  /** Whether that was an author of the task then; null if it was not stored then. */
  @Column('boolean', { nullable: true })
  byAuthor: boolean | null;

  @TimestampColumn({ default: () => 'clock_timestamp()' })
  lostAt: Date;
}
