import { Injectable } from '@nestjs/common';
import { Access, type Opened } from '../../access/access.js';
import type { Caller } from '../../access/caller.js';
import { forbidden } from '../../common/errors.js';
import { TASK_STATUSES, type TaskStatus } from '../../common/statuses.js';
import { Database } from '../../platform/database/database.js';
import { Gates } from '../../platform/gates/gates.js';
import { assertNotReopened, assertReason, mayEnd } from '../demands/work.rules.js';
import { Assignments } from '../resources/assignments.service.js';
import { Quorums } from '../resources/quorums.service.js';
import type { UpdateTaskDto } from './task.dto.js';
import { Task } from './task.entity.js';
import { taskLifecycle } from './task.lifecycle.js';
import { effectsOf, isReopening, merged, obstacles, quorumOf, type Transition } from './task.rules.js';

/** The moves of tasks from status to status: who may make them, what keeps them back, what they bring with them. */
@Injectable()
export class TaskMoves {
  constructor(
    private readonly access: Access,
    private readonly assignments: Assignments,
    private readonly database: Database,
    private readonly gates: Gates,
    private readonly quorums: Quorums,
  ) {}

  /** What a patch changes by moving the task; refuses a move that cannot be made, by this caller, now. */
  async effects(me: Caller, opened: Opened<Task>, dto: UpdateTaskDto): Promise<Partial<Task>> {
    const { row } = opened;
    const to = dto.status ?? row.status;
    assertReason(to, row.canceledReason, dto.canceled_reason);
    if (to === row.status) {
      const isNewReason = to === 'canceled' && typeof dto.canceled_reason === 'string';
      return isNewReason ? { canceledReason: dto.canceled_reason } : {};
    }
    taskLifecycle.assertMove(row.status, to);
    assertNotReopened(opened.containerStatus, isReopening(row.status, to));
    if (to === 'canceled') await this.assertMayCancel(me, opened);
    await this.quorums.pass(me, opened, quorumOf(to), to);
    const actual = dto.actual === undefined ? row.actual : dto.actual;
    const hours = to === 'done' && actual === null ? await this.hoursActive(row.id) : 0;
    return effectsOf({ startedAt: row.startedAt, actual }, to, new Date(), hours, dto.canceled_reason ?? null);
  }

  /**
   * Asks whoever keeps the gate of the status that the task is coming to, as it will be; also where it comes from another
   * endeavour, which may have asked less of it. Answers with the check that let it pass.
   */
  async passGate(me: Caller, row: Task, changes: Partial<Task>): Promise<Partial<Task>> {
    const task = merged(row, changes);
    const isMoved = task.endeavour_id !== row.endeavourId;
    if (task.status === row.status && !isMoved) return {};
    const dodCheckId = await this.gates.pass(me, { kind: 'task', to: task.status, merged: task });
    return { dodCheckId };
  }

  /** Every other status, and what would keep the caller from moving the task there. */
  async transitions(me: Caller, id: string): Promise<Transition[]> {
    const found = await this.access.at(me, 'tasks_transitions', id);
    const row = await this.database.row(Task, id);
    const mine = await this.assignments.mine(me);
    const transitions: Transition[] = [];
    for (const status of TASK_STATUSES.filter((each) => each !== row.status)) {
      const reasons = obstacles(row, { ...found, mine }, status);
      if (reasons.length === 0) {
        const task = merged(row, { status });
        reasons.push(...(await this.quorumReasons(me, { ...found, row }, status)));
        reasons.push(...(await this.gates.obstacles(me, { kind: 'task', to: status, merged: task })));
      }
      transitions.push({ status, allowed: reasons.length === 0, reasons });
    }
    return transitions;
  }

  private quorumReasons(me: Caller, task: Opened<Task>, to: TaskStatus): Promise<Transition['reasons']> {
    return this.quorums.obstacles(me, task, quorumOf(to), to);
  }

  private async assertMayCancel(me: Caller, { row, rank }: Opened<Task>): Promise<void> {
    if (mayEnd(row, { rank, mine: await this.assignments.mine(me) })) return;
    throw forbidden('admin of the endeavour, or being creator, owner or assignee of the task');
  }

  private async hoursActive(taskId: string): Promise<number> {
    const row = await this.database.one<{ hours: number }>(
      `SELECT coalesce(sum(extract(epoch FROM coalesce(left_at, clock_timestamp()) - entered_at)), 0)::float8 / 3600 AS hours
       FROM task_statuses WHERE task_id = $1 AND status = 'active'`,
      [taskId],
    );
    return row?.hours ?? 0;
  }
}
