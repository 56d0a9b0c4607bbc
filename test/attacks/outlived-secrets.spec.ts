import { StreamReader } from '../support/stream-reader.js';
import { TestApp, type Person } from '../support/test-app.js';
import { tokenOf } from '../support/tokens.js';

/** A leaked secret is rotated; streams that were opened with it must end. */
describe('a stream that was opened with the secret of a token', () => {
  let app: TestApp;
  let ann: Person;
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open({ LIMIT_WRITES_PER_MINUTE: '100000' });
    ann = await app.person('Ann');
    garden = await app.endeavour(ann);
  });
  afterAll(() => app.close());

  const open = async (person: Person): Promise<StreamReader> => {
    const stream = new StreamReader(app.port(), person, 'after=now');
    await stream.until(() => stream.text.includes('retry'));
    return stream;
  };
  const rotate = (id: string, body: object) => app.as(ann).post(`/auth/tokens/${id}/rotate`).send(body).expect(200);

  it('ends when the token is rotated, and sends no further events', async () => {
    const token = await tokenOf(app, ann);
    const stream = await open(token);
    await rotate(token.tokenId, {});
    const task = await app.task(ann, garden);
    await stream.until(() => stream.hasEnded);
    expect(stream.text).not.toContain(task);
  });

  it('continues while the old secret overlaps with the new one', async () => {
    const token = await tokenOf(app, ann);
    const stream = await open(token);
    await rotate(token.tokenId, { overlap: 3_600 });
    const task = await app.task(ann, garden);
    await stream.until(() => stream.events.some(({ entity_id }) => entity_id === task));
    await app.as(ann).delete(`/auth/tokens/${token.tokenId}`).expect(200);
    await stream.until(() => stream.hasEnded);
  });
});
