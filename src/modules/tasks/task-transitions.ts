import { Injectable } from '@nestjs/common';
import { Access, type LockedResource } from '../../access/access.js';
import type { Caller } from '../../access/authentication/caller.js';
import { ApiError, forbidden, type ErrorCode } from '../../common/errors.js';
import { TASK_STATUSES, type TaskStatus } from '../../common/statuses.js';
import { TransitionGuards, type RequestedTransition } from '../../platform/transitions/transition-guards.js';
import { DemandsService } from '../demands/demands.service.js';
import { assertNotReopened, assertCancelReason, mayEnd } from '../demands/work.rules.js';
import { AssignmentsService } from '../resources/assignments/assignments.service.js';
import { QuorumsService } from '../resources/quorums/quorums.service.js';
import { assertInForce, attestedBy } from './completion/attestation.js';
import type { AttestableCondition } from './completion/attestation.rules.js';
import type { UpdateTaskDto } from './task.dto.js';
import { changedParts, isAlwaysApproved } from './task-content.js';
import { loadOnce, patchableTaskOf, extraColumnsFor, type PatchableTask } from './patchable-task.js';
import { PREVIEW } from './patchable-task.view.js';
import { Task, type DodOutcome } from './task.entity.js';
import { taskLifecycle } from './task.lifecycle.js';
import {
  taskEffectsOf,
  isTaskReopening,
  merged,
  obstacles,
  restsOnContent,
  taskQuorumOf,
  TO_CANCEL,
  type Transition,
} from './task.rules.js';
import { TaskStages } from './stages/task-stages.service.js';
import { TasksRepository } from './tasks.repository.js';

/** Whether tasks are only read, and how many would enter each stage before them. */
export interface LockOptions extends Pick<PatchableTask, 'entered'> {
  isPreview: boolean;
}

type Cancelable = Pick<PatchableTask, 'row' | 'rank' | 'cache'>;

/** Decides status transitions of tasks: who may make them, what blocks them, and their effects. */
@Injectable()
export class TaskTransitions {
  constructor(
    private readonly access: Access,
    private readonly assignments: AssignmentsService,
    private readonly demands: DemandsService,
    private readonly quorums: QuorumsService,
    private readonly repository: TasksRepository,
    private readonly stages: TaskStages,
    private readonly transitionGuards: TransitionGuards,
  ) {}

  /** Locks the task for the patch; for a status change, loads what most transitions depend on in the same statement. */
  async lock(me: Caller, id: string, dto: UpdateTaskDto): Promise<PatchableTask> {
    const extraColumns = extraColumnsFor(await this.stages.expected(id, dto));
    return patchableTaskOf(await this.access.lockForUpdate(me, 'tasks_update', Task, id, extraColumns), extraColumns);
  }

  /** Locks the tasks and returns each, or the error that rejects it; a preview reads them without locks. */
  async lockEach(
    me: Caller,
    ids: readonly string[],
    dto: UpdateTaskDto,
    { isPreview, entered }: LockOptions,
  ): Promise<(PatchableTask | ApiError)[]> {
    const extraColumns = isPreview ? PREVIEW : extraColumnsFor(dto);
    const lockedTasks = await this.access.lockEachForUpdate(me, 'tasks_update', Task, ids, {
      extras: extraColumns,
      isLocked: !isPreview,
    });
    const cache = new Map<string, Promise<unknown>>();
    const hours = dto.status === 'done' ? await this.repository.hoursActive(ids) : undefined;
    return lockedTasks.map((locked) => {
      if (locked instanceof ApiError) return locked;
      const shared = { cache, hours: hours && (hours.get(locked.id) ?? 0), ...(isPreview && { isPreview, entered }) };
      return { ...patchableTaskOf(locked, extraColumns), ...shared };
    });
  }

  /**
   * Checks the status transition, the stage (`enter`) and the change of owner of a patch, and returns the columns that the
   * status change sets.
   */
  async effects(
    me: Caller,
    task: PatchableTask,
    dto: UpdateTaskDto,
    { ownerId = task.row.ownerId, enter }: { ownerId?: string; enter: () => Promise<void> },
  ): Promise<Partial<Task>> {
    const { row } = task;
    const to = dto.status ?? row.status;
    assertCancelReason(to, row.canceledReason, dto.canceled_reason);
    if (to !== row.status) {
      taskLifecycle.assertMove(row.status, to);
      assertNotReopened(task.containerStatus, isTaskReopening(row.status, to));
      if (to === 'canceled') await this.assertMayCancel(me, task);
    }
    await enter();
    if (ownerId !== row.ownerId) await this.quorums.requireQuorumForNewOwner(me, task, ownerId);
    if (to === row.status) {
      const isNewReason = to === 'canceled' && typeof dto.canceled_reason === 'string';
      return isNewReason ? { canceledReason: dto.canceled_reason } : {};
    }
    await this.quorums.requireQuorum(me, task, taskQuorumOf(to), to);
    return this.columnsOf(task, to, dto);
  }

  /** The columns that the status change sets. */
  private async columnsOf(
    task: Pick<PatchableTask, 'row' | 'hours'>,
    to: TaskStatus,
    { actual: sent, canceled_reason = null }: Pick<UpdateTaskDto, 'actual' | 'canceled_reason'> = {},
  ): Promise<Partial<Task>> {
    const { startedAt, actual: current } = task.row;
    const actual = sent === undefined ? current : sent;
    const hours = to === 'done' && actual === null ? await this.hoursOf(task) : 0;
    return taskEffectsOf({ startedAt, actual }, to, new Date(), hours, canceled_reason);
  }

  /**
   * Calls the guards of the new status with the task as it will be after the patch; also for a move, because the other
   * endeavour may have other rules. Returns the columns with the check that allowed the change.
   */
  async passTransitionGuards(
    me: Caller,
    { row, isPreview }: PatchableTask,
    changes: Partial<Task>,
  ): Promise<Partial<Task>> {
    const task = merged(row, changes);
    const isMoved = task.endeavour_id !== row.endeavourId;
    if (task.status === row.status && !isMoved) return {};
    const touched = changedParts(row, changes);
    const transition = { kind: 'task', to: task.status, merged: task, touched } as const;
    if (isPreview) return this.previewGuards(me, transition);
    const passage = await this.transitionGuards.assertAllowed(me, transition);
    // Without a policy there, changed content stays changed.
    if (row.dodResult === 'changed' && passage?.result === 'no_policy') return {};
    return { dodCheckId: passage?.recordId ?? null, dodResult: (passage?.result as DodOutcome | undefined) ?? null };
  }

  private async previewGuards(me: Caller, transition: RequestedTransition): Promise<Partial<Task>> {
    const [obstacle] = await this.transitionGuards.obstacles(me, transition);
    if (obstacle !== undefined) throw new ApiError(obstacle.code as ErrorCode, obstacle.message);
    return {};
  }

  /**
   * Whether the patch changes approved content on which an attestation, an override, a vote or the result of a done task
   * is based. If there is an
   * override or a vote, only callers who may cancel the task may change the content, because the change ends it.
   */
  async changesApprovedContent(me: Caller, task: PatchableTask, changes: Partial<Task>): Promise<boolean> {
    const { row, hasVotes = false } = task;
    const hasDecision = row.dodOverriddenAt !== null || hasVotes;
    if (!hasDecision && row.attestedAt === null && !restsOnContent(row)) return false;
    const touched = changedParts(row, changes);
    if (touched.length === 0) return false;
    const isApproved = isAlwaysApproved(touched) || (await this.repository.areApproved(row.endeavourId, touched));
    if (isApproved && hasDecision) await this.assertMayCancel(me, task);
    return isApproved;
  }

  /**
   * Returns the conditions that the policy asks to attest, if the patch attests some; 409 if it names one that is not in
   * force.
   */
  async askedToAttest(
    { cache }: Pick<PatchableTask, 'cache'>,
    endeavourId: string,
    metadata: UpdateTaskDto['metadata'],
  ): Promise<readonly AttestableCondition[]> {
    const attested = attestedBy(metadata);
    if (attested === undefined) return [];
    const asked = await loadOnce({ cache }, `asked ${endeavourId}`, () =>
      this.repository.attestableConditions(endeavourId),
    );
    assertInForce(attested, asked);
    return asked;
  }

  /** Every other status, with the reasons why the caller cannot set it. */
  async transitions(me: Caller, id: string): Promise<Transition[]> {
    const authorized = await this.access.authorize(me, 'tasks_transitions_list', id);
    const row = await this.repository.read(id);
    const mayCancel = await this.mayCancel(me, { row, rank: authorized.rank });
    const transitions: Transition[] = [];
    for (const status of TASK_STATUSES.filter((other) => other !== row.status)) {
      const reasons = obstacles(row, { ...authorized, mayCancel }, status);
      if (reasons.length === 0) {
        const task = merged(row, await this.columnsOf({ row }, status));
        reasons.push(...(await this.quorumReasons(me, { ...authorized, row }, status)));
        reasons.push(
          ...(await this.transitionGuards.obstacles(me, { kind: 'task', to: status, merged: task, touched: [] })),
        );
        reasons.push(...(await this.demands.taskObstacles(row.demandId, status)));
      }
      transitions.push({ status, allowed: reasons.length === 0, reasons });
    }
    return transitions;
  }

  private quorumReasons(me: Caller, task: LockedResource<Task>, to: TaskStatus): Promise<Transition['reasons']> {
    return this.quorums.obstacles(me, task, taskQuorumOf(to), to);
  }

  private async assertMayCancel(me: Caller, task: Cancelable): Promise<void> {
    if (!(await this.mayCancel(me, task))) throw forbidden(TO_CANCEL);
  }

  /** A user cannot gain the right to cancel a task by assigning it to themselves, their agent, or their team. */
  private async mayCancel(me: Caller, { row, rank, cache }: Cancelable): Promise<boolean> {
    const mine = await loadOnce({ cache }, 'mine', () => this.assignments.ownAssigneeIds(me));
    if (mayEnd(row, { rank, mine })) return true;
    if (row.assigneeId === null || !mine.includes(row.assigneeId)) return false;
    return this.repository.isAssignedByOther(row.id, me.resourceId);
  }

  private async hoursOf({ row, hours }: Pick<PatchableTask, 'row' | 'hours'>): Promise<number> {
    return hours ?? (await this.repository.hoursActive([row.id])).get(row.id) ?? 0;
  }
}
