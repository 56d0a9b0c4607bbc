import { Agreement } from '../support/dod.js';
import type { Person, TestApp } from '../support/test-app.js';

describe('built-in reports', () => {
  let app: TestApp;
  let dod: Agreement;
  let ann: Person;
  let garden: string;

  beforeAll(async () => {
    dod = await Agreement.open();
    ({ app, ann } = dod);
  });

  beforeEach(async () => {
    garden = await app.endeavour(ann, { name: 'Garden' });
  });

  afterAll(() => app.close());

  const report = async (path: string): Promise<string> =>
    (await app.as(ann).get(`/reports/${path}`).expect(200)).body.data.markdown;
  /** The lines between this heading and the next, without empty ones. */
  const section = (markdown: string, heading: string): string[] => {
    const [, rest = ''] = markdown.split(`# ${heading}\n`);
    return rest.split(/\n#+ /)[0].split('\n').filter(Boolean);
  };
  const relate = (source: string, relationship_type: string, target: string) =>
    app
      .as(ann)
      .post('/relations')
      .send({
        source_entity_type: 'task',
        source_entity_id: source,
        target_entity_type: 'task',
        target_entity_id: target,
        relationship_type,
      })
      .expect(201);
  const move = (id: string, status: string) => app.as(ann).patch(`/tasks/${id}`).send({ status });

  it('list blocked tasks and the tasks that they wait for', async () => {
    const [soil, plant, water, fence] = [
      await app.task(ann, garden, { title: 'Bring soil' }),
      await app.task(ann, garden, { title: 'Plant' }),
      await app.task(ann, garden, { title: 'Water' }),
      await app.task(ann, garden, { title: 'Fence' }),
    ];
    await relate(plant, 'depends_on', soil);
    await relate(fence, 'blocks', plant);
    await relate(water, 'depends_on', plant);
    // Tasks in other endeavours do not block a task.
    await relate(fence, 'depends_on', await app.task(ann, await app.endeavour(ann), { title: 'Elsewhere' }));
    expect(section(await report(`endeavour/${garden}`), 'Blocked tasks (2)')).toEqual([
      '| Task | Status | Assignee | Waits for |',
      '| --- | --- | --- | --- |',
      '| GARD-2 Plant | planned | nobody | GARD-1 Bring soil, GARD-4 Fence |',
      '| GARD-3 Water | planned | nobody | GARD-2 Plant |',
    ]);
    expect(section(await report(`task/${plant}`), 'Waits for')).toEqual([
      '- GARD-1 Bring soil (planned)',
      '- GARD-4 Fence (planned)',
    ]);
    await move(soil, 'active').expect(200);
    await move(soil, 'done').expect(200);
    await app.as(ann).patch(`/tasks/${fence}`).send({ status: 'canceled', canceled_reason: 'No' }).expect(200);
    const later = await report(`endeavour/${garden}`);
    expect(section(later, 'Blocked tasks (1)').slice(2)).toEqual([
      '| GARD-3 Water | planned | nobody | GARD-2 Plant |',
    ]);
    expect(section(await report(`task/${plant}`), 'Waits for')).toEqual([]);
  });

  it('show stages instead of statuses, and how many tasks are in each', async () => {
    const stages = [
      { name: 'Backlog', status: 'planned' },
      { name: 'Doing', status: 'active', wip_limit: 3 },
      { name: 'Shipped', status: 'done' },
    ];
    const board = await app.endeavour(ann, { name: 'Board', stages });
    const task = await app.task(ann, board, { title: 'Dig', due_date: '2026-01-05' });
    await app.task(ann, board, { title: 'Rake' });
    await app.as(ann).patch(`/tasks/${task}`).send({ stage: 'Doing' }).expect(200);
    const text = await report(`endeavour/${board}`);
    expect(section(text, 'Stages')).toEqual([
      '| Stage | Status | Tasks | Limit |',
      '| --- | --- | --- | --- |',
      '| Backlog | planned | 1 | - |',
      '| Doing | active | 1 | 3 |',
      '| Shipped | done | 0 | - |',
    ]);
    expect(text).toContain('| BOAR-1 Dig | Doing | nobody |');
    expect(await report(`task/${task}`)).toMatch(
      /\n\| Status \| \*\*active\*\* \|\n\| Stage \| Doing \|\n\| Demand \|/,
    );
    expect(section(await report(`endeavour/${garden}`), 'Stages')).toEqual([]);
  });

  it('show the state of the Definition of Done, and the tasks that lack only a review', async () => {
    const policy = await dod.policy(
      { type: 'peer_review', label: 'Reviewed' },
      { type: 'field_populated', label: 'Described', params: { field: 'description' } },
    );
    await dod.assign(garden, policy).expect(200);
    const described = await app.task(ann, garden, { title: 'Dig', description: 'Deep' });
    const bare = await app.task(ann, garden, { title: 'Rake' });
    const lifted = await app.task(ann, garden, { title: 'Mow' });
    for (const id of [described, bare, lifted]) await move(id, 'active').expect(200);
    await app.as(ann).post(`/tasks/${lifted}/dod-override`).send({ reason: 'Short' }).expect(200);
    const markdown = await report(`endeavour/${garden}`);
    expect(section(markdown, 'Waiting for review (1)')).toEqual([
      '| Task | Active since | Waits for |',
      '| --- | --- | --- |',
      expect.stringMatching(/^\| [A-Z0-9]+-\d+ Dig \| \d{4}-\d\d-\d\d \| Reviewed \|$/),
    ]);
    expect(section(markdown, 'Definition of Done')).toEqual([
      expect.stringMatching(/^\*\*Policy:\*\* .+ v1$/),
      '| Active tasks | met | not met | overridden |',
      '| --- | --- | --- | --- |',
      '| 3 | 0 | 2 | 1 |',
    ]);
    expect(
      section(await report(`task/${bare}`), 'Definition of Done').map((line) => line.split(' | ').slice(0, 2)),
    ).toEqual([
      [expect.stringMatching(/ v1 · \*\*not met\*\*$/)],
      ['| Condition', 'Status'],
      ['| ---', '---'],
      ['| Reviewed', 'not met'],
      ['| Described', 'not met'],
    ]);
  });

  it('show that a task was done without a policy', async () => {
    const id = await app.task(ann, garden);
    await move(id, 'active').expect(200);
    await move(id, 'done').expect(200);
    expect(section(await report(`task/${id}`), 'Definition of Done')).toEqual(['**No policy is assigned.**']);
  });

  it('show the total of shortened lists, in the number format of their language', async () => {
    await app.database.query(
      `INSERT INTO entities (id, kind, title, endeavour_id)
       SELECT 'tsk_' || md5('late' || n), 'task', 'Late ' || n, $1 FROM generate_series(1, 1234) n`,
      [garden],
    );
    await app.database.query(
      `INSERT INTO tasks (id, title, endeavour_id, owner_id, creator_id, due_date)
       SELECT 'tsk_' || md5('late' || n), 'Late ' || n, $1, $2, $2, '2026-01-01' FROM generate_series(1, 1234) n`,
      [garden, ann.resourceId],
    );
    const english = await report(`endeavour/${garden}`);
    expect(section(english, 'Overdue tasks (1,234)').at(-1)).toBe('_100 of 1,234 shown_');
    expect(section(english, 'Overdue tasks (1,234)')).toHaveLength(103);
    const german = await report(`endeavour/${garden}?lang=de`);
    expect(section(german, 'Überfällige Aufgaben (1.234)').at(-1)).toBe('_100 von 1.234 gezeigt_');
    expect(german).toContain('Offene Aufgaben ohne Zuweisung: **1.234**');
  });
});
