import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { InProcessApp } from '../support/in-process-app.js';
import type { Person } from '../support/test-app.js';

/** More than the operating system buffers: 200 descriptions of 150 KB each. */
const TASKS = 200;
const DESCRIPTION = '門'.repeat(50_000);

let app: InProcessApp;
let ann: Person;
let garden: string;
beforeAll(async () => {
  app = await InProcessApp.open({ LIMIT_WRITES_PER_MINUTE: '10000' });
  ann = await app.person('Ann');
  garden = await app.endeavour(ann);
  const task = await app.task(ann, garden, { description: DESCRIPTION });
  await app.database.query(
    `INSERT INTO entities (id, kind, endeavour_id, title)
     SELECT 'tsk_' || lpad(to_hex(n), 32, '0'), kind, endeavour_id, title
     FROM entities, generate_series(2, $2::integer) n WHERE id = $1`,
    [task, TASKS],
  );
  await app.database.query(
    `INSERT INTO tasks (id, endeavour_id, title, description, owner_id, creator_id)
     SELECT 'tsk_' || lpad(to_hex(n), 32, '0'), endeavour_id, title, description, owner_id, creator_id
     FROM tasks, generate_series(2, $2::integer) n WHERE id = $1`,
    [task, TASKS],
  );
});
afterAll(() => app.close());

const list = () => app.as(ann).get(`/tasks?endeavour_id=${garden}&limit=200`);

/** Requests the list, reads the beginning of the response, and stops reading. */
async function askAndStop(): Promise<Socket> {
  const port = app.port();
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  const path = `/api/v1/tasks?endeavour_id=${garden}&limit=200`;
  socket.write(`GET ${path} HTTP/1.1\r\nHost: worksmith\r\nAuthorization: Bearer ${ann.token}\r\n\r\n`);
  const [beginning] = (await once(socket, 'data')) as [Buffer];
  socket.pause();
  expect(beginning.toString()).toContain('HTTP/1.1 200 OK');
  return socket;
}

it('limits large unread responses, and recovers when their connections are closed', async () => {
  const { text } = await list().expect(200);
  expect(text.length).toBeGreaterThan(10_000_000);
  // Each takes 30 MB of memory.
  const idle = [await askAndStop(), await askAndStop()];
  const asked = jest.spyOn(app.database, 'queryAsText');
  const { body, headers } = await list().expect(429);
  // The request is rejected before the query runs, because repeated queries would delay other clients.
  expect(asked).not.toHaveBeenCalled();
  asked.mockRestore();
  expect(body.error.code).toBe('rate_limited');
  expect(headers['retry-after']).toBe('5');
  await app.as(ann).get(`/endeavours/${garden}`).expect(200);
  await app
    .as(await app.admin())
    .get(`/tasks?endeavour_id=${garden}&limit=200`)
    .expect(200);
  for (const socket of idle) socket.destroy();
  await Promise.all(idle.map((socket) => once(socket, 'close')));
  await list().expect(200);
});
