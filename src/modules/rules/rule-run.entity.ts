import { Check, Column, Entity, ForeignKey, Generated, Index, PrimaryColumn, Unique } from 'typeorm';
import { TimestampColumn } from '../../platform/database/columns/timestamp-column.js';
import { ALL_RUN_STATUSES, type RuleRunStatus } from './rule-run.rules.js';

const PENDING = `status IN ('new', 'waiting')`;

/** What a rule does about one event; its end is written in the transaction of its effects. */
@Entity('rule_runs')
@Check('rule_runs_status_check', `status IN ('${ALL_RUN_STATUSES.join("', '")}')`)
@Check('rule_runs_due_at_check', `(due_at IS NOT NULL) = (${PENDING})`)
@Unique(['ruleId', 'eventId'])
@Index(['ruleId', 'createdAt', 'id'])
@Index(['createdAt'])
@Index(['endeavourId', 'ranAt'])
@Index('rule_runs_pending_idx', ['endeavourId', 'position'], { where: PENDING })
@Index('rule_runs_waiting_idx', ['ruleId'], { where: PENDING })
export class RuleRun {
  @PrimaryColumn('text')
  id: string;

  /** The order in which the runs of an endeavour end. */
  @Column('bigint')
  @Generated('increment')
  position: string;

  @Column('text')
  @ForeignKey('Rule')
  ruleId: string;

  @Column('text')
  endeavourId: string;

  @Column('text')
  eventId: string;

  @Column('text')
  eventType: string;

  /** The task or demand of the event, or to which its entity belongs. */
  @Column('text')
  entityId: string;

  /** `new` until the filter of the rule has been applied. */
  @Column('text', { default: 'new' })
  status: RuleRunStatus | 'new';

  /** When it is due; null once it has ended. */
  @TimestampColumn({ nullable: true, default: () => 'clock_timestamp()' })
  dueAt: Date | null;

  /** The number of failed attempts, which are no refusals. */
  @Column('integer', { default: 0 })
  attempts: number;

  @Column('text', { nullable: true })
  errorCode: string | null;

  @Column('text', { nullable: true })
  error: string | null;

  @TimestampColumn({ default: () => 'clock_timestamp()' })
  createdAt: Date;

  /** When it was carried out or refused, which counts against the runs of a minute. */
  @TimestampColumn({ nullable: true })
  ranAt: Date | null;
}
