import { TestApp, type Person } from '../support/test-app.js';

let app: TestApp;
let ann: Person;
let garden: string;

beforeAll(async () => {
  app = await TestApp.open();
  ann = await app.person('Ann');
  garden = await app.endeavour(ann, { name: 'Kräuter & "Gemüse" \\ 🌱' });
});
afterAll(() => app.close());

const textOf = async (path: string): Promise<string> => (await app.as(ann).get(path).expect(200)).text;
/** Returns the JSON text of `data` in a response. */
const dataIn = (text: string): string => /^\{"data":(.*?)(?:,"meta":\{[^{}]*\})?\}$/s.exec(text)?.[1] ?? '';

describe('a row of a list', () => {
  it('is byte for byte equal to the response of GET for the same entity', async () => {
    const bodies = [
      {},
      { title: 'Quote " slash \\ / ü 🌱 </b>', description: 'Tab\tline\nline "quoted" \\n 漢字' },
      { estimate: 0.1, due_date: '2026-03-04T05:06:07.08Z', assignee_id: ann.id },
      { metadata: { a: [1, 2.5, null, true], 'ö"': { deep: '\t\n' } } },
      { due_date: '9999-12-30T23:59:59.999Z', external_ref: { source: 'jira', id: 'G-1' } },
    ];
    for (const body of bodies) await app.task(ann, garden, body);
    const done = await app.task(ann, garden);
    await app.as(ann).patch(`/tasks/${done}`).send({ status: 'active' }).expect(200);
    await app.as(ann).patch(`/tasks/${done}`).send({ status: 'done', actual: 12.3456 }).expect(200);
    const listed = dataIn(await textOf(`/tasks?endeavour_id=${garden}`));
    const ids = (JSON.parse(listed) as { id: string }[]).map(({ id }) => id);
    expect(ids).toHaveLength(bodies.length + 1);
    // Unlike the list, GET of a task also returns blocked_by, parent and children.
    const single = await Promise.all(
      ids.map(async (id) =>
        dataIn(await textOf(`/tasks/${id}`)).replace(/,"blocked_by":\[\],"parent":null,"children":.*$/, '}'),
      ),
    );
    expect(listed).toBe(`[${single.join(',')}]`);
  });

  it('has times in milliseconds, regardless of the precision in the database', async () => {
    const task = await app.task(ann, await app.endeavour(ann));
    const sent = { entity_type: 'task', entity_id: task, verdict: 'approved' };
    const { body } = await app.as(ann).post('/approvals').send(sent).expect(201);
    await app.as(ann).patch(`/tasks/${task}`).send({ title: 'Other' }).expect(200);
    const listed = dataIn(await textOf(`/approvals?entity_id=${task}`));
    expect(listed).toBe(`[${dataIn(await textOf(`/approvals/${body.data.id}`))}]`);
    expect(JSON.parse(listed)).toMatchObject([{ stale_at: expect.stringMatching(/\.\d{3}Z$/) }]);
  });

  it('has only the selected properties, and is absent on a page beyond the end', async () => {
    const listed = JSON.parse(await textOf(`/tasks?endeavour_id=${garden}&limit=2&fields=title,revision`));
    expect(listed.data.map((row: object) => Object.keys(row))).toEqual([
      ['title', 'revision'],
      ['title', 'revision'],
    ]);
    const beyond = JSON.parse(await textOf(`/tasks?endeavour_id=${garden}&offset=100`));
    expect(beyond).toMatchObject({ data: [], meta: { total: 6, next_cursor: null } });
  });
});
