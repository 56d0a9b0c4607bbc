import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A value of a declared field of a task or demand, for filters and sorts; maintained by triggers from the metadata in its
 * row. Only values that fit their field are here.
 */
@Entity('field_values')
@Index('field_values_text_idx', ['endeavourId', 'key', 'textValue', 'entityId'], { where: 'text_value IS NOT NULL' })
@Index('field_values_number_idx', ['endeavourId', 'key', 'numberValue', 'entityId'], {
  where: 'number_value IS NOT NULL',
})
@Index('field_values_day_idx', ['endeavourId', 'key', 'dayValue', 'entityId'], { where: 'day_value IS NOT NULL' })
@Index('field_values_flag_idx', ['endeavourId', 'key', 'flagValue', 'entityId'], { where: 'flag_value IS NOT NULL' })
export class FieldValue {
  /** The task or demand. No foreign key, because it can be either. */
  @PrimaryColumn('text')
  entityId: string;

  @PrimaryColumn('text')
  key: string;

  /** The place of the value in a list of choices, from 0; 0 for other types. */
  @PrimaryColumn('integer')
  item: number;

  /** No foreign key, which would cost as much as the row; the triggers delete it with the task or demand. */
  @Column('text')
  endeavourId: string;

  /** The value of a text, a choice, a person or the first 500 characters of a URL. */
  @Column('text', { nullable: true })
  textValue: string | null;

  /** The value of a number, or the place of a choice among the options. */
  @Column('double precision', { nullable: true })
  numberValue: number | null;

  @Column('date', { nullable: true })
  dayValue: string | null;

  @Column('boolean', { nullable: true })
  flagValue: boolean | null;
}
