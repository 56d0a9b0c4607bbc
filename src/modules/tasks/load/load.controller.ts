import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../../access/authentication/caller.js';
import { CurrentCaller } from '../../../access/authentication/current-caller.js';
import { Operation } from '../../../access/operations/operation.js';
import * as bodies from '../../../platform/http/bodies/body.pipe.js';
import { QueryParameters, type RawQuery } from '../../../platform/http/requests/query-parameters.js';
import type { EndeavourLoad, ResourceLoad } from './load.rules.js';
import { endeavourLoadSchema, resourceLoadSchema } from './load.schema.js';
import { LOAD_PARAMETERS, LoadService } from './load.service.js';

const WEEKS =
  'A task counts in the week of its due date, with its whole estimate; overdue ones count in the current week. A period ' +
  'can have at most 366 days.';

@ApiTags('Resources')
@Controller('resources')
export class ResourceLoadController {
  constructor(private readonly loads: LoadService) {}

  @Get(':id/load')
  @Operation('resources_load_get', {
    summary: 'Load of a resource',
    description: `Returns the estimates of the planned and active tasks that are assigned to the resource and that you can see, by week, with its capacity. Tasks of its teams are not included. ${WEEKS}`,
    path: { id: 'resource' },
    query: LOAD_PARAMETERS,
    response: resourceLoadSchema,
  })
  ofResource(
    @CurrentCaller() me: Caller,
    @Param('id', bodies.PathId('resource')) id: string,
    @QueryParameters() query: RawQuery,
  ): Promise<ResourceLoad> {
    return this.loads.ofResource(me, id, query);
  }
}

@ApiTags('Endeavours')
@Controller('endeavours')
export class EndeavourLoadController {
  constructor(private readonly loads: LoadService) {}

  @Get(':id/load')
  @Operation('endeavours_load_get', {
    summary: 'Load in an endeavour',
    description: `Returns the estimates of the planned and active tasks of the endeavour by assignee and week, with the capacities. ${WEEKS}`,
    path: { id: 'endeavour' },
    query: LOAD_PARAMETERS,
    response: endeavourLoadSchema,
  })
  ofEndeavour(
    @CurrentCaller() me: Caller,
    @Param('id', bodies.PathId('endeavour')) id: string,
    @QueryParameters() query: RawQuery,
  ): Promise<EndeavourLoad> {
    return this.loads.ofEndeavour(me, id, query);
  }
}
