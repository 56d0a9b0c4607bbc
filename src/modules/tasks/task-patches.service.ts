import { Injectable } from '@nestjs/common';
import { Access, type AuthorizedResource } from '../../access/access.js';
import type { Caller } from '../../access/caller.js';
import { ExternalRefs } from '../../access/external-refs.js';
import { fromWire } from '../../common/case.js';
import { groupBy } from '../../common/group-by.js';
import { forbidden } from '../../common/errors.js';
import { mergeExternalRef } from '../../platform/http/fields.js';
import { mergeMetadata } from '../../platform/http/metadata.js';
import { TextObservers, textsOf, type WrittenText } from '../../platform/text-observers/text-observers.js';
import { DemandsService } from '../demands/demands.service.js';
import { dueDateOf, maySetOwner } from '../demands/work.rules.js';
import { DependenciesService } from '../dependencies/dependencies.service.js';
import { CompletionService } from '../endeavours/completion.service.js';
import { EndeavoursService } from '../endeavours/endeavours.service.js';
import { AssignmentsService } from '../resources/assignments.service.js';
import { doneEffects } from './attestation.js';
import type { UpdateTaskDto } from './task.dto.js';
import { Task } from './task.entity.js';
import { mayComplete } from './task.rules.js';
import { askOnce, type Movable } from './task-standings.js';
import { TaskTransitions } from './task-transitions.js';
import { taskView } from './task.view.js';
import { UnblockedTasks } from './unblocked-tasks.service.js';

/** A valid patch: its changes, and the container of the task afterwards. */
export interface PreparedPatch {
  opened: Movable;
  destination: AuthorizedResource;
  changes: Partial<Task>;
  texts: WrittenText['texts'];
}

/** The type of the event, where it is not `task.updated`. */
export const eventTypeOf = ({ status }: Partial<Task>): string | undefined =>
  status === undefined ? undefined : 'task.status_changed';

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
    private readonly moves: TaskTransitions,
    private readonly textObservers: TextObservers,
    private readonly unblocked: UnblockedTasks,
  ) {}

  /**
   * Rejects a patch that this caller cannot make now. A rejection leaves only records that are kept on purpose: a vote,
   * a check. A preview writes and locks nothing.
   */
  async prepare(me: Caller, opened: Movable, dto: UpdateTaskDto): Promise<PreparedPatch> {
    const destination = await this.destination(me, opened, dto.endeavour_id);
    await this.assertMaySetOwner(me, opened, dto.owner_id);
    const changes = await this.changesOf(me, opened, dto, destination);
    const isRewritten = await this.moves.rewrites(me, opened, changes);
    this.access.assertWritable(opened);
    this.access.assertWritable(destination);
    if (destination !== opened) await this.assertMayArrive(opened, destination);
    Object.assign(changes, await this.moves.effects(me, opened, dto, changes.ownerId));
    Object.assign(changes, doneEffects(opened.row, changes, dto.metadata, { ...me, now: new Date(), isRewritten }));
    Object.assign(changes, await this.moves.passTransitionGuards(me, opened, changes));
    await this.tellDemand(me, opened, changes);
    return {
      opened,
      destination,
      changes,
      texts: textsOf(opened.row, changes, ['title', 'description', 'canceledReason']),
    };
  }

  /** The effects of written patches: alerts about texts, unblocked tasks, a completed endeavour. */
  async settle(me: Caller, written: readonly PreparedPatch[]): Promise<void> {
    const told = written.filter(({ texts }) => texts.length > 0);
    for (const [endeavourId, patches] of groupBy(told, ({ destination }) => destination.place.endeavourId)) {
      const watch = await this.textObservers.observersOf({ endeavourId });
      for (const { opened, texts } of patches) await watch(me, { kind: 'task', entityId: opened.row.id, texts })?.();
    }
    const left = groupBy(
      written.filter(({ changes }) => mayComplete(changes)),
      ({ opened }) => opened.row.endeavourId,
    );
    for (const [endeavourId, patches] of left) await this.settleEndeavour(me, endeavourId, patches);
  }

  /** Called after tasks of the endeavour were closed or moved away. */
  private async settleEndeavour(me: Caller, endeavourId: string, patches: readonly PreparedPatch[]): Promise<void> {
    const [moved, closed] = [true, false].map((isMoved) =>
      patches.filter(({ opened, destination }) => (destination !== opened) === isMoved).map(({ opened }) => opened.row),
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
  private async destination(me: Caller, opened: Movable, endeavourId: string | undefined): Promise<AuthorizedResource> {
    if (endeavourId === undefined || endeavourId === opened.row.endeavourId) return opened;
    if (opened.rank < 3) throw forbidden('the admin role in the endeavour that the task leaves');
    const { isPreview } = opened;
    const found = await this.access.resolveReference(me, 'tasks_create', 'endeavour_id', endeavourId, 'endeavour', {
      isLocked: isPreview !== true,
    });
    await this.endeavours.assertMayLeaveHome(me, opened.row.endeavourId, endeavourId);
    return found;
  }

  private async assertMayArrive({ id, isPreview }: Movable, destination: AuthorizedResource): Promise<void> {
    this.endeavours.assertTakesWork(destination);
    await this.dependencies.assertMayMove(id, destination.id, { isLocked: isPreview !== true });
  }

  private async assertMaySetOwner(
    me: Caller,
    { row, rank, answers }: Movable,
    ownerId: string | null | undefined,
  ): Promise<void> {
    if (ownerId === undefined || ownerId === row.ownerId) return;
    if (maySetOwner(row, { rank, mine: await askOnce({ answers }, 'mine', () => this.assignments.mine(me)) })) return;
    throw forbidden('the admin role in this endeavour, or to be the owner or creator of the task');
  }

  private async changesOf(
    me: Caller,
    { row, isPreview, answers }: Movable,
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
    const isLocked = isPreview !== true;
    const resolved = await askOnce({ answers }, `people ${endeavourId} ${JSON.stringify(people)}`, () =>
      this.assignments.resolve(me, endeavourId, people, { isLocked }),
    );
    const demandId = dto.demand_id === undefined && isMoved ? row.demandId : dto.demand_id;
    await askOnce({ answers }, `demand ${demandId} ${endeavourId}`, () =>
      this.demands.assertInEndeavour(demandId, endeavourId),
    );
    const externalRef = mergeExternalRef(row.externalRef ?? null, external_ref);
    if (isLocked) await this.externalRefs.hold(taskView, endeavourId, externalRef);
    return {
      ...fromWire({ ...sent, ...resolved }),
      externalRef,
      dueDate: await dueDateOf(due_date, () =>
        askOnce({ answers }, `zone ${endeavourId}`, () => this.endeavours.timezoneOf(endeavourId)),
      ),
      metadata: mergeMetadata(row.metadata, metadata),
    };
  }

  /** Notifies the demand of a task that is added or moved. */
  private async tellDemand(me: Caller, opened: Movable, changes: Partial<Task>): Promise<void> {
    const { row, demandHeldAs, isPreview } = opened;
    const status = changes.status ?? row.status;
    const demandId = changes.demandId === undefined ? row.demandId : changes.demandId;
    if (demandId === null || (status === row.status && demandId === row.demandId)) return;
    const heldAs = demandId === row.demandId ? demandHeldAs : undefined;
    await this.demands.receive(me, demandId, status, { heldAs, isPreview });
  }
}

/**
 * The sent value, unless it is the current one: an assignee or owner can stay even if they could not be assigned now.
 */
function news<T>(sent: T | undefined, present: T): T | undefined {
  return sent === present ? undefined : sent;
}
