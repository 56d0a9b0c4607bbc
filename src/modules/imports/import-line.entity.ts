import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A record of an imported file. Stored before the row of its import, and deleted after the import has ended. */
@Entity('import_lines')
@Index(['importId', 'section', 'number'])
@Index('import_lines_name_idx', { synchronize: false })
export class ImportLine {
  @PrimaryColumn('text')
  @ForeignKey('ImportRow', { onDelete: 'CASCADE', deferrable: 'INITIALLY DEFERRED' })
  importId: string;

  @PrimaryColumn('integer')
  number: number;

  /** The position of the record in the file: the line in CSV, the array index in JSON. */
  @Column('integer')
  line: number;

  @Column('text')
  section: string;

  /** The key by which other records refer to this one. */
  @Column('text', { nullable: true })
  key: string | null;

  @Column('jsonb')
  data: unknown;

  /** The length of the JSON of `data`; null for lines of an earlier release. */
  @Column('integer', { nullable: true })
  size: number | null;
}
