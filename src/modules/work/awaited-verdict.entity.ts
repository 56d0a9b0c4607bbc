import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../platform/database/timestamp-column.js';

/** That the latest kept check of a task lacked only verdicts; written by a trigger of the checks. */
@Entity('awaited_verdicts')
@ForeignKey('Task', ['taskId', 'endeavourId'], ['id', 'endeavourId'], { onDelete: 'CASCADE', onUpdate: 'CASCADE' })
export class AwaitedVerdict {
  @PrimaryColumn('text')
  taskId: string;

  @Column('text')
  @Index()
  endeavourId: string;

  /** Whose sign-off is missing. */
  @Column('text', { array: true })
  roles: string[];

  /** Of these, those that count from authors of the task, too. */
  @Column('text', { array: true })
  authorRoles: string[];

  @TimestampColumn()
  since: Date;
}
