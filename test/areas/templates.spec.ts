import { newId } from '../../src/common/ids.js';
import { TestApp, type Person } from '../support/test-app.js';

const BUILT_IN = /^tpl_00000000000070008000[0-9a-f]{12}$/;

const fields = (body: { error: { details: { fields: { field: string; code: string }[] } } }): string[] =>
  body.error.details.fields.map(({ field, code }) => `${field} ${code}`);

describe('templates', () => {
  let app: TestApp;
  let ada: Person;
  let ann: Person;
  let bob: Person;
  let eve: Person;
  let riverside: string;

  beforeAll(async () => {
    app = await TestApp.open();
    [ada, ann, bob, eve] = [
      await app.admin('Ada'),
      await app.person('Ann'),
      await app.person('Bob'),
      await app.person('Eve'),
    ];
    riverside = await app.organization(ann, { name: 'Riverside' });
    await app.join(riverside, bob, 'member');
  });

  afterAll(() => app.close());

  const sent = (more: object = {}) => ({
    name: 'Short report',
    scope: 'task',
    body: '# {{ task.title }}',
    organization_id: riverside,
    ...more,
  });
  const create = (more: object = {}, person = ann) => app.as(person).post('/templates').send(sent(more));
  const made = async (more: object = {}, person = ann): Promise<string> =>
    (await create(more, person).expect(201)).body.data.id;
  const patch = (id: string, body: object, person = ann) => app.as(person).patch(`/templates/${id}`).send(body);
  const fork = (id: string, body: object = {}, person = ann) => app.as(person).post(`/templates/${id}/fork`).send(body);
  const builtIn = async (scope = 'task', lang = 'en'): Promise<string> => {
    const { body } = await app.as(ada).get(`/templates?scope=${scope}&lang=${lang}&origin=template`).expect(200);
    return body.data[0].id;
  };

  describe('creating', () => {
    it('returns the whole representation', async () => {
      const { body, headers } = await create({ description: 'One line', metadata: { colour: 'green' } }).expect(201);
      expect(headers.location).toBe(`/api/v1/templates/${body.data.id}`);
      expect(body.data).toEqual({
        id: expect.stringMatching(/^tpl_[0-9a-f]{32}$/),
        name: 'Short report',
        description: 'One line',
        scope: 'task',
        type: 'report',
        lang: 'en',
        body: '# {{ task.title }}',
        organization_id: riverside,
        container: 'organization',
        origin: 'custom',
        version: 1,
        predecessor_id: null,
        lineage_id: body.data.id,
        status: 'active',
        metadata: { colour: 'green' },
        created_by: ann.resourceId,
        created_at: expect.any(String),
        updated_at: body.data.created_at,
        revision: 1,
      });
      await app.as(bob).get(`/templates/${body.data.id}`).expect(200);
      await app.as(eve).get(`/templates/${body.data.id}`).expect(404);
    });

    it('without a container is personal and private, and global for administrators', async () => {
      const { body } = await create({ organization_id: undefined }, bob).expect(201);
      expect(body.data).toMatchObject({ container: 'personal', organization_id: null, origin: 'custom' });
      await app.as(ann).get(`/templates/${body.data.id}`).expect(404);
      const own = await app.as(bob).get('/templates?container=personal').expect(200);
      expect(own.body.data.map(({ id }: { id: string }) => id)).toContain(body.data.id);
      expect((await create({ organization_id: undefined }, ada).expect(201)).body.data.container).toBe('global');
      expect((await create().expect(201)).body.data.container).toBe('organization');
      const mixed = await create({ container: 'personal' }).expect(400);
      expect(fields(mixed.body)).toEqual(['container invalid_value']);
      const nowhere = await create({ organization_id: undefined, container: 'organization' }).expect(400);
      expect(fields(nowhere.body)).toEqual(['organization_id required']);
    });

    it('requires the admin role in the organization, and an administrator for a global template', async () => {
      await create({}, bob).expect(403);
      expect(fields((await create({}, eve).expect(400)).body)).toEqual(['organization_id reference_not_found']);
      const global = { organization_id: undefined, container: 'global' };
      expect((await create(global).expect(403)).body.error.code).toBe('forbidden');
      const { body } = await create({ organization_id: undefined, name: 'For all' }, ada).expect(201);
      expect(body.data).toMatchObject({ organization_id: null, origin: 'custom' });
      await app.as(eve).get(`/templates/${body.data.id}`).expect(200);
    });

    it('returns all field errors at once', async () => {
      const { body } = await app
        .as(ann)
        .post('/templates')
        .send({ name: ' ', scope: 'planet', type: 'A b', lang: 'de_DE', body: '', version: 2, x: 1 })
        .expect(400);
      expect(fields(body)).toEqual([
        'name too_short',
        'scope invalid_value',
        'type invalid_format',
        'lang invalid_format',
        'body too_short',
        'version read_only',
        'x unknown_field',
      ]);
    });

    it.each([
      ['an unclosed tag', '{% for x in y %}\n{{ x }}', 'line 1, column 1'],
      ['an unclosed output', 'a\nb {{ task.title', 'line 2, column 3'],
      ['an unknown filter', 'a\n{{ a | sparkle }}', '"sparkle", line 2, column 1'],
      ['an include', "a\n {% include '/etc/passwd' %}", 'tag "include" not found, line 2, column 2'],
      ['a rendered part', "{% render 'x' %}", 'tag "render" not found, line 1, column 1'],
      ['a layout', "{% layout 'x' %}", 'tag "layout" not found, line 1, column 1'],
    ])('rejects %s with line and column, before other fields are checked', async (_what, body, where) => {
      const refused = await create({ body, organization_id: newId('organization') }).expect(400);
      expect(fields(refused.body)).toEqual(['body invalid_format']);
      expect(refused.body.error.message).toContain(where.replace('"sparkle"', 'sparkle'));
      expect(refused.body.error.message).not.toContain('passwd');
    });

    it('rejects an archived organization', async () => {
      const gone = await app.organization(ann, { name: 'Gone' });
      await app.database.query("UPDATE organizations SET status = 'archived' WHERE id = $1", [gone]);
      expect((await create({ organization_id: gone }).expect(409)).body.error.code).toBe('archived');
    });
  });

  describe('patching', () => {
    it('updates in place, merges metadata, and writes no event if nothing changes', async () => {
      const id = await made({ metadata: { a: 1 } });
      const change = { name: 'New', description: 'D', body: '{{ task.id }}', lang: 'de', type: 'checklist' };
      const { body } = await patch(id, { ...change, metadata: { b: 2 } }).expect(200);
      expect(body.data).toMatchObject({ ...change, metadata: { a: 1, b: 2 }, version: 1, revision: 2 });
      expect((await patch(id, { ...change, metadata: {} }).expect(200)).body.data.revision).toBe(2);
      const { body: archived } = await patch(id, { status: 'archived' }).expect(200);
      expect(archived.data).toMatchObject({ status: 'archived', revision: 3 });
      await patch(id, { status: 'active' }).expect(200);
    });

    it('rejects read-only fields, errors in the body, members, strangers and stale revisions', async () => {
      const id = await made();
      expect(
        fields((await patch(id, { scope: 'demand', organization_id: null, version: 3 }).expect(400)).body),
      ).toEqual(['scope read_only', 'organization_id read_only', 'version read_only']);
      expect(fields((await patch(id, { body: '{{' }).expect(400)).body)).toEqual(['body invalid_format']);
      expect(fields((await patch(id, { body: null, name: null }).expect(400)).body)).toEqual([
        'name not_nullable',
        'body not_nullable',
      ]);
      await patch(id, { name: 'Mine' }, bob).expect(403);
      await patch(id, { name: 'Mine' }, eve).expect(404);
      await patch(id, { name: 'Second' }).expect(200);
      const { body } = await patch(id, { name: 'Third' }).set('If-Match', '"1"').expect(412);
      expect(body.error.details.current_revision).toBe(2);
    });

    it('is rejected for built-in templates: 403 for users, 409 for administrators', async () => {
      const id = await builtIn();
      expect(id).toMatch(BUILT_IN);
      await patch(id, { name: 'Mine' }).expect(403);
      const { body } = await patch(id, { name: 'Mine' }, ada).expect(409);
      expect(body.error).toMatchObject({ code: 'conflict', details: { reason: 'built_in' } });
    });
  });

  describe('forking', () => {
    it('creates a template with the next version, and keeps the source', async () => {
      const id = await made({ name: 'Source', metadata: { a: 1 }, type: 'checklist', lang: 'de' });
      const { body, headers } = await fork(id).expect(201);
      expect(headers.location).toBe(`/api/v1/templates/${body.data.id}`);
      expect(body.data).toMatchObject({
        name: 'Source',
        type: 'checklist',
        lang: 'de',
        metadata: { a: 1 },
        scope: 'task',
        status: 'active',
        origin: 'fork',
        version: 2,
        predecessor_id: id,
        lineage_id: id,
        organization_id: riverside,
        revision: 1,
      });
      const { body: again } = await fork(body.data.id, { name: 'Third', body: 'x', metadata: { b: 1 } }).expect(201);
      expect(again.data).toMatchObject({ name: 'Third', body: 'x', metadata: { b: 1 }, version: 3, lineage_id: id });
      expect((await app.as(ann).get(`/templates/${id}`)).body.data).toMatchObject({ version: 1, revision: 1 });
    });

    it('accepts a request without a body', async () => {
      const { body } = await app
        .as(ann)
        .post(`/templates/${await builtIn()}/fork`)
        .expect(201);
      expect(body.data).toMatchObject({ version: 2, origin: 'fork', created_by: ann.resourceId });
    });

    it('creates it beside the source for admins, personal for others, and global for administrators', async () => {
      const id = await made();
      expect((await fork(id).expect(201)).body.data.organization_id).toBe(riverside);
      const { body: bobs } = await fork(id, {}, bob).expect(201);
      expect(bobs.data).toMatchObject({ organization_id: null, created_by: bob.resourceId });
      await app.as(bob).get(`/templates/${bobs.data.id}`).expect(200);
      await app.as(ann).get(`/templates/${bobs.data.id}`).expect(404);
      await app.as(ada).get(`/templates/${bobs.data.id}`).expect(200);
      await patch(bobs.data.id, { name: 'Mine' }, bob).expect(200);
      const { body: global } = await fork(await builtIn(), {}, ada).expect(201);
      await app.as(eve).get(`/templates/${global.data.id}`).expect(200);
    });

    it('into an organization requires the admin role there, and both to be visible', async () => {
      const id = await builtIn();
      expect((await fork(id, { organization_id: riverside }).expect(201)).body.data.organization_id).toBe(riverside);
      await fork(id, { organization_id: riverside }, bob).expect(403);
      expect(fields((await fork(id, { organization_id: riverside }, eve).expect(400)).body)).toEqual([
        'organization_id reference_not_found',
      ]);
      await fork(await made(), {}, eve).expect(404);
    });

    it('rejects an invalid body, another scope and a stale revision', async () => {
      const id = await made();
      expect(fields((await fork(id, { body: '{{' }).expect(400)).body)).toEqual(['body invalid_format']);
      expect(fields((await fork(id, { body: ' \n' }).expect(400)).body)).toEqual(['body too_short']);
      expect(fields((await fork(id, { scope: 'demand', status: 'archived' }).expect(400)).body)).toEqual([
        'scope read_only',
        'status read_only',
      ]);
      await patch(id, { name: 'Second' }).expect(200);
      await fork(id).set('If-Match', '"1"').expect(412);
    });

    it('from an archived organization is personal; into one it is rejected', async () => {
      const gone = await app.organization(ann, { name: 'Gone' });
      const id = await made({ organization_id: gone });
      await app.database.query("UPDATE organizations SET status = 'archived' WHERE id = $1", [gone]);
      expect((await fork(id).expect(201)).body.data.organization_id).toBeNull();
      expect((await fork(id, { organization_id: gone }).expect(409)).body.error.code).toBe('archived');
      expect((await patch(id, { name: 'x' }).expect(409)).body.error.code).toBe('archived');
    });
  });

  describe('listing', () => {
    it('shows built-in templates, those of own organizations and personal ones; administrators see all', async () => {
      const fresh = await app.organization(eve, { name: 'Fresh' });
      const mine = await made({ organization_id: fresh, name: 'Zebra' }, eve);
      const personal = (await fork(await builtIn(), { name: 'Zebra copy' }, eve)).body.data.id;
      const ids = async (person: Person, query: string): Promise<string[]> =>
        (await app.as(person).get(`/templates?${query}`).expect(200)).body.data.map(({ id }: { id: string }) => id);
      expect(await ids(eve, 'search=zebra')).toEqual([personal, mine]);
      expect(await ids(ann, 'search=zebra')).toEqual([]);
      expect(await ids(ada, 'search=zebra')).toEqual([personal, mine]);
      expect(await ids(ada, 'search=zebra&mine=true')).toEqual([]);
      expect(await ids(ann, 'origin=template&limit=200')).toHaveLength(16);
      expect(await ids(ann, `organization_id=${fresh}`)).toEqual([]);
      expect(await ids(eve, `organization_id=${fresh}&scope=task&type=report&lang=en&status=active`)).toEqual([mine]);
      expect(await ids(eve, `organization_id=${fresh}&status=archived`)).toEqual([]);
      expect(fields((await app.as(ann).get('/templates?scope=planet').expect(400)).body)).toEqual([
        'scope invalid_value',
      ]);
    });

    it('searches in names and bodies', async () => {
      const id = await made({ name: 'Quokka', body: 'wombat_50%' });
      for (const text of ['quokk', 'WOMBAT', '_50%']) {
        const { body } = await app
          .as(ann)
          .get(`/templates?search=${encodeURIComponent(text)}`)
          .expect(200);
        expect(body.data.map((one: { id: string }) => one.id)).toEqual([id]);
      }
    });
  });

  it('are built in as reports for four scopes in four languages, and are all valid', async () => {
    const { body } = await app.as(eve).get('/templates?origin=template&limit=200').expect(200);
    const kinds = body.data.map(({ scope, lang }: { scope: string; lang: string }) => `${scope} ${lang}`);
    expect(new Set(kinds).size).toBe(16);
    expect(
      body.data.every(
        ({ created_by, id }: { created_by: null; id: string }) => created_by === null && BUILT_IN.test(id),
      ),
    ).toBe(true);
    for (const { body: text } of body.data) await create({ body: text }).expect(201);
  });
});
