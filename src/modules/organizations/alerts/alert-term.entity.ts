import { Check, Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';
import { TimestampColumn } from '../../../platform/database/columns/timestamp-column.js';

/** A word or phrase that an organization wants to be alerted about. */
@Entity('alert_terms')
@Check('alert_terms_term_check', 'char_length(term) BETWEEN 1 AND 200')
@Check('alert_terms_weight_check', 'weight BETWEEN 1 AND 10')
@Unique(['organizationId', 'folded'])
export class AlertTerm {
  @PrimaryColumn('text')
  id: string;

  @Column('text')
  @ForeignKey('Organization')
  organizationId: string;

  @Column('text')
  term: string;

  /** The normalized form of the term, which is compared. */
  @Column('text')
  folded: string;

  @Column('smallint', { default: 1 })
  weight: number;

  @TimestampColumn({ default: () => 'now()' })
  createdAt: Date;
}
