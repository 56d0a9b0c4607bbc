import { PreparedClient } from '../../src/platform/database/connections/prepared-client.js';
import { InProcessApp } from '../support/in-process-app.js';
import type { Person } from '../support/test-app.js';

type Query = (...args: unknown[]) => unknown;
type Client = PreparedClient & { connection: { stream: { bytesRead: number } } };

/** The number of bytes that a piece of work reads from the database. */
async function bytesRead(work: () => PromiseLike<unknown>): Promise<number> {
  const prototype = PreparedClient.prototype as unknown as { query: Query };
  const { query } = prototype;
  const before = new Map<Client, number>();
  prototype.query = function (this: Client, ...args: unknown[]) {
    if (!before.has(this)) before.set(this, this.connection.stream.bytesRead);
    return query.apply(this, args);
  };
  try {
    await work();
  } finally {
    prototype.query = query;
  }
  return [...before].reduce((sum, [client, start]) => sum + client.connection.stream.bytesRead - start, 0);
}

const TASKS = 300;
/** A tenth of the content of the tasks, in bytes; not less, because reports show the descriptions of some tasks. */
const LEAN = 4_300_000;

/** Large values that no condition uses, and a small checklist that one does. */
const DESCRIPTION = 'Water it twice. '.repeat(3_000);
const METADATA = { notes: 'Dry. '.repeat(19_000), checklist: [{ text: 'Sow', checked: true }] };

describe('the evaluation of all tasks of an endeavour', () => {
  let app: InProcessApp;
  let ann: Person;
  let garden: string;

  beforeAll(async () => {
    app = await InProcessApp.open();
    ann = await app.person('Ann');
    garden = await app.endeavour(ann);
    await app.database.query(
      `WITH made AS (SELECT 'tsk_' || replace(gen_random_uuid()::text, '-', '') AS id FROM generate_series(1, $2)),
       placed AS (INSERT INTO entities (id, kind, endeavour_id, title) SELECT id, 'task', $1, 'Row' FROM made)
       INSERT INTO tasks (id, title, description, metadata, endeavour_id, owner_id, creator_id, status, started_at)
       SELECT id, 'Row', $4, $5::jsonb, $1, $3, $3, 'active', now() FROM made`,
      [garden, TASKS, ann.resourceId, DESCRIPTION, JSON.stringify(METADATA)],
    );
  });

  afterAll(() => app.close());

  const assign = async (...conditions: object[]): Promise<string> => {
    const sent = { name: 'Ours', conditions, endeavour_id: garden };
    const { body } = await app.as(ann).post('/dod-policies').send(sent).expect(201);
    await app.as(ann).post(`/endeavours/${garden}/dod-policy`).send({ policy_id: body.data.id }).expect(200);
    return body.data.id;
  };
  const filled = (field: string) => ({ type: 'field_populated', params: { field } });
  const status = () => app.as(ann).get(`/endeavours/${garden}/dod-status`).expect(200);

  it('reads only the parts of each task that the conditions use', async () => {
    const policy = await assign({ type: 'checklist_complete' }, filled('metadata.colour'), filled('assignee_name'));
    const unmet = { policy_id: policy };
    const reads: [string, () => PromiseLike<unknown>][] = [
      ['status', status],
      ['page', () => app.as(ann).get(`/endeavours/${garden}/dod-status?tasks=not_met&limit=200`).expect(200)],
      ['report', () => app.as(ann).get(`/reports/endeavour/${garden}`).expect(200)],
      ['preview', () => app.as(ann).post(`/endeavours/${garden}/dod-policy?dry_run=true`).send(unmet).expect(200)],
    ];
    const bytes: [string, number][] = [];
    for (const [name, read] of reads) bytes.push([name, await bytesRead(read)]);
    expect(bytes.filter(([, read]) => read > LEAN)).toEqual([]);
  });

  it.each([
    ['description', 1],
    ['metadata.notes', 1],
    ['notes', 1],
    ['canceled_reason', 0],
    ['description.notes', 0],
  ])('agrees with the check of one task on whether the field %s is populated', async (field, isFilled) => {
    await assign(filled(field));
    const expected = { met: isFilled * TASKS, not_met: (1 - isFilled) * TASKS };
    expect((await status()).body.data.tasks).toMatchObject(expected);
    const { body } = await app.as(ann).get(`/tasks?endeavour_id=${garden}&limit=1`).expect(200);
    const check = await app.as(ann).post(`/tasks/${body.data[0].id}/dod-check`).expect(200);
    expect(check.body.data.result).toBe(isFilled === 1 ? 'met' : 'not_met');
  });
});
