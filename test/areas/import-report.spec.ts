import { Importing, notesOf } from '../support/importing.js';
import { TestApp, type Person } from '../support/test-app.js';

describe('the report of an import', () => {
  let app: TestApp;
  let [ann, bob]: Person[] = [];
  let garden: Importing;

  beforeAll(async () => {
    app = await TestApp.open({ WORKERS: 'true', LIMIT_WRITES_PER_MINUTE: '100000' });
    [ann, bob] = [await app.person('Ann Lind'), await app.person('Zoë Núñez')];
  });

  beforeEach(async () => {
    garden = new Importing(app, ann, await app.endeavour(ann));
    await app.join(garden.endeavour, bob, 'member');
  });

  afterAll(() => app.close());

  describe('names what it did not understand', () => {
    it('a column of a CSV file that nothing reads, with the number of its values', async () => {
      const report = await garden.run(
        { format: 'csv' },
        'title,due,Risk,Sprint,Attachment\nPaint,2026-12-05,high,5,plan.pdf\nDig,,low,,\n',
      );
      expect(notesOf(report, 'column')).toEqual([
        '2 Risk: not imported; map it to a field or to metadata.<name> to keep it',
        '1 Attachment: not imported; map it to a field or to metadata.<name> to keep it',
        '1 Sprint: not imported; map it to a field or to metadata.<name> to keep it',
        '1 due: read as due_date',
      ]);
      expect((await garden.tasks()).get('Paint')).toMatchObject({ due_date: expect.stringContaining('2026-12-05') });
    });

    it('a property of JSON that nothing reads, on every level', async () => {
      const issue = { number: 1, title: 'Dig', state: 'open', locked: true, reactions: { total_count: 0 } };
      const report = await garden.run(
        { format: 'github' },
        { issues: [issue, { ...issue, number: 2, draft: 'yes' }], exported_by: 'gh', empty: [] },
      );
      expect(notesOf(report, 'property')).toEqual([
        '2 locked: not imported',
        '1 draft: not imported',
        '1 exported_by: not imported',
      ]);
    });

    it('names of columns in the mapping and entries of options that match nothing', async () => {
      const report = await garden.run(
        {
          format: 'csv',
          mapping: { summary: 'title', Statu: 'status' },
          options: { statuses: { Waiting: 'planned' }, people: { zoe: bob.id }, timezone: 'Europe/Berlin' },
        },
        'Summary,Status\nDig,Waiting\n',
      );
      expect(notesOf(report, 'mapping')).toEqual(['0 Statu: matches no column']);
      expect(notesOf(report, 'option')).toEqual([
        '0 people.zoe: matches nothing in the file',
        '0 statuses.Waiting: matches nothing in the file',
        '0 timezone: nothing in the file depends on it',
      ]);
      expect(
        notesOf(await garden.run({ format: 'github', mapping: { A: 'title' } }, { issues: [] }), 'mapping'),
      ).toEqual(['0 A: the format github has no columns']);
    });

    it('a status that it does not know, and imports the task as planned', async () => {
      const report = await garden.run({ format: 'csv' }, 'title,status\nDig,Asleep\nSow,Asleep\nMow,Done\n');
      expect(notesOf(report, 'status')).toEqual([expect.stringMatching(/^2 Asleep: not understood; /)]);
      expect(await garden.statuses()).toEqual({ Dig: 'planned', Sow: 'planned', Mow: 'done' });
      const mapped = { format: 'csv', options: { statuses: { ASLEEP: 'active' } } };
      await garden.run(mapped, 'title,status\nRest,Asleep\n');
      expect(await garden.statuses()).toMatchObject({ Rest: 'active' });
    });

    it('a resolution that it does not know, unless the options name it', async () => {
      const file = 'Summary,Issue key,Status,Resolution\nDig,G-1,Done,Handed over\nSow,G-2,Done,Washed away\n';
      const options = { resolutions: { 'washed away': 'canceled' } };
      const report = await garden.run({ format: 'jira', options }, file);
      expect(notesOf(report, 'resolution')).toEqual(['1 Handed over: not understood; finished work with it is done']);
      expect(await garden.statuses()).toEqual({ Dig: 'done', Sow: 'canceled' });
    });

    it('a person who is no member, and what was done', async () => {
      const report = await garden.run({ format: 'csv' }, 'title,assignee\nDig,Mara\nSow,Mara\nMow,Ann Lind\n');
      expect(notesOf(report, 'person')).toEqual(['2 Mara: not a member; kept as a name in metadata.imported']);
    });

    it('values that are no date or number, and imports the rest of the line', async () => {
      const report = await garden.run(
        { format: 'csv' },
        'title,due_date,estimate,url\nDig,soon,many,see wiki\nSow,2026-12-05,2,https://example.org/2\n',
      );
      expect(report).toMatchObject({ counts: { created: 2 }, refused: 0 });
      expect(notesOf(report, 'value')).toEqual([
        '1 due_date: "soon" is not a date; left out',
        '1 estimate: "many" is not a number; left out',
      ]);
    });

    it('how much of a truncated Jira file is there', async () => {
      const comment = (id: string) => ({ id, body: `remark ${id}`, created: '2026-03-02T09:00:00.000+0000' });
      const report = await garden.run(
        { format: 'jira' },
        {
          startAt: 0,
          maxResults: 1,
          total: 812,
          issues: [
            {
              key: 'GAR-1',
              fields: {
                summary: 'Long discussion',
                status: { name: 'To Do' },
                comment: { maxResults: 2, total: 137, comments: [comment('1'), comment('2')] },
              },
            },
          ],
        },
      );
      expect(report.notes.filter(({ kind }) => kind === 'truncated').map(({ message }) => message)).toEqual([
        '2 of 137 comments are in the file',
        '1 of 812 issues are in the file',
      ]);
    });

    it('comments that are only counted in a Trello board or a list of GitHub issues', async () => {
      const card = {
        id: '64a000000000000000000001',
        name: 'Talk',
        idList: 'l1',
        badges: { comments: 412, checkItems: 3 },
      };
      const action = {
        id: 'a1',
        type: 'commentCard',
        date: '2026-03-02T09:00:00.000Z',
        data: { text: 'newest', card: { id: card.id } },
        memberCreator: { fullName: 'Jon Ek' },
      };
      const board = { name: 'Garden', lists: [{ id: 'l1', name: 'To Do' }], cards: [card], actions: [action] };
      const trello = await garden.run({ format: 'trello' }, board);
      expect(notesOf(trello, 'truncated').map((note) => note.split(': ')[1])).toEqual([
        '0 of 3 checklist items are in the file',
        '1 of 412 comments are in the file',
      ]);
      const issues = [5, 0, 2].map((comments, n) => ({ number: n, title: `Dig ${n}`, state: 'open', comments }));
      expect(notesOf(await garden.run({ format: 'github' }, issues), 'truncated')).toEqual([
        '2 comments: 0 of 7 comments are in the file',
      ]);
    });

    it('lists of a Trello board whose state is a guess', async () => {
      const names = ['クローズ', 'Done ✅', 'Doing (max 3)', '3. Erledigt', 'Garage', 'To do or done'];
      const lists = names.map((name, n) => ({ id: `l${n}`, name, closed: false }));
      const cards = names.map((name, n) => ({ id: `64a00000000000000000000${n}`, name, idList: `l${n}` }));
      const report = await garden.run({ format: 'trello' }, { name: '庭', lists, cards });
      expect(await garden.statuses()).toEqual({
        クローズ: 'done',
        'Done ✅': 'done',
        'Doing (max 3)': 'active',
        '3. Erledigt': 'done',
        Garage: 'planned',
        'To do or done': 'planned',
      });
      const messages = Object.fromEntries(report.notes.map(({ name, message }) => [name, message]));
      expect(messages).toMatchObject({ 'Done ✅': 'read as done', 'Doing (max 3)': 'read as active' });
      expect(messages.Garage).toContain('not understood');
    });
  });

  it('counts names over a thousand together', async () => {
    const lines = Array.from({ length: 2_100 }, (_, n) => `Dig ${n},Person ${n}`);
    const report = await garden.run({ format: 'csv' }, `title,assignee\n${lines.join('\n')}`);
    expect(report.notes_total).toBeLessThan(2_100);
    expect(report.notes.reduce((sum, { count }) => sum + count, 0)).toBe(2_100);
    expect(report.notes.find(({ name }) => name === '…')?.count).toBeGreaterThan(1);
  });

  describe('is a refusal that says what is looked for', () => {
    it.each([
      ['github', { total_count: 1, items: [{ number: 1, title: 'Dig', state: 'open' }] }, 'total_count, items'],
      ['github', { message: 'Bad credentials', status: '401' }, 'message, status'],
      ['github', [{ name: 'v1.0', tag_name: 'v1.0' }], 'issues with title and state'],
      ['jira', { errorMessages: ['The value does not exist'], warningMessages: [] }, 'errorMessages'],
      ['jira', 'Name,Number\nDig,1\n', undefined],
      ['jira', 'Nummer,Menge\n1,2\n', 'Nummer, Menge'],
      ['linear', { data: { issue: { identifier: 'G-1', title: 'Dig' } } }, 'a query for issues'],
      ['linear', '[]', 'a query for issues'],
      ['trello', { id: 'w1', displayName: 'Workspace', boards: [] }, 'displayName, boards'],
      ['trello', [{ name: 'Card' }], 'one board'],
      ['vikunja', { tasks: [] }, 'array of projects'],
      ['vikunja', [{ id: 1, name: 'Dig' }], 'array of projects'],
      ['csv', 'name of it,count\nDig,1\n', 'name of it, count'],
      ['csv', '', 'empty'],
      ['github', '<!DOCTYPE html><title>Sign in</title>', 'web page'],
      ['worksmith', { issues: [] }, 'export of an endeavour'],
    ])('for the format %s and the file %j', async (format, file, words) => {
      if (words === undefined) return void (await garden.run({ format }, file));
      expect(await garden.refusal({ format }, file)).toContain(words);
    });

    it.each([
      ['UTF-16LE', Buffer.from('\ufefftitle\nDig\n', 'utf16le')],
      ['UTF-16LE', Buffer.from('title\nDig\n', 'utf16le')],
      ['Latin-1', Buffer.from('title\nCaf\xe9\n', 'latin1')],
    ])('with the encoding %s of the file', async (name, file) => {
      expect(await garden.refusal({ format: 'csv' }, file)).toContain(name);
    });
  });

  it('of a file with the known array and nothing in it has no records', async () => {
    for (const [format, file] of [
      ['github', { issues: [] }],
      ['jira', { issues: [], total: 0 }],
      ['trello', { name: 'Garden', cards: [], lists: [] }],
      ['csv', 'title,status\n'],
    ] as const) {
      expect(await garden.run({ format }, file)).toMatchObject({ counts: { created: 0 }, refused: 0 });
    }
  });

  describe('matches people although', () => {
    it.each([
      ['the letters are decomposed', 'Zoë Núñez'.normalize('NFD')],
      ['the spaces are others', 'Zoë\u00a0 Núñez '],
      ['the case is another', 'ZOË NÚÑEZ'],
      ['a zero-width space is inside', 'Zoë\u200b Núñez'],
    ])('%s', async (_why, name) => {
      await garden.run({ format: 'csv' }, `title,assignee\nDig,"${name}"\n`);
      expect((await garden.tasks()).get('Dig')).toMatchObject({ assignee_id: bob.resourceId });
      await garden.run(
        { format: 'csv', options: { people: { 'Zoë Núñez': ann.id } } },
        `title,assignee\nSow,"${name}"\n`,
      );
      expect((await garden.tasks()).get('Sow')).toMatchObject({ assignee_id: ann.resourceId });
    });
  });

  describe('of a dry run', () => {
    const id = (prefix: string, n: number): string => `${prefix}_${String(n).padStart(32, '0')}`;
    const record = (prefix: string, n: number, more: object) => ({
      id: id(prefix, n),
      endeavour_id: id('edv', 1),
      ...more,
    });
    const task = (n: number, more: object = {}) => record('tsk', n, { title: `Task ${n}`, status: 'planned', ...more });
    const bad = { title: 'x'.repeat(501) };
    const exported = (sections: object) => ({
      version: 1,
      kind: 'endeavour',
      endeavour: { id: id('edv', 1), name: 'Elsewhere', status: 'active' },
      ...sections,
    });
    const said = (n: number, entity: string) =>
      record('cmt', n, { entity_type: 'task', entity_id: entity, content: 'Well', author_id: null });
    const tie = (n: number, source: string, target: string) => ({
      id: id('rel', n),
      relationship_type: 'depends_on',
      source_entity_type: 'task',
      source_entity_id: source,
      target_entity_type: 'task',
      target_entity_id: target,
    });

    it.each<[what: string, format: string, file: string | object, refused: number]>([
      ['parents and dependencies that are nowhere', 'csv', 'id,title,parent,depends_on\n1,Dig,9,\n2,Sow,1,8\n', 2],
      [
        'tasks on lines that are refused, or repeat one',
        'csv',
        `id,title,blocks\n1,Dig,2\n2,${bad.title},\n2,Sow,1\n`,
        3,
      ],
      ['tasks by titles that several have', 'csv', 'id,title,depends_on\n1,Dig,\n2,Dig,\n3,Sow,Dig\n', 1],
      ['lines without an id', 'csv', 'id,title,depends_on\n1,Dig,\n,Sow,1\n', 1],
      [
        'issues of archived lists that are left out',
        'jira',
        {
          issues: [
            {
              key: 'G-1',
              fields: { summary: 'Dig', issuelinks: [{ type: { name: 'Blocks' }, outwardIssue: { key: 'G-9' } }] },
            },
            { key: 'G-2', fields: { summary: 'Sow', parent: { key: 'G-1' } } },
          ],
        },
        1,
      ],
      [
        'demands, tasks of comments and ends of relations of an export',
        'worksmith',
        exported({
          demands: [
            record('dmd', 1, { type: 'story', title: 'Shade', status: 'open' }),
            record('dmd', 2, { type: 'story', ...bad }),
          ],
          tasks: [
            task(1, { demand_id: id('dmd', 1) }),
            task(2, { demand_id: id('dmd', 2) }),
            task(3, { demand_id: id('dmd', 9) }),
          ],
          comments: [said(1, id('tsk', 1)), said(2, id('tsk', 3)), said(3, id('tsk', 9))],
          relations: [tie(1, id('tsk', 1), id('tsk', 2)), tie(2, id('tsk', 1), id('tsk', 9))],
        }),
        7,
      ],
    ])('are the same as of the import: %s', async (_what, format, file, refused) => {
      const shape = ({ refusals }: { refusals: object[] }) =>
        refusals
          .map((refusal) => ({ ...refusal, number: undefined }))
          .map((refusal) => JSON.stringify(refusal))
          .sort();
      const dry = await garden.run({ format, dry_run: 'true' }, file);
      expect(await garden.tasks()).toEqual(new Map());
      const report = await garden.run({ format }, file);
      expect(report.refusals).toHaveLength(refused);
      expect(shape(dry)).toEqual(shape(report));
      // Once the tasks exist, nothing is different.
      expect(shape(await garden.run({ format, dry_run: 'true' }, file))).toEqual(
        shape(await garden.run({ format }, file)),
      );
    });
  });
});
