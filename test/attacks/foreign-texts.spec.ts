import { TestApp, type Person } from '../support/test-app.js';

/** Texts and ids that reached people who may not see the thing that they belong to. */
describe('somebody who may not see a thing', () => {
  let app: TestApp;
  let [ann, eve, mia]: Person[] = [];
  let [organization, cellar, garden]: string[] = [];

  beforeAll(async () => {
    app = await TestApp.open({ LIMIT_WRITES_PER_MINUTE: '100000' });
  });
  afterAll(() => app.close());

  beforeEach(async () => {
    [ann, eve, mia] = [await app.person('Ann'), await app.person('Eve'), await app.person('Mia')];
    organization = await app.organization(ann);
    for (const person of [eve, mia]) await app.join(organization, person, 'member');
    cellar = await app.endeavour(ann, { name: 'Cellar', organization_id: organization, is_private: true });
    garden = await app.endeavour(ann, { name: 'Garden', organization_id: organization });
    await app.join(cellar, mia, 'member');
  });

  const create = async (path: string, body: object, person = ann): Promise<string> =>
    (await app.as(person).post(path).send(body).expect(201)).body.data.id;
  const read = async (person: Person, path: string) => (await app.as(person).get(path).expect(200)).body.data;

  /** The things that the messages to a person are about, without notices about new members of teams. */
  const told = async (person: Person): Promise<string[]> =>
    (await read(person, '/messages'))
      .filter(({ sender_id }: { sender_id: string | null }) => sender_id !== null)
      .map(({ entity_id }: { entity_id: string }) => entity_id);

  it('receives no message if mentioned there by id or as a member of a team', async () => {
    const task = await app.task(ann, cellar);
    const team = await create('/resources', { name: 'Crew', type: 'team', organization_id: organization });
    for (const { resourceId } of [eve, mia]) {
      await app.as(ann).post(`/resources/${team}/members`).send({ resource_id: resourceId }).expect(201);
    }
    const content = `Secret for @${eve.resourceId}, @${eve.id}, @${mia.id} and @${team}`;
    const comment = { entity_type: 'task', entity_id: task, content };
    const id = await create('/comments', comment);
    expect(await told(eve)).toEqual([]);
    expect(await told(mia)).toEqual([id]);
    await app
      .as(ann)
      .patch(`/comments/${id}`)
      .send({ content: `${content} again` })
      .expect(200);
    expect(await told(eve)).toEqual([]);
    await app.join(cellar, eve, 'member');
    await app
      .as(ann)
      .patch(`/comments/${id}`)
      .send({ content: `${content} once more` })
      .expect(200);
    expect(await told(eve)).toEqual([id]);
  });

  it('receives no message if mentioned on a personal policy', async () => {
    const policy = { name: 'Mine', container: 'personal', conditions: [{ type: 'peer_review' }] };
    const [entity_id, team] = [
      await create('/dod-policies', policy),
      await create('/resources', { name: 'Crew', type: 'team', organization_id: organization }),
    ];
    await app.as(ann).post(`/resources/${team}/members`).send({ resource_id: eve.resourceId }).expect(201);
    const content = `Secret for @${eve.id} and @${team}`;
    await create('/comments', { entity_type: 'dod_policy', entity_id, content });
    expect(await told(eve)).toEqual([]);
  });

  it('reads no event of a relation to it', async () => {
    const [inside, outside] = [await app.task(ann, garden), await app.task(ann, cellar)];
    const relation = {
      relationship_type: 'relates_to',
      source_entity_type: 'task',
      source_entity_id: inside,
      target_entity_type: 'task',
      target_entity_id: outside,
      metadata: { why: 'Secret' },
    };
    const id = await create('/relations', relation);
    const typesFor = async (person: Person): Promise<string[]> =>
      (await read(person, `/changes?after=0&entity_id=${id}`)).map(({ type }: { type: string }) => type);
    expect([await typesFor(ann), await typesFor(mia), await typesFor(eve)]).toEqual([
      ['relation.created'],
      ['relation.created'],
      [],
    ]);
    await app.as(eve).get(`/relations/${id}/changes`).expect(404);
    const [{ data }] = await app.database.query<{ data: object }>('SELECT data FROM events WHERE entity_id = $1', [id]);
    expect(JSON.stringify(data)).not.toContain('Secret');
    await app.as(ann).delete(`/relations/${id}`).expect(200);
    expect(await typesFor(eve)).toEqual([]);
    const near = await create('/relations', { ...relation, target_entity_id: await app.task(ann, garden) });
    const events = await read(eve, `/changes?after=0&entity_id=${near}`);
    expect(events[0].data).toMatchObject({ source_entity_id: inside, metadata: { why: 'Secret' } });
  });

  it('reads no earlier texts of a task that was moved from there to another home', async () => {
    const [olga, other] = [await app.person('Olga'), await app.organization(ann, { name: 'Other' })];
    const yard = await app.endeavour(ann, { organization_id: other });
    await app.join(yard, olga, 'admin');
    const task = await app.task(ann, garden, { title: 'Secret one', description: 'Secret plan', estimate: 3 });
    await app
      .as(ann)
      .patch(`/tasks/${task}`)
      .send({ title: 'Secret two', metadata: { a: 'Secret' } })
      .expect(200);
    await app.as(ann).patch(`/tasks/${task}`).send({ status: 'active' }).expect(200);
    await app
      .as(ann)
      .patch(`/tasks/${task}`)
      .send({ title: 'Public', description: null, metadata: null, endeavour_id: yard })
      .expect(200);
    for (const path of [`/changes?after=0&entity_id=${task}`, `/tasks/${task}/changes`, '/activity']) {
      const { text } = await app.as(olga).get(path).expect(200);
      expect([path, text.includes('Secret'), text.includes(task)]).toEqual([path, false, true]);
    }
    const history = await read(olga, `/tasks/${task}/changes`);
    expect(history.map(({ type }: { type: string }) => type)).toContain('task.status_changed');
    expect(history.at(-1)).toMatchObject({ type: 'task.created', data: { id: task, estimate: 3, status: 'planned' } });
    const own = await app.as(ann).get(`/tasks/${task}/changes`).expect(200);
    expect(own.text).toContain('Secret two');
    const near = await app.endeavour(ann, { organization_id: organization });
    const moved = await app.task(ann, garden, { title: 'Plain one' });
    await app.as(ann).patch(`/tasks/${moved}`).send({ title: 'Plain two', endeavour_id: near }).expect(200);
    expect((await app.as(eve).get(`/tasks/${moved}/changes`).expect(200)).text).toContain('Plain one');
  });

  it('learns nothing of a private endeavour from its external reference', async () => {
    const put = (person: Person, body: object, id = 'X-1') =>
      app.as(person).put(`/endeavours/by-external/jira/${id}?organization_id=${organization}`).send(body);
    const hidden = (await put(ann, { name: 'Hidden', is_private: true }).expect(201)).body.data.id;
    const own = (await put(eve, { name: 'Own' }).expect(201)).body.data.id;
    expect(own).not.toBe(hidden);
    const taken = { name: 'Third', organization_id: organization, external_ref: { source: 'jira', id: 'X-1' } };
    expect((await app.as(eve).post('/endeavours').send(taken).expect(409)).body.error.details.reason).toBe(
      'external_ref_taken',
    );
    await app.as(ann).patch(`/endeavours/${hidden}`).send({ is_private: false }).expect(409);
    expect((await put(eve, { description: 'Mine' }).expect(200)).body.data.id).toBe(own);
    expect((await put(ann, { description: 'Hers' }).expect(200)).body.data.id).toBe(hidden);
  });

  it('sees no link of a goal to it', async () => {
    const demand = await create('/demands', { title: 'Deeper', type: 'feature', endeavour_id: cellar });
    const near = await create('/demands', { title: 'Greener', type: 'feature', endeavour_id: garden });
    const goals = [
      { title: 'Dig', linked_entity_type: 'demand', linked_entity_id: demand },
      { title: 'Sow', linked_entity_type: 'demand', linked_entity_id: near },
      { title: 'Rest' },
    ];
    await app.as(ann).patch(`/endeavours/${garden}`).send({ goals }).expect(200);
    const linksFor = async (person: Person): Promise<(string | null)[][]> => {
      const one = await read(person, `/endeavours/${garden}`);
      const many = await read(person, '/endeavours?limit=200');
      const listed = many.find(({ id }: { id: string }) => id === garden);
      return [one, listed].map((endeavour) =>
        endeavour.goals.map(({ linked_entity_id: id }: { linked_entity_id: string | null }) => id),
      );
    };
    expect(await linksFor(eve)).toEqual([
      [null, near, null],
      [null, near, null],
    ]);
    expect(await linksFor(mia)).toEqual([
      [demand, near, null],
      [demand, near, null],
    ]);
    expect((await app.as(eve).get(`/endeavours/${garden}?fields=goals`).expect(200)).text).not.toContain(demand);
  });

  it.each([
    ['/templates', { scope: 'task', body: 'x' }],
    ['/rituals', {}],
  ])('does not see it as the predecessor of a copy: %s', async (path, body) => {
    const own = path === '/rituals' ? { endeavour_id: cellar } : { organization_id: organization };
    const target = await app.organization(mia);
    const yard = await app.endeavour(mia, { organization_id: target });
    await app.join(target, eve, 'member');
    await app.database.query('DELETE FROM organization_resources WHERE organization_id = $1 AND user_id = $2', [
      organization,
      eve.id,
    ]);
    const source = await create(path, { name: 'Source', ...body, ...own });
    const into = path === '/rituals' ? { endeavour_id: yard } : { organization_id: target };
    const copy = await create(`${path}/${source}/fork`, into, mia);
    expect((await read(mia, `${path}/${copy}`)).predecessor_id).toBe(source);
    expect((await read(eve, `${path}/${copy}`)).predecessor_id).toBeNull();
    const listed = await read(eve, `${path}?limit=200`);
    expect(listed.find(({ id }: { id: string }) => id === copy).predecessor_id).toBeNull();
  });
});
