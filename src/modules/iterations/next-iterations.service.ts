import { Injectable } from '@nestjs/common';
import { newId } from '../../common/ids.js';
import type { Actor } from '../../platform/context/actor.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import { Iteration } from './iteration.entity.js';
import { daysAfter, nextName } from './iteration.rules.js';
import { iterationView } from './iteration.view.js';
import { IterationsRepository } from './iterations.repository.js';
import { IterationsService } from './iterations.service.js';

/** An iteration that follows the last one of the endeavour. */
interface Following {
  endeavourId: string;
  /** The number of days that it has. */
  days: number;
  /** The day before which it does not begin. */
  today: string;
  createdBy: string;
}

/** Plans iterations that rituals make. */
@Injectable()
export class NextIterations {
  constructor(
    private readonly iterations: IterationsService,
    private readonly repository: IterationsRepository,
    private readonly writer: ResourceWriter,
  ) {}

  /** Plans the iteration behind the last one, unless one is planned already; `actor` is null for the service. */
  async plan(actor: Actor | null, { endeavourId, days, today, createdBy }: Following): Promise<void> {
    await this.repository.lockPlan(endeavourId);
    if ((await this.repository.nextIn(endeavourId)) !== undefined) return;
    await this.iterations.assertRoomIn(endeavourId);
    const last = await this.repository.lastIn(endeavourId);
    const follows = last === undefined ? today : daysAfter(last.endDay, 1);
    const startDay = follows > today ? follows : today;
    const name = nextName(last?.name);
    await this.writer.create(actor, iterationView, Iteration, {
      row: { id: newId('iteration'), name, endeavourId, startDay, endDay: daysAfter(startDay, days - 1), createdBy },
      place: { endeavourId },
      title: name,
    });
  }
}
