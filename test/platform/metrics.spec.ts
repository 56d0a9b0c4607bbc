import { request as send } from 'node:http';
import { text } from 'node:stream/consumers';
import { Settings } from '../../src/platform/config/settings.js';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import { openMetricsPort } from '../../src/platform/metrics/metrics-server.js';
import { InProcessApp } from '../support/in-process-app.js';
import { freePort } from '../support/service.js';
import { TestApp } from '../support/test-app.js';

const TOKEN = 'a-token-for-the-metrics';
/** Names in the comments of the format, and samples; a counter has the suffix _total. */
const LINE = /^(?:# (?:TYPE|HELP|UNIT) \w+ .+|\w+(?:\{\w+="[^"]*"(?:,\w+="[^"]*")*\})? [-+.\deE]+|# EOF)$/;

describe('the metrics', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await TestApp.open({ METRICS_TOKEN: TOKEN });
  });
  afterAll(() => app.close());

  const read = (authorization?: string) =>
    fetch(`http://127.0.0.1:${app.service.ports[0]}/metrics`, {
      headers: authorization === undefined ? {} : { authorization },
    });
  const metrics = async (): Promise<string> => (await read(`Bearer ${TOKEN}`)).text();

  it('are in the OpenMetrics format', async () => {
    const response = await read(`Bearer ${TOKEN}`);
    expect(response.headers.get('content-type')).toMatch(/^application\/openmetrics-text; version=1\.0\.0/);
    const lines = (await response.text()).trimEnd().split('\n');
    expect(lines.filter((line) => !LINE.test(line))).toEqual([]);
    expect(lines.at(-1)).toBe('# EOF');
  });

  it.each([undefined, 'Bearer another-token-altogether', `Basic ${TOKEN}`, TOKEN])(
    'are refused to a request with the authorization %s',
    async (authorization) => {
      const response = await read(authorization);
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="metrics"']);
      expect(await response.text()).not.toContain('worksmith_');
    },
  );

  it('count requests by the pattern of their route, and refusals by their code', async () => {
    const ann = await app.person('Ann');
    const endeavour = await app.endeavour(ann);
    await app.as(ann).get(`/endeavours/${endeavour}`).expect(200);
    await app.as(ann).get('/endeavours/edv_00000000000000000000000000000000').expect(404);
    const shown = await metrics();
    const route = '/api/v1/endeavours/:id';
    for (const status of ['2xx', '4xx']) {
      expect(shown).toContain(
        `worksmith_http_request_duration_seconds_count{method="GET",route="${route}",status="${status}"} 1\n`,
      );
    }
    expect(shown).toMatch(/^worksmith_refusals_total\{code="not_found"\} 1$/m);
    expect(shown).not.toContain(endeavour);
  });

  it('show for how long each table has partitions: for this month and the next two', async () => {
    const ahead = [...(await metrics()).matchAll(/^worksmith_partitions_ahead_seconds\{table="(\w+)"\} (\S+)$/gm)];
    expect(ahead.map(([, table]) => table).toSorted()).toEqual([
      'audit_entries',
      'audit_origins',
      'audit_unsealed',
      'webhook_deliveries',
    ]);
    for (const [, , seconds] of ahead) {
      expect(Number(seconds)).toBeGreaterThan(58 * 86_400);
      expect(Number(seconds)).toBeLessThan(93 * 86_400);
    }
  });

  it('show every queue, the connections, the process and the database', async () => {
    const shown = await metrics();
    const queues = [...shown.matchAll(/^worksmith_queue_length\{queue="(\w+)"\}/gm)].map(([, queue]) => queue);
    expect(queues.toSorted()).toEqual([
      'audit',
      'events',
      'files',
      'jobs',
      'mails',
      'notifications',
      'operations',
      'rule_events',
      'rules',
      'webhook_events',
      'webhooks',
    ]);
    for (const name of [
      'worksmith_queue_oldest_seconds',
      'worksmith_database_connections',
      'worksmith_database_size_bytes',
      'worksmith_event_loop_delay_seconds',
      'worksmith_password_hashes',
      'worksmith_feed_waits',
      'worksmith_release',
      'process_resident_memory_bytes',
      'process_start_time_seconds',
    ]) {
      expect(shown).toMatch(new RegExp(`^${name}(?:\\{[^}]*\\})? [\\d.e+-]+$`, 'm'));
    }
  });

  it('show what a consumer of the feed has not processed, unless it has nothing to do', async () => {
    const waiting = async (): Promise<number> =>
      Number(/^worksmith_queue_length\{queue="webhook_events"\} (\d+)$/m.exec(await metrics())?.[1]);
    const ann = await app.person('Ann');
    const endeavour = await app.endeavour(ann);
    const replica = await app.openConnection();
    await replica.query('BEGIN');
    await replica.query('SELECT position FROM webhook_feed FOR UPDATE');
    await app.task(ann, endeavour);
    await app.as(ann).get('/activity').expect(200);
    expect(await waiting()).toBe(0);
    const body = { endeavour_id: endeavour, url: 'https://hooks.example.com/', events: ['task.*'] };
    await app.as(ann).post('/webhooks').send(body).expect(201);
    await app.task(ann, endeavour);
    await app.as(ann).get('/activity').expect(200);
    expect(await waiting()).toBeGreaterThan(0);
    await replica.end();
  });

  it('show a mail that waits, and for how long', async () => {
    await app.database.query(
      `INSERT INTO outbox (kind, recipient, lang, data, status, due_at, turn)
       VALUES ('message_copy', 'a@example.org', 'en', '{}', 'pending', clock_timestamp() - interval '1 hour', 0)`,
    );
    const [, seconds] = /^worksmith_queue_oldest_seconds\{queue="mails"\} ([\d.]+)$/m.exec(await metrics()) ?? [];
    expect(Number(seconds)).toBeGreaterThanOrEqual(3_600);
  });
});

describe('the metrics without METRICS_TOKEN', () => {
  let app: InProcessApp;

  beforeAll(async () => {
    app = await InProcessApp.open();
  });
  afterAll(() => app.close());

  it('are not served beside the interface', async () => {
    expect((await fetch(`http://127.0.0.1:${app.service.ports[0]}/metrics`)).status).toBe(404);
  });

  it('are served on METRICS_PORT, where nothing else is', async () => {
    const port = await freePort();
    const settings = Object.assign(new Settings(), { HOST: '127.0.0.1', METRICS_PORT: port });
    const close = await openMetricsPort(app.nest.get(Metrics), settings);
    const get = (path: string) =>
      new Promise<[number | undefined, string]>((resolve, reject) => {
        send({ port, path, agent: false }, (response) => {
          text(response).then((body) => resolve([response.statusCode, body]), reject);
        })
          .on('error', reject)
          .end();
      });
    expect(await get('/metrics')).toEqual([200, expect.stringContaining('worksmith_database_connections')]);
    expect(await get('/api/v1/tasks')).toEqual([404, '']);
    await expect(openMetricsPort(app.nest.get(Metrics), settings)).rejects.toThrow('Change METRICS_PORT.');
    await close();
    await expect(get('/metrics')).rejects.toThrow('ECONNREFUSED');
  });

  it('leave out what cannot be read, and say so', async () => {
    const metrics = new Metrics();
    metrics.gauge('whole', 'Can be read.', () => 7);
    metrics.gauge('broken', 'Cannot be read.', () => Promise.reject(new Error('no connection')));
    metrics.queue('quiet', () => Promise.resolve({ length: 0, oldestSeconds: 0 }));
    metrics.queue('lost', () => Promise.reject(new Error('no connection')));
    await metrics.text();
    const shown = await metrics.text();
    expect(shown).toContain('worksmith_whole 7\n');
    expect(shown).not.toMatch(/^worksmith_broken/m);
    expect(shown).toContain('worksmith_queue_length{queue="quiet"} 0\n');
    expect(shown).not.toContain('queue="lost"');
    expect(shown).toMatch(/^worksmith_metrics_unread_total\{gauge="broken"\} [12]$/m);
    expect(shown).toMatch(/^worksmith_metrics_unread_total\{gauge="queue_lost"\} [12]$/m);
  });
});
