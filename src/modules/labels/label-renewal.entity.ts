import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** A label that was renamed, and the last task or demand whose search words have followed. */
@Entity('label_renewals')
export class LabelRenewal {
  @PrimaryColumn('text')
  @ForeignKey('Label', { onDelete: 'CASCADE' })
  labelId: string;

  @Column('text', { default: '' })
  afterId: string;
}
