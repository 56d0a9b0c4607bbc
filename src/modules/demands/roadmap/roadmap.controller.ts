import { Controller, Get, Headers, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../../access/authentication/caller.js';
import { CurrentCaller } from '../../../access/authentication/current-caller.js';
import { Operation } from '../../../access/operations/operation.js';
import * as bodies from '../../../platform/http/bodies/body.pipe.js';
import { SVG_TYPE } from '../../../platform/http/responses/picture-response.js';
import { QueryParameters, type RawQuery } from '../../../platform/http/requests/query-parameters.js';
import type { RawResponse } from '../../../platform/http/responses/raw-response.js';
import { MOST_DEMANDS, MOST_ITERATIONS, type Roadmap } from './roadmap.rules.js';
import { roadmapSchema } from './roadmap.schema.js';
import { ROADMAP_PARAMETERS, RoadmapService } from './roadmap.service.js';

@ApiTags('Endeavours')
@Controller('endeavours')
export class RoadmapController {
  constructor(private readonly service: RoadmapService) {}

  @Get(':id/roadmap')
  @Operation('endeavours_roadmap_get', {
    summary: 'Roadmap of an endeavour',
    description:
      'Returns the goals of the endeavour with the work that serves them, its iterations, and its demands with a ' +
      `start_date or due_date, each in the order of their days: at most ${MOST_ITERATIONS} ` +
      `iterations and ${MOST_DEMANDS} demands; \`omitted\` counts the others, and \`from\` and \`to\` narrow the period. ` +
      'With `Accept: image/svg+xml` or `format=svg`, the response is a picture.',
    path: { id: 'endeavour' },
    query: ROADMAP_PARAMETERS,
    response: roadmapSchema,
    otherTypes: [SVG_TYPE],
  })
  roadmap(
    @CurrentCaller() me: Caller,
    @Param('id', bodies.PathId('endeavour')) id: string,
    @QueryParameters() query: RawQuery,
    @Headers('accept') accept?: string,
  ): Promise<Roadmap | RawResponse> {
    return this.service.get(me, id, query, accept);
  }
}
