import { readFileSync } from 'node:fs';
import { TestApp, type Person } from '../support/test-app.js';

const fixture = (name: string): Buffer => readFileSync(`test/imports/${name}`);

const MAPPING = {
  Key: 'id',
  Summary: 'title',
  Details: 'description',
  State: 'status',
  Who: 'assignee',
  Reporter: 'author',
  Due: 'due_date',
  Hours: 'estimate',
  Opened: 'created_at',
  Begun: 'started_at',
  Closed: 'ended_at',
  Parent: 'parent',
  'Waits for': 'depends_on',
  Labels: 'labels',
  Team: 'metadata.team',
};

interface Report {
  id: string;
  counts: Record<string, number>;
  refusals: { line: number; external_id: string; code: string; reason: string | null; message: string }[];
}

describe('imports', () => {
  let app: TestApp;
  let [ann, bob, ada]: Person[] = [];
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open({ WORKERS: 'true', OPERATION_PIECE: '4', LIMIT_WRITES_PER_MINUTE: '100000' });
    [ann, bob, ada] = [await app.person('Ann'), await app.person('Bob'), await app.admin('Ada')];
  });

  beforeEach(async () => {
    garden = await app.endeavour(ann);
    await app.join(garden, bob, 'member');
  });

  afterAll(() => app.close());

  const send = (query: Record<string, string>, file: Buffer | string, person = ann) =>
    app
      .as(person)
      .post(`/imports?${new URLSearchParams({ endeavour_id: garden, ...query }).toString()}`)
      .set('Content-Type', 'application/octet-stream')
      .send(file);
  /** Runs an import that succeeds, and returns its report. */
  const imported = async (query: Record<string, string>, file: Buffer | string, person = ann): Promise<Report> => {
    const { body, headers } = await send(query, file, person).expect(202);
    const ended = await app.ended(person, headers.location);
    expect(ended.body.data).toMatchObject({ type: 'imports_create', status: 'succeeded', error: null });
    expect(ended.body.data.progress.done).toBe(ended.body.data.progress.total);
    const { data } = (
      await app
        .as(person)
        .get(`/imports/${body.data.id.replace('opr_', 'imp_')}`)
        .expect(200)
    ).body;
    const { refusals: _refusals, notes: _notes, ...report } = data;
    expect(ended.body.data.result.import).toEqual(report);
    return data;
  };
  const csv = { format: 'csv', mapping: JSON.stringify(MAPPING), options: JSON.stringify({ source: 'garden' }) };
  const taskOf = async (external: string) => {
    const { body } = await app
      .as(ann)
      .get(`/tasks?endeavour_id=${garden}&external=${encodeURIComponent(external)}`)
      .expect(200);
    return body.data[0];
  };
  const count = async (path: string): Promise<number> => {
    const { body } = await app.as(ann).get(path).expect(200);
    return body.meta.total;
  };

  describe('of CSV', () => {
    it('create tasks with states, times, people and relations, and report every other line', async () => {
      const report = await imported(csv, fixture('backlog.csv'));
      expect(report.counts).toEqual({ created: 8, updated: 0, unchanged: 0, comments: 0, relations: 4 });
      expect(report.refusals.map(({ line, external_id, code, reason }) => [line, external_id, code, reason])).toEqual([
        [6, 'G-3', 'conflict', 'duplicate'],
        [7, 'G-4', 'invalid_input', 'too_short'],
        [11, 'G-8', 'invalid_input', 'reference_not_found'],
        [12, 'G-9', 'conflict', 'cycle'],
      ]);
      expect(await taskOf('garden:G-1')).toMatchObject({
        title: 'Plan the "garden"',
        description: 'First line\r\nsecond; line, with comma',
        status: 'done',
        dod: { result: 'imported' },
        estimate: 3.5,
        assignee_id: ann.resourceId,
        creator_id: ann.resourceId,
        created_at: '2020-01-02T09:00:00.000Z',
        started_at: '2020-01-10T08:00:00.000Z',
        completed_at: '2020-02-01T10:00:00.000Z',
        labels: ['paths', 'shade'],
        metadata: { team: 'green', imported: { format: 'csv', author: 'Zoe Nobody' } },
      });
      expect(await taskOf('garden:G-2')).toMatchObject({
        status: 'active',
        assignee_id: null,
        created_at: '2021-05-05T00:00:00.000Z',
        metadata: { imported: { author: 'Ann', assignee: 'Nobody Here' } },
      });
      expect(await taskOf('garden:G-7')).toMatchObject({
        status: 'canceled',
        canceled_at: '2020-01-05T00:00:00.000Z',
        canceled_reason: 'Canceled elsewhere.',
      });
      expect(await taskOf('garden:G-3')).toMatchObject({ status: 'planned', blocked_by_count: 1 });
      const stays = await app.database.query(
        `SELECT s.status, s.entered_at, s.left_at, s.imported FROM task_statuses s JOIN tasks t ON t.id = s.task_id
         WHERE t.endeavour_id = $1 AND t.external_ref ->> 'id' = 'G-1' ORDER BY s.id`,
        [garden],
      );
      expect(stays).toEqual([
        { status: 'planned', entered_at: at('2020-01-02T09'), left_at: at('2020-01-10T08'), imported: true },
        { status: 'active', entered_at: at('2020-01-10T08'), left_at: at('2020-02-01T10'), imported: true },
        { status: 'done', entered_at: at('2020-02-01T10'), left_at: null, imported: true },
      ]);
    });

    it('change nothing when repeated, and apply changed lines like PATCH', async () => {
      await imported(csv, fixture('backlog.csv'));
      const again = await imported(csv, fixture('backlog.csv'));
      expect(again.counts).toEqual({ created: 0, updated: 0, unchanged: 8, comments: 0, relations: 0 });
      const changed = 'Key,Summary,State\nG-1,Plan it anew,Open\nG-2,Dig the pond deeper,Doing\nG-3,Plant reeds,Done\n';
      const report = await imported(csv, changed);
      expect(report).toMatchObject({ counts: { created: 0, updated: 3 }, refusals: [] });
      expect(await taskOf('garden:G-1')).toMatchObject({ title: 'Plan it anew', status: 'planned', revision: 4 });
      expect(await taskOf('garden:G-3')).toMatchObject({ title: 'Plant reeds', status: 'done', revision: 3 });
      expect(await taskOf('garden:G-2')).toMatchObject({ title: 'Dig the pond deeper', revision: 2 });
    });

    it('interpret dates as the last second of the day in the time zone of the endeavour', async () => {
      await app.as(ann).patch(`/endeavours/${garden}`).send({ timezone: 'America/New_York' }).expect(200);
      const due = (day: string) => imported(csv, `Key,Summary,Due\nG-1,Dig,${day}\n`);
      expect((await due('2030-01-01')).counts).toMatchObject({ created: 1 });
      expect((await due('2030-01-01')).counts).toMatchObject({ updated: 0, unchanged: 1 });
      expect((await due('2030-01-02')).counts).toMatchObject({ updated: 1, unchanged: 0 });
      expect(await taskOf('garden:G-1')).toMatchObject({ due_date: '2030-01-02T23:59:59.000-05:00', revision: 2 });
      expect((await due('2030-01-03T04:59:59Z')).counts).toMatchObject({ updated: 0, unchanged: 1 });
    });

    it('only report with dry_run', async () => {
      const report = await imported({ ...csv, dry_run: 'true' }, fixture('backlog.csv'));
      expect(report.counts).toEqual({ created: 8, updated: 0, unchanged: 0, comments: 0 });
      expect(report.refusals).toHaveLength(3);
      expect(await count(`/tasks?endeavour_id=${garden}`)).toBe(0);
    });

    it('keep authors only if an administrator imports', async () => {
      await imported(csv, 'Key,Summary,Reporter\nA-1,Dig,Bob\n', ada);
      await imported(csv, 'Key,Summary,Reporter\nA-2,Dig,Bob\n');
      expect(await taskOf('garden:A-1')).toMatchObject({ creator_id: bob.resourceId });
      expect(await taskOf('garden:A-2')).toMatchObject({
        creator_id: ann.resourceId,
        metadata: { imported: { author: 'Bob' } },
      });
    });

    it('are rejected completely if the file cannot be read, and store nothing', async () => {
      const files: [Record<string, string>, string | Buffer][] = [
        [csv, 'Key,Summary\nG-1,"never closed'],
        [csv, 'Key\nG-1\n'],
        [csv, Buffer.from('Key,Summary\nG-1,Caf\xe9\n', 'latin1')],
        [{ format: 'github' }, '[{"title": "x", "state": "open"'],
        [{ format: 'github' }, ''],
      ];
      for (const [query, file] of files) {
        const { body } = await send(query, file).expect(400);
        expect(body.error.details.fields).toEqual([expect.objectContaining({ field: 'file', code: 'invalid_format' })]);
      }
      const left = await app.database.query(
        'SELECT 1 FROM import_lines l WHERE NOT EXISTS (SELECT 1 FROM imports i WHERE i.id = l.import_id)',
      );
      expect(left).toEqual([]);
      expect(await app.database.query('SELECT 1 FROM imports WHERE endeavour_id = $1', [garden])).toEqual([]);
    });
  });

  describe('of GitHub', () => {
    it('create issues with their comments, but no mentions', async () => {
      const people = JSON.stringify({ people: { ann: ann.id } });
      const report = await imported({ format: 'github', options: people }, fixture('issues.json'));
      expect(report.counts).toEqual({ created: 2, updated: 0, unchanged: 0, comments: 2, relations: 0 });
      expect(report.refusals).toEqual([expect.objectContaining({ line: 2, external_id: 'acme/garden#2' })]);
      const first = await taskOf('github:acme/garden#1');
      expect(first).toMatchObject({
        title: 'Path is too narrow',
        status: 'done',
        assignee_id: ann.resourceId,
        due_date: '2021-03-20T23:59:59.000Z',
        completed_at: '2020-06-01T10:00:00.000Z',
        external_ref: { url: 'https://github.com/acme/garden/issues/1' },
        labels: ['bug', 'paths'],
        metadata: { milestone: 'Spring', imported: { format: 'github', author: 'zoe' } },
      });
      const bench = await taskOf('github:acme/garden#3');
      expect(bench).toMatchObject({ status: 'canceled', canceled_reason: 'Closed as not_planned.' });
      const { body } = await app.as(ann).get(`/comments?entity_id=${bench.id}`).expect(200);
      expect(body.data).toEqual([
        expect.objectContaining({
          content: 'Not again @ann',
          author_id: ann.resourceId,
          created_at: '2020-07-01T10:00:00.000Z',
          metadata: { import_key: expect.any(String), imported: { author: 'zoe' } },
        }),
      ]);
      expect(await count('/messages')).toBe(0);
      const again = await imported({ format: 'github', options: people }, fixture('issues.json'));
      expect(again.counts).toEqual({ created: 0, updated: 0, unchanged: 2, comments: 0, relations: 0 });
    });

    it('report records that are nested too deeply', async () => {
      const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
      const file = `[{"title":"a","state":"open","number":1,"labels":${nested(20_000)}},{"title":"b","state":"open","number":2,"labels":${nested(10)}}]`;
      const { counts, refusals } = await imported({ format: 'github' }, file);
      expect(counts.created).toBe(1);
      expect(refusals.map(({ line, reason }) => [line, reason])).toEqual([[1, 'out_of_range']]);
    });

    it('report records with characters that cannot be stored', async () => {
      const file =
        '[{"title":"a\\u0000b","state":"open","number":1},{"title":"c","state":"open","number":2,"labels":[{"name":"\\ud800"}]},{"title":"d","state":"open","number":3}]';
      const { counts, refusals } = await imported({ format: 'github' }, file);
      expect(counts.created).toBe(1);
      expect(refusals.map(({ line, reason }) => [line, reason])).toEqual([
        [1, 'invalid_text'],
        [2, 'invalid_text'],
      ]);
    });
  });

  it('of Jira create the issues of a search response, with documents as text', async () => {
    const report = await imported({ format: 'jira' }, fixture('search.json'));
    expect(report).toMatchObject({ counts: { created: 3, comments: 1, relations: 3 }, refusals: [] });
    expect(await taskOf('jira:GARDEN-1')).toMatchObject({
      description: 'Measure first.\n\n- north\n- south',
      status: 'done',
      created_at: '2020-02-01T08:00:00.000Z',
      completed_at: '2020-03-01T08:00:00.000Z',
      due_date: '2020-03-05T23:59:59.000Z',
      estimate: 2.5,
      actual: 2,
      assignee_id: ann.resourceId,
      external_ref: { url: 'https://jira.example.com/browse/GARDEN-1' },
      priority: 'high',
      labels: ['paths'],
      metadata: { type: 'Story', imported: { author: 'Zoe Nobody' } },
    });
    expect(await taskOf('jira:GARDEN-2')).toMatchObject({ status: 'planned', blocked_by_count: 0 });
  });

  it('of Jira accept its CSV with repeated columns', async () => {
    const report = await imported({ format: 'jira' }, fixture('jira.csv'));
    expect(report.counts).toMatchObject({ created: 2, comments: 2, relations: 1 });
    expect(report.refusals).toEqual([]);
    const task = await taskOf('jira:GARDEN-7');
    expect(task).toMatchObject({
      title: 'Plan, again',
      description: 'Line one\nline two',
      completed_at: '2020-11-21T13:30:00.000Z',
      estimate: 1.5,
      priority: 'low',
      labels: ['paths', 'shade'],
      metadata: { type: 'Bug' },
    });
    const { body } = await app.as(ann).get(`/comments?entity_id=${task.id}`).expect(200);
    expect(body.data.map(({ content, created_at }: Record<string, string>) => [content, created_at])).toEqual([
      ['First; second\nthird', '2020-11-20T11:00:00.000Z'],
      ['Fine.', '2020-11-21T00:05:00.000Z'],
    ]);
    const again = await imported({ format: 'jira' }, fixture('jira.csv'));
    expect(again.counts).toMatchObject({ created: 0, unchanged: 2, comments: 0, relations: 0 });
  });

  it('of Trello create the cards of a board by list, with checklists and comments', async () => {
    const report = await imported({ format: 'trello' }, fixture('board.json'));
    expect(report.counts).toMatchObject({ created: 3, comments: 1 });
    expect(await taskOf('trello:5efc1d800000000000000011')).toMatchObject({
      status: 'active',
      created_at: '2020-07-01T05:22:08.000Z',
      assignee_id: ann.resourceId,
      labels: ['green'],
      metadata: {
        list: 'Doing',
        checklist: [
          { title: 'sand', checked: true },
          { title: 'paint', checked: false },
        ],
      },
    });
    expect(await taskOf('trello:5efc1d800000000000000012')).toMatchObject({
      status: 'done',
      completed_at: '2020-07-04T10:00:00.000Z',
    });
    expect(await taskOf('trello:5efc1d800000000000000013')).toMatchObject({
      status: 'canceled',
      canceled_reason: 'Archived in Trello.',
    });
  });

  it('can be sent as a form, with the parameters before the file', async () => {
    const { headers } = await app
      .as(ann)
      .post('/imports')
      .field('format', 'csv')
      .field('endeavour_id', garden)
      .attach('file', Buffer.from('id,title\n1,Dig\n'), 'backlog.csv')
      .expect(202);
    const ended = await app.ended(ann, headers.location);
    expect(ended.body.data.result.import.counts).toMatchObject({ created: 1 });
  });

  it('are rejected as a form without a file, and as another media type', async () => {
    const { body } = await app
      .as(ann)
      .post('/imports')
      .field('format', 'csv')
      .field('endeavour_id', garden)
      .expect(400);
    expect(body.error.details.fields).toEqual([expect.objectContaining({ field: 'file', code: 'required' })]);
    await send({ format: 'csv' }, 'id,title\n').set('Content-Type', 'image/png').expect(415);
    await send({ format: 'csv' }, 'id,title\n')
      .set('Content-Length', String(201 * 1024 * 1024))
      .expect(413);
  });

  it('report every invalid parameter', async () => {
    const wrong = {
      format: 'xls',
      endeavour_id: 'x',
      mapping: '{"a":"b"}',
      options: '{"statuses":{"x":"y"},"more":1}',
    };
    const { body } = await send(wrong, '').expect(400);
    expect(body.error.details.fields.map(({ field, code }: { field: string; code: string }) => [field, code])).toEqual([
      ['format', 'invalid_value'],
      ['endeavour_id', 'invalid_format'],
      ['options.more', 'unknown_field'],
      ['mapping', 'invalid_value'],
      ['options.statuses', 'invalid_value'],
    ]);
  });

  it('are limited to one at a time for a target', async () => {
    const waiting = await app.openConnection();
    await waiting.query('BEGIN');
    await waiting.query('SELECT pg_advisory_xact_lock(830)');
    const { body } = await send({ format: 'csv' }, 'id,title\n1,Dig\n').expect(202);
    const { body: second } = await send({ format: 'csv' }, 'id,title\n2,Dig\n').expect(409);
    expect(second.error).toMatchObject({ code: 'in_progress', details: { operation_id: body.data.id } });
    await app.as(ann).post(`/operations/${body.data.id}/cancel`).expect(200);
    await waiting.query('ROLLBACK');
    await waiting.end();
    await imported({ format: 'csv' }, 'id,title\n2,Dig\n');
  });

  describe('into an endeavour that is completed meanwhile', () => {
    /** Blocks the start of operations during `work`; returns the finished operation of the import. */
    const endedAfter = async (query: Record<string, string>, file: string, work: () => Promise<unknown>) => {
      const waiting = await app.openConnection();
      await waiting.query('BEGIN');
      await waiting.query('SELECT pg_advisory_xact_lock(830)');
      const { headers } = await send(query, file).expect(202);
      await work();
      await waiting.query('ROLLBACK');
      await waiting.end();
      return ended(headers.location);
    };
    const ended = async (location: string) => (await app.ended(ann, location)).body.data;
    const complete = () => app.as(ann).patch(`/endeavours/${garden}`).send({ status: 'completed' }).expect(200);
    const statusOf = async (path: string) => (await app.as(ann).get(path).expect(200)).body.data.status;

    it('fail like POST of a task, and create no task', async () => {
      const operation = await endedAfter(csv, 'Key,Summary,State\nG-1,Dig,Open\nG-2,Sow,Done\n', complete);
      const { body } = await app.as(ann).post('/tasks').send({ title: 'Dig', endeavour_id: garden }).expect(409);
      const { code, message } = body.error;
      expect(operation).toMatchObject({ status: 'failed', error: { code, message }, progress: { done: 0 } });
      expect(operation.result.import).toMatchObject({ endeavour_id: garden, counts: {}, refused: 0 });
      expect(await count(`/tasks?endeavour_id=${garden}`)).toBe(0);
    });

    it('keep and report what was imported before', async () => {
      await imported(csv, 'Key,Summary,State\nG-1,Dig,Doing\n');
      const automatic = { metadata: { auto_complete: true } };
      await app.as(ann).patch(`/endeavours/${garden}`).send(automatic).expect(200);
      // The first piece closes all open tasks, which completes the endeavour.
      const lines = ['G-1,Dig,Done', 'G-2,Sow,Done', 'G-3,,Done', 'G-4,Mow,Done', 'G-5,Rest,Open'];
      const { body, headers } = await send(csv, `Key,Summary,State\n${lines.join('\n')}\n`).expect(202);
      const operation = await ended(headers.location);
      expect(operation).toMatchObject({ status: 'failed', error: { code: 'conflict' }, progress: { done: 4 } });
      const report = { counts: { created: 2, updated: 1, unchanged: 0, comments: 0 }, refused: 1 };
      expect(operation.result.import).toMatchObject(report);
      const id = body.data.id.replace('opr_', 'imp_');
      expect((await app.as(ann).get(`/imports/${id}`).expect(200)).body.data).toMatchObject(report);
      expect(await statusOf(`/endeavours/${garden}`)).toBe('completed');
      expect(await count(`/tasks?endeavour_id=${garden}`)).toBe(3);
      expect(await taskOf('garden:G-5')).toBeUndefined();
    });

    it('do not complete it when its last task ends in a piece that also creates tasks', async () => {
      await imported(csv, 'Key,Summary,State\nG-1,Dig,Doing\n');
      const automatic = { metadata: { auto_complete: true } };
      await app.as(ann).patch(`/endeavours/${garden}`).send(automatic).expect(200);
      const report = await imported(csv, 'Key,Summary,State\nG-1,Dig,Done\nG-2,Sow,Open\n');
      expect(report.counts).toMatchObject({ created: 1, updated: 1 });
      expect(await statusOf(`/endeavours/${garden}`)).toBe('active');
    });

    it('still update existing tasks and report it, if they create none', async () => {
      await imported(csv, 'Key,Summary,State\nG-1,Dig,Done\nG-2,Sow,Done\n');
      const file = 'Key,Summary,State,Waits for\nG-1,Dig deeper,Done,\nG-2,Sow,Open,\n';
      const operation = await endedAfter(csv, file, complete);
      expect(operation).toMatchObject({
        status: 'succeeded',
        result: { import: { counts: { updated: 1 }, refused: 1 } },
      });
      expect(await taskOf('garden:G-1')).toMatchObject({ title: 'Dig deeper', status: 'done' });
    });

    it('fail in the worksmith format too', async () => {
      const shed = await app.endeavour(ann);
      await app.task(ann, shed);
      const document = (await app.as(ann).get(`/endeavours/${shed}/export`).expect(200)).text;
      const operation = await endedAfter({ format: 'worksmith' }, document, complete);
      expect(operation).toMatchObject({ status: 'failed', error: { code: 'conflict' } });
      expect(operation.result.import).toMatchObject({ counts: { created: 0 } });
      expect(await count(`/tasks?endeavour_id=${garden}`)).toBe(0);
    });
  });

  it('report what was imported before they were canceled', async () => {
    const lines = Array.from({ length: 48 }, (_, n) => `G-${n},Dig\n`);
    await imported(csv, `Key,Summary\nG-9,Dig it\n`);
    const blocked = await taskOf('garden:G-9');
    const other = await app.openConnection();
    await other.query('BEGIN');
    await other.query('SELECT 1 FROM tasks WHERE id = $1 FOR UPDATE', [blocked.id]);
    const { headers } = await send(csv, `Key,Summary\n${lines.join('')}`).expect(202);
    // The third piece waits for the row lock, and the cancelation waits for the third piece.
    await app.untilLockWaits(1);
    const canceling = Promise.resolve(
      app
        .as(ann)
        .post(`${headers.location.replace('/api/v1', '')}/cancel`)
        .expect(200),
    );
    await app.untilLockWaits(2);
    await other.query('ROLLBACK');
    await other.end();
    await canceling;
    const { body } = await app.ended(ann, headers.location);
    const { status, progress, result } = body.data;
    expect(status).toBe('canceled');
    expect(progress.done).toBeLessThan(lines.length);
    expect(result.import).toMatchObject({ counts: { created: progress.done - 1, updated: 1 }, refused: 0 });
    expect(await count(`/tasks?endeavour_id=${garden}`)).toBe(progress.done);
  });

  it('report zero records if they are canceled before they start', async () => {
    const waiting = await app.openConnection();
    await waiting.query('BEGIN');
    await waiting.query('SELECT pg_advisory_xact_lock(830)');
    const { body } = await send({ format: 'csv' }, 'id,title\n1,Dig\n').expect(202);
    const canceled = await app.as(ann).post(`/operations/${body.data.id}/cancel`).expect(200);
    await waiting.query('ROLLBACK');
    await waiting.end();
    expect(canceled.body.data).toMatchObject({
      status: 'canceled',
      result: { import: { operation_id: body.data.id, lines: 1, counts: {}, refused: 0 } },
    });
  });

  it('show their report only to users who can see the operation', async () => {
    const { id } = await imported({ format: 'csv' }, 'id,title\n1,\n2,\n3,\n');
    const { body } = await app.as(ann).get(`/imports/${id}?limit=1`).expect(200);
    expect(body.data.refusals).toHaveLength(1);
    const next = await app.as(ann).get(`/imports/${id}?after=${body.data.refusals[0].number}`).expect(200);
    expect(next.body.data.refusals).toHaveLength(2);
    await app.as(ann).get(`/imports/${id}?limit=0`).expect(400);
    await app.as(bob).get(`/imports/${id}`).expect(404);
  });
});

const at = (hour: string): Date => new Date(`${hour}:00:00Z`);
