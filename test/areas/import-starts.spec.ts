import { Importing, notesOf } from '../support/importing.js';
import { TestApp, type Person } from '../support/test-app.js';

describe('the first days of imported tasks', () => {
  let app: TestApp;
  let ann: Person;
  let garden: Importing;

  beforeAll(async () => {
    app = await TestApp.open({ WORKERS: 'true', LIMIT_WRITES_PER_MINUTE: '100000' });
    ann = await app.person('Ann');
  });

  beforeEach(async () => {
    garden = new Importing(app, ann, await app.endeavour(ann));
  });

  afterAll(() => app.close());

  const startOf = async (title = 'Dig') => (await garden.tasks()).get(title)?.start_date;
  const jira = (fields: object, names?: object) => ({
    issues: [{ key: 'G-1', fields: { summary: 'Dig', ...fields } }],
    ...(names !== undefined && { names }),
  });
  const card = (start: string | null) => ({
    name: 'Garden',
    lists: [{ id: 'l1', name: 'To Do', closed: false }],
    cards: [{ id: '64a000000000000000000001', name: 'Dig', idList: 'l1', closed: false, start }],
  });
  const vikunja = (start_date: string) => [
    { id: 1, title: 'P', tasks: [{ id: 2, title: 'Dig', done: false, start_date }] },
  ];

  it.each<[string, string, string | object]>([
    ['a column of Jira', 'jira', 'Summary,Issue key,Start date\nDig,G-1,2026-03-02\n'],
    ['a custom field in a file of Jira', 'jira', 'Summary,Issue key,Custom field (Start date)\nDig,G-1,02/Mar/26\n'],
    ['a column in another language', 'jira', 'Zusammenfassung,Schlüssel,Startdatum\nDig,G-1,2026-03-02\n'],
    ['a custom field of an issue of Jira', 'jira', jira({ customfield_10015: '2026-03-02' })],
    [
      'a field of an issue with that name',
      'jira',
      jira({ customfield_1: '2026-03-02' }, { customfield_1: 'Start date' }),
    ],
    ['the start of a card of Trello', 'trello', card('2026-03-02T09:00:00.000Z')],
    ['the start of a task of Vikunja', 'vikunja', vikunja('2026-03-02T09:00:00Z')],
    ['a heading of a table', 'csv', 'title,id,Start\nDig,1,2026-03-02\n'],
  ])('are read from %s', async (_, format, file) => {
    const report = await garden.run({ format }, file);
    expect(await startOf()).toBe('2026-03-02');
    expect(notesOf(report, 'property')).toEqual([]);
    expect((await garden.tasks()).get('Dig')?.metadata).not.toHaveProperty('start_date');
    expect((await garden.run({ format }, file)).counts).toMatchObject({ updated: 0, unchanged: 1 });
  });

  it('follow the file, and are gone when it has none', async () => {
    await garden.run({ format: 'trello' }, card('2026-03-02T09:00:00.000Z'));
    await garden.run({ format: 'trello' }, card('2026-03-09T09:00:00.000Z'));
    expect(await startOf()).toBe('2026-03-09');
    await garden.run({ format: 'trello' }, card(null));
    expect(await startOf()).toBeNull();
  });

  it('leave metadata, where earlier releases kept them', async () => {
    await garden.run({ format: 'vikunja' }, vikunja('0001-01-01T00:00:00Z'));
    await app.database.query(
      `UPDATE tasks SET metadata = metadata || '{"start_date": "2026-03-02T09:00:00.000Z"}' WHERE endeavour_id = $1`,
      [garden.endeavour],
    );
    await app.database.query(
      `UPDATE import_sources SET "values" = "values" || '{"metadata.start_date": "2026-03-02T09:00:00.000Z"}'`,
    );
    await garden.run({ format: 'vikunja' }, vikunja('2026-03-03T09:00:00Z'));
    expect(await startOf()).toBe('2026-03-03');
    expect((await garden.tasks()).get('Dig')?.metadata).not.toHaveProperty('start_date');
  });

  it('are left out after the day on which work is due, with a note', async () => {
    const report = await garden.run(
      { format: 'jira' },
      jira({ customfield_10015: '2026-03-05', duedate: '2026-03-02' }),
    );
    expect(await startOf()).toBeNull();
    expect(notesOf(report, 'value')).toEqual([expect.stringContaining('start_date must not be after')]);
  });
});
