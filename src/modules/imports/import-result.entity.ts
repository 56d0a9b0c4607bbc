import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** An entity that an import created or changed. */
@Entity('import_results')
@Index(['entityId'])
@Check('import_results_outcome_check', `outcome IN ('created', 'updated')`)
export class ImportResultRow {
  @PrimaryColumn('text')
  @ForeignKey('ImportRow', { onDelete: 'CASCADE' })
  importId: string;

  @PrimaryColumn('text')
  @ForeignKey('EntityRow')
  entityId: string;

  @Column('text')
  outcome: 'created' | 'updated';
}
