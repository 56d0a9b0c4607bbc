import { Body, Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/caller.js';
import { Me } from '../../access/me.js';
import { Operation } from '../../access/operation.js';
import type { FieldNames, Representation } from '../../platform/database/view.js';
import * as bodies from '../../platform/http/body.pipe.js';
import { Fields } from '../../platform/http/selected-fields.js';
import type { Page } from '../../platform/http/page.js';
import { Query, type RawQuery } from '../../platform/http/raw-query.js';
import { Patch, Post } from '../../platform/http/routes.js';
import { CreateOrganizationDto, UpdateOrganizationDto } from './organization.dto.js';
import { organizationList } from './organization.list.js';
import { organizationView } from './organization.view.js';
import { OrganizationsService } from './organizations.service.js';

const representation = Object.keys(organizationView.fields);
const Id = () => Param('id', bodies.PathId('organization'));

@ApiTags('Organizations')
@Controller('organizations')
export class OrganizationsController {
  constructor(private readonly organizations: OrganizationsService) {}

  @Get()
  @Operation('organizations_list', { summary: 'List organizations', list: organizationList })
  list(@Me() me: Caller, @Query() query: RawQuery): Promise<Page> {
    return this.organizations.list(me, query);
  }

  @Post()
  @Operation('organizations_create', {
    summary: 'Create organization',
    status: 201,
    body: CreateOrganizationDto,
    answer: organizationView,
    refuses: ['tier_limit'],
  })
  create(
    @Me() me: Caller,
    @Body(bodies.Create(CreateOrganizationDto, { representation })) dto: CreateOrganizationDto,
  ): Promise<Representation> {
    return this.organizations.create(me, dto);
  }

  @Get(':id')
  @Operation('organizations_get', {
    summary: 'Get organization',
    path: { id: 'organization' },
    answer: organizationView,
  })
  get(@Me() me: Caller, @Id() id: string, @Fields(organizationView) fields?: FieldNames): Promise<Representation> {
    return this.organizations.get(me, id, fields);
  }

  @Patch(':id')
  @Operation('organizations_update', {
    summary: 'Update organization',
    path: { id: 'organization' },
    body: UpdateOrganizationDto,
    answer: organizationView,
    refuses: ['archived', 'precondition_failed'],
  })
  update(
    @Me() me: Caller,
    @Id() id: string,
    @Body(bodies.Patch(UpdateOrganizationDto, { representation })) dto: UpdateOrganizationDto,
  ): Promise<Representation> {
    return this.organizations.update(me, id, dto);
  }
}
