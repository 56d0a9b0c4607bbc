import { Injectable } from '@nestjs/common';
import { Access, type AuthorizedResource } from '../../access/access.js';
import type { Caller } from '../../access/authentication/caller.js';
import type { OperationId } from '../../access/permissions/permissions.js';
import { insufficientForOthers } from '../../access/permissions/role-check.js';
import { conflict, notFound } from '../../common/errors.js';
import { newId } from '../../common/ids.js';
import { changedValues } from '../../platform/database/columns/columns.js';
import type { FieldNames, Representation } from '../../platform/database/views/view.js';
import { EventEraser } from '../../platform/events/event-eraser.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import type { Page } from '../../platform/http/responses/page.js';
import type { RawQuery } from '../../platform/http/requests/query-parameters.js';
import { Clock } from '../../platform/jobs/clock.js';
import { Listing } from '../../platform/listing/listing.js';
import { EndeavoursService } from '../endeavours/endeavours.service.js';
import { AssignmentsService } from '../resources/assignments/assignments.service.js';
import { LoggedTime, type TimedTask } from '../tasks/imports/logged-time.service.js';
import type { CreateTimeEntryDto, UpdateTimeEntryDto } from './time-entry.dto.js';
import { TimeEntry } from './time-entry.entity.js';
import { timeEntryList } from './time-entry.list.js';
import { entryTitle, hoursOf, initialTimeOf, MOST_PER_TASK } from './time-entry.rules.js';
import { timeEntryView } from './time-entry.view.js';
import { TimeEntriesRepository } from './time-entries.repository.js';

type NewEntry = Pick<TimeEntry, 'minutes' | 'day' | 'resourceId'> & Partial<TimeEntry>;

/** The time that people spent on tasks. Writers lock the task first, so that its hours are the sum of its entries. */
@Injectable()
export class TimeEntriesService {
  constructor(
    private readonly access: Access,
    private readonly assignments: AssignmentsService,
    private readonly clock: Clock,
    private readonly endeavours: EndeavoursService,
    private readonly eventEraser: EventEraser,
    private readonly listing: Listing,
    private readonly loggedTime: LoggedTime,
    private readonly repository: TimeEntriesRepository,
    private readonly writer: ResourceWriter,
  ) {}

  list(me: Caller, query: RawQuery): Promise<Page> {
    return this.listing.page(me, timeEntryList, query);
  }

  get(me: Caller, id: string, fields?: FieldNames): Promise<Representation> {
    return this.access.getOr404(me, timeEntryView, id, { fields });
  }

  /** Adds an entry; the first one of a task is preceded by one with the hours that the task had before. */
  async create(me: Caller, { task_id, resource_id, ...sent }: CreateTimeEntryDto): Promise<Representation> {
    const task = await this.loggedTime.lockReference(me, 'time_entries_create', task_id);
    const resourceId = await this.resourceOf(me, 'time_entries_create', task, resource_id);
    this.access.assertWritable({ ...task, row: undefined });
    this.loggedTime.assertTakesTime(task);
    await this.assertRoomAt(task_id);
    const { minutes, day, note } = sent;
    const timezone = await this.endeavours.timezoneOf(task.row.endeavourId);
    const initial = initialTimeOf(task, timezone, this.clock.now());
    if (initial !== undefined) {
      await this.write(me, task, { ...initial, isInitial: true });
      await this.loggedTime.record(me, task);
    }
    const created = await this.write(me, task, { minutes, day, note, resourceId });
    await this.loggedTime.record(me, task, initial === undefined ? undefined : hoursOf(initial.minutes));
    return created;
  }

  async update(me: Caller, id: string, dto: UpdateTimeEntryDto): Promise<Representation> {
    const task = await this.lockTaskOf(me, 'time_entries_update', id);
    const locked = await this.access.lockForUpdate(me, 'time_entries_update', TimeEntry, id);
    const { row, place } = locked;
    this.assertMayChange(me, 'time_entries_update', locked);
    const { resource_id, ...sent } = dto;
    const resourceId =
      resource_id === undefined
        ? row.resourceId
        : await this.resourceOf(me, 'time_entries_update', locked, resource_id, row.resourceId);
    const { minutes, day, note } = sent;
    const changes = changedValues<TimeEntry>(row, { minutes, day, note, resourceId });
    this.access.assertWritable(locked);
    if (Object.keys(changes).length === 0) return this.get(me, id);
    this.loggedTime.assertTakesTime(task);
    const patched = await this.writer.patch(me, timeEntryView, TimeEntry, {
      current: row,
      changes,
      place,
      entityChanges: { title: changes.minutes === undefined ? undefined : entryTitle(changes.minutes) },
    });
    if (changes.minutes !== undefined) await this.loggedTime.record(me, task);
    return patched;
  }

  async remove(me: Caller, id: string): Promise<void> {
    const task = await this.lockTaskOf(me, 'time_entries_delete', id);
    const locked = await this.access.lockForUpdate(me, 'time_entries_delete', TimeEntry, id);
    const { row, place } = locked;
    this.assertMayChange(me, 'time_entries_delete', locked);
    this.access.assertWritable(locked);
    this.loggedTime.assertTakesTime(task);
    const changes = { note: null, deletedAt: new Date() };
    await this.writer.remove(me, timeEntryView, TimeEntry, row, place, changes, 'Deleted time entry');
    await this.loggedTime.record(me, task);
    await this.eventEraser.blankTexts(timeEntryView, id);
  }

  private write(me: Caller, { row, place }: TimedTask, entry: NewEntry): Promise<Representation> {
    return this.writer.create(me, timeEntryView, TimeEntry, {
      row: {
        ...entry,
        id: newId('time_entry'),
        taskId: row.id,
        endeavourId: row.endeavourId,
        createdBy: me.resourceId,
      },
      place,
      title: entryTitle(entry.minutes),
      parentId: row.id,
    });
  }

  /** Locks the task of the entry, before the entry: a task that moves takes its entries along. */
  private async lockTaskOf(
    me: Caller,
    operation: 'time_entries_update' | 'time_entries_delete',
    id: string,
  ): Promise<TimedTask> {
    const taskId = await this.repository.taskOf(id);
    if (taskId === undefined) throw notFound();
    return this.loggedTime.lock(me, operation, taskId);
  }

  /** Resolves who did the work; only admins can name others. */
  private async resourceOf(
    me: Caller,
    operation: OperationId,
    place: AuthorizedResource & { row: { endeavourId: string } },
    sent: string | undefined,
    present?: string,
  ): Promise<string> {
    if (sent === undefined || ['me', me.userId, me.resourceId].includes(sent)) return me.resourceId;
    if (sent === present) return present;
    const refusal = insufficientForOthers(operation, place);
    if (refusal !== undefined) throw refusal;
    const resolved = await this.assignments.resolve(me, place.row.endeavourId, { resource_id: sent });
    return resolved.resource_id;
  }

  private assertMayChange(
    me: Caller,
    operation: OperationId,
    entry: AuthorizedResource & { row: Pick<TimeEntry, 'resourceId'> },
  ): void {
    if (entry.row.resourceId === me.resourceId) return;
    const refusal = insufficientForOthers(operation, entry);
    if (refusal !== undefined) throw refusal;
  }

  private async assertRoomAt(taskId: string): Promise<void> {
    if ((await this.repository.countOf(taskId)) < MOST_PER_TASK) return;
    throw conflict('too_many_time_entries', `The task already has ${MOST_PER_TASK} time entries.`);
  }
}
