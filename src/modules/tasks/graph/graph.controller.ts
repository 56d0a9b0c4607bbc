import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../../access/authentication/caller.js';
import { CurrentCaller } from '../../../access/authentication/current-caller.js';
import { Operation } from '../../../access/operations/operation.js';
import * as bodies from '../../../platform/http/bodies/body.pipe.js';
import { QueryParameters, type RawQuery } from '../../../platform/http/requests/query-parameters.js';
import type { RawResponse } from '../../../platform/http/responses/raw-response.js';
import { filterParameters } from '../../../platform/listing/parameters.js';
import { GRAPH_TYPES } from './graph.formats.js';
import { graphList } from './graph.list.js';
import { MAX_GRAPH_EDGES, MAX_NODES, type TaskGraph } from './graph.rules.js';
import { graphSchema } from './graph.schema.js';
import { GraphService } from './graph.service.js';

const SIZE = `The response is 409 \`too_large\` for more than ${MAX_NODES} tasks or ${MAX_GRAPH_EDGES} edges; the filters of \`GET /tasks\` narrow the graph. With \`format\`, the graph is returned as Mermaid, Graphviz or SVG.`;

const documented = {
  query: filterParameters(graphList),
  answer: graphSchema,
  otherTypes: Object.values(GRAPH_TYPES),
  refuses: ['conflict'],
} as const;

@ApiTags('Tasks')
@Controller()
export class GraphController {
  constructor(private readonly graphs: GraphService) {}

  @Get('tasks/:id/dependencies')
  @Operation('tasks_dependencies_get', {
    summary: 'Dependencies of a task',
    description: `Returns the task with all tasks of its endeavour that it depends on, or that depend on it, directly or indirectly. ${SIZE}`,
    path: { id: 'task' },
    ...documented,
  })
  ofTask(
    @CurrentCaller() me: Caller,
    @Param('id', bodies.PathId('task')) id: string,
    @QueryParameters() query: RawQuery,
  ): Promise<TaskGraph | RawResponse> {
    return this.graphs.ofTask(me, id, query);
  }

  @Get('endeavours/:id/dependencies')
  @Operation('endeavours_dependencies_get', {
    summary: 'Dependencies in an endeavour',
    description: `Returns the tasks of the endeavour that have dependencies, parents or parts there, and the edges between them. ${SIZE}`,
    path: { id: 'endeavour' },
    ...documented,
  })
  ofEndeavour(
    @CurrentCaller() me: Caller,
    @Param('id', bodies.PathId('endeavour')) id: string,
    @QueryParameters() query: RawQuery,
  ): Promise<TaskGraph | RawResponse> {
    return this.graphs.ofEndeavour(me, id, query);
  }
}
