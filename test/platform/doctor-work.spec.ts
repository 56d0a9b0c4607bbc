import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Client } from 'pg';
import { SMTPServer } from 'smtp-server';
import { Settings } from '../../src/platform/config/settings.js';
import { examineMail } from '../../src/platform/doctor/mail-examination.js';
import { examineService } from '../../src/platform/doctor/service-examination.js';
import { examineWork, examineWriting } from '../../src/platform/doctor/work-examination.js';
import { cloneDatabase, dropDatabase, type TestConnection } from '../support/database.js';
import { freePort } from '../support/service.js';

const states = (findings: { state: string }[]): string[] => findings.map(({ state }) => state);

describe('the doctor, in a database', () => {
  let connection: TestConnection;
  let client: Client;
  const query = async <R>(sql: string): Promise<R[]> => (await client.query(sql)).rows as R[];

  beforeAll(async () => {
    connection = await cloneDatabase();
    client = new Client(connection);
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await dropDatabase(connection);
  });

  const run = (release: string, startedMinutesAgo: number) =>
    query(`INSERT INTO replicas (id, version, commit, schema, started_at)
      VALUES (gen_random_uuid(), '${release}', 'abc', 1, clock_timestamp() - interval '${startedMinutesAgo} minutes')`);

  it('writes something that is rolled back', async () => {
    expect(await examineWriting(query)).toEqual({ state: 'ok', text: 'The database accepts writes.' });
    expect(await query(`SELECT 1 FROM pg_class WHERE relname = 'doctor_probe'`)).toEqual([]);
  });

  it('says that the database is read-only, and what to do', async () => {
    await query('SET default_transaction_read_only = on');
    const { state, text } = await examineWriting(query);
    await query('SET default_transaction_read_only = off');
    expect([state, text]).toEqual(['fault', expect.stringMatching(/accepts no writes .*read-only.*primary server/)]);
  });

  it('does not judge waiting work while no replica is running, or only for a short time', async () => {
    await query(`INSERT INTO outbox (kind, recipient, lang, data, due_at)
      VALUES ('verification', 'ann@example.test', 'en', '{}', clock_timestamp() - interval '1 hour')`);
    expect(await examineWork(query)).toEqual([{ state: 'ok', text: 'No replica of the service is running.' }]);
    await run('0.1.0', 1);
    expect(await examineWork(query)).toEqual([{ state: 'ok', text: 'Running replicas: 1 of 0.1.0 (abc).' }]);
  });

  it('finds stuck queues, and replicas of different releases', async () => {
    await run('0.2.0', 30);
    const findings = await examineWork(query);
    expect(states(findings)).toEqual(['warning', 'fault']);
    expect(findings[0].text).toBe(
      'Replicas of different releases are running: 1 of 0.1.0 (abc), 1 of 0.2.0 (abc). Finish the upgrade.',
    );
    expect(findings[1].text).toMatch(/^Stuck: 1 mails to send, the oldest for 60 minutes\./);
    await query('DELETE FROM outbox');
    expect((await examineWork(query)).at(-1)).toEqual({ state: 'ok', text: 'No queue is stuck.' });
  });
});

describe('the doctor, at the mail server', () => {
  const settings = (port: number) => Object.assign(new Settings(), { SMTP_URL: `smtp://127.0.0.1:${port}` });

  it('notices that it refuses, and that it is not there', async () => {
    const refusing = new SMTPServer({
      disabledCommands: ['STARTTLS', 'AUTH'],
      onMailFrom: (_, __, done) => done(new Error('not from you')),
    });
    const server = refusing.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect((await examineMail(settings(port))).state).toBe('ok');
    const { state, text } = await examineMail(settings(port), 'ann@example.test');
    expect([state, text]).toEqual(['fault', expect.stringMatching(/refused .*not from you.*Check SMTP_URL/)]);
    await new Promise<void>((resolve) => refusing.close(() => resolve()));
    expect((await examineMail(settings(port))).state).toBe('fault');
  });

  it('sends one mail to the given address', async () => {
    const recipients: string[] = [];
    const accepting = new SMTPServer({
      disabledCommands: ['STARTTLS', 'AUTH'],
      onRcptTo: ({ address }, _, done) => {
        recipients.push(address);
        done();
      },
      onData: (stream, _, done) => void stream.resume().on('end', () => done()),
    });
    const server = accepting.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect((await examineMail(settings(port), 'ann@example.test')).state).toBe('ok');
    expect(recipients).toEqual(['ann@example.test']);
    await new Promise<void>((resolve) => accepting.close(() => resolve()));
  });

  it('does not send to files', async () => {
    expect((await examineMail(new Settings())).state).toBe('ok');
    expect((await examineMail(new Settings(), 'ann@example.test')).state).toBe('fault');
  });
});

describe('the doctor, at a URL', () => {
  let server: Server;
  let url: string;
  let answers: Record<string, [number, object]>;

  beforeAll(async () => {
    server = createServer((request, response) => {
      const [status, body] = answers[request.url ?? ''] ?? [404, {}];
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  afterAll(() => server.close());

  const VERSION: [number, object] = [200, { data: { version: '0.1.0', commit: 'abc', schema: 5 } }];

  it('says which release answers, and for what it is ready', async () => {
    answers = {
      '/version': VERSION,
      '/health/ready?for=read': [200, {}],
      '/health/ready?for=write': [503, {}],
    };
    const findings = await examineService(url);
    expect(states(findings)).toEqual(['ok', 'ok', 'ok', 'fault']);
    expect(findings[0].text).toMatch(/ runs 0\.1\.0 \(abc\), schema 5\.$/);
    expect(findings[3].text).toMatch(/ is not ready to write \(503\)/);
  });

  it('notices something else, and nothing', async () => {
    answers = {};
    expect((await examineService(url))[0].text).toMatch(/is not Worksmith: GET \/version answered 404/);
    expect((await examineService(`http://127.0.0.1:${await freePort()}`))[0].text).toMatch(
      /cannot be reached \(connect ECONNREFUSED/,
    );
  });
});
