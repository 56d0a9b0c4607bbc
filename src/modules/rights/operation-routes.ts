import { Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { OPERATION } from '../../access/operation.js';
import type { OperationId } from '../../access/permissions.js';
import { scopeOf } from '../../access/scopes.js';
import { declaredRoutes, type DeclaredRoute } from '../../platform/http/declared-routes.js';
import { OwnTransactions, Streams } from '../../platform/http/route-metadata.js';

/** The route of an operation. */
export interface OperationRoute extends Pick<DeclaredRoute, 'method' | 'path'> {
  /**
   * Whether a call can be executed and rolled back: it writes in a single transaction and does not stream its response.
   */
  supportsDryRun: boolean;
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
      const canRollBack = !hasOwnTransactions || scopeOf(operation)?.endsWith(':read') === true;
      yield [operation, { method, path, supportsDryRun: canRollBack && !isStream }];
    }
  }
}
