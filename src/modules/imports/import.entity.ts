import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../platform/database/columns/timestamp-column.js';
import type { ImportOptions } from './reading/import-format.js';

/** An import of a file into an endeavour or organization. */
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

  /** The target endeavour; null if the target is an organization. */
  @Column('text', { nullable: true })
  @ForeignKey('Endeavour', { onDelete: 'CASCADE' })
  endeavourId: string | null;

  @Column('text', { nullable: true })
  @ForeignKey('Organization', { onDelete: 'CASCADE' })
  organizationId: string | null;

  /** The organization, home organization or endeavour in which at most one import runs at a time. */
  @Column('text')
  slot: string;

  @Column('text')
  format: string;

  /** Whether the import only reports its result, without changes. */
  @Column('boolean')
  isDryRun: boolean;

  @Column('jsonb', { default: {} })
  options: ImportOptions;

  /** The number of lines; each phase processes all of them. */
  @Column('integer')
  lines: number;

  @Column('integer', { default: 0 })
  phase: number;

  /** The last line that the current phase has processed. */
  @Column('integer', { default: 0 })
  position: number;

  @Column('jsonb', { default: {} })
  counts: Record<string, number>;

  @TimestampColumn({ default: () => 'clock_timestamp()' })
  createdAt: Date;
}
