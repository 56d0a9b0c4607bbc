import { connect } from 'node:net';
import { once } from 'node:events';
import { TestApp, type Person } from '../support/test-app.js';

interface Line {
  method: string;
  route: string;
  status: number;
  user_id: string;
}

describe('the access log', () => {
  let app: TestApp;
  let ann: Person;
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open();
    ann = await app.person('Ann');
    garden = await app.endeavour(ann);
  });

  afterAll(() => app.close());

  /** Waits for the log lines of a request and returns them. */
  const linesOf = async (requestId: string): Promise<Line[]> => {
    for (;;) {
      const lines = await app.service.logOf(requestId);
      if (lines.length > 0) return lines.map((line) => JSON.parse(line) as Line);
      await app.database.query('SELECT pg_sleep(0.02)');
    }
  };

  it('has one line for each request, with the pattern of its route', async () => {
    const { headers } = await app.as(ann).get(`/endeavours/${garden}`).expect(200);
    expect(await linesOf(headers['x-request-id'])).toEqual([
      expect.objectContaining({ method: 'GET', route: '/api/v1/endeavours/:id', status: 200, user_id: ann.id }),
    ]);
  });

  it('has the code of an error without the query, and a path only for requests without a route', async () => {
    const { headers } = await app
      .as(ann)
      .get(`/tasks?nonsense=${'x'.repeat(50)}`)
      .expect(400);
    const [refused] = await linesOf(headers['x-request-id']);
    expect(refused).toMatchObject({ level: 30, route: '/api/v1/tasks', status: 400, code: 'invalid_input' });
    expect(JSON.stringify(refused)).not.toContain('nonsense');

    const unknown = await app
      .as(ann)
      .get(`/no-such-thing/${'y'.repeat(500)}?secret=1`)
      .expect(404);
    const [missing] = await linesOf(unknown.headers['x-request-id']);
    expect(missing).toMatchObject({
      status: 404,
      code: 'not_found',
      path: expect.stringMatching(/^\/api\/v1\/no-such/),
    });
    expect(missing).not.toHaveProperty('route');
    expect((missing as unknown as { path: string }).path).toHaveLength(200);
  });

  it('has no line for health requests', async () => {
    const { headers } = await app.as(null).get('/health/live').expect(200);
    await app.as(ann).get('/tasks').expect(200);
    expect(await app.service.logOf(headers['x-request-id'])).toEqual([]);
  });

  it('has a line for each sign-in, with the user id', async () => {
    const email = 'signer@example.org';
    const passwordHash = await app.service.hashPassword('a river of quiet lamps');
    const { id } = await app.service.enroll({ email, name: 'Signer', passwordHash });
    const { headers } = await app
      .as(null)
      .post('/auth/login')
      .send({ email, password: 'a river of quiet lamps' })
      .expect(200);
    const lines = await linesOf(headers['x-request-id']);
    expect(lines).toContainEqual(expect.objectContaining({ msg: 'signed in', user_id: id }));
  });

  it('has a line for each failed sign-in, with the id of the account that it was for', async () => {
    const { headers } = await app
      .as(null)
      .post('/auth/login')
      .send({ email: ann.email, password: 'another river of quiet lamps' })
      .expect(401);
    const lines = await linesOf(headers['x-request-id']);
    expect(lines).toContainEqual(
      expect.objectContaining({ msg: 'sign-in failed', code: 'invalid_credentials', user_id: ann.id }),
    );
    expect(JSON.stringify(lines)).not.toContain(ann.email);
  });

  it('has a line for a write that finished after its client had disconnected', async () => {
    const id = `hung-up-${Date.now()}`;
    const other = await app.openConnection();
    await other.query('BEGIN');
    await other.query('UPDATE endeavours SET holds = holds + 1 WHERE id = $1', [garden]);
    const body = JSON.stringify({ title: 'Written after the client left', endeavour_id: garden });
    const socket = connect(app.port(), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(
      [
        'POST /api/v1/tasks HTTP/1.1',
        'host: localhost',
        `authorization: Bearer ${ann.token}`,
        'content-type: application/json',
        `content-length: ${Buffer.byteLength(body)}`,
        `x-request-id: ${id}`,
        '',
        body,
      ].join('\r\n'),
    );
    await app.untilLockWaits(1);
    socket.resetAndDestroy();
    await once(socket, 'close');
    await other.query('ROLLBACK');
    await other.end();
    const lines = await linesOf(id);
    expect(lines).toEqual([
      expect.objectContaining({ method: 'POST', route: '/api/v1/tasks', status: 201, user_id: ann.id }),
    ]);
    const { body: found } = await app.as(ann).get(`/tasks?endeavour_id=${garden}`).expect(200);
    expect(found.data.map(({ title }: { title: string }) => title)).toEqual(['Written after the client left']);
  });
});
