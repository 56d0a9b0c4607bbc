import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/caller.js';
import { Me } from '../../access/me.js';
import { Operation } from '../../access/operation.js';
import * as bodies from '../../platform/http/body.pipe.js';
import { Id as IdField } from '../../platform/http/fields.js';
import { DELETED, exactly, type Deleted } from '../../platform/http/schemas.js';
import { Delete, Post } from '../../platform/http/routes.js';
import { OrganizationEndeavoursService, type Link } from './organization-endeavours.service.js';

export class LinkEndeavourDto {
  @IdField('endeavour', { required: true })
  endeavour_id: string;
}

const Id = () => Param('id', bodies.PathId('organization'));
const link = exactly({ organization_id: { type: 'string' }, endeavour_id: { type: 'string' } });

@ApiTags('Organizations')
@Controller('organizations/:id/endeavours')
export class OrganizationEndeavoursController {
  constructor(private readonly endeavours: OrganizationEndeavoursService) {}

  @Post()
  @Operation('organizations_endeavours_add', {
    summary: 'Add endeavour to organization',
    description: 'Its members get their role in the endeavour. Adding what is in it already changes nothing.',
    path: { id: 'organization' },
    body: LinkEndeavourDto,
    answer: link,
    refuses: ['archived', 'precondition_failed', 'tier_limit'],
  })
  link(
    @Me() me: Caller,
    @Id() id: string,
    @Body(bodies.Create(LinkEndeavourDto)) dto: LinkEndeavourDto,
  ): Promise<Link> {
    return this.endeavours.link(me, id, dto.endeavour_id);
  }

  @Delete(':endeavour_id')
  @Operation('organizations_endeavours_remove', {
    summary: 'Take endeavour out of organization',
    path: { id: 'organization', endeavour_id: 'endeavour' },
    answer: DELETED,
    refuses: ['archived', 'precondition_failed'],
  })
  async unlink(
    @Me() me: Caller,
    @Id() id: string,
    @Param('endeavour_id', bodies.PathId('endeavour')) endeavourId: string,
  ): Promise<Deleted> {
    await this.endeavours.unlink(me, id, endeavourId);
    return { id: endeavourId, deleted: true };
  }
}
