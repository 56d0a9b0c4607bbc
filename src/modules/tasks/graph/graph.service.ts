import { Injectable } from '@nestjs/common';
import { Access } from '../../../access/access.js';
import type { Caller } from '../../../access/authentication/caller.js';
import { conflict } from '../../../common/errors.js';
import { Turns } from '../../../common/turns.js';
import type { RawQuery } from '../../../platform/http/requests/query-parameters.js';
import type { RawResponse } from '../../../platform/http/responses/raw-response.js';
import { Listing } from '../../../platform/listing/listing.js';
import type { ListRequest } from '../../../platform/listing/definition.js';
import { excerptAround, graphExcerptOf, type GraphExcerpt } from './graph.excerpt.js';
import { asPicture, type GraphFormat } from './graph.formats.js';
import { graphList } from './graph.list.js';
import { GraphRepository, type GraphRows } from './graph.repository.js';
import { taskGraphOf, MAX_GRAPH_EDGES, MAX_NODES, type TaskGraph } from './graph.rules.js';

const QUERY_OF_ALL: RawQuery = { query: {}, lenient: false };
const QUERY_OF_OPEN: RawQuery = { query: { status: 'planned,active' }, lenient: false };

/** Reads dependency graphs of tasks and renders them. */
@Injectable()
export class GraphService {
  constructor(
    private readonly access: Access,
    private readonly listing: Listing,
    private readonly repository: GraphRepository,
  ) {}

  /** The tasks of the endeavour that have edges to each other. */
  async ofEndeavour(me: Caller, id: string, query: RawQuery): Promise<TaskGraph | RawResponse> {
    const request = this.read(query);
    await this.access.authorizeWithoutLock(me, 'endeavours_dependencies_get', id);
    return this.graph(request, await this.repository.readAll(me, id, request));
  }

  /** The task with its direct and indirect dependencies and dependents. */
  async ofTask(me: Caller, id: string, query: RawQuery): Promise<TaskGraph | RawResponse> {
    const request = this.read(query);
    const { place } = await this.access.authorizeWithoutLock(me, 'tasks_dependencies_get', id);
    return this.graph(
      request,
      await this.repository.readAround(me, { id, endeavourId: place.endeavourId ?? '' }, request),
    );
  }

  /** The excerpt of the endeavour's graph for a report page; null if too many tasks are open. */
  async excerptOfEndeavour(me: Caller, id: string): Promise<GraphExcerpt | null> {
    await this.access.authorizeWithoutLock(me, 'endeavours_dependencies_get', id);
    const open = await this.repository.readAll(me, id, this.read(QUERY_OF_OPEN));
    if (isTooLarge(open)) return null;
    const excerpt = await graphExcerptOf(open.tasks, open.edges);
    // Finished tasks are only read if open ones leave room, because reading them is the larger part of the work.
    if (excerpt.graph.nodes.length < excerpt.total) return excerpt;
    const whole = await this.repository.readAll(me, id, this.read(QUERY_OF_ALL));
    return isTooLarge(whole) ? excerpt : graphExcerptOf(whole.tasks, whole.edges);
  }

  /** The excerpt of the graph of a task. */
  async excerptOfTask(me: Caller, id: string): Promise<GraphExcerpt | null> {
    const { place } = await this.access.authorizeWithoutLock(me, 'tasks_dependencies_get', id);
    const around = { id, endeavourId: place.endeavourId ?? '' };
    const rows = await this.repository.readAround(me, around, this.read(QUERY_OF_ALL));
    return isTooLarge(rows) ? null : excerptAround(id, rows.tasks, rows.edges);
  }

  /** Archived endeavours have graphs as well, because they can be read. */
  private read(query: RawQuery): ListRequest {
    return { ...this.listing.read(graphList, query), archived: 'any' };
  }

  /** Reading, layout and rendering of a large graph take milliseconds each, so that other requests have turns between. */
  private async graph(request: ListRequest, { tasks, edges }: GraphRows): Promise<TaskGraph | RawResponse> {
    if (isTooLarge({ tasks, edges })) {
      const message = `The graph has more than ${MAX_NODES} tasks or ${MAX_GRAPH_EDGES} edges; narrow it with the filters of the list of tasks.`;
      throw conflict('too_large', message);
    }
    const turns = new Turns();
    await turns.next();
    const graph = await taskGraphOf(tasks, edges, turns);
    await turns.next();
    const format = (request.filters.get('format') ?? 'json') as GraphFormat;
    return format === 'json' ? graph : asPicture(graph, format);
  }
}

const isTooLarge = ({ tasks, edges }: GraphRows): boolean => tasks.length > MAX_NODES || edges.length > MAX_GRAPH_EDGES;
