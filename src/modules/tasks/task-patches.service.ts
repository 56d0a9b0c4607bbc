import { Injectable } from '@nestjs/common';
import { Access, type AuthorizedResource } from '../../access/access.js';
import { assertByManager } from '../../access/memberships/agents.js';
import type { Caller } from '../../access/authentication/caller.js';
import { ExternalRefs } from '../../access/references/external-refs.js';
import { fromWire } from '../../common/texts/case.js';
import { groupBy } from '../../common/group-by.js';
import { forbidden } from '../../common/errors.js';
import { mergeExternalRef } from '../../platform/http/bodies/fields.js';
import { TextObservers, watchedTexts, type WrittenText } from '../../platform/text-observers/text-observers.js';
import { TransitionGuards } from '../../platform/transitions/transition-guards.js';
import { DemandsService } from '../demands/demands.service.js';
import { assertStartsInTime, changedDueDate, datesAfter, maySetOwner } from '../demands/work.rules.js';
import { DependenciesService } from '../dependencies/dependencies.service.js';
import { CompletionService } from '../endeavours/dates/completion.service.js';
import { EndeavoursService } from '../endeavours/endeavours.service.js';
import { FieldValues } from '../endeavours/fields/field-values.service.js';
import { changedGoal } from '../endeavours/goals/goals.js';
import { GoalMembership } from '../endeavours/goals/goal-membership.service.js';
import { LabelsService } from '../labels/labels.service.js';
import { changedIteration, IterationMembership } from '../iterations/iteration-membership.js';
import { AssignmentsService } from '../resources/assignments/assignments.service.js';
import { attestedBy, doneEffects } from './completion/attestation.js';
import type { UpdateTaskDto } from './task.dto.js';
import { Task } from './task.entity.js';
import { mergeTaskMetadata } from './checklist/task-metadata.js';
import { assertMaySetActual, mayComplete } from './task.rules.js';
import { loadOnce, type PatchableTask } from './patchable-task.js';
import { noteEntry, TaskStages } from './stages/task-stages.service.js';
import { TaskTransitions } from './task-transitions.js';
import { taskView } from './task.view.js';
import { UnblockedTasks } from './completion/unblocked-tasks.service.js';

/** A patch that passed all checks: its changes, and the container of the task afterwards. */
export interface PreparedPatch {
  task: PatchableTask;
  destination: AuthorizedResource;
  changes: Partial<Task>;
  texts: WrittenText['texts'];
}

/** The type of the event; undefined for the default, `task.updated`. */
export const eventTypeOf = ({ status }: Partial<Task>): string | undefined =>
  status === undefined ? undefined : 'task.status_changed';

/** Whether the patch changes the approved content of a done task, on which its result is based. */
export const becomesChanged = ({ task, changes }: Pick<PreparedPatch, 'task' | 'changes'>): boolean =>
  changes.dodResult === 'changed' && task.row.dodResult !== 'changed';

/** Applies the rules of patching tasks, for one or many tasks. */
@Injectable()
export class TaskPatches {
  constructor(
    private readonly access: Access,
    private readonly assignments: AssignmentsService,
    private readonly completion: CompletionService,
    private readonly demands: DemandsService,
    private readonly dependencies: DependenciesService,
    private readonly endeavours: EndeavoursService,
    private readonly externalRefs: ExternalRefs,
    private readonly fieldValues: FieldValues,
    private readonly labels: LabelsService,
    private readonly goals: GoalMembership,
    private readonly iterations: IterationMembership,
    private readonly stages: TaskStages,
    private readonly transitionGuards: TransitionGuards,
    private readonly transitions: TaskTransitions,
    private readonly textObservers: TextObservers,
    private readonly unblocked: UnblockedTasks,
  ) {}

  /**
   * Checks the patch and determines its changes. A rejected patch leaves only records that are kept on purpose: a vote
   * or a check. A preview writes and locks nothing.
   */
  async prepare(me: Caller, task: PatchableTask, sent: UpdateTaskDto): Promise<PreparedPatch> {
    const destination = await this.destination(me, task, sent.endeavour_id);
    const endeavourId = destination.place.endeavourId ?? task.row.endeavourId;
    const { dto, enter, ...choice } = await this.stages.choose(task, sent, { id: endeavourId, rank: destination.rank });
    await this.assertMaySetOwner(me, task, dto.owner_id);
    if (attestedBy(dto.metadata) !== undefined) assertByManager(me);
    const changes = { ...(await this.changesOf(me, task, dto, destination)), ...choice.changes };
    const isContentChanged = await this.transitions.changesApprovedContent(me, task, changes);
    this.access.assertWritable(task);
    this.access.assertWritable(destination);
    if (destination !== task) await this.assertMayArrive(task, destination);
    Object.assign(changes, await this.transitions.effects(me, task, dto, { ownerId: changes.ownerId, enter }));
    const asked = await this.transitions.askedToAttest(task, endeavourId, dto.metadata);
    const act = { resourceId: me.resourceId, now: new Date(), isContentChanged, asked };
    Object.assign(changes, doneEffects(task.row, changes, dto.metadata, act));
    Object.assign(changes, await this.transitions.passTransitionGuards(me, task, changes));
    await this.notifyDemand(me, task, changes);
    if (task.isPreview !== true) {
      if (destination !== task) await this.labels.makeElsewhere(endeavourId, task.row.labels);
      Object.assign(changes, await this.labels.made(endeavourId, changes));
    }
    noteEntry(task, changes);
    return {
      task,
      destination,
      changes,
      texts: watchedTexts(taskView, changes, task.row),
    };
  }

  /**
   * Applies the effects of written patches: observers of texts, people whose verdicts no longer apply to a done task,
   * unblocked tasks, a completed endeavour.
   */
  async applyEffects(me: Caller, written: readonly PreparedPatch[]): Promise<void> {
    for (const { task, destination } of written.filter(becomesChanged)) {
      await this.transitionGuards.onInvalidated(me, { kind: 'task', to: 'done', id: task.row.id }, destination.place);
    }
    const withTexts = written.filter(({ texts }) => texts.length > 0);
    for (const [endeavourId, patches] of groupBy(withTexts, ({ destination }) => destination.place.endeavourId)) {
      const observe = await this.textObservers.observersOf({ endeavourId });
      for (const { task, texts } of patches) await observe(me, { kind: 'task', entityId: task.row.id, texts })?.();
    }
    const byEndeavour = groupBy(
      written.filter(({ task, changes }) => mayComplete(task.row, changes)),
      ({ task }) => task.row.endeavourId,
    );
    for (const [endeavourId, patches] of byEndeavour) await this.applyEndeavourEffects(me, endeavourId, patches);
  }

  /** Called after tasks of the endeavour were closed or moved away. */
  private async applyEndeavourEffects(
    me: Caller,
    endeavourId: string,
    patches: readonly PreparedPatch[],
  ): Promise<void> {
    const [moved, closed] = [true, false].map((isMoved) =>
      patches.filter(({ task, destination }) => (destination !== task) === isMoved).map(({ task }) => task.row),
    );
    for (const row of moved) await this.unblocked.recordAfterMove(me, row);
    if (closed.length > 0) {
      const ids = closed.map(({ id }) => id);
      await this.unblocked.recordAfter(me, ids, endeavourId);
    }
    await this.completion.completeIfDone(me, endeavourId);
  }

  /**
   * A move requires the member role in both endeavours, the admin role in the source endeavour, and the admin role in
   * its home if the task leaves it.
   */
  private async destination(
    me: Caller,
    task: PatchableTask,
    endeavourId: string | undefined,
  ): Promise<AuthorizedResource> {
    if (endeavourId === undefined || endeavourId === task.row.endeavourId) return task;
    if (task.rank < 3) throw forbidden('the admin role in the endeavour that the task leaves');
    const { isPreview } = task;
    const destination = await this.access.resolveReference(
      me,
      'tasks_create',
      'endeavour_id',
      endeavourId,
      'endeavour',
      {
        isLocked: isPreview !== true,
      },
    );
    await this.endeavours.assertMayLeaveHome(me, task.row.endeavourId, endeavourId);
    return destination;
  }

  private async assertMayArrive({ id, isPreview }: PatchableTask, destination: AuthorizedResource): Promise<void> {
    this.endeavours.assertTakesWork(destination);
    await this.dependencies.assertMayMove(id, destination.id, { isLocked: isPreview !== true });
  }

  private async assertMaySetOwner(
    me: Caller,
    { row, rank, cache }: PatchableTask,
    ownerId: string | null | undefined,
  ): Promise<void> {
    if (ownerId === undefined || ownerId === row.ownerId) return;
    if (maySetOwner(row, { rank, mine: await loadOnce({ cache }, 'mine', () => this.assignments.ownAssigneeIds(me)) }))
      return;
    throw forbidden('the admin role in this endeavour, or to be the owner or creator of the task');
  }

  private async changesOf(
    me: Caller,
    { row, isPreview, cache }: PatchableTask,
    dto: UpdateTaskDto,
    destination: AuthorizedResource,
  ): Promise<Partial<Task>> {
    const { assignee_id, owner_id, due_date, due_day, labels, external_ref, metadata, ...rest } = dto;
    const { status: _status, stage: _stage, canceled_reason: _reason, parent_id: _parent, ...sent } = rest;
    assertMaySetActual(row, dto.actual);
    const endeavourId = destination.place.endeavourId ?? row.endeavourId;
    const isMoved = endeavourId !== row.endeavourId;
    const owner =
      owner_id === null ? await this.assignments.ownerAfterHandBack(me, endeavourId, row.creatorId) : owner_id;
    const people = isMoved
      ? { assignee_id: assignee_id === undefined ? row.assigneeId : assignee_id, owner_id: owner ?? row.ownerId }
      : { assignee_id: ifChanged(assignee_id, row.assigneeId), owner_id: ifChanged(owner, row.ownerId) };
    const isLocked = isPreview !== true;
    const resolved = await loadOnce({ cache }, `people ${endeavourId} ${JSON.stringify(people)}`, () =>
      this.assignments.resolve(me, endeavourId, people, { isLocked }),
    );
    const demandId = dto.demand_id === undefined && isMoved ? row.demandId : dto.demand_id;
    await loadOnce({ cache }, `demand ${demandId} ${endeavourId}`, () =>
      this.demands.assertInEndeavour(demandId, endeavourId),
    );
    const iterationId = changedIteration(dto.iteration_id, row, endeavourId);
    await loadOnce({ cache }, `iteration ${iterationId} ${endeavourId}`, () =>
      this.iterations.assertTakes(iterationId, endeavourId, { isLocked }),
    );
    const goalId = changedGoal(dto.goal_id, row, endeavourId);
    await loadOnce({ cache }, `goal ${goalId} ${endeavourId}`, () =>
      this.goals.assertTakes(goalId, endeavourId, { isLocked }),
    );
    const timezone = () => loadOnce({ cache }, `zone ${endeavourId}`, () => this.endeavours.timezoneOf(endeavourId));
    const due = await changedDueDate({ due_date, due_day }, row, timezone);
    await assertStartsInTime(datesAfter(row, dto.start_date, due), timezone);
    const externalRef = mergeExternalRef(row.externalRef ?? null, external_ref);
    if (isLocked) await this.externalRefs.lock(taskView, endeavourId, externalRef);
    const merged = mergeTaskMetadata(row.metadata, metadata);
    if (merged !== undefined) {
      const work = { kind: 'task', endeavourId, fields: destination.fields } as const;
      await this.fieldValues.assertFit(me, work, { before: row.metadata, after: merged }, { isLocked });
    }
    return {
      ...fromWire({ ...sent, ...resolved }),
      externalRef,
      iterationId,
      goalId,
      // Ranks of the other endeavour mean nothing here.
      ...(isMoved && { rank: null }),
      labels: await this.labels.changed(row.labels, labels, { isMoved }),
      ...due,
      metadata: merged,
    };
  }

  /** Informs the demand of a task that joins it or changes its status. */
  private async notifyDemand(me: Caller, task: PatchableTask, changes: Partial<Task>): Promise<void> {
    const { row, demandStatus, isPreview } = task;
    const status = changes.status ?? row.status;
    const demandId = changes.demandId === undefined ? row.demandId : changes.demandId;
    if (demandId === null || (status === row.status && demandId === row.demandId)) return;
    const lockedStatus = demandId === row.demandId ? demandStatus : undefined;
    await this.demands.acceptTask(me, demandId, status, { lockedStatus, isPreview });
  }
}

/**
 * Returns the sent value if it differs from the current one; an unchanged assignee or owner is not checked again,
 * because they may no longer be assignable.
 */
function ifChanged<T>(sent: T | undefined, present: T): T | undefined {
  return sent === present ? undefined : sent;
}
