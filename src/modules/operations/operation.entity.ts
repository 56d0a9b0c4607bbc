import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../platform/database/timestamp-column.js';
import { OPERATION_STATUSES, type OperationStatus } from './operation.lifecycle.js';

/** Work that takes longer than a request, done in pieces by any replica. */
@Entity('operations')
@Check('operations_status_check', `status IN ('${OPERATION_STATUSES.join("', '")}')`)
@Check('operations_finished_at_check', "(status IN ('succeeded', 'failed', 'canceled')) = (finished_at IS NOT NULL)")
@Check('operations_done_check', 'done >= 0 AND total >= 0')
@Index('operations_running_user_idx', ['userId'], { unique: true, where: "status = 'running'" })
@Index('operations_unfinished_due_at_idx', ['dueAt'], { where: 'finished_at IS NULL' })
@Index(['userId', 'createdAt'])
@Index(['containerId'])
export class OperationRow {
  @PrimaryColumn('text')
  id: string;

  /** The name under which a feature registered how it is done. */
  @Column('text')
  type: string;

  @Column('text', { default: 'queued' })
  status: OperationStatus;

  /** Who started it, and whose rights each piece needs. */
  @Column('text')
  @ForeignKey('User')
  userId: string;

  @Column('text')
  @ForeignKey('Resource')
  createdBy: string;

  /** The container of the restricted token that started it, beyond which it has no rights. */
  @Column('text', { nullable: true })
  restrictedTo: string | null;

  /** The endeavour or organization that it is about; null once that is erased. */
  @Column('text', { nullable: true })
  @ForeignKey('EntityRow')
  containerId: string | null;

  /** The organization whose share of running operations it counts towards. */
  @Column('text', { nullable: true })
  organizationId: string | null;

  @Column('boolean', { default: false })
  isCancelable: boolean;

  /** What the request asked for. */
  @Column('jsonb', { default: {} })
  parameters: Record<string, unknown>;

  /** Counts of what was done so far, under names that the type gives them. */
  @Column('jsonb', { default: {} })
  tally: Record<string, number>;

  @Column('integer', { default: 0 })
  done: number;

  @Column('integer', { nullable: true })
  total: number | null;

  /** Present when it has succeeded, and with what was done when it was canceled. */
  @Column('json', { nullable: true })
  result: unknown;

  /** The error; set while the completed part is being undone. */
  @Column('jsonb', { nullable: true })
  error: { code: string; message: string } | null;

  /** How often in a row the next piece could not be done. */
  @Column('integer', { default: 0 })
  attempts: number;

  @Column('text', { nullable: true })
  requestId: string | null;

  @TimestampColumn({ nullable: true })
  cancelRequestedAt: Date | null;

  @TimestampColumn({ default: () => 'clock_timestamp()' })
  createdAt: Date;

  /** When the next piece may be done; the longest-waiting operation has the next turn. */
  @TimestampColumn({ default: () => 'clock_timestamp()' })
  dueAt: Date;

  @TimestampColumn({ nullable: true })
  finishedAt: Date | null;
}
