import { Injectable } from '@nestjs/common';
import { Access } from '../../access/access.js';
import type { Caller } from '../../access/authentication/caller.js';
import { ExternalRefs } from '../../access/references/external-refs.js';
import { fromWire } from '../../common/texts/case.js';
import { newId } from '../../common/ids.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import type { FieldNames, Representation } from '../../platform/database/views/view.js';
import { mergeExternalRef } from '../../platform/http/bodies/fields.js';
import type { Page } from '../../platform/http/responses/page.js';
import type { RawQuery } from '../../platform/http/requests/query-parameters.js';
import { TaggedData } from '../../platform/http/responses/tagged-data.js';
import { TextObservers, watchedTexts } from '../../platform/text-observers/text-observers.js';
import { Listing } from '../../platform/listing/listing.js';
import { DemandsService } from '../demands/demands.service.js';
import type { RankTaskDto } from './rank-task.dto.js';
import { RankingsService } from '../demands/ranks/rankings.service.js';
import { assertStartsInTime, newDueDate } from '../demands/work.rules.js';
import { GoalMembership } from '../endeavours/goals/goal-membership.service.js';
import { LabelsService } from '../labels/labels.service.js';
import { EndeavoursService } from '../endeavours/endeavours.service.js';
import { FieldLists } from '../endeavours/fields/field-lists.service.js';
import { FieldValues } from '../endeavours/fields/field-values.service.js';
import { IterationMembership } from '../iterations/iteration-membership.js';
import { AssignmentsService } from '../resources/assignments/assignments.service.js';
import type { PatchableTask } from './patchable-task.js';
import type { CreateTaskDto, UpdateTaskDto } from './task.dto.js';
import { Task } from './task.entity.js';
import { TaskParents } from './parts/task-parents.js';
import { TaskStages } from './stages/task-stages.service.js';
import { taskCounts, taskList } from './task.list.js';
import { becomesChanged, eventTypeOf, TaskPatches } from './task-patches.service.js';
import { TaskTransitions } from './task-transitions.js';
import { mayComplete } from './task.rules.js';
import { taskDetailView } from './task-detail.view.js';
import { taskView } from './task.view.js';
import { TasksRepository, type TaskSummary } from './tasks.repository.js';

/** Manages tasks. */
@Injectable()
export class TasksService {
  constructor(
    private readonly access: Access,
    private readonly assignments: AssignmentsService,
    private readonly demands: DemandsService,
    private readonly endeavours: EndeavoursService,
    private readonly externalRefs: ExternalRefs,
    private readonly fieldLists: FieldLists,
    private readonly fieldValues: FieldValues,
    private readonly labels: LabelsService,
    private readonly goals: GoalMembership,
    private readonly iterations: IterationMembership,
    private readonly listing: Listing,
    private readonly transitions: TaskTransitions,
    private readonly parents: TaskParents,
    private readonly patches: TaskPatches,
    private readonly rankings: RankingsService,
    private readonly repository: TasksRepository,
    private readonly stages: TaskStages,
    private readonly textObservers: TextObservers,
    private readonly writer: ResourceWriter,
  ) {}

  /** A page of tasks; with `summary` their counts by status instead, with the same filters and visibility. */
  async list(me: Caller, query: RawQuery): Promise<Page | TaggedData<TaskSummary>> {
    const list = await this.fieldLists.listFor(me, taskList, query);
    const request = this.listing.read(list, query);
    if (request.filters.get('summary') !== true) return this.listing.pageOf(me, list, request);
    return new TaggedData(await this.repository.countByStatus(me, list, request));
  }

  async summary(me: Caller, query: RawQuery): Promise<TaskSummary> {
    const list = await this.fieldLists.listFor(me, taskCounts, query);
    return this.repository.countByStatus(me, list, this.listing.read(list, query));
  }

  get(me: Caller, id: string, fields?: FieldNames): Promise<Representation> {
    return this.access.getOr404(me, taskDetailView, id, { fields });
  }

  async create(me: Caller, dto: CreateTaskDto): Promise<Representation> {
    const { endeavour_id, demand_id, parent_id, assignee_id, due_date, due_day, labels, stage, external_ref, ...sent } =
      dto;
    const [endeavour, observe] = await Promise.all([
      this.access.resolveReference(me, 'tasks_create', 'endeavour_id', endeavour_id, 'endeavour'),
      this.textObservers.observersOf({ endeavourId: endeavour_id }),
    ]);
    const people = await this.assignments.resolve(me, endeavour_id, { assignee_id });
    await this.demands.assertInEndeavour(demand_id, endeavour_id);
    const work = { kind: 'task', endeavourId: endeavour_id, fields: endeavour.fields } as const;
    await this.fieldValues.assertFit(me, work, { after: dto.metadata ?? {} });
    this.access.assertWritable(endeavour);
    this.endeavours.assertTakesWork(endeavour);
    await this.iterations.assertTakes(dto.iteration_id, endeavour_id);
    await this.goals.assertTakes(dto.goal_id, endeavour_id);
    const stageId = await this.stages.ofNew(stage, endeavour);
    if (demand_id !== undefined) await this.demands.acceptTask(me, demand_id, 'planned');
    const id = newId('task');
    const timezone = () => this.endeavours.timezoneOf(endeavour_id);
    const due = await newDueDate({ due_date, due_day }, timezone);
    await assertStartsInTime({ startDate: dto.start_date, ...due }, timezone);
    const externalRef = mergeExternalRef(null, external_ref);
    await this.externalRefs.lock(taskView, endeavour_id, externalRef);
    const notifyObservers = observe(me, { kind: 'task', entityId: id, texts: watchedTexts(taskView, dto) });
    const created = await this.writer.create(me, taskView, Task, {
      row: {
        id,
        ...fromWire({ ...sent, ...people, endeavour_id, demand_id }),
        ...due,
        labels: await this.labels.idsOf(endeavour_id, labels),
        stage: stageId,
        externalRef,
        ownerId: me.resourceId,
        creatorId: me.resourceId,
      },
      place: { endeavourId: endeavour_id },
      title: dto.title,
      isLast: notifyObservers === undefined && parent_id === undefined,
    });
    await notifyObservers?.();
    return (await this.parents.set(me, id, parent_id)) ? this.writer.read(me, taskView, id) : created;
  }

  /** Moves the task in the order of its endeavour. */
  async rank(me: Caller, id: string, dto: RankTaskDto): Promise<Representation> {
    const locked = await this.access.lockForUpdate(me, 'tasks_rank_set', Task, id);
    this.access.assertWritable(locked);
    const changes = await this.rankings.changesFor({ table: 'tasks', row: locked.row }, dto);
    return this.writer.patch(me, taskView, Task, { current: locked.row, changes, place: locked.place, isLast: true });
  }

  async update(me: Caller, id: string, dto: UpdateTaskDto): Promise<Representation> {
    return this.patch(me, await this.transitions.lock(me, id, dto), dto);
  }

  /** Patches a task that is locked. */
  async patch(me: Caller, locked: PatchableTask, dto: UpdateTaskDto): Promise<Representation> {
    const prepared = await this.patches.prepare(me, locked, dto);
    const { task, destination, changes, texts } = prepared;
    const patched = await this.writer.patch(me, taskView, Task, {
      current: task.row,
      changes,
      place: destination.place,
      entityChanges: { title: dto.title, endeavourId: changes.endeavourId },
      type: eventTypeOf,
      isLast:
        texts.length === 0 &&
        !mayComplete(task.row, changes) &&
        !becomesChanged(prepared) &&
        dto.parent_id === undefined,
    });
    await this.patches.applyEffects(me, [prepared]);
    return (await this.parents.set(me, task.row.id, dto.parent_id))
      ? this.writer.read(me, taskView, task.row.id)
      : patched;
  }
}
