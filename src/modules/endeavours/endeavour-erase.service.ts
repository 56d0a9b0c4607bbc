import { Injectable } from '@nestjs/common';
import { Access } from '../../access/access.js';
import type { Caller } from '../../access/caller.js';
import { conflict } from '../../common/errors.js';
import type { Accepted } from '../../platform/http/accepted.js';
import { assertConfirmed } from '../../platform/http/confirm.js';
import type { Work } from '../operations/operation-types.js';
import { OperationsService } from '../operations/operations.service.js';
import { ContainerErasing } from '../organizations/container-erasing.service.js';
import { EndeavourHomes } from './endeavour-homes.service.js';
import { Endeavour } from './endeavour.entity.js';

const doomed = (id: string) => ({ endeavourIds: [id], organizationId: null });

/** Erases archived endeavours for good, with everything in them. */
@Injectable()
export class EndeavourEraseService {
  constructor(
    private readonly access: Access,
    private readonly erasing: ContainerErasing,
    private readonly homes: EndeavourHomes,
    private readonly operations: OperationsService,
  ) {
    operations.register({
      name: 'endeavours_delete',
      authorize: (me, { containerId }) => this.homes.assertMayErase(me, 'endeavours_delete', containerId),
      step: (_me, { containerId }, limit) => this.erasing.eraseSome(doomed(containerId), limit),
      finish: (me, work) => this.finish(me, work),
    });
  }

  async erase(me: Caller, id: string, confirm: string): Promise<Accepted> {
    const opened = await this.access.openAlone(me, 'endeavours_delete', Endeavour, id);
    await this.homes.assertMayErase(me, 'endeavours_delete', id);
    assertConfirmed(confirm, opened.row.name);
    this.access.matches(opened);
    this.access.assertNotClosed(opened);
    if (opened.row.status !== 'archived') throw conflict('not_archived', 'Only an archived endeavour can be erased.');
    return this.operations.start(me, {
      type: 'endeavours_delete',
      containerId: id,
      organizationId: await this.homes.of(id),
      parameters: {},
      total: await this.erasing.count(doomed(id)),
      closes: { endeavourIds: [id] },
    });
  }

  private async finish(me: Caller, work: Work): Promise<object> {
    await this.erasing.eraseEndeavour(me, work.containerId);
    return this.erasing.done(work);
  }
}
