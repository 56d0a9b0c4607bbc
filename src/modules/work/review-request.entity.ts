import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../platform/database/columns/timestamp-column.js';

/** A request for a verdict on a task; the next approval by the requested reviewer answers it. */
@Entity('review_requests')
export class ReviewRequest {
  @PrimaryColumn('text')
  @ForeignKey('Task', { onDelete: 'CASCADE' })
  taskId: string;

  @PrimaryColumn('text')
  @ForeignKey('Resource')
  @Index()
  resourceId: string;

  @Column('text')
  @ForeignKey('Resource')
  requestedBy: string;

  @TimestampColumn({ default: () => 'clock_timestamp()' })
  requestedAt: Date;
}
