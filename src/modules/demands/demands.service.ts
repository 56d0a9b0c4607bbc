import { Injectable } from '@nestjs/common';
import { Access, type LockedResource } from '../../access/access.js';
import type { Caller } from '../../access/authentication/caller.js';
import { ExternalRefs } from '../../access/references/external-refs.js';
import { fromWire } from '../../common/texts/case.js';
import { conflict, forbidden, invalidInput, referenceNotFound } from '../../common/errors.js';
import { newId } from '../../common/ids.js';
import type { TaskStatus } from '../../common/statuses.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import type { FieldNames, Representation } from '../../platform/database/views/view.js';
import { mergeExternalRef } from '../../platform/http/bodies/fields.js';
import { mergeMetadata } from '../../platform/http/bodies/metadata.js';
import type { Page } from '../../platform/http/responses/page.js';
import type { RawQuery } from '../../platform/http/requests/query-parameters.js';
import { Listing } from '../../platform/listing/listing.js';
import { TextObservers, watchedTexts, type WrittenText } from '../../platform/text-observers/text-observers.js';
import { CompletionService } from '../endeavours/dates/completion.service.js';
import { EndeavoursService } from '../endeavours/endeavours.service.js';
import { FieldLists } from '../endeavours/fields/field-lists.service.js';
import { FieldValues } from '../endeavours/fields/field-values.service.js';
import { changedGoal } from '../endeavours/goals/goals.js';
import { GoalMembership } from '../endeavours/goals/goal-membership.service.js';
import { LabelsService } from '../labels/labels.service.js';
import { changedIteration, IterationMembership } from '../iterations/iteration-membership.js';
import { AssignmentsService } from '../resources/assignments/assignments.service.js';
import { QuorumsService } from '../resources/quorums/quorums.service.js';
import type { CreateDemandDto, UpdateDemandDto } from './demand.dto.js';
import { Demand } from './demand.entity.js';
import { demandLifecycle, type DemandStatus } from './demand.lifecycle.js';
import { demandList } from './demand.list.js';
import { demandEffectsOf, isOver, isDemandReopening, demandQuorumOf } from './demand.rules.js';
import { demandDetailView } from './demand-detail.view.js';
import { demandView } from './demand.view.js';
import type { RankDemandDto } from './ranks/rank-demand.dto.js';
import { RankingsService } from './ranks/rankings.service.js';
import { DemandsRepository } from './demands.repository.js';
import {
  assertCancelReason,
  assertNotReopened,
  assertStartsInTime,
  changedDueDate,
  datesAfter,
  mayEnd,
  maySetOwner,
  newDueDate,
} from './work.rules.js';

const FULFILLED = 'The demand is fulfilled; reopen it first.';

const isOpen = (status: TaskStatus): boolean => status === 'planned' || status === 'active';

/** Manages demands, which are requests for work that tasks fulfil. */
@Injectable()
export class DemandsService {
  constructor(
    private readonly access: Access,
    private readonly assignments: AssignmentsService,
    private readonly completion: CompletionService,
    private readonly endeavours: EndeavoursService,
    private readonly externalRefs: ExternalRefs,
    private readonly fieldLists: FieldLists,
    private readonly fieldValues: FieldValues,
    private readonly labels: LabelsService,
    private readonly goals: GoalMembership,
    private readonly iterations: IterationMembership,
    private readonly listing: Listing,
    private readonly quorums: QuorumsService,
    private readonly rankings: RankingsService,
    private readonly repository: DemandsRepository,
    private readonly textObservers: TextObservers,
    private readonly writer: ResourceWriter,
  ) {}

  async list(me: Caller, query: RawQuery): Promise<Page> {
    return this.listing.page(me, await this.fieldLists.listFor(me, demandList, query), query);
  }

  get(me: Caller, id: string, fields?: FieldNames): Promise<Representation> {
    return this.access.getOr404(me, demandDetailView, id, { fields });
  }

  async create(me: Caller, dto: CreateDemandDto): Promise<Representation> {
    const { due_date, due_day, labels, external_ref, ...fields } = dto;
    const endeavour = await this.access.resolveReference(
      me,
      'demands_create',
      'endeavour_id',
      dto.endeavour_id,
      'endeavour',
    );
    const work = { kind: 'demand', endeavourId: dto.endeavour_id, fields: endeavour.fields } as const;
    await this.fieldValues.assertFit(me, work, { after: dto.metadata ?? {} });
    this.access.assertWritable(endeavour);
    this.endeavours.assertTakesWork(endeavour);
    await this.iterations.assertTakes(dto.iteration_id, dto.endeavour_id);
    await this.goals.assertTakes(dto.goal_id, dto.endeavour_id);
    const timezone = () => this.endeavours.timezoneOf(dto.endeavour_id);
    const due = await newDueDate({ due_date, due_day }, timezone);
    await assertStartsInTime({ startDate: dto.start_date, ...due }, timezone);
    const id = newId('demand');
    const externalRef = mergeExternalRef(null, external_ref);
    await this.externalRefs.lock(demandView, dto.endeavour_id, externalRef);
    const created = await this.writer.create(me, demandView, Demand, {
      row: {
        id,
        ...fromWire(fields),
        ...due,
        labels: await this.labels.idsOf(dto.endeavour_id, labels),
        externalRef,
        ownerId: me.resourceId,
        creatorId: me.resourceId,
      },
      place: { endeavourId: dto.endeavour_id },
      title: dto.title,
    });
    await this.notifyObservers(me, id, dto.endeavour_id, watchedTexts(demandView, dto));
    return created;
  }

  async update(me: Caller, id: string, dto: UpdateDemandDto): Promise<Representation> {
    const locked = await this.access.lockForUpdate(me, 'demands_update', Demand, id);
    await this.assertMaySetOwner(me, locked, dto.owner_id);
    const changes = await this.changesOf(me, locked, dto);
    this.access.assertWritable(locked);
    Object.assign(changes, await this.move(me, locked, dto, changes.ownerId));
    Object.assign(changes, await this.labels.made(locked.row.endeavourId, changes));
    // New tasks take the priority of the demand over.
    if (changes.priority !== undefined && changes.priority !== locked.row.priority) {
      await this.repository.lockAgainstTasks(id);
    }
    const patched = await this.write(me, locked, changes);
    const texts = watchedTexts(demandView, changes, locked.row);
    await this.notifyObservers(me, id, locked.row.endeavourId, texts);
    if (changes.status !== undefined && isOver(changes.status)) {
      await this.completion.completeIfDone(me, locked.row.endeavourId);
    }
    return patched;
  }

  /** Moves the demand in the order of its endeavour. */
  async rank(me: Caller, id: string, dto: RankDemandDto): Promise<Representation> {
    const locked = await this.access.lockForUpdate(me, 'demands_rank_set', Demand, id);
    this.access.assertWritable(locked);
    return this.write(me, locked, await this.rankings.changesFor({ table: 'demands', row: locked.row }, dto));
  }

  /**
   * Called before a task of the demand becomes planned or active. Rejects tasks of a fulfilled demand; the first active
   * task moves an open demand to in_progress. The lock waits for a concurrent fulfilment; `lockedStatus` is the status if
   * the demand is already locked.
   */
  async acceptTask(
    me: Caller,
    id: string,
    taskStatus: TaskStatus,
    { lockedStatus, isPreview = false }: { lockedStatus?: DemandStatus; isPreview?: boolean } = {},
  ): Promise<void> {
    if (!isOpen(taskStatus)) return;
    const status = lockedStatus ?? (await this.repository.statusOf(id, { isLocked: !isPreview }));
    if (status === 'fulfilled') {
      throw conflict('demand_fulfilled', FULFILLED);
    }
    if (status === 'open' && taskStatus === 'active' && !isPreview) await this.begin(me, id);
  }

  /** Rejects planned and active tasks of fulfilled demands; the other demands cannot be fulfilled until the commit. */
  async acceptImportedTasks(tasks: readonly { demandId: string | null; status: TaskStatus }[]): Promise<void> {
    const ids = tasks.flatMap(({ demandId, status }) => (demandId !== null && isOpen(status) ? [demandId] : []));
    if (ids.length > 0 && (await this.repository.isAnyFulfilled(ids))) throw conflict('demand_fulfilled', FULFILLED);
  }

  /** The reasons for which {@link acceptTask} would reject the task. */
  async taskObstacles(id: string | null, taskStatus: TaskStatus): Promise<{ code: string; message: string }[]> {
    if (id === null || !isOpen(taskStatus)) return [];
    const status = await this.repository.statusOf(id, { isLocked: false });
    return status === 'fulfilled' ? [{ code: 'demand_fulfilled', message: FULFILLED }] : [];
  }

  /**
   * Why a future task of the endeavour cannot belong to the demand: it is elsewhere, or fulfilled; undefined if it can.
   * Otherwise, the demand is not fulfilled until the transaction ends.
   */
  async obstacleOf(id: string, endeavourId: string): Promise<'absent' | 'fulfilled' | undefined> {
    if (!(await this.repository.isInEndeavour(id, endeavourId))) return 'absent';
    return (await this.repository.statusOf(id, { isLocked: true })) === 'fulfilled' ? 'fulfilled' : undefined;
  }

  /** Rejects a demand that is not in the endeavour of the task. */
  async assertInEndeavour(id: string | null | undefined, endeavourId: string): Promise<void> {
    if (typeof id !== 'string' || (await this.repository.isInEndeavour(id, endeavourId))) return;
    throw invalidInput([referenceNotFound('demand_id')]);
  }

  private notifyObservers(
    me: Caller,
    entityId: string,
    endeavourId: string,
    texts: WrittenText['texts'],
  ): Promise<void> {
    return this.textObservers.onTextWritten(me, { kind: 'demand', entityId, endeavourId, texts });
  }

  private async begin(me: Caller, id: string): Promise<void> {
    const locked = await this.access.lockForUpdate(me, 'demands_update', Demand, id);
    if (locked.row.status === 'open') await this.write(me, locked, demandEffectsOf('in_progress', new Date(), null));
  }

  private write(me: Caller, locked: LockedResource<Demand>, changes: Partial<Demand>): Promise<Representation> {
    return this.writer.patch(me, demandView, Demand, {
      current: locked.row,
      changes,
      place: locked.place,
      entityChanges: { title: changes.title },
      type: ({ status }) => (status === undefined ? undefined : 'demand.status_changed'),
    });
  }

  private async assertMaySetOwner(
    me: Caller,
    { row, rank }: LockedResource<Demand>,
    ownerId: string | null | undefined,
  ): Promise<void> {
    if (ownerId === undefined || ownerId === row.ownerId) return;
    if (maySetOwner(row, { rank, mine: await this.assignments.ownAssigneeIds(me) })) return;
    throw forbidden('the admin role in this endeavour, or to be the owner or creator of the demand');
  }

  private async changesOf(
    me: Caller,
    { row, fields: declared }: LockedResource<Demand>,
    dto: UpdateDemandDto,
  ): Promise<Partial<Demand>> {
    const { owner_id, due_date, due_day, labels, external_ref, metadata, iteration_id, goal_id, ...rest } = dto;
    const { status: _status, canceled_reason: _reason, ...fields } = rest;
    const owner =
      owner_id === null ? await this.assignments.ownerAfterHandBack(me, row.endeavourId, row.creatorId) : owner_id;
    const newOwner = owner === row.ownerId ? undefined : owner;
    const resolved = await this.assignments.resolve(me, row.endeavourId, { owner_id: newOwner });
    const iterationId = changedIteration(iteration_id, row);
    await this.iterations.assertTakes(iterationId, row.endeavourId);
    const goalId = changedGoal(goal_id, row);
    await this.goals.assertTakes(goalId, row.endeavourId);
    const timezone = () => this.endeavours.timezoneOf(row.endeavourId);
    const due = await changedDueDate({ due_date, due_day }, row, timezone);
    await assertStartsInTime(datesAfter(row, dto.start_date, due), timezone);
    const externalRef = mergeExternalRef(row.externalRef ?? null, external_ref);
    await this.externalRefs.lock(demandView, row.endeavourId, externalRef);
    const merged = mergeMetadata(row.metadata, metadata);
    if (merged !== undefined) {
      const work = { kind: 'demand', endeavourId: row.endeavourId, fields: declared } as const;
      await this.fieldValues.assertFit(me, work, { before: row.metadata, after: merged });
    }
    return {
      ...fromWire({ ...fields, ...resolved }),
      externalRef,
      labels: await this.labels.changed(row.labels, labels),
      iterationId,
      goalId,
      ...due,
      metadata: merged,
    };
  }

  private async move(
    me: Caller,
    locked: LockedResource<Demand>,
    { status, canceled_reason }: UpdateDemandDto,
    ownerId = locked.row.ownerId,
  ): Promise<Partial<Demand>> {
    const { row } = locked;
    const to = status ?? row.status;
    assertCancelReason(to, row.canceledReason, canceled_reason);
    if (to !== row.status) {
      demandLifecycle.assertMove(row.status, to);
      assertNotReopened(locked.containerStatus, isDemandReopening(row.status, to));
      if (isOver(to)) await this.assertMayEnd(me, locked);
      if (to === 'fulfilled') await this.assertNoOpenTasks(row.id);
    }
    if (ownerId !== row.ownerId) await this.quorums.requireQuorumForNewOwner(me, locked, ownerId);
    if (to === row.status) {
      return to === 'canceled' && typeof canceled_reason === 'string' ? { canceledReason: canceled_reason } : {};
    }
    await this.quorums.requireQuorum(me, locked, demandQuorumOf(to), to);
    return demandEffectsOf(to, new Date(), canceled_reason ?? null);
  }

  private async assertMayEnd(me: Caller, { row, rank }: LockedResource<Demand>): Promise<void> {
    if (mayEnd(row, { rank, mine: await this.assignments.ownAssigneeIds(me) })) return;
    throw forbidden('the admin role in this endeavour, or to be the creator or owner of the demand');
  }

  private async assertNoOpenTasks(id: string): Promise<void> {
    await this.repository.lockAgainstTasks(id);
    const open = await this.repository.countOpenTasks(id);
    if (open === 0) return;
    throw conflict('open_tasks', `${open} tasks are still planned or active; complete or cancel them first.`, {
      open_tasks: open,
    });
  }
}
