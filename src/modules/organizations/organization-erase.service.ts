import { Injectable } from '@nestjs/common';
import { Access } from '../../access/access.js';
import type { Caller } from '../../access/caller.js';
import { Closures } from '../../access/closures.js';
import { conflict } from '../../common/errors.js';
import type { Doomed } from '../../platform/contents/container-eraser.js';
import type { Accepted } from '../../platform/http/accepted.js';
import { assertConfirmed } from '../../platform/http/confirm.js';
import type { Work } from '../operations/operation-types.js';
import { OperationsService } from '../operations/operations.service.js';
import { ContainerErasing } from './container-erasing.service.js';
import { OrganizationContents } from './organization-contents.service.js';
import { Organization } from './organization.entity.js';

/** Erases archived organizations for good, with the endeavours whose home they are. */
@Injectable()
export class OrganizationEraseService {
  constructor(
    private readonly access: Access,
    private readonly closures: Closures,
    private readonly contents: OrganizationContents,
    private readonly erasing: ContainerErasing,
    private readonly operations: OperationsService,
  ) {
    operations.register({
      name: 'organizations_delete',
      authorize: (me, { containerId }) => this.access.check(me, 'organizations_delete', containerId),
      step: (me, work, limit) => this.eraseSome(me, work, limit),
      finish: (me, work) => this.finish(me, work),
    });
  }

  async erase(me: Caller, id: string, confirm: string): Promise<Accepted> {
    const opened = await this.access.openAlone(me, 'organizations_delete', Organization, id);
    assertConfirmed(confirm, opened.row.name);
    this.access.matches(opened);
    this.access.assertNotClosed(opened);
    if (opened.row.status !== 'archived')
      throw conflict('not_archived', 'Only an archived organization can be erased.');
    await this.contents.lockEndeavours(id);
    const doomed = await this.doomedWith(id);
    await this.closures.assertOpen(doomed.endeavourIds);
    return this.operations.start(me, {
      type: 'organizations_delete',
      containerId: id,
      organizationId: id,
      parameters: {},
      total: (await this.erasing.count(doomed)) + doomed.endeavourIds.length,
      closes: { endeavourIds: doomed.endeavourIds, organizationId: id },
    });
  }

  private async doomedWith(organizationId: string): Promise<Doomed> {
    const { own } = await this.contents.linked(organizationId);
    return { endeavourIds: own, organizationId };
  }

  /** First what is in the endeavours and in the organization itself, then the endeavours, one in each piece. */
  private async eraseSome(me: Caller, { containerId }: Work, limit: number): Promise<number> {
    const doomed = await this.doomedWith(containerId);
    const count = await this.erasing.eraseSome(doomed, limit);
    const endeavourId = doomed.endeavourIds.at(0);
    if (count > 0 || endeavourId === undefined) return count;
    await this.erasing.eraseEndeavour(me, endeavourId);
    return 1;
  }

  private async finish(me: Caller, work: Work): Promise<object> {
    await this.erasing.eraseOrganization(me, work.containerId);
    return this.erasing.done(work);
  }
}
