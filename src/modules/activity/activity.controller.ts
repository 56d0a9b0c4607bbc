import { Controller, Get, Headers } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/authentication/caller.js';
import { CurrentCaller } from '../../access/authentication/current-caller.js';
import { Operation } from '../../access/operations/operation.js';
import { csvHeader, csvLines, CSV_TYPE } from '../../platform/http/responses/csv.js';
import { prefersType } from '../../platform/http/requests/negotiation.js';
import { RawResponse } from '../../platform/http/responses/raw-response.js';
import type { FeedSlice } from '../../platform/http/responses/page.js';
import type { StreamedList } from '../../platform/http/responses/streamed-list.js';
import { QueryParameters, type RawQuery } from '../../platform/http/requests/query-parameters.js';
import { ActivityExport } from './activity-export.js';
import { ActivityService } from './activity.service.js';
import type { ActivityCountRow } from './activity-counts.repository.js';
import { ActivitySummary, SUMMARY_PARAMETERS } from './activity-summary.js';
import { activityCountsSchema, activitySchema } from './event.schema.js';
import { ACTIVITY_PARAMETERS } from './activity-query.js';

const COUNT_COLUMNS = ['at', 'type', 'count'] as const satisfies readonly (keyof ActivityCountRow)[];

const SUMMARY_HEADERS = {
  'content-type': `${CSV_TYPE}; charset=utf-8; header=present`,
  'content-disposition': 'attachment; filename="activity-summary.csv"',
};

const wantsCsv = (accept?: string): boolean => prefersType(accept, CSV_TYPE, 'application/json');

@ApiTags('Changes')
@Controller('activity')
export class ActivityController {
  constructor(
    private readonly activity: ActivityService,
    private readonly exported: ActivityExport,
    private readonly summary: ActivitySummary,
  ) {}

  @Get()
  @Operation('activity_list', {
    summary: 'List activity',
    description:
      'Returns the events that you can see as sentences, newest first. With `Accept: text/csv`, returns all of them ' +
      'without pages, streamed within 60 seconds; each user can run one export at a time.',
    query: ACTIVITY_PARAMETERS,
    document: activitySchema(),
    otherTypes: [CSV_TYPE],
    tagged: true,
    readsStandby: true,
  })
  async list(
    @CurrentCaller() me: Caller,
    @QueryParameters() query: RawQuery,
    @Headers('accept') accept?: string,
  ): Promise<FeedSlice | StreamedList> {
    return wantsCsv(accept) ? this.exported.stream(me, query) : this.activity.page(me, query);
  }

  @Get('summary')
  @Operation('activity_summary_list', {
    summary: 'Summarize activity',
    description: 'Returns the number of events of each type per day that you can see, also as `text/csv`.',
    query: SUMMARY_PARAMETERS,
    response: activityCountsSchema(),
    otherTypes: [CSV_TYPE],
  })
  async counts(
    @CurrentCaller() me: Caller,
    @QueryParameters() query: RawQuery,
    @Headers('accept') accept?: string,
  ): Promise<ActivityCountRow[] | RawResponse> {
    const rows = await this.summary.read(me, query);
    if (!wantsCsv(accept)) return rows;
    return new RawResponse(csvHeader(COUNT_COLUMNS) + csvLines(COUNT_COLUMNS, rows), SUMMARY_HEADERS);
  }
}
