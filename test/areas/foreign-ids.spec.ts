import { attestation } from '../support/dod.js';
import { TestApp, type Person } from '../support/test-app.js';

describe('the id of something that the reader does not see is not shown', () => {
  let app: TestApp;
  let ann: Person;
  let eve: Person;
  let home: string;
  let other: string;

  beforeAll(async () => {
    app = await TestApp.open();
    [ann, eve] = [await app.person('Ann'), await app.person('Eve')];
    [home, other] = [await app.organization(ann), await app.organization(ann, { name: 'Other' })];
    await app.join(other, eve, 'member');
  });

  afterAll(() => app.close());

  const create = async (path: string, body: object): Promise<string> =>
    (await app.as(ann).post(path).send(body).expect(201)).body.data.id;
  const get = async (path: string, person: Person) => (await app.as(person).get(path).expect(200)).body.data;

  it.each([
    ['templates', { name: 'Weekly', scope: 'task', body: 'Hi' }],
    ['rituals', { name: 'Standup', prompt: 'Stand up' }],
  ])('as the lineage of %s, whose oldest visible version takes its place', async (path, body) => {
    const place = async (organization: string): Promise<object> =>
      path === 'rituals'
        ? { endeavour_id: await app.endeavour(ann, { organization_id: organization }) }
        : { organization_id: organization };
    const source = await create(`/${path}`, { ...body, ...(await place(home)) });
    const there = await place(other);
    const first = await create(`/${path}/${source}/fork`, there);
    const second = await create(`/${path}/${first}/fork`, there);
    for (const id of [first, second]) {
      expect((await get(`/${path}/${id}`, ann)).lineage_id).toBe(source);
      expect((await get(`/${path}/${id}`, eve)).lineage_id).toBe(first);
    }
    expect(JSON.stringify(await get(`/${path}`, eve))).not.toContain(source);
  });

  it('as the lineage of a policy that went along with an endeavour', async () => {
    const garden = await app.endeavour(ann, { organization_id: home });
    const policy = await create('/dod-policies', { name: 'Own', conditions: [attestation], organization_id: home });
    await app.as(ann).post(`/endeavours/${garden}/dod-policy`).send({ policy_id: policy }).expect(200);
    await app.as(ann).post(`/endeavours/${garden}/transfer`).send({ organization_id: other }).expect(200);
    const { dod_policy_id: copy } = await get(`/endeavours/${garden}`, eve);
    expect(await get(`/dod-policies/${copy}`, eve)).toMatchObject({ lineage_id: copy, predecessor_id: null });
    expect(await get(`/dod-policies/${copy}`, ann)).toMatchObject({ lineage_id: policy, predecessor_id: policy });
  });

  it('as the subject or scope of a message', async () => {
    const garden = await app.endeavour(ann, { organization_id: home });
    const task = await app.task(ann, garden);
    const about = await create('/messages', { recipient_ids: [eve.id], content: 'About it', entity_id: task });
    expect(await get(`/messages/${about}`, ann)).toMatchObject({ entity_type: 'task', entity_id: task });
    expect(await get(`/messages/${about}`, eve)).toMatchObject({ entity_type: null, entity_id: null });
    await app.join(garden, eve, 'member');
    const scoped = await create('/messages', { scope_type: 'endeavour', scope_id: garden, content: 'To you all' });
    expect(await get(`/messages/${scoped}`, eve)).toMatchObject({ scope_type: 'endeavour', scope_id: garden });
    expect(await get(`/messages/${about}`, eve)).toMatchObject({ entity_type: 'task', entity_id: task });
    await app.as(ann).delete(`/endeavours/${garden}/members/${eve.id}`).expect(200);
    const seen = [
      await get(`/messages/${scoped}`, eve),
      await get('/messages', eve),
      await get(`/messages/${scoped}/thread`, eve),
      await get('/changes?type=message.*', eve),
    ];
    for (const answer of seen) expect(JSON.stringify(answer)).not.toMatch(new RegExp(`${task}|${garden}`));
    for (const filter of [`entity_id=${task}`, `entity_type=task`]) {
      expect(await get(`/messages?${filter}`, eve)).toEqual([]);
    }
  });

  it('as the link of a goal, which is kept by a patch of someone who does not see it', async () => {
    const goalsOf = async (person: Person) => (await get(`/endeavours/${garden}`, person)).goals;
    const garden = await app.endeavour(ann, { organization_id: other });
    await app.join(garden, eve, 'admin');
    const task = await app.task(ann, await app.endeavour(ann, { organization_id: home }));
    const goals = [{ title: 'Dig', linked_entity_type: 'task', linked_entity_id: task }, { title: 'Plant' }];
    await app.as(ann).patch(`/endeavours/${garden}`).send({ goals }).expect(200);
    const [dig, plant] = await goalsOf(eve);
    expect(dig.linked_entity_id).toBeNull();
    const changed = { goals: [plant, { ...dig, title: 'Dig deeper' }] };
    await app.as(eve).patch(`/endeavours/${garden}`).send(changed).expect(200);
    expect(await goalsOf(ann)).toMatchObject([
      { title: 'Plant', linked_entity_id: null },
      { title: 'Dig deeper', linked_entity_type: 'task', linked_entity_id: task },
    ]);
    const own = await app.task(ann, garden);
    const replaced = [{ ...dig, linked_entity_type: 'task', linked_entity_id: own }];
    await app.as(eve).patch(`/endeavours/${garden}`).send({ goals: replaced }).expect(200);
    expect(await goalsOf(ann)).toMatchObject([{ linked_entity_id: own }]);
    const unlinked = [{ ...dig, linked_entity_type: null, linked_entity_id: null }];
    await app.as(eve).patch(`/endeavours/${garden}`).send({ goals: unlinked }).expect(200);
    expect(await goalsOf(ann)).toMatchObject([{ linked_entity_id: null }]);
  });
});
