import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller.js';
import type { ExternalRef } from '../../common/external-ref.js';
import { newId } from '../../common/ids.js';
import type { TaskStatus } from '../../common/statuses.js';
import { BulkCreator } from '../../platform/events/bulk-creator.js';
import { readingOf } from '../../platform/http/fields/body-reader.js';
import { TextObservers } from '../../platform/text-observers/text-observers.js';
import { dueDateOf } from '../demands/work.rules.js';
import { EndeavoursService } from '../endeavours/endeavours.service.js';
import { ImportedTasksRepository, type PresentTask } from './imported-tasks.repository.js';
import { CreateTaskDto, UpdateTaskDto } from './task.dto.js';
import { Task } from './task.entity.js';
import { taskView } from './task.view.js';

export type { PresentTask };

/** What a task went through elsewhere. */
export interface TaskHistory {
  status: TaskStatus;
  canceledReason: string | null;
  createdAt: Date;
  startedAt: Date | null;
  /** When it was done or canceled; null while it is open. */
  endedAt: Date | null;
}

/** A task as it was elsewhere: what POST takes, and what it went through. */
export interface ImportedTask extends TaskHistory {
  /** Made here where there is none. */
  id?: string;
  dto: CreateTaskDto;
  actual: number | null;
  assigneeId: string | null;
  creatorId: string;
  /** The importer where there is none. */
  ownerId?: string;
}

/** The columns that an import writes: all but those of overrides, attestations and checks of this service. */
type ImportedTaskRow = Omit<Task, `dodOverr${string}` | `attested${string}` | 'dodCheckId'>;

/** Creates tasks that were worked on elsewhere, with the states and times that they have there. */
@Injectable()
export class ImportedTasks {
  /** What POST would read, and what it would refuse. */
  readonly read = readingOf(CreateTaskDto, 'create');
  /** What PATCH would read, and what it would refuse. */
  readonly readChanges = readingOf(UpdateTaskDto, 'patch');

  constructor(
    private readonly bulkCreator: BulkCreator,
    private readonly endeavours: EndeavoursService,
    private readonly repository: ImportedTasksRepository,
    private readonly textObservers: TextObservers,
  ) {}

  /** The tasks of the endeavour with these external references. */
  present(endeavourId: string, source: string, externalIds: readonly string[]): Promise<PresentTask[]> {
    return this.repository.present(endeavourId, source, externalIds);
  }

  /** At most a thousand at once, which POST would take; answers with their ids, in order. */
  async createAll(me: Caller, endeavourId: string, tasks: readonly ImportedTask[]): Promise<string[]> {
    const timezone = await this.endeavours.timezoneOf(endeavourId);
    const rows = await Promise.all(tasks.map((task) => this.rowOf(task, endeavourId, timezone, me.resourceId)));
    const watch = await this.textObservers.observersOf({ endeavourId });
    await this.repository.keepingTimes(() =>
      this.bulkCreator.createAll(
        me,
        taskView,
        Task,
        rows.map((row) => ({ row, place: { endeavourId }, title: row.title })),
      ),
    );
    for (const { id, title, description } of rows) {
      await watch(me, { kind: 'task', entityId: id, texts: [title, description] })?.();
    }
    return rows.map(({ id }) => id);
  }

  private async rowOf(
    { dto, status, canceledReason, createdAt, startedAt, endedAt, actual, ...task }: ImportedTask,
    endeavourId: string,
    timezone: string,
    importerId: string,
  ): Promise<ImportedTaskRow> {
    const { id = newId('task'), assigneeId, creatorId, ownerId = importerId } = task;
    const ref = dto.external_ref as ExternalRef | undefined;
    return {
      id,
      title: dto.title,
      description: dto.description ?? null,
      endeavourId,
      demandId: dto.demand_id ?? null,
      status,
      assigneeId,
      creatorId,
      ownerId,
      estimate: dto.estimate ?? null,
      actual,
      dueDate: (await dueDateOf(dto.due_date, () => Promise.resolve(timezone))) ?? null,
      startedAt,
      completedAt: status === 'done' ? endedAt : null,
      canceledAt: status === 'canceled' ? endedAt : null,
      canceledReason: status === 'canceled' ? canceledReason : null,
      dodResult: status === 'done' ? ('imported' as const) : null,
      blockedByCount: 0,
      contentChanges: {},
      externalRef: ref === undefined ? null : { source: ref.source, id: ref.id, url: ref.url ?? null },
      metadata: dto.metadata ?? {},
      createdAt,
      updatedAt: new Date(),
      revision: 1,
    };
  }
}
