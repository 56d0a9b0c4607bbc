import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';

/**
 * A label of an endeavour, whose tasks and demands hold its id. After a merge, the row stays as an alias: what holds its id
 * has the label that it leads to.
 */
@Entity('labels')
@Index(['endeavourId', 'folded'], { unique: true, where: 'merged_into IS NULL' })
@Index(['mergedInto'], { where: 'merged_into IS NOT NULL' })
@Check('labels_name_check', `char_length(name) BETWEEN 1 AND 100 AND name !~ '^!|,'`)
@Check('labels_folded_check', `folded NOT IN ('', 'none')`)
@Check('labels_merged_into_check', 'merged_into <> id')
// Ensures that the labels of a task or demand are those of its endeavour.
@Unique(['id', 'endeavourId'])
export class Label {
  @PrimaryColumn('text')
  id: string;

  @Column('text')
  @ForeignKey('Endeavour', { onDelete: 'CASCADE' })
  endeavourId: string;

  /** As it was spelled first. */
  @Column('text')
  name: string;

  /** The form in which names are compared, `fold_name`. */
  @Column('text')
  folded: string;

  /** The label that it was merged into, which is none that was merged itself. */
  @Column('text', { nullable: true })
  @ForeignKey('Label')
  mergedInto: string | null;
}
