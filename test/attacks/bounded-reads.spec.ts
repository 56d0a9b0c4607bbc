import { PreparedClient } from '../../src/platform/database/connections/prepared-client.js';
import { InProcessApp } from '../support/in-process-app.js';
import { TestApp, type Person } from '../support/test-app.js';

type Query = (...args: unknown[]) => unknown;

/** The number of pages of the feed that the function reads. */
async function pagesOf(work: () => PromiseLike<unknown>): Promise<number> {
  const prototype = PreparedClient.prototype as unknown as { query: Query };
  const { query } = prototype;
  let pages = 0;
  prototype.query = function (this: PreparedClient, ...args: unknown[]) {
    if (String(args[0]).startsWith('WITH places')) pages += 1;
    return query.apply(this, args);
  };
  try {
    await work();
  } finally {
    prototype.query = query;
  }
  return pages;
}

describe('an expensive read', () => {
  let app: InProcessApp;
  let ann: Person;
  let garden: string;

  beforeAll(async () => {
    app = await InProcessApp.open();
    ann = await app.person('Ann');
    garden = await app.endeavour(ann);
  });
  afterAll(() => app.close());

  it('compares revisions of a task in two pages, however many events do not change it', async () => {
    const task = await app.task(ann, garden);
    const asked = { resource_ids: ['me'] };
    await app.as(ann).post(`/tasks/${task}/review-requests`).send(asked).expect(200);
    await app.observer.query(
      `INSERT INTO events (id, type, entity_type, entity_id, endeavour_id, organization_id, actor_id, request_id, data)
       SELECT new_id('evt'), type, entity_type, entity_id, endeavour_id, organization_id, actor_id, request_id, data
       FROM events CROSS JOIN generate_series(1, 300) WHERE type = 'task.review_requested'`,
    );
    const { body } = await app.as(ann).get('/changes?after=now').expect(200);
    const path = `/tasks/${task}/diff?from=${body.meta.next}`;
    expect(await pagesOf(() => app.as(ann).get(path).expect(200))).toBe(2);
  });

  it('stops a search after SEARCH_TIMEOUT_MS', async () => {
    const strict = await TestApp.open({ SEARCH_TIMEOUT_MS: '100' }, app);
    const other = await app.openConnection();
    await other.query('BEGIN');
    await other.query('LOCK TABLE tasks IN ACCESS EXCLUSIVE MODE');
    const { body } = await strict.as(ann).get('/search?q=gate').expect(503);
    expect(body.error.code).toBe('unavailable');
    await other.query('ROLLBACK');
    await other.end();
    await strict.close();
  });
});
