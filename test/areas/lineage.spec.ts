import { TestApp, type Person } from '../support/test-app.js';
import { race } from '../support/races.js';

/** Rules that rituals and templates share: version numbers, lineage and visibility. */
describe('lineage', () => {
  let app: TestApp;
  let ann: Person;
  let bob: Person;
  let garden: string;
  let riverside: string;

  beforeAll(async () => {
    app = await TestApp.open();
    [ann, bob] = [await app.person('Ann'), await app.person('Bob')];
    garden = await app.endeavour(ann);
    riverside = await app.organization(ann);
  });

  afterAll(() => app.close());

  const areas = {
    rituals: () => ({ name: 'Round', endeavour_id: garden }),
    templates: () => ({ name: 'Report', scope: 'task', body: 'x', organization_id: riverside }),
  };

  describe.each(Object.keys(areas) as (keyof typeof areas)[])('of %s', (area) => {
    const create = async (): Promise<string> =>
      (await app.as(ann).post(`/${area}`).send(areas[area]()).expect(201)).body.data.id;
    const fork = async (id: string, person = ann): Promise<string> =>
      (await app.as(person).post(`/${area}/${id}/fork`).send({}).expect(201)).body.data.id;
    const chain = async (id: string, person = ann) =>
      (await app.as(person).get(`/${area}/${id}/lineage`).expect(200)).body.data;

    it('initially contains only the entity itself', async () => {
      const id = await create();
      const { body } = await app.as(ann).get(`/${area}/${id}`).expect(200);
      expect(await chain(id)).toEqual([{ ...body.data, visible: true }]);
    });

    it('is the chain of predecessors, oldest first, without siblings', async () => {
      const first = await create();
      const second = await fork(first);
      await fork(first);
      const third = await fork(second);
      const entries = await chain(third);
      expect(entries.map(({ id, version }: { id: string; version: number }) => [id, version])).toEqual([
        [first, 1],
        [second, 2],
        [third, 3],
      ]);
      expect(await chain(first)).toHaveLength(1);
    });

    it('shows only the version number of invisible entries', async () => {
      const first = await create();
      const second = await fork(first);
      const container = area === 'rituals' ? garden : riverside;
      await app.join(container, bob, area === 'rituals' ? 'viewer' : 'guest');
      const own = await fork(second, bob);
      expect(await chain(own, bob)).toHaveLength(3);
      const table = area === 'rituals' ? 'endeavour_members' : 'organization_resources';
      await app.database.query(`DELETE FROM ${table} WHERE user_id = $1`, [bob.id]);
      const entries = await chain(own, bob);
      expect(entries.slice(0, 2)).toEqual([
        { id: null, version: 1, visible: false },
        { id: null, version: 2, visible: false },
      ]);
      expect(entries[2]).toMatchObject({ id: own, version: 3, visible: true });
      expect((await chain(own, await app.admin())).map(({ visible }: { visible: boolean }) => visible)).toEqual([
        true,
        true,
        true,
      ]);
    });

    it('returns 404 if the entity is invisible', async () => {
      const id = await create();
      await app
        .as(await app.person('Eve'))
        .get(`/${area}/${id}/lineage`)
        .expect(404);
      await app
        .as(ann)
        .get(`/${area}/${id.replace(/.$/, 'x')}/lineage`)
        .expect(404);
    });

    it('of a fork of a built-in entity begins with that entity', async () => {
      const { body } = await app.as(ann).get(`/${area}?origin=template&limit=1`).expect(200);
      const [source] = body.data;
      const entries = await chain(await fork(source.id));
      expect(entries[0]).toEqual({ ...source, visible: true });
      expect(entries[1]).toMatchObject({ version: 2, predecessor_id: source.id, lineage_id: source.lineage_id });
    });

    race('keeps its version numbers under concurrent forks and patches', 2, async () => {
      const first = await create();
      const forks = await Promise.all([
        ...Array.from({ length: 10 }, () => fork(first)),
        ...Array.from({ length: 5 }, async (_, n) => {
          await app
            .as(ann)
            .patch(`/${area}/${first}`)
            .send({ name: `N${n}` })
            .expect(200);
          return first;
        }),
      ]);
      for (const id of forks.slice(0, 10)) {
        const entries = await chain(id);
        expect(entries.map(({ version }: { version: number }) => version)).toEqual([1, 2]);
      }
      const { body } = await app.as(ann).get(`/${area}/${first}`).expect(200);
      expect(body.data).toMatchObject({ version: 1, revision: 6 });
    });
  });
});
