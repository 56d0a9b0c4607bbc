import { Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { isBatchable } from '../../access/batching.js';
import { declaredRoutes } from '../../platform/http/declared-routes.js';

interface Route {
  method: string;
  pattern: RegExp;
  /** Routes with fewer path parameters are more specific and match first, as in the router. */
  parameters: number;
  isBatchable: boolean;
}

/** Determines which requests can be part of a batch before any of them is executed; `BatchGuard` checks each again. */
@Injectable()
export class BatchRoutes {
  private routes: Route[] | undefined;

  constructor(private readonly modules: ModulesContainer) {}

  /** Returns undefined if no operation has that method and path. */
  isBatchable(method: string, path: string): boolean | undefined {
    this.routes ??= [...declaredRoutes(this.modules)].map(toRoute).sort((a, b) => a.parameters - b.parameters);
    const [pathname] = withPrefix(path).split('?');
    return this.routes.find((route) => route.method === method && route.pattern.test(pathname))?.isBatchable;
  }
}

const PREFIX = '/api/v1';

/** The path of an operation with the prefix, which clients can omit in a batch. */
export const withPrefix = (path: string): string => (path.startsWith(`${PREFIX}/`) ? path : PREFIX + path);

const toRoute = ({ method, path, handler }: { method: string; path: string; handler: Function }): Route => ({
  method,
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`),
  parameters: path.split('/:').length - 1,
  isBatchable: isBatchable(handler),
});
