import { TestApp, type Person } from '../support/test-app.js';

const COUNTED = 10_000;
const RANKED = 5_000;

describe('the total of a search with very many matches', () => {
  let app: TestApp;
  let ann: Person;
  let administrator: Person;
  let meadow: string;

  const search = async (query: string, person = ann) =>
    (await app.as(person).get(`/tasks?search=mow&${query}`).expect(200)).body;

  beforeAll(async () => {
    app = await TestApp.open();
    ann = await app.person('Ann');
    administrator = await app.admin();
    meadow = await app.endeavour(ann);
    for (const statement of [
      `INSERT INTO entities (id, kind, endeavour_id, title) SELECT id, 'task', $1, 'Mow' FROM mowing`,
      `INSERT INTO tasks (id, endeavour_id, title, owner_id, creator_id, created_at, updated_at)
       SELECT id, $1, 'Mow ' || n, $3, $3, at, at FROM mowing`,
    ]) {
      const mowing = `WITH mowing AS (SELECT n, 'tsk_' || lpad(to_hex(n), 32, '0') AS id,
        '2026-01-01'::timestamptz + n * interval '1 s' AS at FROM generate_series(1, $2::integer) n)`;
      const values = [meadow, COUNTED + 1, ...(statement.includes('$3') ? [ann.resourceId] : [])];
      await app.database.query(`${mowing} ${statement}`, values);
    }
  });

  afterAll(() => app.close());

  it.each([
    ['a member', () => ann],
    ['an administrator', () => administrator],
  ])('is 10,000 and marked as a lower bound for %s, whose pages are complete', async (_, who) => {
    const first = await search('limit=3', who());
    expect(first.meta).toMatchObject({ total: COUNTED, total_is: 'at_least', limit: 3 });
    const second = await search(`limit=3&cursor=${first.meta.next_cursor}`, who());
    expect(second.meta).toMatchObject({ total: COUNTED, total_is: 'at_least' });
    const titles = [...first.data, ...second.data].map(({ title }: { title: string }) => title);
    expect(titles).toEqual([0, 1, 2, 3, 4, 5].map((before) => `Mow ${COUNTED + 1 - before}`));
  });

  it('is that of the matches up to the end of the page if the search is short', async () => {
    const short = async (query: string) =>
      (await app.as(ann).get(`/tasks?search=mo&fields=id&${query}`).expect(200)).body.meta;
    expect(await short('limit=3')).toMatchObject({ total: 3, total_is: 'at_least' });
    const second = await short('limit=3&offset=3');
    expect(second).toMatchObject({ total: 6, total_is: 'at_least' });
    expect(await short(`limit=3&cursor=${second.next_cursor}`)).toMatchObject({ total: 3, total_is: 'at_least' });
    const last = await short('limit=3&offset=10000');
    expect(last).toMatchObject({ total: COUNTED + 1 });
    expect(last).not.toHaveProperty('total_is');
    expect(await short('offset=20000')).toMatchObject({ total: 0, total_is: 'at_least' });
    expect(await short('count=false')).toMatchObject({ total: null });
  });

  it('does not limit the matches in another order or beyond an offset', async () => {
    const { data } = await search('sort=created_at&limit=2&offset=9999');
    expect(data.map(({ title }: { title: string }) => title)).toEqual(['Mow 10000', 'Mow 10001']);
  });

  it('is exact for 10,000 matches', async () => {
    const { meta } = await search('created_after=2026-01-01T00:00:02Z');
    expect(meta).toMatchObject({ total: COUNTED });
    expect(meta).not.toHaveProperty('total_is');
  });

  it('is the number of ranked matches if sorted by relevance', async () => {
    const { data, meta } = await search('sort=relevance&limit=2');
    expect(data).toHaveLength(2);
    expect(meta).toMatchObject({ total: RANKED, total_is: 'at_least' });
  });

  it.each([
    ['a member', () => ann],
    ['an administrator', () => administrator],
  ])('is null with count=false for %s, whose page begins with the newest', async (_, who) => {
    const { data, meta } = await search('count=false&limit=1', who());
    expect(data).toMatchObject([{ title: `Mow ${COUNTED + 1}` }]);
    expect(meta).toMatchObject({ total: null });
    expect(meta).not.toHaveProperty('total_is');
  });

  it('does not bound a complete list', async () => {
    const { text } = await app.as(ann).get('/tasks?search=mow').set('Accept', 'application/x-ndjson').expect(200);
    expect(text.trim().split('\n')).toHaveLength(COUNTED + 1);
  });

  it('makes a complete list by relevance return 400, because only a part is ranked', async () => {
    const response = app.as(ann).get('/tasks?search=mow&sort=relevance').set('Accept', 'application/x-ndjson');
    const { body } = await response.expect(400);
    expect(body.error.details.fields).toMatchObject([{ field: 'Accept', code: 'out_of_range' }]);
  });
});
