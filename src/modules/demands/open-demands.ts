import { Injectable } from '@nestjs/common';
import type { Actor } from '../../platform/context/actor.js';
import { IterationContents } from '../iterations/iteration-contents.js';
import type { WorkRole } from '../resources/assignments/work-roles.js';
import {
  ReassignmentsService,
  type OpenEntity,
  type OpenWork,
  type Reassignment,
} from '../resources/assignments/reassignments.service.js';
import { DemandsRepository } from './demands.repository.js';

/** Provides the open demands of an owner for reassignment, and those of an iteration for closing it. */
@Injectable()
export class OpenDemands implements OpenWork {
  constructor(
    private readonly repository: DemandsRepository,
    iterations: IterationContents,
    reassignments: ReassignmentsService,
  ) {
    iterations.register((me, from, to, limit) => this.repository.changeIteration(me, from, to, limit));
    reassignments.register(this);
  }

  async endeavoursOf(resourceId: string, include: readonly WorkRole[]): Promise<string[]> {
    return include.includes('owned') ? this.repository.endeavoursWithOpenOf(resourceId) : [];
  }

  openIn(organizationId: string, resourceId: string, limit: number): Promise<OpenEntity[]> {
    return this.repository.openIn(organizationId, resourceId, limit);
  }

  async reassign(me: Actor, reassignment: Reassignment): Promise<number> {
    return reassignment.include.includes('owned') ? this.repository.reassignOpen(me, reassignment) : 0;
  }
}
