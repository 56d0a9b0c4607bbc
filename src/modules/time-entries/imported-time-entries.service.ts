import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/authentication/caller.js';
import { BulkCreator } from '../../platform/events/bulk-creator.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import { bodyReaderFor } from '../../platform/http/bodies/fields/body-reader.js';
import { LoggedTime } from '../tasks/imports/logged-time.service.js';
import { CreateTimeEntryDto, UpdateTimeEntryDto } from './time-entry.dto.js';
import { TimeEntry } from './time-entry.entity.js';
import { entryTitle } from './time-entry.rules.js';
import { timeEntryView } from './time-entry.view.js';
import { TimeEntriesRepository, type PresentTimeEntry } from './time-entries.repository.js';

export type { PresentTimeEntry };

/** A time entry that comes from another system. */
export interface ImportedTimeEntry extends Pick<
  TimeEntry,
  'id' | 'taskId' | 'resourceId' | 'minutes' | 'day' | 'note' | 'isInitial' | 'createdAt' | 'createdBy'
> {}

/** Another length of an entry that exists; 0 deletes it. */
export interface ChangedLength {
  entry: PresentTimeEntry;
  minutes: number;
}

/** Creates at most this many rows with one statement. */
const AT_ONCE = 1_000;

/** Writes time entries of an import. */
@Injectable()
export class ImportedTimeEntries {
  /** Validates the body as POST does. */
  readonly read = bodyReaderFor(CreateTimeEntryDto, 'create');
  /** Validates the body as PATCH does. */
  readonly readChanges = bodyReaderFor(UpdateTimeEntryDto, 'patch');

  constructor(
    private readonly bulkCreator: BulkCreator,
    private readonly loggedTime: LoggedTime,
    private readonly repository: TimeEntriesRepository,
    private readonly writer: ResourceWriter,
  ) {}

  /** The entries of these tasks, also deleted ones. */
  entriesOf(taskIds: readonly string[]): Promise<PresentTimeEntry[]> {
    return this.repository.entriesOf(taskIds);
  }

  /** Creates at most a thousand entries, also of closed tasks; the hours of tasks are the sum of their entries then. */
  createAll(me: Caller, endeavourId: string, entries: readonly ImportedTimeEntry[]): Promise<void> {
    return this.write(me, endeavourId, entries, []);
  }

  /** Creates entries, and changes the lengths of others with them, also of closed tasks. */
  async write(
    me: Caller,
    endeavourId: string,
    entries: readonly ImportedTimeEntry[],
    lengths: readonly ChangedLength[],
  ): Promise<void> {
    const taskIds = [...entries, ...lengths.map(({ entry }) => entry)].map(({ taskId }) => taskId);
    await this.loggedTime.recordAround(me, [...new Set(taskIds)], () =>
      this.repository.whileImporting(async () => {
        for (let start = 0; start < entries.length; start += AT_ONCE) {
          await this.create(me, endeavourId, entries.slice(start, start + AT_ONCE));
        }
        for (const { entry, minutes } of lengths) await this.setLength(me, endeavourId, entry.id, minutes);
      }),
    );
  }

  /** Records what the deletion of imported entries takes from their tasks. */
  async recordDeletion(me: Caller, ids: readonly string[], remove: () => Promise<void>): Promise<void> {
    await this.loggedTime.recordAround(me, await this.repository.tasksOf(ids), remove);
  }

  private create(me: Caller, endeavourId: string, entries: readonly ImportedTimeEntry[]): Promise<void> {
    return this.bulkCreator.createAll(
      me,
      timeEntryView,
      TimeEntry,
      entries.map((entry) => ({
        row: { ...entry, endeavourId, updatedAt: new Date(), revision: 1, deletedAt: null },
        place: { endeavourId },
        title: entryTitle(entry.minutes),
        parentId: entry.taskId,
      })),
    );
  }

  private async setLength(me: Caller, endeavourId: string, id: string, minutes: number): Promise<void> {
    const current = await this.repository.read(id);
    const place = { endeavourId };
    if (minutes === 0) {
      const changes = { note: null, deletedAt: new Date() };
      await this.writer.remove(me, timeEntryView, TimeEntry, current, place, changes, 'Deleted time entry');
    } else {
      const entityChanges = { title: entryTitle(minutes) };
      await this.writer.patch(me, timeEntryView, TimeEntry, { current, changes: { minutes }, place, entityChanges });
    }
  }
}
