import fc from 'fast-check';
import { TestApp, type Person } from '../support/test-app.js';

interface Row {
  id: string;
  title: string;
  status: string;
  due_date: string | null;
  created_at: string;
  updated_at: string;
  estimate: number | null;
}

const STATUSES = ['planned', 'active', 'done', 'canceled'];
const TITLES = ['Dig', 'dig', 'Plant', 'Water'];
const DUE = [null, '2026-12-01T00:00:00.000Z', '2026-12-02T00:00:00.000Z'];
const NAMES = ['title', 'status', 'due_date', 'created_at', 'updated_at'];

/** How a task changes while the list is read page by page. */
const CHANGES = ['change', 'add', 'remove'] as const;

const order = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...NAMES), fc.boolean()), {
    minLength: 2,
    maxLength: 3,
    selector: ([name]) => name,
  })
  .map((keys) => keys.map(([name, isDescending]) => `${isDescending ? '-' : ''}${name}`));

describe('lists with several sort keys', () => {
  let app: TestApp;
  let ann: Person;

  beforeAll(async () => {
    app = await TestApp.open();
    ann = await app.person('Ann', { tier: 3 });
  });

  afterAll(() => app.close());

  const list = async (query: string): Promise<{ data: Row[]; next: string | null }> => {
    const { body } = await app.as(ann).get(`/tasks?${query}`).expect(200);
    return { data: body.data as Row[], next: body.meta.next_cursor as string | null };
  };

  const refused = async (path: string) => {
    const { body } = await app.as(ann).get(path).expect(400);
    return body.error.details.fields as { field: string; code: string; message: string }[];
  };

  /** Rewrites the rows so that many have equal values in some keys. */
  const setSortValues = (endeavour: string, values: { status: number; title: number; due: number; age: number }[]) =>
    app.database.query(
      `UPDATE tasks t SET title = v.title, status = v.status, due_date = v.due::timestamptz,
         created_at = '2026-11-01'::timestamptz + v.age * interval '1 hour', updated_at = '2026-11-02',
         started_at = CASE WHEN v.status IN ('active', 'done') THEN now() END,
         completed_at = CASE WHEN v.status = 'done' THEN now() END,
         canceled_at = CASE WHEN v.status = 'canceled' THEN now() END,
         canceled_reason = CASE WHEN v.status = 'canceled' THEN 'late' END,
         dod_result = CASE WHEN v.status = 'done' THEN 'no_policy' END
       FROM (SELECT row_number() OVER () AS place, j.* FROM jsonb_to_recordset($2::jsonb)
         AS j (title text, status text, due text, age integer)) v,
         (SELECT id, row_number() OVER (ORDER BY id) AS place FROM tasks WHERE endeavour_id = $1) own
       WHERE t.id = own.id AND v.place = own.place`,
      [
        endeavour,
        JSON.stringify(
          values.map(({ status, title, due, age }) => ({
            status: STATUSES[status],
            title: TITLES[title],
            due: DUE[due],
            age,
          })),
        ),
      ],
    );

  const places = fc.record({
    status: fc.nat(3),
    title: fc.nat(3),
    due: fc.nat(2),
    age: fc.nat(3),
  });

  it('apply the keys in order, with rows without a value last, and the id at the end', async () => {
    const garden = await app.endeavour(ann);
    for (let n = 0; n < 24; n += 1) await app.task(ann, garden);
    const keyOf: Record<string, (row: Row) => string | number> = {
      // In the order of the language-neutral collation, which puts small letters first.
      title: ({ title }) => ['dig', 'Dig', 'Plant', 'Water'].indexOf(title),
      status: ({ status }) => STATUSES.indexOf(status),
      created_at: ({ created_at }) => created_at,
      updated_at: ({ updated_at }) => updated_at,
      due_date: ({ due_date }) => due_date ?? '',
    };
    const compare = (keys: string[]) => (a: Row, b: Row) => {
      for (const key of [...keys, `${keys.at(-1)?.startsWith('-') ? '-' : ''}id`]) {
        const name = key.replace(/^-/, '');
        const [x, y] = name === 'id' ? [a.id, b.id] : [keyOf[name](a), keyOf[name](b)];
        if (x === y) continue;
        if (name === 'due_date' && (x === '' || y === '')) return x === '' ? 1 : -1;
        return x < y === key.startsWith('-') ? 1 : -1;
      }
      return 0;
    };
    await fc.assert(
      fc.asyncProperty(order, fc.array(places, { minLength: 24, maxLength: 24 }), async (keys, values) => {
        await setSortValues(garden, values);
        const { data } = await list(`endeavour_id=${garden}&sort=${keys.join(',')}&limit=200`);
        expect(data).toHaveLength(24);
        expect(data.map(({ id }) => id)).toEqual(data.toSorted(compare(keys)).map(({ id }) => id));
      }),
      { numRuns: 25, endOnFailure: true },
    );
  });

  it('neither repeat nor skip a row across pages while other rows change', async () => {
    const change = fc.record({ how: fc.constantFrom(...CHANGES), which: fc.nat(9), place: places });
    await fc.assert(
      fc.asyncProperty(
        order,
        fc.integer({ min: 1, max: 9 }),
        fc.array(places, { minLength: 30, maxLength: 30 }),
        fc.array(change, { minLength: 10, maxLength: 10 }),
        async (keys, limit, values, changes) => {
          const garden = await app.endeavour(ann);
          for (let n = 0; n < 30; n += 1) await app.task(ann, garden);
          await setSortValues(garden, values);
          const query = `endeavour_id=${garden}&sort=${keys.join(',')}&fields=id`;
          const { data: whole } = await list(`${query}&limit=200`);
          const restless = new Set(whole.slice(0, 10).map(({ id }) => id));
          const steady = whole.map(({ id }) => id).filter((id) => !restless.has(id));
          const seen: string[] = [];
          let cursor: string | null = '';
          for (let turn = 0; cursor !== null; turn += 1) {
            const page = await list(`${query}&limit=${limit}&cursor=${cursor}`);
            seen.push(...page.data.map(({ id }) => id));
            cursor = page.next;
            if (turn >= changes.length) continue;
            const { how, which, place } = changes[turn];
            const victim = [...restless][which % restless.size];
            if (how === 'add') {
              const id = await app.task(ann, garden, { title: TITLES[place.title], due_date: DUE[place.due] });
              restless.add(id);
            } else if (how === 'change') {
              await app.database.query('UPDATE tasks SET title = $2, due_date = $3, updated_at = now() WHERE id = $1', [
                victim,
                TITLES[place.title],
                DUE[place.due],
              ]);
            } else {
              const patch = { status: 'canceled', canceled_reason: 'Not needed' };
              await app.as(ann).patch(`/tasks/${victim}`).send(patch);
            }
          }
          expect(seen.filter((id) => !restless.has(id))).toEqual(steady);
        },
      ),
      { numRuns: 8, endOnFailure: true },
    );
  });

  it('return cursors that are valid for the same keys only', async () => {
    const garden = await app.endeavour(ann);
    for (let n = 0; n < 3; n += 1) await app.task(ann, garden);
    const { next } = await list(`endeavour_id=${garden}&sort=status,-due_date&limit=1`);
    const path = `/tasks?endeavour_id=${garden}&limit=1&cursor=${next}`;
    expect(await refused(`${path}&sort=-due_date,status`)).toMatchObject([{ field: 'cursor', code: 'invalid_format' }]);
    expect(await refused(`${path}&sort=status`)).toMatchObject([{ field: 'cursor', code: 'invalid_format' }]);
    await app.as(ann).get(`${path}&sort=status,-due_date`).expect(200);
  });

  it('can be combined with a search', async () => {
    const garden = await app.endeavour(ann);
    const [late, early] = [
      await app.task(ann, garden, { title: 'Prune roses', due_date: '2026-12-02T00:00:00Z' }),
      await app.task(ann, garden, { title: 'Prune apples', due_date: '2026-12-01T00:00:00Z' }),
    ];
    const query = `endeavour_id=${garden}&search=prune&sort=status,due_date&limit=1`;
    const first = await list(query);
    const second = await list(`${query}&cursor=${first.next}`);
    expect([first, second].map(({ data }) => data.map(({ id }) => id))).toEqual([[early], [late]]);
  });

  it('reject ambiguous, invalid and expensive combinations of keys', async () => {
    const garden = await app.endeavour(ann);
    const messageOf = async (path: string) =>
      (await refused(path)).map(({ field, code, message }) => [field, code, message]);
    const fault = (message: string) => [['sort', 'invalid_value', message]];
    expect(await messageOf('/tasks?sort=status,title')).toEqual(fault('Several sort keys require endeavour_id.'));
    expect(await messageOf('/organizations?sort=name,created_at')).toEqual(
      fault('This list accepts only one sort key.'),
    );
    const inGarden = `/tasks?endeavour_id=${garden}`;
    expect(await messageOf(`${inGarden}&sort=status,title,due_date,created_at`)).toEqual(
      fault('sort accepts at most 3 keys.'),
    );
    expect(await messageOf(`${inGarden}&sort=status,-status`)).toEqual(fault('Each sort key can be given only once.'));
    expect(await messageOf(`${inGarden}&search=prune&sort=relevance,title`)).toEqual(
      fault('relevance cannot be combined with other sort keys.'),
    );
    expect((await refused(`${inGarden}&sort=status,surprise`))[0]).toMatchObject({
      code: 'invalid_value',
      allowed: expect.arrayContaining(['created_at', 'updated_at', 'due_date', 'completed_at', 'title', 'status']),
    });
    expect(await refused(`${inGarden}&sort=status,`)).toMatchObject([{ field: 'sort', code: 'invalid_value' }]);
  });
});
