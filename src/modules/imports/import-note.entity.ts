import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** Something in the file of an import that was not understood, with how often it occurs and what was done instead. */
@Entity('import_notes')
export class ImportNoteRow {
  @PrimaryColumn('text')
  @ForeignKey('ImportRow', { onDelete: 'CASCADE' })
  importId: string;

  @PrimaryColumn('text')
  kind: string;

  @PrimaryColumn('text')
  name: string;

  @PrimaryColumn('text')
  message: string;

  /** The first line; null for what concerns the whole file. */
  @Column('integer', { nullable: true })
  line: number | null;

  @Column('integer')
  count: number;

  /** How much of something is in the file, of `total`. */
  @Column('bigint')
  found: string;

  @Column('bigint')
  total: string;
}
