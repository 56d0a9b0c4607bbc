import { Body, Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/authentication/caller.js';
import { CurrentCaller } from '../../access/authentication/current-caller.js';
import { Operation } from '../../access/operations/operation.js';
import type { FieldNames, Representation } from '../../platform/database/views/view.js';
import * as bodies from '../../platform/http/bodies/body.pipe.js';
import type { Page } from '../../platform/http/responses/page.js';
import { QueryParameters, type RawQuery } from '../../platform/http/requests/query-parameters.js';
import { DELETED, type Deleted } from '../../platform/http/openapi/schemas.js';
import { Fields } from '../../platform/http/requests/selected-fields.js';
import {
  TransactionalDelete,
  TransactionalPatch,
  TransactionalPost,
} from '../../platform/http/requests/transactional-routes.js';
import { CreateTimeEntryDto, UpdateTimeEntryDto } from './time-entry.dto.js';
import { timeEntryList } from './time-entry.list.js';
import { timeEntryView } from './time-entry.view.js';
import { TimeEntriesService } from './time-entries.service.js';

const representation = Object.keys(timeEntryView.fields);
const Id = () => Param('id', bodies.PathId('time_entry'));

@ApiTags('Time entries')
@Controller('time-entries')
export class TimeEntriesController {
  constructor(private readonly timeEntries: TimeEntriesService) {}

  @Get()
  @Operation('time_entries_list', { summary: 'List time entries', list: timeEntryList })
  list(@CurrentCaller() me: Caller, @QueryParameters() query: RawQuery): Promise<Page> {
    return this.timeEntries.list(me, query);
  }

  @TransactionalPost()
  @Operation('time_entries_create', {
    summary: 'Create time entry',
    description:
      'Adds the time to the actual hours of the task, which are the sum of its entries from then on and cannot be ' +
      'patched. Hours that the task had before become its first entry: the time of its assignee, or else of its owner, ' +
      'on the day on which the work began.',
    status: 201,
    body: CreateTimeEntryDto,
    response: timeEntryView,
    refuses: ['archived', 'conflict'],
  })
  create(
    @CurrentCaller() me: Caller,
    @Body(bodies.CreateBody(CreateTimeEntryDto, { representation })) dto: CreateTimeEntryDto,
  ): Promise<Representation> {
    return this.timeEntries.create(me, dto);
  }

  @Get(':id')
  @Operation('time_entries_get', {
    summary: 'Get time entry',
    path: { id: 'time_entry' },
    resource: timeEntryView,
  })
  get(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Fields(timeEntryView) fields?: FieldNames,
  ): Promise<Representation> {
    return this.timeEntries.get(me, id, fields);
  }

  @TransactionalPatch(':id')
  @Operation('time_entries_update', {
    summary: 'Update time entry',
    description: 'JSON merge patch, while the task is planned or active.',
    path: { id: 'time_entry' },
    body: UpdateTimeEntryDto,
    response: timeEntryView,
    refuses: ['archived', 'conflict', 'precondition_failed'],
  })
  update(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Body(bodies.PatchBody(UpdateTimeEntryDto, { representation })) dto: UpdateTimeEntryDto,
  ): Promise<Representation> {
    return this.timeEntries.update(me, id, dto);
  }

  @TransactionalDelete(':id')
  @Operation('time_entries_delete', {
    summary: 'Delete time entry',
    description:
      'Takes the time from the actual hours of the task, while it is planned or active. Without entries, the hours ' +
      'are unknown, and can be patched again.',
    path: { id: 'time_entry' },
    response: DELETED,
    refuses: ['archived', 'conflict', 'precondition_failed'],
  })
  async remove(@CurrentCaller() me: Caller, @Id() id: string): Promise<Deleted> {
    await this.timeEntries.remove(me, id);
    return { id, deleted: true };
  }
}
