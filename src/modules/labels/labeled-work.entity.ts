import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A label of a task or demand, for filters; maintained by triggers from the labels in its row. */
@Entity('labeled_work')
@Index(['entityId'])
@ForeignKey('Label', ['labelId', 'endeavourId'], ['id', 'endeavourId'], { onDelete: 'CASCADE' })
export class LabeledWork {
  @PrimaryColumn('text')
  labelId: string;

  /** The task or demand. No foreign key, because it can be either. */
  @PrimaryColumn('text')
  entityId: string;

  @Column('text')
  endeavourId: string;
}
