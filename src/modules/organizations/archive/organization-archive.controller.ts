import { Body, Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../../access/authentication/caller.js';
import { CurrentCaller } from '../../../access/authentication/current-caller.js';
import { Operation } from '../../../access/operations/operation.js';
import { ArchiveDto, UnarchiveDto } from '../../../platform/containment/archive.dto.js';
import * as bodies from '../../../platform/http/bodies/body.pipe.js';
import { exactly, extendedSchema } from '../../../platform/http/openapi/schemas.js';
import { TransactionalPost } from '../../../platform/http/requests/transactional-routes.js';
import { LongRunning } from '../../operations/long-running.js';
import { OrganizationArchiveService, type OrganizationImpact } from './organization-archive.service.js';
import { organizationView } from '../organization.view.js';

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

const restoredOrganization = extendedSchema('RestoredOrganization', organizationView, {
  endeavours_restored: count,
  tasks_restored: count,
  demands_restored: count,
  rituals_restored: count,
});

@ApiTags('Organizations')
@Controller('organizations/:id')
export class OrganizationArchiveController {
  constructor(private readonly archives: OrganizationArchiveService) {}

  @Get('archive')
  @Operation('organizations_archive_get', {
    summary: 'Preview archive impact',
    description:
      'Returns what archiving would change, without changing anything: endeavours whose home is this ' +
      'organization would be archived, and shared endeavours unlinked.',
    path,
    response: organizationImpact,
  })
  preview(@CurrentCaller() me: Caller, @Id() id: string): Promise<OrganizationImpact> {
    return this.archives.preview(me, id);
  }

  @TransactionalPost('archive')
  @LongRunning()
  @Operation('organizations_archive', {
    summary: 'Archive organization',
    description:
      'Archives the endeavours whose home is this organization, cancels all open work in them, and unlinks ' +
      'shared endeavours. An archived organization can be read and exported, but not changed.',
    path,
    body: ArchiveDto,
    response: archivedOrganization,
    refuses: ['archived', 'precondition_failed'],
  })
  archive(@CurrentCaller() me: Caller, @Id() id: string, @Body(bodies.CreateBody(ArchiveDto)) dto: ArchiveDto) {
    return this.archives.archive(me, id, dto);
  }

  @TransactionalPost('unarchive')
  @LongRunning()
  @Operation('organizations_unarchive', {
    summary: 'Restore archived organization',
    description:
      'Also restores the endeavours that were archived with the organization and everything that archiving ' +
      'canceled or disabled in them; links that archiving removed stay removed. With restore_work=false, only ' +
      'the organization itself is restored. If the organization has no active owner, an administrator who ' +
      'restores it becomes the owner.',
    path,
    body: UnarchiveDto,
    bodyOptional: true,
    response: restoredOrganization,
    refuses: ['conflict', 'in_progress', 'precondition_failed', 'tier_limit'],
  })
  unarchive(@CurrentCaller() me: Caller, @Id() id: string, @Body(bodies.CreateBody(UnarchiveDto)) dto: UnarchiveDto) {
    return this.archives.unarchive(me, id, dto);
  }
}
