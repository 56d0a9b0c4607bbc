import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller.js';
import { BulkCreator } from '../../platform/events/bulk-creator.js';
import { bodyReaderFor } from '../../platform/http/fields/body-reader.js';
import { LoggedTime } from '../tasks/logged-time.service.js';
import { CreateTimeEntryDto } from './time-entry.dto.js';
import { TimeEntry } from './time-entry.entity.js';
import { entryTitle } from './time-entry.rules.js';
import { timeEntryView } from './time-entry.view.js';
import { TimeEntriesRepository } from './time-entries.repository.js';

/** A time entry that comes from another system. */
export interface ImportedTimeEntry extends Pick<
  TimeEntry,
  'id' | 'taskId' | 'resourceId' | 'minutes' | 'day' | 'note' | 'isInitial' | 'createdAt' | 'createdBy'
> {}

/** Creates time entries from an import. */
@Injectable()
export class ImportedTimeEntries {
  /** Validates the body as POST does. */
  readonly read = bodyReaderFor(CreateTimeEntryDto, 'create');

  constructor(
    private readonly bulkCreator: BulkCreator,
    private readonly loggedTime: LoggedTime,
    private readonly repository: TimeEntriesRepository,
  ) {}

  /** Creates at most a thousand entries, also of closed tasks; the hours of tasks are the sum of their entries then. */
  async createAll(me: Caller, endeavourId: string, entries: readonly ImportedTimeEntry[]): Promise<void> {
    const taskIds = [...new Set(entries.map(({ taskId }) => taskId))];
    await this.loggedTime.recordAround(me, taskIds, () =>
      this.repository.whileImporting(() =>
        this.bulkCreator.createAll(
          me,
          timeEntryView,
          TimeEntry,
          entries.map((entry) => ({
            row: { ...entry, endeavourId, updatedAt: new Date(), revision: 1, deletedAt: null },
            place: { endeavourId },
            title: entryTitle(entry.minutes),
            parentId: entry.taskId,
          })),
        ),
      ),
    );
  }

  /** Records what the deletion of imported entries takes from their tasks. */
  async recordDeletion(me: Caller, ids: readonly string[], remove: () => Promise<void>): Promise<void> {
    await this.loggedTime.recordAround(me, await this.repository.tasksOf(ids), remove);
  }
}
