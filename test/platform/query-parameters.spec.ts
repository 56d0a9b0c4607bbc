import { TestApp, type Person } from '../support/test-app.js';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

describe('query parameters of every operation', () => {
  let app: TestApp;
  let ada: Person;

  beforeAll(async () => {
    // All operations are called as one person and from one address.
    app = await TestApp.open({ LIMIT_CODES_PER_HOUR: '10000', LIMIT_LOGIN_PER_MINUTE: '10000' });
    ada = await app.admin();
  });

  afterAll(() => app.close());

  /** Every operation with well-formed ids in its path; parameters are validated before the visibility of entities. */
  const operations = () =>
    Object.entries(app.document.paths).flatMap(([path, methods]) =>
      Object.entries(
        methods as Record<string, { parameters?: { in: string; name: string; schema: { examples?: string[] } }[] }>,
      )
        .filter(([method]) => ['get', 'post', 'put', 'patch', 'delete'].includes(method))
        .map(([method, { parameters = [] }]) => ({
          method: method as Method,
          path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
            const { schema } = parameters.find((one) => one.in === 'path' && one.name === name) ?? {};
            return schema?.examples?.[0] ?? 'x';
          }),
          names: parameters.filter((one) => one.in === 'query').map(({ name }) => name),
        })),
    );

  const faultsOf = async (method: Method, path: string, query: string) => {
    const { status, body } = await app.as(ada)[method](`${path}?${query}`);
    const fields: { field: string; code: string }[] = body.error?.details?.fields ?? [];
    return { where: `${method} ${path}?${query}`, status, faults: fields.map(({ field, code }) => `${field} ${code}`) };
  };

  it.each([
    [
      'dry_run_=true&admin[x]=1&__proto__=1&constructor=1&hasOwnProperty=1&admin=true&admin=true',
      [
        'dry_run_ unknown_field',
        'admin[x] unknown_field',
        '__proto__ unknown_field',
        'constructor unknown_field',
        'hasOwnProperty unknown_field',
        'admin unknown_field',
      ],
    ],
    ['admin=perhaps', ['admin invalid_value']],
  ])('are rejected if they are invalid: %s', async (query, faults) => {
    // Calendars ignore what calendar programs add to their query.
    const asked = operations().filter(({ path }) => path !== '/' && !path.endsWith('.ics'));
    expect(asked.length).toBeGreaterThan(150);
    for (const { method, path } of asked) {
      const found = await faultsOf(method, path, query);
      expect(found).toEqual({ ...found, status: 400, faults: expect.arrayContaining(faults) });
    }
  });

  it('are rejected if they are repeated, even by operations that define them', async () => {
    for (const { method, path, names } of operations()) {
      // Only one form of this response has pages, and the parameter that selects it is validated first.
      const groups = path.endsWith('/dod-status') ? names.map((name) => [name]) : [names];
      for (const group of groups.filter(({ length }) => length > 0)) {
        const found = await faultsOf(method, path, group.map((name) => `${name}=1&${name}=1`).join('&'));
        const faults = group.map((name) => `${name} unknown_field`);
        expect(found).toEqual({ ...found, status: 400, faults: expect.arrayContaining(faults) });
      }
    }
  });

  it('change nothing if they are rejected', async () => {
    const garden = await app.endeavour(ada);
    const before = await app.count('tasks');
    await app.as(ada).post('/tasks?dryrun=true').send({ title: 'Paint', endeavour_id: garden }).expect(400);
    expect(await app.count('tasks')).toBe(before);
  });

  it('are ignored with handling=lenient if they are unknown, however often; repeated known ones are not', async () => {
    const garden = await app.endeavour(ada);
    const lenient = { Prefer: 'respond-async, handling=lenient' };
    await app.as(ada).get('/tasks?colour=red&colour=blue').set(lenient).expect(200);
    await app.as(ada).get(`/endeavours/${garden}?colour=red`).set(lenient).expect(200);
    await app.as(ada).patch(`/endeavours/${garden}?colour=red`).set(lenient).send({}).expect(200);
    await app.as(ada).get('/tasks?limit=1&limit=2').set(lenient).expect(400);
    await app.as(ada).patch(`/endeavours/${garden}?admin=1&admin=1`).set(lenient).send({}).expect(400);
    await app.as(ada).get('/tasks?colour=red').set('Prefer', 'handling=strict').expect(400);
    await app.as(ada).get('/tasks?colour=red').set('Prefer', 'x="handling=lenient"').expect(400);
  });

  it('with an empty value count as absent, on writes too', async () => {
    const chair = (await app.as(ada).post('/resources').send({ name: 'Chair', type: 'service' })).body.data;
    await app.as(ada).delete(`/resources/${chair.id}?reassign_to=&admin=true`).expect(200);
    const bob = await app.person('Bob');
    await app.as(ada).delete(`/users/${bob.id}?erase=&admin=1`).expect(200);
  });
});
