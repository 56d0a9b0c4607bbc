import { TestApp, type Person } from '../support/test-app.js';

/** Filters by sets of values and ids: excluded, unset, impossible (spec 01, Lists). */
describe('filters by sets', () => {
  let app: TestApp;
  let [ann, zoe]: Person[] = [];
  let garden: string;
  let [mine, hers, nobodys]: string[] = [];

  beforeAll(async () => {
    app = await TestApp.open();
    [ann, zoe] = [await app.person('Ann', { tier: 3 }), await app.person('Zoe')];
    garden = await app.endeavour(ann);
    await app.join(garden, zoe, 'member');
    mine = await app.task(ann, garden, { assignee_id: 'me' });
    hers = await app.task(zoe, garden, { assignee_id: 'me' });
    nobodys = await app.task(ann, garden);
    for (const type of ['bug', 'story']) await app.demand(ann, garden, { type });
  });

  afterAll(() => app.close());

  const ids = async (query: string): Promise<string[]> =>
    (await app.as(ann).get(`/tasks?endeavour_id=${garden}&sort=created_at&${query}`).expect(200)).body.data.map(
      ({ id }: { id: string }) => id,
    );

  it('exclude people and keep what nobody is assigned to', async () => {
    expect(await ids('assignee_id=!me')).toEqual([hers, nobodys]);
    expect(await ids(`assignee_id=!${zoe.id}`)).toEqual([mine, nobodys]);
    expect(await ids(`assignee_id=!me,${zoe.resourceId}`)).toEqual([nobodys]);
    expect(await ids('creator_id=!me')).toEqual([hers]);
    expect(await ids('demand_id=!none')).toEqual([]);
  });

  it('find what is unset, alone and together with values', async () => {
    expect(await ids('assignee_id=none')).toEqual([nobodys]);
    expect(await ids('assignee_id=none,me')).toEqual([mine, nobodys]);
    expect(await ids('assignee_id=!none')).toEqual([mine, hers]);
    expect(await ids('assignee_id=!none,me')).toEqual([hers]);
    expect(await ids('demand_id=none')).toEqual([mine, hers, nobodys]);
  });

  it('exclude words, statuses and containers', async () => {
    const types = (await app.as(ann).get('/demands?type=!bug').expect(200)).body.data;
    expect(types).toEqual([expect.objectContaining({ type: 'story' })]);
    expect(await ids('status=!done,canceled')).toEqual([mine, hers, nobodys]);
    const elsewhere = await app.task(ann, await app.endeavour(ann));
    const { body } = await app.as(ann).get(`/tasks?endeavour_id=!${garden}`).expect(200);
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([elsewhere]);
  });

  it('count the same in summaries and in bulk changes', async () => {
    const { body } = await app.as(ann).get(`/tasks/summary?endeavour_id=${garden}&assignee_id=!me`).expect(200);
    expect(body.data.total).toBe(2);
  });

  it.each([
    ['tasks?assignee_id=rubbish', 'assignee_id'],
    ['tasks?assignee_id=tsk_018f6b1a2c3d7e4f8a5b6c7d8e9f0a1b', 'assignee_id'],
    ['tasks?demand_id=!rubbish', 'demand_id'],
    ['tasks?status=done,!active', 'status'],
    ['tasks?assignee_id=me,!none', 'assignee_id'],
    ['tasks?status=none', 'status'],
    ['tasks?owner_id=none', 'owner_id'],
    ['comments?entity_id=1', 'entity_id'],
    ['relations?entity_id=!tsk_018f6b1a2c3d7e4f8a5b6c7d8e9f0a1b', 'entity_id'],
    ['search?q=gate&endeavour_id=!edv_018f6b1a2c3d7e4f8a5b6c7d8e9f0a1b', 'endeavour_id'],
  ])('refuse what cannot be a value there: %s', async (path, field) => {
    const { body } = await app.as(ann).get(`/${path}`).expect(400);
    expect(body.error.details.fields).toEqual([expect.objectContaining({ field })]);
  });
});
