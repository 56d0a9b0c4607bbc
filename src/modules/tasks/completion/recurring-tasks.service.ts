import { Injectable } from '@nestjs/common';
import type { FieldError } from '../../../common/errors.js';
import { newId } from '../../../common/ids.js';
import type { JsonRecord } from '../../../common/texts/json.js';
import type { Actor } from '../../../platform/context/actor.js';
import { ResourceWriter } from '../../../platform/events/resource-writer.js';
import { TextObservers } from '../../../platform/text-observers/text-observers.js';
import { DemandsService } from '../../demands/demands.service.js';
import { EndeavoursService } from '../../endeavours/endeavours.service.js';
import { lackingErrors } from '../../endeavours/fields/field-values.service.js';
import { isLabelName } from '../../labels/label.rules.js';
import { LabelsService } from '../../labels/labels.service.js';
import { AssignmentsService } from '../../resources/assignments/assignments.service.js';
import { Task } from '../task.entity.js';
import { taskView } from '../task.view.js';

/** A task of recurring work. Its references were valid when it was described, and can have become unusable. */
export interface RecurringTask {
  endeavourId: string;
  title: string;
  description: string | null;
  assigneeId: string | null;
  demandId: string | null;
  /** The day on which work on it is to begin, which is not after the day on which it is due. */
  startDate: string | null;
  /** A day or an instant; both are null without a due date. */
  due: { dueDay: string | null; dueDate: Date | null };
  /** The names of its labels. */
  labels: readonly string[];
  metadata: JsonRecord;
  /** The occasion for which the task is made; each has one. */
  externalRef: { source: string; id: string };
  /** Who described the task first, and is its creator. */
  creatorId: string;
  /** Who changed the description last, and when: the author of the approved content. */
  content: { by: string; at: Date };
}

/** A task that was made, and the errors of what could not be used; the task is made without it. */
interface MadeTask {
  id: string;
  errors: FieldError[];
}

const DEMAND_ERRORS = {
  absent: { code: 'reference_not_found', message: 'demand_id no longer exists; the task belongs to no demand.' },
  fulfilled: { code: 'invalid_value', message: 'demand_id is fulfilled; the task belongs to no demand.' },
} as const;

/** Makes tasks that were described beforehand, such as those of rituals. */
@Injectable()
export class RecurringTasks {
  constructor(
    private readonly assignments: AssignmentsService,
    private readonly demands: DemandsService,
    private readonly endeavours: EndeavoursService,
    private readonly labels: LabelsService,
    private readonly textObservers: TextObservers,
    private readonly writer: ResourceWriter,
  ) {}

  /** Makes the task; `actor` is who causes it, null for the service. */
  async create(actor: Actor | null, task: RecurringTask): Promise<MadeTask> {
    const { endeavourId, title, description, content, creatorId, startDate, due, externalRef, metadata } = task;
    const errors = lackingErrors(await this.endeavours.fieldsOf(endeavourId), 'task', metadata);
    const assigneeId = await this.assigneeOf(task, errors);
    const demandId = await this.demandOf(task, errors);
    const ownerId = await this.ownerOf(task, assigneeId, errors);
    const labels = await this.labelsOf(task, errors);
    const id = newId('task');
    await this.writer.create(actor, taskView, Task, {
      row: {
        id,
        title,
        description,
        endeavourId,
        assigneeId,
        demandId,
        ownerId,
        creatorId,
        startDate,
        ...due,
        labels,
        metadata,
        externalRef: { ...externalRef, url: null },
        contentChanges: { '': { revision: 1, by: content.by, at: content.at.toISOString() } },
      },
      place: { endeavourId },
      title,
    });
    await this.textObservers.onTextWritten(actor, {
      kind: 'task',
      entityId: id,
      endeavourId,
      texts: [title, description],
    });
    return { id, errors };
  }

  private async assigneeOf(task: RecurringTask, errors: FieldError[]): Promise<string | null> {
    const { assigneeId, creatorId, endeavourId } = task;
    if (assigneeId === null) return null;
    if (await this.assignments.isAssignable({ resourceId: creatorId }, endeavourId, assigneeId)) return assigneeId;
    const message = 'assignee_id can no longer be assigned to work of the endeavour; the task has no assignee.';
    errors.push({ field: 'assignee_id', code: 'reference_not_found', message });
    return null;
  }

  private async labelsOf({ labels, endeavourId }: RecurringTask, errors: FieldError[]): Promise<string[] | undefined> {
    const usable = labels.filter(isLabelName);
    if (usable.length < labels.length) {
      const message = 'labels has names that no label can have; the task is without them.';
      errors.push({ field: 'labels', code: 'invalid_format', message });
    }
    return this.labels.idsOf(endeavourId, usable);
  }

  private async demandOf({ demandId, endeavourId }: RecurringTask, errors: FieldError[]): Promise<string | null> {
    if (demandId === null) return null;
    const obstacle = await this.demands.obstacleOf(demandId, endeavourId);
    if (obstacle === undefined) return demandId;
    errors.push({ field: 'demand_id', ...DEMAND_ERRORS[obstacle] });
    return null;
  }

  /** The creator; if the creator has left, the assignee, or else still the creator, until an admin sets another owner. */
  private async ownerOf(
    { creatorId, endeavourId }: RecurringTask,
    assigneeId: string | null,
    errors: FieldError[],
  ): Promise<string> {
    if (await this.assignments.isAssignable({ resourceId: creatorId }, endeavourId, creatorId)) return creatorId;
    const owner =
      assigneeId === null ? 'nobody who works in the endeavour owns the task' : 'the assignee owns the task';
    const message = `The creator of the task can no longer be assigned to work of the endeavour; ${owner}.`;
    errors.push({ field: 'owner_id', code: 'reference_not_found', message });
    return assigneeId ?? creatorId;
  }
}
