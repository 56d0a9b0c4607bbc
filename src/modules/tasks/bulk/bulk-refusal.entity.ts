import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** A task that an operation on many could not change, until the operation has ended. */
@Entity('bulk_task_refusals')
export class BulkTaskRefusal {
  @PrimaryColumn('text')
  @ForeignKey('OperationRow', { onDelete: 'CASCADE' })
  operationId: string;

  @PrimaryColumn('text')
  taskId: string;

  @Column('text')
  code: string;

  @Column('text', { nullable: true })
  reason: string | null;

  @Column('text')
  message: string;
}
