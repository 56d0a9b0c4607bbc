import { existsSync } from 'node:fs';
import { Client } from 'pg';
import { migrate } from '../../src/platform/database/schema/migrations.js';
import { PreparedClient } from '../../src/platform/database/connections/prepared-client.js';
import type { StandbyOutcome } from '../../src/platform/database/connections/standby-position.js';
import { examineDirect } from '../../src/platform/doctor/direct-examination.js';
import { examineStandby } from '../../src/platform/doctor/standby-examination.js';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import { setRoleLimits } from '../../src/platform/process/role-limits.js';
import { prepareService } from '../../src/platform/process/service-role.js';
import { SCHEMA } from '../../src/schema.js';
import { InProcessApp } from '../support/in-process-app.js';
import { StockPostgres, until } from '../support/production/servers.js';
import { POSTGRES } from '../support/production/programs.js';
import { freePort } from '../support/service.js';
import type { Person } from '../support/test-app.js';
import { tokenOf } from '../support/tokens.js';

const isInstalled = existsSync(`${POSTGRES['15']}/pg_basebackup`);
if (!isInstalled)
  process.stderr.write('NOT RUN  PostgreSQL 15 is missing; scripts/production-programs.sh installs it\n');

/** How long reads wait for the standby: longer than replication takes, or a moment. */
const PATIENT = '20000';
const IMPATIENT = '3000';
const ROUNDS = 3;

it('has the programs that it needs, or fails in CI', () => {
  if (process.env.CI === 'true') expect(isInstalled).toBe(true);
});

/** A new server with the schema and the role of the service. */
async function primaryServer(): Promise<StockPostgres> {
  const primary = await StockPostgres.startBare('15');
  await primary.asSuperuser('CREATE DATABASE work ENCODING UTF8 TEMPLATE template0');
  await migrate(primary.connection('work'), SCHEMA);
  await setRoleLimits(await prepareService(primary.connection('work')));
  return primary;
}

/** The connection string of the role of the service. */
const urlOf = (server: StockPostgres): string =>
  `postgres://worksmith_service:${server.connection('work').password}@127.0.0.1:${server.port}/work`;

/** The service on the primary, which reads that standby. */
async function serve(primary: StockPostgres, standby: StockPostgres, lagMs: string): Promise<InProcessApp> {
  const connection = primary.connection('work');
  const urls = { DATABASE_URL: urlOf(primary), DATABASE_READ_URL: urlOf(standby) };
  return InProcessApp.open({ ...urls, READ_LAG_MS: lagMs }, { service: { connection } });
}

/** Collects the outcomes of reads from now on. */
function outcomes({ database }: InProcessApp): StandbyOutcome[] {
  const seen: StandbyOutcome[] = [];
  database.standby?.onRead((outcome) => seen.push(outcome));
  return seen;
}

interface Request {
  path: string;
  type?: string;
}

interface Task {
  id: string;
  title: string;
  garden: string;
  club: string;
}

/** The operations that read the standby and show titles of tasks. */
const READS: [string, (task: Task) => Request][] = [
  ['a search over everything', ({ title }) => ({ path: `/search?q=${title}` })],
  ['a search of a list', ({ title }) => ({ path: `/tasks?search=${title}` })],
  ['a list as CSV', ({ garden }) => ({ path: `/tasks?endeavour_id=${garden}`, type: 'text/csv' })],
  ['a list as lines', () => ({ path: '/tasks', type: 'application/x-ndjson' })],
  ['the activity as CSV', () => ({ path: '/activity', type: 'text/csv' })],
  ['a report', ({ id }) => ({ path: `/reports/task/${id}` })],
  ['a report as a page', ({ id }) => ({ path: `/reports/task/${id}`, type: 'text/html' })],
  ['an export of the endeavour', ({ garden }) => ({ path: `/endeavours/${garden}/export` })],
  ['an export of the organization', ({ club }) => ({ path: `/organizations/${club}/export` })],
  ['an export of own data', () => ({ path: '/auth/my-data' })],
];

/** What ends the read of someone who is not in the endeavour any more. */
const HIDDEN = READS.filter(([name]) => !['an export of own data', 'an export of the organization'].includes(name));

(isInstalled ? describe : describe.skip)('reads of a standby', () => {
  let primary: StockPostgres;
  let standby: StockPostgres;
  let patient: InProcessApp;
  let impatient: InProcessApp;
  let ann: Person;
  let eve: Person;
  let club: string;
  let garden: string;
  let number = 0;

  beforeAll(async () => {
    primary = await primaryServer();
    standby = await primary.standby({ hot_standby_feedback: 'on' });
    patient = await serve(primary, standby, PATIENT);
    impatient = await serve(primary, standby, IMPATIENT);
    ann = await patient.person('Ann', { tier: 3 });
    eve = await patient.person('Eve', { tier: 3 });
    club = await patient.organization(ann);
    garden = await patient.endeavour(ann, { organization_id: club });
  });

  afterAll(async () => {
    await impatient.close();
    await patient.close();
    await standby.end();
    await primary.end();
  });

  const read = async (app: InProcessApp, person: Person, { path, type = 'application/json' }: Request) => {
    const url = `http://127.0.0.1:${app.port()}/api/v1${path}`;
    const response = await fetch(url, { headers: { authorization: `Bearer ${person.token}`, accept: type } });
    return { status: response.status, text: await response.text() };
  };

  const write = async (app: InProcessApp, person = ann, inside = garden): Promise<Task> => {
    const title = `bulb${(number += 1)}x`;
    return { title, garden: inside, club, id: await app.task(person, inside, { title }) };
  };

  /** Writes and reads that, several times; returns what became of the reads. */
  const writeAndRead = async (app: InProcessApp, requestOf: (task: Task) => Request): Promise<StandbyOutcome[]> => {
    const seen = outcomes(app);
    for (let round = 0; round < ROUNDS; round += 1) {
      const task = await write(app);
      const { status, text } = await read(app, ann, requestOf(task));
      expect([status, text.includes(task.title)]).toEqual([200, true]);
    }
    return [...new Set(seen)];
  };

  const onStandby = (sql: string) => standby.asSuperuser(sql);
  /** Runs the work while the standby replays nothing. */
  const whilePaused = async (work: () => Promise<void>): Promise<void> => {
    await onStandby('SELECT pg_wal_replay_pause()');
    try {
      await until(
        'a pause',
        async () => (await onStandby('SELECT pg_get_wal_replay_pause_state() AS s'))[0].s === 'paused',
      );
      await work();
    } finally {
      await onStandby('SELECT pg_wal_replay_resume()');
    }
  };
  /** Waits until the service reads the standby again. */
  const recovered = (app: InProcessApp): Promise<true> =>
    until('a read of the standby', async () => {
      await read(app, ann, { path: '/search?q=bulb' });
      return app.database.standby?.state === 'standby';
    });

  it.each(READS)('show what was just written: %s', async (_, requestOf) => {
    // A busy machine may let the primary answer once in a while.
    expect(await writeAndRead(patient, requestOf)).toContain('standby');
  });

  it.each(READS)('show it while the standby replays nothing: %s', async (_, requestOf) => {
    await recovered(impatient);
    await whilePaused(async () => {
      expect(await writeAndRead(impatient, requestOf)).toEqual(['behind']);
    });
  });

  it('count what was just written, in the progress and in the report of an iteration', async () => {
    const { body } = await patient
      .as(ann)
      .post('/iterations')
      .send({ name: 'May', endeavour_id: garden, start_day: '2027-05-01', end_day: '2027-05-14' });
    const iteration = body.data.id as string;
    const counts = async (app: InProcessApp): Promise<number[]> => {
      const progress = await app.as(ann).get(`/endeavours/${garden}/progress`).expect(200);
      const report = await app.as(ann).get(`/iterations/${iteration}/report`).expect(200);
      return [progress.body.data.intervals.at(-1).planned, JSON.stringify(report.body.data).length];
    };
    for (const [app, outcome] of [
      [patient, 'standby'],
      [impatient, 'behind'],
    ] as const) {
      await recovered(app);
      const rounds = async (): Promise<void> => {
        const [before] = await counts(app);
        const seen = outcomes(app);
        const { id } = await write(app);
        await app.as(ann).patch(`/tasks/${id}`).send({ iteration_id: iteration }).expect(200);
        const [after] = await counts(app);
        expect([after - before, [...new Set(seen)]]).toEqual([1, [outcome]]);
      };
      await (outcome === 'standby' ? rounds() : whilePaused(rounds));
    }
  });

  it('show nothing to a person whose right was just removed, before the standby has replayed that', async () => {
    const beds = await patient.endeavour(ann);
    const task = await write(patient, ann, beds);
    for (const app of [patient, impatient]) {
      for (const [, requestOf] of HIDDEN) {
        await patient.join(beds, eve, 'owner');
        const request = requestOf({ ...task, garden: beds });
        await recovered(app);
        expect((await read(app, eve, request)).text).toContain(task.title);
        const outcome = app === patient ? 'standby' : 'behind';
        const seen = outcomes(app);
        const remove = async (): Promise<void> => {
          await patient.as(ann).delete(`/endeavours/${beds}/members/${eve.id}`).expect(200);
          const { text } = await read(app, eve, request);
          expect(text).not.toContain(task.title);
        };
        await (app === patient ? remove() : whilePaused(remove));
        // An export is refused before it reads the standby.
        expect(new Set([...seen, outcome])).toEqual(new Set([outcome]));
      }
    }
  });

  it('keep two companies apart, at the same time', async () => {
    const shed = await patient.endeavour(eve, { name: 'Shed' });
    const [hers, others] = [await write(patient, eve, shed), await write(patient)];
    const seen = outcomes(patient);
    const requests = [{ path: '/search?q=bulb&limit=100' }, { path: '/tasks?search=bulb&limit=100' }];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => read(patient, n % 2 === 0 ? ann : eve, requests[n % 4 < 2 ? 0 : 1])),
    );
    for (const [n, { text }] of answers.entries()) {
      expect([text.includes(others.id), text.includes(hers.id)]).toEqual(n % 2 === 0 ? [true, false] : [false, true]);
    }
    expect(seen).toContain('standby');
  });

  it('keep a restricted token within its endeavour', async () => {
    const beds = await patient.endeavour(ann);
    const [inside, outside] = [await write(patient, ann, beds), await write(patient)];
    const bot = await tokenOf(patient, ann, { scopes: ['*:read'], endeavour_id: beds });
    const seen = outcomes(patient);
    for (const path of ['/search?q=bulb&limit=100', '/tasks?search=bulb&limit=100']) {
      const { status, text } = await read(patient, bot, { path });
      expect([status, text.includes(inside.id), text.includes(outside.id)]).toEqual([200, true, false]);
    }
    expect((await read(patient, bot, { path: `/endeavours/${garden}/progress` })).status).toBe(404);
    expect(new Set(seen)).toEqual(new Set(['standby']));
  });

  it('leave single entities and pages of lists on the primary', async () => {
    const { id } = await write(patient);
    const seen = outcomes(patient);
    // The impact of archiving is read in a snapshot, too, but not declared.
    const impacts = [`/endeavours/${garden}/archive`, `/organizations/${club}/archive`];
    for (const path of [`/tasks/${id}`, '/tasks', `/endeavours/${garden}`, '/tasks/summary', '/activity', ...impacts]) {
      expect((await read(patient, ann, { path })).status).toBe(200);
    }
    expect(seen).toEqual([]);
  });

  it('hold the lock of an export on the primary, and record it once', async () => {
    const other = new Client(primary.connection('work'));
    other.on('error', () => undefined);
    await other.connect();
    await other.query('SELECT pg_advisory_lock(hashtextextended($1, 11))', [ann.id]);
    expect((await read(patient, ann, { path: '/auth/my-data' })).status).toBe(429);
    await other.query('SELECT pg_advisory_unlock_all()');
    const recorded = async () =>
      (await other.query(`SELECT count(*)::integer AS n FROM audit_entries WHERE action = 'user.exported'`)).rows[0]
        .n as number;
    const before = await recorded();
    const seen = outcomes(patient);
    expect((await read(patient, ann, { path: '/auth/my-data' })).status).toBe(200);
    expect([(await recorded()) - before, seen]).toEqual([1, ['standby']]);
    await other.end();
  });

  it('are shown by the doctor, readiness and the metrics', async () => {
    const client = new Client(primary.connection('work'));
    await client.connect();
    const doctor = async (url?: string) =>
      (await examineStandby(client, url)).map(({ state, text }) => `${state} ${text}`);
    expect(await doctor()).toEqual([]);
    expect(await doctor(urlOf(standby))).toEqual([
      expect.stringMatching(/^ok The standby in DATABASE_READ_URL replicates from this server and is \d+ kB behind\.$/),
    ]);
    expect(await doctor(urlOf(primary))).toEqual([
      expect.stringMatching(/^warning The server in DATABASE_READ_URL is not a standby/),
    ]);
    const nowhere = urlOf(standby).replace(`:${standby.port}`, `:${await freePort()}`);
    expect(await doctor(nowhere)).toEqual([
      expect.stringMatching(/^warning DATABASE_READ_URL cannot be used, .*ECONNREFUSED/),
    ]);
    const direct = async (url?: string) =>
      (await examineDirect(client, url)).map(({ state, text }) => `${state} ${text}`);
    expect(await direct()).toEqual([]);
    expect(await direct(urlOf(primary))).toEqual(['ok DATABASE_DIRECT_URL is the server itself.']);
    expect(await direct(urlOf(standby))).toEqual([
      expect.stringMatching(/^warning DATABASE_DIRECT_URL cannot be used: recovery is in progress/),
    ]);
    expect(await direct(nowhere)).toEqual([
      expect.stringMatching(/^warning DATABASE_DIRECT_URL cannot be used: connect ECONNREFUSED/),
    ]);
    await client.end();
    const confused = new Client(standby.connection('work'));
    await confused.connect();
    await confused.query('BEGIN READ ONLY');
    expect(await examineStandby(confused, urlOf(primary))).toEqual([]);
    expect(await examineDirect(confused, urlOf(primary))).toEqual([]);
    expect((await confused.query('SELECT 1')).rowCount).toBe(1);
    await confused.end();
    await recovered(patient);
    const admin = await patient.person('Ada', { isAdmin: true });
    const { body } = await patient.as(admin).get('/health/ready').expect(200);
    expect(body.data.details.standby).toBe('standby');
    const text = await patient.nest.get(Metrics).text();
    expect(text).toMatch(/^worksmith_standby_lag_bytes \d+$/m);
    expect(text).toMatch(/^worksmith_standby_reads_total\{outcome="behind"\} 0$/m);
  });

  it('are answered by the primary if replication cancels them', async () => {
    const strict = await primary.standby({ max_standby_streaming_delay: '0' });
    const app = await serve(primary, strict, PATIENT);
    const prototype = PreparedClient.prototype as unknown as { query: (...args: unknown[]) => unknown };
    const { query } = prototype;
    try {
      const { title } = await write(app);
      await recovered(app);
      const seen = outcomes(app);
      let isCanceled = false;
      // Before the statement that searches, the primary removes rows that its snapshot contains.
      prototype.query = function (this: PreparedClient, ...args: unknown[]) {
        if (isCanceled || this.port !== strict.port || !String(args[0]).includes('reltuples'))
          return query.apply(this, args);
        isCanceled = true;
        return (async () => {
          const owner = new Client(primary.connection('work'));
          await owner.connect();
          // The other standby keeps rows for its own reads a while.
          await until('a conflict', async () => {
            await owner.query(`UPDATE tasks SET title = title WHERE title = '${title}'`);
            await owner.query('VACUUM tasks');
            const conflicts = 'SELECT sum(confl_snapshot)::integer AS n FROM pg_stat_database_conflicts';
            return (await strict.asSuperuser(conflicts))[0].n !== 0;
          });
          await owner.end();
          return query.apply(this, args);
        })();
      };
      const { status, text } = await read(app, ann, { path: `/search?q=${title}` });
      expect([status, text.includes(title), isCanceled, seen]).toEqual([200, true, true, ['canceled']]);
    } finally {
      prototype.query = query;
      await app.close();
      await strict.end();
    }
  });

  it('are answered by the primary if the server in DATABASE_READ_URL belongs to another one', async () => {
    const other = await primaryServer();
    const wrong = await other.standby();
    const app = await serve(primary, wrong, PATIENT);
    // Its log is longer, so that the position alone proves nothing.
    await other.asSuperuser(`CREATE TABLE long AS SELECT repeat(md5(n::text), 20) FROM generate_series(1, 300000) n`);
    await until('a longer log', async () => {
      const [{ lsn }] = await primary.asSuperuser('SELECT pg_current_wal_flush_lsn()::text AS lsn');
      return (
        (await wrong.asSuperuser(`SELECT pg_last_wal_replay_lsn() > '${String(lsn)}'::pg_lsn + 10000000 AS ahead`))[0]
          .ahead === true
      );
    });
    expect(await writeAndRead(app, ({ title }) => ({ path: `/search?q=${title}` }))).toEqual(['other_server']);
    await app.close();
    await wrong.end();
    await other.end();
  });

  it('are answered by the primary while the standby hangs, and by the standby afterwards', async () => {
    await recovered(impatient);
    standby.signal('SIGSTOP');
    try {
      for (const [, requestOf] of READS) {
        expect(await writeAndRead(impatient, requestOf)).toEqual(['unreachable']);
      }
    } finally {
      standby.signal('SIGCONT');
    }
    await recovered(impatient);
  });

  it('are answered by the primary once the standby was promoted, even if it is written to', async () => {
    const promoted = await primary.standby();
    const app = await serve(primary, promoted, PATIENT);
    await recovered(app);
    await promoted.asSuperuser('SELECT pg_promote()');
    expect(await writeAndRead(app, ({ title }) => ({ path: `/search?q=${title}` }))).toEqual(['promoted']);
    const client = new Client(primary.connection('work'));
    await client.connect();
    const [finding] = await examineDirect(client, urlOf(promoted));
    expect(finding).toEqual({ state: 'fault', text: expect.stringContaining('is another server than') as string });
    await client.end();
    await app.close();
    await promoted.end();
  });

  it('are answered by the primary if the standby is down, at the start and later', async () => {
    const away = await primary.standby();
    const app = await serve(primary, away, PATIENT);
    await recovered(app);
    await away.end();
    for (const [, requestOf] of READS) expect(await writeAndRead(app, requestOf)).not.toContain('standby');
    expect(app.database.standby?.state).toBe('unreachable');
    const late = await serve(primary, away, PATIENT);
    expect(await writeAndRead(late, READS[0][1])).toEqual(['unreachable']);
    await late.close();
    await app.close();
  });
});
