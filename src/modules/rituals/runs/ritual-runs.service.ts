import { Injectable } from '@nestjs/common';
import { Access, type LockedResource } from '../../../access/access.js';
import type { Caller } from '../../../access/authentication/caller.js';
import { assertScopes } from '../../../access/operations/scopes.js';
import { conflict, forbidden, type FieldError } from '../../../common/errors.js';
import { rankOf } from '../../../common/roles.js';
import { newId } from '../../../common/ids.js';
import { ResourceWriter } from '../../../platform/events/resource-writer.js';
import { assertNotBuiltIn } from '../../../platform/database/views/lineage.js';
import type { FieldNames, Representation } from '../../../platform/database/views/view.js';
import { mergedChanges } from '../../../platform/http/bodies/metadata.js';
import type { Page } from '../../../platform/http/responses/page.js';
import type { RawQuery } from '../../../platform/http/requests/query-parameters.js';
import { Clock } from '../../../platform/jobs/clock.js';
import { Listing } from '../../../platform/listing/listing.js';
import { EndeavoursService } from '../../endeavours/endeavours.service.js';
import type { CreateRitualRunDto, UpdateRitualRunDto } from './ritual-run.dto.js';
import type { Ritual } from '../ritual.entity.js';
import { RitualRun } from './ritual-run.entity.js';
import { ritualRunList } from './ritual-run.list.js';
import { ritualRunView } from './ritual-run.view.js';
import { runLifecycle, type RunStatus } from '../ritual.lifecycle.js';
import { RitualIterations } from '../ritual-iterations.service.js';
import { RitualTasks } from '../ritual-tasks.service.js';
import { RitualsRepository } from '../rituals.repository.js';

const ADMIN = rankOf('admin');

/** Manages ritual runs. */
@Injectable()
export class RitualRunsService {
  constructor(
    private readonly access: Access,
    private readonly clock: Clock,
    private readonly endeavours: EndeavoursService,
    private readonly iterations: RitualIterations,
    private readonly listing: Listing,
    private readonly rituals: RitualsRepository,
    private readonly tasks: RitualTasks,
    private readonly writer: ResourceWriter,
  ) {}

  list(me: Caller, query: RawQuery): Promise<Page> {
    return this.listing.page(me, ritualRunList, query);
  }

  get(me: Caller, id: string, fields?: FieldNames): Promise<Representation> {
    return this.access.getOr404(me, ritualRunView, id, { fields });
  }

  /** Starts a run manually, independently of the schedule. */
  async create(me: Caller, dto: CreateRitualRunDto): Promise<Representation> {
    const { ritual_id: ritualId, trigger = 'manual', metadata } = dto;
    const authorized = await this.access.resolveReference(me, 'ritual_runs_create', 'ritual_id', ritualId, 'ritual');
    this.access.assertWritable(authorized);
    const ritual = await this.rituals.read(ritualId);
    assertNotBuiltIn(ritual);
    if (ritual.status === 'archived') throw conflict('ritual_archived', 'The ritual is archived.');
    this.endeavours.assertTakesWork(authorized);
    const { version: ritualVersion, endeavourId } = ritual;
    const now = this.clock.now();
    const id = newId('ritual_run');
    const made = await this.makeTask(me, id, ritual, now);
    const taskErrors = [...(made.taskErrors ?? []), ...(await this.planIteration(me, ritual, now))];
    const start = { runBy: me.resourceId, startedAt: now };
    return this.writer.create(me, ritualRunView, RitualRun, {
      row: { id, ritualId, ritualVersion, endeavourId, trigger, metadata, ...start, ...made, taskErrors },
      place: authorized.place,
      title: ritual.name,
    });
  }

  async update(me: Caller, id: string, dto: UpdateRitualRunDto): Promise<Representation> {
    const opened = await this.access.lockForUpdate(me, 'ritual_runs_update', RitualRun, id);
    // Claiming a run that another resource has claimed is a conflict.
    if (dto.claim !== true) await this.assertMayChange(me, opened);
    this.access.assertWritable(opened);
    const { claim, status, ...sent } = dto;
    return this.writer.patch(me, ritualRunView, RitualRun, {
      current: opened.row,
      changes: {
        ...mergedChanges(opened.row, sent),
        ...(claim === true && claimBy(opened.row, me)),
        ...this.transition(opened.row, status),
      },
      place: opened.place,
      type: (changes) => (changes.status === undefined ? undefined : 'ritual_run.status_changed'),
    });
  }

  private async makeTask(me: Caller, runId: string, ritual: Ritual, now: Date): Promise<Partial<RitualRun>> {
    if (ritual.task === null) return {};
    assertScopes(me, ['tasks:write']);
    const { endeavourId } = ritual;
    const timezone = endeavourId === null ? 'UTC' : await this.endeavours.timezoneOf(endeavourId);
    return this.tasks.make(me, { runId, ritual, timezone, now });
  }

  private async planIteration(me: Caller, ritual: Ritual, now: Date): Promise<FieldError[]> {
    if (ritual.iterationDays === null || ritual.endeavourId === null) return [];
    assertScopes(me, ['endeavours:write']);
    const timezone = await this.endeavours.timezoneOf(ritual.endeavourId);
    return this.iterations.plan(me, { ritual, timezone, now });
  }

  /** Only who runs it, the manager of an agent that runs it, and admins can change a run; anybody if nobody runs it. */
  private async assertMayChange(me: Caller, { row: { runBy }, rank }: LockedResource<RitualRun>): Promise<void> {
    if (runBy === null || runBy === me.resourceId || rank >= ADMIN) return;
    if (await this.rituals.isManagedBy(runBy, me.resourceId)) return;
    throw forbidden('to be who runs it, or the admin role', 'Somebody else has claimed this run.');
  }

  private transition(row: RitualRun, to: RunStatus | undefined): Partial<RitualRun> {
    if (to === undefined || to === row.status) return {};
    runLifecycle.assertMove(row.status, to);
    return { status: to, finishedAt: this.clock.now() };
  }
}

/** The changes of a claim; 409 if another resource has claimed the run or it has ended. */
function claimBy({ runBy, status }: RitualRun, me: Caller): Partial<RitualRun> {
  if (runBy !== null && runBy !== me.resourceId)
    throw conflict('claimed', 'Another resource has already claimed this run.');
  if (runBy === null && status !== 'running') throw conflict('run_ended', 'The run has already ended.');
  return { runBy: me.resourceId };
}
