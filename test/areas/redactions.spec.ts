import { newId } from '../../src/common/ids.js';
import { TestApp, type Person } from '../support/test-app.js';

const SECRET = 'hunter2-was-pasted-here';

describe('redacting', () => {
  let app: TestApp;
  let ann: Person;
  let bob: Person;
  let riverside: string;
  let garden: string;
  let task: string;

  beforeAll(async () => {
    app = await TestApp.open();
  });

  beforeEach(async () => {
    [ann, bob] = [await app.person('Ann'), await app.person('Bob')];
    riverside = await app.organization(ann);
    garden = await app.endeavour(ann, { organization_id: riverside });
    await app.join(garden, bob, 'owner');
    task = await app.task(bob, garden, { description: SECRET });
    await app.as(bob).patch(`/tasks/${task}`).send({ status: 'active' }).expect(200);
    await app.as(bob).patch(`/tasks/${task}`).send({ description: 'Harmless' }).expect(200);
  });

  afterAll(() => app.close());

  const changesOf = (id: string) =>
    app.database.query<{
      id: string;
      type: string;
      changed: string[];
      previous: object;
      data: Record<string, unknown>;
    }>('SELECT id, type, changed, previous, data FROM events WHERE entity_id = $1 ORDER BY sequence', [id]);
  const lastChange = async (id: string): Promise<string> => (await changesOf(id)).at(-1)?.id ?? '';
  const redact = (change: string, field: string, person = ann, reason = 'A password') =>
    app.as(person).post(`/changes/${change}/redact`).send({ field, reason });
  const exported = async (): Promise<string> =>
    (await app.as(ann).get(`/endeavours/${garden}/export`).expect(200)).text;

  it('removes a text from all events, but keeps the record of the change and the current value', async () => {
    expect(await exported()).toContain(SECRET);
    const change = await lastChange(task);
    const { body } = await redact(change, 'description').expect(200);
    expect(body.data).toEqual({
      change_id: change,
      entity_type: 'task',
      entity_id: task,
      field: 'description',
      erased: { events: 3, versions: 0, earlier_texts: 0, copies: 0 },
    });
    const text = await exported();
    expect(text).not.toContain(SECRET);
    expect(text).toContain('Harmless');
    const [created, , changed, fact] = await changesOf(task);
    expect(created.data).toMatchObject({ title: 'Paint the gate', description: null });
    expect(changed).toMatchObject({ changed: ['description'], previous: { description: null } });
    expect(fact).toMatchObject({
      type: 'redacted',
      data: { change_id: change, field: 'description', reason: 'A password' },
    });
    expect((await redact(change, 'description').expect(200)).body.data.erased.events).toBe(0);
    expect(await changesOf(task)).toHaveLength(4);
  });

  it('removes a text from the responses that an Idempotency-Key repeats, and everything of a deleted entity', async () => {
    const repeated = (path: string, sent: object, key: string) =>
      app.as(ann).post(path).set('Idempotency-Key', key).send(sent);
    const made = { title: 'Plan', description: SECRET, endeavour_id: garden };
    const { body: first } = await repeated('/tasks', made, 'with a secret').expect(201);
    await redact(await lastChange(first.data.id), 'description').expect(200);
    const { body: again } = await repeated('/tasks', made, 'with a secret').expect(201);
    expect(again.data).toEqual({ ...first.data, description: 'This text has been erased.' });
    const said = { entity_type: 'task', entity_id: first.data.id, content: SECRET };
    const { body: comment } = await repeated('/comments', said, 'a comment').expect(201);
    const steps = [{ method: 'POST', path: '/comments', body: said }];
    const { body: batch } = await repeated('/batch', { operations: steps }, 'in a batch').expect(200);
    expect(JSON.stringify(batch)).toContain(SECRET);
    await app.as(ann).delete(`/comments/${comment.data.id}`).expect(200);
    await repeated('/comments', said, 'a comment').expect(404);
    const inBatch = JSON.stringify(batch).match(/cmt_[0-9a-f]{32}/)?.[0];
    await app.as(ann).delete(`/comments/${inBatch}`).expect(200);
    const { text } = await repeated('/batch', { operations: steps }, 'in a batch').expect(200);
    expect(text).not.toContain(SECRET);
    expect(text).toContain(inBatch);
  });

  it('removes earlier texts of a comment, and their copies in messages to mentioned users', async () => {
    const content = `${SECRET} @${bob.resourceId}`;
    const sent = { entity_type: 'task', entity_id: task, content };
    const { body } = await app.as(ann).post('/comments').send(sent).expect(201);
    await app.as(ann).patch(`/comments/${body.data.id}`).send({ content: 'Harmless' }).expect(200);
    const { body: response } = await redact(await lastChange(body.data.id), 'content').expect(200);
    expect(response.data.erased).toEqual({ events: 0, versions: 0, earlier_texts: 1, copies: 1 });
    const { body: history } = await app.as(ann).get(`/comments/${body.data.id}/history`).expect(200);
    expect(history.data).toEqual([expect.objectContaining({ content: 'Redacted.' })]);
    const { body: inbox } = await app.as(bob).get('/messages').expect(200);
    expect(JSON.stringify(inbox.data)).not.toContain(SECRET);
    expect((await app.as(ann).get(`/comments/${body.data.id}`).expect(200)).body.data.content).toBe('Harmless');
  });

  it.each([
    ['name', 'Harmless', 'Redacted.'],
    ['description', 'Harmless', null],
    ['metadata', { note: 'Harmless' }, {}],
  ])('removes the %s of replaced policy versions, but not of the current one', async (field, harmless, blank) => {
    const policy = { name: SECRET, description: SECRET, metadata: { note: SECRET } };
    const { body } = await app
      .as(ann)
      .post('/dod-policies')
      .send({ ...policy, conditions: [{ type: 'comment_required' }], organization_id: riverside })
      .expect(201);
    const { body: next } = await app
      .as(ann)
      .post(`/dod-policies/${body.data.id}/versions`)
      .send({ [field]: harmless })
      .expect(201);
    const { body: response } = await redact(await lastChange(next.data.id), field).expect(200);
    expect(response.data.erased.versions).toBe(1);
    expect((await app.as(ann).get(`/dod-policies/${body.data.id}`)).body.data).toMatchObject({
      ...policy,
      [field]: blank,
    });
    expect((await app.as(ann).get(`/dod-policies/${next.data.id}`)).body.data[field]).toEqual(harmless);
  });

  it('requires an owner of the home organization, or a direct owner of an endeavour without one', async () => {
    const change = await lastChange(task);
    await redact(change, 'description', bob).expect(403);
    await redact(change, 'description', await app.person('Eve')).expect(404);
    await redact(newId('event'), 'description').expect(404);
    const shed = await app.endeavour(bob, { description: SECRET });
    await redact(await lastChange(shed), 'description', bob).expect(200);
    const about = await lastChange(ann.id);
    await redact(about, 'name').expect(404);
  });

  it('rejects properties that are not texts, and blank reasons', async () => {
    const change = await lastChange(task);
    const { body } = await redact(change, 'status').expect(400);
    expect(body.error.details.fields).toEqual([
      expect.objectContaining({ field: 'field', code: 'invalid_value', allowed: expect.arrayContaining(['title']) }),
    ]);
    await redact(change, 'description', ann, '  ').expect(400);
    await app.as(ann).post(`/changes/${change}/redact`).send({}).expect(400);
    await app.as(ann).post(`/organizations/${riverside}/archive`).send({ reason: 'Over' }).expect(200);
    expect((await redact(change, 'description').expect(409)).body.error.code).toBe('archived');
    expect(await exported()).toContain(SECRET);
  });
});
