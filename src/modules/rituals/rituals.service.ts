import { Injectable } from '@nestjs/common';
import { Access, type LockedResource } from '../../access/access.js';
import type { Caller } from '../../access/authentication/caller.js';
import { assertScopes } from '../../access/operations/scopes.js';
import { Lineage, type ForkTarget } from '../../access/visibility/lineage.js';
import { fromWire } from '../../common/texts/case.js';
import { conflict, notFound } from '../../common/errors.js';
import { newId } from '../../common/ids.js';
import { sameJson } from '../../common/texts/json.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import { assertNotBuiltIn, firstVersion, nextVersion } from '../../platform/database/views/lineage.js';
import type { FieldNames, Representation } from '../../platform/database/views/view.js';
import { mergedChanges } from '../../platform/http/bodies/metadata.js';
import type { Page } from '../../platform/http/responses/page.js';
import type { RawQuery } from '../../platform/http/requests/query-parameters.js';
import { Clock } from '../../platform/jobs/clock.js';
import { Listing } from '../../platform/listing/listing.js';
import { changedTexts, TextObservers, watchedTexts } from '../../platform/text-observers/text-observers.js';
import { EndeavoursService } from '../endeavours/endeavours.service.js';
import type { CreateRitualDto, ForkRitualDto, UpdateRitualDto } from './ritual.dto.js';
import { Ritual } from './ritual.entity.js';
import { isTemplate } from './prompts.js';
import { ritualList } from './ritual.list.js';
import { ritualView } from './ritual.view.js';
import { RitualTasks } from './ritual-tasks.service.js';
import { RitualsRepository } from './rituals.repository.js';
import { nextTime, nextTimes, type Schedule } from './schedules/schedule.js';

const MANUAL: Schedule = { type: 'manual' };

/** Manages recurring work. */
@Injectable()
export class RitualsService {
  constructor(
    private readonly access: Access,
    private readonly clock: Clock,
    private readonly endeavours: EndeavoursService,
    private readonly lineage: Lineage,
    private readonly listing: Listing,
    private readonly repository: RitualsRepository,
    private readonly tasks: RitualTasks,
    private readonly textObservers: TextObservers,
    private readonly writer: ResourceWriter,
  ) {}

  list(me: Caller, query: RawQuery): Promise<Page> {
    return this.listing.page(me, ritualList, query);
  }

  get(me: Caller, id: string, fields?: FieldNames): Promise<Representation> {
    return this.access.getOr404(me, ritualView, id, { fields });
  }

  chain(me: Caller, id: string): Promise<unknown[]> {
    return this.lineage.chain(me, ritualView, id);
  }

  async create(me: Caller, dto: CreateRitualDto): Promise<Representation> {
    assertMayRender(me, dto.prompt);
    assertMayPlan(me, dto.iteration_days);
    const { task: sentTask, ...sent } = dto;
    const home = await this.homeFor(me, dto.endeavour_id);
    const task = await this.tasks.columnsOf(me, dto.endeavour_id ?? null, sentTask);
    const id = newId('ritual');
    return this.insert(me, home, { id, ...firstVersion(id), ...fromWire(sent), ...task }, 'ritual.created');
  }

  async update(me: Caller, id: string, dto: UpdateRitualDto): Promise<Representation> {
    assertMayRender(me, dto.prompt);
    assertMayPlan(me, dto.iteration_days);
    const opened = await this.access.lockForUpdate(me, 'rituals_update', Ritual, id);
    const task = await this.tasks.columnsOf(me, opened.row.endeavourId, dto.task, opened.row);
    this.access.assertWritable(opened);
    assertNotBuiltIn(opened.row);
    const changes = { ...(await this.changesOf(opened, dto)), ...task };
    const updated = await this.writer.patch(me, ritualView, Ritual, {
      current: opened.row,
      changes,
      place: opened.place,
      entityChanges: { title: dto.name },
      type: ({ status }) => (status === undefined ? undefined : 'ritual.status_changed'),
    });
    await this.notifyTextObservers(me, id, opened.place.endeavourId, [
      ...watchedTexts(ritualView, changes, opened.row),
      ...newTextsOf(opened.row, changes),
    ]);
    return updated;
  }

  /** Creates a ritual with the next version; the source stays unchanged. */
  async fork(me: Caller, id: string, dto: ForkRitualDto): Promise<Representation> {
    const { endeavour_id, organization_id, task: sentTask, ...sent } = dto;
    assertMayRender(me, sent.prompt);
    const source = await this.access.lockForUpdate(me, 'rituals_fork', Ritual, id);
    assertMayPlan(me, sent.iteration_days ?? source.row.iterationDays);
    const target = await this.lineage.target(me, 'rituals_create', source, { endeavour_id, organization_id });
    const task = await this.tasks.columnsOfFork(me, target.place.endeavourId ?? null, sentTask, source.row);
    this.access.assertWritable({ ...target, row: source.row });
    // An enabled fork in the container of its source would run everything twice.
    const isEnabled = source.row.isEnabled && !isSameContainer(source, target);
    const row = {
      ...inherited(source.row),
      isEnabled,
      ...fromWire(sent),
      ...task,
      ...nextVersion(source.row),
      origin: 'fork',
    };
    return this.insert(me, target, { id: newId('ritual'), ...row }, 'ritual.forked');
  }

  /** The next times of the schedule, even if the ritual is disabled. */
  async occurrences(me: Caller, id: string, count: number): Promise<string[]> {
    if ((await this.access.find(me, id)) === undefined) throw notFound();
    const row = await this.repository.read(id);
    const defaults = { timezone: await this.timezoneOf(row.endeavourId), start: row.createdAt };
    return nextTimes(row.schedule, this.clock.now(), count, defaults).map((time) => time.toISOString());
  }

  private async homeFor(me: Caller, endeavourId: string | undefined): Promise<ForkTarget> {
    const personal = { place: { ownerUserId: me.userId }, containerStatus: null, containerKind: null };
    if (endeavourId === undefined) return personal;
    const home = await this.access.resolveReference(me, 'rituals_create', 'endeavour_id', endeavourId, 'endeavour');
    this.access.assertWritable(home);
    return home;
  }

  private async insert(
    me: Caller,
    target: ForkTarget,
    ritual: Partial<Ritual> & { id: string },
    type: string,
  ): Promise<Representation> {
    this.endeavours.assertTakesWork(target);
    const { endeavourId = null, organizationId = null } = target.place;
    const { id, schedule = MANUAL, name = '' } = ritual;
    const now = this.clock.now();
    const nextRunAt = await this.nextRunOf(endeavourId, schedule, now);
    const created = await this.writer.create(me, ritualView, Ritual, {
      row: {
        ...ritual,
        endeavourId,
        organizationId,
        schedule,
        nextRunAt,
        createdAt: now,
        updatedAt: now,
        createdBy: me.resourceId,
      },
      place: target.place,
      title: name,
      event: { type },
    });
    await this.notifyTextObservers(me, id, endeavourId, [
      ...watchedTexts(ritualView, ritual),
      ...newTextsOf({}, ritual),
    ]);
    return created;
  }

  private async changesOf({ row }: LockedResource<Ritual>, dto: UpdateRitualDto): Promise<Partial<Ritual>> {
    const { schedule: sent, task: _task, ...rest } = dto;
    const schedule = sent === undefined ? row.schedule : (sent ?? MANUAL);
    const status = dto.status ?? row.status;
    const isEnabled = dto.is_enabled ?? (row.isEnabled && status === 'active');
    if (isEnabled && status === 'archived') {
      throw conflict('ritual_archived', 'An archived ritual cannot be enabled; set its status to active first.');
    }
    const isRescheduled = !sameJson(schedule, row.schedule) || (isEnabled && !row.isEnabled);
    return {
      ...(mergedChanges(row, rest) as Partial<Ritual>),
      schedule,
      isEnabled,
      ...(isRescheduled && {
        nextRunAt: await this.nextRunOf(row.endeavourId, schedule, row.createdAt),
      }),
    };
  }

  /** Only rituals in an endeavour run on their schedule. */
  private async nextRunOf(endeavourId: string | null, schedule: Schedule, start: Date): Promise<Date | null> {
    if (endeavourId === null) return null;
    const timezone = await this.timezoneOf(endeavourId);
    return nextTime(schedule, this.clock.now(), { timezone, start }) ?? null;
  }

  private async timezoneOf(endeavourId: string | null): Promise<string> {
    return endeavourId === null ? 'UTC' : this.endeavours.timezoneOf(endeavourId);
  }

  private async notifyTextObservers(
    me: Caller,
    entityId: string,
    endeavourId: string | null | undefined,
    texts: readonly (string | null | undefined)[],
  ): Promise<void> {
    await this.textObservers.onTextWritten(me, { kind: 'ritual', entityId, endeavourId, texts });
  }
}

/**
 * Rejects the prompt of an access token that may not read all kinds, if the prompt shows them: it is rendered with the
 * contents of the endeavour when the ritual is due.
 */
function assertMayRender(me: Caller, prompt: string | null | undefined): void {
  if (isTemplate(prompt)) assertScopes(me, ['*:read']);
}

/** Rejects an access token that may not write endeavours, whose iterations the ritual plans. */
function assertMayPlan(me: Caller, days: number | null | undefined): void {
  if (typeof days === 'number') assertScopes(me, ['endeavours:write']);
}

function inherited({ name, description, prompt, schedule, iterationDays, lang, metadata }: Ritual): Partial<Ritual> {
  return { name, description, prompt, schedule, iterationDays, lang, metadata };
}

/** The texts of the task that a change sets. */
const newTextsOf = (current: Partial<Ritual>, { task }: Partial<Ritual>): string[] =>
  task == null ? [] : changedTexts(task, current.task ?? {}, ['title', 'description']);

/** Whether the target is the container of the source. */
function isSameContainer({ place: source }: ForkTarget, { place: target }: ForkTarget): boolean {
  const { endeavourId = null, organizationId = null } = target;
  const isContained = endeavourId !== null || organizationId !== null;
  return (
    isContained && endeavourId === (source.endeavourId ?? null) && organizationId === (source.organizationId ?? null)
  );
}
