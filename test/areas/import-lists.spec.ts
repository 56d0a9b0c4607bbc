import { Importing, notesOf } from '../support/importing.js';
import { TestApp, type Person } from '../support/test-app.js';

describe('a list of this service that comes back', () => {
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

  const add = async (body: object): Promise<string> =>
    (
      await app
        .as(ann)
        .post('/tasks')
        .send({ endeavour_id: garden.endeavour, ...body })
        .expect(201)
    ).body.data.id;
  const list = async (accept: string, fields = '', kind = 'tasks'): Promise<string> =>
    (
      await app
        .as(ann)
        .get(`/${kind}?endeavour_id=${garden.endeavour}&sort=title${fields && `&fields=${fields}`}`)
        .set('Accept', accept)
        .expect(200)
    ).text;
  const read = async (id: string) => (await app.as(ann).get(`/tasks/${id}`).expect(200)).body.data;

  it.each(['csv', 'worksmith'])('unchanged changes nothing, as CSV and NDJSON in the format %s', async (format) => {
    await add({
      title: '-5 degrees in the cellar',
      description: 'a\r\n=1+1',
      due_date: '2026-12-24',
      metadata: { a: [1] },
    });
    await add({ title: '+49 call the plumber', estimate: 1.125, due_date: '2026-12-24T22:59:59.000Z' });
    for (const type of ['text/csv', 'text/csv; header=present; profile=excel', 'application/x-ndjson']) {
      const report = await garden.run({ format }, await list(type));
      expect(report).toMatchObject({ counts: { created: 0, updated: 0, unchanged: 2 }, refusals: [], notes: [] });
    }
    const { body } = await app.as(ann).get(`/tasks?endeavour_id=${garden.endeavour}`).expect(200);
    expect(body.data.map(({ revision }: { revision: number }) => revision)).toEqual([1, 1]);
  });

  it('changes the same things, with the guards of cells taken off', async () => {
    const [first, second] = [await add({ title: '-5 degrees' }), await add({ title: 'Call' })];
    const report = await garden.run(
      { format: 'csv' },
      [
        'id,title,status,due_date',
        `${first},'-5 degrees in the cellar,active,2026-12-24T22:59:59.000Z`,
        `${second},'+49 call the plumber,done,`,
      ].join('\r\n'),
    );
    expect(report).toMatchObject({ counts: { created: 0, updated: 2 }, refusals: [] });
    expect(await read(first)).toMatchObject({ title: '-5 degrees in the cellar', status: 'active' });
    expect(Date.parse((await read(first)).due_date)).toBe(Date.parse('2026-12-24T22:59:59Z'));
    expect(await read(second)).toMatchObject({ title: '+49 call the plumber', status: 'done' });
  });

  it('moves tasks to other stages, by their names', async () => {
    const stages = [
      { name: 'Backlog', status: 'planned' },
      { name: 'Ready', status: 'planned' },
      { name: 'Doing', status: 'active' },
    ];
    await app.as(ann).patch(`/endeavours/${garden.endeavour}`).send({ stages }).expect(200);
    const [first, second, third] = [
      await add({ title: 'Dig' }),
      await add({ title: 'Sow' }),
      await add({ title: 'Weed' }),
    ];
    const csv = `id,stage\r\n${first},Ready\r\n${second},doing\r\n${third},Nowhere\r\n`;
    const report = await garden.run({ format: 'csv' }, csv);
    expect(report).toMatchObject({ counts: { updated: 2 }, refusals: [{ line: 4, code: 'invalid_input' }] });
    expect(await read(first)).toMatchObject({ status: 'planned', stage_name: 'Ready' });
    expect(await read(second)).toMatchObject({ status: 'active', stage_name: 'Doing' });
    const again = await app
      .as(ann)
      .get(`/tasks?endeavour_id=${garden.endeavour}`)
      .set('Accept', 'text/csv')
      .expect(200);
    expect(await garden.run({ format: 'csv' }, again.text)).toMatchObject({
      counts: { unchanged: 3 },
      refusals: [],
      notes: [],
    });
  });

  it('keeps what was edited here since the list was made, and reports it', async () => {
    const id = await add({ title: 'Dig', description: 'Deep', estimate: 2 });
    const csv = await list('text/csv');
    await app.as(ann).patch(`/tasks/${id}`).send({ title: 'Dig here' }).expect(200);
    const edited = csv.replace(',Dig,Deep,', ',Dig there,Wide,');
    expect(edited).not.toBe(csv);
    const report = await garden.run({ format: 'csv' }, edited);
    expect(await read(id)).toMatchObject({ title: 'Dig here', description: 'Wide', estimate: 2 });
    expect(notesOf(report, 'kept')).toEqual(['1 title: edited here since the list was made; left as it is']);
  });

  it('is a refusal for a thing that is not in the endeavour, and for a property that PATCH rejects', async () => {
    const elsewhere = await app.task(ann, await app.endeavour(ann));
    const id = await add({ title: 'Dig' });
    const report = await garden.run(
      { format: 'csv' },
      [
        'id,title,estimate,assignee_id,created_at',
        'tsk_00000000000000000000000000000001,Gone,,,',
        `${elsewhere},There,,,`,
        `${id},Sow,-1,res_00000000000000000000000000000001,2020-01-01`,
        `${id},Twice,,,`,
      ].join('\n'),
    );
    expect(report.refusals.map(({ line, code }) => [line, code])).toEqual([
      [2, 'not_found'],
      [3, 'not_found'],
      [4, 'invalid_input'],
      [4, 'invalid_input'],
      [5, 'conflict'],
    ]);
    expect(await read(id)).toMatchObject({ title: 'Sow', estimate: null, assignee_id: null });
    expect(notesOf(report, 'column')).toEqual(['1 created_at: cannot be changed by an import; left as it is']);
  });

  it('can have new lines without an id', async () => {
    const id = await add({ title: 'Dig' });
    const report = await garden.run({ format: 'csv' }, `id,title,status\n${id},Dig deep,planned\n,Sow,active\n`);
    expect(report.counts).toMatchObject({ created: 1, updated: 1 });
    expect(await garden.statuses()).toEqual({ 'Dig deep': 'planned', Sow: 'active' });
  });

  it('of demands and artifacts changes them too', async () => {
    const send = { endeavour_id: garden.endeavour, title: 'Pond' };
    await app
      .as(ann)
      .post('/demands')
      .send({ ...send, type: 'story' })
      .expect(201);
    await app
      .as(ann)
      .post('/artifacts')
      .send({ ...send, kind: 'doc', tags: ['a'] })
      .expect(201);
    for (const [kind, from, to] of [
      ['demands', '"title":"Pond"', '"title":"Lake"'],
      ['demands', '"status":"open"', '"status":"fulfilled"'],
      ['artifacts', '"tags":["a"]', '"tags":["a","b"]'],
    ]) {
      const report = await garden.run(
        { format: 'worksmith' },
        (await list('application/x-ndjson', '', kind)).replace(from, to),
      );
      expect([kind, report.counts.updated, report.refusals]).toEqual([kind, 1, []]);
      expect(await list('application/x-ndjson', '', kind)).toContain(to);
    }
  });
});
