import { TestApp, type Person } from '../support/test-app.js';

describe('lists of tasks', () => {
  let app: TestApp;
  let ann: Person;
  let mia: Person;
  let garden: string;
  let secret: string;
  const ids: Record<string, string> = {};

  const list = async (query: string, person = ann): Promise<string[]> => {
    const { body } = await app.as(person).get(`/tasks?limit=200&${query}`).expect(200);
    expect(body.meta.total).toBe(body.data.length);
    return body.data.map(({ title }: { title: string }) => title);
  };
  const summary = async (query: string, person = ann) =>
    (await app.as(person).get(`/tasks?summary=true&${query}`).expect(200)).body.data;
  const patch = (id: string, body: object, person = ann) => app.as(person).patch(`/tasks/${id}`).send(body);

  beforeAll(async () => {
    app = await TestApp.open();
    [ann, mia] = [await app.person('Ann'), await app.person('Mia')];
    garden = await app.endeavour(ann, { name: 'Garden' });
    await app.join(garden, mia, 'member');
    secret = await app.endeavour(mia, { name: 'Secret' });
    const make = async (title: string, more: object = {}, person = ann, endeavour = garden) => {
      ids[title] = await app.task(person, endeavour, { title, ...more });
    };
    await make('Apples', { assignee_id: ann.id, due_date: '2020-01-01' });
    await make('Berries', { assignee_id: mia.id, due_date: '2999-01-01' });
    await make('Cherries', {}, mia);
    await make('Dates');
    await make('Elder', { assignee_id: mia.id }, mia, secret);
    await patch(ids.Berries, { status: 'active' }).expect(200);
    await patch(ids.Dates, { status: 'canceled', canceled_reason: 'Rain' }).expect(200);
  });

  afterAll(() => app.close());

  it.each([
    ['', ['Apples', 'Berries', 'Cherries', 'Dates']],
    ['status=planned', ['Apples', 'Cherries']],
    ['status=active,canceled', ['Berries', 'Dates']],
    ['assignee_id=me', ['Apples']],
    ['unassigned=true', ['Cherries', 'Dates']],
    ['unassigned=', ['Cherries', 'Dates']],
    ['unassigned=0', ['Apples', 'Berries']],
    ['overdue=true', ['Apples']],
    ['overdue=false', ['Berries', 'Cherries', 'Dates']],
    ['creator_id=me', ['Apples', 'Berries', 'Dates']],
    ['owner_id=me', ['Apples', 'Berries', 'Dates']],
    ['due_after=2020-01-01&due_before=2021-01-01', ['Apples']],
    ['endeavour_id=edv_018f6b1a2c3d7e4f8a5b6c7d8e9f0a1b', []],
    ['demand_id=dmd_018f6b1a2c3d7e4f8a5b6c7d8e9f0a1b', []],
  ])('filter by %s', async (query, titles) => {
    expect(await list(`sort=title&${query}`)).toEqual(titles);
  });

  it('find tasks by the id of a user, and by the id of their resource', async () => {
    expect(await list(`assignee_id=${mia.id}`)).toEqual(['Berries']);
    expect(await list(`assignee_id=${mia.resourceId},me&sort=title`)).toEqual(['Apples', 'Berries']);
  });

  it('show nothing, rather than everything, for a user without work', async () => {
    const nia = await app.person('Nia');
    await app.join(garden, nia, 'member');
    expect(await list('assignee_id=me', nia)).toEqual([]);
    expect(await summary('assignee_id=me', nia)).toMatchObject({ total: 0 });
    expect(await list('assignee_id=', nia)).toEqual(await list('', nia));
  });

  it('show exactly what can be read one by one', async () => {
    const people = [ann, mia, await app.person('Eve'), await app.admin()];
    for (const person of people) {
      const readable = [];
      for (const [title, id] of Object.entries(ids)) {
        if ((await app.as(person).get(`/tasks/${id}`)).status === 200) readable.push(title);
      }
      expect(await list('sort=title', person)).toEqual(readable);
    }
  });

  it('find nothing in an endeavour that the caller does not see', async () => {
    expect(await list(`endeavour_id=${secret}`)).toEqual([]);
    expect(await summary(`endeavour_id=${secret}`)).toMatchObject({ total: 0 });
  });

  describe('as a summary', () => {
    it('count only visible tasks by status', async () => {
      expect(await summary('')).toEqual({ total: 4, planned: 2, active: 1, done: 0, canceled: 1 });
      expect(await summary('', mia)).toEqual({ total: 5, planned: 3, active: 1, done: 0, canceled: 1 });
      expect(await summary('', await app.person('Eve'))).toEqual({
        total: 0,
        planned: 0,
        active: 0,
        done: 0,
        canceled: 0,
      });
    });

    it('apply all other filters', async () => {
      expect(await summary('unassigned=true')).toEqual({ total: 2, planned: 1, active: 0, done: 0, canceled: 1 });
      expect(await summary('unassigned=false')).toMatchObject({ total: 2, planned: 1, active: 1 });
      expect(await summary('status=active')).toMatchObject({ total: 1, active: 1 });
      expect(await summary('overdue=true')).toMatchObject({ total: 1, planned: 1 });
      expect(await summary('mine=true', await app.admin())).toMatchObject({ total: 0 });
    });

    it.each(['summary=yes', 'summary=1', 'summary'])('are returned for %s', async (parameter) => {
      const { body } = await app.as(ann).get(`/tasks?${parameter}`).expect(200);
      expect(body.data.total).toBe(4);
    });

    it.each(['summary=false', 'summary=0'])('are not returned for %s', async (parameter) => {
      const { body } = await app.as(ann).get(`/tasks?${parameter}`).expect(200);
      expect(body.data).toHaveLength(4);
    });
  });

  describe('page by page', () => {
    let orchard: string;
    let all: string[];

    beforeAll(async () => {
      orchard = await app.endeavour(ann, { name: 'Orchard' });
      all = [];
      for (let i = 0; i < 13; i++) {
        all.push(await app.task(ann, orchard, { title: 'Same', ...(i % 3 === 0 && { due_date: '2026-01-01' }) }));
      }
      await app.database.query(
        `UPDATE tasks SET created_at = '2026-01-01', updated_at = '2026-01-01' WHERE endeavour_id = $1`,
        [orchard],
      );
    });

    const sorts = ['created_at', 'updated_at', 'due_date', 'title', 'status'].flatMap((sort) => [sort, `-${sort}`]);

    it.each(sorts.flatMap((sort) => [[sort, 'cursor'] as const, [sort, 'offset'] as const]))(
      'neither overlap nor skip tasks with equal times, sorted by %s and followed by %s',
      async (sort, follow) => {
        const seen: string[] = [];
        let next = '';
        do {
          const path = `/tasks?endeavour_id=${orchard}&limit=4&sort=${sort}${next}`;
          const { body } = await app.as(ann).get(path).expect(200);
          expect(body.meta.total).toBe(13);
          seen.push(...body.data.map(({ id }: { id: string }) => id));
          const isMore = body.meta.next_cursor !== null;
          next = isMore ? `&${follow}=${follow === 'cursor' ? body.meta.next_cursor : seen.length}` : '';
        } while (next !== '');
        expect(seen).toHaveLength(13);
        expect(new Set(seen)).toEqual(new Set(all));
      },
    );
  });
});

describe('lists over all endeavours of a user', () => {
  let app: TestApp;
  let zoe: Person;
  beforeAll(async () => {
    app = await TestApp.open();
    zoe = await app.person('Zoe');
    const host = await app.person('Host');
    const [north, south] = [await app.organization(host), await app.organization(host)];
    for (const organization of [north, south]) await app.join(organization, zoe, 'member');
    // The user has access to the endeavours in one, two or three ways, or not at all.
    const ways: ((endeavour: string) => Promise<void>)[][] = [
      [(e) => app.join(e, zoe, 'member')],
      [(e) => app.join(e, zoe, 'viewer'), (e) => app.link(north, e)],
      [(e) => app.join(e, zoe, 'member'), (e) => app.link(north, e), (e) => app.link(south, e)],
      [(e) => app.link(north, e), (e) => app.link(south, e)],
      [],
    ];
    const endeavours: string[] = [];
    for (const open of ways) {
      const endeavour = await app.endeavour(host);
      for (const way of open) await way(endeavour);
      endeavours.push(endeavour);
    }
    for (let round = 0; round < 4; round += 1) {
      for (const [index, endeavour] of endeavours.entries()) {
        await app.task(host, endeavour, { title: index === 4 ? 'Unseen' : `Seen ${round}.${index}` });
      }
    }
  });
  afterAll(() => app.close());

  it.each(['title', '-title', 'created_at', '-created_at', '-updated_at'])(
    'show each task once and in order over all pages, however many roles lead to it: %s',
    async (sort) => {
      const titles: string[] = [];
      let cursor = '';
      do {
        const { body } = await app.as(zoe).get(`/tasks?limit=3&sort=${sort}${cursor}`).expect(200);
        expect(body.meta.total).toBe(16);
        titles.push(...body.data.map(({ title }: { title: string }) => title));
        cursor = body.meta.next_cursor === null ? '' : `&cursor=${encodeURIComponent(body.meta.next_cursor)}`;
      } while (cursor !== '');
      const inOrder = Array.from({ length: 16 }, (_, index) => `Seen ${Math.floor(index / 4)}.${index % 4}`);
      expect(titles).toEqual(sort.startsWith('-') ? inOrder.toReversed() : inOrder);
    },
  );
});
