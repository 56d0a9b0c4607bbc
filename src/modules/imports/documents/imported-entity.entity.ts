import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** What a record of an export has become in the container into which it was imported. */
@Entity('imported_entities')
@Index(['entityId'])
export class ImportedEntity {
  @PrimaryColumn('text')
  @ForeignKey('EntityRow')
  containerId: string;

  /** The id of the record in the export. */
  @PrimaryColumn('text')
  externalId: string;

  @Column('text')
  @ForeignKey('EntityRow')
  entityId: string;
}
