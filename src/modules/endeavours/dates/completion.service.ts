import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/context/actor.js';
import { conflict } from '../../../common/errors.js';
import { ResourceWriter } from '../../../platform/events/resource-writer.js';
import { CompletionRepository } from './completion.repository.js';
import { Endeavour } from '../endeavour.entity.js';
import { endeavourView } from '../endeavour.view.js';

/** Completes endeavours, on request or automatically if their metadata contain `auto_complete`. */
@Injectable()
export class CompletionService {
  constructor(
    private readonly endeavours: CompletionRepository,
    private readonly writer: ResourceWriter,
  ) {}

  /** Rejects the completion of an endeavour with open tasks. The calling code has locked the endeavour exclusively. */
  async assertNoOpenTasks(id: string): Promise<void> {
    const open = await this.endeavours.countOpenTasks(id);
    if (open === 0) return;
    throw conflict('open_tasks', `${open} tasks are still planned or active; complete or cancel them first.`, {
      open_tasks: open,
    });
  }

  /**
   * Completes the endeavour if it completes automatically and all of its work is done. Called after a write that ends a
   * task, demand or goal, or moves work away. Other endeavours cost one statement by primary key.
   */
  async completeIfDone(actor: Actor | null, id: string): Promise<void> {
    // Transactions that end the last items wait for each other here, so that the later one sees that all are done.
    if (!(await this.endeavours.lockIfAutomatic(id)) || !(await this.endeavours.isDone(id))) return;
    // From here on, no work can be added; the second check sees work that was added before the lock.
    await this.endeavours.lockAgainstWork(id);
    if (await this.endeavours.isDone(id)) await this.complete(actor, id);
  }

  private async complete(actor: Actor | null, id: string): Promise<void> {
    const current = await this.endeavours.current(id);
    await this.writer.patch(actor, endeavourView, Endeavour, {
      current,
      changes: { status: 'completed', completedAt: new Date() },
      place: { endeavourId: id },
      type: () => 'endeavour.status_changed',
    });
  }
}
