import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/authentication/caller.js';
import { assertScopes } from '../../access/operations/scopes.js';
import { invalidInput, referenceNotFound, type FieldError } from '../../common/errors.js';
import { sameJson } from '../../common/texts/json.js';
import type { Actor } from '../../platform/context/actor.js';
import { fieldError } from '../../platform/http/bodies/fields/field.js';
import { DemandsService } from '../demands/demands.service.js';
import { AssignmentsService } from '../resources/assignments/assignments.service.js';
import { RecurringTasks } from '../tasks/completion/recurring-tasks.service.js';
import type { Ritual } from './ritual.entity.js';
import type { RitualRun } from './runs/ritual-run.entity.js';
import { dueOf, isDueTooSoon, mergedTask, startOf, taskMetadataOf, type RitualTask } from './ritual-task.js';

/** The columns of a ritual that describe its task. */
export type TaskColumns = Pick<Ritual, 'task' | 'taskCreatedBy' | 'taskChangedBy'>;

const NO_TASK: TaskColumns = { task: null, taskCreatedBy: null, taskChangedBy: null };

/** A run that makes a task. */
interface Occasion {
  runId: string;
  ritual: TaskColumns & Pick<Ritual, 'endeavourId' | 'updatedAt'>;
  timezone: string;
  now: Date;
}

/** Describes the tasks of rituals, and makes them in runs. */
@Injectable()
export class RitualTasks {
  constructor(
    private readonly assignments: AssignmentsService,
    private readonly demands: DemandsService,
    private readonly recurringTasks: RecurringTasks,
  ) {}

  /**
   * The columns that a request sets; empty if it sends no task. References must be usable in the endeavour. Who describes
   * the task first is the creator of every task, who changes it last the author of its content.
   *
   * @param current - the columns of the ritual, or of the source of a fork
   */
  async columnsOf(
    me: Caller,
    endeavourId: string | null,
    sent: object | null | undefined,
    current: TaskColumns = NO_TASK,
  ): Promise<Partial<TaskColumns>> {
    if (sent === undefined) return {};
    if (sent === null) return NO_TASK;
    assertScopes(me, ['tasks:write']);
    const task = await this.resolve(me, endeavourId, mergedTask(current.task, sent));
    if (sameJson(task, current.task)) return {};
    return { task, taskCreatedBy: current.taskCreatedBy ?? me.resourceId, taskChangedBy: me.resourceId };
  }

  /** The columns of a fork: the task that is sent, or that of the source, which must be usable in the new container. */
  async columnsOfFork(
    me: Caller,
    endeavourId: string | null,
    sent: object | undefined,
    source: TaskColumns,
  ): Promise<Partial<TaskColumns>> {
    if (sent !== undefined || source.task === null) return this.columnsOf(me, endeavourId, sent);
    assertScopes(me, ['tasks:write']);
    const task = await this.resolve(me, endeavourId, source.task);
    return { task, taskCreatedBy: me.resourceId, taskChangedBy: source.taskChangedBy };
  }

  /** Makes the task of a run; returns the columns of the run that say what was made, and what could not be used. */
  async make(actor: Actor | null, occasion: Occasion): Promise<Pick<RitualRun, 'taskId' | 'taskErrors'>> {
    const { runId, ritual, timezone, now } = occasion;
    const { task, taskCreatedBy, taskChangedBy, endeavourId, updatedAt } = ritual;
    if (task === null || taskCreatedBy === null || taskChangedBy === null) return { taskId: null, taskErrors: [] };
    if (endeavourId === null) {
      const message = 'task is only made in an endeavour, which this ritual is not in.';
      return { taskId: null, taskErrors: [{ field: 'task', code: 'invalid_value', message }] };
    }
    const due = dueOf(task.due_in, now, timezone);
    const { id, errors } = await this.recurringTasks.create(actor, {
      endeavourId,
      title: task.title,
      description: task.description,
      assigneeId: task.assignee_id,
      demandId: task.demand_id,
      startDate: startOf(task.start_in, due, now, timezone),
      due,
      labels: task.labels,
      metadata: taskMetadataOf(task),
      externalRef: { source: 'ritual_run', id: runId },
      creatorId: taskCreatedBy,
      content: { by: taskChangedBy, at: updatedAt },
    });
    return { taskId: id, taskErrors: errors };
  }

  private async resolve(me: Caller, endeavourId: string | null, task: Partial<RitualTask>): Promise<RitualTask> {
    const { title, assignee_id: assignee = null, demand_id: demand = null } = task;
    const errors: FieldError[] = [];
    if (title === undefined) errors.push(...fieldError('task.title', 'required', 'is required.'));
    if (isDueTooSoon(task))
      errors.push(...fieldError('task.start_in', 'out_of_range', 'must not be longer than due_in.'));
    if (endeavourId === null) {
      for (const name of ['assignee_id', 'demand_id'] as const) {
        if (task[name] != null)
          errors.push(...fieldError(`task.${name}`, 'invalid_value', 'needs a ritual in an endeavour.'));
      }
    }
    const people = { 'task.assignee_id': assignee };
    if (endeavourId !== null) {
      const found = await this.assignments.tryResolve(me, endeavourId, people);
      Object.assign(people, found.resolved);
      errors.push(...found.errors, ...(await this.demandErrors(demand, endeavourId)));
    }
    if (errors.length > 0) throw invalidInput(errors);
    return { ...(task as RitualTask), assignee_id: people['task.assignee_id'] };
  }

  private async demandErrors(demandId: string | null, endeavourId: string): Promise<FieldError[]> {
    if (demandId === null) return [];
    const obstacle = await this.demands.obstacleOf(demandId, endeavourId);
    if (obstacle === undefined) return [];
    return obstacle === 'absent'
      ? [referenceNotFound('task.demand_id')]
      : fieldError('task.demand_id', 'invalid_value', 'refers to a fulfilled demand; reopen it first.');
  }
}
