import { TestApp } from '../support/test-app.js';
import { CALLERS, makeWorld, type World } from './callers.js';
import { ROWS } from './routes/all.js';

/** Operations whose result has no id, or cannot be read again. */
const UNREADABLE = [
  'dod_endorsements_bulk',
  'invitations_bulk',
  'organizations_members_add',
  'endeavours_members_add',
  'resources_members_add',
  'agents_tokens_create',
  'organizations_scim_tokens_create',
  'oauth_registration_tokens_create',
];

describe('the Location header of a creation', () => {
  let world: World;

  beforeAll(async () => {
    world = await makeWorld(await TestApp.open({ LIMIT_WRITES_PER_MINUTE: '100000', LIMIT_CODES_PER_HOUR: '1000' }));
  });

  afterAll(() => world.app.close());

  const seen = new Set<string>();
  const created = ROWS.filter(({ success }) => success === 201);

  it.each(created.map((row) => [row.operation, row.when ?? '', row] as const))(
    'names the created resource, which its creator can read: %s %s',
    async (operation, _when, row) => {
      for (const name of CALLERS.toReversed()) {
        const { method, path, body, by } = await row.request(world, name);
        const person = by ?? world.callers[name];
        const response = await world.app.as(person)[method](path).send(body);
        if (response.status !== 201) continue;
        seen.add(operation);
        const { location } = response.headers;
        if (UNREADABLE.includes(operation)) return expect(location).toBeUndefined();
        const read = await world.app.as(person).get(location).expect(200);
        expect(read.body.data.id).toBe(response.body.data.id);
        return;
      }
    },
  );

  it('is tested for every operation that creates a resource', () => {
    expect([...seen].sort()).toEqual([...new Set(created.map(({ operation }) => operation))].sort());
  });
});
