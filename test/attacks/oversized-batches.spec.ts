import { TestApp, type Person } from '../support/test-app.js';

/** Small batches whose error response or processing would be large. */
describe('a hostile batch', () => {
  let app: TestApp;
  let ann: Person;
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open({ LIMIT_WRITES_PER_MINUTE: '100000' });
    ann = await app.person('Ann');
    garden = await app.endeavour(ann);
  });
  afterAll(() => app.close());

  const batch = (operations: object[], more: object = {}) =>
    app
      .as(ann)
      .post('/batch')
      .send({ operations, ...more });
  const create = (more: object, id?: string) => ({
    ...(id !== undefined && { id }),
    method: 'POST',
    path: '/api/v1/tasks',
    body: { title: 'Dig', endeavour_id: garden, ...more },
  });

  it('with many errors under a long name gets a short response with 100 of them', async () => {
    const metadata = { ['x'.repeat(20_000)]: Array<string>(500).fill('$') };
    const { body, text } = await batch([create({ metadata })]).expect(400);
    expect(body.error.details.fields).toHaveLength(100);
    expect(text.length).toBeLessThan(60_000);
  });

  it('with many references to missing requests by long names gets a short response', async () => {
    const metadata = { all: Array.from({ length: 400 }, (_, n) => `$a${n}${'x'.repeat(1_000)}.id`) };
    const { body, text } = await batch([create({ metadata }), create({ metadata })]).expect(400);
    expect(body.error.details.fields).toHaveLength(100);
    expect(text.length).toBeLessThan(60_000);
  });

  it('cannot refer to a response without data', async () => {
    const claim = { id: 'a', method: 'POST', path: '/api/v1/tasks/claim', body: { endeavour_id: garden } };
    const { body } = await batch([claim, create({ assignee_id: '$a.id' })], { atomic: false }).expect(207);
    expect(body.data.map(({ status }: { status: number }) => status)).toEqual([200, 400]);
    expect(body.data[1].body.error.details.fields).toMatchObject([{ code: 'reference_not_found' }]);
  });

  it('cannot nest responses deeper than a body may be', async () => {
    let metadata: object = { end: true };
    for (let depth = 0; depth < 20; depth += 1) metadata = { in: metadata };
    const { body } = await batch(
      [create({ metadata }, 'a'), create({ metadata: { in: { in: { in: '$a.metadata' } } } }, 'b')].concat(
        create({ metadata: { in: { in: { in: { in: { in: { in: { in: { in: { in: '$b.metadata' } } } } } } } } } }),
      ),
      { atomic: false },
    ).expect(207);
    expect(body.data.map(({ status }: { status: number }) => status)).toEqual([201, 201, 400]);
  });
});
