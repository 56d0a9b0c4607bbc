import { TestApp } from '../support/test-app.js';
import { CALLERS, makeWorld, type World } from './callers.js';
import { promised } from './matrix.js';
import { ROWS } from './routes/all.js';
import type { ApiRequest, Row } from './rows.js';

interface DocumentedOperation {
  operationId: string;
  parameters?: { in: string; name: string }[];
  requestBody?: { content: Record<string, object> };
}

/** What clients of other servers send: parameters of their lists and feeds, and properties of their bodies. */
const PARAMETERS = {
  start_time: '2026-01-01T00:00:00Z',
  end_time: 'now',
  offset: '3',
  page: '2',
  per_page: 'all',
  colour: 'red',
};
const PROPERTIES = { colour: 'red', nested: { deep: [1, null] }, __typename: 'Task', is_new: true };

/** The rows of the access matrix, sent to a service that ignores what it does not know. */
describe('with UNKNOWN_FIELDS=ignore, every operation', () => {
  let world: World;
  let operations: Map<string, DocumentedOperation>;

  beforeAll(async () => {
    const environment = { LIMIT_WRITES_PER_MINUTE: '100000', LIMIT_CODES_PER_HOUR: '1000' };
    world = await makeWorld(await TestApp.open({ ...environment, UNKNOWN_FIELDS: 'ignore' }));
    const paths = Object.values(world.app.document.paths) as Record<string, DocumentedOperation>[];
    operations = new Map(paths.flatMap(Object.values).map((operation) => [operation.operationId, operation]));
  });

  afterAll(() => world.app.close());

  const parametersOf = ({ operation }: Row): Set<string> =>
    new Set((operations.get(operation)?.parameters ?? []).map(({ name }) => name));

  /** The request with everything that its operation does not know. */
  const withUnknown = (row: Row, { path, body, ...request }: ApiRequest): ApiRequest => {
    const known = parametersOf(row);
    const unknown = Object.entries(PARAMETERS).filter(([name]) => !known.has(name));
    const query = new URLSearchParams(unknown).toString();
    const isJson = operations.get(row.operation)?.requestBody?.content['application/json'] !== undefined;
    const isObject = body !== undefined && !Array.isArray(body);
    return {
      ...request,
      path: `${path}${path.includes('?') ? '&' : '?'}${query}`,
      ...(body !== undefined && { body: isJson && isObject ? { ...body, ...PROPERTIES } : body }),
    };
  };

  const send = ({ method, path, body, by }: ApiRequest, caller: (typeof CALLERS)[number]) => {
    const call = world.app.as(by ?? world.callers[caller])[method](path);
    return body === undefined ? call : call.send(body);
  };

  it.each(ROWS.map((row) => [row.operation, row.when ?? '', row] as const))(
    'answers as if the unknown were not there: %s %s',
    async (_operation, _when, row) => {
      const caller = CALLERS.find((name) => promised(row, name) === row.success) ?? 'administrator';
      const expected = promised(row, caller);
      const { status, body } = await send(withUnknown(row, await row.request(world, caller)), caller);
      expect([status, status === expected ? null : body]).toEqual([expected, null]);
    },
  );

  it('that lists returns the same page', async () => {
    const lists = ROWS.filter((row) => row.success === 200 && parametersOf(row).has('cursor'));
    expect(lists.length).toBeGreaterThan(30);
    for (const row of lists) {
      const caller = CALLERS.findLast((name) => promised(row, name) === 200) ?? 'administrator';
      const request = await row.request(world, caller);
      const [plain, unknown] = [await send(request, caller), await send(withUnknown(row, request), caller)];
      expect([row.operation, unknown.body.data?.length, unknown.body.meta?.limit]).toEqual([
        row.operation,
        plain.body.data?.length,
        plain.body.meta?.limit,
      ]);
    }
  });
});
