import { Injectable } from '@nestjs/common';
import { Access } from '../../../access/access.js';
import type { Caller } from '../../../access/authentication/caller.js';
import { ContainerWriteBlocks } from '../../../access/visibility/container-write-blocks.js';
import { conflict } from '../../../common/errors.js';
import type { AcceptedOperation } from '../../../platform/http/responses/accepted-operation.js';
import { assertConfirmed } from '../../../platform/http/requests/confirm.js';
import type { OperationWork } from '../../operations/operation-types.js';
import { OperationsService } from '../../operations/operations.service.js';
import { ContainerErasureService } from '../../organizations/archive/container-erasure.service.js';
import { ErasureRequests, type ErasableKind } from '../../organizations/archive/erasure-requests.service.js';
import { EndeavourHomesService } from '../homes/endeavour-homes.service.js';
import { Endeavour } from '../endeavour.entity.js';
import { endeavourView } from '../endeavour.view.js';

export const ERASABLE_ENDEAVOUR: ErasableKind<Endeavour> = {
  entity: Endeavour,
  view: endeavourView,
  operation: 'endeavours_delete',
};

const erasureOf = (id: string) => ({ endeavourIds: [id], organizationId: null });

/** Erases archived endeavours with their contents. */
@Injectable()
export class EndeavourEraseService {
  constructor(
    private readonly access: Access,
    private readonly containerErasure: ContainerErasureService,
    private readonly homes: EndeavourHomesService,
    private readonly requests: ErasureRequests,
    private readonly writeBlocks: ContainerWriteBlocks,
    operations: OperationsService,
  ) {
    operations.register({
      name: 'endeavours_delete',
      authorize: (me, work) => this.begin(me, work),
      step: (_me, { containerId }, limit) => this.containerErasure.eraseSome(erasureOf(containerId), limit),
      finish: (me, work) => this.finish(me, work),
      undo: (work) =>
        this.requests.lapse(ERASABLE_ENDEAVOUR, work, ({ id, organizationId }) => ({
          endeavourId: id,
          organizationId,
        })),
    });
  }

  async erase(me: Caller, id: string, confirm: string): Promise<AcceptedOperation> {
    const locked = await this.access.lockExclusively(me, 'endeavours_delete', Endeavour, id);
    await this.homes.assertMayErase(me, 'endeavours_delete', id);
    assertConfirmed(confirm, locked.row.name);
    this.access.assertIfMatch(locked);
    this.access.assertNotClosed(locked);
    if (locked.row.status !== 'archived') throw conflict('not_archived', 'Only an archived endeavour can be erased.');
    return this.requests.start(me, ERASABLE_ENDEAVOUR, locked, {
      type: 'endeavours_delete',
      containerId: id,
      organizationId: await this.homes.homeOf(id),
      total: await this.containerErasure.count(erasureOf(id)),
      closes: { endeavourIds: [id] },
    });
  }

  async stop(me: Caller, id: string): Promise<void> {
    const locked = await this.access.lockExclusively(me, 'endeavours_erasure_delete', Endeavour, id);
    await this.homes.assertMayErase(me, 'endeavours_erasure_delete', id);
    await this.requests.stop(me, ERASABLE_ENDEAVOUR, locked);
  }

  private async begin(me: Caller, work: OperationWork): Promise<void> {
    await this.homes.assertMayErase(me, 'endeavours_delete', work.containerId);
    await this.requests.begin(me, ERASABLE_ENDEAVOUR, work, ({ id }) =>
      this.writeBlocks.block(work.id, { endeavourIds: [id] }),
    );
  }

  private async finish(me: Caller, work: OperationWork): Promise<object> {
    await this.containerErasure.eraseEndeavour(me, work.containerId);
    return this.containerErasure.finish(work);
  }
}
