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
import { EndeavourArchiveService, type EndeavourImpact } from './endeavour-archive.service.js';
import { endeavourView } from '../endeavour.view.js';

const Id = () => Param('id', bodies.PathId('endeavour'));
const path = { id: 'endeavour' } as const;
const count = { type: 'integer' };

const endeavourImpact = exactly({
  endeavour_id: { type: 'string' },
  planned_tasks: count,
  active_tasks: count,
  done_tasks: count,
  canceled_tasks: count,
  tasks_to_cancel: count,
  demands_to_cancel: count,
  rituals_to_disable: count,
});

const archivedEndeavour = extendedSchema('ArchivedEndeavour', endeavourView, {
  tasks_canceled: count,
  demands_canceled: count,
  rituals_disabled: count,
});

const restoredEndeavour = extendedSchema('RestoredEndeavour', endeavourView, {
  tasks_restored: count,
  demands_restored: count,
  rituals_restored: count,
});

@ApiTags('Endeavours')
@Controller('endeavours/:id')
export class EndeavourArchiveController {
  constructor(private readonly archives: EndeavourArchiveService) {}

  @Get('archive')
  @Operation('endeavours_archive_get', {
    summary: 'Preview archive impact',
    description: 'Returns what archiving would change, without changing anything.',
    path,
    response: endeavourImpact,
  })
  preview(@CurrentCaller() me: Caller, @Id() id: string): Promise<EndeavourImpact> {
    return this.archives.preview(me, id);
  }

  @TransactionalPost('archive')
  @LongRunning()
  @Operation('endeavours_archive', {
    summary: 'Archive endeavour',
    description:
      'Archives the endeavour, cancels all of its open tasks and demands, and disables its rituals. An archived ' +
      'endeavour can be read and exported, but not changed.',
    path,
    body: ArchiveDto,
    response: archivedEndeavour,
    refuses: ['archived', 'precondition_failed'],
  })
  archive(@CurrentCaller() me: Caller, @Id() id: string, @Body(bodies.CreateBody(ArchiveDto)) dto: ArchiveDto) {
    return this.archives.archive(me, id, dto);
  }

  @TransactionalPost('unarchive')
  @LongRunning()
  @Operation('endeavours_unarchive', {
    summary: 'Restore archived endeavour',
    description:
      'Also restores all tasks, demands and rituals that archiving canceled or disabled; links that archiving ' +
      'removed stay removed. With restore_work=false, only the endeavour itself is restored. If the endeavour ' +
      'has no active owner, an administrator who restores it becomes the owner.',
    path,
    body: UnarchiveDto,
    bodyOptional: true,
    response: restoredEndeavour,
    refuses: ['archived', 'conflict', 'precondition_failed', 'tier_limit'],
  })
  unarchive(@CurrentCaller() me: Caller, @Id() id: string, @Body(bodies.CreateBody(UnarchiveDto)) dto: UnarchiveDto) {
    return this.archives.unarchive(me, id, dto);
  }
}
