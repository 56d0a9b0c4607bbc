import { Injectable } from '@nestjs/common';
import { Access } from '../../../access/access.js';
import type { Caller } from '../../../access/caller.js';
import { conflict } from '../../../common/errors.js';
import type { RawQuery } from '../../../platform/http/query-parameters.js';
import type { RawResponse } from '../../../platform/http/raw-response.js';
import { Listing } from '../../../platform/listing/listing.js';
import type { ListRequest } from '../../../platform/listing/definition.js';
import { asPicture, type GraphFormat } from './graph.formats.js';
import { graphList } from './graph.list.js';
import { GraphRepository, MOST_EDGES, MOST_NODES, type GraphRows } from './graph.repository.js';
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
    return this.graph(request, await this.repository.readAll(me, id, request));
  }

  /** The task with all that it waits for and all that waits for it, directly or not. */
  async ofTask(me: Caller, id: string, query: RawQuery): Promise<Graph | RawResponse> {
    const request = this.listing.read(graphList, query);
    const { place } = await this.access.authorizeWithoutLock(me, 'tasks_dependencies', id);
    return this.graph(
      request,
      await this.repository.readAround(me, { id, endeavourId: place.endeavourId ?? '' }, request),
    );
  }

  private graph(request: ListRequest, { tasks, edges }: GraphRows): Graph | RawResponse {
    if (tasks.length > MOST_NODES || edges.length > MOST_EDGES) {
      const message = `The graph has more than ${MOST_NODES} tasks or ${MOST_EDGES} edges; narrow it with the filters of the list of tasks.`;
      throw conflict('too_large', message);
    }
    const graph = graphOf(tasks, edges);
    const format = (request.filters.get('format') ?? 'json') as GraphFormat;
    return format === 'json' ? graph : asPicture(graph, format);
  }
}
