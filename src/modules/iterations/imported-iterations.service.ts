import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/authentication/caller.js';
import { BulkCreator } from '../../platform/events/bulk-creator.js';
import { bodyReaderFor } from '../../platform/http/bodies/fields/body-reader.js';
import { CreateIterationDto, UpdateIterationDto } from './iteration.dto.js';
import { readScope } from './iteration-report.js';
import { Iteration } from './iteration.entity.js';
import type { IterationStatus } from './iteration.lifecycle.js';
import { assertOrder } from './iteration.rules.js';
import { iterationView } from './iteration.view.js';
import { IterationsRepository } from './iterations.repository.js';
import { IterationsService } from './iterations.service.js';

/** An iteration that comes from another system: the body that POST accepts, and its history. */
export interface ImportedIteration {
  id: string;
  dto: CreateIterationDto;
  status: IterationStatus;
  createdAt: Date;
  startedAt: Date | null;
  closedAt: Date | null;
  /** The frozen report of a closed one, as it was exported. */
  report: unknown;
  createdBy: string;
}

/** Creates iterations from an import. */
@Injectable()
export class ImportedIterations {
  /** Validates the body as POST does. */
  readonly read = bodyReaderFor(CreateIterationDto, 'create');
  /** Validates the body as PATCH does. */
  readonly readChanges = bodyReaderFor(UpdateIterationDto, 'patch');

  constructor(
    private readonly bulkCreator: BulkCreator,
    private readonly iterations: IterationsService,
    private readonly repository: IterationsRepository,
  ) {}

  /** Creates at most a thousand iterations. An active one is planned if the endeavour has an active one already. */
  async createAll(me: Caller, endeavourId: string, iterations: readonly ImportedIteration[]): Promise<void> {
    for (const { dto } of iterations) assertOrder(dto.start_day, dto.end_day);
    await this.iterations.assertRoomIn(endeavourId, iterations.length);
    let hasActive = (await this.repository.activeIn(endeavourId)) !== undefined;
    const rows = iterations.map(({ dto, status, startedAt, closedAt, report, ...iteration }) => {
      const isPlanned = status === 'planned' || (status === 'active' && hasActive);
      if (status === 'active') hasActive = true;
      const kept: IterationStatus = isPlanned ? 'planned' : status;
      return {
        ...iteration,
        name: dto.name,
        goal: dto.goal ?? null,
        startDay: dto.start_day,
        endDay: dto.end_day,
        status: kept,
        startedAt: isPlanned ? null : (startedAt ?? iteration.createdAt),
        closedAt: kept === 'closed' ? (closedAt ?? new Date()) : null,
        report: kept === 'closed' ? readScope(report) : null,
        endeavourId,
        updatedAt: new Date(),
        revision: 1,
      };
    });
    await this.bulkCreator.createAll(
      me,
      iterationView,
      Iteration,
      rows.map((row) => ({ row, place: { endeavourId }, title: row.name })),
    );
  }
}
