import { Injectable } from '@nestjs/common';
import type { Actor } from '../../platform/events/actor.js';
import type { WorkRole } from '../resources/work-roles.js';
import {
  ReassignmentsService,
  type OpenEntity,
  type OpenWork,
  type Reassignment,
} from '../resources/reassignments.service.js';
import { DemandsRepository } from './demands.repository.js';

/** Provides the open demands of an owner for reassignment. */
@Injectable()
export class OpenDemands implements OpenWork {
  constructor(
    private readonly repository: DemandsRepository,
    reassignments: ReassignmentsService,
  ) {
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
