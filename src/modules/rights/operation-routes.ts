import { Injectable, type Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { OPERATION } from '../../access/operation.js';
import type { OperationId } from '../../access/permissions.js';
import { onlyReads } from '../../access/scopes.js';
import { declaredRoutes, type DeclaredRoute } from '../../platform/http/declared-routes.js';
import { OwnTransactions, Streams } from '../../platform/http/route-metadata.js';
import { STATUS } from '../../platform/http/status.js';
import { bodyOf, exampleParameters } from './example-body.js';

/** The route of an operation. */
export interface OperationRoute extends Pick<DeclaredRoute, 'method' | 'path'> {
  /**
   * Whether a call can be executed and rolled back: it writes in a single transaction and does not stream its response.
   */
  supportsDryRun: boolean;
  /** Whether archived containers reject the operation. */
  refusesArchived: boolean;
  /** The class of the request body, if there is one. */
  body: Type | undefined;
  /** Example values of the required query parameters. */
  parameters: Record<string, string>;
}

/** Finds the route of each operation, as the controllers declare it. */
@Injectable()
export class OperationRoutes {
  private routes: Map<OperationId, OperationRoute> | undefined;

  constructor(private readonly modules: ModulesContainer) {}

  /** The route; undefined if the operation does not exist. */
  of(operation: string): OperationRoute | undefined {
    this.routes ??= new Map(this.declared());
    return this.routes.get(operation as OperationId);
  }

  private *declared(): Generator<[OperationId, OperationRoute]> {
    for (const { method, path, handler } of declaredRoutes(this.modules)) {
      const operation = Reflect.getMetadata(OPERATION, handler) as OperationId | undefined;
      if (operation === undefined) continue;
      const hasOwnTransactions = Reflect.hasMetadata(OwnTransactions.KEY, handler);
      const isStream = Reflect.hasMetadata(Streams.KEY, handler);
      const canRollBack = !hasOwnTransactions || onlyReads(operation);
      yield [operation, { method, path, supportsDryRun: canRollBack && !isStream, ...aboutOf(handler) }];
    }
  }
}

const RESPONSES = 'swagger/apiResponse';

function aboutOf(handler: Function): Pick<OperationRoute, 'refusesArchived' | 'body' | 'parameters'> {
  const responses = (Reflect.getMetadata(RESPONSES, handler) ?? {}) as Record<string, { description?: string }>;
  const conflicts = responses[STATUS.archived]?.description?.split(', ') ?? [];
  return {
    refusesArchived: conflicts.includes('archived'),
    body: bodyOf(handler),
    parameters: exampleParameters(handler),
  };
}
