import { TestApp, type Person } from '../support/test-app.js';
import { tokenOf } from '../support/tokens.js';

/** An operation that a restricted token starts keeps the restriction in the background. */
describe('an operation that a restricted token has started', () => {
  let app: TestApp;
  let [ann, bob, ada]: Person[] = [];
  let [garden, cellar]: string[] = [];

  beforeAll(async () => {
    app = await TestApp.open({ WORKERS: 'true', LIMIT_WRITES_PER_MINUTE: '100000' });
    [ann, bob, ada] = [await app.person('Ann'), await app.person('Bob'), await app.admin('Ada')];
    [garden, cellar] = [await app.endeavour(ann), await app.endeavour(ann, { name: 'Cellar' })];
    await app.join(garden, bob, 'member');
  });
  afterAll(() => app.close());

  const endOf = async (person: Person, location: string) => {
    const { body } = await app.ended(person, location);
    return body.data;
  };
  const bulk = async (person: Person, changes: object) => {
    const { headers } = await app
      .as(person)
      .post('/tasks/bulk')
      .send({ filter: { endeavour_id: garden }, changes })
      .expect(202);
    return endOf(person, headers.location);
  };

  it('moves no tasks out of the container, as no single request with the token can', async () => {
    const token = await tokenOf(app, ann, { endeavour_id: garden });
    const task = await app.task(ann, garden);
    await app.as(token).patch(`/tasks/${task}`).send({ endeavour_id: cellar }).expect(400);
    expect(await bulk(token, { endeavour_id: cellar })).toMatchObject({
      status: 'succeeded',
      result: { changed: 0, refused: 1, refusals: [{ id: task, code: 'invalid_input' }] },
    });
    const { body } = await app.as(ann).get(`/tasks/${task}`).expect(200);
    expect(body.data).toMatchObject({ endeavour_id: garden, revision: 1 });
  });

  it('changes tasks in the container', async () => {
    const token = await tokenOf(app, ann, { endeavour_id: garden });
    const task = await app.task(ann, garden);
    expect(await bulk(token, { assignee_id: bob.id })).toMatchObject({ status: 'succeeded', result: { refused: 0 } });
    const { body } = await app.as(ann).get(`/tasks/${task}`).expect(200);
    expect(body.data).toMatchObject({ assignee_id: bob.resourceId });
  });

  it('has no administrator rights, so that an import does not keep its authors', async () => {
    await app.join(garden, ada, 'admin');
    const token = await tokenOf(app, ada, { endeavour_id: garden });
    const { headers } = await app
      .as(token)
      .post(`/imports?format=csv&endeavour_id=${garden}`)
      .set('Content-Type', 'text/csv')
      .send('id,title,author\nA-1,Forged,Bob\n')
      .expect(202);
    expect(await endOf(token, headers.location)).toMatchObject({ status: 'succeeded' });
    const { body } = await app.as(ann).get(`/tasks?endeavour_id=${garden}&external=csv:A-1`).expect(200);
    expect(body.data).toMatchObject([{ creator_id: ada.resourceId, metadata: { imported: { author: 'Bob' } } }]);
  });
});
