import { PreparedClient } from '../../src/platform/database/connections/prepared-client.js';
import { RequestContext } from '../../src/platform/context/request-context.js';
import { InProcessApp } from '../support/in-process-app.js';
import type { Person } from '../support/test-app.js';

type Query = (...args: unknown[]) => unknown;

/**
 * Records the statements of the requests that the work sends, and how often they wait for results before they send more. What the
 * service sends beside them, such as heartbeats, belongs to no request.
 */
async function asked(
  { nest }: InProcessApp,
  work: () => PromiseLike<unknown>,
): Promise<{ statements: string[]; waits: number }> {
  const context = nest.get(RequestContext, { strict: false });
  const prototype = PreparedClient.prototype as unknown as { query: Query };
  const { query } = prototype;
  const statements: string[] = [];
  let waits = 0;
  let isTogether = false;
  prototype.query = function (this: PreparedClient, ...args: unknown[]) {
    if (context.requestId === undefined) return query.apply(this, args);
    statements.push(String(args[0]).trim().split(/\s+/, 2).join(' '));
    if (!isTogether) waits += 1;
    isTogether = true;
    setImmediate(() => (isTogether = false));
    return query.apply(this, args);
  };
  try {
    await work();
  } finally {
    prototype.query = query;
  }
  return { statements, waits };
}

describe('statements and round trips', () => {
  let app: InProcessApp;
  let ann: Person;
  let garden: string;
  let task: string;

  beforeAll(async () => {
    app = await InProcessApp.open();
    ann = await app.person('Ann', { tier: 3 });
    garden = await app.endeavour(ann);
    task = await app.task(ann, garden);
    // From the second request on, the service remembers the caller.
    await app.as(ann).get(`/tasks/${task}`).expect(200);
  });

  // A statement that waits for a new connection is sent later than the one beside it: a job of the service can hold the idle one.
  beforeEach(() => Promise.all(Array.from({ length: 6 }, () => app.as(ann).get('/tasks').expect(200))));

  afterAll(() => app.close());

  const reads: [string, () => string][] = [
    ['GET one task', () => `/tasks/${task}`],
    ['GET one endeavour', () => `/endeavours/${garden}`],
    ['a list by endeavour and status with its total', () => `/tasks?endeavour_id=${garden}&status=planned`],
    ['the list of all visible tasks', () => '/tasks'],
    ['a list with parents and parts', () => `/tasks?endeavour_id=${garden}&fields=parent,children`],
    ['a summary', () => `/tasks?summary=true&endeavour_id=${garden}`],
    ['GET whoami', () => '/auth/whoami'],
    ['the working list', () => '/work'],
  ];

  it.each(reads)('%s: two statements in one round trip', async (_, path) => {
    const { statements, waits } = await asked(app, () => app.as(ann).get(path()).expect(200));
    expect(statements).toHaveLength(2);
    expect(waits).toBe(1);
  });

  const pageOfCursor = /^(?:DECLARE|FETCH|CLOSE) /;

  it.each([
    [
      'a search over everything',
      () => '/search?q=Paint',
      ['SELECT s.id', 'BEGIN', 'SET TRANSACTION', 'SELECT w.typed,', 'WITH large', 'WITH hits', 'COMMIT'],
    ],
    [
      'a search of a list',
      () => '/tasks?search=Paint',
      ['SELECT s.id', 'BEGIN', 'SET TRANSACTION', 'SELECT count(*)::integer', '[object Object]', 'COMMIT'],
    ],
    [
      'a complete list',
      () => `/tasks?endeavour_id=${garden}`,
      [
        'SELECT s.id',
        'SELECT x.id',
        'BEGIN',
        'SET TRANSACTION',
        'SELECT pg_try_advisory_xact_lock(hashtextextended($1,',
        '[object Object]',
        'BEGIN',
        'SELECT id',
        'WITH given',
        'COMMIT',
        'COMMIT',
      ],
      'text/csv',
    ],
    [
      'the progress of an endeavour',
      () => `/endeavours/${garden}/progress`,
      ['SELECT s.id', 'SELECT x.id', 'SELECT timezone', 'WITH days'],
    ],
    [
      'a report',
      () => `/reports/task/${task}`,
      [
        'SELECT s.id',
        'SELECT x.id',
        'SELECT e.lang,',
        'SELECT p.id,',
        'SELECT json_object_agg(name,',
        'SELECT endeavour_id',
        'SELECT p.id,',
      ],
    ],
    [
      'an export',
      () => '/auth/my-data',
      [
        'SELECT s.id',
        'BEGIN',
        'SET TRANSACTION',
        'SELECT pg_try_advisory_xact_lock(hashtextextended($1,',
        'SELECT to_char(now()',
        'BEGIN',
        'WITH given',
        'COMMIT',
        'COMMIT',
      ],
    ],
  ])('%s: nothing is asked for a standby where there is none', async (_, path, expected, type = 'application/json') => {
    const { statements } = await asked(app, () => app.as(ann).get(path()).set('accept', type).expect(200));
    expect(statements.filter((statement) => !pageOfCursor.test(statement))).toEqual(expected);
  });

  it('POST task: three round trips (caller; checks and alert terms; insert and commit)', async () => {
    const post = () => app.as(ann).post('/tasks').send({ title: 'Paint', endeavour_id: garden }).expect(201);
    expect(await asked(app, post)).toEqual({
      statements: ['SELECT s.id', 'BEGIN', 'SELECT x.id', 'SELECT t.organization_id', 'WITH placed', 'COMMIT'],
      waits: 3,
    });
  });

  it('POST comment: three round trips (caller; checks, lock and alert terms; insert and commit)', async () => {
    const body = { entity_type: 'task', entity_id: task, content: 'Well done' };
    expect(await asked(app, () => app.as(ann).post('/comments').send(body).expect(201))).toEqual({
      statements: [
        'SELECT s.id',
        'BEGIN',
        'SELECT x.id',
        'SELECT 1',
        'SELECT x.id',
        'SELECT t.organization_id',
        // The author watches the task.
        'INSERT INTO',
        'WITH placed',
        'COMMIT',
      ],
      waits: 3,
    });
  });

  it('PATCH status: three round trips (caller; lock of the task, and its demand; update and commit)', async () => {
    const demand = await app.demand(ann, garden);
    await app.as(ann).patch(`/demands/${demand}`).send({ status: 'in_progress' }).expect(200);
    const id = await app.task(ann, garden, { demand_id: demand });
    const mia = await app.person('Mia');
    await app.join(garden, mia, 'member');
    const patch = () => app.as(mia).patch(`/tasks/${id}`).send({ status: 'active' }).expect(200);
    expect(await asked(app, patch)).toEqual({
      statements: ['SELECT s.id', 'BEGIN', 'SELECT own."id",', 'WITH t', 'COMMIT'],
      waits: 3,
    });
  });
});
