import type { FormatName } from '../../src/modules/imports/formats/all.js';
import { TestApp, type Person } from '../support/test-app.js';

const MIB = 1024 * 1024;

interface Report {
  counts: Record<string, number>;
  refused: number;
  refusals: { line: number; external_id: string | null; code: string; reason: string | null }[];
}

/** What a file of each format begins with. */
const BEGINNINGS: Readonly<Record<FormatName, string>> = {
  github: '[',
  jira: '{"issues":[',
  linear: '{"data":{"issues":{"nodes":[',
  trello: '{"cards":[',
  vikunja: '[',
  worksmith: '{"tasks":[',
  csv: '',
};

/** Files that are made to break their parser, or to import values that requests reject. */
describe('an import of a hostile file', () => {
  let app: TestApp;
  let ann: Person;
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open({ WORKERS: 'true', LIMIT_WRITES_PER_MINUTE: '100000' });
    ann = await app.person('Ann');
  });
  beforeEach(async () => {
    garden = await app.endeavour(ann);
  });
  afterAll(() => app.close());

  const send = (format: string, file: string | object, query = '') =>
    app
      .as(ann)
      .post(`/imports?format=${format}&endeavour_id=${garden}${query}`)
      .set('Content-Type', 'application/octet-stream')
      .send(typeof file === 'string' ? file : JSON.stringify(file));
  const ended = async ({
    body,
    headers,
  }: {
    body: { data: { id: string; finished_at: string | null } };
    headers: Record<string, string>;
  }) => {
    let operation = body.data as Record<string, unknown>;
    while (operation.finished_at === null) {
      operation = (await app.as(ann).get(headers.location).set('Prefer', 'wait=20').expect(200)).body.data;
    }
    expect(operation).toMatchObject({ status: 'succeeded', error: null });
    const path = `/imports/${body.data.id.replace('opr_', 'imp_')}`;
    return (await app.as(ann).get(path).expect(200)).body.data;
  };
  const imported = async (format: string, file: string | object, query = ''): Promise<Report> => {
    return ended(await send(format, file, query).expect(202));
  };
  const refused = ({ refusals }: Report) => refusals.map(({ line, code, reason }) => [line, code, reason]);
  const titles = async (): Promise<string[]> => {
    const { body } = await app.as(ann).get(`/tasks?endeavour_id=${garden}&sort=created_at&limit=200`).expect(200);
    return body.data.map(({ title }: { title: string }) => title).sort();
  };

  it('from Jira can have columns with the names of JavaScript object properties', async () => {
    const header = 'Issue key,Summary,Status,Status Category,__proto__,constructor,toString,toString';
    const report = await imported('jira', `${header}\nG-1,Dig,Open,constructor,a,b,c,d\nG-2,Rake,Open,,,,,,surplus\n`);
    expect(report.counts).toMatchObject({ created: 1 });
    expect(refused(report)).toEqual([[3, 'invalid_input', null]]);
    expect(await titles()).toEqual(['Dig']);
  });

  it('from Jira can have objects, and names of object properties, in place of text', async () => {
    const odd = { toString: 1, valueOf: 1 };
    const link = { type: { name: 'constructor' }, outwardIssue: { key: 'G-2' } };
    const fields = { status: { name: odd, statusCategory: { key: 'toString' } }, issuelinks: [link] };
    const issue = (key: string) => ({ key, fields: { ...fields, summary: key, description: { type: odd } } });
    const report = await imported('jira', { issues: [issue('G-1'), issue('G-2')] });
    // The second issue links to itself.
    expect(report.counts).toMatchObject({ created: 2, relations: 1 });
  });

  it('from Vikunja can have objects in place of numbers', async () => {
    const odd = { toString: 1, valueOf: 1 };
    const task = { id: 1, title: 'Dig', priority: odd, percent_done: odd };
    expect((await imported('vikunja', [{ id: 1, tasks: [task] }])).counts).toMatchObject({ created: 1 });
  });

  it('rejects, line by line, values that no request could set', async () => {
    const long = 'x'.repeat(50_001);
    const lines = [
      'id,title,actual,status,canceled_reason',
      'A-1,Negative,-5,done,',
      'A-2,Huge,1e300,done,',
      `A-3,Long,,canceled,${long}`,
      'A-4,Fine,2.5,done,',
    ];
    const report = await imported('csv', lines.join('\n'));
    expect(refused(report)).toEqual([
      [2, 'invalid_input', 'out_of_range'],
      [3, 'invalid_input', 'out_of_range'],
      [4, 'invalid_input', 'too_long'],
    ]);
    expect(await titles()).toEqual(['Fine']);
  });

  it('changes no task to a value that PATCH rejects', async () => {
    await imported('csv', 'id,title\nA-1,Dig\nA-2,Rake\nA-3,Sow\nA-4,Mow\n');
    const report = await imported(
      'csv',
      ['id,title,description,actual,labels', `A-1,Dig,${'x'.repeat(50_001)},,`]
        .concat('A-2,Rake,,,', 'A-3,Sow,,-1,', `A-4,  Mow it  ,,,${'y'.repeat(100_001)}`)
        .join('\n'),
    );
    expect(refused(report)).toEqual([
      [2, 'invalid_input', 'too_long'],
      [4, 'invalid_input', 'out_of_range'],
      [5, 'invalid_input', 'too_long'],
    ]);
    const { body } = await app.as(ann).get(`/tasks?endeavour_id=${garden}&sort=title`).expect(200);
    // The valid values of a line are imported without the others.
    expect(body.data).toMatchObject([
      { title: 'Dig', description: null, revision: 1 },
      { title: 'Mow it', revision: 2 },
      { title: 'Rake', revision: 1 },
      { title: 'Sow', actual: null, revision: 1 },
    ]);
    expect(body.data[1].metadata).not.toHaveProperty('labels');
  });

  it('from Worksmith changes no task to a value that PATCH rejects', async () => {
    const task = (more: object) => ({
      id: 'tsk_1',
      title: 'Dig',
      status: 'planned',
      endeavour_id: 'edv_1',
      created_at: '2026-01-01T00:00:00Z',
      ...more,
    });
    const document = (more: object) => ({
      version: 1,
      kind: 'endeavour',
      endeavour: { id: 'edv_1', name: 'There' },
      tasks: [task(more)],
    });
    await imported('worksmith', document({}));
    for (const more of [{ actual: -1 }, { status: 'canceled', canceled_reason: 'x'.repeat(50_001) }]) {
      const report = await imported('worksmith', document(more));
      expect(report).toMatchObject({ counts: { updated: 0 }, refused: 1 });
    }
    await imported('worksmith', document({ title: '  Dig deeper ' }));
    expect(await titles()).toEqual(['Dig deeper']);
  });

  it('from Worksmith changes no artifact or ritual to a value that PATCH rejects, also in a dry run', async () => {
    const endeavour = { id: 'edv_1', name: 'There' };
    const artifact = { id: 'art_1', kind: 'doc', title: 'Plan', status: 'active', endeavour_id: 'edv_1' };
    const ritual = { id: 'rtl_1', name: 'Round', status: 'active', endeavour_id: 'edv_1' };
    const document = (more: object, odd: object = {}) => ({
      version: 1,
      kind: 'endeavour',
      endeavour,
      artifacts: [{ ...artifact, ...more }],
      rituals: [{ ...ritual, ...odd }],
    });
    expect((await imported('worksmith', document({}))).counts).toMatchObject({ created: 2 });
    const get = async (path: string): Promise<Record<string, unknown>> =>
      (await app.as(ann).get(`${path}?endeavour_id=${garden}`).expect(200)).body.data[0];
    const kept = [await get('/artifacts'), await get('/rituals')];
    const wrong = document({ title: ' Plan ', tags: null, url: '', summary: '' }, { name: ' Round ', lang: null });
    for (const query of ['&dry_run=true', '']) {
      const report = await imported('worksmith', wrong, query);
      expect([report.counts.created, refused(report)]).toEqual([0, [[1, 'invalid_input', 'not_nullable']]]);
    }
    expect([await get('/artifacts'), await get('/rituals')]).toEqual(kept);
    await imported('worksmith', document({ title: ' Map ' }, { name: ' Walk ', prompt: '' }));
    expect(await get('/artifacts')).toMatchObject({ title: 'Map' });
    expect(await get('/rituals')).toMatchObject({ name: 'Walk', prompt: null });
  });

  it('from Worksmith changes no template or endeavour to a value that PATCH rejects', async () => {
    const organization = await app.organization(ann);
    const document = (name: string, more: object = {}) => ({
      version: 1,
      kind: 'organization',
      organization: { id: 'org_1', name: 'There' },
      endeavours: [{ id: 'edv_1', name, status: 'active', ...more }],
      templates: [{ id: 'tpl_1', name, scope: 'task', body: 'x', status: 'active', organization_id: 'org_1', ...more }],
    });
    const bring = async (file: object): Promise<Report> => {
      const path = `/imports?format=worksmith&organization_id=${organization}`;
      const request = app.as(ann).post(path).set('Content-Type', 'application/octet-stream');
      return ended(await request.send(JSON.stringify(file)).expect(202));
    };
    expect((await bring(document('Garden'))).counts).toMatchObject({ created: 2 });
    const report = await bring(document('Shed', { lang: null }));
    expect(report).toMatchObject({ counts: { updated: 0 }, refused: 2 });
    expect(new Set(report.refusals.map(({ reason }) => reason))).toEqual(new Set(['not_nullable']));
    expect((await bring(document('  Shed '))).counts).toMatchObject({ updated: 2 });
    for (const path of ['/endeavours', '/templates']) {
      const { body } = await app.as(ann).get(`${path}?organization_id=${organization}&fields=name`).expect(200);
      expect(body.data).toEqual([{ name: 'Shed' }]);
    }
  });

  it('from Worksmith creates no relation or comment that a request could not create', async () => {
    const large = { metadata: { text: 'x'.repeat(100_001) } };
    const task = (id: string) => ({ id, title: id, status: 'planned', endeavour_id: 'edv_1' });
    const relation = (id: string, more: object) => ({
      id,
      relationship_type: 'relates_to',
      source_entity_type: 'task',
      source_entity_id: 'tsk_1',
      target_entity_type: 'task',
      target_entity_id: 'tsk_2',
      ...more,
    });
    const document = {
      version: 1,
      kind: 'endeavour',
      endeavour: { id: 'edv_1', name: 'There' },
      tasks: [task('tsk_1'), task('tsk_2')],
      comments: [{ id: 'cmt_1', entity_type: 'task', entity_id: 'tsk_1', content: 'Well', ...large }],
      relations: [relation('rel_1', { relationship_type: 'No Word!' }), relation('rel_2', large)],
    };
    for (const query of ['&dry_run=true', '']) {
      const report = await imported('worksmith', document, query);
      expect(report.counts).toMatchObject({ created: 2, comments: 0, relations: 0 });
      expect(report.refusals.map(({ external_id, reason }) => [external_id, reason])).toEqual([
        ['cmt_1', 'too_long'],
        ['rel_1', 'invalid_format'],
        ['rel_2', 'too_long'],
      ]);
    }
  });

  it('can be nested deeply, be incomplete, or have texts and numbers that are too large', async () => {
    const deep = `[{"title": "Deep", "state": "open", "number": 1, "body": ${'['.repeat(1_000)}${']'.repeat(1_000)}}]`;
    expect(refused(await imported('github', deep))).toEqual([[1, 'invalid_input', 'out_of_range']]);
    await send('github', '['.repeat(4 * MIB)).expect(400);
    const issue = (number: number, more: object) => ({ number, title: `Issue ${number}`, state: 'open', ...more });
    const file = JSON.stringify([issue(1, { body: 'x'.repeat(5 * MIB) }), issue(2, { odd: 'HUGE' }), issue(3, {})]);
    const report = await imported('github', file.replace('"HUGE"', '1e308'));
    expect(refused(report)).toEqual([[1, 'invalid_input', 'too_long']]);
    expect(await titles()).toEqual(['Issue 2', 'Issue 3']);
  });

  it.each(Object.entries(BEGINNINGS))(
    'as %s is rejected while it is read, and nothing of it is stored',
    async (format, opened) => {
      const names = Array.from({ length: 200_000 }, (_, n) => `"k${n}":1`).join();
      const contents =
        format === 'csv'
          ? [','.repeat(8 * MIB), `title\n${','.repeat(8 * MIB)}`, '"\n",'.repeat(MIB), `title\n"${'a,'.repeat(MIB)}`]
          : [
              '['.repeat(4 * MIB),
              '{"a":'.repeat(MIB),
              `{"a":${'1'.repeat(MIB)}`,
              `{${names}}`,
              `{"a":[${'1,'.repeat(MIB)}1]}`,
              `{"a":[${'{},'.repeat(MIB)}1]}`,
              `{"a":"${'x'.repeat(9 * MIB)}"}`,
              `{"${'x'.repeat(9 * MIB)}":1}`,
            ];
      for (const [at, content] of contents.entries()) {
        const { body } = await send(format, opened + content, at % 2 === 0 ? '&dry_run=true' : '').expect(400);
        expect(body.error.details.fields).toMatchObject([{ field: 'file', code: 'invalid_format' }]);
      }
      const sql = 'SELECT count(*)::integer AS started FROM imports WHERE endeavour_id = $1';
      expect(await app.observer.one(sql, [garden])).toEqual({ started: 0 });
    },
  );

  it('can contain one record of any depth, which is refused while the others are imported', async () => {
    const deep = (levels: number) => `${'['.repeat(levels)}"]"${']'.repeat(levels)}`;
    const issue = (number: number, body: string) =>
      `{"number": ${number}, "title": "Issue ${number}", "state": "open", "body": ${body}}`;
    const bodies = ['"plain"', deep(60), deep(500_000), '{"a":'.repeat(300_000) + '1' + '}'.repeat(300_000), 'null'];
    const report = await imported('github', `[${bodies.map((body, at) => issue(at + 1, body)).join()}]`);
    expect(refused(report)).toEqual([2, 3, 4].map((line) => [line, 'invalid_input', 'out_of_range']));
    expect(await titles()).toEqual(['Issue 1', 'Issue 5']);
  });

  it('from Vikunja can have a project with more tasks than a record may have values', async () => {
    const numbers = Array.from({ length: 110 }, (_, n) => n);
    const tasks = Array.from({ length: 1_000 }, (_, n) => ({
      id: n + 1,
      title: `Task ${n}`,
      odd: numbers,
    }));
    const report = await imported('vikunja', [{ id: 1, title: 'Garden', tasks }], '&dry_run=true');
    expect(report).toMatchObject({ counts: { created: 1_000 }, refused: 0 });
  });

  it('can have many large records, of which few are in memory at once', async () => {
    const body = 'x'.repeat(MIB);
    const issues = Array.from({ length: 20 }, (_, at) => ({ number: at + 1, title: 'Large', state: 'open', body }));
    const small = { number: 21, title: 'Small', state: 'open' };
    const report = await imported('github', [...issues, small]);
    expect(refused(report)).toEqual(issues.map(({ number }) => [number, 'invalid_input', 'too_long']));
    expect(await titles()).toEqual(['Small']);
  });

  it('rejects ids that are too long for an index', async () => {
    const long = Array.from({ length: 1_000 }, (_, n) => (n * 7_919).toString(36)).join('');
    const report = await imported('csv', `id,title\n${long},Long\nA-1,Short\n`);
    expect(refused(report)).toEqual([[2, 'invalid_input', 'too_long']]);
    expect(await titles()).toEqual(['Short']);
  });
});
