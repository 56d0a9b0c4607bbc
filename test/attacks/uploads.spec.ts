import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { TestApp, type Person } from '../support/test-app.js';

const BOUNDARY = 'xxxx';
const FORM = `multipart/form-data; boundary=${BOUNDARY}`;
const FILE_PART =
  'Content-Disposition: form-data; name="file"; filename="a.csv"\r\nContent-Type: application/octet-stream';

/** The beginning of a form with the parameters and the first part of a file. */
const formOf = (fields: Record<string, string>, file: string): string =>
  [
    ...Object.entries(fields).map(
      ([name, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    ),
    `--${BOUNDARY}\r\n${FILE_PART}\r\n\r\n${file}`,
  ].join('');

describe('a file that is uploaded to an import', () => {
  let app: TestApp;
  let [ann, eve]: Person[] = [];
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open({ WORKERS: 'true', LIMIT_WRITES_PER_MINUTE: '100000' });
    [ann, eve] = [await app.person('Ann'), await app.person('Eve')];
  });
  // An import that a test has begun may still work on its endeavour when the next test begins.
  beforeEach(async () => {
    garden = await app.endeavour(ann);
  });
  afterAll(() => app.close());

  /** Opens a connection and sends the headers of a request. */
  const begun = (person: Person, query: string, type: string, length: number): Socket => {
    const socket = connect(app.port(), '127.0.0.1').setEncoding('utf8');
    socket.on('error', () => undefined);
    const head = [`POST /api/v1/imports?${query} HTTP/1.1`, 'Host: worksmith', `Authorization: Bearer ${person.token}`];
    socket.write([...head, `Content-Type: ${type}`, `Content-Length: ${length}`, '', ''].join('\r\n'));
    return socket;
  };
  const answerOn = async (socket: Socket): Promise<string> => {
    let response = '';
    socket.on('data', (piece: string) => (response += piece));
    while (!response.includes('\r\n\r\n')) await once(socket, 'data');
    return response;
  };
  const inTransactions = async (): Promise<number> => {
    const sql = `SELECT count(*)::integer AS count FROM pg_stat_activity
      WHERE state = 'idle in transaction' AND datname = current_database()`;
    return (await app.observer.one<{ count: number }>(sql))?.count ?? 0;
  };
  const statusOf = (response: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(response)?.[1]);

  it('does not crash the service if its client disconnects before the file is read', async () => {
    const socket = begun(ann, '', FORM, 1_000_000);
    socket.write(formOf({ format: 'csv', endeavour_id: garden }, 'id,title\n1,Dig\n'));
    socket.destroy();
    await once(socket, 'close');
    await app.as(eve).get('/auth/whoami').expect(200);
    await app.as(eve).get('/auth/whoami').expect(200);
    expect(await app.database.query('SELECT 1 FROM imports WHERE endeavour_id = $1', [garden])).toEqual([]);
  });

  it.each([
    ['as a form', FORM, ''],
    ['as a raw body', 'application/octet-stream', '&format=csv'],
  ])('does not keep its turn if its client disconnects while it waits for one: %s', async (_, type, query) => {
    const first = begun(ann, `format=csv&endeavour_id=${garden}`, 'application/octet-stream', 1_000);
    first.write('id,title\n');
    // The transaction of the first upload shows that it has its turn.
    while ((await inTransactions()) < 1) await app.observer.query('SELECT pg_sleep(0.02)');
    const second = begun(ann, type === FORM ? '' : `endeavour_id=${garden}${query}`, type, 1_000_000);
    second.write(type === FORM ? formOf({ format: 'csv', endeavour_id: garden }, 'id,title\n1,Dig\n') : 'id,title\n');
    await app.as(eve).get('/auth/whoami').expect(200);
    second.destroy();
    await once(second, 'close');
    first.destroy();
    await once(first, 'close');
    const small = () =>
      app
        .as(ann)
        .post(`/imports?format=csv&endeavour_id=${garden}&dry_run=true`)
        .set('Content-Type', 'application/octet-stream')
        .send('id,title\n');
    // Only one upload of a user has its turn, so a lost turn would never end. The service may notice the ends of the
    // connections after this request.
    let { status } = await small();
    while (status === 429) ({ status } = await small());
    expect(status).toBe(202);
  });

  it.each([
    ['as a raw body', 'application/octet-stream', `format=csv&endeavour_id=edv_${'0'.repeat(32)}`, ''],
    ['as a form', FORM, '', formOf({ format: 'csv', endeavour_id: `edv_${'0'.repeat(32)}` }, '')],
    ['of an unsupported type', 'image/png', 'format=csv', ''],
  ])('is rejected with an error that clients read after sending all of it: %s', async (_, type, query, begin) => {
    const size = 8 * 1024 * 1024;
    const socket = begun(ann, query, type, size + begin.length);
    let response = '';
    socket.on('data', (piece: string) => (response += piece));
    socket.write(begin);
    const piece = 'x'.repeat(65_536);
    for (let sent = 0; sent < size; sent += piece.length) {
      if (!socket.write(piece)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
      if (socket.destroyed) break;
    }
    if (!socket.destroyed) await once(socket, 'close');
    expect(statusOf(response)).toBe(type === 'image/png' ? 415 : 400);
    expect(socket.bytesWritten).toBeGreaterThan(size);
  });

  it('leaves database connections for others while many files of one user arrive slowly', async () => {
    // A separate user, because the service may still read the last of these uploads when the test ends.
    const sue = await app.person('Sue');
    await app.join(garden, sue, 'admin');
    const sockets: Socket[] = [];
    for (let n = 0; n < 15; n += 1) {
      const again = await app.signInAgain(sue);
      const socket = begun(again, `format=csv&endeavour_id=${garden}`, 'text/csv', 1_000);
      socket.write('id,title\n');
      sockets.push(socket);
    }
    // The first uploads have begun by the time the last one is rejected.
    expect(statusOf(await answerOn(sockets[14]))).toBe(429);
    for (let n = 0; n < 4; n += 1) {
      await app.as(eve).get('/tasks').expect(200);
      await app.as(eve).post('/endeavours').send({ name: 'Attic' }).expect(201);
    }
    for (const socket of sockets) socket.destroy();
  });

  const sendForm = (body: string, type = FORM) => {
    const test = app.as(ann).post('/imports').set('Content-Type', type);
    return test.send(`${body}\r\n--${BOUNDARY}--\r\n`);
  };
  const faultsOf = (body: { error: { details: { fields: { field: string; code: string }[] } } }): string[] =>
    body.error.details.fields.map(({ field, code }) => `${field} ${code}`);

  it('is not imported if a parameter follows it or is repeated, or if there is a second file', async () => {
    const fields = { format: 'csv', endeavour_id: garden };
    const file = formOf(fields, 'id,title\nL-1,Dig\n');
    const late = `\r\n--${BOUNDARY}\r\nContent-Disposition: form-data; name="dry_run"\r\n\r\ntrue`;
    expect(faultsOf((await sendForm(file + late).expect(400)).body)).toEqual(['dry_run invalid_value']);
    const other = `\r\n--${BOUNDARY}\r\n${FILE_PART}\r\n\r\nid,title\nL-2,Dig\n`;
    expect(faultsOf((await sendForm(file + other).expect(400)).body)).toEqual(['form out_of_range']);
    const twice = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="format"\r\n\r\ngithub\r\n`;
    expect(faultsOf((await sendForm(twice + file).expect(400)).body)).toEqual(['format unknown_field']);
    const { body } = await app
      .as(ann)
      .post('/imports?dry_run=true')
      .set('Content-Type', FORM)
      .send(`${formOf({ ...fields, dry_run: 'false' }, 'id,title\nL-3,Dig\n')}\r\n--${BOUNDARY}--\r\n`)
      .expect(400);
    expect(faultsOf(body)).toEqual(['dry_run unknown_field']);
    expect((await app.as(ann).get(`/tasks?endeavour_id=${garden}`)).body.data).toEqual([]);
  });

  it('is not mistaken for a different file under the same Idempotency-Key', async () => {
    const send = (file: string) =>
      app
        .as(ann)
        .post(`/imports?format=csv&endeavour_id=${garden}&dry_run=true`)
        .set({ 'Content-Type': 'text/csv', 'Idempotency-Key': 'nightly' })
        .send(file);
    const { body } = await send('id,title\nK-1,Dig\n').expect(202);
    const { body: again } = await send('id,title\nK-1,Dig\n').expect(202);
    expect(again.data.id).toBe(body.data.id);
    const { body: other } = await send('id,title\nK-1,Dig\nK-2,Rake\n').expect(422);
    expect(other.error.code).toBe('idempotency_key_reused');
  });

  it('is rejected if the form declares no boundary', async () => {
    for (const type of ['multipart/form-data; aboundary=xxxx', 'multipart/form-data; boundary=']) {
      const { body } = await sendForm(formOf({ format: 'csv' }, 'id,title\n'), type).expect(400);
      expect(faultsOf(body)).toEqual(['file invalid_format']);
    }
  });
});
