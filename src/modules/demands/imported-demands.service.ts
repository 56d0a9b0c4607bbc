import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/authentication/caller.js';
import type { ExternalRef } from '../../common/external-ref.js';
import { BulkCreator } from '../../platform/events/bulk-creator.js';
import { bodyReaderFor } from '../../platform/http/bodies/fields/body-reader.js';
import { LabelsService } from '../labels/labels.service.js';
import { TextObservers, watchedTexts } from '../../platform/text-observers/text-observers.js';
import { IterationMembership } from '../iterations/iteration-membership.js';
import { CreateDemandDto, UpdateDemandDto } from './demand.dto.js';
import { Demand } from './demand.entity.js';
import type { DemandStatus } from './demand.lifecycle.js';
import { demandView } from './demand.view.js';
import { dueDateOfImport } from './work.rules.js';

/** A demand from another system: the properties of POST, and its state and history. */
export interface ImportedDemand {
  id: string;
  dto: CreateDemandDto;
  status: DemandStatus;
  canceledReason: string | null;
  createdAt: Date;
  /** The time at which the demand was fulfilled or canceled; null if it is open. */
  endedAt: Date | null;
  /** Its number in the other system, which it keeps if it is free in the endeavour. */
  number: number | null;
  /** Its rank where it was exported, which it keeps. */
  rank: string | null;
  ownerId: string;
  creatorId: string;
}

/** Creates demands from an import with their states and times. */
@Injectable()
export class ImportedDemands {
  /** Validates a body like POST. */
  readonly read = bodyReaderFor(CreateDemandDto, 'create');
  /** Validates a body like PATCH. */
  readonly readChanges = bodyReaderFor(UpdateDemandDto, 'patch');

  constructor(
    private readonly bulkCreator: BulkCreator,
    private readonly labels: LabelsService,
    private readonly iterations: IterationMembership,
    private readonly textObservers: TextObservers,
  ) {}

  /** Creates at most 1,000 validated demands. */
  async createAll(me: Caller, endeavourId: string, demands: readonly ImportedDemand[]): Promise<void> {
    const labels = await this.labels.idsOfEach(
      endeavourId,
      demands.map(({ dto }) => dto.labels),
    );
    const rows = demands.map((demand, at) => ({ ...rowOf(demand, endeavourId), labels: labels[at] }));
    await this.iterations.whileImporting(() =>
      this.bulkCreator.createAll(
        me,
        demandView,
        Demand,
        rows.map((row) => ({ row, place: { endeavourId }, title: row.title })),
      ),
    );
    const notify = await this.textObservers.observersOf({ endeavourId });
    for (const row of rows) {
      await notify(me, { kind: 'demand', entityId: row.id, texts: watchedTexts(demandView, row) })?.();
    }
  }
}

/** All columns but those that triggers keep, and the labels, which are known by their names. */
type ImportedDemandRow = Required<
  Omit<Demand, 'holds' | 'formerNumbers' | 'hasReferences' | 'labels' | 'words' | 'updatedBy' | 'contentChanges'>
>;

function rowOf({ dto, endedAt, status, ...demand }: ImportedDemand, endeavourId: string): ImportedDemandRow {
  const { type, title, description = null, priority = 'medium', external_ref, metadata = {} } = dto;
  const ref = external_ref as ExternalRef | undefined;
  return {
    id: demand.id,
    number: demand.number,
    rank: demand.rank,
    type,
    title,
    description,
    status,
    priority,
    endeavourId,
    creatorId: demand.creatorId,
    ownerId: demand.ownerId,
    ...dueDateOfImport(dto),
    fulfilledAt: status === 'fulfilled' ? endedAt : null,
    canceledAt: status === 'canceled' ? endedAt : null,
    canceledReason: status === 'canceled' ? demand.canceledReason : null,
    iterationId: dto.iteration_id ?? null,
    goalId: dto.goal_id ?? null,
    startDate: dto.start_date ?? null,
    externalRef: ref === undefined ? null : { source: ref.source, id: ref.id, url: ref.url ?? null },
    metadata,
    createdAt: demand.createdAt,
    updatedAt: new Date(),
    revision: 1,
  };
}
