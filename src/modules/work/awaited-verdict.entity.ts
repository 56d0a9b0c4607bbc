import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../platform/database/columns/timestamp-column.js';

/** A task whose latest check failed only because sign-offs are missing; written by a trigger on checks. */
@Entity('awaited_verdicts')
@ForeignKey('Task', ['taskId', 'endeavourId'], ['id', 'endeavourId'], { onDelete: 'CASCADE', onUpdate: 'CASCADE' })
export class AwaitedVerdict {
  @PrimaryColumn('text')
  taskId: string;

  @Column('text')
  @Index()
  endeavourId: string;

  /** The roles whose sign-off is missing. */
  @Column('text', { array: true })
  roles: string[];

  /** The missing roles whose sign-off also counts if it is given by an author of the task. */
  @Column('text', { array: true })
  authorRoles: string[];

  @TimestampColumn()
  since: Date;
}
