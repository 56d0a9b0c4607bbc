import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { isId } from '../../common/ids.js';
import type { Kind } from '../../common/kinds.js';
import { applySavedQuery } from '../../platform/http/requests/query-parameters.js';
import type { Caller } from '../authentication/caller.js';
import { OperationRegistry } from './operation-registry.js';
import { SavedQueries } from './saved-queries.js';

/** Looks up the saved query that `view` names in the request of a list. Other requests cost nothing. */
@Injectable()
export class SavedQueryGuard implements CanActivate {
  constructor(
    private readonly operations: OperationRegistry,
    private readonly queries: SavedQueries,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest & { caller?: Caller }>();
    const { view } = request.query as Record<string, unknown>;
    if (request.caller === undefined || typeof view !== 'string' || !isId('view', view)) return true;
    const list = this.operations.of(context.getHandler())?.declaration.list;
    return list?.takesSavedQueries !== true || this.apply(request, request.caller, view, list.view.kind);
  }

  private async apply(request: FastifyRequest, me: Caller, id: string, kind: Kind): Promise<boolean> {
    const { view: _view, ...query } = request.query as Record<string, unknown>;
    const { fields, ...saved } = await this.queries.find(me, id, kind);
    // The media type of the response also follows from the query.
    request.query = query.fields === undefined && fields !== undefined ? { ...query, fields } : query;
    applySavedQuery(request, saved);
    return true;
  }
}
