import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/context/actor.js';
import { IterationContents } from '../../iterations/iteration-contents.js';
import type { WorkRole } from '../../resources/assignments/work-roles.js';
import {
  ReassignmentsService,
  type OpenEntity,
  type OpenWork,
  type Reassignment,
} from '../../resources/assignments/reassignments.service.js';
import { OpenTasksRepository } from './open-tasks.repository.js';

/** The order of changes: a task in which the resource has both roles changes once, with one revision and one event. */
const COMBINATIONS: readonly (readonly WorkRole[])[] = [['assigned', 'owned'], ['assigned'], ['owned']];

/** The planned and active tasks that resources own or are assigned to, and those of iterations. */
@Injectable()
export class OpenTasks implements OpenWork {
  constructor(
    private readonly repository: OpenTasksRepository,
    iterations: IterationContents,
    reassignments: ReassignmentsService,
  ) {
    iterations.register((me, from, to, limit) => this.repository.changeIteration(me, from, to, limit));
    reassignments.register(this);
  }

  endeavoursOf(resourceId: string, include: readonly WorkRole[]): Promise<string[]> {
    return this.repository.endeavoursOf(resourceId, include);
  }

  openIn(organizationId: string, resourceId: string, limit: number): Promise<OpenEntity[]> {
    return this.repository.openIn(organizationId, resourceId, limit);
  }

  async reassign(me: Actor, reassignment: Reassignment): Promise<number> {
    let count = 0;
    for (const roles of COMBINATIONS) {
      if (!roles.every((role) => reassignment.include.includes(role))) continue;
      count += await this.repository.reassign(me, reassignment, roles);
    }
    return count;
  }
}
