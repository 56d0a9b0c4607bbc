import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { examinePartitions } from '../../src/platform/doctor/partition-examination.js';
import { removeOldPartitions } from '../../src/platform/partitions/partition-removal.js';
import { asService } from '../../src/platform/process/service-role.js';
import { PARTITIONED_TABLES } from '../../src/partitioned-tables.js';
import { TestApp } from '../support/test-app.js';

const WRITERS = 6;
/** What waits for a reader or a scan waits longer; a catalog change takes some milliseconds. */
const WRITER_LOCK_TIMEOUT = '500ms';

/** Replaces the first partition by one for each of the last six months, this one and the next. */
const PAST_MONTHS = `DO $$ DECLARE edge timestamptz := date_trunc('month', now(), 'UTC'); BEGIN
  SET LOCAL timezone = 'UTC';
  ALTER TABLE webhook_deliveries DETACH PARTITION partitions.webhook_deliveries;
  DROP TABLE partitions.webhook_deliveries;
  FOR n IN -6 .. 1 LOOP
    EXECUTE format('CREATE TABLE partitions.%I PARTITION OF webhook_deliveries FOR VALUES FROM (%s) TO (%L)',
      to_char(edge + make_interval(months => n), '"webhook_deliveries"_YYYY_MM'),
      CASE WHEN n = -6 THEN 'MINVALUE' ELSE quote_literal(first_id_of('whd', edge + make_interval(months => n))) END,
      first_id_of('whd', edge + make_interval(months => n + 1)));
  END LOOP;
END $$`;

/** A time that many months and days from the beginning of this month. */
const TIME = (at: string): string =>
  `(date_trunc('month', now() AT TIME ZONE 'UTC') + interval '${at}') AT TIME ZONE 'UTC'`;

const ID = (at: string): string =>
  `first_id_of('whd', ${TIME(at)}) || '7' || substr(replace(gen_random_uuid()::text, '-', ''), 14)`;

describe('the partitions of deliveries', () => {
  let app: TestApp;
  let webhookId: string;

  beforeEach(async () => {
    app = await TestApp.open();
    const ann = await app.person('Ann');
    const organizationId = await app.organization(ann);
    const created = await app
      .as(ann)
      .post('/webhooks')
      .send({ organization_id: organizationId, url: 'https://receiver.example.org/' })
      .expect(201);
    webhookId = created.body.data.id;
  });
  afterEach(() => app.close());

  const owner = () => app.observer;
  const remove = () => removeOldPartitions(app.service.connection, PARTITIONED_TABLES);
  const add = (at: string, status: string, count = 1) =>
    owner().query(
      `INSERT INTO webhook_deliveries (id, webhook_id, type, status, created_at, finished_at)
       SELECT ${ID(at)}, $1, 'webhook.test', $2, ${TIME(at)}, CASE WHEN $2 <> 'pending' THEN now() END FROM generate_series(1, $3)`,
      [webhookId, status, count],
    );
  /** Six past months, of which the last one stays on every day of the month. */
  const addPast = async (): Promise<void> => {
    await owner().query(PAST_MONTHS);
    await add('-1 months', 'pending');
    await runUpkeep();
  };
  const partitions = async (): Promise<string[]> =>
    (
      await owner().query<{ name: string }>(
        `SELECT name || CASE WHEN is_detaching THEN ' detaching' ELSE '' END AS name FROM month_partitions
         WHERE parent = 'webhook_deliveries' ORDER BY ends_at`,
      )
    ).map(({ name }) => name);
  const tables = async (): Promise<string[]> =>
    (
      await owner().query<{ name: string }>(
        `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'partitions' AND tablename LIKE 'webhook%' ORDER BY 1`,
      )
    ).map(({ name }) => name);
  const monthly = async (first: number, last: number): Promise<string[]> =>
    (
      await owner().query<{ name: string }>(
        `SELECT to_char(date_trunc('month', now() AT TIME ZONE 'UTC') + make_interval(months => n), '"webhook_deliveries"_YYYY_MM')
           AS name FROM generate_series($1::integer, $2::integer) n ORDER BY n`,
        [first, last],
      )
    ).map(({ name }) => name);
  const deliveries = async (): Promise<number> =>
    (await owner().query<{ count: number }>('SELECT count(*)::integer AS count FROM webhook_deliveries'))[0].count;
  const runUpkeep = async (): Promise<void> => {
    await owner().query(`UPDATE jobs SET due_at = clock_timestamp() WHERE name = 'partitions'`);
    await app.service.runJobs();
  };
  const until = async (condition: () => Promise<boolean>): Promise<void> => {
    while (!(await condition())) await sleep(20);
  };

  it('exist for the next two months when the service starts, also after a year without it', async () => {
    expect((await partitions()).at(-1)).toBe((await monthly(2, 2))[0]);
    await owner().query(PAST_MONTHS);
    for (const name of (await partitions()).slice(1)) {
      await owner().query(`DROP TABLE partitions.${name}`);
    }
    const insert = `INSERT INTO webhook_deliveries (id, webhook_id, type) VALUES (new_id('whd'), $1, 'webhook.test')`;
    await expect(owner().query(insert, [webhookId])).rejects.toMatchObject({ code: '23514' });
    const findings = await examinePartitions((sql) => owner().query(sql), PARTITIONED_TABLES);
    expect(findings).toEqual([
      { state: 'fault', text: expect.stringMatching(/^webhook_deliveries has no partition for \d{4}-\d\d, so that/) },
    ]);
    const replica = await TestApp.open({}, app);
    await replica.close();
    expect(await partitions()).toEqual(await monthly(-6, 2));
    await owner().query(insert, [webhookId]);
    expect(await examinePartitions((sql) => owner().query(sql), PARTITIONED_TABLES)).toEqual([
      { state: 'ok', text: 'The partitions of the coming month exist.' },
    ]);
  });

  it('go when their month ended thirty days ago, unless a delivery has not ended', async () => {
    await addPast();
    await add('-4 months', 'succeeded', 3);
    await add('-3 months', 'failed', 2);
    await add('-3 months', 'pending');
    await add('1 second', 'succeeded', 5);
    expect(await remove()).toEqual([...(await monthly(-6, -4)), ...(await monthly(-2, -2))]);
    expect(await partitions()).toEqual([...(await monthly(-3, -3)), ...(await monthly(-1, 2))]);
    expect(await tables()).toEqual(await partitions());
    expect(await deliveries()).toBe(9);
    await runUpkeep();
    expect(await deliveries()).toBe(7);
    expect(await remove()).toEqual([]);
  });

  it('lose their old rows if the role of the service does not own them', async () => {
    await addPast();
    expect(await removeOldPartitions(asService(app.service.connection), PARTITIONED_TABLES)).toBeUndefined();
    await add('-5 months', 'succeeded', 2_500);
    await add('-5 months', 'pending', 2);
    await add('1 second', 'succeeded', 4);
    await runUpkeep();
    expect(await deliveries()).toBe(7);
    expect(await partitions()).toEqual(await monthly(-6, 2));
  });

  it('keep what the housekeeping of an earlier release takes for old, by a place that several partitions have', async () => {
    await addPast();
    await add('-5 months', 'succeeded', 50);
    await add('1 second', 'succeeded', 20);
    await add('1 second', 'pending', 20);
    await owner().query(
      `DELETE FROM webhook_deliveries WHERE ctid = ANY(ARRAY(SELECT ctid FROM webhook_deliveries
         WHERE created_at < now() - interval '30 days' AND status <> 'pending' LIMIT 1000 FOR UPDATE SKIP LOCKED))`,
    );
    expect(await deliveries()).toBe(41);
  });

  it('are out of the reach of the role of the service', async () => {
    const client = new pg.Client(asService(app.service.connection));
    await client.connect();
    for (const sql of [
      'SELECT FROM partitions.webhook_deliveries',
      'DELETE FROM partitions.webhook_deliveries',
      'CREATE TABLE partitions.more ()',
      'ALTER TABLE webhook_deliveries DETACH PARTITION partitions.webhook_deliveries',
      'DROP TABLE partitions.webhook_deliveries',
    ]) {
      await expect(client.query(sql)).rejects.toMatchObject({ code: '42501' });
    }
    await expect(client.query(`SELECT add_month_partitions('tasks')`)).rejects.toMatchObject({ code: '22023' });
    await client.end();
  });

  it('are removed by the next attempt if one ends between the two transactions of a detachment', async () => {
    await addPast();
    await add('-4 months', 'succeeded');
    const reader = await app.openConnection();
    await reader.query('BEGIN; SELECT count(*) FROM webhook_deliveries');
    const interrupted = remove().then(
      () => 'ended',
      () => 'interrupted',
    );
    const isDetaching = async (): Promise<boolean> => (await partitions()).some((name) => name.endsWith(' detaching'));
    await until(isDetaching);
    const killed = await owner().query(
      `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid = 7401766
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    expect(killed).toHaveLength(1);
    expect(await interrupted).toBe('interrupted');
    await reader.query('COMMIT');
    await reader.end();
    expect(await isDetaching()).toBe(true);
    const findings = await examinePartitions((sql) => owner().query(sql), PARTITIONED_TABLES);
    expect(findings.map(({ state }) => state)).toEqual(['ok', 'warning']);
    expect(await remove()).toEqual(await monthly(-6, -2));
    expect(await tables()).toEqual(await monthly(-1, 2));
  });

  it('come and go while deliveries are written, without a writer that waits', async () => {
    await addPast();
    await add('-4 months', 'succeeded', 500);
    await owner().query(`DROP TABLE ${(await monthly(1, 2)).map((name) => `partitions.${name}`).join(', ')}`);
    const end = new AbortController();
    const write = async (): Promise<number> => {
      const client = new pg.Client(asService(app.service.connection));
      await client.connect();
      await client.query(`SET lock_timeout = '${WRITER_LOCK_TIMEOUT}'`);
      let written = 0;
      for (; !end.signal.aborted; written++) {
        await client.query('BEGIN');
        const { rows } = await client.query<{ id: string }>(
          `INSERT INTO webhook_deliveries (id, webhook_id, type) VALUES (new_id('whd'), $1, 'webhook.test') RETURNING id`,
          [webhookId],
        );
        await client.query(`UPDATE webhook_deliveries SET status = 'succeeded', finished_at = now() WHERE id = $1`, [
          rows[0].id,
        ]);
        await client.query('COMMIT');
      }
      await client.end();
      return written;
    };
    const writers = Array.from({ length: WRITERS }, write);
    const all = Promise.all(writers);
    const reader = await app.openConnection();
    await reader.query('BEGIN; SELECT count(*) FROM webhook_deliveries');
    const removal = remove();
    await Promise.race([until(async () => (await partitions()).some((name) => name.endsWith(' detaching'))), removal]);
    // Longer than a writer would wait.
    await Promise.race([reader.query('SELECT pg_sleep(1.5)'), all]);
    await reader.query('COMMIT');
    await reader.end();
    const removed = await Promise.race([removal, all]);
    const replica = await TestApp.open({}, app);
    await replica.close();
    end.abort();
    const ledger = (await all).reduce((sum, written) => sum + written, 0);
    expect(removed).toEqual(await monthly(-6, -2));
    expect(await partitions()).toEqual(await monthly(-1, 2));
    expect(ledger).toBeGreaterThan(WRITERS);
    expect(await deliveries()).toBe(ledger + 1);
  });
});
