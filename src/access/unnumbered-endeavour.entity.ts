import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../platform/database/timestamp-column.js';

/** An endeavour with tasks or demands of a release without numbers, and how far they have been numbered. */
@Entity('unnumbered_endeavours')
export class UnnumberedEndeavour {
  @PrimaryColumn('text')
  @ForeignKey('Endeavour', { onDelete: 'CASCADE' })
  endeavourId: string;

  /** The number of the next one. */
  @Column('integer', { default: 1 })
  nextNumber: number;

  /** The position after which the next one was created. */
  @TimestampColumn({ nullable: true })
  afterTime: Date | null;

  @Column('text', { default: '' })
  afterId: string;
}
