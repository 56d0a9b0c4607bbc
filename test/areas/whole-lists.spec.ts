import http from 'node:http';
import { fieldErrorsOf } from '../support/refusals.js';
import { readCompleteList } from '../support/sent-whole.js';
import { TestApp, type Person } from '../support/test-app.js';
import { tokenOf } from '../support/tokens.js';

const CSV = 'text/csv';
const NDJSON = 'application/x-ndjson';

describe('a list as CSV or NDJSON', () => {
  let app: TestApp;
  let ann: Person;
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open({ LIMIT_WRITES_PER_MINUTE: '100000' });
    ann = await app.person('Ann', { tier: 3 });
    garden = await app.endeavour(ann);
    const create = { method: 'POST', path: '/api/v1/tasks' };
    for (let round = 0; round < 6; round += 1) {
      const operations = Array.from({ length: 100 }, (_, n) => ({
        ...create,
        body: { title: `Task ${round * 100 + n}`, endeavour_id: garden },
      }));
      await app.as(ann).post('/batch').send({ operations }).expect(200);
    }
  });

  afterAll(() => app.close());

  const get = (path: string, type = CSV, person = ann) => app.as(person).get(path).set('Accept', type);

  /** The exports by the person in the audit log, oldest first. */
  async function exportsOf(person: Person): Promise<string[]> {
    const acts = await app.database.query<{ action: string }>(
      `SELECT action FROM audit_entries WHERE action LIKE '%.exported' AND actor_id = $1 ORDER BY id`,
      [person.resourceId],
    );
    return acts.map(({ action }) => action);
  }

  it('contains every row once, in the requested order, however many pages it has', async () => {
    const text = await readCompleteList(app, ann, `/tasks?endeavour_id=${garden}&sort=created_at&fields=id,title`, CSV);
    const [header, ...rows] = text.trimEnd().split('\r\n');
    expect(header).toBe('id,title');
    expect(rows.map((row) => row.split(',')[1])).toEqual(Array.from({ length: 600 }, (_, n) => `Task ${n}`));
    expect(new Set(rows.map((row) => row.split(',')[0])).size).toBe(600);
    const found = await readCompleteList(app, ann, '/tasks?search=Task%20599&fields=title', NDJSON);
    expect(found).toBe('{"title":"Task 599"}\n');
  });

  it('escapes formulas for spreadsheets, and quotes line breaks', async () => {
    const shed = await app.endeavour(ann);
    await app.task(ann, shed, { title: '=HYPERLINK("http://x")', description: 'a\nb', metadata: { a: [1] } });
    const text = await readCompleteList(
      app,
      ann,
      `/tasks?endeavour_id=${shed}&fields=title,description,metadata,estimate`,
      CSV,
    );
    expect(text).toBe('title,description,estimate,metadata\r\n"\'=HYPERLINK(""http://x"")","a\nb",,"{""a"":[1]}"\r\n');
    expect(await readCompleteList(app, ann, `/tasks?endeavour_id=${shed}&status=done&fields=title`, CSV)).toBe(
      'title\r\n',
    );
    expect(await readCompleteList(app, ann, `/tasks?endeavour_id=${shed}&status=done`, NDJSON)).toBe('');
  });

  it('contains only what the caller can see, and marks the current session', async () => {
    const eve = await app.person('Eve');
    expect(await readCompleteList(app, eve, '/tasks', NDJSON)).toBe('');
    expect(await readCompleteList(app, ann, '/auth/sessions?fields=is_current', CSV)).toBe('is_current\r\ntrue\r\n');
    await get('/tasks', CSV, { ...ann, token: 'x' }).expect(401);
    const shed = await app.endeavour(ann);
    const inShed = await app.task(ann, shed);
    const bound = await tokenOf(app, ann, { scopes: ['tasks:read'], endeavour_id: shed });
    expect(await readCompleteList(app, bound, '/tasks?fields=id', CSV)).toBe(`id\r\n${inShed}\r\n`);
    const acts = await app.database.query(
      `SELECT details FROM audit_entries WHERE action = 'list.exported' AND actor_id = $1`,
      [eve.resourceId],
    );
    expect(acts).toEqual([{ details: { list: 'Task', format: NDJSON } }]);
  });

  it('rejects paging parameters, and is a JSON page if the client accepts JSON equally', async () => {
    expect(fieldErrorsOf((await get('/tasks?limit=5&count=false').expect(400)).body)).toEqual([
      'limit invalid_value',
      'count invalid_value',
    ]);
    const { body } = await get('/tasks?limit=1', 'text/csv;q=0.5, application/json;q=0.5').expect(200);
    expect(body.data).toHaveLength(1);
    const { headers, text } = await app.as(ann).head('/tasks').set('Accept', CSV).expect(200);
    expect([headers['content-type'], text]).toEqual(['text/csv; charset=utf-8', undefined]);
  });

  it('is limited to one at a time per user, including exports', async () => {
    const before = await exportsOf(ann);
    const outside = await app.openConnection();
    try {
      await outside.query('SELECT pg_advisory_lock(hashtextextended($1, 11))', [ann.id]);
      const { headers } = await get('/tasks').expect(429);
      expect(headers['retry-after']).toBe('5');
      await app.as(ann).get(`/endeavours/${garden}/export`).expect(429);
      await get('/activity').expect(429);
    } finally {
      await outside.end();
    }
    expect(await exportsOf(ann)).toEqual(before);
    await readCompleteList(app, ann, '/demands', CSV);
    expect(await exportsOf(ann)).toEqual([...before, 'list.exported']);
  });

  it('is rejected if it has too many rows, and then not recorded as an export', async () => {
    const eve = await app.person('Eve');
    await app.database.query(
      `INSERT INTO sessions (id, user_id, expires_at)
       SELECT 'many-' || n, $1, now() + interval '1 day' FROM generate_series(1, 100000) n`,
      [eve.id],
    );
    for (const type of [CSV, NDJSON]) {
      expect(fieldErrorsOf((await get('/auth/sessions', type, eve).expect(400)).body)).toEqual(['Accept out_of_range']);
    }
    expect(await exportsOf(eve)).toEqual([]);
  });

  it('aborts the connection on failure, so that clients notice the incomplete list', async () => {
    await app.database.query(`UPDATE tasks SET description = repeat('x', 50000)`);
    const options = {
      port: app.port(),
      path: '/api/v1/tasks',
      headers: { authorization: `Bearer ${ann.token}`, accept: NDJSON, 'x-request-id': 'broken-off' },
    };
    const response = await new Promise<http.IncomingMessage>((resolve) => http.get(options, resolve));
    expect(response.statusCode).toBe(200);
    const reading = `SELECT pid FROM pg_stat_activity
      WHERE datname = current_database() AND state = 'idle in transaction' AND query LIKE '%page AS MATERIALIZED%'`;
    const end = `SELECT pg_terminate_backend(pid) FROM (${reading}) AS held`;
    while ((await app.observer.query(end)).length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    const outcome = await new Promise((resolve) => {
      response.once('error', () => resolve('broken off')).once('end', () => resolve('ended'));
      response.resume();
    });
    expect([outcome, response.complete]).toEqual(['broken off', false]);
    // An error response after the first rows would fail again and hide the cause.
    const lines = (await app.service.logOf('broken-off')).join('\n');
    expect(lines).toContain('"code":"unavailable"');
    expect(lines).not.toContain('write headers');
  });
});
