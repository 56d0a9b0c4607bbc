import { newId } from '../../src/common/ids.js';
import { TestApp, type Person } from '../support/test-app.js';

interface Parameter {
  in: string;
  name: string;
  schema?: { examples?: string[]; enum?: string[] };
}

interface Operation {
  operationId: string;
  security?: unknown[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, object> };
}

interface Route {
  method: 'get' | 'post' | 'patch' | 'put' | 'delete';
  path: string;
  operation: Operation;
}

const takes = ({ operation }: Route, where: string, name: string): boolean =>
  operation.parameters?.some((one) => one.in === where && one.name === name) ?? false;

describe('invalid input', () => {
  let app: TestApp;
  let ann: Person;
  let ada: Person;
  let routes: Route[];

  beforeAll(async () => {
    app = await TestApp.open();
    [ann, ada] = [await app.person('Ann'), await app.admin()];
    routes = Object.entries(app.document.paths).flatMap(([path, methods]) =>
      Object.entries(methods as Record<Route['method'], Operation>).map(([method, operation]) => ({
        method: method as Route['method'],
        path,
        operation,
      })),
    );
  });

  afterAll(() => app.close());

  /** The path with ids that do not exist, so that only the validation of the request can reject it. */
  const nowhere = ({ path, operation }: Route): string =>
    path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const { schema } = operation.parameters?.find((one) => one.in === 'path' && one.name === name) ?? {};
      const prefix = schema?.examples?.[0].slice(0, 3);
      return schema?.enum?.[0] ?? `${prefix}_${newId('task').slice(4)}`;
    });

  const call = (route: Route, person: Person | null = ann, query = '') =>
    app.as(route.operation.security?.length === 0 ? null : person)[route.method](`${nowhere(route)}${query}`);

  /** Calendars ignore what calendar programs add to their query. */
  const strict = () => routes.filter(({ path }) => !path.endsWith('.ics'));

  const faultsOf = ({ body }: { body: { error: { details?: { fields: { field: string; code: string }[] } } } }) =>
    body.error.details?.fields.map(({ field, code }) => `${field} ${code}`);

  it('in any body is rejected before entities are looked up', async () => {
    const withBody = routes.filter(
      // The JSON body of an import is a file.
      ({ path, operation }) =>
        operation.requestBody?.content['application/json'] !== undefined && path !== '/api/v1/imports',
    );
    expect(withBody.length).toBeGreaterThan(50);
    for (const route of withBody) {
      const response = await call(route, ada).send({ nonsense: true });
      const found = faultsOf(response)?.filter((one) => one.startsWith('nonsense'));
      expect([route.path, response.status, found]).toEqual([route.path, 400, ['nonsense unknown_field']]);
    }
  });

  it('in any query is rejected before entities are looked up', async () => {
    for (const route of strict()) {
      const response = await call(route, ada, '?nonsense=1');
      expect([route.path, response.status, faultsOf(response)]).toEqual([route.path, 400, ['nonsense unknown_field']]);
    }
  });

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'])(
    'includes query parameters with the name of a JavaScript object property: %s',
    async (name) => {
      for (const route of strict().filter(({ method }) => method === 'get' || method === 'delete')) {
        const response = await call(route, ada, `?${name}=1`);
        expect([route.path, response.status, faultsOf(response)]).toEqual([route.path, 400, [`${name} unknown_field`]]);
      }
    },
  );

  it('is reported only to authenticated callers', async () => {
    for (const route of routes.filter(({ operation }) => operation.security?.length !== 0)) {
      const response = await app.as(null)[route.method](`${nowhere(route)}?nonsense=1`);
      expect([route.path, response.status]).toEqual([route.path, 401]);
    }
  });

  it('in the Idempotency-Key is rejected by every operation that accepts one', async () => {
    const repeatable = routes.filter((route) => takes(route, 'header', 'Idempotency-Key'));
    expect(repeatable.length).toBeGreaterThan(50);
    for (const route of repeatable) {
      const response = await call(route, ada).set('Idempotency-Key', 'k'.repeat(256)).send({});
      expect([route.path, response.status]).toEqual([route.path, 400]);
    }
  });
});
