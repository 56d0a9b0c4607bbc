import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../../platform/database/columns/timestamp-column.js';

/**
 * An endeavour with tasks of a release whose checklists had no ids, and the task after which the next one was created. It
 * has no foreign key, because the migration that adds it would lock the endeavours that clients change meanwhile.
 */
@Entity('checklist_renewals')
export class ChecklistRenewal {
  @PrimaryColumn('text')
  endeavourId: string;

  @TimestampColumn({ nullable: true })
  afterTime: Date | null;

  @Column('text', { default: '' })
  afterId: string;
}
