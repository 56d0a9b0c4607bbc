import { Readiness } from '../../src/platform/health/readiness.js';
import { InProcessApp } from '../support/in-process-app.js';
import { StreamReader } from '../support/stream-reader.js';
import type { Person } from '../support/test-app.js';

describe('a request that waits for events and arrives during shutdown', () => {
  let app: InProcessApp;
  let ann: Person;
  let garden: string;

  beforeAll(async () => {
    app = await InProcessApp.open({ LIMIT_WRITES_PER_MINUTE: '100000' });
    ann = await app.person('Ann', { tier: 3 });
    garden = await app.endeavour(ann);
    app.nest.get(Readiness).leave();
  });

  afterAll(() => app.close());

  /** Creates tasks until the request is over: a request that waits would receive one of them. */
  async function createTasksUntil(isOver: () => boolean): Promise<void> {
    while (!isOver()) await app.task(ann, garden);
  }

  it('returns at once, without events', async () => {
    let isAnswered = false;
    const response = app
      .as(ann)
      .get('/changes?after=now&wait=60')
      .expect(200)
      .then(({ body }) => {
        isAnswered = true;
        return body.data as unknown[];
      });
    await createTasksUntil(() => isAnswered);
    expect(await response).toEqual([]);
  });

  it('ends its stream at once, without events', async () => {
    const stream = new StreamReader(app.port(), ann, 'after=now');
    await createTasksUntil(() => stream.hasEnded || stream.events.length > 0);
    expect([stream.text, stream.hasEnded]).toEqual(['retry: 2000\n\n', true]);
    stream.close();
  });
});
