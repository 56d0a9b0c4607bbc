import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../platform/database/timestamp-column.js';
import type { ImportOptions } from './import-format.js';

/** A file that is brought into an endeavour or organization by an operation. */
@Entity('imports')
@Index(['operationId'])
@Index(['slot'])
@Index(['endeavourId'])
@Index('imports_organization_id_idx', ['organizationId'], { where: 'organization_id IS NOT NULL' })
@Check('imports_organization_id_check', 'num_nonnulls(endeavour_id, organization_id) = 1')
export class ImportRow {
  @PrimaryColumn('text')
  id: string;

  @Column('text')
  @ForeignKey('OperationRow', { onDelete: 'CASCADE' })
  operationId: string;

  /** What it is brought into, unless that is an organization. */
  @Column('text', { nullable: true })
  @ForeignKey('Endeavour', { onDelete: 'CASCADE' })
  endeavourId: string | null;

  @Column('text', { nullable: true })
  @ForeignKey('Organization', { onDelete: 'CASCADE' })
  organizationId: string | null;

  /** Of which only one import is at work at a time: the organization or home organization, else the endeavour. */
  @Column('text')
  slot: string;

  @Column('text')
  format: string;

  /** Only says what would come of it. */
  @Column('boolean')
  isDryRun: boolean;

  @Column('jsonb', { default: {} })
  options: ImportOptions;

  /** The number of lines, which are gone through once in each phase. */
  @Column('integer')
  lines: number;

  @Column('integer', { default: 0 })
  phase: number;

  /** The number of the last line of the phase that was done. */
  @Column('integer', { default: 0 })
  position: number;

  @Column('jsonb', { default: {} })
  counts: Record<string, number>;

  @TimestampColumn({ default: () => 'clock_timestamp()' })
  createdAt: Date;
}
