import { Injectable, RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { ModulesContainer } from '@nestjs/core';
import { OPERATION } from '../../access/operation.js';
import type { OperationId } from '../../access/permissions.js';
import { scopeOf } from '../../access/scopes.js';
import { OwnTransactions, Streams } from '../../platform/http/route-metadata.js';
import type { Rehearsed } from '../../platform/http/rehearsal.js';

/** Where an operation is called. */
export interface OperationRoute {
  method: Rehearsed['method'];
  /** `/api/v1/organizations/:id/members/:user_id` */
  path: string;
  /** Whether a call can be executed and rolled back: it writes in one transaction, and its answer is not a stream. */
  isRehearsable: boolean;
}

/** Finds the route of each operation, as the controllers declare it. */
@Injectable()
export class OperationRoutes {
  private routes: Map<OperationId, OperationRoute> | undefined;

  constructor(private readonly modules: ModulesContainer) {}

  /** Undefined for an unknown operation. */
  of(operation: string): OperationRoute | undefined {
    this.routes ??= new Map(this.declared());
    return this.routes.get(operation as OperationId);
  }

  private *declared(): Generator<[OperationId, OperationRoute]> {
    for (const module of this.modules.values()) {
      for (const { metatype } of module.controllers.values()) {
        if (typeof metatype === 'function') yield* routesOf(metatype);
      }
    }
  }
}

function* routesOf(controller: Function): Generator<[OperationId, OperationRoute]> {
  const base = String(Reflect.getMetadata(PATH_METADATA, controller));
  for (const { value } of Object.values(Object.getOwnPropertyDescriptors(controller.prototype as object))) {
    if (typeof value !== 'function' || !Reflect.hasMetadata(OPERATION, value)) continue;
    const operation = Reflect.getMetadata(OPERATION, value) as OperationId;
    const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, value) as RequestMethod] as Rehearsed['method'];
    const own = String(Reflect.getMetadata(PATH_METADATA, value));
    const path = `/api/v1/${[base, own].join('/')}`.replaceAll(/\/+/g, '/').replace(/\/$/, '');
    const isAlone = Reflect.hasMetadata(OwnTransactions.KEY, value);
    const isStream = Reflect.hasMetadata(Streams.KEY, value);
    const leavesNothing = !isAlone || scopeOf(operation)?.endsWith(':read') === true;
    yield [operation, { method, path, isRehearsable: leavesNothing && !isStream }];
  }
}
