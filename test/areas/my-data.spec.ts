import { TestApp, type Person } from '../support/test-app.js';

type Row = Record<string, unknown>;
type Document = Record<string, Row[]> & { user: Row; resource: Row };

describe('my data', () => {
  let app: TestApp;
  let ann: Person;
  let mia: Person;
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open();
  });

  beforeEach(async () => {
    [ann, mia] = [await app.person('Ann'), await app.person('Mia', { metadata: { shoe: 38 }, externalId: 'e-7' })];
    garden = await app.endeavour(ann, { name: 'Secret garden' });
    await app.join(garden, mia, 'member');
  });

  afterAll(() => app.close());

  const mine = async (person = mia): Promise<{ text: string; document: Document }> => {
    const { text } = await app.as(person).get('/auth/my-data').expect(200);
    return { text, document: JSON.parse(text) as Document };
  };
  const send = async (person: Person, path: string, body: object): Promise<string> =>
    (await app.as(person).post(path).send(body).expect(201)).body.data.id;

  it('contain everything about the caller, each entity in its API representation', async () => {
    const task = await app.task(mia, garden);
    const given = await app.task(ann, garden, { title: 'Given', assignee_id: mia.resourceId });
    const onTask = { entity_type: 'task', entity_id: given };
    const comment = await send(mia, '/comments', { ...onTask, content: 'Mine' });
    await send(ann, '/comments', { ...onTask, content: 'Not theirs' });
    const approval = await send(mia, '/approvals', { ...onTask, verdict: 'needs_work' });
    const spent = await send(mia, '/time-entries', { task_id: given, minutes: 90, day: '2026-11-20', note: 'Deep' });
    const got = await send(ann, '/messages', { recipient_ids: [mia.id], content: 'For them' });
    const sent = await send(mia, '/messages', { recipient_ids: [ann.id], content: 'From them' });
    const { headers } = await app.as(mia).get('/auth/my-data').expect(200);
    expect(headers['content-disposition']).toBe(`attachment; filename="${mia.id}.json"`);
    const { text, document } = await mine();
    expect(document).toMatchObject({ version: 1, kind: 'person', resource: { id: mia.resourceId, name: 'Mia' } });
    expect(document.user).toMatchObject({ id: mia.id, email: mia.email, external_id: 'e-7', metadata: { shoe: 38 } });
    expect(document.sessions).toHaveLength(1);
    expect(document.memberships).toEqual([expect.objectContaining({ endeavour_id: garden, role: 'member' })]);
    const read = async (path: string) => (await app.as(mia).get(path).expect(200)).body.data;
    const listed = async (id: string) => {
      const { blocked_by: _b, parent: _p, children: _c, referenced_by: _r, ...shown } = await read(`/tasks/${id}`);
      return shown;
    };
    expect(document.tasks).toEqual([await listed(task), await listed(given)]);
    expect(document.comments).toEqual([expect.objectContaining({ id: comment, content: 'Mine', author_name: 'Mia' })]);
    expect(document.time_entries).toEqual([await read(`/time-entries/${spent}`)]);
    expect(document.approvals).toEqual([expect.objectContaining({ id: approval, verdict: 'needs_work' })]);
    expect(document.messages.map(({ id }) => id)).toEqual([got, sent]);
    expect(text).not.toContain('Not theirs');
    expect(text).not.toContain(ann.email);
  });

  it('contain the rules that the caller made or that run as the caller', async () => {
    const bea = await app.person('Bea');
    const lawn = await app.endeavour(bea);
    await app.join(lawn, ann, 'admin');
    const rule = { name: 'Ours', endeavour_id: lawn, on: ['task.*'], actions: [{ comment: { content: 'Seen.' } }] };
    const own = await send(bea, '/rules', rule);
    const taken = await send(ann, '/rules', rule);
    await send(ann, '/rules', rule);
    await app.as(bea).patch(`/rules/${taken}`).send({ name: 'Mine now' }).expect(200);
    const { document } = await mine(bea);
    expect(document.rules.map(({ id }) => id)).toEqual([own, taken]);
  });

  it('contain only ids, dates and own texts of entities that the caller no longer sees', async () => {
    const own = await app.task(mia, garden, { title: 'Own title', description: 'Own words' });
    await app.as(ann).patch(`/tasks/${own}`).send({ description: 'Words of others' }).expect(200);
    const given = await app.task(ann, garden, { title: 'Title of others', assignee_id: mia.resourceId });
    const comment = await send(mia, '/comments', { entity_type: 'task', entity_id: given, content: 'Own comment' });
    await app.as(ann).delete(`/endeavours/${garden}/members/${mia.id}`).expect(200);
    const { text, document } = await mine();
    const dates = { created_at: expect.any(String), updated_at: expect.any(String) };
    expect(document.tasks).toEqual([
      { id: own, ...dates, texts: { title: 'Own title', description: 'Own words', metadata: {} } },
      { id: given, ...dates, texts: {} },
    ]);
    expect(document.comments).toEqual([{ id: comment, ...dates, texts: { content: 'Own comment', metadata: {} } }]);
    expect(document.former_memberships).toEqual([expect.objectContaining({ container_id: garden })]);
    for (const secret of ['Secret garden', 'Words of others', 'Title of others']) expect(text).not.toContain(secret);
  });

  it('contain own goals, skills and metadata of runs and relations that the caller no longer sees', async () => {
    const organization = await app.organization(ann);
    await app.join(organization, mia, 'admin');
    const bed = await app.endeavour(mia, { goals: ['No weeds'] });
    await app.join(bed, ann, 'owner');
    const digger = { name: 'Digger', type: 'service', organization_id: organization, skills: ['digging'] };
    const resource = await send(mia, '/resources', digger);
    const ritual = await send(ann, '/rituals', { name: 'Walk', endeavour_id: garden, schedule: { type: 'manual' } });
    const run = await send(mia, '/ritual-runs', { ritual_id: ritual, metadata: { weather: 'rain' } });
    const [one, other] = [await app.task(mia, garden), await app.task(mia, garden)];
    const ends = {
      source_entity_type: 'task',
      source_entity_id: one,
      target_entity_type: 'task',
      target_entity_id: other,
    };
    const link = { relationship_type: 'resembles', ...ends, metadata: { why: 'same gate' } };
    const relation = await send(mia, '/relations', link);
    for (const container of [`/endeavours/${bed}`, `/endeavours/${garden}`, `/organizations/${organization}`]) {
      await app.as(ann).delete(`${container}/members/${mia.id}`).expect(200);
    }
    const { document } = await mine();
    const textsOf = (list: string, id: string): unknown => document[list].find((row) => row.id === id)?.texts;
    expect(textsOf('endeavours', bed)).toMatchObject({ goals: [{ title: 'No weeds' }] });
    expect(textsOf('resources', resource)).toMatchObject({ name: 'Digger', skills: ['digging'] });
    expect(textsOf('ritual_runs', run)).toEqual({ metadata: { weather: 'rain' } });
    expect(textsOf('relations', relation)).toEqual({ metadata: { why: 'same gate' } });
  });

  it('contain the notifications of the caller, as ids and times', async () => {
    const task = await app.task(ann, garden, { title: 'Title of others' });
    await app.as(ann).patch(`/tasks/${task}`).send({ assignee_id: mia.id }).expect(200);
    await app.service.runJobs();
    const { body } = await app.as(mia).get('/notifications').expect(200);
    const [{ entity_key: _key, entity_title: _title, actor_name: _name, endeavour_id: _endeavour, ...kept }] =
      body.data;
    expect((await mine()).document.notifications).toEqual([kept]);
    expect((await mine(ann)).document.notifications).toEqual([]);
  });

  it('contain nothing about other users', async () => {
    await app.task(mia, garden, { title: 'Planned by Mia' });
    const { document } = await mine(await app.person('Eve'));
    expect(document.user).toMatchObject({ name: 'Eve' });
    const { user: _user, resource: _resource, version: _version, kind: _kind, exported_at: _at, ...lists } = document;
    const filled = Object.entries(lists).filter(([, list]) => list.length > 0);
    expect(filled.map(([name]) => name)).toEqual(['sessions']);
  });

  it('are available to administrators as to any other user', async () => {
    const admin = await app.admin();
    const { document } = await mine(admin);
    expect(document.user).toMatchObject({ id: admin.id });
    await app.as(admin).head('/auth/my-data').expect(200);
    await app.as(admin).get('/auth/my-data?person=x').expect(400);
  });
});
