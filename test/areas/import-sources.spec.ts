import { Importing, notesOf } from '../support/importing.js';
import { TestApp, type Person } from '../support/test-app.js';

const lines = (...rows: string[]): string => `${rows.join('\n')}\n`;

describe('an import', () => {
  let app: TestApp;
  let [ann, mara, jon]: Person[] = [];
  let garden: Importing;

  beforeAll(async () => {
    app = await TestApp.open({ WORKERS: 'true', LIMIT_WRITES_PER_MINUTE: '100000' });
    [ann, mara, jon] = [await app.person('Ann'), await app.person('Mara Lind'), await app.person('Jon Ek')];
  });

  beforeEach(async () => {
    garden = new Importing(app, ann, await app.endeavour(ann));
  });

  afterAll(() => app.close());

  const task = async (title: string) => {
    const found = (await garden.tasks()).get(title);
    if (found === undefined) throw new Error(`There is no task ${title}.`);
    return found;
  };
  const patch = async (title: string, changes: object) =>
    app
      .as(ann)
      .patch(`/tasks/${(await task(title)).id}`)
      .send(changes)
      .expect(200);

  it('keeps the numbers of keys that are free, and numbers further work behind them', async () => {
    await app.task(ann, garden.endeavour, { title: 'Here before' });
    const issues = ['A,SHOP-42,Done', 'B,SHOP-1,Done', 'C,SHOP-7,Done'];
    await garden.run({ format: 'jira' }, lines('Summary,Issue key,Status', ...issues));
    await garden.run({ format: 'github' }, [
      { number: 50, title: 'D', state: 'OPEN', url: 'https://github.com/acme/shop/issues/50' },
      { number: 7, title: 'E', state: 'OPEN', url: 'https://github.com/acme/shop/issues/7' },
    ]);
    const numbers = Object.fromEntries([...(await garden.tasks())].map(([title, { number }]) => [title, number]));
    expect(numbers).toMatchObject({ 'Here before': 1, A: 42, C: 7, D: 50 });
    expect(numbers.B).toBeGreaterThan(42);
    expect(numbers.E).toBeGreaterThan(50);
    const next = await app.task(ann, garden.endeavour);
    expect((await app.as(ann).get(`/tasks/${next}`)).body.data.number).toBeGreaterThan(numbers.E as number);
  });

  describe('lets exact words and containers decide', () => {
    it('so that abandoned Jira issues in a category of done things are canceled', async () => {
      const names = [
        'Canceled',
        'Rejected',
        "Won't Do",
        'Done',
        'Obsolete',
        'Verworfen',
        'Abandonné',
        'Rechazada',
        '却下',
      ];
      const file = lines(
        'Summary,Issue key,Status,Resolved,Status Category',
        ...names.map((name, n) => `${name},G-${n},${name},03/Mar/26 9:00 AM,Done`),
      );
      const report = await garden.run({ format: 'jira' }, file);
      expect(new Set(Object.values(await garden.statuses()))).toEqual(new Set(['canceled', 'done']));
      expect(await task('Done')).toMatchObject({ status: 'done' });
      expect(await task('Rejected')).toMatchObject({
        status: 'canceled',
        canceled_reason: 'Rejected',
        canceled_at: '2026-03-03T09:00:00.000Z',
      });
      expect(notesOf(report, 'status')).toContain('1 Rejected: read as canceled, although its category means done');
    });

    it('so that work that is finished and has no status is done', async () => {
      await garden.run(
        { format: 'csv' },
        lines('title,completed at,canceled at', 'A,2026-03-01,', 'B,,2026-03-01', 'C,,'),
      );
      await garden.run(
        { format: 'jira' },
        lines('Summary,Issue key,Resolution,Resolved', 'D,G-1,,03/Mar/26 9:00 AM', 'E,G-2,Declined,'),
      );
      await garden.run({ format: 'github' }, [{ number: 1, title: 'F', state: 'closed', state_reason: 'not_planned' }]);
      expect(await garden.statuses()).toEqual({
        A: 'done',
        B: 'canceled',
        C: 'planned',
        D: 'done',
        E: 'canceled',
        F: 'canceled',
      });
    });

    const board = {
      name: 'Garden',
      lists: [
        { id: 'l1', name: 'To Do', closed: false },
        { id: 'l2', name: 'Sprint 2023', closed: true },
        { id: 'l3', name: 'Done', closed: true },
      ],
      cards: [1, 2, 3].map((n) => ({
        id: `64a00000000000000000000${n}`,
        name: `On ${n}`,
        idList: `l${n}`,
        closed: false,
      })),
    };

    it('so that cards on an archived list are canceled, unless they are done', async () => {
      const report = await garden.run({ format: 'trello' }, board);
      expect(await garden.statuses()).toEqual({ 'On 1': 'planned', 'On 2': 'canceled', 'On 3': 'done' });
      expect(notesOf(report, 'list')).toContain('1 Sprint 2023: archived; its open work is canceled');
    });

    it('so that open work in archived lists and projects is left out if the options say so', async () => {
      const options = { archived: 'skip' };
      const report = await garden.run({ format: 'trello', options }, board);
      expect(report.counts).toMatchObject({ created: 2, skipped: 1 });
      const project = (id: number, is_archived: boolean) => ({
        id,
        title: `P${id}`,
        is_archived,
        tasks: [
          { id: id * 10, title: `Open ${id}`, done: false },
          { id: id * 10 + 1, title: `Done ${id}`, done: true },
        ],
      });
      await garden.run({ format: 'vikunja' }, [project(1, true)]);
      await garden.run({ format: 'vikunja', options }, [project(2, true), project(3, false)]);
      expect(await garden.statuses()).toEqual({
        'On 1': 'planned',
        'On 3': 'done',
        'Open 1': 'canceled',
        'Done 1': 'done',
        'Done 2': 'done',
        'Open 3': 'planned',
        'Done 3': 'done',
      });
    });

    it('so that the cards of a closed board are canceled', async () => {
      await garden.run({ format: 'trello' }, { ...board, closed: true });
      expect(await garden.statuses()).toEqual({ 'On 1': 'canceled', 'On 2': 'canceled', 'On 3': 'done' });
    });
  });

  describe('finds the other task of a relation', () => {
    it('by its number, its key and its epic link in a CSV file of Jira', async () => {
      const report = await garden.run(
        { format: 'jira' },
        lines(
          'Summary,Issue key,Issue id,Issue Type,Status,Parent,Parent id,Custom field (Epic Link)',
          'Open,GAR-1,10001,Epic,To Do,,,',
          'By number,GAR-2,10002,Story,To Do,10001,,',
          'Part,GAR-3,10003,Sub-task,To Do,,10002,',
          'By key,GAR-4,10004,Story,To Do,,,GAR-1',
        ),
      );
      expect(report).toMatchObject({ counts: { relations: 3 }, refusals: [] });
      expect((await garden.relations((await task('Open')).id)).sort()).toEqual([
        'parent_of Open > By key',
        'parent_of Open > By number',
      ]);
      expect(await garden.relations((await task('Part')).id)).toEqual(['parent_of By number > Part']);
    });

    it('in both directions of links, in several languages', async () => {
      await garden.run(
        { format: 'jira' },
        lines(
          'Summary,Issue key,Inward issue link (Blocks),Enlace de incidencia saliente (Duplicate),Ausgehende Vorgangsverknüpfung (Gärtnern),Lien de ticket entrant (Relates)',
          'A,G-1,G-2,,,',
          'B,G-2,,G-3,,',
          'C,G-3,,,G-1,G-2',
        ),
      );
      expect((await garden.relations((await task('A')).id)).sort()).toEqual(['blocks B > A', 'relates_to C > A']);
      expect((await garden.relations((await task('C')).id)).sort()).toEqual([
        'duplicates B > C',
        'relates_to B > C',
        'relates_to C > A',
      ]);
    });

    it('in links, epic links and ids of the API of Jira', async () => {
      const issue = (n: number, fields: object) => ({
        id: `1000${n}`,
        key: `G-${n}`,
        fields: { summary: `T${n}`, ...fields },
      });
      const link = (name: string, inward: string, outward: string, other: object) => ({
        type: { name, inward, outward },
        ...other,
      });
      const report = await garden.run(
        { format: 'jira', options: { links: { Gardening: 'child_of' } } },
        {
          names: { customfield_7: 'Lien d’epic' },
          issues: [
            issue(1, { issuelinks: [link('Blocks', 'is blocked by', 'blocks', { inwardIssue: { key: 'G-2' } })] }),
            issue(2, {
              customfield_7: 'G-1',
              issuelinks: [link('Gardening', 'x', 'y', { outwardIssue: { key: 'G-4' } })],
            }),
            issue(3, { parent: { id: '10001' } }),
            issue(4, {
              customfield_10014: 'G-3',
              issuelinks: [link('Sowing', 'x', 'y', { outwardIssue: { id: '10001' } })],
            }),
          ],
        },
      );
      // The second parent of a task is refused.
      expect(report.refusals.map(({ external_id, reason }) => [external_id, reason])).toEqual([['G-2', 'has_parent']]);
      expect((await garden.relations((await task('T1')).id)).sort()).toEqual([
        'blocks T2 > T1',
        'parent_of T1 > T2',
        'parent_of T1 > T3',
        'relates_to T4 > T1',
      ]);
      expect((await garden.relations((await task('T4')).id)).sort()).toEqual([
        'parent_of T3 > T4',
        'relates_to T4 > T1',
      ]);
      expect(notesOf(report, 'link')).toEqual(['1 Sowing: not understood; imported as relates_to']);
    });

    it('by address, title and another case in a CSV file, and names what it does not find', async () => {
      const report = await garden.run(
        { format: 'csv' },
        lines(
          'Task ID,Name,URL,Parent task,Blocked by',
          'T-1,Dig the pond,https://example.org/t/1,,',
          'T-2,Sow,,Dig the pond,t-1',
          'T-3,Mow,,https://example.org/t/1,T-9',
          'T-4,Twin,,,',
          'T-5,Twin,,,',
          'T-6,Rest,,Twin,',
        ),
      );
      expect(await garden.relations((await task('Sow')).id)).toEqual(
        expect.arrayContaining(['parent_of Dig the pond > Sow', 'depends_on Sow > Dig the pond']),
      );
      expect(await garden.relations((await task('Mow')).id)).toEqual(['parent_of Dig the pond > Mow']);
      expect(report.refusals.map(({ line, reason, message }) => [line, reason, message])).toEqual([
        [4, 'reference_not_found', 'There is no task T-9.'],
        [7, 'duplicate', 'Several lines of the file are called Twin.'],
      ]);
    });

    it('and says which lines have relations but no id', async () => {
      const { refusals } = await garden.run({ format: 'csv' }, lines('title,parent', 'Dig,G-1', 'Sow,'));
      expect(refusals.map(({ line, message }) => [line, message])).toEqual([
        [2, 'The line has no id, so that its relations cannot be imported.'],
      ]);
    });
  });

  describe('keeps all of several values', () => {
    it('in repeated columns', async () => {
      await garden.run({ format: 'csv' }, lines('Key,Summary,Labels,Labels,Labels', 'A-1,Paint,red,blue,green'));
      expect(await task('Paint')).toMatchObject({ labels: ['blue', 'green', 'red'] });
      const mapping = { Key: 'id', Summary: 'title', Labels: 'labels', Area: 'metadata.area', Start: 'created_at' };
      await garden.run(
        { format: 'csv', mapping },
        lines('Key,Summary,Labels,Labels,Area,Area,Start,Start', 'A-2,Dig,red,blue,north,south,2026-01-01,2026-02-02'),
      );
      expect(await task('Dig')).toMatchObject({
        created_at: '2026-01-01T00:00:00.000Z',
        labels: ['blue', 'red'],
        metadata: {
          area: ['north', 'south'],
          imported: { created_at: ['2026-01-01', '2026-02-02'] },
        },
      });
    });

    it('of assignees, of whom the first member is assigned', async () => {
      await app.join(garden.endeavour, jon, 'member');
      const issue = {
        number: 1,
        title: 'Carry',
        state: 'open',
        assignees: [{ login: 'Mara Lind' }, { login: 'Jon Ek' }],
      };
      await garden.run({ format: 'github' }, [issue]);
      expect(await task('Carry')).toMatchObject({
        assignee_id: jon.resourceId,
        metadata: { imported: { assignees: ['Mara Lind', 'Jon Ek'] } },
      });
      await garden.run({ format: 'csv' }, lines('title,assignee,assignee', 'Dig,Nobody,Ann;Jon Ek'));
      expect(await task('Dig')).toMatchObject({
        assignee_id: ann.resourceId,
        metadata: { imported: { assignees: ['Nobody', 'Ann', 'Jon Ek'] } },
      });
    });

    it('of checklists, in their order on the card, and of copied comments', async () => {
      const id = '64a000000000000000000001';
      const checklist = (name: string, pos: number, checkItems: object[]) => ({
        id: name,
        idCard: id,
        name,
        pos,
        checkItems,
      });
      const item = (name: string, pos: number, state = 'incomplete') => ({ name, pos, state });
      const action = (type: string, n: number) => ({
        id: `a${n}`,
        type,
        date: `2026-03-0${n}T09:00:00.000Z`,
        data: { text: `remark ${n}`, card: { id } },
      });
      const board = {
        name: 'Garden',
        lists: [{ id: 'l1', name: 'To Do', pos: 100 }],
        cards: [{ id, name: 'Open', idList: 'l1', pos: 16_384 }],
        checklists: [
          checklist('Evening', 200, [item('3 lock', 30), item('1 sweep', 10), item('2 lights', 20, 'complete')]),
          checklist('Morning', 100, [item('0 unlock', 1, 'complete')]),
        ],
        actions: [action('commentCard', 2), action('copyCommentCard', 1), action('updateCard', 3)],
      };
      await garden.run({ format: 'trello' }, board);
      const open = await task('Open');
      expect(open.metadata).toMatchObject({
        checklist: [
          { title: '0 unlock', checked: true },
          { title: '1 sweep', checked: false },
          { title: '2 lights', checked: true },
          { title: '3 lock', checked: false },
        ],
        checklists: [
          { name: 'Morning', items: 1 },
          { name: 'Evening', items: 3 },
        ],
        imported: { position: 16_384, list_position: 100 },
      });
      expect((await garden.comments(open.id)).map(({ content }) => content).sort()).toEqual(['remark 1', 'remark 2']);
      // The ids that the items have here are no difference to the source.
      const again = await garden.run({ format: 'trello' }, board);
      expect(again.counts).toMatchObject({ updated: 0, unchanged: 1 });
      expect(notesOf(again, 'kept')).toEqual([]);
    });

    it('of comments by one author at one time', async () => {
      const file = lines(
        'Summary,Issue key,Comment,Comment,Comment',
        'Dig,G-1,21/Jun/25 4:14 PM;ann;one,21/Jun/25 4:14 PM;ann;two,no date',
      );
      expect((await garden.run({ format: 'jira' }, file)).counts).toMatchObject({ comments: 3 });
      expect((await garden.run({ format: 'jira' }, file)).counts).toMatchObject({ comments: 0 });
      const edited = await garden.run({ format: 'jira' }, file.replace('one', 'one; edited'));
      expect(edited.counts).toMatchObject({ comments: 0, comments_changed: 1 });
    });
  });

  describe('that is repeated', () => {
    const issue = (changes: object = {}) => ({
      number: 2,
      title: 'Fix the lock',
      state: 'open',
      body: 'It sticks.',
      html_url: 'https://github.com/acme/garden/issues/2',
      labels: [{ name: 'north' }],
      created_at: '2026-03-02T09:00:00Z',
      ...changes,
    });

    it('brings in what changed in the source, through the steps of the status', async () => {
      await garden.run({ format: 'github' }, [issue()]);
      const { counts, refusals } = await garden.run({ format: 'github' }, [
        issue({
          title: 'Fix the north lock',
          state: 'closed',
          state_reason: 'completed',
          labels: [{ name: 'door' }],
          body: null,
        }),
      ]);
      expect([counts.updated, refusals]).toEqual([1, []]);
      expect(await task('Fix the north lock')).toMatchObject({
        status: 'done',
        description: null,
        labels: ['door'],
      });
      await garden.run({ format: 'github' }, [issue({ title: 'Fix it again' })]);
      expect(await task('Fix it again')).toMatchObject({ status: 'planned', description: 'It sticks.' });
    });

    it('keeps the hours of a task with time entries, whose sum they are', async () => {
      const file = (hours: number) => lines('id,title,actual', `A,Oil,${hours}`);
      await garden.run({ format: 'csv' }, file(2));
      const { id } = await task('Oil');
      const entry = { task_id: id, minutes: 30, day: '2026-11-20' };
      await app.as(ann).post('/time-entries').send(entry).expect(201);
      const report = await garden.run({ format: 'csv' }, file(3));
      expect(report).toMatchObject({ counts: { updated: 0, unchanged: 1 }, refusals: [] });
      expect(notesOf(report, 'kept')).toEqual([expect.stringMatching(/^1 actual:/)]);
      expect(await task('Oil')).toMatchObject({ actual: 2.5 });
    });

    it('keeps what was edited here and not in the source', async () => {
      await garden.run({ format: 'github' }, [issue()]);
      await patch('Fix the lock', {
        title: 'Mend the lock',
        description: 'Here',
        status: 'active',
        labels: ['north', 'mine'],
      });
      const report = await garden.run({ format: 'github' }, [issue({ labels: [{ name: 'door' }, { name: 'north' }] })]);
      expect(await task('Mend the lock')).toMatchObject({
        description: 'Here',
        status: 'active',
        labels: ['door', 'mine', 'north'],
      });
      expect(notesOf(report, 'kept').map((note) => note.split(':')[0])).toEqual([
        '1 description',
        '1 status',
        '1 title',
      ]);
      expect(
        (await garden.run({ format: 'github' }, [issue({ labels: [{ name: 'door' }, { name: 'north' }] })])).counts,
      ).toMatchObject({ unchanged: 1 });
    });

    it('keeps the edits when the same CSV file comes again, and what a shorter file does not have', async () => {
      const file = lines('id,title,status,assignee,due_date', 'R-2,Fix,planned,Ann,2027-01-02');
      await garden.run({ format: 'csv' }, file);
      await patch('Fix', { title: 'Mend', assignee_id: null });
      expect((await garden.run({ format: 'csv' }, file)).counts).toMatchObject({ unchanged: 1, updated: 0 });
      await garden.run({ format: 'csv' }, lines('id,title', 'R-2,Fix'));
      expect(await task('Mend')).toMatchObject({ assignee_id: null, due_date: expect.stringContaining('2027-01-02') });
      await garden.run({ format: 'csv' }, lines('id,title,due_date', 'R-2,Fix,'));
      expect(await task('Mend')).toMatchObject({ due_date: null });
    });

    it('writes the rest of a line of which a rule refuses a part, and tries that again', async () => {
      await garden.run({ format: 'csv' }, lines('id,title,description,status', 'R-1,Dig,,planned'));
      const long = 'x'.repeat(50_001);
      const report = await garden.run(
        { format: 'csv' },
        lines('id,title,description,status', `R-1,Dig deep,${long},active`),
      );
      expect(report).toMatchObject({ counts: { updated: 1 }, refusals: [{ line: 2, reason: 'too_long' }] });
      expect(await task('Dig deep')).toMatchObject({ status: 'active', description: null });
      await garden.run({ format: 'csv' }, lines('id,title,description,status', 'R-1,Dig deep,Well,active'));
      expect(await task('Dig deep')).toMatchObject({ description: 'Well' });
    });

    describe('with comments', () => {
      const remark = (id: number, body: string) => ({
        id,
        body,
        user: { login: 'zoe' },
        created_at: '2026-03-03T09:00:00Z',
      });
      const withRemarks = (...comments: object[]) => [issue({ comments })];
      const run = (query: object, ...comments: object[]) =>
        garden.run({ format: 'github', ...query }, withRemarks(...comments));
      const remarks = async () => garden.comments((await task('Fix the lock')).id);
      const texts = async () => (await remarks()).map(({ content }) => content);

      it('brings in what was edited in the source, again and again, and keeps the earlier text', async () => {
        await run({}, remark(1, 'Oil it'), remark(2, 'Replace it'));
        const dry = await run(
          { dry_run: 'true' },
          remark(1, 'Oil it well'),
          remark(2, 'Replace it'),
          remark(3, 'Done'),
        );
        expect(dry.counts).toMatchObject({ comments: 1, comments_changed: 1 });
        expect(await texts()).toEqual(['Oil it', 'Replace it']);
        for (const text of ['Oil it well', 'Oil it twice']) {
          const { counts } = await run({}, remark(1, text), remark(2, 'Replace it'));
          expect(counts).toMatchObject({ unchanged: 1, comments: 0, comments_changed: 1 });
          expect(await texts()).toEqual([text, 'Replace it']);
          expect((await run({}, remark(1, text))).counts).not.toHaveProperty('comments_changed');
        }
        const [{ id }] = await remarks();
        const { body } = await app.as(ann).get(`/comments/${id}/history`).expect(200);
        expect(body.data.map(({ content }: { content: string }) => content).sort()).toEqual(['Oil it', 'Oil it well']);
      });

      it('keeps what was edited or deleted here, and says so', async () => {
        await run({}, remark(1, 'Oil it'), remark(2, 'Replace it'));
        const [first, second] = await remarks();
        await app.as(ann).patch(`/comments/${first.id}`).send({ content: 'Oil it here' }).expect(200);
        await app.as(ann).delete(`/comments/${second.id}`).expect(200);
        const report = await run({}, remark(1, 'Oil it well'), remark(2, 'Replace it'));
        expect(report.counts).toMatchObject({ comments: 0 });
        expect(await texts()).toEqual(['Oil it here', null]);
        expect(notesOf(report, 'kept')).toEqual([
          '1 comments: deleted here since the last import; left out',
          '1 comments: edited here since the last import; left as it is',
        ]);
        const [, deleted] = await remarks();
        expect(deleted).toMatchObject({ content: null, metadata: {} });
      });

      it('keeps an edit here of a text that an import has changed', async () => {
        await run({}, remark(1, 'Oil it'));
        await run({}, remark(1, 'Oil it well'));
        const [{ id }] = await remarks();
        await app.as(ann).patch(`/comments/${id}`).send({ content: 'Mine' }).expect(200);
        await run({}, remark(1, 'Oil it daily'));
        expect(await texts()).toEqual(['Mine']);
      });

      it('keeps comments that the file does not have, and those with only their metadata changed follow the source', async () => {
        await run({}, remark(1, 'Oil it'), remark(2, 'Replace it'));
        const [{ id }] = await remarks();
        await app
          .as(ann)
          .patch(`/comments/${id}`)
          .send({ metadata: { seen: true } })
          .expect(200);
        await run({}, remark(1, 'Oil it well'));
        expect(await texts()).toEqual(['Oil it well', 'Replace it']);
      });

      it('changes no comment of another author, unless an administrator imports', async () => {
        await run({}, remark(1, 'Oil it'));
        await app.join(garden.endeavour, mara, 'admin');
        const report = await garden.run({ format: 'github' }, withRemarks(remark(1, 'I agree with Mara')), mara);
        expect(await texts()).toEqual(['Oil it']);
        expect(notesOf(report, 'kept')).toEqual([
          '1 comments: changed in the source; only its author or an administrator can import the change, so it is left as it is',
        ]);
        await garden.run({ format: 'github' }, withRemarks(remark(1, 'Oil it well')), await app.admin('Ada'));
        expect(await texts()).toEqual(['Oil it well']);
      });
    });

    it('assigns somebody who has become a member, unless that was changed here', async () => {
      const file = lines('id,title,assignee', 'R-1,Dig,Mara Lind', 'R-2,Sow,Mara Lind');
      await garden.run({ format: 'csv' }, file);
      await patch('Sow', { assignee_id: ann.resourceId });
      await app.join(garden.endeavour, mara, 'member');
      await garden.run({ format: 'csv' }, file);
      expect(await task('Dig')).toMatchObject({ assignee_id: mara.resourceId });
      expect(await task('Sow')).toMatchObject({ assignee_id: ann.resourceId });
    });
  });
});
