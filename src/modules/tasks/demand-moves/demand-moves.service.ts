import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/authentication/caller.js';
import { ApiError, conflict } from '../../../common/errors.js';
import { Database } from '../../../platform/database/database.js';
import type { Representation } from '../../../platform/database/views/view.js';
import { ResourceWriter } from '../../../platform/events/resource-writer.js';
import { inSavepoint } from '../../../platform/http/requests/savepoint.js';
import { DemandMoves } from '../../demands/demand-moves.service.js';
import type { PatchableTask } from '../patchable-task.js';
import { isClosed } from '../task.rules.js';
import type { UpdateTaskDto } from '../task.dto.js';
import { Task } from '../task.entity.js';
import { TaskPatches, type PreparedPatch } from '../task-patches.service.js';
import { TaskTransitions } from '../task-transitions.js';
import { taskView } from '../task.view.js';
import type { MoveDemandDto, MovedTasks } from './move-demand.dto.js';

/** The most tasks of a demand that can move, all in one transaction. */
export const MAX_TASKS = 500;

/** Why a task cannot move, or cannot stay without its demand. */
interface StayingTask {
  id: string;
  code: string;
  reason: string | null;
  message: string;
}

/** Moves a demand with its tasks. */
@Injectable()
export class DemandMovesService {
  constructor(
    private readonly database: Database,
    private readonly demands: DemandMoves,
    private readonly patches: TaskPatches,
    private readonly transitions: TaskTransitions,
    private readonly writer: ResourceWriter,
  ) {}

  async move(
    me: Caller,
    id: string,
    { endeavour_id: endeavourId, with: moved }: MoveDemandDto,
  ): Promise<Representation> {
    await this.demands.authorize(me, id);
    // Tasks are locked before their demand, in the same order as when they are patched.
    const tasks = await this.lockTasks(me, id, []);
    const demand = await this.demands.lock(me, id);
    const destination = await this.demands.destinationOf(me, demand, endeavourId);
    if (destination.id === demand.row.endeavourId) return this.demands.read(me, id);
    // Those that joined it before it was locked.
    tasks.push(...(await this.lockTasks(me, id, tasks)));
    const along = tasks.filter(({ row }) => movesAlong(row, moved));
    const others = tasks.filter(({ row }) => !movesAlong(row, moved));
    const left = await this.patchEach(me, others, { demand_id: null });
    return this.demands.move(me, demand, destination, async () => {
      const arrived = await this.patchEach(me, along, { endeavour_id: endeavourId });
      await this.patches.applyEffects(me, [...left, ...arrived]);
    });
  }

  /** Locks the tasks of the demand that are not among the known ones. */
  private async lockTasks(me: Caller, id: string, known: readonly PatchableTask[]): Promise<PatchableTask[]> {
    const ids = await this.demands.tasksOf(id, MAX_TASKS + 1);
    if (ids.length > MAX_TASKS) {
      throw conflict('too_large', `The demand has more than ${MAX_TASKS} tasks; move some of them before.`);
    }
    const added = ids.filter((taskId) => !known.some(({ row }) => row.id === taskId));
    const locked = await this.transitions.lockEach(me, added, {}, { isPreview: false });
    return locked.map((task) => {
      if (task instanceof ApiError) throw task;
      return task;
    });
  }

  /** Patches each task; if the rules refuse one, throws an error that names all that are refused. */
  private async patchEach(me: Caller, tasks: readonly PatchableTask[], dto: UpdateTaskDto): Promise<PreparedPatch[]> {
    const patched: PreparedPatch[] = [];
    const staying: StayingTask[] = [];
    for (const task of tasks) {
      const refusal = await inSavepoint(this.database, async () => {
        const prepared = await this.patches.prepare(me, task, dto);
        const { destination, changes } = prepared;
        const { endeavourId } = changes;
        await this.writer.patch(me, taskView, Task, {
          current: task.row,
          changes,
          place: destination.place,
          entityChanges: { endeavourId },
        });
        patched.push(prepared);
      });
      if (refusal !== undefined) {
        const { code, message, details } = refusal;
        const reason = typeof details?.reason === 'string' ? details.reason : null;
        staying.push({ id: task.row.id, code, reason, message });
      }
    }
    if (staying.length === 0) return patched;
    throw conflict('tasks_stay', `${staying.length} of the tasks cannot move; nothing has moved.`, { tasks: staying });
  }
}

function movesAlong({ status }: Pick<Task, 'status'>, moved: MovedTasks): boolean {
  return moved === 'all' || (moved === 'open' && !isClosed(status));
}
