import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/authentication/caller.js';
import { ApiError } from '../../../common/errors.js';
import { Database } from '../../../platform/database/database.js';
import { changedValues } from '../../../platform/database/columns/columns.js';
import { BulkWriter } from '../../../platform/events/bulk-writer.js';
import { inSavepoint } from '../../../platform/http/requests/savepoint.js';
import type { UpdateTaskDto } from '../task.dto.js';
import { Task } from '../task.entity.js';
import { eventTypeOf, TaskPatches, type PreparedPatch } from '../task-patches.service.js';
import type { PatchableTask } from '../patchable-task.js';
import { TaskTransitions, type LockOptions } from '../task-transitions.js';
import { taskView } from '../task.view.js';
import { TasksRepository } from '../tasks.repository.js';
import { TasksService } from '../tasks.service.js';
import type { TaskRefusal } from './bulk.repository.js';

/** The result of patching a batch of tasks, or of its preview. */
export interface BatchResult {
  changed: number;
  refusals: TaskRefusal[];
}

/** Patches a batch of tasks by the rules of a single patch, task by task, with one write for all. */
@Injectable()
export class BulkPatches {
  constructor(
    private readonly bulkWriter: BulkWriter,
    private readonly database: Database,
    private readonly patches: TaskPatches,
    private readonly repository: TasksRepository,
    private readonly tasks: TasksService,
    private readonly transitions: TaskTransitions,
  ) {}

  async apply(me: Caller, ids: readonly string[], dto: UpdateTaskDto): Promise<BatchResult> {
    if (changesOtherRows(dto)) return this.applyEach(me, ids, dto);
    let result: BatchResult | undefined;
    const refusal = await inSavepoint(this.database, async () => {
      result = await this.applyTogether(me, ids, dto);
    });
    // The database rejected a patch that the rules allow; the tasks are retried one by one to find it.
    return refusal === undefined && result !== undefined ? result : this.applyEach(me, ids, dto);
  }

  /** Determines the result without writes or locks. Counts in `entered` how many tasks would enter each stage. */
  async preview(
    me: Caller,
    ids: readonly string[],
    dto: UpdateTaskDto,
    entered: Record<string, number>,
  ): Promise<BatchResult> {
    const { prepared, refusals } = await this.prepareEach(me, ids, dto, { isPreview: true, entered });
    const others = await this.withOtherParent(ids, dto);
    const changed = prepared.filter(
      ({ task, changes }) => Object.keys(changedValues(task.row, changes)).length > 0 || others.has(task.row.id),
    );
    return { changed: changed.length, refusals };
  }

  private async applyTogether(me: Caller, ids: readonly string[], dto: UpdateTaskDto): Promise<BatchResult> {
    const { prepared, refusals } = await this.prepareEach(me, ids, dto, { isPreview: false });
    const rows = prepared.map(({ task, changes }) => ({ current: task.row, changes }));
    const changed = await this.bulkWriter.patchEach(
      me,
      taskView,
      Task,
      rows,
      (changes) => eventTypeOf(changes) ?? 'task.updated',
    );
    await this.patches.applyEffects(me, prepared);
    return { changed, refusals };
  }

  private async applyEach(me: Caller, ids: readonly string[], dto: UpdateTaskDto): Promise<BatchResult> {
    const result: BatchResult = { changed: 0, refusals: [] };
    const others = await this.withOtherParent(ids, dto);
    for (const taskId of ids) {
      const refusal = await inSavepoint(this.database, async () => {
        const before = await this.repository.revisionOf(taskId);
        const { revision } = await this.tasks.update(me, taskId, dto);
        if (revision !== before || others.has(taskId)) result.changed += 1;
      });
      if (refusal !== undefined) result.refusals.push({ taskId, refusal });
    }
    return result;
  }

  /** The tasks whose parent the patch changes. */
  private async withOtherParent(ids: readonly string[], { parent_id: parentId }: UpdateTaskDto): Promise<Set<string>> {
    return parentId === undefined ? new Set() : this.repository.withOtherParent(ids, parentId);
  }

  private async prepareEach(
    me: Caller,
    ids: readonly string[],
    dto: UpdateTaskDto,
    options: LockOptions,
  ): Promise<{ prepared: PreparedPatch[]; refusals: TaskRefusal[] }> {
    const tasks = await this.transitions.lockEach(me, ids, dto, options);
    const prepared: PreparedPatch[] = [];
    const refusals: TaskRefusal[] = [];
    for (const [index, task] of tasks.entries()) {
      const outcome = await this.prepare(me, task, dto);
      if (outcome instanceof ApiError) refusals.push({ taskId: ids[index], refusal: outcome });
      else prepared.push(outcome);
    }
    return { prepared, refusals };
  }

  private async prepare(
    me: Caller,
    task: PatchableTask | ApiError,
    dto: UpdateTaskDto,
  ): Promise<PreparedPatch | ApiError> {
    if (task instanceof ApiError) return task;
    try {
      return await this.patches.prepare(me, task, dto);
    } catch (error) {
      if (error instanceof ApiError && error.code !== 'unavailable') return error;
      throw error;
    }
  }
}

/**
 * Whether the patch changes more than the row of the task (title and endeavour, which `entities` repeats, or the parent), or
 * names a stage, which decides what is locked of each task and counts those that entered it before.
 */
const changesOtherRows = ({ title, endeavour_id, parent_id, stage }: UpdateTaskDto): boolean =>
  [title, endeavour_id, parent_id, stage].some((sent) => sent !== undefined);
