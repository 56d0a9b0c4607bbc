import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/caller.js';
import { CurrentCaller } from '../../access/current-caller.js';
import { Operation } from '../../access/operation.js';
import type { FeedSlice } from '../../platform/http/page.js';
import { QueryParameters, type RawQuery } from '../../platform/http/query-parameters.js';
import { ActivityService } from './activity.service.js';
import { ActivitySummary, SUMMARY_PARAMETERS, type ActivityCountRow } from './activity-summary.js';
import { activityCountsSchema, activitySchema } from './event.schema.js';
import { ACTIVITY_PARAMETERS } from './feed-query.js';

@ApiTags('Changes')
@Controller('activity')
export class ActivityController {
  constructor(
    private readonly activity: ActivityService,
    private readonly summary: ActivitySummary,
  ) {}

  @Get()
  @Operation('activity_list', {
    summary: 'List activity',
    description: 'Returns the events that you can see as sentences, newest first.',
    query: ACTIVITY_PARAMETERS,
    document: activitySchema(),
    tagged: true,
  })
  list(@CurrentCaller() me: Caller, @QueryParameters() query: RawQuery): Promise<FeedSlice> {
    return this.activity.page(me, query);
  }

  @Get('summary')
  @Operation('activity_summary', {
    summary: 'Summarize activity',
    description: 'Returns the number of events of each type per day that you can see.',
    query: SUMMARY_PARAMETERS,
    answer: activityCountsSchema(),
  })
  counts(@CurrentCaller() me: Caller, @QueryParameters() query: RawQuery): Promise<ActivityCountRow[]> {
    return this.summary.read(me, query);
  }
}
