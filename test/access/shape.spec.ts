import { newId } from '../../src/common/ids.js';
import { makeDocument } from '../../src/platform/http/documents.js';
import { House, type Person } from '../support/house.js';

interface Parameter {
  in: string;
  name: string;
  schema?: { examples?: string[]; enum?: string[] };
}

interface Operation {
  operationId: string;
  security?: unknown[];
  parameters?: Parameter[];
  requestBody?: object;
}

interface Route {
  method: 'get' | 'post' | 'patch' | 'put' | 'delete';
  path: string;
  operation: Operation;
}

const takes = ({ operation }: Route, where: string, name: string): boolean =>
  operation.parameters?.some((one) => one.in === where && one.name === name) ?? false;

describe('what is wrong in its form', () => {
  let house: House;
  let ann: Person;
  let ada: Person;
  let routes: Route[];

  beforeAll(async () => {
    house = await House.open();
    [ann, ada] = [await house.person('Ann'), await house.admin()];
    routes = Object.entries(makeDocument(house.app).paths).flatMap(([path, methods]) =>
      Object.entries(methods as Record<Route['method'], Operation>).map(([method, operation]) => ({
        method: method as Route['method'],
        path,
        operation,
      })),
    );
  });

  afterAll(() => house.close());

  /** The path about things that are not there, so that nothing but the form can be looked at. */
  const nowhere = ({ path, operation }: Route): string =>
    path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const { schema } = operation.parameters?.find((one) => one.in === 'path' && one.name === name) ?? {};
      const prefix = schema?.examples?.[0].slice(0, 3);
      return schema?.enum?.[0] ?? `${prefix}_${newId('task').slice(4)}`;
    });

  const call = (route: Route, person: Person | null = ann, query = '') =>
    house.as(route.operation.security === undefined ? null : person)[route.method](`${nowhere(route)}${query}`);

  const faultsOf = ({ body }: { body: { error: { details?: { fields: { field: string; code: string }[] } } } }) =>
    body.error.details?.fields.map(({ field, code }) => `${field} ${code}`);

  it('is refused in every body before anything is looked for', async () => {
    const withBody = routes.filter(({ operation }) => operation.requestBody !== undefined);
    expect(withBody.length).toBeGreaterThan(50);
    for (const route of withBody) {
      const answer = await call(route, ada).send({ nonsense: true });
      const found = faultsOf(answer)?.filter((one) => one.startsWith('nonsense'));
      expect([route.path, answer.status, found]).toEqual([route.path, 400, ['nonsense unknown_field']]);
    }
  });

  it('is refused in the query of every list before anything is looked for', async () => {
    const lists = routes.filter((route) => takes(route, 'query', 'limit'));
    expect(lists.length).toBeGreaterThan(20);
    for (const route of lists) {
      const answer = await call(route, ada, '?nonsense=1');
      expect([route.path, answer.status, faultsOf(answer)]).toEqual([route.path, 400, ['nonsense unknown_field']]);
    }
  });

  it('is refused in the key of every request that can be repeated', async () => {
    const repeatable = routes.filter((route) => takes(route, 'header', 'Idempotency-Key'));
    expect(repeatable.length).toBeGreaterThan(50);
    for (const route of repeatable) {
      const answer = await call(route, ada).set('Idempotency-Key', 'k'.repeat(256)).send({});
      expect([route.path, answer.status]).toEqual([route.path, 400]);
    }
  });
});
