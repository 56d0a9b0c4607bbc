import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/context/actor.js';
import { EventEraser } from '../../../platform/events/event-eraser.js';
import { ResourceErasureRepository } from './resource-erasure.repository.js';
import { AssignedWork } from '../assignments/assigned-work.js';

/** Erases the resources of an organization that is erased, except the names that history needs. */
@Injectable()
export class ResourceErasureService {
  constructor(
    private readonly erasure: ResourceErasureRepository,
    private readonly eventEraser: EventEraser,
    private readonly assignedWork: AssignedWork,
  ) {}

  /** Also unassigns their open work in other organizations. */
  async eraseOf(me: Actor, organizationId: string): Promise<void> {
    const ids = await this.erasure.resourcesOf(organizationId);
    await this.assignedWork.unassign(me, ids);
    await this.eventEraser.unlocked(() => this.erasure.erase(ids));
  }
}
