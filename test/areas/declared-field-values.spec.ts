import fc from 'fast-check';
import { Importing } from '../support/importing.js';
import { race } from '../support/races.js';
import { fieldErrorsOf } from '../support/refusals.js';
import { TestApp, type Person } from '../support/test-app.js';

const SEVERITY = { key: 'severity', name: 'Severity', type: 'choice', options: ['low', 'high'] };
const SCORE = { key: 'score', name: 'Score', type: 'number' };
const FIELDS = [SEVERITY, SCORE];

describe('values of declared fields', () => {
  let app: TestApp;
  let [ann, bob, eve]: Person[] = [];
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open({ WORKERS: 'true', LIMIT_WRITES_PER_MINUTE: '100000', LIMIT_READS_PER_MINUTE: '100000' });
    [ann, bob, eve] = [await app.person('Ann', { tier: 3 }), await app.person('Bob'), await app.person('Eve')];
  });

  beforeEach(async () => {
    garden = await app.endeavour(ann, { fields: FIELDS });
    await app.join(garden, bob, 'member');
  });

  afterAll(() => app.close());

  const read = async (path: string, person = ann) => (await app.as(person).get(path).expect(200)).body.data;
  const patch = (path: string, body: object, person = ann) => app.as(person).patch(path).send(body);
  const post = (path: string, body: object, person = ann) => app.as(person).post(path).send(body);
  const declare = (fields: object[], id = garden) => patch(`/endeavours/${id}`, { fields }).expect(200);
  const task = (title: string, metadata: object, endeavour = garden) => app.task(ann, endeavour, { title, metadata });
  const titles = async (query: string, endeavour = garden, person = ann): Promise<string[]> =>
    (await read(`/tasks?sort=title&limit=200&endeavour_id=${endeavour}&${query}`, person)).map(
      ({ title }: { title: string }) => title,
    );
  const finished = async (operation: string): Promise<Record<string, unknown>> => {
    const { body } = await app.ended(ann, operation);
    expect(body.data).toMatchObject({ status: 'succeeded', error: null });
    return body.data.result as Record<string, unknown>;
  };
  /** The rows by which lists are filtered, and what the rows of tasks and demands say. */
  const kept = (endeavour: string) =>
    app.database.query(
      `SELECT entity_id, key, item, text_value, number_value FROM field_values WHERE endeavour_id = $1 ORDER BY 1, 2, 3`,
      [endeavour],
    );
  const derived = (endeavour: string) =>
    app.database.query(
      `SELECT w.id AS entity_id, d.key, d.item, d.text_value, d.number_value FROM endeavours e
       JOIN (SELECT id, endeavour_id, metadata, 'task' AS kind FROM tasks
         UNION ALL SELECT id, endeavour_id, metadata, 'demand' FROM demands) w ON w.endeavour_id = e.id
       CROSS JOIN LATERAL declared_values(w.metadata, e.fields, w.kind) d WHERE e.id = $1 ORDER BY 1, 2, 3`,
      [endeavour],
    );

  describe('are checked in every write', () => {
    it('of bulk requests, which refuse each task that they do not fit', async () => {
      await task('1', { severity: 'low' });
      await task('2', { severity: 'high' });
      const bulk = (filter: object, metadata: object, more: object = {}) =>
        post('/tasks/bulk', { filter: { endeavour_id: garden, ...filter }, changes: { metadata }, ...more });
      const preview = await bulk({ 'metadata.severity': 'high' }, { score: 'x' }, { dry_run: true }).expect(202);
      expect(await finished(preview.headers.location)).toMatchObject({ changed: 0, refused: 1 });
      const wrong = await bulk({}, { severity: 'huge' }).expect(202);
      expect(await finished(wrong.headers.location)).toMatchObject({
        changed: 0,
        refused: 2,
        refusals: [{ code: 'invalid_input' }, { code: 'invalid_input' }],
      });
      const right = await bulk({ filter: 'metadata.severity = "low"' }, { score: 3 }).expect(202);
      expect(await finished(right.headers.location)).toMatchObject({ changed: 1, unchanged: 0, refused: 0 });
      expect(await titles('metadata.score=3')).toEqual(['1']);
      const unknown = await bulk({ 'metadata.size': 'x', status: ['plan'] }, { score: 3 }).expect(400);
      expect(fieldErrorsOf(unknown.body)).toEqual([
        'filter.metadata.size unknown_field',
        'filter.status invalid_value',
      ]);
      const none = { filter: { organization_id: await app.organization(ann), 'metadata.severity': 'low' } };
      const homeless = await post('/tasks/bulk', { ...none, changes: { metadata: {} } }).expect(400);
      expect(fieldErrorsOf(homeless.body)).toEqual(['filter.metadata.severity unknown_field']);
    });

    it('of batches, claims and external references', async () => {
      const operations = [
        { method: 'POST', path: '/tasks', body: { title: 'x', endeavour_id: garden, metadata: { score: '1' } } },
      ];
      const batch = await post('/batch', { operations, atomic: false });
      expect(batch.body.data[0]).toMatchObject({ status: 400 });
      const path = `/tasks/by-external/jira/G-1?endeavour_id=${garden}`;
      await app
        .as(ann)
        .put(path)
        .send({ title: 'x', metadata: { severity: 'low', score: 5 } })
        .expect(201);
      const refused = await app
        .as(ann)
        .put(path)
        .send({ metadata: { severity: 'none' } })
        .expect(400);
      expect(fieldErrorsOf(refused.body)).toEqual(['metadata.severity invalid_value']);
      const claim = (filter: object) => post('/tasks/claim', { endeavour_id: garden, filter });
      expect((await claim({ 'metadata.severity': 'high' }).expect(200)).body.data).toBeNull();
      expect(fieldErrorsOf((await claim({ 'metadata.size': 'x' }).expect(400)).body)).toEqual([
        'filter.metadata.size unknown_field',
      ]);
      const claimed = await claim({ 'metadata.severity': ['low', 'high'], 'metadata.score.min': '5' }).expect(200);
      expect(claimed.body.data).toMatchObject({ title: 'x', assignee_id: ann.resourceId });
    });

    it('of agents, who find work by them', async () => {
      const home = await app.organization(ann);
      const place = await app.endeavour(ann, { organization_id: home, fields: FIELDS });
      const agent = (await post('/agents', { name: 'Triage', organization_id: home }).expect(201)).body.data;
      const issued = await post(`/agents/${agent.id}/tokens`, { name: 'work', scopes: ['*'] }).expect(201);
      await post(`/endeavours/${place}/members`, { resource_id: agent.resource_id, role: 'member' });
      const found = await task('found', { severity: 'high' }, place);
      const by = { ...ann, token: issued.body.data.token as string };
      await patch(`/tasks/${found}`, { metadata: { severity: 'huge' } }, by).expect(400);
      await patch(`/tasks/${found}`, { metadata: { score: 1 } }, by).expect(200);
      expect(await titles('metadata.severity=high', place, by)).toEqual(['found']);
    });

    it('of tokens that are restricted to the endeavour, and unknown to those of another', async () => {
      const tokenFor = async (endeavour_id: string): Promise<Person> => {
        const sent = { name: 'Restricted', scopes: ['*'], endeavour_id };
        const { body } = await post('/auth/tokens', sent).expect(201);
        return { ...ann, token: body.data.token as string };
      };
      await task('before', { size: 'L', severity: 'low' });
      const inside = await tokenFor(garden);
      const next = [SEVERITY, { key: 'size', type: 'choice', options: ['L'] }];
      await patch(`/endeavours/${garden}`, { fields: next }, inside).expect(200);
      await post('/tasks', { title: 'wrong', endeavour_id: garden, metadata: { size: 'M' } }, inside).expect(400);
      await post('/tasks', { title: 'after', endeavour_id: garden, metadata: { size: 'L' } }, inside).expect(201);
      expect(await titles('metadata.size=L', garden, inside)).toEqual(['after', 'before']);
      const sorted = await read(`/tasks?endeavour_id=${garden}&sort=metadata.severity`, inside);
      expect(sorted.map(({ title }: { title: string }) => title)).toEqual(['before', 'after']);
      expect(await kept(garden)).toEqual(await derived(garden));
      const outside = await tokenFor(await app.endeavour(ann));
      const { body } = await app.as(outside).get(`/tasks?endeavour_id=${garden}&metadata.size=L`).expect(400);
      expect(fieldErrorsOf(body)).toEqual(['metadata.size unknown_field']);
    });

    it('but tasks that rituals make are made without them', async () => {
      await declare([{ ...SEVERITY, required_on: 'create' }]);
      const sent = { name: 'Watering', prompt: 'Water', schedule: { type: 'manual' }, endeavour_id: garden };
      const ritual = await post('/rituals', { ...sent, task: { title: 'Water the plants' } }).expect(201);
      const ritual_id = ritual.body.data.id as string;
      await post('/ritual-runs', { ritual_id }).expect(201);
      const [run] = await read(`/ritual-runs?ritual_id=${ritual_id}`);
      expect(run.task_errors).toMatchObject([{ field: 'metadata.severity', code: 'required' }]);
      expect(await titles('metadata.severity=none')).toEqual(['Water the plants']);
    });
  });

  it('move along with a task, and count where it is', async () => {
    const yard = await app.endeavour(ann, { fields: [{ key: 'severity', type: 'text' }] });
    const plain = await app.endeavour(ann);
    const id = await task('1', { severity: 'low', score: 2 });
    for (const [place, found] of [
      [yard, ['1']],
      [plain, undefined],
      [garden, ['1']],
    ] as const) {
      const { body } = await patch(`/tasks/${id}`, { endeavour_id: place }).expect(200);
      expect(body.data.metadata).toEqual({ severity: 'low', score: 2 });
      if (found !== undefined) expect(await titles('metadata.severity=low', place)).toEqual(found);
      expect(await kept(place)).toEqual(await derived(place));
    }
    expect([await kept(yard), await kept(plain)]).toEqual([[], []]);
    const wrong = await patch(`/tasks/${id}`, { endeavour_id: yard, metadata: { severity: 7 } }).expect(400);
    expect(fieldErrorsOf(wrong.body)).toEqual(['metadata.severity invalid_type']);
    const demand = await app.demand(ann, garden, { title: 'd', metadata: { severity: 'high' } });
    await patch(`/tasks/${id}`, { demand_id: demand }).expect(200);
    await post(`/demands/${demand}/move`, { endeavour_id: yard, with: 'all' }).expect(200);
    expect(await titles('metadata.severity=low', yard)).toEqual(['1']);
    expect(await kept(yard)).toEqual(await derived(yard));
    expect(await kept(garden)).toEqual([]);
  });

  it('are found while a job reads those that were there before the field', async () => {
    const place = await app.endeavour(ann);
    for (const [title, severity] of [
      ['1', 'low'],
      ['2', 'high'],
      ['3', 'huge'],
    ]) {
      await task(title, { severity, score: Number(title) }, place);
    }
    await app.demand(ann, place, { title: 'd', metadata: { severity: 'low' } });
    // As a release that knows only the column, or a request in a large endeavour, leaves it.
    await app.database.query('UPDATE endeavours SET fields = $2 WHERE id = $1', [
      place,
      JSON.stringify(FIELDS.map((field) => ({ options: [], applies_to: null, required_on: null, ...field }))),
    ]);
    const found = async () => [
      await titles('metadata.severity=low', place),
      await titles('metadata.severity=!low', place),
      await titles('metadata.severity=none', place),
      await titles('metadata.score.min=2&filter=metadata.severity:*', place),
      (await read(`/tasks?endeavour_id=${place}&sort=-metadata.score`)).map(({ title }: { title: string }) => title),
    ];
    const expected = [['1'], ['2', '3'], ['3'], ['2'], ['3', '2', '1']];
    const [{ pending }] = await app.database.query<{ pending: number }>(
      'SELECT count(*)::integer AS pending FROM field_renewals WHERE endeavour_id = $1',
      [place],
    );
    expect(pending).toBe(1);
    expect(await found()).toEqual(expected);
    let batches = 0;
    const renew = () => app.database.query<{ more: boolean }>('SELECT renew_field_values(2, $1) AS more', [place]);
    while ((await renew())[0].more) {
      batches += 1;
      expect(await found()).toEqual(expected);
    }
    expect(batches).toBeGreaterThanOrEqual(3);
    expect(await kept(place)).toEqual(await derived(place));
    expect(await kept(place)).toHaveLength(6);
  });

  it('of one endeavour are unknown to those who do not see it, and vanish with it', async () => {
    const secret = await app.endeavour(eve, { fields: FIELDS });
    await app.task(eve, secret, { title: 'hidden', metadata: { severity: 'high' } });
    await task('seen', { severity: 'high' });
    expect(await titles('metadata.severity=high')).toEqual(['seen']);
    const { body } = await app.as(ann).get(`/tasks?endeavour_id=${secret}&metadata.severity=high`).expect(400);
    expect(fieldErrorsOf(body)).toEqual(['metadata.severity unknown_field']);
    expect(await titles('metadata.severity=high', secret, eve)).toEqual(['hidden']);
    expect(await titles('metadata.severity=high', secret, await app.admin('Ada'))).toEqual(['hidden']);
  });

  it('can be those of saved views', async () => {
    const query = { endeavour_id: garden, 'metadata.severity': 'high', sort: 'metadata.score' };
    const sent = { name: 'Bad', kind: 'task', query, columns: ['metadata.severity'], endeavour_id: garden };
    const view = (await post('/views', sent).expect(201)).body.data.id as string;
    await task('2', { severity: 'high', score: 2 });
    await task('1', { severity: 'high', score: 3 });
    await task('3', { severity: 'low' });
    const listed = async (more = ''): Promise<string[]> =>
      (await read(`/tasks?view=${view}${more}`)).map(({ title }: { title: string }) => title);
    expect(await listed()).toEqual(['2', '1']);
    expect(await listed('&metadata.score.min=3')).toEqual(['1']);
    expect(await read(`/views/${view}/count`)).toEqual({ total: 2 });
    const wrong = await post('/views', { ...sent, query: { ...query, 'metadata.size': 'x' } }).expect(400);
    expect(fieldErrorsOf(wrong.body)).toEqual(['query.metadata.size unknown_field']);
    await declare([SCORE]);
    const { body } = await app.as(ann).get(`/tasks?view=${view}`).expect(400);
    expect(fieldErrorsOf(body)).toEqual(['view invalid_value']);
    expect(body.error.message).toContain('metadata.severity');
  });

  it('count as a populated field of the Definition of Done', async () => {
    const conditions = [{ type: 'field_populated', params: { field: 'metadata.severity' } }];
    const policy = await post('/dod-policies', { name: 'Rated', conditions, endeavour_id: garden }).expect(201);
    await post(`/endeavours/${garden}/dod-policy`, { policy_id: policy.body.data.id }).expect(200);
    const id = await task('1', {});
    const found = async () => (await post(`/tasks/${id}/dod-check`, {}).expect(200)).body.data.conditions[0].status;
    expect(await found()).toBe('failed');
    await patch(`/tasks/${id}`, { metadata: { severity: 'low' } }).expect(200);
    expect(await found()).toBe('passed');
  });

  describe('in imports', () => {
    const ALL = [
      ...FIELDS,
      { key: 'areas', name: 'Areas', type: 'choices', options: ['gate', 'path'] },
      { key: 'found_on', name: 'Found on', type: 'day' },
      { key: 'urgent', name: 'Urgent', type: 'flag' },
      { key: 'who', name: 'Who', type: 'person' },
    ];

    it('of CSV take the columns that are called like them, and keep what does not fit', async () => {
      await declare(ALL);
      const file = [
        'title,Severity,SCORE,Areas,found on,urgent,Who,Colour',
        'Dig,HIGH,2.5,"gate, Path",2026-11-20,yes,bob,red',
        'Sow,huge,,,,,,',
      ].join('\n');
      const importing = new Importing(app, ann, garden);
      const report = await importing.run({ format: 'csv' }, file);
      expect(report).toMatchObject({ counts: { created: 2 }, refusals: [] });
      const tasks = await importing.tasks();
      const dug = { severity: 'high', score: 2.5, areas: ['gate', 'path'], found_on: '2026-11-20', urgent: true };
      expect(tasks.get('Dig')?.metadata).toEqual({ ...dug, imported: { format: 'csv', who: 'bob' } });
      expect(tasks.get('Sow')?.metadata).toEqual({ imported: { format: 'csv', severity: 'huge' } });
      const noted = report.notes
        .filter(({ kind }) => kind === 'value')
        .map(({ name, message }) => [name, message])
        .toSorted();
      expect(noted).toEqual([
        ['severity', 'does not fit the field severity; kept in metadata.imported'],
        ['who', 'does not fit the field who; kept in metadata.imported'],
      ]);
      expect(await titles('metadata.areas=path')).toEqual(['Dig']);
    });

    it('of Jira take custom fields of their names', async () => {
      await declare(ALL);
      const issue = (severity: string) => ({
        names: { customfield_1: 'Severity', customfield_2: 'Areas', customfield_3: 'Size' },
        issues: [
          {
            key: 'G-1',
            fields: {
              summary: 'Dig',
              customfield_1: { value: severity },
              customfield_2: [{ value: 'Path' }],
              customfield_3: 7,
            },
          },
        ],
      });
      const importing = new Importing(app, ann, garden);
      const report = await importing.run({ format: 'jira' }, issue('High'));
      expect((await importing.tasks()).get('Dig')?.metadata).toMatchObject({ severity: 'high', areas: ['path'] });
      expect(report.notes).toContainEqual(expect.objectContaining({ kind: 'property', name: 'Size (customfield_3)' }));
      await importing.run({ format: 'jira' }, issue('Low'));
      expect((await importing.tasks()).get('Dig')?.metadata).toMatchObject({ severity: 'low' });
    });

    it('of Trello take custom fields of their names', async () => {
      await declare(ALL);
      const board = {
        lists: [{ id: 'l', name: 'Planned' }],
        customFields: [
          { id: 'f1', name: 'Severity', type: 'list', options: [{ id: 'o1', value: { text: 'High' } }] },
          { id: 'f2', name: 'Score', type: 'number' },
          { id: 'f3', name: 'Urgent', type: 'checkbox' },
          { id: 'f4', name: 'Size', type: 'text' },
        ],
        cards: [
          {
            id: 'c',
            name: 'Dig',
            idList: 'l',
            customFieldItems: [
              { idCustomField: 'f1', idValue: 'o1', value: null },
              { idCustomField: 'f2', value: { number: '7' } },
              { idCustomField: 'f3', value: { checked: 'true' } },
              { idCustomField: 'f4', value: { text: 'L' } },
            ],
          },
        ],
      };
      const importing = new Importing(app, ann, garden);
      const report = await importing.run({ format: 'trello' }, board);
      const dug = { severity: 'high', score: 7, urgent: true };
      expect((await importing.tasks()).get('Dig')?.metadata).toMatchObject(dug);
      expect(report.notes).toContainEqual(expect.objectContaining({ kind: 'property', name: 'Size (custom field)' }));
    });

    it('of a CSV list take back what was edited in their columns', async () => {
      await declare(ALL);
      const id = await task('1', { severity: 'low', areas: ['gate'], who: ann.resourceId, free: 1 });
      const { text } = await app.as(ann).get(`/tasks?endeavour_id=${garden}`).set('Accept', 'text/csv').expect(200);
      const importing = new Importing(app, ann, garden);
      expect(await importing.run({ format: 'csv' }, text)).toMatchObject({ counts: { unchanged: 1 }, notes: [] });
      const edited = text.replace(/,low,,"\[""gate""\]",,,/, ',High,3,"path,gate",,true,');
      expect(edited).not.toBe(text);
      expect(await importing.run({ format: 'csv' }, edited)).toMatchObject({ counts: { updated: 1 }, refusals: [] });
      const after = { severity: 'high', score: 3, areas: ['path', 'gate'], urgent: true, who: ann.resourceId, free: 1 };
      expect((await read(`/tasks/${id}`)).metadata).toEqual(after);
    });

    it('of exports bring fields and values, and keep values elsewhere', async () => {
      const home = await app.organization(ann);
      const place = await app.endeavour(ann, { organization_id: home, name: 'Beds', fields: ALL });
      await task('1', { severity: 'high', score: 1 }, place);
      await declare(ALL.slice(1), place);
      await task('2', { score: 2 }, place);
      const document = (await app.as(ann).get(`/endeavours/${place}/export`).expect(200)).body;
      const whole = (await app.as(ann).get(`/organizations/${home}/export`).expect(200)).body;
      const copy = await app.organization(ann, { name: 'Copy' });
      const importInto = async (query: string, body: object): Promise<void> => {
        const { headers } = await app.as(ann).post(`/imports?format=worksmith&${query}`).send(body).expect(202);
        await finished(headers.location);
      };
      await importInto(`organization_id=${copy}`, whole);
      const [beds] = await read(`/endeavours?organization_id=${copy}`);
      expect(beds.fields).toEqual((await read(`/endeavours/${place}`)).fields);
      expect(await titles('metadata.score.min=2', beds.id)).toEqual(['2']);
      await importInto(`endeavour_id=${garden}`, document);
      expect(await titles('metadata.severity=high')).toEqual(['1']);
      expect(await kept(garden)).toEqual(await derived(garden));
    });
  });

  it('of work whose creation is not committed when the fields change are read too', async () => {
    const place = await app.endeavour(ann);
    const model = await task('1', { severity: 'low' }, place);
    const writer = await app.openConnection();
    await writer.query('BEGIN');
    // As every request that creates work does.
    await writer.query('SELECT 1 FROM endeavours WHERE id = $1 FOR KEY SHARE', [place]);
    const copy = `(jsonb_populate_record(x, '{"id": "tsk_00000000000070008000000000000001", "number": 7}')).*`;
    await writer.query(`INSERT INTO entities SELECT ${copy} FROM entities x WHERE id = $1`, [model]);
    await writer.query(`INSERT INTO tasks SELECT ${copy} FROM tasks x WHERE id = $1`, [model]);
    const state = { isDone: false };
    const declaring = declare(FIELDS, place).then(() => (state.isDone = true));
    while (!state.isDone && (await app.waiting('UPDATE endeavours')) === 0) await app.waiting();
    await writer.query('COMMIT');
    await writer.end();
    await declaring;
    expect(await kept(place)).toEqual(await derived(place));
    expect(await kept(place)).toHaveLength(2);
  });

  race('are the same as in the rows after concurrent changes of fields and work', 3, async () => {
    const place = await app.endeavour(ann);
    const ids = await Promise.all(['1', '2', '3'].map((title) => task(title, { severity: 'low', score: 1 }, place)));
    const set = (fields: object[]) => patch(`/endeavours/${place}`, { fields });
    const answers = await Promise.all([
      set([SEVERITY]),
      ...ids.map((id, at) => patch(`/tasks/${id}`, { metadata: { severity: 'high', score: at } })),
      set([{ ...SEVERITY, options: ['high'] }, SCORE]),
      post('/tasks', { title: '4', endeavour_id: place, metadata: { severity: 'high', score: 9 } }),
      patch(`/tasks/${ids[0]}`, { endeavour_id: garden }),
    ]);
    expect(answers.map(({ status }) => status).filter((status) => status >= 400)).toEqual([]);
    for (const endeavour of [place, garden]) expect(await kept(endeavour)).toEqual(await derived(endeavour));
  });

  it('are filtered exactly as a model does', async () => {
    const DECLARED = [
      { key: 'c', type: 'choice', options: ['a', 'b', 'c'] },
      { key: 'm', type: 'choices', options: ['a', 'b', 'c'] },
      { key: 'n', type: 'number' },
      { key: 'd', type: 'day' },
      { key: 'f', type: 'flag' },
      { key: 't', type: 'text' },
    ];
    const option = fc.constantFrom('a', 'b', 'c');
    const day = fc.constantFrom('1970-01-01', '2024-02-29', '2026-12-31', '9999-12-31');
    const value: Record<string, fc.Arbitrary<unknown>> = {
      c: option,
      m: fc.uniqueArray(option),
      n: fc.constantFrom(-1.5, 0, 0.1, 1e15),
      d: day,
      f: fc.boolean(),
      t: fc.constantFrom('a', 'A', 'ä', '%', "o'x"),
    };
    const rows = fc.array(
      fc.record(
        Object.fromEntries(Object.entries(value).map(([key, of]) => [key, fc.oneof(of, fc.constant(undefined))])),
        { noNullPrototype: true },
      ),
      { minLength: 4, maxLength: 8 },
    );
    const texts: Record<string, fc.Arbitrary<string>> = {
      c: option,
      m: option,
      n: fc.constantFrom('-1.5', '0', '0.1', '1000000000000000'),
      d: day,
      f: fc.constantFrom('true', 'false'),
      t: fc.constantFrom('a', 'A', 'ä', '%', "o'x"),
    };
    const chosen = fc.constantFrom(...Object.keys(value)).chain((key) =>
      fc.record({
        key: fc.constant(key),
        wanted: fc.uniqueArray(fc.oneof(texts[key], fc.constant('none')), { minLength: 1, maxLength: 3 }),
        isExcluded: fc.boolean(),
      }),
    );
    const range = fc
      .constantFrom('n', 'd')
      .chain((key) => fc.record({ key: fc.constant(key), side: fc.constantFrom('min', 'max'), limit: texts[key] }));
    const asTexts = (held: unknown): string[] =>
      held === undefined
        ? []
        : (Array.isArray(held) ? held : [held]).map((each) =>
            String(Number(each) === 1e15 && typeof each === 'number' ? '1000000000000000' : each),
          );
    const compared = (text: string): string | number => (Number.isNaN(Number(text)) ? text : Number(text));
    await fc.assert(
      fc.asyncProperty(
        rows,
        fc.array(chosen, { maxLength: 2 }),
        fc.array(range, { maxLength: 1 }),
        async (all, sets, limits) => {
          const place = await app.endeavour(ann, { fields: DECLARED });
          const held = new Map<string, Record<string, unknown>>();
          for (const [at, metadata] of all.entries()) {
            const sent = JSON.parse(JSON.stringify(metadata)) as Record<string, unknown>;
            held.set(String(at), sent);
            await task(String(at), sent, place);
          }
          const isWanted = (row: Record<string, unknown>): boolean =>
            sets.every(({ key, wanted, isExcluded }) => {
              const own = asTexts(row[key]);
              const isIn = own.some((each) => wanted.includes(each)) || (own.length === 0 && wanted.includes('none'));
              return isIn !== isExcluded;
            }) &&
            limits.every(({ key, side, limit }) => {
              const [own] = asTexts(row[key]).map(compared);
              if (own === undefined) return false;
              return side === 'min' ? own >= compared(limit) : own <= compared(limit);
            });
          const parameters = new Map<string, string>();
          for (const { key, wanted, isExcluded } of sets.toReversed()) {
            parameters.set(`metadata.${key}`, `${isExcluded ? '!' : ''}${wanted.join(',')}`);
          }
          for (const { key, side, limit } of limits) parameters.set(`metadata.${key}.${side}`, limit);
          fc.pre(new Set(sets.map(({ key }) => key)).size === sets.length);
          const query = new URLSearchParams([...parameters]).toString();
          const expected = [...held].filter(([, row]) => isWanted(row)).map(([title]) => title);
          expect(await titles(query, place)).toEqual(expected);
          const { body } = await app.as(ann).get(`/tasks/summary?endeavour_id=${place}&${query}`).expect(200);
          expect(body.data.total).toBe(expected.length);
        },
      ),
      { numRuns: 25 },
    );
  });
});
