import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller.js';
import type { WorkRole } from '../resources/work-roles.js';
import { ReassignmentsService, type Handover, type OpenWork } from '../resources/reassignments.service.js';
import { OpenTasksRepository } from './open-tasks.repository.js';

/** The ways to change tasks in turn; a task with both roles changes once, with one revision and one event. */
const COMBINATIONS: readonly (readonly WorkRole[])[] = [['assigned', 'owned'], ['assigned'], ['owned']];

/** The planned and active tasks that resources own or are assigned to. */
@Injectable()
export class OpenTasks implements OpenWork {
  constructor(
    private readonly repository: OpenTasksRepository,
    reassignments: ReassignmentsService,
  ) {
    reassignments.register(this);
  }

  endeavoursOf(resourceId: string, include: readonly WorkRole[]): Promise<string[]> {
    return this.repository.endeavoursOf(resourceId, include);
  }

  async handOver(me: Caller, handover: Handover): Promise<number> {
    let moved = 0;
    for (const roles of COMBINATIONS) {
      if (!roles.every((role) => handover.include.includes(role))) continue;
      moved += await this.repository.handOver(me, handover, roles);
    }
    return moved;
  }
}
