import { Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../../access/authentication/caller.js';
import { CurrentCaller } from '../../../access/authentication/current-caller.js';
import { Operation } from '../../../access/operations/operation.js';
import type { AcceptedOperation } from '../../../platform/http/responses/accepted-operation.js';
import * as bodies from '../../../platform/http/bodies/body.pipe.js';
import { CONFIRM, readConfirm } from '../../../platform/http/requests/confirm.js';
import { QueryParameters, type RawQuery } from '../../../platform/http/requests/query-parameters.js';
import { DELETED, type Deleted } from '../../../platform/http/openapi/schemas.js';
import { TransactionalDelete } from '../../../platform/http/requests/transactional-routes.js';
import { LongRunning, startedOperation } from '../../operations/long-running.js';
import { OrganizationEraseService } from './organization-erase.service.js';

@ApiTags('Organizations')
@Controller('organizations')
export class OrganizationEraseController {
  constructor(private readonly erasing: OrganizationEraseService) {}

  @TransactionalDelete(':id')
  @LongRunning()
  @Operation('organizations_delete', {
    summary: 'Erase archived organization',
    description:
      'Requests the erasure of the organization, which begins after 14 days (`ERASURE_DAYS`): `erasure_at` is its time, and all owners are told by mail. ' +
      'Until then, every owner can stop it with DELETE on `/erasure`, or by restoring the organization. ' +
      'Then the organization is deleted for good with all of its contents, including the endeavours whose home it ' +
      'is and its own resources. A single event, organization.deleted, records the deletion.',
    status: 202,
    path: { id: 'organization' },
    query: CONFIRM,
    response: startedOperation,
    refuses: ['conflict', 'in_progress', 'precondition_failed'],
  })
  erase(
    @CurrentCaller() me: Caller,
    @Param('id', bodies.PathId('organization')) id: string,
    @QueryParameters() query: RawQuery,
  ): Promise<AcceptedOperation> {
    return this.erasing.erase(me, id, readConfirm(query));
  }

  @TransactionalDelete(':id/erasure')
  @Operation('organizations_erasure_delete', {
    summary: 'Stop erasure of organization',
    description:
      'Stops the erasure before it begins. The organization stays archived, and all owners are told by mail.',
    path: { id: 'organization' },
    response: DELETED,
    refuses: ['conflict', 'in_progress', 'precondition_failed'],
  })
  async stop(@CurrentCaller() me: Caller, @Param('id', bodies.PathId('organization')) id: string): Promise<Deleted> {
    await this.erasing.stop(me, id);
    return { id, deleted: true };
  }
}
