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
      'Returns your working list in one short answer: what holds up others comes first (tasks that wait for your ' +
      'verdict, moves that wait for your vote, ritual runs to claim, unread questions), then what is assigned to you ' +
      'or your teams and can go on, each by due date. Only what you can see and do now is listed.',
    query: WORK_PARAMETERS,
    document: workSchema(),
    tagged: true,
  })
  list(@CurrentCaller() me: Caller, @QueryParameters() query: RawQuery): Promise<FeedSlice> {
    return this.work.list(me, query);
  }
}
