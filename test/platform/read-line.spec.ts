import { PipelinedReader } from '../../src/platform/database/connections/pipelined-reader.js';
import { InProcessApp } from '../support/in-process-app.js';
import type { Person } from '../support/test-app.js';

describe('short reads', () => {
  let app: InProcessApp;
  let ann: Person;
  let garden: string;

  beforeAll(async () => {
    app = await InProcessApp.open();
    ann = await app.person('Ann');
    garden = await app.endeavour(ann);
  });

  afterAll(() => app.close());

  it('that share a connection each get their own response', async () => {
    const bob = await app.person('Bob');
    const ids = await Promise.all(Array.from({ length: 50 }, (_, n) => app.task(ann, garden, { title: `Task ${n}` })));
    const asked = ids.flatMap((id, n) => [
      app
        .as(ann)
        .get(`/tasks/${id}`)
        .expect(200)
        .then(({ body }) => [body.data.id, body.data.title, id, `Task ${n}`]),
      app
        .as(bob)
        .get(`/tasks/${id}`)
        .expect(404)
        .then(() => [id, '', id, '']),
    ]);
    for (const [id, title, expectedId, expectedTitle] of await Promise.all(asked)) {
      expect([id, title]).toEqual([expectedId, expectedTitle]);
    }
  });

  it('whose connection breaks are sent on another one', async () => {
    const id = await app.task(ann, garden);
    const line = app.nest.get(PipelinedReader).open;
    if (line === undefined) throw new Error('the connection stands after a request');
    const broken = jest.spyOn(line, 'send').mockRejectedValueOnce(new Error('Connection terminated unexpectedly'));
    await app.as(ann).get(`/tasks/${id}`).expect(200);
    expect(broken).toHaveBeenCalled();
    broken.mockRestore();
  });

  it('recover from the loss of every connection', async () => {
    const id = await app.task(ann, garden);
    const get = () => app.as(ann).get(`/tasks/${id}`);
    await get().expect(200);
    const asked = Array.from({ length: 40 }, get);
    await app.observer
      .query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      )
      .catch(() => undefined);
    for (const { status } of await Promise.all(asked)) expect([200, 503]).toContain(status);
    for (let n = 0; n < 20; n += 1) {
      const { status } = await get();
      expect([200, 503]).toContain(status);
    }
    await get().expect(200);
  });
});
