import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller.js';
import { BulkCreator } from '../../platform/events/bulk-creator.js';
import { readingOf } from '../../platform/http/fields/body-reader.js';
import type { ResourceScope } from '../../platform/events/actor.js';
import { TextObservers } from '../../platform/text-observers/text-observers.js';
import { CreateRitualDto, UpdateRitualDto } from './ritual.dto.js';
import { Ritual } from './ritual.entity.js';
import type { RitualStatus } from './ritual.lifecycle.js';
import { ritualView } from './ritual.view.js';

/** A ritual as it was elsewhere. */
export interface ImportedRitual {
  id: string;
  dto: CreateRitualDto;
  status: RitualStatus;
  /** The version; its predecessor is set if that was imported, too. */
  version: number;
  origin: string;
  predecessorId: string | null;
  lineageId: string;
  createdAt: Date;
  createdBy: string;
}

/** Creates rituals that were made elsewhere. They are disabled: nothing runs until a person has looked at it. */
@Injectable()
export class ImportedRituals {
  /** What POST would read, and what it would refuse. */
  readonly read = readingOf(CreateRitualDto, 'create');
  /** What PATCH would read, and what it would refuse. */
  readonly readChanges = readingOf(UpdateRitualDto, 'patch');

  constructor(
    private readonly bulkCreator: BulkCreator,
    private readonly textObservers: TextObservers,
  ) {}

  /** At most a thousand at once, which POST would take, all in an endeavour or all in an organization. */
  async createAll(me: Caller, place: ResourceScope, rituals: readonly ImportedRitual[]): Promise<void> {
    const { endeavourId = null, organizationId = null } = place;
    const rows = rituals.map(({ dto, ...ritual }) => ({
      ...ritual,
      name: dto.name,
      description: dto.description ?? null,
      prompt: dto.prompt ?? null,
      schedule: dto.schedule ?? { type: 'manual' as const },
      lang: dto.lang ?? 'en',
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
    const watch = await this.textObservers.observersOf({ endeavourId, organizationId });
    for (const { id, name, description, prompt } of rows) {
      await watch(me, { kind: 'ritual', entityId: id, texts: [name, description, prompt] })?.();
    }
  }
}
