import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';

/** A line that was not imported, with the reason. */
@Entity('import_refusals')
@Index(['importId', 'id'])
export class ImportRefusal {
  @PrimaryGeneratedColumn('increment', { type: 'bigint' })
  id: string;

  @Column('text')
  @ForeignKey('ImportRow', { onDelete: 'CASCADE' })
  importId: string;

  @Column('integer')
  line: number;

  @Column('text', { nullable: true })
  externalId: string | null;

  @Column('text')
  code: string;

  @Column('text', { nullable: true })
  reason: string | null;

  @Column('text')
  message: string;
}
