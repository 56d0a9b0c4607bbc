import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { FieldKind } from '../../../common/declared-field.js';
import { TimestampColumn } from '../../../platform/database/columns/timestamp-column.js';

/** The fields of an endeavour that have changed, and the last task or demand whose values have been read again. */
@Entity('field_renewals')
export class FieldRenewal {
  @PrimaryColumn('text')
  @ForeignKey('Endeavour', { onDelete: 'CASCADE' })
  endeavourId: string;

  @Column('text', { array: true })
  keys: string[];

  /** Demands are read before tasks. */
  @Column('text', { default: 'demand' })
  kind: FieldKind;

  @TimestampColumn({ default: () => `'-infinity'` })
  afterTime: Date;

  @Column('text', { default: '' })
  afterId: string;
}
