import { TestApp, type Person } from '../support/test-app.js';

/** Lists of work leave out the contents of archived containers by default (spec 02). */
describe('lists and archived containers', () => {
  const LISTS = ['tasks', 'demands', 'artifacts', 'rituals'] as const;
  let app: TestApp;
  let ann: Person;
  let ada: Person;
  /** The ids of one entity of each kind in the archived and in the active endeavour. */
  const ids: Record<string, Record<string, string>> = { old: {}, now: {} };
  let old: string;
  let now: string;
  let riverside: string;

  const create = async (path: string, body: object): Promise<string> => {
    const response = await app.as(ann).post(`/${path}`).send(body).expect(201);
    return response.body.data.id;
  };
  const archive = (path: string) => app.as(ann).post(`/${path}/archive`).send({ reason: 'Over' }).expect(200);
  const list = async (path: string, query = '', person = ann): Promise<string[]> => {
    const { body } = await app.as(person).get(`/${path}?limit=200&${query}`).expect(200);
    expect(body.meta.total).toBe(body.data.length);
    const mine = new Set([...Object.values(ids.old), ...Object.values(ids.now)]);
    return body.data.map(({ id }: { id: string }) => id).filter((id: string) => mine.has(id));
  };

  beforeAll(async () => {
    app = await TestApp.open();
    [ann, ada] = [await app.person('Ann'), await app.admin()];
    riverside = await app.organization(ann);
    [old, now] = [await app.endeavour(ann, { organization_id: riverside }), await app.endeavour(ann)];
    for (const [name, endeavour_id] of Object.entries({ old, now })) {
      ids[name].tasks = await app.task(ann, endeavour_id, { title: `Hedge ${name}` });
      ids[name].demands = await app.demand(ann, endeavour_id, { title: `Hedge ${name}` });
      ids[name].artifacts = await create('artifacts', { kind: 'doc', title: `Hedge ${name}`, endeavour_id });
      ids[name].rituals = await create('rituals', { name: `Hedge ${name}`, endeavour_id });
    }
    await archive(`endeavours/${old}`);
  });

  afterAll(() => app.close());

  describe.each(LISTS)('%s', (path) => {
    it('leave archived work out, return it alone, or return both', async () => {
      const [gone, here] = [ids.old[path], ids.now[path]];
      for (const person of [ann, ada]) {
        for (const query of ['', 'search=Hedge', 'created_after=2020-01-01', 'sort=-updated_at']) {
          const found = async (archived: string) => (await list(path, `${query}${archived}`, person)).sort();
          expect(await found('')).toEqual([here]);
          expect(await found('&archived=')).toEqual([here]);
          expect(await found('&archived=false')).toEqual([here]);
          expect(await found('&archived=true')).toEqual([gone]);
          expect(await found('&archived=any')).toEqual([gone, here].sort());
        }
      }
      expect(await list(path, 'archived=any&mine=true', ada)).toEqual([]);
    });

    it('leave archived work out even if the filter names its endeavour', async () => {
      for (const person of [ann, ada]) {
        expect(await list(path, `endeavour_id=${old}`, person)).toEqual([]);
        expect(await list(path, `endeavour_id=${old},${now}`, person)).toEqual([ids.now[path]]);
        expect(await list(path, `endeavour_id=${old}&archived=true`, person)).toEqual([ids.old[path]]);
        expect(await list(path, `endeavour_id=${now}&archived=true`, person)).toEqual([]);
        expect(await list(path, `endeavour_id=${old}&archived=any`, person)).toEqual([ids.old[path]]);
      }
    });

    it('hide archived work from users without a role there', async () => {
      const eve = await app.person('Eve');
      for (const query of ['archived=true', 'archived=any', `archived=true&endeavour_id=${old}`]) {
        expect(await list(path, query, eve)).toEqual([]);
      }
    });

    it('follow a cursor through archived and other work', async () => {
      const first = await app.as(ann).get(`/${path}?archived=any&mine=true&limit=1&search=Hedge`).expect(200);
      expect(first.body.data.map(({ id }: { id: string }) => id)).toEqual([ids.now[path]]);
      const { next_cursor } = first.body.meta;
      const second = await app
        .as(ann)
        .get(`/${path}?archived=any&mine=true&limit=1&search=Hedge&cursor=${next_cursor}`)
        .expect(200);
      expect(second.body.data.map(({ id }: { id: string }) => id)).toEqual([ids.old[path]]);
    });

    it('reject any other value', async () => {
      const { body } = await app.as(ann).get(`/${path}?archived=yes`).expect(400);
      expect(body.error.details.fields).toEqual([
        { field: 'archived', code: 'invalid_value', message: expect.any(String), allowed: ['false', 'true', 'any'] },
      ]);
    });
  });

  it('count tasks by status in the same way', async () => {
    for (const path of ['/tasks?summary=true&', '/tasks/summary?']) {
      const summary = async (query: string) =>
        (
          await app
            .as(ann)
            .get(path + query)
            .expect(200)
        ).body.data;
      expect(await summary('')).toMatchObject({ total: 1, planned: 1, canceled: 0 });
      expect(await summary('archived=true')).toMatchObject({ total: 1, planned: 0, canceled: 1 });
      expect(await summary('archived=any')).toMatchObject({ total: 2, planned: 1, canceled: 1 });
      expect(await summary(`archived=any&endeavour_id=${old}`)).toMatchObject({ total: 1, canceled: 1 });
    }
  });

  it('list work again once its endeavour is unarchived', async () => {
    const shed = await app.endeavour(ann);
    const task = await app.task(ann, shed);
    await archive(`endeavours/${shed}`);
    const found = async () => {
      const { body } = await app.as(ann).get(`/tasks?endeavour_id=${shed}`).expect(200);
      return body.data.map(({ id }: { id: string }) => id);
    };
    expect(await found()).toEqual([]);
    await app.as(ann).post(`/endeavours/${shed}/unarchive`).expect(200);
    expect(await found()).toEqual([task]);
  });

  it('leave out rituals of an archived organization itself', async () => {
    const hillside = await app.organization(ann);
    const source = `/rituals/${ids.now.rituals}/fork`;
    const response = await app.as(ann).post(source).send({ organization_id: hillside }).expect(201);
    const round: string = response.body.data.id;
    const found = async (query: string, person: Person) => {
      const { body } = await app.as(person).get(`/rituals?organization_id=${hillside}&${query}`).expect(200);
      return body.data.map(({ id }: { id: string }) => id);
    };
    for (const person of [ann, ada]) expect(await found('archived=true', person)).toEqual([]);
    await archive(`organizations/${hillside}`);
    for (const person of [ann, ada]) {
      expect(await found('', person)).toEqual([]);
      expect(await found('archived=true', person)).toEqual([round]);
      expect(await found('archived=any', person)).toEqual([round]);
    }
  });

  it('reject the parameter if the list leaves nothing out', async () => {
    const { body } = await app.as(ann).get('/comments?archived=true').expect(400);
    expect(body.error.details.fields).toMatchObject([{ field: 'archived', code: 'unknown_field' }]);
  });
});
