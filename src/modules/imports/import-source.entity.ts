import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** The values of an entity in the system that it comes from, as they were at its last import. */
@Entity('import_sources')
export class ImportSourceRow {
  @PrimaryColumn('text')
  @ForeignKey('EntityRow')
  entityId: string;

  /** The values by property, long ones as hashes. */
  @Column('jsonb')
  values: Record<string, string>;
}
