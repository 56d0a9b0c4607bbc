import { newId } from '../../src/common/ids.js';
import { TestApp, type Person } from '../support/test-app.js';
import { addViewers } from '../support/crowd.js';
import { race } from '../support/races.js';
import { fieldErrorsOf } from '../support/refusals.js';

const WHOLE_KEYS = [
  'id',
  'entity_type',
  'entity_id',
  'reply_to_id',
  'content',
  'author_id',
  'author_name',
  'metadata',
  'edited_at',
  'deleted_at',
  'created_at',
  'updated_at',
  'revision',
];

describe('comments', () => {
  let app: TestApp;
  let [ann, ben, vic, eve, ada]: Person[] = [];
  let [garden, task]: string[] = [];

  beforeAll(async () => {
    app = await TestApp.open();
    [ann, ben, vic, eve, ada] = [
      await app.person('Ann'),
      await app.person('Ben'),
      await app.person('Vic'),
      await app.person('Eve'),
      await app.admin(),
    ];
    garden = await app.endeavour(ann);
    await app.join(garden, ben, 'member');
    await app.join(garden, vic, 'viewer');
    task = await app.task(ann, garden);
  });

  afterAll(() => app.close());

  const create = (more: object = {}, person = ann) =>
    app
      .as(person)
      .post('/comments')
      .send({ entity_type: 'task', entity_id: task, content: 'Green?', ...more });
  const made = async (more: object = {}, person = ann): Promise<string> =>
    (await create(more, person).expect(201)).body.data.id;
  const get = (id: string, person = ann) => app.as(person).get(`/comments/${id}`);
  const patch = (id: string, body: object, person = ann) => app.as(person).patch(`/comments/${id}`).send(body);
  const remove = (id: string, person = ann) => app.as(person).delete(`/comments/${id}`);
  const list = async (query: string, person = ann) => {
    const { body } = await app.as(person).get(`/comments?${query}`).expect(200);
    return body.data as { id: string; content: string | null; deleted_at: string | null }[];
  };
  const ids = async (query: string, person = ann) => (await list(query, person)).map(({ id }) => id);
  const inbox = async (person: Person) => (await app.as(person).get('/messages').expect(200)).body.data;

  describe('creating', () => {
    it('returns the whole representation, a Location header and an ETag', async () => {
      const { body, headers } = await create({ metadata: { mood: 'good' } }).expect(201);
      expect(headers.location).toBe(`/api/v1/comments/${body.data.id}`);
      expect(headers.etag).toMatch(/^"1-/);
      expect(body.data).toEqual({
        id: expect.stringMatching(/^cmt_[0-9a-f]{32}$/),
        entity_type: 'task',
        entity_id: task,
        reply_to_id: null,
        content: 'Green?',
        author_id: ann.resourceId,
        author_name: 'Ann',
        metadata: { mood: 'good' },
        edited_at: null,
        deleted_at: null,
        created_at: expect.any(String),
        updated_at: body.data.created_at,
        revision: 1,
        replies: [],
      });
      expect((await get(body.data.id).expect(200)).body.data).toEqual(body.data);
    });

    it.each([
      [{ entity_type: undefined, content: '' }, ['entity_type required', 'content too_short']],
      [{ entity_type: 'message' }, ['entity_type invalid_value']],
      [{ entity_type: 'demand' }, ['entity_id invalid_format']],
      [{ entity_id: newId('comment') }, ['entity_id invalid_format']],
      [{ entity_id: newId('task') }, ['entity_id reference_not_found']],
      [{ reply_to_id: newId('comment') }, ['reply_to_id reference_not_found']],
      [{ content: 'x'.repeat(50_001) }, ['content too_long']],
      [{ author_id: newId('resource'), colour: 'red' }, ['author_id read_only', 'colour unknown_field']],
    ])('rejects %j', async (body, expected) => {
      expect(fieldErrorsOf((await create(body).expect(400)).body)).toEqual(expected);
    });

    it('returns the same error for absent and invisible entities', async () => {
      const secret = await app.task(eve, await app.endeavour(eve));
      const hidden = await create({ entity_id: secret }).expect(400);
      const absent = await create({ entity_id: newId('task') }).expect(400);
      expect(hidden.body.error.details).toEqual(absent.body.error.details);
    });

    it('requires the member role, and a container that is not archived', async () => {
      await create({}, vic).expect(403);
      const old = await app.endeavour(ann);
      await app.database.query(`UPDATE endeavours SET status = 'archived' WHERE id = $1`, [old]);
      const { body } = await create({ entity_type: 'endeavour', entity_id: old }).expect(409);
      expect(body.error.code).toBe('archived');
    });

    it('on entities outside endeavours is allowed to members of their container', async () => {
      const riverside = await app.organization(ann);
      await app.join(riverside, ben, 'member');
      await app.join(riverside, vic, 'guest');
      const on = { entity_type: 'organization', entity_id: riverside };
      const id = await made(on, ben);
      await create(on, vic).expect(403);
      await get(id, vic).expect(200);
      await get(id, eve).expect(404);
      expect(await ids(`entity_id=${riverside}`, vic)).toEqual([id]);
      expect(await ids(`entity_id=${riverside}`, eve)).toEqual([]);
    });

    it('on global entities is limited to administrators, and readable by everyone', async () => {
      const { body } = await app.as(ann).get('/templates?limit=1').expect(200);
      const on = { entity_type: 'template', entity_id: body.data[0].id };
      await create(on).expect(403);
      const id = await made(on, ada);
      expect((await get(id, eve).expect(200)).body.data.content).toBe('Green?');
      await remove(id, eve).expect(403);
    });
  });

  describe('threads', () => {
    it('have one level, and stay on one entity', async () => {
      const [root, other] = [await made(), await app.task(ann, garden)];
      const first = await made({ reply_to_id: root, content: 'Yes' }, ben);
      const { body } = await create({ reply_to_id: first, content: 'Good' }).expect(201);
      expect(body.data.reply_to_id).toBe(root);
      const elsewhere = await create({ reply_to_id: root, entity_id: other }).expect(400);
      expect(fieldErrorsOf(elsewhere.body)).toEqual(['reply_to_id reference_not_found']);
      const thread = (await get(root, vic).expect(200)).body.data;
      expect(thread.replies.map(({ content }: { content: string }) => content)).toEqual(['Yes', 'Good']);
      expect(Object.keys(thread.replies[0])).toEqual(WHOLE_KEYS);
    });

    it('keep their shape after a deletion, and accept no replies to the deleted comment', async () => {
      const thing = await app.task(ann, garden);
      const root = await made({ entity_id: thing });
      const response = await made({ entity_id: thing, reply_to_id: root, content: 'Yes' });
      await remove(root).expect(200);
      expect(await list(`entity_id=${thing}`)).toMatchObject([
        { id: root, content: null, deleted_at: expect.any(String) },
        { id: response, content: 'Yes', deleted_at: null },
      ]);
      const { body } = await get(root).expect(200);
      expect(body.data).toMatchObject({ content: null, revision: 2, replies: [{ id: response }] });
      await create({ entity_id: thing, reply_to_id: root }).expect(400);
      await made({ entity_id: thing, reply_to_id: response });
    });
  });

  describe('listing', () => {
    it('finds visible comments by entity, kind, author and text, oldest first', async () => {
      const [shed, carl] = [await app.endeavour(ann, { name: 'Shed' }), await app.person('Carl')];
      await app.join(shed, carl, 'member');
      const onShed = { entity_type: 'endeavour', entity_id: shed };
      const work = await app.task(ann, shed);
      const first = await made({ ...onShed, content: '100% teal_ish' });
      const second = await made({ entity_id: work, content: 'Teal' }, carl);
      const third = await made({ ...onShed, content: 'Red' }, carl);
      expect(await ids('entity_type=endeavour,task', carl)).toEqual([first, second, third]);
      expect(await ids(`entity_id=${shed}`)).toEqual([first, third]);
      expect(await ids(`entity_id=${shed},${work}&sort=-created_at`)).toEqual([third, second, first]);
      expect(await ids('entity_type=task', carl)).toEqual([second]);
      expect(await ids(`author_id=${carl.id}`)).toEqual([second, third]);
      expect(await ids('author_id=me', carl)).toEqual([second, third]);
      expect(await ids('search=TEAL', carl)).toEqual([first, second]);
      expect(await ids('search=00%25', carl)).toEqual([first]);
      expect(await ids('search=l_i', carl)).toEqual([first]);
      expect(await ids(`entity_id=${shed}`, eve)).toEqual([]);
      expect(await ids(`entity_id=${shed}`, ada)).toEqual([first, third]);
      await remove(second, carl).expect(200);
      expect(await ids('search=teal', carl)).toEqual([first]);
      await app.as(carl).get('/comments?entity_type=message').expect(400);
    });
  });

  describe('editing', () => {
    it('is allowed to the author only, while still a member', async () => {
      const id = await made({}, ben);
      const { body, headers } = await patch(id, { content: 'Blue?', metadata: { a: 1 } }, ben).expect(200);
      expect(headers.etag).toMatch(/^"2-/);
      expect(body.data).toMatchObject({ content: 'Blue?', edited_at: expect.any(String), revision: 2, replies: [] });
      for (const other of [ann, vic, ada]) await patch(id, { content: 'Mine' }, other).expect(403);
      await patch(id, { content: 'Mine' }, eve).expect(404);
      await app.database.query(`UPDATE endeavour_members SET role = 'viewer' WHERE user_id = $1`, [ben.id]);
      await patch(id, { content: 'Red?' }, ben).expect(403);
      await app.database.query(`UPDATE endeavour_members SET role = 'member' WHERE user_id = $1`, [ben.id]);
    });

    it('keeps the revision if nothing changes, and rejects outdated, null and read-only values', async () => {
      const id = await made();
      for (const body of [{}, { content: 'Green?' }, { metadata: {} }]) {
        expect((await patch(id, body).expect(200)).body.data).toMatchObject({ revision: 1, edited_at: null });
      }
      await patch(id, { content: 'New' }).set('If-Match', '"2"').expect(412);
      const { body } = await patch(id, { content: null, entity_id: task }).expect(400);
      expect(fieldErrorsOf(body)).toEqual(['content not_nullable', 'entity_id read_only']);
    });

    it('keeps earlier texts, which admins can read', async () => {
      const id = await made({ content: 'One' }, ben);
      await patch(id, { content: 'Two' }, ben).expect(200);
      await patch(id, { metadata: { a: 1 } }, ben).expect(200);
      await patch(id, { content: 'Three' }, ben).expect(200);
      const { body } = await app.as(ann).get(`/comments/${id}/history`).expect(200);
      const times = { written_at: expect.any(String), replaced_at: expect.any(String) };
      expect(body.data).toEqual([
        { content: 'One', ...times },
        { content: 'Two', ...times },
      ]);
      expect(body.meta.total).toBe(2);
      await app.as(ada).get(`/comments/${id}/history`).expect(200);
      await app.as(ben).get(`/comments/${id}/history`).expect(403);
      await app.as(eve).get(`/comments/${id}/history`).expect(404);
      await app
        .as(ann)
        .get(`/comments/${newId('comment')}/history`)
        .expect(404);
      await expect(app.database.query(`UPDATE comment_texts SET content = ''`)).rejects.toThrow('never changed');
    });

    it('shows no text, metadata or history of a deleted comment', async () => {
      const id = await made({ content: 'Secret', metadata: { secret: true } }, ben);
      await patch(id, { content: 'Less secret' }, ben).expect(200);
      await remove(id, ben).expect(200);
      expect((await get(id).expect(200)).body.data).toMatchObject({ content: null, metadata: {} });
      expect(await list(`entity_id=${task}&author_id=${ben.id}`)).toEqual(
        expect.arrayContaining([expect.objectContaining({ id, content: null, metadata: {} })]),
      );
      for (const admin of [ann, ada]) await app.as(admin).get(`/comments/${id}/history`).expect(404);
    });

    it('succeeds for one of 50 requests with the same If-Match, and keeps one earlier text', async () => {
      const id = await made();
      const tries = Array.from({ length: 50 }, (_, n) => patch(id, { content: `${n}` }).set('If-Match', '"1"'));
      const statuses = (await Promise.all(tries)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      expect(statuses.filter((status) => status === 412)).toHaveLength(49);
      const { body } = await app.as(ann).get(`/comments/${id}/history`).expect(200);
      expect(body.data).toHaveLength(1);
    });
  });

  describe('deleting', () => {
    it('is allowed to the author and to admins', async () => {
      const [first, second] = [await made({}, ben), await made()];
      for (const [id, person] of [
        [first, vic],
        [second, ben],
      ] as const) {
        await remove(id, person).expect(403);
      }
      await remove(first, eve).expect(404);
      expect((await remove(first, ann).expect(200)).body.data).toEqual({ id: first, deleted: true });
      await remove(second).set('If-Match', '"2"').expect(412);
      await remove(second).expect(200);
      await remove(second).expect(404);
      await patch(second, { content: 'Back' }).expect(404);
    });

    race('succeeds once for concurrent requests', 5, async () => {
      const id = await made();
      const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await remove(id)).status));
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      expect(statuses.filter((status) => status === 404)).toHaveLength(19);
      expect((await get(id).expect(200)).body.data.revision).toBe(2);
    });
  });

  describe('mentions', () => {
    it('send one message each, match the longest name, and never notify the author', async () => {
      const [mia, miaLee] = [await app.person('Mia'), await app.person('Mia Lee')];
      const plan = await app.endeavour(ann, { name: 'Plan' });
      await app.join(plan, mia, 'viewer');
      await app.join(plan, miaLee, 'member');
      const work = await app.task(ann, plan, { title: 'Gate' });
      const id = await made({ entity_id: work, content: '@mia lee, ask @Ann' });
      expect(await inbox(mia)).toEqual([]);
      expect(await inbox(miaLee)).toMatchObject([
        {
          sender_id: ann.resourceId,
          intent: 'info',
          subject: 'You were mentioned: Gate',
          content: '@mia lee, ask @Ann',
          entity_type: 'comment',
          entity_id: id,
        },
      ]);
      expect(await inbox(ann)).toEqual([]);
      await patch(id, { content: '@Mia Lee, @Mia: ask @Ann' }).expect(200);
      await patch(id, { content: 'Never mind' }).expect(200);
      await patch(id, { content: '@Mia again' }).expect(200);
      expect(await inbox(miaLee)).toHaveLength(1);
      expect(await inbox(mia)).toHaveLength(1);
    });

    it('reach members by name, and members of teams, who can see the entity, and nobody else by id', async () => {
      const [nora, olga, crew] = [await app.person('Nora'), await app.person('Olga'), newId('resource')];
      const [plan, riverside] = [await app.endeavour(ann, { name: 'Plan' }), await app.organization(ann)];
      await app.join(riverside, nora, 'guest');
      const on = { entity_type: 'endeavour', entity_id: plan };
      await made({ ...on, content: `@Nora and @${olga.resourceId}` });
      expect([await inbox(nora), await inbox(olga)]).toEqual([[], []]);
      await made({ ...on, content: `@${nora.resourceId}` });
      expect(await inbox(nora)).toHaveLength(0);
      await app.database.query(
        `WITH placed AS (INSERT INTO entities (id, kind, title) VALUES ($1, 'resource', 'The crew')),
         made AS (INSERT INTO resources (id, name, type) VALUES ($1, 'The crew', 'team')),
         joined AS (INSERT INTO organization_resources (organization_id, resource_id) VALUES ($2, $1))
         INSERT INTO team_members (team_id, resource_id) VALUES ($1, $3)`,
        [crew, riverside, nora.resourceId],
      );
      await made({ entity_type: 'organization', entity_id: riverside, content: 'Up to @the crew!' });
      expect(await inbox(nora)).toHaveLength(1);
      await made({ ...on, content: '@the crew' });
      expect(await inbox(nora)).toHaveLength(1);
      await app.link(riverside, plan);
      await made({ ...on, content: '@the crew' });
      expect(await inbox(nora)).toHaveLength(2);
    });

    it('by name do not reach members of the organization who have no role in a private endeavour', async () => {
      const olaf = await app.person('Olaf');
      const riverside = await app.organization(ann);
      await app.join(riverside, olaf, 'member');
      const vault = await app.endeavour(ann, { organization_id: riverside });
      const on = { entity_type: 'endeavour', entity_id: vault };
      await made({ ...on, content: '@Olaf' });
      expect(await inbox(olaf)).toHaveLength(1);
      await app.as(ann).patch(`/endeavours/${vault}`).send({ is_private: true }).expect(200);
      await made({ ...on, content: '@Olaf, this is private' });
      expect(await inbox(olaf)).toHaveLength(1);
    });

    describe('of a team by name in a private endeavour', () => {
      let [vault, crew]: string[] = [];
      let [kim, lea]: Person[] = [];

      beforeAll(async () => {
        [kim, lea] = [await app.person('Kim'), await app.person('Lea')];
        const riverside = await app.organization(ann);
        for (const person of [kim, lea]) await app.join(riverside, person, 'member');
        vault = await app.endeavour(ann, { organization_id: riverside, is_private: true });
        for (const person of [eve, lea]) await app.join(vault, person, 'member');
        const team = { name: 'Divers', type: 'team', organization_id: riverside };
        crew = (await app.as(ann).post('/resources').send(team).expect(201)).body.data.id;
        for (const { id } of [kim, lea]) {
          await app.as(ann).post(`/resources/${crew}/members`).send({ resource_id: id }).expect(201);
        }
      });

      const mention = () => made({ entity_type: 'endeavour', entity_id: vault, content: '@Divers' }, eve);
      const received = async (person: Person) =>
        (await app.as(person).get(`/messages?sender_id=${eve.resourceId}`).expect(200)).body.data;

      it('do not reach a team that the author cannot see, nor reveal its members', async () => {
        await app.as(eve).get(`/resources/${crew}`).expect(404);
        await mention();
        const { body } = await app.as(eve).get('/messages?box=sent').expect(200);
        expect([body.data, await received(kim), await received(lea)]).toEqual([[], [], []]);
      });

      it('reach the members of a visible team who have a role there, and no others', async () => {
        await app.task(ann, vault, { assignee_id: crew });
        await app.as(eve).get(`/resources/${crew}`).expect(200);
        const id = await mention();
        expect(await received(lea)).toMatchObject([{ entity_id: id, content: '@Divers' }]);
        expect(await received(kim)).toEqual([]);
        const { body } = await app.as(eve).get('/messages?box=sent').expect(200);
        expect(body.data).toMatchObject([{ recipients: [{ resource_id: lea.resourceId, name: 'Lea' }] }]);
      });
    });

    it('reach users by their usr_ ids too', async () => {
      const nils = await app.person('Nils');
      await app.join(garden, nils, 'viewer');
      await made({ content: `@${nils.id} and @${nils.resourceId}: @Nils` });
      expect(await inbox(nils)).toHaveLength(1);
    });

    it('are not falsely found in comments with up to 48,000 @ in an endeavour with 500 members', async () => {
      const square = await app.endeavour(ann, { name: 'Square' });
      await addViewers(app, square, 500, 'Walker');
      const on = { entity_type: 'endeavour', entity_id: square };
      const deliveries = await app.count('message_deliveries');
      await made({ ...on, content: '@'.repeat(48_000) });
      await made({ ...on, content: '@walke '.repeat(7_000) });
      await made({ ...on, content: `@${'walker.'.repeat(7_000)}` });
      expect(await app.count('message_deliveries')).toBe(deliveries);
    });

    it('are limited to 50 users per comment, each counted once', async () => {
      const square = await app.endeavour(ann, { name: 'Square' });
      await addViewers(app, square, 51, 'Runner');
      const on = { entity_type: 'endeavour', entity_id: square };
      const all = Array.from({ length: 51 }, (_, n) => `@Runner ${n + 1}, hello`);
      const deliveries = await app.count('message_deliveries');
      const { body } = await create({ ...on, content: all.join('\n') }).expect(400);
      expect(fieldErrorsOf(body)).toEqual(['content out_of_range']);
      const id = await made({ ...on, content: [...all.slice(0, 50), ...all.slice(0, 50)].join('\n') });
      expect(await app.count('message_deliveries')).toBe(deliveries + 50);
      await patch(id, { content: all.join('\n') }).expect(400);
      expect(await app.count('message_deliveries')).toBe(deliveries + 50);
    });
  });

  describe('on entities that are moved or deleted', () => {
    it('move with the task, and change their visibility', async () => {
      const [shed, work] = [await app.endeavour(ann, { name: 'Shed' }), await app.task(ann, garden)];
      const artifact = { kind: 'doc', title: 'Plan', task_id: work };
      const { body } = await app.as(ann).post('/artifacts').send(artifact).expect(201);
      const onTask = await made({ entity_id: work });
      const onArtifact = await made({ entity_type: 'artifact', entity_id: body.data.id });
      for (const id of [onTask, onArtifact]) await get(id, vic).expect(200);
      await app.as(ann).patch(`/tasks/${work}`).send({ endeavour_id: shed }).expect(200);
      for (const id of [onTask, onArtifact]) {
        await get(id, vic).expect(404);
        await patch(id, { content: 'Moved' }).expect(200);
      }
      const places = await app.database.query('SELECT DISTINCT endeavour_id FROM entities WHERE id = ANY($1)', [
        [onTask, onArtifact, work, body.data.id],
      ]);
      expect(places).toEqual([{ endeavour_id: shed }]);
    });

    race('never stay behind, even if they are written at the same time', 10, async () => {
      const shed = await app.endeavour(ann, { name: 'Shed' });
      const work = await app.task(ann, garden);
      const responses = await Promise.all([
        ...Array.from({ length: 4 }, () => create({ entity_id: work })),
        app.as(ann).patch(`/tasks/${work}`).send({ endeavour_id: shed }),
      ]);
      expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 201, 200]);
      const astray = await app.database.query(
        'SELECT 1 FROM comments c JOIN entities x USING (id) WHERE c.entity_id = $1 AND x.endeavour_id <> $2',
        [work, shed],
      );
      expect(astray).toEqual([]);
    });

    it('are deleted with their artifact', async () => {
      const artifact = { kind: 'doc', title: 'Plan', endeavour_id: garden };
      const { body } = await app.as(ann).post('/artifacts').send(artifact).expect(201);
      const id = await made({ entity_type: 'artifact', entity_id: body.data.id });
      await app.as(ann).delete(`/artifacts/${body.data.id}`).expect(200);
      for (const person of [ann, ada]) {
        await get(id, person).expect(404);
        expect(await ids(`entity_id=${body.data.id}`, person)).toEqual([]);
      }
      await patch(id, { content: 'New' }).expect(404);
      await create({ entity_type: 'artifact', entity_id: body.data.id }).expect(400);
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
    const id = await made({ entity_type: 'endeavour', entity_id: shed, content: 'Fire!' });
    await patch(id, { metadata: { a: 1 } }).expect(200);
    await patch(id, { content: 'A leak' }).expect(200);
    const { body } = await app.as(ann).get(`/organizations/${riverside}/alerts?sort=created_at`).expect(200);
    expect(body.data).toMatchObject([
      { entity_type: 'comment', entity_id: id, term: 'fire' },
      { entity_type: 'comment', entity_id: id, term: 'leak' },
    ]);
  });

  it('record each change once in the change log', async () => {
    const id = await made();
    await patch(id, { content: 'New' }).expect(200);
    await remove(id).expect(200);
    const events = await app.database.query(
      'SELECT type, endeavour_id, changed FROM events WHERE entity_id = $1 ORDER BY sequence',
      [id],
    );
    expect(events).toEqual([
      { type: 'comment.created', endeavour_id: garden, changed: [] },
      { type: 'comment.updated', endeavour_id: garden, changed: ['content', 'edited_at'] },
      { type: 'comment.deleted', endeavour_id: garden, changed: ['deleted_at', 'content'] },
    ]);
  });

  it('are all stored when 100 are written at once', async () => {
    const work = await app.task(ann, garden);
    await Promise.all(Array.from({ length: 100 }, (_, n) => create({ entity_id: work, content: `${n}` }).expect(201)));
    expect(await ids(`entity_id=${work}&limit=200`)).toHaveLength(100);
  });
});
