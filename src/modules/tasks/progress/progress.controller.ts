import { Controller, Get, Headers, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../../access/authentication/caller.js';
import { CurrentCaller } from '../../../access/authentication/current-caller.js';
import { Operation } from '../../../access/operations/operation.js';
import * as bodies from '../../../platform/http/bodies/body.pipe.js';
import { prefersType } from '../../../platform/http/requests/negotiation.js';
import { SVG_TYPE } from '../../../platform/http/responses/picture-response.js';
import { QueryParameters, type RawQuery } from '../../../platform/http/requests/query-parameters.js';
import type { RawResponse } from '../../../platform/http/responses/raw-response.js';
import type { Progress } from './progress.rules.js';
import { progressSchema } from './progress.schema.js';
import { PROGRESS_PARAMETERS, ProgressService } from './progress.service.js';

@ApiTags('Endeavours')
@Controller('endeavours')
export class ProgressController {
  constructor(private readonly service: ProgressService) {}

  @Get(':id/progress')
  @Operation('endeavours_progress_get', {
    summary: 'Progress of an endeavour',
    description:
      'Returns how many tasks were in each status at the end of each day or week, what happened meanwhile, cycle times, ' +
      'the age of open tasks, and a forecast. It is computed from the status history of the tasks that are in the ' +
      'endeavour now, imported history included; a task that was moved brings its history along. A period can ' +
      'have at most 366 days, or 1,830 in weeks. With `Accept: image/svg+xml`, the response is the cumulative flow as a ' +
      'picture.',
    path: { id: 'endeavour' },
    query: PROGRESS_PARAMETERS,
    response: progressSchema,
    otherTypes: [SVG_TYPE],
    readsStandby: true,
  })
  progress(
    @CurrentCaller() me: Caller,
    @Param('id', bodies.PathId('endeavour')) id: string,
    @QueryParameters() query: RawQuery,
    @Headers('accept') accept?: string,
  ): Promise<Progress | RawResponse> {
    const isPicture = prefersType(accept, SVG_TYPE, 'application/json');
    return isPicture ? this.service.picture(me, id, query) : this.service.progress(me, id, query);
  }
}
