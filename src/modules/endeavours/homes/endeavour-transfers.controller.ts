import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../../access/authentication/caller.js';
import { CurrentCaller } from '../../../access/authentication/current-caller.js';
import { Operation } from '../../../access/operations/operation.js';
import { ENDEAVOUR_ROLES } from '../../../common/roles.js';
import type { Representation } from '../../../platform/database/views/view.js';
import * as bodies from '../../../platform/http/bodies/body.pipe.js';
import { exactly, extendedSchema } from '../../../platform/http/openapi/schemas.js';
import { TransactionalPost } from '../../../platform/http/requests/transactional-routes.js';
import { EndeavourLinksService } from './endeavour-links.service.js';
import { TransferEndeavourDto } from '../endeavour.dto.js';
import { endeavourView } from '../endeavour.view.js';

const transferred = extendedSchema('TransferredEndeavour', endeavourView, {
  outsiders: {
    type: 'array',
    items: exactly({ user_id: { type: 'string' }, role: { type: 'string', enum: [...ENDEAVOUR_ROLES] } }),
  },
});

@ApiTags('Endeavours')
@Controller('endeavours/:id/transfer')
export class EndeavourTransfersController {
  constructor(private readonly links: EndeavourLinksService) {}

  @TransactionalPost()
  @Operation('endeavours_transfer', {
    summary: 'Transfer endeavour to another home organization',
    description:
      'Removes the link to the old home organization. Direct roles stay, and the response lists the direct roles ' +
      'of people outside the new home organization. If the old one has other owners, of whom none owns the new one, ' +
      'the request is kept and rejected with 409 `second_owner_required`; the same request by another owner ' +
      'executes it. A policy of the old home organization is copied into the ' +
      'endeavour. An endeavour without a home organization is rejected with 409 `no_home`; link it to the ' +
      'organization instead.',
    path: { id: 'endeavour' },
    body: TransferEndeavourDto,
    response: transferred,
    refuses: ['archived', 'conflict', 'precondition_failed', 'tier_limit'],
  })
  transfer(
    @CurrentCaller() me: Caller,
    @Param('id', bodies.PathId('endeavour')) id: string,
    @Body(bodies.CreateBody(TransferEndeavourDto)) { organization_id }: TransferEndeavourDto,
  ): Promise<Representation> {
    return this.links.transfer(me, id, organization_id);
  }
}
