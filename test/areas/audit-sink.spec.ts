import { examineSink } from '../../src/platform/doctor/sink-examination.js';
import { LineReceiver } from '../support/line-receiver.js';
import { SyslogReceiver } from '../support/syslog-receiver.js';
import { TestApp, type Person } from '../support/test-app.js';

const METRICS_TOKEN = 'a-token-for-the-metrics';
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const FIELDS = `position hash sealed_at id occurred_at action actor_id user_id entity_type entity_id endeavour_id
  organization_id former_organization_id session_id token_id request_id operation code reason count details address
  user_agent email`.split(/\s+/);

/** Makes a recurring job due, and only that one. */
const makeDue = (app: TestApp, name: string) =>
  app.database.query(
    `UPDATE jobs SET due_at = CASE name WHEN $1 THEN '2000-01-01' ELSE clock_timestamp() + interval '1 day' END`,
    [name],
  );

/** Runs a recurring job now. */
async function runJob(app: TestApp, name: string): Promise<void> {
  await makeDue(app, name);
  await app.service.runJobs();
}

/** Seals what happened, and lets the service send it. */
async function send(app: TestApp): Promise<void> {
  await runJob(app, 'audit_sealing');
  await runJob(app, 'audit_sink');
}

/** Ends the pause after a failure. */
const endPause = (app: TestApp) =>
  app.database.query('UPDATE audit_sinks SET retry_at = clock_timestamp() WHERE failures > 0');

const recorded = async (app: TestApp, action: string): Promise<number> =>
  (await app.database.query('SELECT 1 FROM audit_entries WHERE action = $1', [action])).length;

/** The sealed entries in the order of their seals. */
const sealed = (app: TestApp) =>
  app.database.query<{ position: number; id: string; hash: string }>(
    'SELECT position::integer, entry_id AS id, hash FROM audit_seals ORDER BY audit_seals.position',
  );

/** Does something that the audit records. */
const act = (app: TestApp): Promise<Person> => app.person('Ben');

/** An id of a time before those of all others. */
const LATE = `aud_${'0'.repeat(32)}`;

describe('the audit, sent by HTTPS', () => {
  let receiver: LineReceiver;
  let app: TestApp;
  let ann: Person;
  let settings: Record<string, string>;

  beforeAll(async () => {
    receiver = await LineReceiver.open();
    settings = {
      METRICS_TOKEN,
      AUDIT_SINK: receiver.url('/worksmith?key=secret-key'),
      AUDIT_SINK_HEADERS: 'authorization=Bearer%20key',
    };
    app = await TestApp.open(settings);
    ann = await app.person('Ann');
    await app.service.runJobs();
  });
  beforeEach(async () => {
    receiver.status = 204;
    await endPause(app);
    await send(app);
    receiver.received.length = 0;
  });
  afterAll(async () => {
    await app.close();
    await receiver.close();
  });

  const figure = async (name: string): Promise<number> => {
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
    const text = await (await fetch(`http://127.0.0.1:${app.port()}/metrics`, { headers })).text();
    return Number(new RegExp(`^worksmith_${name}\\{queue="audit_sink"\\} ([\\d.e+-]+)$`, 'm').exec(text)?.[1]);
  };
  const doctor = () => {
    const [, host] = /^(http:\/\/[^/]+)/.exec(receiver.url('/')) ?? [];
    return examineSink((sql, values) => app.database.query(sql, values), host);
  };

  it('arrives as lines of JSON with their seals, in the order of the chain', async () => {
    const before = (await sealed(app)).length;
    await act(app);
    const wrong = { email: ann.email, password: 'not her password' };
    await app.as(null).post('/auth/login').set('User-Agent', 'Jest').send(wrong).expect(401);
    // Refusals are recorded a moment after the response.
    while ((await recorded(app, 'sign_in.failed')) === 0) await app.database.query('SELECT pg_sleep(0.02)');
    await send(app);
    const expected = (await sealed(app)).slice(before);
    expect(receiver.lines.map(({ position, id, hash }) => ({ position, id, hash }))).toEqual(expected);
    const [request] = receiver.received;
    expect(request.path).toBe('/worksmith?key=secret-key');
    expect(request.headers).toMatchObject({ authorization: 'Bearer key', 'content-type': 'application/x-ndjson' });
    const failure = receiver.lines.find(({ action }) => action === 'sign_in.failed');
    expect(Object.keys(failure ?? {})).toEqual(FIELDS);
    expect(failure).toMatchObject({
      hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      sealed_at: expect.stringMatching(TIME) as string,
      occurred_at: expect.stringMatching(TIME) as string,
      user_id: ann.id,
      count: 1,
      details: {},
      address: expect.stringContaining('127.0.0.1') as string,
      user_agent: 'Jest',
      email: ann.email,
    });
  });

  it('is sent again after a pause that doubles, until the receiver accepts it', async () => {
    receiver.status = 503;
    await act(app);
    await send(app);
    const state = () =>
      app.database.one(
        `SELECT failures, last_error, extract(epoch FROM retry_at - updated_at)::integer AS pause FROM audit_sinks`,
      );
    expect(await state()).toEqual({ failures: 1, last_error: 'status 503', pause: 5 });
    await send(app);
    expect(receiver.received).toHaveLength(1);
    await endPause(app);
    await send(app);
    expect(await state()).toEqual({ failures: 2, last_error: 'status 503', pause: 10 });
    await app.database.query('UPDATE audit_sinks SET failures = 40, retry_at = clock_timestamp()');
    await send(app);
    expect(await state()).toEqual({ failures: 41, last_error: 'status 503', pause: 300 });
    receiver.status = 200;
    await endPause(app);
    await send(app);
    expect(await state()).toEqual({ failures: 0, last_error: null, pause: null });
    const attempts = receiver.received.map(({ lines }) => lines.map(({ id }) => id));
    expect(new Set(attempts.map((ids) => ids.join())).size).toBe(1);
    expect(attempts).toHaveLength(4);
    expect(await app.service.logOf('does not accept the audit: status 503')).toHaveLength(1);
    expect(await app.service.logOf('accepts the audit again')).toHaveLength(1);
    expect(await app.service.logOf('secret-key')).toEqual([]);
  });

  it('is sent again if the answer of the receiver is lost', async () => {
    receiver.status = undefined;
    await act(app);
    await send(app);
    receiver.status = 204;
    await endPause(app);
    await send(app);
    const [lost, accepted] = receiver.received;
    expect(accepted.lines).toEqual(lost.lines);
    expect(receiver.received).toHaveLength(2);
  });

  it('does not follow a receiver elsewhere', async () => {
    receiver.status = 307;
    await act(app);
    await send(app);
    expect(await app.database.one('SELECT last_error FROM audit_sinks')).toEqual({ last_error: 'status 307' });
  });

  it('contains what was committed late', async () => {
    const slow = await app.openConnection();
    await slow.query('BEGIN');
    await slow.query(`INSERT INTO audit_entries (id, action) VALUES ('${LATE}', 'access.denied')`);
    await act(app);
    await send(app);
    await slow.query('COMMIT');
    await slow.end();
    await send(app);
    const ids = receiver.lines.map(({ id }) => id);
    expect(ids).toEqual((await sealed(app)).slice(-ids.length).map(({ id }) => id));
    expect(ids.at(-1)).toBe(LATE);
  });

  it('arrives in batches, of which each continues the one before', async () => {
    await app.database.query(
      `INSERT INTO audit_entries (id, action) SELECT new_id('aud'), 'access.denied' FROM generate_series(1, 1100)`,
    );
    await runJob(app, 'audit_sealing');
    const waiting = await figure('queue_length');
    expect(waiting).toBeGreaterThanOrEqual(1100);
    // A run ends after a while, and the next one continues.
    while ((await figure('queue_length')) > 0) await runJob(app, 'audit_sink');
    const sizes = receiver.received.map(({ lines }) => lines.length);
    expect(sizes.slice(0, -1)).toEqual([500, 500]);
    const expected = (await sealed(app)).slice(-waiting);
    expect(receiver.lines.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
  });

  it('waits visibly in the metrics and for the doctor', async () => {
    expect(await doctor()).toEqual([{ state: 'ok', text: expect.stringMatching(/has received the audit/) as string }]);
    expect(await figure('queue_oldest_seconds')).toBe(0);
    receiver.status = 500;
    await act(app);
    await send(app);
    expect(await figure('queue_length')).toBeGreaterThan(0);
    expect(await figure('queue_oldest_seconds')).toBeGreaterThan(0);
    const text = expect.stringMatching(/^\d+ entries of the audit wait .* 1 times: status 500\.$/) as string;
    expect(await doctor()).toEqual([{ state: 'warning', text }]);
  });

  it('has a line in the log for entries that were removed before they were sent', async () => {
    receiver.status = 500;
    await act(app);
    await app.database.query(
      `INSERT INTO audit_entries (id, action) SELECT new_id('aud'), 'access.denied' FROM generate_series(1, 3)`,
    );
    await send(app);
    const { position } = (await app.database.one<{ position: number }>(
      'SELECT position::integer FROM audit_sinks',
    )) ?? { position: 0 };
    await app.observer.query(
      `BEGIN; SET LOCAL worksmith.audit_retention = 'on';
       DELETE FROM audit_seals WHERE position = ${position + 1}; COMMIT`,
    );
    receiver.status = 200;
    await endPause(app);
    await send(app);
    expect(receiver.lines.at(-1)?.position).toBe((await sealed(app)).at(-1)?.position);
    const line = `The entries ${position + 1} to ${position + 1} of the audit no longer exist`;
    expect(await app.service.logOf(line)).toHaveLength(1);
  });

  // The last one, because afterwards the log lines of this process are those of the other replica.
  it('is sent by one replica at a time, and by another one from where that ended', async () => {
    const replica = await TestApp.open({ ...settings, AUDIT_SINK: receiver.url('/new-path') }, app);
    await act(app);
    await runJob(app, 'audit_sealing');
    await makeDue(app, 'audit_sink');
    await Promise.all([replica.service.runJobs(), app.service.runJobs()]);
    await act(app);
    await send(replica);
    const ids = receiver.lines.map(({ id }) => id);
    expect(ids).toEqual((await sealed(app)).slice(-ids.length).map(({ id }) => id));
    expect(receiver.received.at(-1)?.path).toBe('/new-path');
    await replica.close();
  });
});

describe('the audit, sent as syslog', () => {
  let receiver: SyslogReceiver;
  let app: TestApp;

  beforeAll(async () => {
    receiver = await SyslogReceiver.open();
    app = await TestApp.open({ AUDIT_SINK: `syslog+tcp://127.0.0.1:${receiver.port}` });
    await app.service.runJobs();
  });
  beforeEach(async () => {
    receiver.behaviour = 'read';
    await endPause(app);
    await send(app);
    receiver.received.length = 0;
  });
  afterAll(async () => {
    await app.close();
    await receiver.close();
  });

  const idsIn = (messages: string[]): unknown[] =>
    messages.map((message) => (JSON.parse(message.slice(message.indexOf('{'))) as { id: string }).id);

  it('arrives as messages in the order of the chain', async () => {
    await act(app);
    await act(app);
    await send(app);
    const { messages } = receiver;
    expect(idsIn(messages)).toEqual((await sealed(app)).slice(-messages.length).map(({ id }) => id));
    expect(messages.length).toBeGreaterThan(1);
    for (const message of messages) {
      expect(message).toMatch(
        /^<110>1 \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z \S+ worksmith \d+ [a-z_]+\.[a-z_]+ - \{"position":\d+,.*\}$/,
      );
    }
  });

  it.each([
    ['close', /^the receiver closed the connection by itself$/],
    ['reset', /^(?:ECONNRESET|EPIPE)$/],
  ] as const)('is sent again to a receiver that does not read it: %s', async (behaviour, problem) => {
    receiver.behaviour = behaviour;
    await act(app);
    await send(app);
    expect(await app.database.one('SELECT failures, last_error FROM audit_sinks')).toEqual({
      failures: 1,
      last_error: expect.stringMatching(problem) as string,
    });
    receiver.behaviour = 'read';
    await endPause(app);
    await send(app);
    const { messages } = receiver;
    expect(idsIn(messages)).toEqual((await sealed(app)).slice(-messages.length).map(({ id }) => id));
    expect(messages.length).toBeGreaterThan(0);
  });
});
