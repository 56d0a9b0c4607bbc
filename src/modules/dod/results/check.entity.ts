import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../../platform/database/columns/timestamp-column.js';
import type { ConditionResult } from '../conditions/condition.js';

export const CHECK_RESULTS = ['met', 'not_met', 'no_policy'] as const;
export type CheckResult = (typeof CHECK_RESULTS)[number];

/** The result of checking a task against the policy of its endeavour at one time; a trigger makes it immutable. */
@Entity('dod_checks')
@Index(['policyId'], { where: 'policy_id IS NOT NULL' })
@Check('dod_checks_result_check', `result IN ('${CHECK_RESULTS.join("', '")}')`)
@Check('dod_checks_policy_id_check', "(result = 'no_policy') = (policy_id IS NULL)")
@Index(['taskId', 'checkedAt', 'id'])
export class DodCheck {
  @PrimaryColumn('text')
  @ForeignKey('EntityRow')
  id: string;

  @Column('text')
  @ForeignKey('Task')
  taskId: string;

  @Column('text')
  result: CheckResult;

  /** Whether the task had an override, which allows it to be completed without meeting the policy. */
  @Column('boolean')
  overridden: boolean;

  @Column('text', { nullable: true })
  @ForeignKey('Policy')
  policyId: string | null;

  @Column('text', { nullable: true })
  policyName: string | null;

  @Column('integer', { nullable: true })
  policyVersion: number | null;

  /** Whether the user who requested the check had endorsed the policy. */
  @Column('boolean')
  endorsed: boolean;

  @Column('jsonb')
  conditions: ConditionResult[];

  @Column('text', { nullable: true })
  hint: string | null;

  /** The ids of the evidence: approvals, comments, artifacts and results. */
  @Column('text', { array: true })
  restedOn: string[];

  @Column('text')
  @ForeignKey('Resource')
  checkedBy: string;

  @TimestampColumn({ default: () => 'clock_timestamp()' })
  checkedAt: Date;
}
