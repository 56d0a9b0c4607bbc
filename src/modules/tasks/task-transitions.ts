import { Injectable } from '@nestjs/common';
import { Access, type LockedResource } from '../../access/access.js';
import type { Caller } from '../../access/caller.js';
import { ApiError, forbidden, type ErrorCode } from '../../common/errors.js';
import { TASK_STATUSES, type TaskStatus } from '../../common/statuses.js';
import { TransitionGuards, type RequestedTransition } from '../../platform/transitions/transition-guards.js';
import { assertNotReopened, assertCancelReason, mayEnd } from '../demands/work.rules.js';
import { AssignmentsService } from '../resources/assignments.service.js';
import { QuorumsService } from '../resources/quorums.service.js';
import type { UpdateTaskDto } from './task.dto.js';
import { changedParts, TEXT } from './task-content.js';
import { askOnce, movableOf, standingsFor, type Movable } from './task-standings.js';
import { PREVIEW } from './task-standings.view.js';
import { Task, type DodOutcome } from './task.entity.js';
import { taskLifecycle } from './task.lifecycle.js';
import {
  taskEffectsOf,
  isTaskReopening,
  merged,
  obstacles,
  taskQuorumOf,
  TO_CANCEL,
  type Transition,
} from './task.rules.js';
import { TasksRepository } from './tasks.repository.js';

type Cancelable = Pick<Movable, 'row' | 'rank' | 'answers'>;

/** Decides status transitions of tasks: who may make them, what blocks them, and their effects. */
@Injectable()
export class TaskTransitions {
  constructor(
    private readonly access: Access,
    private readonly assignments: AssignmentsService,
    private readonly quorums: QuorumsService,
    private readonly repository: TasksRepository,
    private readonly transitionGuards: TransitionGuards,
  ) {}

  /** Locks the task for the patch; for a status change, loads what most transitions depend on in the same statement. */
  async open(me: Caller, id: string, dto: UpdateTaskDto): Promise<Movable> {
    const wanted = standingsFor(dto);
    return movableOf(await this.access.lockForUpdate(me, 'tasks_update', Task, id, wanted), wanted);
  }

  /** Locks each of these tasks, or returns the error; a preview reads them without locks. */
  async openEach(
    me: Caller,
    ids: readonly string[],
    dto: UpdateTaskDto,
    { isPreview }: { isPreview: boolean },
  ): Promise<(Movable | ApiError)[]> {
    const wanted = isPreview ? PREVIEW : standingsFor(dto);
    const found = await this.access.lockEachForUpdate(me, 'tasks_update', Task, ids, {
      beside: wanted,
      isLocked: !isPreview,
    });
    const answers = new Map<string, Promise<unknown>>();
    const hours = dto.status === 'done' ? await this.repository.hoursActive(ids) : undefined;
    return found.map((each) => {
      if (each instanceof ApiError) return each;
      const known = { answers, hours: hours && (hours.get(each.id) ?? 0), ...(isPreview && { isPreview }) };
      return { ...movableOf(each, wanted), ...known };
    });
  }

  /** The changes of a status transition; rejects one that this caller cannot make now. */
  async effects(me: Caller, opened: Movable, dto: UpdateTaskDto, ownerId = opened.row.ownerId): Promise<Partial<Task>> {
    const { row } = opened;
    const to = dto.status ?? row.status;
    assertCancelReason(to, row.canceledReason, dto.canceled_reason);
    if (to !== row.status) {
      taskLifecycle.assertMove(row.status, to);
      assertNotReopened(opened.containerStatus, isTaskReopening(row.status, to));
      if (to === 'canceled') await this.assertMayCancel(me, opened);
    }
    if (ownerId !== row.ownerId) await this.quorums.passTaking(me, opened, ownerId);
    if (to === row.status) {
      const isNewReason = to === 'canceled' && typeof dto.canceled_reason === 'string';
      return isNewReason ? { canceledReason: dto.canceled_reason } : {};
    }
    await this.quorums.pass(me, opened, taskQuorumOf(to), to);
    const actual = dto.actual === undefined ? row.actual : dto.actual;
    const hours = to === 'done' && actual === null ? await this.hoursOf(opened) : 0;
    return taskEffectsOf({ startedAt: row.startedAt, actual }, to, new Date(), hours, dto.canceled_reason ?? null);
  }

  /**
   * Calls the guard of the new status for the task as it will be, also when it comes from another endeavour with other
   * rules. Returns the check that allowed the change.
   */
  async passTransitionGuards(me: Caller, { row, isPreview }: Movable, changes: Partial<Task>): Promise<Partial<Task>> {
    const task = merged(row, changes);
    const isMoved = task.endeavour_id !== row.endeavourId;
    if (task.status === row.status && !isMoved) return {};
    const touched = changedParts(row, changes);
    const transition = { kind: 'task', to: task.status, merged: task, touched } as const;
    if (isPreview) return this.previewGuards(me, transition);
    const passage = await this.transitionGuards.assertAllowed(me, transition);
    return { dodCheckId: passage?.recordId ?? null, dodResult: (passage?.result as DodOutcome | undefined) ?? null };
  }

  private async previewGuards(me: Caller, transition: RequestedTransition): Promise<Partial<Task>> {
    const [obstacle] = await this.transitionGuards.obstacles(me, transition);
    if (obstacle !== undefined) throw new ApiError(obstacle.code as ErrorCode, obstacle.message);
    return {};
  }

  /**
   * Whether a patch changes approved content on which a decision is based. If an override or a vote exists, only those
   * who may cancel the task may change it, because this ends them.
   */
  async rewrites(me: Caller, opened: Movable, changes: Partial<Task>): Promise<boolean> {
    const { row, hasVotes = false } = opened;
    const isHeld = row.dodOverriddenAt !== null || hasVotes;
    if (!isHeld && row.attestedAt === null) return false;
    const touched = changedParts(row, changes);
    if (touched.length === 0) return false;
    const isApproved = touched.includes(TEXT) || (await this.repository.areApproved(row.endeavourId, touched));
    if (isApproved && isHeld) await this.assertMayCancel(me, opened);
    return isApproved;
  }

  /** Every other status, and what prevents the caller from setting it. */
  async transitions(me: Caller, id: string): Promise<Transition[]> {
    const found = await this.access.authorize(me, 'tasks_transitions', id);
    const row = await this.repository.read(id);
    const mayCancel = await this.mayCancel(me, { row, rank: found.rank });
    const transitions: Transition[] = [];
    for (const status of TASK_STATUSES.filter((each) => each !== row.status)) {
      const reasons = obstacles(row, { ...found, mayCancel }, status);
      if (reasons.length === 0) {
        const task = merged(row, { status });
        reasons.push(...(await this.quorumReasons(me, { ...found, row }, status)));
        reasons.push(
          ...(await this.transitionGuards.obstacles(me, { kind: 'task', to: status, merged: task, touched: [] })),
        );
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
  private async mayCancel(me: Caller, { row, rank, answers }: Cancelable): Promise<boolean> {
    const mine = await askOnce({ answers }, 'mine', () => this.assignments.mine(me));
    if (mayEnd(row, { rank, mine })) return true;
    if (row.assigneeId === null || !mine.includes(row.assigneeId)) return false;
    return this.repository.isAssignedByOther(row.id, me.resourceId);
  }

  private async hoursOf({ row, hours }: Movable): Promise<number> {
    return hours ?? (await this.repository.hoursActive([row.id])).get(row.id) ?? 0;
  }
}
