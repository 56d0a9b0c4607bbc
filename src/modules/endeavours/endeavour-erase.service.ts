import { Injectable } from '@nestjs/common';
import { Access } from '../../access/access.js';
import type { Caller } from '../../access/caller.js';
import { conflict } from '../../common/errors.js';
import type { AcceptedOperation } from '../../platform/http/accepted-operation.js';
import { assertConfirmed } from '../../platform/http/confirm.js';
import type { OperationWork } from '../operations/operation-types.js';
import { OperationsService } from '../operations/operations.service.js';
import { ContainerErasureService } from '../organizations/container-erasure.service.js';
import { EndeavourHomesService } from './endeavour-homes.service.js';
import { Endeavour } from './endeavour.entity.js';

const erasureOf = (id: string) => ({ endeavourIds: [id], organizationId: null });

/** Erases archived endeavours with their contents. */
@Injectable()
export class EndeavourEraseService {
  constructor(
    private readonly access: Access,
    private readonly containerErasure: ContainerErasureService,
    private readonly homes: EndeavourHomesService,
    private readonly operations: OperationsService,
  ) {
    operations.register({
      name: 'endeavours_delete',
      authorize: (me, { containerId }) => this.homes.assertMayErase(me, 'endeavours_delete', containerId),
      step: (_me, { containerId }, limit) => this.containerErasure.eraseSome(erasureOf(containerId), limit),
      finish: (me, work) => this.finish(me, work),
    });
  }

  async erase(me: Caller, id: string, confirm: string): Promise<AcceptedOperation> {
    const locked = await this.access.lockExclusively(me, 'endeavours_delete', Endeavour, id);
    await this.homes.assertMayErase(me, 'endeavours_delete', id);
    assertConfirmed(confirm, locked.row.name);
    this.access.assertIfMatch(locked);
    this.access.assertNotClosed(locked);
    if (locked.row.status !== 'archived') throw conflict('not_archived', 'Only an archived endeavour can be erased.');
    return this.operations.start(me, {
      type: 'endeavours_delete',
      containerId: id,
      organizationId: await this.homes.homeOf(id),
      parameters: {},
      total: await this.containerErasure.count(erasureOf(id)),
      closes: { endeavourIds: [id] },
    });
  }

  private async finish(me: Caller, work: OperationWork): Promise<object> {
    await this.containerErasure.eraseEndeavour(me, work.containerId);
    return this.containerErasure.finish(work);
  }
}
