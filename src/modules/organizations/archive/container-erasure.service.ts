import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/authentication/caller.js';
import { EventRecorder } from '../../../platform/events/event-recorder.js';
import { ContainerEraser, type EraseTarget } from '../../../platform/containment/container-eraser.js';
import type { Deleted } from '../../../platform/http/openapi/schemas.js';
import type { OperationWork } from '../../operations/operation-types.js';
import { ResourceErasureService } from '../../resources/erasure/resource-erasure.service.js';
import { OperationsService } from '../../operations/operations.service.js';
import { OrganizationEndeavoursRepository } from '../organization-endeavours.repository.js';
import { ROWS_OF_ENDEAVOUR, ROWS_OF_ORGANIZATION } from '../organization.containment.js';

/** Erases containers, and records an event for each. */
@Injectable()
export class ContainerErasureService {
  constructor(
    private readonly endeavours: OrganizationEndeavoursRepository,
    private readonly eraser: ContainerEraser,
    private readonly operations: OperationsService,
    private readonly resourceErasure: ResourceErasureService,
    private readonly events: EventRecorder,
  ) {}

  count(target: EraseTarget): Promise<number> {
    return this.eraser.count(target);
  }

  /** Erases a batch of the contents of the containers. */
  eraseSome(target: EraseTarget, limit: number): Promise<number> {
    return this.eraser.eraseSome(target, limit);
  }

  /** Erases an endeavour whose contents have been erased. */
  async eraseEndeavour(me: Caller, id: string): Promise<void> {
    const organizationId = await this.endeavours.homeOf(id);
    await this.eraser.eraseContainers('endeavour', [id], ROWS_OF_ENDEAVOUR);
    const place = { endeavourId: id, organizationId };
    await this.events.record(me, 'endeavour', id, place, {
      type: 'endeavour.deleted',
      data: { id, deleted: true },
    });
  }

  /** Erases an organization whose contents have been erased. */
  async eraseOrganization(me: Caller, id: string): Promise<void> {
    await this.resourceErasure.eraseOf(me, id);
    await this.eraser.eraseContainers('organization', [id], ROWS_OF_ORGANIZATION);
    const place = { organizationId: id };
    await this.events.record(me, 'organization', id, place, {
      type: 'organization.deleted',
      data: { id, deleted: true },
    });
  }

  /** Removes the reference of the operation to the erased container, and returns the result. */
  async finish({ id, containerId }: OperationWork): Promise<Deleted> {
    await this.operations.clearContainer(containerId, id);
    return { id: containerId, deleted: true };
  }
}
