import { setTimeout as pause } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { TestApp, type Person } from '../support/test-app.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';

const SENDING = { ERASURE_DAYS: '0', WORKERS: 'true', WEBHOOK_HTTP: 'true', WEBHOOK_ALLOW: '127.0.0.0/8' };
const HOUR_MS = 3_600_000;

interface Delivery {
  id: string;
  status: string;
  attempts: number;
  [property: string]: unknown;
}

let app: TestApp;
let receiver: WebhookReceiver;
let owner: Person;

beforeAll(async () => {
  app = await TestApp.open(SENDING);
});
afterAll(() => app.close());
beforeEach(async () => {
  receiver = await WebhookReceiver.open();
  owner = await app.person('Ann');
});
afterEach(async () => {
  await app.service.setTime(null);
  await receiver.close();
  for (const { body } of receiver.received) app.checkWebhook(body);
});

const create = async (body: object): Promise<{ id: string; secret: string }> =>
  (await app.as(owner).post('/webhooks').send(body).expect(201)).body.data;

/** The deliveries, newest first, without the first test. */
const deliveries = async (id: string, query = ''): Promise<Delivery[]> => {
  const { body } = await app.as(owner).get(`/webhooks/${id}/deliveries${query}`).expect(200);
  const all: Delivery[] = body.data;
  return all.filter(({ type }, at) => type !== 'webhook.test' || at < all.length - 1);
};

/** Waits until the deliveries of a webhook meet the condition, and returns them. */
async function deliveriesOnce(id: string, are: (all: Delivery[]) => boolean): Promise<Delivery[]> {
  for (;;) {
    const all = await deliveries(id);
    if (are(all)) return all;
    await pause(20);
  }
}

const webhookOnce = async (id: string, is: (webhook: Record<string, unknown>) => boolean) => {
  for (;;) {
    const { body } = await app.as(owner).get(`/webhooks/${id}`).expect(200);
    if (is(body.data)) return body.data as Record<string, unknown>;
    await pause(20);
  }
};

const allAre =
  (status: string, count = 1) =>
  (all: Delivery[]): boolean =>
    all.length >= count && all.every((one) => one.status === status);

describe('a webhook', () => {
  it('gets the events of its endeavour, signed so that the receiver can verify them', async () => {
    const endeavour = await app.endeavour(owner);
    const { id, secret } = await create({ url: receiver.url(), endeavour_id: endeavour, events: ['task.*'] });
    const task = await app.task(owner, endeavour);
    await receiver.until(1);
    const [{ headers, body }] = receiver.received;
    const verified = new Webhook(secret).verify(body, headers as Record<string, string>);
    const { body: feed } = await app.as(owner).get(`/changes?entity_id=${task}`).expect(200);
    const [event] = feed.data;
    expect(verified).toEqual({ type: 'task.created', timestamp: event.occurred_at, data: event });
    expect(headers).toMatchObject({ 'webhook-id': event.id, 'content-type': 'application/json' });
    const [delivery] = await deliveriesOnce(id, allAre('succeeded'));
    expect(delivery).toMatchObject({
      webhook_id: id,
      type: 'task.created',
      event_id: event.id,
      entity_id: task,
      attempts: 1,
      next_attempt_at: null,
      response_status: 204,
      response_body: '',
      error: null,
    });
    await webhookOnce(id, ({ last_success_at }) => last_success_at !== null);
  });

  it('of an organization gets the events of endeavours whose home it is, and of no other', async () => {
    const organization = await app.organization(owner);
    const partner = await app.organization(owner);
    const [home, shared] = [
      await app.endeavour(owner, { organization_id: organization }),
      await app.endeavour(owner, { organization_id: partner }),
    ];
    await app.link(organization, shared);
    await create({ url: receiver.url(), organization_id: organization, events: ['task.created'] });
    await app.task(owner, shared);
    const task = await app.task(owner, home);
    await receiver.until(1);
    expect(receiver.messages().map(({ data }) => data.entity_id)).toEqual([task]);
  });

  it('gets only the types that its patterns name, and never those of messages', async () => {
    const endeavour = await app.endeavour(owner);
    const url = receiver.url('/some');
    await create({ url, endeavour_id: endeavour, events: ['*.status_changed', 'comment.created'] });
    await create({ url: receiver.url('/all'), endeavour_id: endeavour });
    await app
      .as(owner)
      .post('/messages')
      .send({ scope_type: 'endeavour', scope_id: endeavour, recipient_ids: ['me'], content: 'Hello' })
      .expect(201);
    const task = await app.task(owner, endeavour);
    await app.as(owner).patch(`/tasks/${task}`).send({ title: 'Paint it' }).expect(200);
    await app.as(owner).patch(`/tasks/${task}`).send({ status: 'active' }).expect(200);
    const comment = { entity_type: 'task', entity_id: task, content: 'Green?' };
    await app.as(owner).post('/comments').send(comment).expect(201);
    await receiver.until(2, '/some');
    await receiver.until(4, '/all');
    const types = (path: string) => receiver.messages(path).map(({ type }) => type);
    expect(types('/some').sort()).toEqual(['comment.created', 'task.status_changed']);
    expect(types('/all').filter((type) => !/^(task|comment|webhook)\./.test(type))).toEqual([]);
  });

  it('gets no events from before it was created or enabled, even if they are numbered later', async () => {
    const endeavour = await app.endeavour(owner);
    await app.task(owner, endeavour);
    const { id } = await create({ url: receiver.url(), endeavour_id: endeavour, events: ['task.created'] });
    const first = await app.task(owner, endeavour);
    await receiver.until(1);
    await app.as(owner).patch(`/webhooks/${id}`).send({ is_enabled: false }).expect(200);
    await app.task(owner, endeavour);
    await app.as(owner).patch(`/webhooks/${id}`).send({ is_enabled: true }).expect(200);
    const second = await app.task(owner, endeavour);
    await receiver.until(2);
    expect(receiver.messages().map(({ data }) => data.entity_id)).toEqual([first, second]);
  });

  it('gets the events of one entity in order, later ones only after the first has been delivered', async () => {
    const endeavour = await app.endeavour(owner);
    receiver.refuse();
    const { id } = await create({ url: receiver.url(), endeavour_id: endeavour, events: ['task.*'] });
    const task = await app.task(owner, endeavour);
    for (const title of ['One', 'Two']) await app.as(owner).patch(`/tasks/${task}`).send({ title }).expect(200);
    await deliveriesOnce(id, (all) => all.length === 3 && all.some(({ attempts }) => attempts === 1));
    expect(receiver.messages().map(({ type }) => type)).toEqual(['task.created']);
    receiver.accept();
    await app.service.setTime(new Date(Date.now() + 10_000).toISOString());
    await deliveriesOnce(id, allAre('succeeded', 3));
    const titles = receiver.messages().map(({ data }) => (data.data as { title: string }).title);
    expect(titles).toEqual(['Paint the gate', 'Paint the gate', 'One', 'Two']);
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(ids[0]).toBe(ids[1]);
  });

  it('is retried after the documented delays, and fails after the tenth attempt', async () => {
    const endeavour = await app.endeavour(owner);
    receiver.refuse(503);
    const { id } = await create({ url: receiver.url(), endeavour_id: endeavour, events: ['task.created'] });
    await app.task(owner, endeavour);
    const pauses: number[] = [];
    for (let attempts = 1; attempts <= 9; attempts += 1) {
      const [one] = await deliveriesOnce(id, (all) => all[0]?.attempts === attempts);
      expect(one).toMatchObject({ status: 'pending', response_status: 503, response_body: 'No.' });
      const next = Date.parse(String(one.next_attempt_at));
      pauses.push((next - Date.parse(String(one.attempted_at))) / 1_000);
      await app.service.setTime(new Date(next + 1_000).toISOString());
    }
    const listed = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
    expect(pauses.map((seconds, at) => Math.abs(seconds / listed[at] - 1) <= 0.101)).toEqual(listed.map(() => true));
    const [last] = await deliveriesOnce(id, (all) => all[0].status !== 'pending');
    expect(last).toMatchObject({
      status: 'failed',
      attempts: 10,
      error: 'The receiver responded with 503.',
      next_attempt_at: null,
    });
    expect(receiver.received).toHaveLength(10);
  });

  it('is disabled after five days without a success, and its admins are notified', async () => {
    const endeavour = await app.endeavour(owner);
    receiver.refuse();
    const { id } = await create({ url: receiver.url(), endeavour_id: endeavour, events: ['task.created'] });
    await app.task(owner, endeavour);
    await webhookOnce(id, ({ failing_since }) => failing_since !== null);
    await app.service.setTime(new Date(Date.now() + 121 * HOUR_MS).toISOString());
    expect(await webhookOnce(id, ({ is_enabled }) => is_enabled === false)).toMatchObject({
      disabled_reason: 'failing',
    });
    const { body: inbox } = await app.as(owner).get('/messages').expect(200);
    expect(inbox.data[0]).toMatchObject({ subject: 'A webhook was disabled', intent: 'alert', entity_id: id });
    expect((await deliveries(id)).map(({ status }) => status)).toEqual(['failed']);
  });

  it('is disabled by a 410 response', async () => {
    const endeavour = await app.endeavour(owner);
    receiver.refuse(410);
    const { id } = await create({ url: receiver.url(), endeavour_id: endeavour, events: ['task.created'] });
    await app.task(owner, endeavour);
    expect(await webhookOnce(id, ({ is_enabled }) => is_enabled === false)).toMatchObject({ disabled_reason: 'gone' });
    expect(await deliveries(id)).toMatchObject([{ status: 'failed', attempts: 1, response_status: 410 }]);
    receiver.accept();
    await app.as(owner).patch(`/webhooks/${id}`).send({ is_enabled: true }).expect(200);
    const task = await app.task(owner, endeavour);
    await receiver.until(2);
    expect(receiver.messages()[1].data.entity_id).toBe(task);
  });

  it('does not follow redirects', async () => {
    const endeavour = await app.endeavour(owner);
    receiver.refuse(302, { location: receiver.url('/elsewhere') });
    const { id } = await create({ url: receiver.url(), endeavour_id: endeavour, events: ['task.created'] });
    await app.task(owner, endeavour);
    const [one] = await deliveriesOnce(id, (all) => all[0]?.attempts === 1);
    expect(one).toMatchObject({ status: 'pending', response_status: 302, error: 'The receiver responded with 302.' });
    expect(receiver.messages('/elsewhere')).toEqual([]);
  });

  it('does not wait for another one that is slow', async () => {
    const endeavour = await app.endeavour(owner);
    let finish = () => undefined as void;
    receiver.respond = (response, { path }) => {
      if (path === '/slow') finish = () => void response.end();
      else response.end();
    };
    for (const path of ['/slow', '/quick']) {
      await create({ url: receiver.url(path), endeavour_id: endeavour, events: ['task.created'] });
    }
    await app.task(owner, endeavour);
    await receiver.until(1, '/slow');
    await app.task(owner, endeavour);
    await receiver.until(2, '/quick');
    finish();
  });

  it('stores only the first 1,024 bytes of a response', async () => {
    const endeavour = await app.endeavour(owner);
    receiver.respond = (response) => void response.end('a'.repeat(1_000_000));
    const { id } = await create({ url: receiver.url(), endeavour_id: endeavour, events: ['task.created'] });
    await app.task(owner, endeavour);
    const [one] = await deliveriesOnce(id, allAre('succeeded'));
    expect(one.response_body).toBe('a'.repeat(1_024));
  });

  it('gets test messages even while it is disabled', async () => {
    const endeavour = await app.endeavour(owner);
    const body = { url: receiver.url(), endeavour_id: endeavour, is_enabled: false };
    receiver.isWilling = false;
    const { id, secret } = await create(body);
    const { body: made } = await app.as(owner).post(`/webhooks/${id}/test`).expect(201);
    expect(made.data).toMatchObject({ status: 'pending', type: 'webhook.test', event_id: null });
    await receiver.until(1);
    const [{ headers, body: sent }] = receiver.received;
    const verified = new Webhook(secret).verify(sent, headers as Record<string, string>);
    expect(verified).toMatchObject({ type: 'webhook.test', data: { webhook_id: id } });
    expect(headers['webhook-id']).toBe(made.data.id);
    await webhookOnce(id, ({ verified_at }) => verified_at !== null);
  });

  it('gets a delivery again on request, with the same id', async () => {
    const endeavour = await app.endeavour(owner);
    const { id } = await create({ url: receiver.url(), endeavour_id: endeavour, events: ['task.created'] });
    await app.task(owner, endeavour);
    const [first] = await deliveriesOnce(id, allAre('succeeded'));
    const again = `/webhooks/${id}/deliveries/${first.id}/redeliver`;
    const { body: made } = await app.as(owner).post(again).expect(201);
    expect(made.data).toMatchObject({ redelivery_of: first.id, event_id: first.event_id, status: 'pending' });
    await receiver.until(2);
    const [one, two] = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(two).toBe(one);
    await deliveriesOnce(id, allAre('succeeded', 2));
  });

  it('gets no event before its receiver has accepted a test, also after a change of the URL', async () => {
    const endeavour = await app.endeavour(owner);
    receiver.isWilling = false;
    receiver.refuse();
    const { id } = await create({ url: receiver.url(), endeavour_id: endeavour, events: ['task.created'] });
    const first = await app.task(owner, endeavour);
    await receiver.until(1);
    await app.service.setTime(new Date(Date.now() + 10_000).toISOString());
    await receiver.until(2);
    expect(receiver.messages().map(({ type }) => type)).toEqual(['webhook.test', 'webhook.test']);
    receiver.accept();
    await app.as(owner).post(`/webhooks/${id}/test`).expect(201);
    await receiver.until(4);
    expect(receiver.messages().find(({ type }) => type === 'task.created')?.data.entity_id).toBe(first);
    await app
      .as(owner)
      .patch(`/webhooks/${id}`)
      .send({ url: receiver.url('/other') })
      .expect(200);
    await app.task(owner, endeavour);
    await receiver.until(2, '/other');
    expect(receiver.messages('/other').map(({ type }) => type)).toEqual(['webhook.test', 'task.created']);
  });

  it('is disabled when its receiver has refused the last test', async () => {
    const endeavour = await app.endeavour(owner);
    receiver.isWilling = false;
    receiver.refuse();
    const { id } = await create({ url: receiver.url(), endeavour_id: endeavour, events: ['task.created'] });
    await app.task(owner, endeavour);
    await webhookOnce(id, ({ failing_since }) => failing_since !== null);
    await app.database.query('UPDATE webhook_deliveries SET attempts = 9 WHERE webhook_id = $1 AND sequence IS NULL', [
      id,
    ]);
    await app.database.query('UPDATE webhook_states SET rest_until = NULL WHERE webhook_id = $1', [id]);
    await app.service.setTime(new Date(Date.now() + HOUR_MS).toISOString());
    const disabled = await webhookOnce(id, ({ is_enabled }) => is_enabled === false);
    expect(disabled).toMatchObject({ disabled_reason: 'failing', verified_at: null });
    await deliveriesOnce(id, (all) => all.every(({ status }) => status === 'failed'));
    expect(receiver.messages().map(({ type }) => type)).toEqual(['webhook.test', 'webhook.test']);
  });

  it('waits as long as its receiver asks, up to a day', async () => {
    const endeavour = await app.endeavour(owner);
    const { id } = await create({ url: receiver.url(), endeavour_id: endeavour, events: ['task.created'] });
    const waits = [
      [429, '3600', 3_600],
      [503, new Date(Date.now() + 2 * HOUR_MS).toUTCString(), 7_200],
      [503, '999999', 86_400],
      [500, '3600', 5],
    ] as const;
    for (const [at, [status, header, seconds]] of waits.entries()) {
      receiver.refuse(status, { 'retry-after': header });
      await app.task(owner, endeavour);
      const [one] = await deliveriesOnce(id, (all) => all.length > at && all[0].attempts === 1);
      const wait = (Date.parse(String(one.next_attempt_at)) - Date.parse(String(one.attempted_at))) / 1_000;
      expect(Math.abs(wait - seconds)).toBeLessThan(seconds * 0.11);
      await app.database.query('UPDATE webhook_states SET rest_until = NULL WHERE webhook_id = $1', [id]);
      await app.database.query(
        `UPDATE webhook_deliveries SET status = 'failed', due_at = NULL, finished_at = now() WHERE webhook_id = $1 AND status = 'pending'`,
        [id],
      );
    }
  });

  it('and others send at most 20 requests a second to one host', async () => {
    const endeavour = await app.endeavour(owner);
    const arrivals: number[] = [];
    receiver.respond = (response) => {
      arrivals.push(performance.now());
      response.end();
    };
    for (const path of ['/a', '/b', '/c']) {
      await create({ url: receiver.url(path), endeavour_id: endeavour, events: ['task.created'] });
    }
    for (let n = 0; n < 12; n += 1) await app.task(owner, endeavour);
    for (const path of ['/a', '/b', '/c']) await receiver.until(12, path);
    // 36 requests have 35 gaps of 50 ms between them; requests that were sent apart can arrive together.
    expect(Math.max(...arrivals) - Math.min(...arrivals)).toBeGreaterThan(1_500);
  });

  it('is signed with both secrets for 24 hours after a rotation', async () => {
    const endeavour = await app.endeavour(owner);
    const { id, secret } = await create({ url: receiver.url(), endeavour_id: endeavour });
    const { body } = await app.as(owner).post(`/webhooks/${id}/rotate-secret`).expect(200);
    const fresh: string = body.data.secret;
    const test = async (count: number) => {
      await app.as(owner).post(`/webhooks/${id}/test`).expect(201);
      await receiver.until(count, '/');
      return receiver.received.findLast(({ body: sent }) => sent.includes('webhook.test'));
    };
    await app.as(owner).patch(`/webhooks/${id}`).send({ is_enabled: false }).expect(200);
    await deliveriesOnce(id, (all) => all.every(({ status }) => status !== 'pending'));
    const sent = await test(receiver.received.length + 1);
    const signed = sent?.headers as Record<string, string>;
    expect(signed['webhook-signature'].split(' ')).toHaveLength(2);
    for (const key of [secret, fresh]) new Webhook(key).verify(sent?.body ?? '', signed);
    await app.service.setTime(new Date(Date.now() + 25 * HOUR_MS).toISOString());
    const later = await test(receiver.received.length + 1);
    const signedLater = later?.headers as Record<string, string>;
    new Webhook(fresh).verify(later?.body ?? '', signedLater);
    expect(() => new Webhook(secret).verify(later?.body ?? '', signedLater)).toThrow('No matching signature found');
  });
});

describe('the deliveries of a webhook', () => {
  it('stop when its owner loses the admin role, until another admin takes it over', async () => {
    const endeavour = await app.endeavour(owner);
    const [admin, other] = [await app.person('Bob'), await app.person('Eve')];
    for (const person of [admin, other]) await app.join(endeavour, person, 'admin');
    const body = { url: receiver.url(), endeavour_id: endeavour, events: ['task.created'] };
    const { body: made } = await app.as(admin).post('/webhooks').send(body).expect(201);
    const { id } = made.data;
    await app.as(owner).patch(`/endeavours/${endeavour}/members/${admin.id}`).send({ role: 'member' }).expect(200);
    await app.task(owner, endeavour);
    const disabled = await webhookOnce(id, ({ is_enabled }) => is_enabled === false);
    expect(disabled).toMatchObject({ disabled_reason: 'owner_left', owner_id: admin.resourceId });
    const { body: inbox } = await app.as(other).get('/messages').expect(200);
    expect(inbox.data).toMatchObject([{ subject: 'A webhook was disabled', entity_id: id }]);
    const { body: taken } = await app.as(other).patch(`/webhooks/${id}`).send({ is_enabled: true }).expect(200);
    expect(taken.data).toMatchObject({ owner_id: other.resourceId, is_enabled: true, disabled_reason: null });
    const task = await app.task(owner, endeavour);
    await receiver.until(1);
    expect(receiver.messages().map(({ data }) => data.entity_id)).toEqual([task]);
  });

  it('stop when the endeavour is transferred to another home', async () => {
    const [from, to] = [await app.organization(owner), await app.organization(owner)];
    const endeavour = await app.endeavour(owner, { organization_id: from });
    const body = { url: receiver.url(), endeavour_id: endeavour, events: ['task.created'] };
    const { id } = await create(body);
    await app.as(owner).post(`/endeavours/${endeavour}/transfer`).send({ organization_id: to }).expect(200);
    await app.task(owner, endeavour);
    expect(await webhookOnce(id, ({ is_enabled }) => is_enabled === false)).toMatchObject({ disabled_reason: 'moved' });
    expect(receiver.received).toEqual([]);
  });

  it('continue when an endeavour without a home gets its first one', async () => {
    const endeavour = await app.endeavour(owner);
    await create({ url: receiver.url(), endeavour_id: endeavour, events: ['task.created'] });
    const organization = await app.organization(owner);
    const link = { endeavour_id: endeavour };
    await app.as(owner).post(`/organizations/${organization}/endeavours`).send(link).expect(200);
    const task = await app.task(owner, endeavour);
    await receiver.until(1);
    expect(receiver.messages()[0].data.entity_id).toBe(task);
  });

  it('are skipped if the entity has left the container', async () => {
    const [here, there] = [await app.endeavour(owner), await app.endeavour(owner)];
    receiver.refuse();
    const { id } = await create({ url: receiver.url(), endeavour_id: here, events: ['task.created'] });
    const task = await app.task(owner, here);
    await deliveriesOnce(id, (all) => all[0]?.attempts === 1);
    await app.as(owner).patch(`/tasks/${task}`).send({ endeavour_id: there }).expect(200);
    await app.as(owner).get('/changes?after=now').expect(200);
    await app.service.setTime(new Date(Date.now() + 10_000).toISOString());
    const [one] = await deliveriesOnce(id, (all) => all[0].status !== 'pending');
    expect(one).toMatchObject({ status: 'skipped', attempts: 1 });
    expect(receiver.received).toHaveLength(1);
  });

  it('fail if the webhook is disabled or deleted before they are sent', async () => {
    const endeavour = await app.endeavour(owner);
    receiver.refuse();
    const sent = { url: receiver.url(), endeavour_id: endeavour, events: ['task.created'] };
    const [disabled, deleted] = [await create(sent), await create(sent)];
    await app.task(owner, endeavour);
    for (const { id } of [disabled, deleted]) await deliveriesOnce(id, (all) => all[0]?.attempts === 1);
    await app.as(owner).patch(`/webhooks/${disabled.id}`).send({ is_enabled: false }).expect(200);
    await app.as(owner).delete(`/webhooks/${deleted.id}`).expect(200);
    const ended = await app.database.query(
      'SELECT webhook_id, status, error FROM webhook_deliveries WHERE webhook_id = ANY($1) AND sequence IS NOT NULL ORDER BY error',
      [[disabled.id, deleted.id]],
    );
    expect(ended).toEqual([
      { webhook_id: deleted.id, status: 'failed', error: 'The webhook was deleted.' },
      { webhook_id: disabled.id, status: 'failed', error: 'The webhook was disabled.' },
    ]);
  });

  it('are erased with the endeavour', async () => {
    const endeavour = await app.endeavour(owner);
    const { id } = await create({ url: receiver.url(), endeavour_id: endeavour, events: ['task.created'] });
    await app.task(owner, endeavour);
    await receiver.until(1);
    await app.as(owner).post(`/endeavours/${endeavour}/archive`).send({ reason: 'Over' }).expect(200);
    const { body } = await app.as(owner).delete(`/endeavours/${endeavour}?confirm=Garden`).expect(202);
    await app.ended(owner, `/operations/${body.data.id}`);
    for (const table of ['webhook_states', 'webhook_deliveries']) {
      const rows = await app.database.query(`SELECT 1 FROM ${table} WHERE webhook_id = $1`, [id]);
      expect([table, rows]).toEqual([table, []]);
    }
  });
});
