import { Importing, notesOf } from '../support/importing.js';
import { TestApp, type Person } from '../support/test-app.js';

interface Entry {
  id: string;
  minutes: number;
  day: string;
  note: string | null;
  resource_id: string;
  is_initial: boolean;
}

interface Log {
  id?: string;
  author?: object;
  comment?: unknown;
  started?: string;
  timeSpentSeconds?: unknown;
}

describe('imports of work logs', () => {
  let app: TestApp;
  let [ann, bob]: Person[] = [];
  let garden: Importing;

  beforeAll(async () => {
    app = await TestApp.open({ WORKERS: 'true', LIMIT_WRITES_PER_MINUTE: '100000' });
    [ann, bob] = [await app.person('Ann Lind'), await app.person('Bob')];
  });

  beforeEach(async () => {
    garden = new Importing(app, ann, await app.endeavour(ann));
    await app.join(garden.endeavour, bob, 'member');
  });

  afterAll(() => app.close());

  const task = async (title = 'Dig'): Promise<Record<string, unknown>> => (await garden.tasks()).get(title) ?? {};
  const entries = async (title = 'Dig'): Promise<Entry[]> => {
    const { id } = await task(title);
    const { body } = await app
      .as(ann)
      .get(`/time-entries?task_id=${String(id)}&sort=day`)
      .expect(200);
    return body.data;
  };
  const shown = async (title?: string): Promise<string[]> =>
    (await entries(title)).map(({ minutes, day, note, resource_id: id, is_initial: isInitial }) => {
      const who = id === ann.resourceId ? 'Ann' : id === bob.resourceId ? 'Bob' : id;
      return [day, minutes, who, note, ...(isInitial ? ['initial'] : [])].join(' ');
    });
  const log = (id: string, seconds: unknown, more: Log = {}): Log => ({
    id,
    author: { displayName: 'Bob' },
    started: '2026-03-02T23:30:00.000-0500',
    timeSpentSeconds: seconds,
    ...more,
  });
  const issue = (worklogs: Log[], more: object = {}, total = worklogs.length) => ({
    issues: [{ key: 'G-1', fields: { summary: 'Dig', worklog: { total, maxResults: 20, worklogs }, ...more } }],
  });
  const run = (file: string | object, query: object = {}) => garden.run({ format: 'jira', ...query }, file);

  const CSV =
    'Summary,Issue key,Status,Time Spent,Log Work,Log Work\n' +
    'Dig,G-1,Done,9000,"Dug; and filled;02/Mar/26 9:30 PM;Bob;3600","01/Mar/26 8:00 AM;Zoe;5400"\n' +
    'Sow,G-2,To Do,,,\n';

  it('of a CSV export become time entries of members, once', async () => {
    const report = await run(CSV);
    expect(report).toMatchObject({ counts: { created: 2, time_entries: 2 }, refusals: [] });
    expect(notesOf(report, 'person')).toEqual([
      '1 Zoe: not a member; their work log is yours, with the name in the notes',
    ]);
    expect(await shown()).toEqual(['2026-03-01 90 Ann Zoe', '2026-03-02 60 Bob Dug; and filled']);
    // The hours are those of the file, so that nothing changes the task once more.
    expect(await task()).toMatchObject({ status: 'done', actual: 2.5, revision: 1 });
    expect(await entries('Sow')).toEqual([]);
    const again = await run(CSV);
    expect(again.counts).toEqual({ created: 0, updated: 0, unchanged: 2, comments: 0, relations: 0 });
    expect(notesOf(again, 'kept')).toEqual([]);
    expect(await entries()).toHaveLength(2);
    const later = CSV.replace(';5400"', ';7200"')
      .replace('Time Spent,Log', 'Time Spent,Log Work,Log')
      .replace('9000,', '12600,"03/Mar/26 7:00 AM;Bob;1800",')
      .replace('Do,,', 'Do,,,');
    const changed = await run(later);
    // The task is done, which PATCH of a time entry respects; time that was spent before can be added.
    expect(changed).toMatchObject({ counts: { time_entries: 1 }, refusals: [{ line: 2, reason: 'task_closed' }] });
    expect((await shown()).at(-1)).toBe('2026-03-03 30 Bob ');
    expect(await task()).toMatchObject({ actual: 3, revision: 2 });
  });

  it('of the JSON of a search leave the hours that they do not account for in a first entry', async () => {
    const first = [log('1', 3600), log('2', 1800, { comment: 'Roots', author: { displayName: 'Zoe' } })];
    const report = await run(issue(first, { timespent: 4 * 3600 }, 3));
    expect(report.notes).toContainEqual(
      expect.objectContaining({ kind: 'truncated', message: '2 of 3 work log entries are in the file' }),
    );
    expect(notesOf(report, 'property')).toEqual([]);
    expect((await shown()).toSorted()).toEqual([
      '2026-03-02 30 Ann Zoe: Roots',
      '2026-03-02 60 Bob ',
      expect.stringMatching(/ 150 Ann {2}initial$/),
    ]);
    expect(await task()).toMatchObject({ actual: 4, revision: 1 });
    await run(issue([...first, log('3', 2 * 3600)], { timespent: 4 * 3600 }));
    expect((await entries()).filter((entry) => entry.is_initial)).toMatchObject([{ minutes: 30 }]);
    expect(await task()).toMatchObject({ actual: 4 });
    const all = [...first, log('3', 2 * 3600), log('4', 3 * 3600)];
    const last = await run(issue(all, { timespent: 6.5 * 3600 }));
    expect(last.counts).toMatchObject({ time_entries: 1, time_entries_changed: 1 });
    expect((await entries()).filter((entry) => entry.is_initial)).toEqual([]);
    expect(await task()).toMatchObject({ actual: 6.5 });
    expect((await run(issue(all, { timespent: 6.5 * 3600 }))).counts).not.toHaveProperty('time_entries');
  });

  it('change what changed in the source, and not here', async () => {
    const logs = [log('1', 3600), log('2', 3600, { comment: 'Two' }), log('3', 3600), log('4', 3600)];
    await run(issue(logs));
    expect(await task()).toMatchObject({ actual: 4 });
    const [one, two, three] = await entries();
    await app.as(ann).patch(`/time-entries/${two.id}`).send({ minutes: 10 }).expect(200);
    await app.as(ann).delete(`/time-entries/${three.id}`).expect(200);
    const now = [
      log('1', 1800, { comment: 'One', started: '2026-03-04T10:00:00.000+0000' }),
      log('2', 7200, { comment: 'Second' }),
      log('3', 60),
      log('4', 3600),
    ];
    const dry = await run(issue(now), { dry_run: 'true' });
    const report = await run(issue(now));
    for (const { counts, notes } of [dry, report]) {
      expect(counts).toMatchObject({ unchanged: 1, time_entries_changed: 2 });
      expect(notes.filter(({ kind }) => kind === 'kept').map(({ name }) => name)).toEqual([
        'work log',
        'work log minutes',
      ]);
    }
    const byId = new Map((await entries()).map((entry) => [entry.id, entry]));
    expect(byId.get(one.id)).toMatchObject({ minutes: 30, note: 'One', day: '2026-03-04' });
    expect(byId.get(two.id)).toMatchObject({ minutes: 10, note: 'Second' });
    expect(byId.size).toBe(3);
    // A second time, nothing of it is new.
    const again = await run(issue(now));
    expect(again.counts).not.toHaveProperty('time_entries_changed');
    expect(notesOf(again, 'kept')).toEqual([]);
    const people = { Bob: ann.id };
    const moved = await run(issue([now[3], log('4', 3600)].slice(1)), { options: { people } });
    expect(moved.counts).toMatchObject({ time_entries_changed: 1 });
  });

  it('are named in the report where they cannot be read', async () => {
    const file =
      'Summary,Issue key,Log Work,Log Work,Log Work,Log Work,Log Work\n' +
      'Dig,G-1,nothing,"x;02/Mar/26;Bob;soon","x;yesterday;Bob;60","x;02/03/26;Bob;60","x;;Bob;60"\n' +
      'Sow,G-2,"x;02/Mar/26;Bob;0","x;02/Mar/26;Bob;90000","x;02/Mar/26;Bob;20",,\n';
    const report = await run(file);
    expect(report.counts).toMatchObject({ created: 2, time_entries: 1 });
    expect(notesOf(report, 'value').toSorted()).toEqual([
      expect.stringContaining('1 Log Work: "nothing" has no date, author and seconds; left out'),
      expect.stringContaining('1 date of a work log entry: "yesterday" is not a date; left out'),
      expect.stringContaining('can be read as two days'),
      '1 work log entries: "0" seconds are no length between a second and 1440 minutes; left out',
      '1 work log entries: "90000" seconds are no length between a second and 1440 minutes; left out',
      '1 work log entries: "soon" seconds are no length between a second and 1440 minutes; left out',
      '1 work log entries: an entry has no date; left out',
    ]);
    expect(await shown('Sow')).toEqual(['2026-03-02 1 Bob x']);
    const long = await run(issue([log('1', 60, { comment: 'x'.repeat(60_000) })]));
    expect(long.refusals).toMatchObject([{ line: 1, reason: 'too_long' }]);
    const many = Array.from({ length: 1_001 }, (_, index) => log(String(index), 60));
    const most = await run(issue(many));
    expect(most.counts).toMatchObject({ time_entries: 1_000 });
    expect(notesOf(most, 'value')).toEqual([
      '1 work log entries: more than 1000 entries of one issue; the others are left out',
    ]);
  });

  it('take the hours that a task had before out of its sum, and are undone', async () => {
    await run({ issues: [{ key: 'G-1', fields: { summary: 'Dig', timespent: 3600 } }] });
    const { id } = await task();
    await app
      .as(bob)
      .patch(`/tasks/${String(id)}`)
      .send({ actual: 3 })
      .expect(200);
    const dry = await run(issue([log('1', 3600)], { timespent: 3600 }), { dry_run: 'true' });
    expect(dry.counts).toMatchObject({ unchanged: 1, time_entries: 1 });
    expect(await entries()).toEqual([]);
    const report = await run(issue([log('1', 3600)], { timespent: 3600 }));
    expect(await task()).toMatchObject({ actual: 3 });
    expect((await entries()).map(({ minutes, is_initial: isInitial }) => [minutes, isInitial]).sort()).toEqual([
      [120, true],
      [60, false],
    ]);
    const undo = await app.as(ann).post(`/imports/${report.id}/undo`).expect(202);
    const { body } = await app.ended(ann, undo.headers.location);
    expect(body.data.result.undo).toMatchObject({ deleted: 2, stays: {} });
    expect(await entries()).toEqual([]);
    const again = await run(issue([log('1', 3600)], { timespent: 3600 }));
    expect(again.counts).toMatchObject({ time_entries: 1 });
    const other = new Importing(app, ann, await app.endeavour(ann));
    const created = await other.run({ format: 'jira' }, issue([log('1', 60)], { timespent: 3600 }));
    const undone = await app.as(ann).post(`/imports/${created.id}/undo`).expect(202);
    const { body: ended } = await app.ended(ann, undone.headers.location);
    expect(ended.data.result.undo).toMatchObject({ deleted: 3, stays: {} });
    expect((await other.tasks()).size).toBe(0);
  });
});
