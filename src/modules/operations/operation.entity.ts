import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../platform/database/columns/timestamp-column.js';
import { OPERATION_STATUSES, type OperationStatus } from './operation.lifecycle.js';

/** The session or token of the request that started an operation, and where it came from. */
export interface OperationOrigin {
  caller: { sessionId: string; tokenId?: string | null; scopes?: readonly string[] };
  address?: string;
  userAgent?: string;
}

/** Work that takes longer than a request, processed in small transactions by any replica. */
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

  /** The registered name of its type. */
  @Column('text')
  type: string;

  @Column('text', { default: 'queued' })
  status: OperationStatus;

  /** The user who started it; every step checks the current permissions of the user. */
  @Column('text')
  @ForeignKey('User')
  userId: string;

  @Column('text')
  @ForeignKey('Resource')
  createdBy: string;

  /** The container of the restricted token that started it; limits its permissions if it has no `origin` with the token. */
  @Column('text', { nullable: true })
  restrictedTo: string | null;

  /** The endeavour or organization that it is about; null once that is erased. */
  @Column('text', { nullable: true })
  @ForeignKey('EntityRow')
  containerId: string | null;

  /** The organization against whose limit of running operations it counts. */
  @Column('text', { nullable: true })
  organizationId: string | null;

  @Column('boolean', { default: false })
  isCancelable: boolean;

  /** The input of the request. */
  @Column('jsonb', { default: {} })
  parameters: Record<string, unknown>;

  /** Counts of completed work, with names given by the type. */
  @Column('jsonb', { default: {} })
  tally: Record<string, number>;

  @Column('integer', { default: 0 })
  done: number;

  @Column('integer', { nullable: true })
  total: number | null;

  /** The result after success; after a cancelation or failure, what was done until then, if that was kept. */
  @Column('json', { nullable: true })
  result: unknown;

  /** The error; set while the completed part is being undone. */
  @Column('jsonb', { nullable: true })
  error: { code: string; message: string } | null;

  /** The number of consecutive failed attempts at the next step. */
  @Column('integer', { default: 0 })
  attempts: number;

  /** The number of consecutive processes that ended while they worked on the next batch. */
  @Column('integer', { default: 0 })
  lost: number;

  @Column('text', { nullable: true })
  requestId: string | null;

  /** The origin that its events and audit entries name; null once it has finished, because it is personal data. */
  @Column('jsonb', { nullable: true })
  origin: OperationOrigin | null;

  @TimestampColumn({ nullable: true })
  cancelRequestedAt: Date | null;

  @TimestampColumn({ default: () => 'clock_timestamp()' })
  createdAt: Date;

  /** The earliest time of the next step; the operation that has waited longest is next. */
  @TimestampColumn({ default: () => 'clock_timestamp()' })
  dueAt: Date;

  @TimestampColumn({ nullable: true })
  finishedAt: Date | null;
}
