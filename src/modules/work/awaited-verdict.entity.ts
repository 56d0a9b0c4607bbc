import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../platform/database/timestamp-column.js';

/** A task whose latest check lacked only verdicts; written by a trigger on checks. */
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

  /** Those of the roles whose sign-off also counts if an author of the task gives it. */
  @Column('text', { array: true })
  authorRoles: string[];

  @TimestampColumn()
  since: Date;
}
