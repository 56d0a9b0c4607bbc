import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/authentication/caller.js';
import { BulkCreator } from '../../platform/events/bulk-creator.js';
import { bodyReaderFor } from '../../platform/http/bodies/fields/body-reader.js';
import type { ResourceScope } from '../../platform/context/actor.js';
import { TextObservers, watchedTexts } from '../../platform/text-observers/text-observers.js';
import { CreateRitualDto, UpdateRitualDto } from './ritual.dto.js';
import { Ritual } from './ritual.entity.js';
import { mergedTask, type RitualTask } from './ritual-task.js';
import type { TaskColumns } from './ritual-tasks.service.js';
import type { RitualStatus } from './ritual.lifecycle.js';
import { ritualView } from './ritual.view.js';

/** A ritual that comes from another system. */
export interface ImportedRitual {
  id: string;
  dto: CreateRitualDto;
  status: RitualStatus;
  /** The version; `predecessorId` is set if the predecessor is imported too. */
  version: number;
  origin: string;
  predecessorId: string | null;
  lineageId: string;
  createdAt: Date;
  createdBy: string;
}

/**
 * Creates rituals that come from another system. They are disabled, so that they do not run until a person enables
 * them.
 */
@Injectable()
export class ImportedRituals {
  /** Validates the body as POST does. */
  readonly read = bodyReaderFor(CreateRitualDto, 'create');
  /** Validates the body as PATCH does. */
  readonly readChanges = bodyReaderFor(UpdateRitualDto, 'patch');

  constructor(
    private readonly bulkCreator: BulkCreator,
    private readonly textObservers: TextObservers,
  ) {}

  /** Creates at most a thousand valid rituals, all in one endeavour or organization. */
  async createAll(me: Caller, place: ResourceScope, rituals: readonly ImportedRitual[]): Promise<void> {
    const { endeavourId = null, organizationId = null } = place;
    const rows = rituals.map(({ dto, ...ritual }) => ({
      ...ritual,
      name: dto.name,
      description: dto.description ?? null,
      prompt: dto.prompt ?? null,
      schedule: dto.schedule ?? { type: 'manual' as const },
      iterationDays: dto.iteration_days ?? null,
      lang: dto.lang ?? 'en',
      ...taskColumnsOf(dto, ritual.createdBy, me.resourceId),
      metadata: dto.metadata ?? {},
      isEnabled: false,
      endeavourId,
      organizationId,
      updatedAt: new Date(),
      revision: 1,
    }));
    await this.bulkCreator.createAll(
      me,
      ritualView,
      Ritual,
      rows.map((row) => ({ row, place, title: row.name })),
    );
    const observe = await this.textObservers.observersOf({ endeavourId, organizationId });
    for (const row of rows) {
      const texts = [...watchedTexts(ritualView, row), row.task?.title, row.task?.description];
      await observe(me, { kind: 'ritual', entityId: row.id, texts })?.();
    }
  }
}

/** The importer counts as an author of the tasks, like the importer of a task. */
function taskColumnsOf({ task }: CreateRitualDto, createdBy: string, importerId: string): TaskColumns {
  if (task == null) return { task: null, taskCreatedBy: null, taskChangedBy: null };
  return { task: mergedTask(null, task) as RitualTask, taskCreatedBy: createdBy, taskChangedBy: importerId };
}
