import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../platform/database/columns/timestamp-column.js';

/**
 * An endeavour with tasks or demands of a release without numbers, and how far they have been numbered. It has no foreign
 * key, because the migration that adds it would lock the endeavours that clients change meanwhile.
 */
@Entity('unnumbered_endeavours')
export class UnnumberedEndeavour {
  @PrimaryColumn('text')
  endeavourId: string;

  /** The number of the next one. */
  @Column('integer', { default: 1 })
  nextNumber: number;

  /** The last number that is kept for existing work; new work is numbered behind it. */
  @Column('integer', { default: 0 })
  lastNumber: number;

  /** The position after which the next one was created. */
  @TimestampColumn({ nullable: true })
  afterTime: Date | null;

  @Column('text', { default: '' })
  afterId: string;
}
