import { attestation } from '../support/dod.js';
import { TestApp, type Person } from '../support/test-app.js';

describe('the ETag of a write', () => {
  let app: TestApp;
  let ann: Person;
  let ada: Person;
  let home: string;
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open();
    [ann, ada] = [await app.person('Ann'), await app.admin()];
    home = await app.organization(ann);
    garden = await app.endeavour(ann, { organization_id: home });
  });

  afterAll(() => app.close());

  const tagOfGet = async (path: string, person: Person): Promise<string> =>
    (await app.as(person).get(path).expect(200)).headers.etag;

  it.each<[string, () => object, object | null, (() => Person)?]>([
    ['tasks', () => ({ title: 'Dig', endeavour_id: garden }), { title: 'Dig deeper' }],
    ['demands', () => ({ type: 'bug', title: 'Dry', endeavour_id: garden }), { title: 'Very dry' }],
    ['artifacts', () => ({ kind: 'doc', title: 'Plan', endeavour_id: garden }), { title: 'Plans' }],
    ['comments', () => ({ entity_type: 'endeavour', entity_id: garden, content: 'Well' }), null],
    ['endeavours', () => ({ name: 'Yard', organization_id: home }), { name: 'Back yard' }],
    ['organizations', () => ({ name: 'Riverside' }), { name: 'Lakeside' }],
    ['resources', () => ({ name: 'Crane', type: 'budget' }), { name: 'Big crane' }],
    ['templates', () => ({ name: 'Weekly', scope: 'task', body: 'Hi', organization_id: home }), { name: 'Daily' }],
    ['rituals', () => ({ name: 'Standup', prompt: 'Stand up', endeavour_id: garden }), { name: 'Sit down' }],
    ['dod-policies', () => ({ name: 'Ours', conditions: [attestation], organization_id: home }), { name: 'Yours' }],
    ['users', () => ({ name: 'Eva', email: `eva${Date.now()}@example.test` }), null, () => ada],
  ])('is that of the GET that follows, for %s', async (kind, body, changes, by = () => ann) => {
    const created = await app.as(by()).post(`/${kind}`).send(body()).expect(201);
    const path = `/${kind}/${created.body.data.id}`;
    expect(created.headers.etag).toBe(await tagOfGet(path, by()));
    if (changes === null) return;
    const patched = await app.as(by()).patch(path).send(changes).expect(200);
    expect(patched.headers.etag).toBe(await tagOfGet(path, by()));
    expect(patched.headers.etag).not.toBe(created.headers.etag);
  });

  it('is that of the GET for a task that waits for another one', async () => {
    const [first, second] = [await app.task(ann, garden), await app.task(ann, garden)];
    const waits = { relationship_type: 'depends_on', source_entity_type: 'task', source_entity_id: second };
    await app
      .as(ann)
      .post('/relations')
      .send({ ...waits, target_entity_type: 'task', target_entity_id: first })
      .expect(201);
    const blocked = await app.as(ann).patch(`/tasks/${second}`).send({ title: 'Later' }).expect(200);
    expect(blocked.headers.etag).toBe(await tagOfGet(`/tasks/${second}`, ann));
    const revision = `"${String(blocked.body.data.revision)}"`;
    await app.as(ann).patch(`/tasks/${second}`).set('If-Match', revision).send({ title: 'Last' }).expect(200);
  });

  it('is not sent where GET answers with more than the write knows', async () => {
    const task = await app.task(ann, garden);
    const said = { entity_type: 'task', entity_id: task, content: 'Well' };
    const comment = (await app.as(ann).post('/comments').send(said).expect(201)).body.data.id;
    const edited = await app.as(ann).patch(`/comments/${comment}`).send({ content: 'Well done' }).expect(200);
    expect(edited.headers.etag).toBe(await tagOfGet(`/comments/${comment}`, ann));
    const renamed = await app.as(ann).patch(`/users/${ann.id}`).send({ name: 'Anna' }).expect(200);
    const agent = await app.as(ann).post('/agents').send({ name: 'Robot', organization_id: home }).expect(201);
    const paused = await app.as(ann).patch(`/agents/${agent.body.data.id}`).send({ status: 'paused' }).expect(200);
    const tags = { renamed, agent, paused };
    for (const [name, { headers }] of Object.entries(tags)) expect([name, headers.etag]).toEqual([name, undefined]);
  });

  it('is that of the entity where a response has more properties than GET', async () => {
    const yard = await app.endeavour(ann, { organization_id: home });
    const archived = await app.as(ann).post(`/endeavours/${yard}/archive`).send({ reason: 'Over' }).expect(200);
    expect(archived.headers.etag).toBe(await tagOfGet(`/endeavours/${yard}`, ann));
  });
});
