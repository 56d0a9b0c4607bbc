import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { Row } from '../../platform/database/views/rows.js';
import { TimestampColumn } from '../../platform/database/columns/timestamp-column.js';

/** A domain of e-mail addresses that an organization claims, and whether it has proved that the domain is its own. */
@Entity('domains')
@Check('domains_domain_check', 'domain = lower(domain) AND char_length(domain) BETWEEN 3 AND 253')
@Check('domains_confirmed_check', 'NOT is_confirmed OR proved_at IS NOT NULL')
@Check('domains_absent_days_check', 'absent_days BETWEEN 0 AND 7')
@Check('domains_deleted_check', 'deleted_at IS NULL OR proved_at IS NULL')
@Index('domains_claimed_idx', ['organizationId', 'domain'], { unique: true, where: 'deleted_at IS NULL' })
@Index('domains_domain_taken_idx', ['domain'], { unique: true, where: 'proved_at IS NOT NULL' })
@Index('domains_check_due_at_idx', ['checkDueAt'], { where: 'proved_at IS NOT NULL AND NOT is_confirmed' })
export class Domain extends Row {
  @Column('text')
  @ForeignKey('Organization')
  organizationId: string;

  /** In ASCII and lower case. */
  @Column('text')
  domain: string;

  /** What the record in the domain name system has to contain. */
  @Column('text')
  token: string;

  /** Since when it is proved; null while it is not. */
  @TimestampColumn({ nullable: true })
  provedAt: Date | null;

  /** Whether an administrator confirmed it instead of the record, which is then not looked up. */
  @Column('boolean', { default: false })
  isConfirmed: boolean;

  /** The days running on which the name servers answered without the record. */
  @Column('integer', { default: 0 })
  absentDays: number;

  /** When the record of a proved domain is looked up next. */
  @TimestampColumn({ nullable: true })
  checkDueAt: Date | null;

  @TimestampColumn({ nullable: true })
  deletedAt: Date | null;
}
