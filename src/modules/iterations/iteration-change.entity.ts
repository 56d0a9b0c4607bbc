import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';

/**
 * What happened to the scope of an iteration: it started, which committed the tasks in it; a task entered, left, or got
 * another estimate or other points. Written by triggers and never changed, so that reports are true whoever edits later.
 * The numbers order the changes, because entering waits for a start that is not committed, and a start for those who enter.
 */
@Entity('iteration_changes')
@Check('iteration_changes_change_check', "change IN ('started', 'committed', 'entered', 'changed', 'left')")
@Check('iteration_changes_task_id_check', "(change = 'started') = (task_id IS NULL)")
@Index(['iterationId', 'taskId', 'id'])
@Index(['taskId'])
export class IterationChange {
  @PrimaryGeneratedColumn('increment', { type: 'bigint' })
  id: string;

  @Column('text')
  @ForeignKey('Iteration')
  iterationId: string;

  @Column('text', { nullable: true })
  @ForeignKey('Task')
  taskId: string | null;

  @Column('text')
  change: 'started' | 'committed' | 'entered' | 'changed' | 'left';

  /** Hours. */
  @Column('double precision', { nullable: true })
  estimate: number | null;

  @Column('double precision', { nullable: true })
  points: number | null;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  changedAt: Date;
}
