import { Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/caller.js';
import { Me } from '../../access/me.js';
import { Operation } from '../../access/operation.js';
import type { Accepted } from '../../platform/http/accepted.js';
import * as bodies from '../../platform/http/body.pipe.js';
import { CONFIRM, readConfirm } from '../../platform/http/confirm.js';
import { Query, type RawQuery } from '../../platform/http/raw-query.js';
import { Delete } from '../../platform/http/routes.js';
import { LongRunning, startedOperation } from '../operations/long-running.js';
import { OrganizationEraseService } from './organization-erase.service.js';

@ApiTags('Organizations')
@Controller('organizations')
export class OrganizationEraseController {
  constructor(private readonly erasing: OrganizationEraseService) {}

  @Delete(':id')
  @LongRunning()
  @Operation('organizations_delete', {
    summary: 'Erase archived organization',
    description:
      'Permanently deletes the organization with all of its contents, including the endeavours whose home it is ' +
      'and its own resources. A single event, organization.deleted, records the deletion. This cannot be undone ' +
      'or canceled.',
    status: 202,
    path: { id: 'organization' },
    query: CONFIRM,
    answer: startedOperation,
    refuses: ['conflict', 'in_progress', 'precondition_failed'],
  })
  erase(
    @Me() me: Caller,
    @Param('id', bodies.PathId('organization')) id: string,
    @Query() query: RawQuery,
  ): Promise<Accepted> {
    return this.erasing.erase(me, id, readConfirm(query));
  }
}
