import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { RoutePath } from './route-path.js';

/** Records the methods of each path while routes are registered. */
@Injectable()
export class RouteTable {
  private readonly routes = new Map<string, { path: RoutePath; methods: Set<string> }>();

  add(url: string, methods: string | string[]): void {
    if (url.includes('*')) return;
    const route = this.routes.get(url) ?? { path: new RoutePath(url), methods: new Set<string>() };
    for (const method of [methods].flat()) route.methods.add(method);
    this.routes.set(url, route);
  }

  /** Every route as `GET /api/v1/tasks/:id`. */
  all(): string[] {
    return [...this.routes].flatMap(([url, { methods }]) => [...methods].map((method) => `${method} ${url}`));
  }

  /**
   * Whether the router took a literal path such as `/tasks/claim` for the id of an entity, because it has no route with
   * the method of the request.
   */
  isShadowed({ url, routeOptions }: FastifyRequest): boolean {
    return routeOptions.url?.includes(':') === true && this.literal(url.split('?')[0]) !== undefined;
  }

  /** The value of `Allow`. A literal path such as `/tasks/claim` is not also the id of an entity. */
  methodsOf(path: string): string[] {
    const literal = this.literal(path);
    if (literal !== undefined) return [...literal.methods].sort();
    const matching = [...this.routes.values()].filter((route) => route.path.matches(path));
    return [...new Set(matching.flatMap(({ methods }) => [...methods]))].sort();
  }

  /** The route of a path without parameters; a client can also send `:id` for an id, which is no literal path. */
  private literal(path: string): { methods: Set<string> } | undefined {
    return path.includes(':') ? undefined : this.routes.get(path);
  }
}
