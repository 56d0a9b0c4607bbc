import { TestApp, type Person } from '../support/test-app.js';

interface Parameter {
  in: string;
  name: string;
  required?: boolean;
  schema: { type?: string; enum?: string[]; items?: { enum?: string[] } };
}

describe('for clients written for another server (UNKNOWN_FIELDS=ignore)', () => {
  let app: TestApp;
  let ada: Person;
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open({ UNKNOWN_FIELDS: 'ignore' });
    ada = await app.admin();
    garden = await app.endeavour(ada);
  });

  afterAll(() => app.close());

  describe('unknown fields of bodies are dropped', () => {
    it('on creation and in a patch, with values of any type', async () => {
      const sent = { title: 'Paint', endeavour_id: garden, colour: 'red', nested: { deep: [1] }, id: 'x', revision: 7 };
      const { body } = await app.as(ada).post('/tasks').send(sent).expect(201);
      const { data } = await app
        .as(ada)
        .patch(`/tasks/${body.data.id}`)
        .send({ colour: 'blue', created_at: 'now', estimate: 2 })
        .expect(200)
        .then((response) => response.body);
      expect(data).toEqual({ ...body.data, estimate: 2, updated_at: expect.any(String), revision: 2 });
    });

    it('in a schedule', async () => {
      const schedule = { type: 'cron', expression: '0 9 * * 1', every: '1w', colour: 'red' };
      const { body } = await app
        .as(ada)
        .post('/rituals')
        .send({ name: 'Plan', endeavour_id: garden, schedule })
        .expect(201);
      expect(body.data.schedule).toEqual({ type: 'cron', expression: '0 9 * * 1' });
      const patched = { schedule: { type: 'manual', expression: '0 9 * * 1' } };
      const again = await app.as(ada).patch(`/rituals/${body.data.id}`).send(patched).expect(200);
      expect(again.body.data.schedule).toEqual({ type: 'manual' });
      await app
        .as(ada)
        .patch(`/rituals/${body.data.id}`)
        .send({ schedule: { colour: 'red' } })
        .expect(400);
    });

    it('in goals, in conditions and their parameters, and in a quorum', async () => {
      const goals = [{ title: 'Open', colour: 'red' }];
      const edited = await app.as(ada).patch(`/endeavours/${garden}`).send({ goals }).expect(200);
      expect(edited.body.data.goals).toEqual([expect.not.objectContaining({ colour: 'red' })]);
      const condition = { type: 'peer_review', params: { min_reviewers: 2, colour: 'red' }, colour: 'red' };
      const policy = await app
        .as(ada)
        .post('/dod-policies')
        .send({ name: 'Done', conditions: [condition] })
        .expect(201);
      const [kept] = policy.body.data.conditions;
      expect([kept.type, kept.params.min_reviewers, JSON.stringify(kept).includes('colour')]).toEqual([
        'peer_review',
        2,
        false,
      ]);
      const team = (await app.as(ada).post('/resources').send({ name: 'Crew', type: 'team' }).expect(201)).body.data.id;
      await app
        .as(ada)
        .patch(`/resources/${team}`)
        .send({ quorum: { colour: 2 } })
        .expect(200);
    });

    it('but not those in metadata', async () => {
      const metadata = { colour: 'red', nested: { deep: [{ a: 1 }] } };
      const { body } = await app
        .as(ada)
        .post('/tasks')
        .send({ title: 'Paint', endeavour_id: garden, metadata })
        .expect(201);
      expect(body.data.metadata).toEqual(metadata);
    });

    it('and errors of known fields are still reported', async () => {
      const { body } = await app.as(ada).post('/tasks').send({ title: '', colour: 'red' }).expect(400);
      expect(body.error.details.fields.map(({ field }: { field: string }) => field)).toEqual(['title', 'endeavour_id']);
    });
  });

  it('unknown query parameters are dropped, on writes too', async () => {
    await app.as(ada).get('/tasks?colour=red&colour=blue&filter[x]=1&__proto__=1').expect(200);
    await app.as(ada).post('/tasks?dry_run=true').send({ title: 'Paint', endeavour_id: garden }).expect(201);
    await app.as(ada).get('/tasks?limit=0').expect(400);
  });

  it('unknown values of enumerations match nothing, also beside known values', async () => {
    const ids = async (query: string): Promise<string[]> =>
      (await app.as(ada).get(`/tasks?endeavour_id=${garden}&${query}`).expect(200)).body.data.map(
        ({ id }: { id: string }) => id,
      );
    const all = await ids('');
    expect(all.length).toBeGreaterThan(0);
    expect(await ids('status=blocked')).toEqual([]);
    expect(await ids('status=blocked,planned')).toEqual(all);
    expect(await ids('status=!blocked')).toEqual(all);
    expect(await ids('status=!planned,!blocked')).toEqual([]);
    await app.as(ada).get('/tasks?unassigned=perhaps').expect(400);
  });

  it('every filter of every list handles an unknown value without a server error', async () => {
    for (const [path, { get }] of Object.entries(app.document.paths) as [
      string,
      { get?: { parameters?: Parameter[] } },
    ][]) {
      const filters = (get?.parameters ?? []).filter((one) => one.in === 'query');
      if (path.includes('{') || !filters.some(({ name }) => name === 'cursor')) continue;
      for (const { name, schema } of filters) {
        const needed = filters.filter((one) => one.required && one.name !== name).map((one) => `&${one.name}=any`);
        const { status, body } = await app.as(ada).get(`${path}?${name}=unheard_of${needed.join('')}`);
        expect([path, name, [200, 400].includes(status)]).toEqual([path, name, true]);
        const values = schema.items?.enum ?? schema.enum;
        const isFilter = values !== undefined && !values.includes('true') && !['sort', 'fields', 'view'].includes(name);
        if (isFilter) expect([path, name, body.data]).toEqual([path, name, []]);
      }
    }
  });
});
