import { Body, Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/authentication/caller.js';
import { CurrentCaller } from '../../access/authentication/current-caller.js';
import { Operation } from '../../access/operations/operation.js';
import type { FieldNames, Representation } from '../../platform/database/views/view.js';
import * as bodies from '../../platform/http/bodies/body.pipe.js';
import { Fields } from '../../platform/http/requests/selected-fields.js';
import type { Page } from '../../platform/http/responses/page.js';
import { QueryParameters, type RawQuery } from '../../platform/http/requests/query-parameters.js';
import { TransactionalPatch, TransactionalPost } from '../../platform/http/requests/transactional-routes.js';
import { CreateOrganizationDto, UpdateOrganizationDto } from './organization.dto.js';
import { organizationList } from './organization.list.js';
import { organizationView } from './organization.view.js';
import { updatedOrganization } from './organization.schemas.js';
import { OrganizationsService } from './organizations.service.js';

const representation = Object.keys(organizationView.fields);
const Id = () => Param('id', bodies.PathId('organization'));

@ApiTags('Organizations')
@Controller('organizations')
export class OrganizationsController {
  constructor(private readonly organizations: OrganizationsService) {}

  @Get()
  @Operation('organizations_list', { summary: 'List organizations', list: organizationList })
  list(@CurrentCaller() me: Caller, @QueryParameters() query: RawQuery): Promise<Page> {
    return this.organizations.list(me, query);
  }

  @TransactionalPost()
  @Operation('organizations_create', {
    summary: 'Create organization',
    status: 201,
    body: CreateOrganizationDto,
    response: organizationView,
    refuses: ['tier_limit'],
  })
  create(
    @CurrentCaller() me: Caller,
    @Body(bodies.CreateBody(CreateOrganizationDto, { representation })) dto: CreateOrganizationDto,
  ): Promise<Representation> {
    return this.organizations.create(me, dto);
  }

  @Get(':id')
  @Operation('organizations_get', {
    summary: 'Get organization',
    path: { id: 'organization' },
    resource: organizationView,
  })
  get(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Fields(organizationView) fields?: FieldNames,
  ): Promise<Representation> {
    return this.organizations.get(me, id, fields);
  }

  @TransactionalPatch(':id')
  @Operation('organizations_update', {
    summary: 'Update organization',
    path: { id: 'organization' },
    body: UpdateOrganizationDto,
    response: updatedOrganization,
    refuses: ['archived', 'precondition_failed'],
  })
  update(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Body(bodies.PatchBody(UpdateOrganizationDto, { representation })) dto: UpdateOrganizationDto,
  ): Promise<Representation> {
    return this.organizations.update(me, id, dto);
  }
}
