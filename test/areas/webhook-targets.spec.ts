import { setTimeout as pause } from 'node:timers/promises';
import { isPublicAddress } from '../../src/common/network/public-address.js';
import { startNameServer } from '../faults/support/name-server.mjs';
import { TestApp, type Person } from '../support/test-app.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';

const PUBLIC = ['1.1.1.1', '93.184.216.34', '2606:4700:4700::1111', '2001:4860:4860::8888'];

/** Notations of hosts on this machine, in private networks or of the metadata services of clouds. */
const FORBIDDEN = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '127.0.0.1.',
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  'localhost',
  'LOCALHOST.',
  'db.localhost',
  '[::]',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[64:ff9b::a9fe:a9fe]',
  '[64:ff9b:1::a00:1]',
  '[2002:7f00:1::]',
  '[2001:0:4136:e378:8000:63bf:3fff:fdd2]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[2001:db8::1]',
  '[100::1]',
];

describe('a public address', () => {
  it.each(PUBLIC)('is %s', (address) => expect(isPublicAddress(address)).toBe(true));

  it.each(['', 'example.com', '999.1.1.1', '127.0.0.1', '::1'])('is not "%s"', (address) =>
    expect(isPublicAddress(address)).toBe(false),
  );
});

describe('the target of a webhook', () => {
  const addresses = new Map<string, string>();
  let names: Awaited<ReturnType<typeof startNameServer>>;
  let receiver: WebhookReceiver;
  let app: TestApp;
  let owner: Person;
  let endeavour: string;

  beforeAll(async () => {
    names = await startNameServer(addresses);
    receiver = await WebhookReceiver.open();
    app = await TestApp.open({ WORKERS: 'true', WEBHOOK_HTTP: 'true', WEBHOOK_RESOLVERS: names.address });
    owner = await app.person('Ann');
    endeavour = await app.endeavour(owner);
  });
  afterAll(async () => {
    await app.close();
    await receiver.close();
    await names.close();
  });

  const save = (url: string) =>
    app.as(owner).post('/webhooks').send({ url, endeavour_id: endeavour, is_enabled: false });

  /** Sends a test message, and returns its delivery after the first attempt. */
  async function tried(by: TestApp, person: Person, id: string): Promise<{ error: string | null; status: string }> {
    const { body: made } = await by.as(person).post(`/webhooks/${id}/test`).expect(201);
    for (;;) {
      const { body } = await by.as(person).get(`/webhooks/${id}/deliveries/${made.data.id}`).expect(200);
      if (body.data.attempts > 0) return body.data;
      await pause(20);
    }
  }

  it.each(FORBIDDEN)('is rejected at %s', async (host) => {
    const { body } = await save(`http://${host}:${receiver.port}/`).expect(400);
    expect(body.error.details.fields).toMatchObject([{ field: 'url', code: 'invalid_value' }]);
  });

  it('is rejected if its name resolves to such an address, on every change', async () => {
    addresses.set('inside.example.com', '10.0.0.7');
    addresses.set('outside.example.com', '93.184.216.34');
    await save('http://inside.example.com/').expect(400);
    const { body } = await save('http://outside.example.com/').expect(201);
    const path = `/webhooks/${body.data.id}`;
    await app.as(owner).patch(path).send({ url: 'http://inside.example.com/' }).expect(400);
    await app.as(owner).delete(path).expect(200);
  });

  it('may have a name that has no address yet', async () => {
    const { body } = await save('https://later.example.com/').expect(201);
    expect(await tried(app, owner, body.data.id)).toMatchObject({
      status: 'pending',
      error: 'The host name has no address.',
      response_status: null,
    });
  });

  it('is checked again on delivery, after its name has changed to resolve to this machine', async () => {
    addresses.set('rebinding.example.com', '93.184.216.34');
    const { body } = await save(`http://rebinding.example.com:${receiver.port}/`).expect(201);
    addresses.set('rebinding.example.com', '127.0.0.1');
    expect(await tried(app, owner, body.data.id)).toMatchObject({
      status: 'pending',
      error: 'The host has an address that is not public.',
    });
    expect(receiver.received).toEqual([]);
  });

  it('may be in a network that the settings allow, and is reached at the resolved address', async () => {
    const settings = { WORKERS: 'true', WEBHOOK_HTTP: 'true', WEBHOOK_ALLOW: '127.0.0.0/8' };
    const allowing = await TestApp.open({ ...settings, WEBHOOK_RESOLVERS: names.address });
    const ann = await allowing.person('Ann');
    addresses.set('receiver.example.com', '127.0.0.1');
    const url = `http://receiver.example.com:${receiver.port}/`;
    const endeavour_id = await allowing.endeavour(ann);
    const { body } = await allowing.as(ann).post('/webhooks').send({ url, endeavour_id }).expect(201);
    expect(await tried(allowing, ann, body.data.id)).toMatchObject({ status: 'succeeded', error: null });
    expect(receiver.received[0].headers.host).toBe(`receiver.example.com:${receiver.port}`);
    await allowing.as(ann).post('/webhooks').send({ url: 'http://10.0.0.1/', endeavour_id }).expect(400);
    await allowing.close();
  });

  it('requires https unless the settings allow http', async () => {
    const strict = await TestApp.open();
    const ann = await strict.person('Ann');
    const endeavour_id = await strict.endeavour(ann);
    const { body } = await strict.as(ann).post('/webhooks').send({ url: 'http://1.1.1.1/', endeavour_id }).expect(400);
    expect(body.error.details.fields).toMatchObject([{ field: 'url', message: 'url must begin with https://.' }]);
    await strict.as(ann).post('/webhooks').send({ url: 'https://1.1.1.1/', endeavour_id }).expect(201);
    await strict.close();
  });
});
