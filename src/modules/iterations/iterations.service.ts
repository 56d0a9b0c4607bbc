import { Injectable } from '@nestjs/common';
import { Access, type AuthorizedResource, type LockedResource } from '../../access/access.js';
import type { Caller } from '../../access/authentication/caller.js';
import { fromWire } from '../../common/texts/case.js';
import { conflict } from '../../common/errors.js';
import { newId } from '../../common/ids.js';
import type { FieldNames, Representation } from '../../platform/database/views/view.js';
import { EventEraser } from '../../platform/events/event-eraser.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import type { Page } from '../../platform/http/responses/page.js';
import type { RawQuery } from '../../platform/http/requests/query-parameters.js';
import { Listing } from '../../platform/listing/listing.js';
import { EndeavoursService } from '../endeavours/endeavours.service.js';
import type { CreateIterationDto, UpdateIterationDto } from './iteration.dto.js';
import { Iteration } from './iteration.entity.js';
import { iterationLifecycle, type IterationStatus } from './iteration.lifecycle.js';
import { iterationList } from './iteration.list.js';
import { assertOrder } from './iteration.rules.js';
import { iterationView } from './iteration.view.js';
import { IterationsRepository, type IterationDays } from './iterations.repository.js';

const MOST_PER_ENDEAVOUR = 1_000;

/** The iterations of endeavours. */
@Injectable()
export class IterationsService {
  constructor(
    private readonly access: Access,
    private readonly endeavours: EndeavoursService,
    private readonly eventEraser: EventEraser,
    private readonly listing: Listing,
    private readonly repository: IterationsRepository,
    private readonly writer: ResourceWriter,
  ) {}

  list(me: Caller, query: RawQuery): Promise<Page> {
    return this.listing.page(me, iterationList, query);
  }

  /** The first iterations of the endeavour with days in the period, by their first days, and the number of all. */
  inPeriod(
    endeavourId: string,
    period: { from?: string; to?: string },
    limit: number,
  ): Promise<{ iterations: IterationDays[]; total: number }> {
    return this.repository.inPeriod(endeavourId, period, limit);
  }

  get(me: Caller, id: string, fields?: FieldNames): Promise<Representation> {
    return this.access.getOr404(me, iterationView, id, { fields });
  }

  async create(me: Caller, dto: CreateIterationDto): Promise<Representation> {
    const endeavour = await this.access.lockReference(me, 'iterations_create', 'endeavour_id', dto.endeavour_id, {
      kind: 'endeavour',
      exclusive: true,
    });
    assertOrder(dto.start_day, dto.end_day);
    this.access.assertWritable(endeavour);
    this.endeavours.assertTakesWork(endeavour);
    await this.assertRoomIn(dto.endeavour_id);
    return this.writer.create(me, iterationView, Iteration, {
      row: { ...fromWire(dto), id: newId('iteration'), createdBy: me.resourceId },
      place: endeavour.place,
      title: dto.name,
    });
  }

  async update(me: Caller, id: string, dto: UpdateIterationDto): Promise<Representation> {
    const starts = dto.status === 'active';
    const { row, ...opened } = starts
      ? await this.lockAgainstWork(me, 'iterations_update', id)
      : await this.access.lockForUpdate(me, 'iterations_update', Iteration, id);
    assertOrder(dto.start_day ?? row.startDay, dto.end_day ?? row.endDay);
    const isMoved = dto.status !== undefined && dto.status !== row.status;
    this.access.assertWritable({ ...opened, row });
    if (isMoved) await this.assertMayStart(row, opened, dto.status);
    return this.writer.patch(me, iterationView, Iteration, {
      current: row,
      changes: { ...fromWire(dto), ...(isMoved && { startedAt: new Date() }) },
      place: opened.place,
      entityChanges: { title: dto.name },
      type: ({ status }) => (status === undefined ? undefined : 'iteration.status_changed'),
    });
  }

  /** Deletes a planned iteration that contains nothing. */
  async remove(me: Caller, id: string): Promise<void> {
    const opened = await this.lockAgainstWork(me, 'iterations_delete', id);
    this.access.assertWritable(opened);
    if (opened.row.status !== 'planned') {
      throw conflict('iteration_started', 'Only planned iterations can be deleted.');
    }
    const count = await this.repository.countMembers(id);
    if (count > 0) {
      throw conflict('in_use', `${count} tasks and demands are in the iteration; take them out first.`, { count });
    }
    const name = 'Deleted iteration';
    const changes = { name, goal: null, deletedAt: new Date() };
    await this.writer.remove(me, iterationView, Iteration, opened.row, opened.place, changes, name);
    await this.eventEraser.blankTexts(iterationView, id);
  }

  /** Rejects more iterations than an endeavour can have. */
  async assertRoomIn(endeavourId: string, added = 1): Promise<void> {
    if ((await this.repository.countIn(endeavourId)) + added <= MOST_PER_ENDEAVOUR) return;
    throw conflict('too_many_iterations', `The endeavour can have ${MOST_PER_ENDEAVOUR} iterations; delete one first.`);
  }

  /** Waits for work that enters the iteration, and blocks other until the commit; the endeavour comes first, as everywhere. */
  private async lockAgainstWork(
    me: Caller,
    operation: 'iterations_update' | 'iterations_delete',
    id: string,
  ): Promise<LockedResource<Iteration>> {
    await this.access.authorize(me, operation, id);
    return this.access.lockExclusively(me, operation, Iteration, id);
  }

  private async assertMayStart(
    { endeavourId, status: current }: Iteration,
    opened: Pick<AuthorizedResource, 'containerStatus'>,
    status: IterationStatus = 'active',
  ): Promise<void> {
    iterationLifecycle.assertMove(current, status);
    this.endeavours.assertTakesWork(opened);
    if ((await this.repository.activeIn(endeavourId)) === undefined) return;
    throw conflict('active_iteration', 'The endeavour has an active iteration; close it first.');
  }
}
