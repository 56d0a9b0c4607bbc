import { InProcessApp } from '../support/in-process-app.js';
import { StreamReader } from '../support/stream-reader.js';

describe('the comment lines of a stream', () => {
  let app: InProcessApp;

  beforeAll(async () => {
    app = await InProcessApp.open();
  });
  afterAll(() => app.close());

  it('are sent every 15 seconds, even while events that its filter excludes wake the stream', async () => {
    const ann = await app.person('Ann');
    const garden = await app.endeavour(ann);
    const all = new StreamReader(app.port(), ann, 'type=task.*');
    const quiet = new StreamReader(app.port(), ann, 'type=artifact.*');
    for (const stream of [all, quiet]) await stream.until(() => stream.text.includes('retry'));
    const { now } = performance;
    const time = jest.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + 15_000);
    // Every task wakes both streams, so the quiet one has woken several times when the other has received all events.
    for (let tasks = 1; tasks <= 10; tasks += 1) {
      await app.task(ann, garden);
      await all.until(() => all.events.length === tasks);
    }
    time.mockRestore();
    expect(quiet.events).toEqual([]);
    expect(quiet.text).toMatch(/^retry: 2000\n\n(:\nid: \d+\n\n)+$/);
    for (const stream of [all, quiet]) stream.close();
  });
});
