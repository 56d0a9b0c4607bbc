import { Body, Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/caller.js';
import { Me } from '../../access/me.js';
import { Operation } from '../../access/operation.js';
import { ArchiveDto } from '../../platform/contents/archive.dto.js';
import type { Representation } from '../../platform/database/view.js';
import * as bodies from '../../platform/http/body.pipe.js';
import { exactly, extendedSchema } from '../../platform/http/schemas.js';
import { Post } from '../../platform/http/routes.js';
import { OrganizationArchiveService, type OrganizationImpact } from './organization-archive.service.js';
import { organizationView } from './organization.view.js';

const Id = () => Param('id', bodies.PathId('organization'));
const path = { id: 'organization' } as const;
const count = { type: 'integer' };

const organizationImpact = exactly({
  organization_id: { type: 'string' },
  endeavours_to_archive: count,
  endeavours_to_unlink: count,
  total_tasks_to_cancel: count,
  total_planned_tasks: count,
  total_active_tasks: count,
});

const archivedOrganization = extendedSchema('ArchivedOrganization', organizationView, {
  endeavours_archived: count,
  endeavours_unlinked: count,
  tasks_canceled: count,
});

@ApiTags('Organizations')
@Controller('organizations/:id')
export class OrganizationArchiveController {
  constructor(private readonly archives: OrganizationArchiveService) {}

  @Get('archive')
  @Operation('organizations_archive_preview', {
    summary: 'Preview archive impact',
    description: 'Endeavours of this organization alone would be archived, shared ones unlinked. Nothing is changed.',
    path,
    answer: organizationImpact,
  })
  preview(@Me() me: Caller, @Id() id: string): Promise<OrganizationImpact> {
    return this.archives.preview(me, id);
  }

  @Post('archive')
  @Operation('organizations_archive', {
    summary: 'Archive organization',
    description:
      'Archives the endeavours of this organization alone, with all open work in them canceled, and unlinks shared ones. ' +
      'What is archived can be read and exported, but not changed.',
    path,
    body: ArchiveDto,
    answer: archivedOrganization,
    refuses: ['archived', 'precondition_failed'],
  })
  archive(
    @Me() me: Caller,
    @Id() id: string,
    @Body(bodies.Create(ArchiveDto)) dto: ArchiveDto,
  ): Promise<Representation> {
    return this.archives.archive(me, id, dto);
  }

  @Post('unarchive')
  @Operation('organizations_unarchive', {
    summary: 'Restore archived organization',
    description: 'Not the endeavours that were archived with it, nor what was canceled in them.',
    path,
    answer: organizationView,
    refuses: ['conflict', 'precondition_failed', 'tier_limit'],
  })
  unarchive(@Me() me: Caller, @Id() id: string): Promise<Representation> {
    return this.archives.unarchive(me, id);
  }
}
