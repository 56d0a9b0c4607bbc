import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../../access/authentication/caller.js';
import { CurrentCaller } from '../../../access/authentication/current-caller.js';
import { Operation } from '../../../access/operations/operation.js';
import type { Representation } from '../../../platform/database/views/view.js';
import * as bodies from '../../../platform/http/bodies/body.pipe.js';
import { TransactionalPost } from '../../../platform/http/requests/transactional-routes.js';
import { TransferResourceDto } from '../resource.dto.js';
import { ResourceHomesService } from './resource-homes.service.js';
import { resourceView } from '../resource.view.js';

@ApiTags('Resources')
@Controller('resources/:id/transfer')
export class ResourceTransfersController {
  constructor(private readonly homes: ResourceHomesService) {}

  @TransactionalPost()
  @Operation('resources_transfer', {
    summary: 'Transfer resource to another home organization',
    description:
      'Removes the link to the old home organization. Team members who are not in the new home organization ' +
      'leave the team. Returns 409 `in_use` while the team has open tasks or demands in its old home, 409 ' +
      '`user_resource` for the resource of a user, and 409 `no_home` for a resource without a home ' +
      'organization; add it to an organization instead.',
    path: { id: 'resource' },
    body: TransferResourceDto,
    response: resourceView,
    refuses: ['forbidden', 'conflict', 'archived', 'precondition_failed', 'tier_limit'],
  })
  transfer(
    @CurrentCaller() me: Caller,
    @Param('id', bodies.PathId('resource')) id: string,
    @Body(bodies.CreateBody(TransferResourceDto)) { organization_id }: TransferResourceDto,
  ): Promise<Representation> {
    return this.homes.transfer(me, id, organization_id);
  }
}
