import { RequestMethod } from '@nestjs/common';
import { INTERCEPTORS_METADATA, METHOD_METADATA } from '@nestjs/common/constants.js';
import { ModulesContainer } from '@nestjs/core';
import { PERMISSIONS, permissionOf, type OperationId } from '../../src/access/permissions.js';
import { needsSession, scopesOf } from '../../src/access/scopes.js';
import { RequestInterceptor } from '../../src/platform/http/request.interceptor.js';
import { RouteTable } from '../../src/platform/http/route-table.js';
import { InProcessApp } from '../support/in-process-app.js';

interface Operation {
  operationId: OperationId;
  security?: unknown[];
  summary?: string;
  tags?: string[];
  description?: string;
}

describe('the operations', () => {
  let app: InProcessApp;
  let operations: { route: string; operation: Operation }[];

  beforeAll(async () => {
    app = await InProcessApp.open();
    const { paths } = app.document;
    operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods as Record<string, Operation>).map(([method, operation]) => ({
        route: `${method.toUpperCase()} ${path}`,
        operation,
      })),
    );
  });

  afterAll(() => app.close());

  it('are exactly those of the snapshot', () => {
    const routes = operations.map(({ route, operation }) => `${permissionOf(operation.operationId).access}: ${route}`);
    expect(routes.sort()).toMatchSnapshot();
  });

  // A table of its own: the matrix of rights reads the scopes from the code.
  it('are open to access tokens with the scopes of the snapshot', () => {
    const scopes = operations
      .filter(({ operation }) => permissionOf(operation.operationId).access !== 'public')
      .map(({ operation: { operationId } }) => {
        const required = needsSession(operationId) ? 'a session' : scopesOf(operationId).join(' ') || 'any';
        return `${operationId}: ${required}`;
      });
    expect(scopes.sort()).toMatchSnapshot();
  });

  it('are all documented: no undocumented route exists under /api/v1', () => {
    const documented = new Set(operations.map(({ route }) => route.replaceAll(/\{([^}]+)\}/g, ':$1')));
    const routes = app.nest
      .get(RouteTable)
      .all()
      .filter((route) => !/^(HEAD|OPTIONS) /.test(route) && / \/api\//.test(route));
    expect(routes.filter((route) => !documented.has(route))).toEqual([]);
  });

  it('are public only if the permission table says so', () => {
    for (const { operation } of operations) {
      const isPublic = permissionOf(operation.operationId).access === 'public';
      expect([operation.operationId, operation.security?.length === 0]).toEqual([operation.operationId, isPublic]);
    }
  });

  it('have a unique operationId, a summary, a tag and a description', () => {
    const names = operations.map(({ operation }) => operation.operationId);
    expect(new Set(names).size).toBe(names.length);
    for (const { operation } of operations) {
      expect(operation).toMatchObject({
        summary: expect.any(String),
        tags: [expect.any(String)],
        description: expect.any(String),
      });
    }
  });

  it('run in a transaction if they can write, and only then', () => {
    const leads = handlers(app).map(({ name, handler }) => {
      const isRead = Reflect.getMetadata(METHOD_METADATA, handler) === RequestMethod.GET;
      const interceptors = (Reflect.getMetadata(INTERCEPTORS_METADATA, handler) ?? []) as unknown[];
      return { name, isRead, isInTransaction: interceptors.includes(RequestInterceptor) };
    });
    expect(leads.length).toBeGreaterThan(operations.length - 1);
    expect(leads.filter(({ isRead, isInTransaction }) => isRead === isInTransaction)).toEqual([]);
  });

  it('use every row of the permission table', () => {
    const used = new Set(operations.map(({ operation }) => operation.operationId));
    const all = Object.keys(PERMISSIONS) as OperationId[];
    const parts = all.filter((operation) => permissionOf(operation).isPart);
    expect(all.filter((operation) => !used.has(operation))).toEqual(['home', ...parts]);
  });
});

/** Every controller method that handles a route. */
function handlers({ nest }: InProcessApp): { name: string; handler: object }[] {
  const controllers = [...nest.get(ModulesContainer).values()].flatMap((module) => [...module.controllers.values()]);
  return controllers.flatMap(({ metatype }) => {
    const methods = Object.getOwnPropertyDescriptors((metatype as { prototype: object }).prototype);
    return Object.entries(methods)
      .map(([name, { value }]) => ({ name: `${metatype?.name}.${name}`, handler: value as object }))
      .filter(({ handler }) => typeof handler === 'function' && Reflect.hasMetadata(METHOD_METADATA, handler));
  });
}
