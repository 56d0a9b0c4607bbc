import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../../access/authentication/caller.js';
import { CurrentCaller } from '../../../access/authentication/current-caller.js';
import { Operation } from '../../../access/operations/operation.js';
import * as bodies from '../../../platform/http/bodies/body.pipe.js';
import { Id as IdField } from '../../../platform/http/bodies/fields.js';
import { DELETED, exactly, type Deleted } from '../../../platform/http/openapi/schemas.js';
import { TransactionalDelete, TransactionalPost } from '../../../platform/http/requests/transactional-routes.js';
import type { EndeavourLink } from '../../organizations/organization-endeavours.service.js';
import { EndeavourLinksService } from './endeavour-links.service.js';

class LinkEndeavourDto {
  @IdField('endeavour', { required: true })
  endeavour_id: string;
}

const Id = () => Param('id', bodies.PathId('organization'));
const link = exactly({ organization_id: { type: 'string' }, endeavour_id: { type: 'string' } });

@ApiTags('Organizations')
@Controller('organizations/:id/endeavours')
export class EndeavourLinksController {
  constructor(private readonly links: EndeavourLinksService) {}

  @TransactionalPost()
  @Operation('organizations_endeavours_add', {
    summary: 'Add endeavour to organization',
    description:
      'If the endeavour has no home organization, this organization becomes its home and its members get their ' +
      'role in the endeavour. Otherwise the endeavour is shared with the organization, whose members get at ' +
      'most the member role. Has no effect if the endeavour is already linked.',
    path: { id: 'organization' },
    body: LinkEndeavourDto,
    response: link,
    refuses: ['archived', 'conflict', 'precondition_failed', 'tier_limit'],
  })
  link(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Body(bodies.CreateBody(LinkEndeavourDto)) dto: LinkEndeavourDto,
  ): Promise<EndeavourLink> {
    return this.links.link(me, id, dto.endeavour_id);
  }

  @TransactionalDelete(':endeavour_id')
  @Operation('organizations_endeavours_remove', {
    summary: 'Remove endeavour from organization',
    description:
      'An endeavour that is removed from its home organization has no home until it is linked again; the response ' +
      'is 409 `last_owner` if it has no active direct owner. Either side can end the sharing.',
    path: { id: 'organization', endeavour_id: 'endeavour' },
    response: DELETED,
    refuses: ['forbidden', 'conflict', 'archived', 'precondition_failed'],
  })
  async unlink(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Param('endeavour_id', bodies.PathId('endeavour')) endeavourId: string,
  ): Promise<Deleted> {
    await this.links.unlink(me, id, endeavourId);
    return { id: endeavourId, deleted: true };
  }
}
