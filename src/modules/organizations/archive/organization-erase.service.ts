import { Injectable } from '@nestjs/common';
import { Access } from '../../../access/access.js';
import type { Caller } from '../../../access/authentication/caller.js';
import { ContainerWriteBlocks } from '../../../access/visibility/container-write-blocks.js';
import { conflict } from '../../../common/errors.js';
import type { EraseTarget } from '../../../platform/containment/container-eraser.js';
import type { AcceptedOperation } from '../../../platform/http/responses/accepted-operation.js';
import { assertConfirmed } from '../../../platform/http/requests/confirm.js';
import type { OperationWork } from '../../operations/operation-types.js';
import { OperationsService } from '../../operations/operations.service.js';
import { ContainerErasureService } from './container-erasure.service.js';
import { ErasureRequests, type ErasableKind } from './erasure-requests.service.js';
import { OrganizationEndeavoursRepository } from '../organization-endeavours.repository.js';
import { Organization } from '../organization.entity.js';
import { organizationView } from '../organization.view.js';

export const ERASABLE_ORGANIZATION: ErasableKind<Organization> = {
  entity: Organization,
  view: organizationView,
  operation: 'organizations_delete',
};

/** Erases archived organizations with the endeavours whose home they are. */
@Injectable()
export class OrganizationEraseService {
  constructor(
    private readonly access: Access,
    private readonly writeBlocks: ContainerWriteBlocks,
    private readonly endeavours: OrganizationEndeavoursRepository,
    private readonly containerErasure: ContainerErasureService,
    private readonly operations: OperationsService,
    private readonly requests: ErasureRequests,
  ) {
    operations.register({
      name: 'organizations_delete',
      authorize: (me, work) =>
        this.requests.begin(me, ERASABLE_ORGANIZATION, work, (row) => this.close(work.id, row.id)),
      step: (me, work, limit) => this.eraseSome(me, work, limit),
      finish: (me, work) => this.finish(me, work),
      undo: (work) => this.requests.lapse(ERASABLE_ORGANIZATION, work, ({ id }) => ({ organizationId: id })),
    });
  }

  async erase(me: Caller, id: string, confirm: string): Promise<AcceptedOperation> {
    const opened = await this.access.lockExclusively(me, 'organizations_delete', Organization, id);
    assertConfirmed(confirm, opened.row.name);
    this.access.assertIfMatch(opened);
    this.access.assertNotClosed(opened);
    if (opened.row.status !== 'archived')
      throw conflict('not_archived', 'Only an archived organization can be erased.');
    await this.endeavours.lockLinkedTo(id);
    const target = await this.targetOf(id);
    await this.writeBlocks.assertNotBlocked(target.endeavourIds);
    return this.requests.start(me, ERASABLE_ORGANIZATION, opened, {
      type: 'organizations_delete',
      containerId: id,
      organizationId: id,
      total: (await this.containerErasure.count(target)) + target.endeavourIds.length,
      closes: { endeavourIds: target.endeavourIds, organizationId: id },
    });
  }

  async stop(me: Caller, id: string): Promise<void> {
    const opened = await this.access.lockExclusively(me, 'organizations_erasure_delete', Organization, id);
    await this.requests.stop(me, ERASABLE_ORGANIZATION, opened);
  }

  private async close(operationId: string, id: string): Promise<void> {
    await this.endeavours.lockLinkedTo(id);
    const { endeavourIds } = await this.targetOf(id);
    await this.writeBlocks.assertNotBlocked(endeavourIds);
    await this.writeBlocks.block(operationId, { endeavourIds, organizationId: id });
  }

  private async targetOf(organizationId: string): Promise<EraseTarget> {
    const { own } = await this.endeavours.linkedTo(organizationId);
    return { endeavourIds: own, organizationId };
  }

  /** Erases the contents of the endeavours and of the organization, then the endeavours, one per batch. */
  private async eraseSome(me: Caller, { containerId }: OperationWork, limit: number): Promise<number> {
    const target = await this.targetOf(containerId);
    const count = await this.containerErasure.eraseSome(target, limit);
    const endeavourId = target.endeavourIds.at(0);
    if (count > 0 || endeavourId === undefined) return count;
    await this.containerErasure.eraseEndeavour(me, endeavourId);
    await this.operations.deleteOf(endeavourId);
    return 1;
  }

  private async finish(me: Caller, work: OperationWork): Promise<object> {
    await this.containerErasure.eraseOrganization(me, work.containerId);
    return this.containerErasure.finish(work);
  }
}
