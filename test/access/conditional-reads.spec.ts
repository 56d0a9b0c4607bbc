import { sample } from '../support/depth.js';
import { TestApp } from '../support/test-app.js';
import { makeWorld, type World } from './callers.js';
import { EXPECTED_RIGHTS } from './expected-rights.js';
import { ROWS } from './routes/all.js';

interface Documented {
  operationId: string;
  responses: object;
}

describe('reads with If-None-Match', () => {
  let world: World;
  let conditional: Set<string>;

  beforeAll(async () => {
    world = await makeWorld(await TestApp.open({ LIMIT_WRITES_PER_MINUTE: '100000', LIMIT_CODES_PER_HOUR: '1000' }));
    const all = Object.values(world.app.document.paths).flatMap((one) =>
      Object.values(one as Record<string, Documented>),
    );
    conditional = new Set(all.filter(({ responses }) => '304' in responses).map(({ operationId }) => operationId));
  });

  afterAll(() => world.app.close());

  const rows = ROWS.filter(({ operation, success }) => success === 200 && EXPECTED_RIGHTS[operation][0] !== 'public');

  it.each(sample(rows, 2).map((row) => [row.operation, row.when ?? '', row] as const))(
    'return 304 where it is documented, and no ETag elsewhere: %s %s',
    async (operation, _when, row) => {
      for (const name of ['administrator', 'endeavour owner', 'organization owner', 'endeavour viewer'] as const) {
        const asked = await row.request(world, name);
        if (asked.method !== 'get') return;
        const person = asked.by ?? world.callers[name];
        const { status, headers } = await world.app.as(person).get(asked.path);
        if (status !== 200) continue;
        if (!conditional.has(operation)) return expect([operation, headers.etag]).toEqual([operation, undefined]);
        expect([operation, headers.etag]).toEqual([operation, expect.stringMatching(/^(?:W\/)?"[^"]+"$/)]);
        await world.app.as(person).get(asked.path).set('If-None-Match', headers.etag).expect(304);
        return;
      }
    },
  );
});
