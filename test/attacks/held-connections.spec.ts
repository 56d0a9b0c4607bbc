import { createSocket, type Socket as NameServer } from 'node:dgram';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { TestApp, type Person } from '../support/test-app.js';

/**
 * An idempotency key is claimed in a transaction. The requests of one user that wait for something else must not occupy
 * the database connections of all others meanwhile.
 */
describe('requests with an Idempotency-Key that wait', () => {
  let app: TestApp;
  let ann: Person;
  let garden: string;
  let names: NameServer;
  let keys = 0;

  beforeAll(async () => {
    // A name server that never answers.
    names = createSocket('udp4').bind(0, '127.0.0.1');
    await once(names, 'listening');
    app = await TestApp.open({
      WORKERS: 'true',
      WEBHOOK_RESOLVERS: `127.0.0.1:${names.address().port}`,
      TEMPLATE_TIMEOUT_MS: '3000',
    });
    ann = await app.person('Ann');
    garden = await app.endeavour(ann);
  });
  afterAll(async () => {
    await app.close();
    names.close();
  });

  const nextKey = (): string => `key-${(keys += 1)}`;
  /** The number of connections that are idle in a transaction after claiming a key. */
  const held = async (): Promise<number> => {
    const rows = await app.observer.query(
      `SELECT 1 FROM pg_stat_activity
       WHERE datname = current_database() AND state = 'idle in transaction' AND query LIKE '%FROM idempotency_keys%'`,
    );
    return rows.length;
  };
  const keyed = (path: string, body: object) =>
    app
      .as(ann)
      .post(path)
      .set('Idempotency-Key', nextKey())
      .send(body)
      .then(({ status }) => status);

  it('for a name server hold no connection', async () => {
    const asked = once(names, 'message');
    const url = 'https://slow.example.com/';
    const saving = Promise.all(Array.from({ length: 8 }, () => keyed('/webhooks', { url, endeavour_id: garden })));
    await asked;
    expect(await held()).toBe(0);
    expect(await saving).toEqual(Array(8).fill(201));
  });

  it('for their turn to import hold no connection', async () => {
    const begin = async (): Promise<Socket> => {
      const { token } = await app.signInAgain(ann);
      const socket = connect(app.port(), '127.0.0.1').setEncoding('utf8');
      socket.on('error', () => undefined);
      const head = [`POST /api/v1/imports?format=csv&endeavour_id=${garden} HTTP/1.1`, 'Host: worksmith'];
      const more = [`Authorization: Bearer ${token}`, `Idempotency-Key: ${nextKey()}`, 'Content-Type: text/csv'];
      socket.write([...head, ...more, 'Content-Length: 1000', '', 'id,title\n'].join('\r\n'));
      return socket;
    };
    const sockets = [await begin(), await begin(), await begin()];
    // One upload is read, one waits, and the third is rejected.
    const refused = await Promise.race(sockets.map(async (socket) => String(await once(socket, 'data'))));
    expect(refused).toMatch(/^HTTP\/1\.1 429 /);
    let least = Infinity;
    for (let looks = 0; looks < 10; looks += 1, await pause(20)) least = Math.min(least, await held());
    expect(least).toBe(0);
    for (const socket of sockets) socket.destroy();
  });

  it('for their turn to render a template hold no more connections than a user has turns', async () => {
    const sent = { name: 'Endless', scope: 'endeavour', body: '{% for i in (1..1000000000) %}x{% endfor %}' };
    const { body } = await app.as(ann).post('/templates').send(sent).expect(201);
    const preview = () => app.as(ann).post(`/templates/${body.data.id}/preview`).send({ entity_id: garden });
    const previews = Promise.all([preview(), preview(), preview(), preview()]);
    const made = Array.from({ length: 6 }, () => keyed('/templates', { ...sent, body: 'Short' }));
    let most = 0;
    const looking = setInterval(() => void held().then((now) => (most = Math.max(most, now))), 20);
    await previews;
    clearInterval(looking);
    expect(await Promise.all(made)).toEqual(Array(6).fill(201));
    expect(most).toBeLessThanOrEqual(2);
  });
});
