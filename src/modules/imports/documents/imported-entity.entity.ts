import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** The entity that a record of an export maps to in the target container. */
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
