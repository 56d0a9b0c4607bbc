import { Injectable } from '@nestjs/common';
import { Access, type AuthorizedResource, type LockedResource } from '../../access/access.js';
import type { Caller } from '../../access/caller.js';
import { ExternalRefs } from '../../access/external-refs.js';
import { fromWire } from '../../common/case.js';
import { forbidden, invalidInput, referenceNotFound } from '../../common/errors.js';
import { newId } from '../../common/ids.js';
import { TASK_STATUSES, type TaskStatus } from '../../common/statuses.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import { Database } from '../../platform/database/database.js';
import type { FieldNames, Representation } from '../../platform/database/view.js';
import { mergeExternalRef } from '../../platform/http/fields.js';
import { mergeMetadata } from '../../platform/http/metadata.js';
import type { Page } from '../../platform/http/page.js';
import type { RawQuery } from '../../platform/http/query-parameters.js';
import { TaggedData } from '../../platform/http/tagged-data.js';
import { TextObservers, textsOf } from '../../platform/text-observers/text-observers.js';
import type { ListRequest } from '../../platform/listing/definition.js';
import { Listing } from '../../platform/listing/listing.js';
import { conditionOf, ListStatement } from '../../platform/listing/page-statement.js';
import { DemandsService } from '../demands/demands.service.js';
import { dueDateOf, maySetOwner } from '../demands/work.rules.js';
import { DependenciesService } from '../dependencies/dependencies.service.js';
import { CompletionService } from '../endeavours/completion.service.js';
import { EndeavoursService } from '../endeavours/endeavours.service.js';
import { AssignmentsService } from '../resources/assignments.service.js';
import { doneEffects } from './attestation.js';
import type { CreateTaskDto, UpdateTaskDto } from './task.dto.js';
import { Task } from './task.entity.js';
import { taskCounts, taskList } from './task.list.js';
import { TaskTransitions, type Movable } from './task-transitions.js';
import { mayComplete } from './task.rules.js';
import { taskDetailView } from './task-detail.view.js';
import { taskView } from './task.view.js';
import { UnblockedTasks } from './unblocked-tasks.service.js';

/** How many tasks are in which status. */
export type TaskSummary = { total: number } & Record<TaskStatus, number>;

/** The atomic units of work. */
@Injectable()
export class TasksService {
  constructor(
    private readonly access: Access,
    private readonly assignments: AssignmentsService,
    private readonly completion: CompletionService,
    private readonly database: Database,
    private readonly demands: DemandsService,
    private readonly dependencies: DependenciesService,
    private readonly endeavours: EndeavoursService,
    private readonly externalRefs: ExternalRefs,
    private readonly listing: Listing,
    private readonly moves: TaskTransitions,
    private readonly textObservers: TextObservers,
    private readonly unblocked: UnblockedTasks,
    private readonly writer: ResourceWriter,
  ) {}

  /** A page of tasks; with `summary` their counts by status instead, under the same filters and the same eyes. */
  async list(me: Caller, query: RawQuery): Promise<Page | TaggedData<TaskSummary>> {
    const request = this.listing.read(taskList, query);
    if (request.filters.get('summary') !== true) return this.listing.pageOf(me, taskList, request);
    return new TaggedData(await this.count(me, request));
  }

  summary(me: Caller, query: RawQuery): Promise<TaskSummary> {
    return this.count(me, this.listing.read(taskCounts, query));
  }

  get(me: Caller, id: string, fields?: FieldNames): Promise<Representation> {
    return this.access.getOr404(me, taskDetailView, id, { fields });
  }

  async create(me: Caller, dto: CreateTaskDto): Promise<Representation> {
    const { endeavour_id, demand_id, assignee_id, due_date, external_ref, ...sent } = dto;
    const [endeavour, watch] = await Promise.all([
      this.access.resolveReference(me, 'tasks_create', 'endeavour_id', endeavour_id, 'endeavour'),
      this.textObservers.observersOf({ endeavourId: endeavour_id }),
    ]);
    const people = await this.assignments.resolve(me, endeavour_id, { assignee_id });
    await this.assertDemand(demand_id, endeavour_id);
    this.access.assertWritable(endeavour);
    this.endeavours.assertTakesWork(endeavour);
    if (demand_id !== undefined) await this.demands.receive(me, demand_id, 'planned');
    const id = newId('task');
    const dueDate = await this.dueDate(due_date, endeavour_id);
    const externalRef = mergeExternalRef(null, external_ref);
    await this.externalRefs.hold(taskView, endeavour_id, externalRef);
    const follow = watch(me, { kind: 'task', entityId: id, texts: [dto.title, dto.description] });
    const created = await this.writer.create(me, taskView, Task, {
      row: {
        id,
        ...fromWire({ ...sent, ...people, endeavour_id, demand_id }),
        dueDate,
        externalRef,
        ownerId: me.resourceId,
        creatorId: me.resourceId,
      },
      place: { endeavourId: endeavour_id },
      title: dto.title,
      isLast: follow === undefined,
    });
    await follow?.();
    return created;
  }

  async update(me: Caller, id: string, dto: UpdateTaskDto): Promise<Representation> {
    const opened = await this.moves.open(me, id, dto);
    const destination = await this.destination(me, opened, dto.endeavour_id);
    await this.assertMaySetOwner(me, opened, dto.owner_id);
    const changes = await this.changesOf(me, opened.row, dto, destination);
    const isRewritten = await this.moves.rewrites(me, opened, changes);
    this.access.assertWritable(opened);
    this.access.assertWritable(destination);
    const isMoved = destination !== opened;
    if (isMoved) await this.assertMayArrive(id, destination);
    Object.assign(changes, await this.moves.effects(me, opened, dto, changes.ownerId));
    Object.assign(changes, doneEffects(opened.row, changes, dto.metadata, { ...me, now: new Date(), isRewritten }));
    Object.assign(changes, await this.moves.passTransitionGuards(me, opened.row, changes));
    await this.tellDemand(me, opened, changes);
    const texts = textsOf(opened.row, changes, ['title', 'description', 'canceledReason']);
    const patched = await this.writer.patch(me, taskView, Task, {
      current: opened.row,
      changes,
      place: destination.place,
      entityChanges: { title: dto.title, endeavourId: changes.endeavourId },
      type: ({ status }) => (status === undefined ? undefined : 'task.status_changed'),
      isLast: texts.length === 0 && !mayComplete(changes),
    });
    await this.textObservers.onTextWritten(me, {
      kind: 'task',
      entityId: id,
      endeavourId: destination.place.endeavourId,
      texts,
    });
    if (mayComplete(changes)) {
      await this.unblocked.recordAfter(me, opened.row, { isMoved });
      await this.completion.completeIfDone(me, opened.row.endeavourId);
    }
    return patched;
  }

  private async count(me: Caller, request: ListRequest): Promise<TaskSummary> {
    const p = new ListStatement(me);
    const counts = TASK_STATUSES.map(
      (status) => `count(*) FILTER (WHERE t.status = '${status}')::integer AS ${status}`,
    );
    const row = await this.database.one<TaskSummary>(
      `SELECT count(*)::integer AS total, ${counts.join(', ')} FROM tasks t WHERE ${conditionOf(taskList, request, me, p)}`,
      p.values,
    );
    if (row === undefined) throw new Error('the count returned no row');
    return row;
  }

  /** A move needs member on both ends, admin on the endeavour that the task leaves, and so on its home if it leaves that too. */
  private async destination(
    me: Caller,
    opened: LockedResource<Task>,
    endeavourId: string | undefined,
  ): Promise<AuthorizedResource> {
    if (endeavourId === undefined || endeavourId === opened.row.endeavourId) return opened;
    if (opened.rank < 3) throw forbidden('the admin role in the endeavour that the task leaves');
    const found = await this.access.resolveReference(me, 'tasks_create', 'endeavour_id', endeavourId, 'endeavour');
    await this.endeavours.assertMayLeaveHome(me, opened.row.endeavourId, endeavourId);
    return found;
  }

  private async assertMayArrive(id: string, destination: AuthorizedResource): Promise<void> {
    this.endeavours.assertTakesWork(destination);
    await this.dependencies.assertMayMove(id, destination.id);
  }

  private async assertMaySetOwner(
    me: Caller,
    { row, rank }: LockedResource<Task>,
    ownerId: string | null | undefined,
  ): Promise<void> {
    if (ownerId === undefined || ownerId === row.ownerId) return;
    if (maySetOwner(row, { rank, mine: await this.assignments.mine(me) })) return;
    throw forbidden('the admin role in this endeavour, or to be the owner or creator of the task');
  }

  private async changesOf(
    me: Caller,
    row: Task,
    dto: UpdateTaskDto,
    destination: AuthorizedResource,
  ): Promise<Partial<Task>> {
    const { assignee_id, owner_id, due_date, external_ref, metadata, ...unmoved } = dto;
    const { status: _status, canceled_reason: _reason, ...sent } = unmoved;
    const endeavourId = destination.place.endeavourId ?? row.endeavourId;
    const isMoved = endeavourId !== row.endeavourId;
    const owner = owner_id === null ? await this.assignments.handBack(me, endeavourId, row.creatorId) : owner_id;
    const people = isMoved
      ? { assignee_id: assignee_id === undefined ? row.assigneeId : assignee_id, owner_id: owner ?? row.ownerId }
      : { assignee_id: news(assignee_id, row.assigneeId), owner_id: news(owner, row.ownerId) };
    const resolved = await this.assignments.resolve(me, endeavourId, people);
    const demandId = dto.demand_id === undefined && isMoved ? row.demandId : dto.demand_id;
    await this.assertDemand(demandId, endeavourId);
    const externalRef = mergeExternalRef(row.externalRef ?? null, external_ref);
    await this.externalRefs.hold(taskView, endeavourId, externalRef);
    return {
      ...fromWire({ ...sent, ...resolved }),
      externalRef,
      dueDate: await this.dueDate(due_date, endeavourId),
      metadata: mergeMetadata(row.metadata, metadata),
    };
  }

  private async assertDemand(demandId: string | null | undefined, endeavourId: string): Promise<void> {
    if (typeof demandId !== 'string') return;
    const found = await this.database.one('SELECT 1 FROM demands WHERE id = $1 AND endeavour_id = $2', [
      demandId,
      endeavourId,
    ]);
    if (found === undefined) throw invalidInput([referenceNotFound('demand_id')]);
  }

  private dueDate(sent: string | null | undefined, endeavourId: string): Promise<Date | null | undefined> {
    return dueDateOf(sent, () => this.endeavours.timezoneOf(endeavourId));
  }

  /** Notifies the demand of a task that is added or moved. */
  private async tellDemand(me: Caller, { row, demandHeldAs }: Movable, changes: Partial<Task>): Promise<void> {
    const status = changes.status ?? row.status;
    const demandId = changes.demandId === undefined ? row.demandId : changes.demandId;
    if (demandId === null || (status === row.status && demandId === row.demandId)) return;
    await this.demands.receive(me, demandId, status, demandId === row.demandId ? demandHeldAs : undefined);
  }
}

/** What was sent, unless it is there already: who has the work may keep it, even where they could not be given it now. */
function news<T>(sent: T | undefined, present: T): T | undefined {
  return sent === present ? undefined : sent;
}
