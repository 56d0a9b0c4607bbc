import { setTimeout as pause } from 'node:timers/promises';
import { TestApp, type Person } from '../support/test-app.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';

describe('webhooks under attack', () => {
  let receiver: WebhookReceiver;
  let app: TestApp;
  let [ann, eve]: Person[] = [];
  let garden: string;

  beforeAll(async () => {
    receiver = await WebhookReceiver.open();
    app = await TestApp.open({ WORKERS: 'true', WEBHOOK_HTTP: 'true', WEBHOOK_ALLOW: '127.0.0.0/8' });
    [ann, eve] = [await app.person('Ann'), await app.person('Eve')];
    garden = await app.endeavour(ann);
  });
  afterEach(() => receiver.accept());
  afterAll(async () => {
    await app.close();
    await receiver.close();
  });

  const made = async (person: Person, path: string, endeavour_id = garden): Promise<{ id: string; secret: string }> => {
    const sent = { url: receiver.url(path), endeavour_id };
    return (await app.as(person).post('/webhooks').send(sent).expect(201)).body.data;
  };

  it('do not retry a test after they are deleted', async () => {
    receiver.refuse();
    const { id } = await made(ann, '/deleted');
    const { body } = await app.as(ann).post(`/webhooks/${id}/test`).expect(201);
    const delivery = async () =>
      app.observer.one<{ status: string; attempts: number; dueAt: Date | null }>(
        'SELECT status, attempts, due_at AS "dueAt" FROM webhook_deliveries WHERE id = $1',
        [body.data.id],
      );
    while ((await delivery())?.attempts === 0) await pause(20);
    expect(await delivery()).toMatchObject({ status: 'pending', attempts: 1 });
    await app.as(ann).delete(`/webhooks/${id}`).expect(200);
    expect(await delivery()).toEqual({ status: 'failed', attempts: 1, dueAt: null });
  });

  it('never show their secret to other admins, in lists, events or repeated requests', async () => {
    const { id, secret } = await made(ann, '/secret');
    await app.join(garden, eve, 'admin');
    const texts = [];
    for (const path of [`/webhooks/${id}`, '/webhooks', '/changes?after=0&limit=200']) {
      texts.push((await app.as(eve).get(path).expect(200)).text);
    }
    expect(texts[0]).toContain(id);
    expect(texts.join('\n')).not.toContain(secret);
    const rotate = () =>
      app.as(ann).post(`/webhooks/${id}/rotate-secret`).set('Idempotency-Key', 'rotated').expect(200);
    const [first, second] = [await rotate(), await rotate()];
    expect(first.body.data.secret).not.toBe(secret);
    expect(second.body.data.secret).toBeNull();
    const kept = await app.observer.query('SELECT body FROM idempotency_keys WHERE position($1 IN body) > 0', [
      first.body.data.secret,
    ]);
    expect(kept).toEqual([]);
  });

  it('of a removed admin deliver nothing that happens afterwards, regardless of what the admin requests', async () => {
    const shed = await app.endeavour(ann, { name: 'Shed' });
    const mia = await app.person('Mia');
    await app.join(shed, mia, 'admin');
    const { id } = await made(mia, '/dismissed', shed);
    await app.as(ann).delete(`/endeavours/${shed}/members/${mia.id}`).expect(200);
    const secret = await app.task(ann, shed, { title: 'After the dismissal' });
    const deliveries = await app.observer.query('SELECT id FROM webhook_deliveries WHERE webhook_id = $1', [id]);
    for (const { id: delivery } of deliveries) {
      await app
        .as(mia)
        .post(`/webhooks/${id}/deliveries/${String(delivery)}/redeliver`)
        .expect(404);
    }
    await app.as(mia).patch(`/webhooks/${id}`).send({ is_enabled: true }).expect(404);
    await app.as(mia).post(`/webhooks/${id}/test`).expect(404);
    const isOver = async () =>
      (await app.observer.one('SELECT 1 FROM webhooks WHERE id = $1 AND NOT is_enabled', [id])) !== undefined;
    while (!(await isOver())) await pause(50);
    expect(receiver.received.filter(({ path, body }) => path === '/dismissed' && body.includes(secret))).toEqual([]);
  });
});
