import { Controller, Get, Headers } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/authentication/caller.js';
import { CurrentCaller } from '../../access/authentication/current-caller.js';
import { Operation } from '../../access/operations/operation.js';
import { CSV_TYPE } from '../../platform/http/responses/csv.js';
import { JSON_TYPE } from '../../platform/http/responses/envelope.js';
import { prefersType } from '../../platform/http/requests/negotiation.js';
import type { FeedSlice } from '../../platform/http/responses/page.js';
import { QueryParameters, type RawQuery } from '../../platform/http/requests/query-parameters.js';
import { RawResponse } from '../../platform/http/responses/raw-response.js';
import { WORK_PARAMETERS, WorkService, workSchema } from './work.service.js';

const CSV_HEADERS = {
  'content-type': `${CSV_TYPE}; charset=utf-8; header=present`,
  'content-disposition': 'attachment; filename="work.csv"',
};

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
      'items that are visible to you and that you can act on now. Also as `text/csv`, without `has_more`.',
    query: WORK_PARAMETERS,
    document: workSchema(),
    otherTypes: [CSV_TYPE],
    tagged: true,
  })
  async list(
    @CurrentCaller() me: Caller,
    @QueryParameters() query: RawQuery,
    @Headers('accept') accept?: string,
  ): Promise<FeedSlice | RawResponse> {
    const work = await this.work.list(me, query);
    return prefersType(accept, CSV_TYPE, JSON_TYPE) ? new RawResponse(this.work.asCsv(work, query), CSV_HEADERS) : work;
  }
}
