import { Injectable } from '@nestjs/common';
import { Access, type Beside, type Opened } from '../../access/access.js';
import type { Caller } from '../../access/caller.js';
import { forbidden } from '../../common/errors.js';
import { TASK_STATUSES, type TaskStatus } from '../../common/statuses.js';
import { Database } from '../../platform/database/database.js';
import { Gates } from '../../platform/gates/gates.js';
import type { DemandStatus } from '../demands/demand.lifecycle.js';
import { assertNotReopened, assertReason, mayEnd } from '../demands/work.rules.js';
import { Assignments } from '../resources/assignments.service.js';
import { Quorums } from '../resources/quorums.service.js';
import type { UpdateTaskDto } from './task.dto.js';
import { Task } from './task.entity.js';
import { taskLifecycle } from './task.lifecycle.js';
import { effectsOf, isReopening, merged, obstacles, quorumOf, type Transition } from './task.rules.js';

/** How the demand of a task stands, which is kept from being fulfilled meanwhile, and whether its owner votes. */
const STANDINGS: Beside = {
  name: 'standings',
  columns: `owner.id AS standing_owner, owner.quorum IS NOT NULL AS standing_votes,
    demand.id AS standing_demand, demand.status AS standing_status`,
  joins: `LEFT JOIN resources owner ON owner.id = own.owner_id
    LEFT JOIN LATERAL (SELECT d.id, d.status FROM demands d WHERE d.id = own.demand_id FOR KEY SHARE) demand ON true`,
};

interface StandingsRow {
  standing_owner: string | null;
  standing_votes: boolean;
  standing_demand: string | null;
  standing_status: DemandStatus | null;
}

/** A task that may be moved. Both are undefined where they have to be looked up. */
export interface Movable extends Opened<Task> {
  ownerVotes?: boolean;
  demandHeldAs?: DemandStatus;
}

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

  /** Takes the task in hand for that patch; if it is to move, with what most moves depend on, in the same statement. */
  async open(me: Caller, id: string, { status }: UpdateTaskDto): Promise<Movable> {
    if (status === undefined) return this.access.open(me, 'tasks_update', Task, id);
    const { beside, ...opened } = await this.access.open(me, 'tasks_update', Task, id, STANDINGS);
    const { ownerId, demandId } = opened.row;
    const { standing_owner, standing_votes, standing_demand, standing_status } = beside as unknown as StandingsRow;
    return {
      ...opened,
      ownerVotes: standing_owner === ownerId ? standing_votes : undefined,
      demandHeldAs: standing_demand === demandId ? (standing_status ?? undefined) : undefined,
    };
  }

  /** What a patch changes by moving the task; refuses a move that cannot be made, by this caller, now. */
  async effects(me: Caller, opened: Movable, dto: UpdateTaskDto): Promise<Partial<Task>> {
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
