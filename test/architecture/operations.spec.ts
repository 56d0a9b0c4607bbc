import { permissionOf, type OperationId } from '../../src/access/permissions/permissions.js';
import { RouteTable } from '../../src/platform/http/server/route-table.js';
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
});
