import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** A task that a bulk operation could not change; deleted when the operation ends. */
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
