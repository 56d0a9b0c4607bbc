import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A table whose imported rows of a release without labels have them in metadata, and the last row that has been read. */
@Entity('label_conversions')
export class LabelConversion {
  @PrimaryColumn('text')
  tableName: string;

  @Column('text', { default: '' })
  afterId: string;
}
