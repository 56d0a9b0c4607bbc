import { Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { declaredRoutes, type DeclaredRoute } from '../../platform/http/server/declared-routes.js';
import { acceptsDryRun } from '../../platform/http/requests/dry-run-parameter.js';
import {
  BoundedTransaction,
  MayBeAsynchronous,
  OnlyReads,
  OwnTransactions,
  SecretProperties,
  Streams,
} from '../../platform/http/server/route-metadata.js';
import { isTransactional } from '../../platform/http/requests/transactional-routes.js';
import { DECLARATION, OPERATION, type OperationOptions } from './operation.js';
import { PERMISSIONS, permissionOf, type OperationId } from '../permissions/permissions.js';
import { needsSession } from './scopes.js';

/** All that is known of an operation before a request, from its permission row and the decorators of its handler. */
export interface RegisteredOperation extends DeclaredRoute {
  id: OperationId;
  declaration: OperationOptions;
  /** Whether it accepts `dry_run=true`. */
  acceptsDryRun: boolean;
  /**
   * Whether it can be part of a batch: it writes in one transaction, needs no session, reveals no secret, never continues
   * as an operation (202), and is not the batch itself.
   */
  isBatchable: boolean;
  /** Whether a call can be executed and rolled back: it has no transactions of its own and does not stream its response. */
  canBeTried: boolean;
}

/** Metadata of handlers that cannot run in the transaction of a batch, or whose response cannot be referenced. */
const NOT_BATCHABLE = [BoundedTransaction, MayBeAsynchronous, OwnTransactions, SecretProperties];

/** Every operation, read once from the decorators. The service does not start if one is not declared completely. */
@Injectable()
export class OperationRegistry {
  private readonly byId = new Map<string, RegisteredOperation>();
  private readonly byHandler = new Map<Function, RegisteredOperation>();

  constructor(modules: ModulesContainer) {
    const faults = [...declaredRoutes(modules)].flatMap((route) => this.register(route) ?? []);
    const missing = Object.keys(PERMISSIONS).filter(
      (id) => !this.byId.has(id) && permissionOf(id as OperationId).isPart !== true,
    );
    faults.push(...missing.map((id) => `The permission row ${id} has no route.`));
    if (faults.length > 0) throw new Error(faults.join('\n'));
  }

  get all(): Iterable<RegisteredOperation> {
    return this.byId.values();
  }

  /** Undefined if the operation does not exist. */
  find(id: string): RegisteredOperation | undefined {
    return this.byId.get(id);
  }

  of(handler: Function): RegisteredOperation | undefined {
    return this.byHandler.get(handler);
  }

  /** The operation of a request with this path; of several, the one with the fewest parameters, as in the router. */
  match(method: string, path: string): RegisteredOperation | undefined {
    const matching = [...this.all].filter((one) => one.method === method && one.path.matches(path));
    return matching.sort((a, b) => a.path.parameters.length - b.path.parameters.length)[0];
  }

  /** Returns what the declaration lacks. */
  private register(route: DeclaredRoute): string | undefined {
    const { method, path, controller, handler } = route;
    const at = `${method} ${path.pattern} (${controller.name}.${handler.name})`;
    const id = Reflect.getMetadata(OPERATION, handler) as OperationId | undefined;
    if (id === undefined) return `${at} has no @Operation(...), so nothing says who can call it.`;
    if (this.byId.has(id)) return `${at} has the operation id ${id} of another route.`;
    if (isTransactional(handler) === (method === 'GET')) {
      const decorator = method === 'GET' ? 'Get' : `Transactional${method[0]}${method.slice(1).toLowerCase()}`;
      return `${at} must be declared with ${decorator}: writes run in a transaction, reads do not.`;
    }
    if (method === 'GET' && permissionOf(id).proofMinutes !== undefined) {
      return `${at} asks for a proof, but reads start before the session of the caller is known.`;
    }
    const declaration = Reflect.getMetadata(DECLARATION, handler) as OperationOptions;
    const has = ({ KEY }: { KEY: string }): boolean => Reflect.hasMetadata(KEY, handler);
    const operation: RegisteredOperation = {
      ...route,
      id,
      declaration,
      acceptsDryRun: acceptsDryRun(controller, handler),
      isBatchable:
        method !== 'GET' && !NOT_BATCHABLE.some(has) && permissionOf(id).access !== 'public' && !needsSession(id),
      canBeTried: (!has(OwnTransactions) || has(OnlyReads)) && !has(Streams),
    };
    this.byId.set(id, operation);
    this.byHandler.set(handler, operation);
    return undefined;
  }
}
