import { Injectable } from '@nestjs/common';
import { Access } from '../../access/access.js';
import type { Caller } from '../../access/authentication/caller.js';
import { conflict, invalidInput, referenceNotFound } from '../../common/errors.js';
import type { Representation } from '../../platform/database/views/view.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import { EndeavourHomesService } from '../endeavours/homes/endeavour-homes.service.js';
import { EndeavoursService } from '../endeavours/endeavours.service.js';
import type { OperationWork } from '../operations/operation-types.js';
import { OperationsService } from '../operations/operations.service.js';
import type { CloseIterationDto } from './close-iteration.dto.js';
import { IterationContents } from './iteration-contents.js';
import type { Scope } from './iteration-report.js';
import { IterationReportsRepository } from './iteration-reports.repository.js';
import { Iteration } from './iteration.entity.js';
import { iterationLifecycle } from './iteration.lifecycle.js';
import { iterationView } from './iteration.view.js';
import { IterationsRepository } from './iterations.repository.js';

interface Parameters {
  iterationId: string;
  /** Where open work goes; null for the backlog. */
  targetId: string | null;
  report: Scope;
}

/** Closes iterations: freezes their reports, and moves what is open. */
@Injectable()
export class IterationClosings {
  constructor(
    private readonly access: Access,
    private readonly contents: IterationContents,
    private readonly endeavours: EndeavoursService,
    private readonly homes: EndeavourHomesService,
    private readonly operations: OperationsService,
    private readonly reports: IterationReportsRepository,
    private readonly repository: IterationsRepository,
    private readonly writer: ResourceWriter,
  ) {
    operations.register({
      name: 'iterations_close',
      authorize: (me, work) => this.access.authorizeWithoutLock(me, 'iterations_close', parametersOf(work).iterationId),
      step: (me, work, limit) => this.step(me, work, limit),
      finish: (me, work) => this.finish(me, work),
      report: ({ tally }) => Promise.resolve({ carried_over: tally.moved ?? 0 }),
    });
  }

  /** Nobody writes in the endeavour meanwhile, so that the report says what was when the iteration was closed. */
  async close(me: Caller, id: string, { carry_over }: CloseIterationDto): Promise<Representation | object> {
    const seen = await this.access.authorizeWithoutLock(me, 'iterations_close', id);
    this.access.assertNotClosed(seen);
    const endeavourId = seen.place.endeavourId as string;
    await this.endeavours.lockAgainstWrites(endeavourId);
    const locked = await this.access.lockForUpdate(me, 'iterations_close', Iteration, id);
    this.access.assertWritable(locked);
    iterationLifecycle.assertMove(locked.row.status, 'closed');
    const targetId = await this.targetOf(endeavourId, carry_over);
    return this.operations.run(me, {
      type: 'iterations_close',
      containerId: endeavourId,
      organizationId: await this.homes.homeOf(endeavourId),
      parameters: { iterationId: id, targetId, report: await this.reports.scope(id) } satisfies Parameters,
      total: await this.repository.countOpenMembers(id),
      closes: { endeavourIds: [endeavourId] },
    });
  }

  private async targetOf(endeavourId: string, carryOver: string): Promise<string | null> {
    if (carryOver === 'backlog') return null;
    if (carryOver === 'next') {
      const next = await this.repository.nextIn(endeavourId);
      if (next !== undefined) return next;
      throw conflict(
        'no_next_iteration',
        'The endeavour has no planned iteration; create one, or carry over to the backlog.',
      );
    }
    const status = await this.repository.statusIn(endeavourId, carryOver, { isLocked: true });
    if (status === undefined) throw invalidInput([referenceNotFound('carry_over')]);
    if (status === 'planned') return carryOver;
    throw conflict(
      status === 'closed' ? 'iteration_closed' : 'iteration_started',
      'Open work can only be carried over to a planned iteration.',
    );
  }

  private async step(me: Caller, work: OperationWork, limit: number): Promise<number> {
    const { iterationId, targetId } = parametersOf(work);
    const moved = await this.contents.moveOpen(me, iterationId, targetId, limit);
    work.tally.moved = (work.tally.moved ?? 0) + moved;
    return moved;
  }

  private async finish(me: Caller, work: OperationWork): Promise<Representation> {
    const { iterationId, report } = parametersOf(work);
    const { row, place } = await this.access.lockForUpdate(me, 'iterations_close', Iteration, iterationId);
    const closed = await this.writer.patch(me, iterationView, Iteration, {
      current: row,
      changes: { status: 'closed', closedAt: new Date(), report },
      place,
      type: () => 'iteration.status_changed',
    });
    return closed.with({ carried_over: work.tally.moved ?? 0 });
  }
}

const parametersOf = ({ parameters }: OperationWork): Parameters => parameters as unknown as Parameters;
