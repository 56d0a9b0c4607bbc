import { newId } from '../../src/common/ids.js';
import { TestApp, type Person } from '../support/test-app.js';
import { race } from '../support/races.js';
import { fieldErrorsOf } from '../support/refusals.js';

describe('artifacts', () => {
  let app: TestApp;
  let [ann, vic, eve]: Person[] = [];
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open();
    [ann, vic, eve] = [await app.person('Ann'), await app.person('Vic'), await app.person('Eve')];
    garden = await app.endeavour(ann);
    await app.join(garden, vic, 'viewer');
  });

  afterAll(() => app.close());

  const create = (more: object = {}, person = ann) =>
    app
      .as(person)
      .post('/artifacts')
      .send({ kind: 'doc', title: 'Plan', endeavour_id: garden, ...more });
  const made = async (more: object = {}): Promise<string> => (await create(more).expect(201)).body.data.id;
  const get = (id: string, person = ann) => app.as(person).get(`/artifacts/${id}`);
  const patch = (id: string, body: object, person = ann) => app.as(person).patch(`/artifacts/${id}`).send(body);
  const remove = (id: string, person = ann) => app.as(person).delete(`/artifacts/${id}`);
  const ids = async (query: string, person = ann): Promise<string[]> => {
    const { body } = await app.as(person).get(`/artifacts?${query}`).expect(200);
    return body.data.map(({ id }: { id: string }) => id);
  };

  describe('creating', () => {
    it('returns the whole representation, a Location header and an ETag', async () => {
      const { body, headers } = await create({
        url: 'https://example.com/plan?x=1#y',
        summary: ' All of it ',
        tags: ['plan', 'green'],
        metadata: { pages: 3 },
      }).expect(201);
      expect(headers.location).toBe(`/api/v1/artifacts/${body.data.id}`);
      expect(headers.etag).toMatch(/^"1-/);
      expect(body.data).toEqual({
        id: expect.stringMatching(/^art_[0-9a-f]{32}$/),
        kind: 'doc',
        title: 'Plan',
        url: 'https://example.com/plan?x=1#y',
        file: null,
        summary: ' All of it ',
        tags: ['plan', 'green'],
        endeavour_id: garden,
        task_id: null,
        status: 'active',
        external_ref: null,
        metadata: { pages: 3 },
        created_by: ann.resourceId,
        created_at: expect.any(String),
        updated_at: body.data.created_at,
        revision: 1,
        upload: null,
      });
    });

    it('uses the endeavour of its task if none is given', async () => {
      const task = await app.task(ann, garden);
      const { body } = await create({ endeavour_id: undefined, task_id: task }).expect(201);
      expect(body.data).toMatchObject({ endeavour_id: garden, task_id: task });
      await create({ task_id: task }).expect(201);
    });

    it.each([
      [{ endeavour_id: undefined }, ['endeavour_id required']],
      [{ endeavour_id: newId('endeavour') }, ['endeavour_id reference_not_found']],
      [{ task_id: newId('task') }, ['task_id reference_not_found']],
      [{ url: 'ftp://example.com' }, ['url invalid_format']],
      [{ url: 'javascript:alert(1)' }, ['url invalid_format']],
      [{ url: `https://example.com/${'x'.repeat(2048)}` }, ['url too_long']],
      [{ tags: ['a', 'a'] }, ['tags.1 invalid_value']],
      [{ tags: Array.from({ length: 51 }, (_, n) => `${n}`) }, ['tags too_long']],
      [{ title: '', kind: 'poem', status: 'archived' }, ['kind invalid_value', 'title too_short', 'status read_only']],
    ])('rejects %j', async (body, expected) => {
      expect(fieldErrorsOf((await create(body).expect(400)).body)).toEqual(expected);
    });

    it('rejects a task of another endeavour and an invisible task with the same error as an absent one', async () => {
      const mine = await app.task(ann, await app.endeavour(ann));
      const theirs = await app.task(eve, await app.endeavour(eve));
      const absent = await create({ task_id: newId('task') }).expect(400);
      for (const task_id of [mine, theirs]) {
        expect((await create({ task_id }).expect(400)).body.error.details).toEqual(absent.body.error.details);
      }
    });

    it('requires the member role, and an endeavour that is not completed or archived', async () => {
      await create({}, vic).expect(403);
      await create({}, eve).expect(400);
      for (const [status, code] of [
        ['archived', 'archived'],
        ['completed', 'conflict'],
      ]) {
        const old = await app.endeavour(ann);
        await app.database.query('UPDATE endeavours SET status = $2 WHERE id = $1', [old, status]);
        expect((await create({ endeavour_id: old }).expect(409)).body.error.code).toBe(code);
      }
    });
  });

  describe('listing', () => {
    it('finds visible artifacts by endeavour, task, kind, status, tag and text', async () => {
      const shed = await app.endeavour(ann, { name: 'Shed' });
      const task = await app.task(ann, shed);
      const more = { endeavour_id: shed };
      const plan = await made({ ...more, tags: ['plan', 'green'] });
      const repo = await made({ ...more, kind: 'repo', title: 'Code', summary: 'The 100% plan' });
      const report = await made({
        task_id: task,
        endeavour_id: shed,
        kind: 'test-report',
        title: 'Run',
        tags: ['red'],
      });
      await patch(repo, { status: 'archived' }).expect(200);
      const inShed = (query: string, person = ann) => ids(`endeavour_id=${shed}&${query}`, person);
      expect(await inShed('')).toEqual([report, repo, plan]);
      expect(await ids(`task_id=${task}`)).toEqual([report]);
      expect(await inShed('kind=repo,doc')).toEqual([repo, plan]);
      expect(await inShed('status=archived')).toEqual([repo]);
      expect(await inShed('tag=green')).toEqual([plan]);
      expect(await inShed('tag=green,red')).toEqual([report, plan]);
      expect(await inShed('search=PLAN')).toEqual([repo, plan]);
      expect(await inShed('search=0%25+p')).toEqual([repo]);
      expect(await inShed('sort=title')).toEqual([repo, plan, report]);
      expect(await inShed('', vic)).toEqual([]);
      expect(await ids('', eve)).toEqual([]);
      await app.as(ann).get('/artifacts?kind=poem').expect(400);
    });
  });

  describe('patching', () => {
    it('changes only the properties sent, clears with null and "", and keeps the revision if nothing changes', async () => {
      const id = await made({ url: 'https://example.com', summary: 'S', tags: ['a'], metadata: { a: 1 } });
      const sent = { url: '', summary: null, tags: null, kind: 'link', metadata: { b: 2 } };
      const { body } = await patch(id, sent).expect(200);
      expect(body.data).toMatchObject({ url: null, summary: null, tags: [], kind: 'link', title: 'Plan', revision: 2 });
      expect(body.data.metadata).toEqual({ a: 1, b: 2 });
      expect((await patch(id, { kind: 'link', tags: [] }).expect(200)).body.data.revision).toBe(2);
    });

    it('assigns it to a task of the same endeavour, and removes it from the task', async () => {
      const [task, elsewhere] = [await app.task(ann, garden), await app.task(ann, await app.endeavour(ann))];
      const id = await made();
      expect((await patch(id, { task_id: task }).expect(200)).body.data.task_id).toBe(task);
      expect(fieldErrorsOf((await patch(id, { task_id: elsewhere }).expect(400)).body)).toEqual([
        'task_id reference_not_found',
      ]);
      expect((await patch(id, { task_id: null }).expect(200)).body.data.task_id).toBeNull();
    });

    it.each([
      [{ endeavour_id: newId('endeavour') }, ['endeavour_id read_only']],
      [{ title: null, kind: null, status: null }, ['kind not_nullable', 'title not_nullable', 'status not_nullable']],
      [{ status: 'lost' }, ['status invalid_value']],
    ])('rejects %j', async (body, expected) => {
      expect(fieldErrorsOf((await patch(await made(), body).expect(400)).body)).toEqual(expected);
    });

    it('requires the member role, a current If-Match and an endeavour that is not archived', async () => {
      const id = await made();
      await patch(id, { title: 'Mine' }, vic).expect(403);
      await patch(id, { title: 'Mine' }, eve).expect(404);
      await patch(id, { title: 'Mine' }).set('If-Match', '"2"').expect(412);
      const old = await app.endeavour(ann);
      const inOld = await made({ endeavour_id: old });
      await app.database.query(`UPDATE endeavours SET status = 'archived' WHERE id = $1`, [old]);
      await patch(inOld, { title: 'Mine' }).expect(409);
      await remove(inOld).expect(409);
      await get(inOld).expect(200);
    });
  });

  describe('deleting', () => {
    it('makes it invisible and keeps it in the change log', async () => {
      const id = await made();
      await remove(id, vic).expect(403);
      await remove(id, eve).expect(404);
      const { body } = await remove(id).expect(200);
      expect(body.data).toEqual({ id, deleted: true });
      await get(id).expect(404);
      await patch(id, { title: 'Back' }).expect(404);
      await remove(id).expect(404);
      const ada = await app.admin();
      await app.as(ada).get(`/artifacts/${id}`).expect(404);
      expect(await ids('limit=200')).not.toContain(id);
      expect(await ids('limit=200', ada)).not.toContain(id);
      const events = await app.database.query('SELECT type FROM events WHERE entity_id = $1 ORDER BY sequence', [id]);
      expect(events.map(({ type }) => type)).toEqual(['artifact.created', 'artifact.deleted']);
    });

    race('succeeds once for concurrent requests', 5, async () => {
      const id = await made();
      const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await remove(id)).status));
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      expect(statuses.filter((status) => status === 404)).toHaveLength(19);
    });
  });

  it('raise an alert when they are created with a term or changed to contain one', async () => {
    const riverside = await app.organization(ann);
    const shed = await app.endeavour(ann, { organization_id: riverside });
    await app
      .as(ann)
      .put(`/organizations/${riverside}/alert-terms`)
      .send({ terms: ['fire', 'leak'] })
      .expect(200);
    const id = await made({ endeavour_id: shed, title: 'Fire drill' });
    await patch(id, { kind: 'link' }).expect(200);
    await patch(id, { summary: 'The leak' }).expect(200);
    const { body } = await app.as(ann).get(`/organizations/${riverside}/alerts?sort=created_at`).expect(200);
    expect(body.data).toMatchObject([
      { entity_type: 'artifact', entity_id: id, term: 'fire' },
      { entity_type: 'artifact', entity_id: id, term: 'leak' },
    ]);
  });

  describe('of a task that moves', () => {
    it('move with it, and change their visibility', async () => {
      const shed = await app.endeavour(ann, { name: 'Shed' });
      const task = await app.task(ann, garden);
      const id = await made({ task_id: task });
      await get(id, vic).expect(200);
      await app.as(ann).patch(`/tasks/${task}`).send({ endeavour_id: shed }).expect(200);
      expect((await get(id).expect(200)).body.data).toMatchObject({ endeavour_id: shed, task_id: task });
      expect(await ids(`endeavour_id=${shed}`)).toEqual([id]);
      await get(id, vic).expect(404);
      await patch(id, { title: 'Moved' }).expect(200);
    });

    race('never stay behind, even if they are created or assigned to the task at the same time', 10, async () => {
      const shed = await app.endeavour(ann, { name: 'Shed' });
      const task = await app.task(ann, garden);
      const loose = await made();
      const responses = await Promise.all([
        create({ task_id: task, endeavour_id: undefined }),
        app.as(ann).patch(`/tasks/${task}`).send({ endeavour_id: shed }),
        patch(loose, { task_id: task }),
      ]);
      expect(responses.map(({ status }) => status).filter((status) => ![200, 201, 400].includes(status))).toEqual([]);
      const misplaced = await app.database.query(
        `SELECT 1 FROM artifacts a JOIN entities x USING (id) WHERE a.task_id = $1
             AND (a.endeavour_id <> $2 OR x.endeavour_id <> $2)`,
        [task, shed],
      );
      expect(misplaced).toEqual([]);
    });
  });
});
