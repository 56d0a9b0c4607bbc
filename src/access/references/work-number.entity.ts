import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/**
 * A number that was given to a task or demand of an endeavour. The row stays when the task or demand moves or is deleted,
 * so that no number is given twice. Written by triggers (decision 0051).
 */
@Entity('work_numbers')
@Check('work_numbers_number_check', 'number > 0')
@Index('work_numbers_former_idx', ['entityId'], { where: 'is_former' })
export class WorkNumber {
  @PrimaryColumn('text')
  @ForeignKey('Endeavour', { onDelete: 'CASCADE' })
  endeavourId: string;

  @PrimaryColumn('integer')
  number: number;

  /** The task or demand; null if it was deleted. */
  @Column('text', { nullable: true })
  entityId: string | null;

  /** Whether the task or demand has moved to another endeavour, where it has another number. */
  @Column('boolean', { default: false })
  isFormer: boolean;
}
