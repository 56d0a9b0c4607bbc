import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/caller.js';
import { CurrentCaller } from '../../access/current-caller.js';
import { Operation } from '../../access/operation.js';
import type { FeedSlice } from '../../platform/http/page.js';
import { QueryParameters, type RawQuery } from '../../platform/http/query-parameters.js';
import { WORK_PARAMETERS, WorkService, workSchema } from './work.service.js';

@ApiTags('Work')
@Controller('work')
export class WorkController {
  constructor(private readonly work: WorkService) {}

  @Get()
  @Operation('work_list', {
    summary: 'List what you have to do',
    description:
      'Returns your working list. Items that block other people come first: tasks that wait for your verdict, status ' +
      'changes that wait for your vote, ritual runs to claim, and unread questions. Then follow the tasks that are ' +
      'assigned to you or your teams and are not blocked. Each group is sorted by due date. The list contains only ' +
      'items that are visible to you and that you can act on now.',
    query: WORK_PARAMETERS,
    document: workSchema(),
    tagged: true,
  })
  list(@CurrentCaller() me: Caller, @QueryParameters() query: RawQuery): Promise<FeedSlice> {
    return this.work.list(me, query);
  }
}
