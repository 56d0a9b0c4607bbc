import { Injectable } from '@nestjs/common';
import { Access } from '../../../access/access.js';
import type { Caller } from '../../../access/caller.js';
import { conflict } from '../../../common/errors.js';
import type { RawQuery } from '../../../platform/http/query-parameters.js';
import type { RawResponse } from '../../../platform/http/raw-response.js';
import { Listing } from '../../../platform/listing/listing.js';
import type { ListRequest } from '../../../platform/listing/definition.js';
import { conditionOf, ListStatement } from '../../../platform/listing/page-statement.js';
import { asPicture, type GraphFormat } from './graph.formats.js';
import { graphList } from './graph.list.js';
import { GraphRepository, MOST_EDGES, MOST_NODES } from './graph.repository.js';
import { graphOf, type Graph } from './graph.rules.js';

/** Shows which tasks wait for which, as data or as a picture. */
@Injectable()
export class GraphService {
  constructor(
    private readonly access: Access,
    private readonly listing: Listing,
    private readonly repository: GraphRepository,
  ) {}

  /** The tasks of the endeavour that have edges to each other. */
  async ofEndeavour(me: Caller, id: string, query: RawQuery): Promise<Graph | RawResponse> {
    const request = this.listing.read(graphList, query);
    await this.access.authorizeWithoutLock(me, 'endeavours_dependencies', id);
    return this.graph(me, request, { endeavourId: id });
  }

  /** The task with all that it waits for and all that waits for it, directly or not. */
  async ofTask(me: Caller, id: string, query: RawQuery): Promise<Graph | RawResponse> {
    const request = this.listing.read(graphList, query);
    const { place } = await this.access.authorizeWithoutLock(me, 'tasks_dependencies', id);
    return this.graph(me, request, { endeavourId: place.endeavourId ?? '', taskId: id });
  }

  private async graph(
    me: Caller,
    request: ListRequest,
    { endeavourId, taskId }: { endeavourId: string; taskId?: string },
  ): Promise<Graph | RawResponse> {
    const p = new ListStatement(me);
    const condition = conditionOf(graphList, request, me, p);
    const wanted = { endeavourId, condition };
    const read =
      taskId === undefined ? this.repository.readAll(wanted, p) : this.repository.readAround(taskId, wanted, p);
    const { tasks, edges } = await read;
    if (tasks.length > MOST_NODES || edges.length > MOST_EDGES) {
      const message = `The graph has more than ${MOST_NODES} tasks or ${MOST_EDGES} edges; narrow it with the filters of the list of tasks.`;
      throw conflict('too_large', message);
    }
    const graph = graphOf(tasks, edges);
    const format = (request.filters.get('format') ?? 'json') as GraphFormat;
    return format === 'json' ? graph : asPicture(graph, format);
  }
}
