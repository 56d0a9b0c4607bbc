import { LONG_RANK, SHORT_RANK } from '../../src/common/ranks.js';
import { RankRenewals } from '../../src/modules/demands/ranks/rank-renewals.service.js';
import { InProcessApp } from '../support/in-process-app.js';
import { race } from '../support/races.js';
import type { Person } from '../support/test-app.js';

/** A rank that many moves between the same two others could have made. */
const longRank = (at: number): string => `${'V'.repeat(LONG_RANK + 20)}${String(1_000 + at)}1`;

describe('long ranks', () => {
  let app: InProcessApp;
  let ann: Person;
  let renewals: RankRenewals;

  beforeAll(async () => {
    app = await InProcessApp.open({ LIMIT_WRITES_PER_MINUTE: '100000' });
    ann = await app.person('Ann', { tier: 3 });
    renewals = app.nest.get(RankRenewals, { strict: false });
  });

  afterAll(() => app.close());

  describe.each([
    { kind: 'tasks' as const, make: (garden: string, title: string) => app.task(ann, garden, { title }) },
    { kind: 'demands' as const, make: (garden: string, title: string) => app.demand(ann, garden, { title }) },
  ])('of $kind', ({ kind, make }) => {
    let garden: string;
    let ids: string[];

    beforeEach(async () => {
      garden = await app.endeavour(ann);
      ids = [];
      for (let at = 0; at < 12; at += 1) ids.push(await make(garden, String(at)));
    });

    const listed = async (): Promise<{ id: string; title: string; rank: string; revision: number }[]> =>
      (await app.as(ann).get(`/${kind}?endeavour_id=${garden}&sort=rank`).expect(200)).body.data;
    const order = async () => (await listed()).map(({ title }) => title).join();
    const longest = async () => Math.max(...(await listed()).map(({ rank }) => rank.length));
    const setRank = (id: string, rank: string) =>
      app.observer.query(`UPDATE ${kind} SET rank = $2 WHERE id = $1`, [id, rank]);
    /** Gives all but the first and the last two long ranks, in another order than that of their creation. */
    const lengthen = async (): Promise<void> => {
      for (const [at, id] of ids.slice(1, -2).toReversed().entries()) await setRank(id, longRank(at));
    };
    const events = async () => Number((await app.observer.one('SELECT count(*) AS count FROM events'))?.count);

    it('become short in the same order, without a revision or an event', async () => {
      await lengthen();
      await setRank(ids[11], 'W');
      const before = await listed();
      expect(await longest()).toBeGreaterThan(LONG_RANK);
      const count = await events();
      await renewals.renew(kind);
      const after = await listed();
      const ranks = new Map(after.map(({ id, rank }) => [id, rank]));
      expect(after).toEqual(before.map((one) => ({ ...one, rank: ranks.get(one.id) })));
      expect(Math.max(...after.map(({ rank }) => rank.length))).toBeLessThanOrEqual(SHORT_RANK);
      // Those of the others stay.
      const [first] = ids;
      expect(after.find(({ id }) => id === first)?.rank).toBe(before.find(({ id }) => id === first)?.rank);
      expect(after.find(({ id }) => id === ids[11])?.rank).toBe('W');
      expect(await events()).toBe(count);
      await make(garden, 'new');
      await renewals.renew(kind);
      expect((await listed()).filter(({ title }) => title !== 'new')).toEqual(after);
    });

    it('stay where another transaction writes one of them, and become short later', async () => {
      await lengthen();
      const before = await order();
      const writer = await app.openConnection();
      try {
        await writer.query(`BEGIN; SELECT 1 FROM ${kind} WHERE id = '${ids[3]}' FOR UPDATE`);
        await renewals.renew(kind);
        expect(await longest()).toBeGreaterThan(LONG_RANK);
        await writer.query('COMMIT');
      } finally {
        await writer.end();
      }
      await renewals.renew(kind);
      expect(await longest()).toBeLessThanOrEqual(SHORT_RANK);
      expect(await order()).toBe(before);
    });

    it('of other endeavours become short too where one has to wait', async () => {
      await lengthen();
      const there = await app.endeavour(ann);
      const id = await make(there, 'there');
      await setRank(id, longRank(1));
      await renewals.renew(kind);
      expect(await longest()).toBeLessThanOrEqual(SHORT_RANK);
      const { body } = await app.as(ann).get(`/${kind}/${id}`).expect(200);
      expect(body.data.rank.length).toBeLessThanOrEqual(SHORT_RANK);
    });

    race('become short while 50 others are moved', 2, async () => {
      await lengthen();
      const rank = (id: string, body: object) => app.as(ann).post(`/${kind}/${id}/rank`).send(body);
      const moved = new Set(ids.slice(0, 4));
      const still = async () =>
        (await listed())
          .filter(({ id }) => !moved.has(id))
          .map(({ title }) => title)
          .join();
      const before = await still();
      const moves = Array.from({ length: 50 }, (_, at) => {
        const [id, other] = [ids[at % 4], ids[(at % 4) + 1 + (at % 7)]];
        const places = [{ first: true }, { last: true }, { before: other }, { after: other }];
        return rank(id, places[(at * 7) % 4]);
      });
      const runs = Array.from({ length: 5 }, () => renewals.renew(kind));
      const statuses = (await Promise.all(moves)).map(({ status }) => status);
      await Promise.all(runs);
      expect(new Set(statuses)).toEqual(new Set([200]));
      expect(await still()).toBe(before);
      await renewals.renew(kind);
      expect(await longest()).toBeLessThanOrEqual(LONG_RANK);
      expect(await still()).toBe(before);
      expect(new Set((await listed()).map((one) => one.rank)).size).toBe(12);
    });
  });
});
