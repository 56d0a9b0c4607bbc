import { Collector } from '../support/collector.js';
import { TestApp, type Person } from '../support/test-app.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const METRICS_TOKEN = 'a-token-for-the-metrics';
const ENDEAVOUR = '/api/v1/endeavours/:id';
const SENDING = { WORKERS: 'true', WEBHOOK_HTTP: 'true', WEBHOOK_ALLOW: '127.0.0.0/8' };

let number = 0;
/** A new trace of a client, which asks for it to be kept or not. */
function traceparent(flags = '01'): { header: string; traceId: string } {
  const traceId = `${String((number += 1)).padStart(8, '0')}${TRACE.slice(8)}`;
  return { header: `00-${traceId}-${PARENT}-${flags}`, traceId };
}

async function metricsOf(app: TestApp): Promise<string> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  return (await fetch(`http://127.0.0.1:${app.port()}/metrics`, { headers })).text();
}

/** The log lines of a request, once there are any. */
async function linesOf(app: TestApp, requestId: string): Promise<unknown[]> {
  for (;;) {
    const lines = await app.service.logOf(requestId);
    if (lines.length > 0) return lines.map((line) => JSON.parse(line) as unknown);
    await app.database.query('SELECT pg_sleep(0.02)');
  }
}

const spansBy = (shown: string, outcome: string): number =>
  Number(new RegExp(`^worksmith_trace_spans_total\\{outcome="${outcome}"\\} (\\d+)$`, 'm').exec(shown)?.[1]);

/** Resolves once the metrics show what is expected. */
async function metricsOnce(app: TestApp, show: (shown: string) => boolean): Promise<string> {
  for (;;) {
    const shown = await metricsOf(app);
    if (show(shown)) return shown;
  }
}

describe('traces', () => {
  let collector: Collector;
  let app: TestApp;
  let ann: Person;
  let endeavour: string;

  beforeAll(async () => {
    collector = await Collector.open();
    app = await TestApp.open({
      ...SENDING,
      METRICS_TOKEN,
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20key, x-tenant=us',
      OTEL_SERVICE_NAME: 'worksmith-test',
      OTEL_TRACES_SAMPLER_ARG: '1',
    });
    ann = await app.person('Ann');
    endeavour = await app.endeavour(ann);
  });
  afterAll(async () => {
    await app.close();
    await collector.close();
  });

  it('show a request as part of the trace of its client, and its statements as parts of it', async () => {
    const { header, traceId } = traceparent();
    const { headers } = await app.as(ann).get(`/endeavours/${endeavour}`).set('traceparent', header).expect(200);
    const request = await collector.span((span) => span.traceId === traceId && span.parentSpanId === PARENT);
    expect(request).toMatchObject({
      service: 'worksmith-test',
      name: `GET ${ENDEAVOUR}`,
      kind: 2,
      problem: undefined,
      attributes: {
        'http.request.method': 'GET',
        'http.route': ENDEAVOUR,
        'http.response.status_code': 200,
        'worksmith.request_id': headers['x-request-id'],
      },
    });
    expect(request.ms).toBeGreaterThan(0);
    const statements = collector.partsOf(request);
    expect(statements.map(({ kind, traceId: id }) => [kind, id])).toContainEqual([3, traceId]);
    for (const { name, ms, attributes } of statements) {
      expect(name).toMatch(/^(?:SELECT|UPDATE|WITH|INSERT)\b/);
      expect(attributes).toEqual({ 'db.system.name': 'postgresql', 'db.query.text': expect.any(String) as string });
      expect(ms).toBeLessThanOrEqual(request.ms);
    }
    expect(JSON.stringify(statements)).not.toContain(endeavour);
  });

  it('show the statements of a write, and how long its commit takes', async () => {
    const { header, traceId } = traceparent();
    const task = { title: 'Paint the secret gate', endeavour_id: endeavour };
    await app.as(ann).post('/tasks').set('traceparent', header).send(task).expect(201);
    const request = await collector.span((span) => span.traceId === traceId && span.parentSpanId === PARENT);
    const names = collector.partsOf(request).map(({ name }) => name);
    expect(names).toContain('COMMIT');
    expect(names.length).toBeGreaterThan(2);
    expect(JSON.stringify(collector.spans)).not.toContain('secret gate');
  });

  it('are named in the access log and in the exemplars of the metrics', async () => {
    const { header, traceId } = traceparent();
    const { headers } = await app.as(ann).get('/endeavours').set('traceparent', header).expect(200);
    const lines = await linesOf(app, headers['x-request-id']);
    expect(lines).toContainEqual(expect.objectContaining({ route: '/api/v1/endeavours', trace_id: traceId }));
    const shown = await metricsOnce(app, (text) => text.includes(traceId));
    expect(shown).toMatch(
      new RegExp(
        `^worksmith_http_request_duration_seconds_bucket\\{[^}]*\\} \\d+ # \\{trace_id="${traceId}",span_id="[0-9a-f]{16}"\\} [\\d.]+ [\\d.]+$`,
        'm',
      ),
    );
  });

  it('show what a batch contains as parts of it', async () => {
    const { header, traceId } = traceparent();
    const operations = [{ method: 'PATCH', path: `/api/v1/endeavours/${endeavour}`, body: { name: 'Garden' } }];
    await app.as(ann).post('/batch').set('traceparent', header).send({ operations }).expect(200);
    const batch = await collector.span((span) => span.traceId === traceId && span.parentSpanId === PARENT);
    const inner = collector.spans.find((span) => span.traceId === traceId && span.name === `PATCH ${ENDEAVOUR}`);
    expect(inner).toMatchObject({ parentSpanId: batch.spanId, kind: 1 });
  });

  it('leave out what the client does not want to be kept, which is named in the log all the same', async () => {
    const { header, traceId } = traceparent('00');
    const { headers } = await app.as(ann).get('/endeavours').set('traceparent', header).expect(200);
    const lines = await linesOf(app, headers['x-request-id']);
    expect(lines).toContainEqual(expect.objectContaining({ trace_id: traceId }));
    const later = traceparent();
    await app.as(ann).get('/endeavours').set('traceparent', later.header).expect(200);
    await collector.span((span) => span.traceId === later.traceId && span.parentSpanId === PARENT);
    expect(collector.spans.filter((span) => span.traceId === traceId)).toEqual([]);
  });

  it.each([
    'ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    '00-00000000000000000000000000000000-b7ad6b7169203331-01',
    '00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01',
    '00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01',
    'anything',
  ])('begin anew for the header traceparent: %s', async (header) => {
    const { headers } = await app.as(ann).get('/endeavours').set('traceparent', header).expect(200);
    const span = await collector.span(
      ({ attributes }) => attributes['worksmith.request_id'] === headers['x-request-id'],
    );
    expect(span.traceId).not.toBe(TRACE);
    expect(span.parentSpanId).toBeUndefined();
  });

  it('show why a request failed, but only a fault of the service as one', async () => {
    const { headers } = await app.as(ann).get('/endeavours/edv_00000000000000000000000000000000').expect(404);
    const span = await collector.span(
      ({ attributes }) => attributes['worksmith.request_id'] === headers['x-request-id'],
    );
    expect([span.problem, span.attributes['error.type']]).toEqual([undefined, 'not_found']);
  });

  it('show jobs and mails with their statements', async () => {
    const job = await collector.span(({ name }) => name === 'job audit_sealing');
    expect([job.kind, job.parentSpanId, job.problem]).toEqual([1, undefined, undefined]);
    expect(collector.partsOf(job).length).toBeGreaterThan(0);
    await app.as(null).post('/auth/forgot-password').send({ email: ann.email }).expect(200);
    const mail = await collector.span(({ name }) => name === 'mail password_reset');
    expect([mail.kind, mail.parentSpanId, mail.problem]).toEqual([3, undefined, undefined]);
    expect(JSON.stringify(collector.spans)).not.toContain(ann.email);
  });

  it('show attempts to deliver to webhooks, whose receivers are told of the trace', async () => {
    const receiver = await WebhookReceiver.open();
    const webhook = { url: receiver.url('/secret-path'), events: ['task.created'], endeavour_id: endeavour };
    await app.as(ann).post('/webhooks').send(webhook).expect(201);
    await app.as(ann).post('/tasks').send({ title: 'Sow', endeavour_id: endeavour }).expect(201);
    await receiver.until(1, '/secret-path');
    const [, traceId, spanId] = String(receiver.received[0].headers.traceparent).split('-');
    const attempt = await collector.span((span) => span.spanId === spanId);
    expect(attempt).toMatchObject({
      name: 'webhook POST',
      kind: 3,
      traceId,
      attributes: { 'server.address': '127.0.0.1', 'http.response.status_code': 204 },
    });
    expect(JSON.stringify(collector.spans)).not.toContain('secret-path');
    await receiver.close();
  });

  it('are sent with the headers of the setting', () => {
    expect(collector.headers.at(-1)).toMatchObject({ authorization: 'Bearer key', 'x-tenant': 'us' });
  });

  it('are counted if the collector refuses them, which delays nobody and is logged once', async () => {
    const before = spansBy(await metricsOf(app), 'failed');
    collector.status = 503;
    for (let round = 0; round < 3; round += 1) {
      const count = spansBy(await metricsOf(app), 'failed');
      await app.as(ann).get('/endeavours').expect(200);
      await metricsOnce(app, (shown) => spansBy(shown, 'failed') > count);
    }
    collector.status = 200;
    const sent = spansBy(await metricsOf(app), 'sent');
    await app.as(ann).get('/endeavours').expect(200);
    const shown = await metricsOnce(app, (text) => spansBy(text, 'sent') > sent);
    expect(spansBy(shown, 'failed')).toBeGreaterThan(before);
    expect(spansBy(shown, 'dropped')).toBe(0);
  });
});

describe('with a share of 0', () => {
  it('only the requests whose clients want it are traced, with all of their parts', async () => {
    const collector = await Collector.open();
    const app = await TestApp.open({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: '0' });
    const ann = await app.person('Ann');
    const endeavour = await app.endeavour(ann);
    const { headers } = await app.as(ann).get(`/endeavours/${endeavour}`).expect(200);
    const lines = await linesOf(app, headers['x-request-id']);
    expect(lines).toEqual([expect.not.objectContaining({ trace_id: expect.anything() as string })]);
    const { header, traceId } = traceparent();
    const operations = [{ method: 'PATCH', path: `/api/v1/endeavours/${endeavour}`, body: { name: 'Garden' } }];
    await app.as(ann).post('/batch').set('traceparent', header).send({ operations }).expect(200);
    const batch = await collector.span((span) => span.traceId === traceId && span.parentSpanId === PARENT);
    expect(batch.name).toBe('POST /api/v1/batch');
    expect(collector.spans.map(({ name }) => name)).toEqual(expect.arrayContaining([`PATCH ${ENDEAVOUR}`, 'COMMIT']));
    expect(collector.spans.filter((span) => span.traceId !== traceId)).toEqual([]);
    await app.close();
    await collector.close();
  });
});

describe('without OTEL_EXPORTER_OTLP_ENDPOINT', () => {
  it('only the access log names the trace of a client', async () => {
    const app = await TestApp.open({ METRICS_TOKEN });
    const ann = await app.person('Ann');
    const { header, traceId } = traceparent();
    const { headers } = await app.as(ann).get('/endeavours').set('traceparent', header).expect(200);
    const lines = await linesOf(app, headers['x-request-id']);
    expect(lines).toContainEqual(expect.objectContaining({ trace_id: traceId }));
    const shown = await metricsOf(app);
    expect(shown).not.toContain('trace_id=');
    expect(spansBy(shown, 'sent')).toBe(0);
    await app.close();
  });
});
