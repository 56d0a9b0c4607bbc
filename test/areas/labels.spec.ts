import { Importing } from '../support/importing.js';
import { race } from '../support/races.js';
import { fieldErrorsOf } from '../support/refusals.js';
import { TestApp, type Person } from '../support/test-app.js';

describe('labels', () => {
  let app: TestApp;
  let [ann, bob, eve]: Person[] = [];
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open({ WORKERS: 'true', LIMIT_READS_PER_MINUTE: '100000' });
    [ann, bob, eve] = [await app.person('Ann', { tier: 3 }), await app.person('Bob'), await app.person('Eve')];
  });

  afterAll(() => app.close());

  beforeEach(async () => {
    garden = await app.endeavour(ann);
    await app.join(garden, bob, 'member');
  });

  const read = async (path: string, person = ann) => (await app.as(person).get(path).expect(200)).body.data;
  const patch = (path: string, body: object, person = ann) => app.as(person).patch(path).send(body);
  const task = (title: string, labels: string[], endeavour = garden) => app.task(ann, endeavour, { title, labels });
  const labelsOf = async (id: string, kind = 'tasks'): Promise<string[]> => (await read(`/${kind}/${id}`)).labels;
  const listed = async (endeavour = garden, person = ann): Promise<string[]> =>
    (await read(`/endeavours/${endeavour}/labels`, person)).map(
      ({ name, tasks, demands }: Record<string, unknown>) => `${String(name)} ${String(tasks)} ${String(demands)}`,
    );
  const titles = async (query: string, kind = 'tasks', person = ann): Promise<string[]> =>
    (await read(`/${kind}?sort=title&${query}`, person)).map(({ title }: { title: string }) => title);
  const finished = async (operation: string): Promise<Record<string, unknown>> => {
    const { body } = await app.ended(ann, operation);
    expect(body.data).toMatchObject({ status: 'succeeded', error: null });
    return body.data.result as Record<string, unknown>;
  };
  const renewWords = async (): Promise<void> => {
    while ((await app.database.query<{ more: boolean }>('SELECT renew_label_words(2) AS more'))[0].more) continue;
  };

  describe.each([
    { kind: 'tasks', make: (body: object) => app.task(ann, garden, body) },
    { kind: 'demands', make: (body: object) => app.demand(ann, garden, body) },
  ])('of $kind', ({ kind, make }) => {
    it('are a set, compared without case and width, in the spelling that came first', async () => {
      const id = await make({ labels: ['Bug', 'needs work', 'ｂｕｇ'] });
      expect(await labelsOf(id, kind)).toEqual(['Bug', 'needs work']);
      const other = await make({ labels: [' BUG ', 'Ärger'] });
      expect(await labelsOf(other, kind)).toEqual(['Bug', 'Ärger']);
      const { revision } = await read(`/${kind}/${other}`);
      const same = await patch(`/${kind}/${other}`, { labels: ['ärger', 'bug'] }).expect(200);
      expect(same.body.data).toMatchObject({ labels: ['Bug', 'Ärger'], revision });
      expect(await labelsOf(await make({}), kind)).toEqual([]);
    });

    it('are replaced by a list, changed by add and remove, and cleared by null', async () => {
      const id = await make({ labels: ['a', 'b'] });
      const change = async (labels: unknown) => (await patch(`/${kind}/${id}`, { labels }).expect(200)).body.data;
      const { revision } = await read(`/${kind}/${id}`);
      expect(await change(['b', 'c'])).toMatchObject({ labels: ['b', 'c'], revision: revision + 1 });
      expect((await change({ add: ['d', 'B'], remove: ['C', 'x'] })).labels).toEqual(['b', 'd']);
      expect(await change({ add: ['D'], remove: ['x'] })).toMatchObject({ revision: revision + 2 });
      expect(await change({})).toMatchObject({ revision: revision + 2 });
      expect((await change(null)).labels).toEqual([]);
      expect((await change({ add: ['e'] })).labels).toEqual(['e']);
      expect((await change([])).labels).toEqual([]);
    });

    it('are refused with every fault', async () => {
      const id = await make({ labels: ['a'] });
      const faults = async (labels: unknown): Promise<string[]> =>
        fieldErrorsOf((await patch(`/${kind}/${id}`, { labels }).expect(400)).body);
      expect(await faults(['', 'a,b', '!a', 'None', 7, 'x'.repeat(101), 'a\nb', 'ok', 'ok', '\u200b'])).toEqual([
        'labels.0 too_short',
        'labels.1 invalid_format',
        'labels.2 invalid_format',
        'labels.3 invalid_value',
        'labels.4 invalid_type',
        'labels.5 too_long',
        'labels.6 invalid_text',
        'labels.8 invalid_value',
        'labels.9 invalid_text',
      ]);
      expect(await faults('a')).toEqual(['labels invalid_type']);
      expect(await faults({ add: 'a', remove: ['!'], set: [] })).toEqual([
        'labels.add invalid_type',
        'labels.remove.0 invalid_format',
        'labels.set unknown_field',
      ]);
      const many = Array.from({ length: 50 }, (_, n) => `label ${n}`);
      expect(await faults([...many, 'more'])).toEqual(['labels too_long']);
      await patch(`/${kind}/${id}`, { labels: many }).expect(200);
      expect(await faults({ add: ['more'] })).toEqual(['labels too_long']);
      expect(await labelsOf(id, kind)).toHaveLength(50);
    });

    it('filter: any, all, excluded, none, and in expressions', async () => {
      await make({ title: '1', labels: ['a', 'b'] });
      await make({ title: '2', labels: ['A'] });
      await make({ title: '3', labels: ['b', 'c'] });
      await make({ title: '4' });
      const found = (query: string) => titles(`endeavour_id=${garden}&${query}`, kind);
      expect(await found('label=a')).toEqual(['1', '2']);
      expect(await found('label=A,c')).toEqual(['1', '2', '3']);
      expect(await found('label=a,b&label.all=true')).toEqual(['1']);
      expect(await found('label=a,b&label.all=false')).toEqual(['1', '2', '3']);
      expect(await found('label=!a')).toEqual(['3', '4']);
      expect(await found('label=!a,b')).toEqual(['4']);
      expect(await found('label=!a,b&label.all=true')).toEqual(['2', '3', '4']);
      expect(await found('label=none')).toEqual(['4']);
      expect(await found('label=!none')).toEqual(['1', '2', '3']);
      expect(await found('label=none,c')).toEqual(['3', '4']);
      expect(await found('label=!none,c')).toEqual(['1', '2']);
      expect(await found('label=unknown')).toEqual([]);
      expect(await found('label=!unknown')).toEqual(['1', '2', '3', '4']);
      const expressed = (filter: string) => found(`filter=${encodeURIComponent(filter)}`);
      expect(await expressed('label:"a" AND label:b')).toEqual(['1']);
      expect(await expressed('label = c OR NOT label:*')).toEqual(['3', '4']);
      expect(await expressed('label != a')).toEqual(['3', '4']);
      const { body } = await app.as(ann).get(`/${kind}?label=a,!b`).expect(400);
      expect(fieldErrorsOf(body)).toEqual(['label invalid_value']);
      const { body: long } = await app
        .as(ann)
        .get(`/${kind}?label=${'x'.repeat(101)}&label.all=2`)
        .expect(400);
      expect(fieldErrorsOf(long)).toEqual(['label too_long', 'label.all invalid_value']);
    });

    it('are found by searches, which follow a renaming', async () => {
      const id = await make({ title: 'Gate', labels: ['squeaking'] });
      await make({ title: 'Bench', labels: ['other'] });
      const found = (word: string) => titles(`endeavour_id=${garden}&search=${word}`, kind);
      expect(await found('squeaking')).toEqual(['Gate']);
      const { revision, updated_at } = await read(`/${kind}/${id}`);
      await patch(`/endeavours/${garden}/labels/squeaking`, { name: 'rattling' }).expect(200);
      await renewWords();
      expect([await found('squeaking'), await found('rattling')]).toEqual([[], ['Gate']]);
      expect(await read(`/${kind}/${id}`)).toMatchObject({ labels: ['rattling'], revision, updated_at });
    });

    it('are in events with the names before and after', async () => {
      const id = await make({ labels: ['a'] });
      await patch(`/${kind}/${id}`, { labels: { add: ['b'] } }).expect(200);
      const [last, first] = await read(`/${kind}/${id}/changes`);
      expect(last).toMatchObject({ changed: ['labels'], previous: { labels: ['a'] }, data: { labels: ['a', 'b'] } });
      expect(first.data.labels).toEqual(['a']);
    });
  });

  describe('of an endeavour', () => {
    it('are listed with counts, for those who see it', async () => {
      const one = await task('1', ['b', 'a']);
      await task('2', ['a']);
      await app.demand(ann, garden, { labels: ['A', 'c'] });
      await patch(`/tasks/${one}`, { labels: ['a'] }).expect(200);
      expect(await listed()).toEqual(['a 2 1', 'b 0 0', 'c 0 1']);
      expect(await listed(garden, bob)).toEqual(['a 2 1', 'b 0 0', 'c 0 1']);
      const { body } = await app.as(ann).get(`/endeavours/${garden}/labels?search=A&count=false`).expect(200);
      expect(body).toMatchObject({ data: [{ name: 'a', tasks: 2, demands: 1 }], meta: { total: null } });
      await app.as(eve).get(`/endeavours/${garden}/labels`).expect(404);
      await patch(`/endeavours/${garden}/labels/a`, { name: 'z' }, eve).expect(404);
      await patch(`/endeavours/${garden}/labels/a`, { name: 'z' }, bob).expect(403);
    });

    it('are renamed for all that have them, in one row', async () => {
      const id = await task('1', ['bug', 'a']);
      const { body } = await patch(`/endeavours/${garden}/labels/BUG`, { name: 'Defect' }).expect(200);
      expect(body.data).toMatchObject({ name: 'Defect', tasks: 1, demands: 0 });
      expect(await labelsOf(id)).toEqual(['a', 'Defect']);
      const found = (label: string) => titles(`endeavour_id=${garden}&label=${label}`);
      expect([await found('bug'), await found('defect')]).toEqual([[], ['1']]);
      const spelled = await patch(`/endeavours/${garden}/labels/defect`, { name: 'defect' }).expect(200);
      expect(spelled.body.data.name).toBe('defect');
      // The former name is free.
      expect(await labelsOf(await task('2', ['bug']))).toEqual(['bug']);
      await patch(`/endeavours/${garden}/labels/nothing`, { name: 'x' }).expect(404);
      await patch(`/endeavours/${garden}/labels/${encodeURIComponent('a,b')}`, { name: 'x' }).expect(404);
      const wrong = await patch(`/endeavours/${garden}/labels/bug`, { name: 'a,b' }).expect(400);
      expect(fieldErrorsOf(wrong.body)).toEqual(['name invalid_format']);
      const events = await read(`/endeavours/${garden}/changes`);
      expect(events[0]).toMatchObject({ type: 'endeavour.label_renamed', changed: ['labels'] });
    });

    it('are merged into the one that has the name already, also twice', async () => {
      const both = await task('both', ['bug', 'defect']);
      const one = await task('one', ['bug']);
      await task('other', ['fault']);
      const { body } = await patch(`/endeavours/${garden}/labels/bug`, { name: 'DEFECT' }).expect(200);
      expect(body.data).toMatchObject({ name: 'defect', tasks: 2 });
      expect([await labelsOf(both), await labelsOf(one)]).toEqual([['defect'], ['defect']]);
      const { revision } = await read(`/tasks/${one}`);
      const same = await patch(`/tasks/${one}`, { labels: ['defect'] }).expect(200);
      expect(same.body.data.revision).toBe(revision);
      await patch(`/endeavours/${garden}/labels/defect`, { name: 'fault' }).expect(200);
      expect(await listed()).toEqual(['fault 3 0']);
      expect(await titles(`endeavour_id=${garden}&label=fault`)).toEqual(['both', 'one', 'other']);
      expect(await titles(`endeavour_id=${garden}&label=!fault`)).toEqual([]);
      expect(await labelsOf(both)).toEqual(['fault']);
      expect((await patch(`/tasks/${both}`, { labels: { remove: ['fault'] } }).expect(200)).body.data.labels).toEqual(
        [],
      );
      await renewWords();
      expect(await titles(`endeavour_id=${garden}&search=fault`)).toEqual(['one', 'other']);
    });

    it('stay as they are for a dry run, without a name, and in an archived endeavour', async () => {
      const id = await task('1', ['bug']);
      await patch(`/endeavours/${garden}/labels/bug?dry_run=true`, { name: 'defect' }).expect(200);
      await patch(`/tasks/${id}?dry_run=true`, { labels: ['new'] }).expect(200);
      await patch(`/endeavours/${garden}/labels/bug`, {}).expect(200);
      expect(await listed()).toEqual(['bug 1 0']);
      await app.as(ann).post(`/endeavours/${garden}/archive`).send({ reason: 'Winter' }).expect(200);
      const { body } = await patch(`/endeavours/${garden}/labels/bug`, { name: 'defect' }).expect(409);
      expect(body.error.code).toBe('archived');
    });

    it('respect If-Match of the endeavour', async () => {
      await task('1', ['bug']);
      const stale = patch(`/endeavours/${garden}/labels/bug`, { name: 'defect' }).set('If-Match', '"7"');
      await stale.expect(412);
    });

    race('are made once by many at the same time', 3, async () => {
      const place = await app.endeavour(ann);
      const names = ['a', 'b', 'c', 'd'];
      await Promise.all(
        Array.from({ length: 12 }, (_, n) => task(String(n), n % 2 === 0 ? names : names.toReversed(), place)),
      );
      expect(await listed(place)).toEqual(names.map((name) => `${name} 12 0`));
    });

    race('have one meaning after concurrent renamings', 3, async () => {
      garden = await app.endeavour(ann);
      for (const name of ['a', 'b', 'c']) await task(name, [name]);
      const rename = (from: string, to: string) => patch(`/endeavours/${garden}/labels/${from}`, { name: to });
      const answers = await Promise.all([
        rename('a', 'b'),
        rename('b', 'c'),
        rename('c', 'a'),
        task('new', ['a', 'b', 'c']).then(() => ({ status: 200 })),
      ]);
      expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 404)).toEqual([]);
      const names = (await listed()).map((line) => line.split(' ')[0]);
      const held = new Set(
        (await read(`/tasks?endeavour_id=${garden}`)).flatMap((one: { labels: string[] }) => one.labels),
      );
      for (const name of held) expect(names).toContain(name);
    });
  });

  it('of one endeavour are unknown to those who do not see it', async () => {
    const secret = await app.endeavour(eve);
    await app.task(eve, secret, { title: 'hidden', labels: ['shared', 'secret'] });
    await task('seen', ['shared']);
    expect(await titles('label=shared')).toEqual(['seen']);
    expect(await titles('label=secret')).toEqual([]);
    expect(await titles(`endeavour_id=${secret}&label=secret`)).toEqual([]);
    expect(await titles('label=shared', 'tasks', eve)).toEqual(['hidden']);
    expect(await listed()).toEqual(['shared 1 0']);
  });

  it('move with a task to another endeavour, where they are found or made', async () => {
    const yard = await app.endeavour(ann);
    await task('there', ['BUG'], yard);
    const id = await task('moving', ['bug', 'wet']);
    const moved = await patch(`/tasks/${id}`, { endeavour_id: yard }).expect(200);
    expect(moved.body.data.labels).toEqual(['BUG', 'wet']);
    expect(await listed(yard)).toEqual(['BUG 2 0', 'wet 1 0']);
    expect(await listed()).toEqual(['bug 0 0', 'wet 0 0']);
    const back = await patch(`/tasks/${id}`, { endeavour_id: garden, labels: { add: ['dry'], remove: ['WET'] } });
    expect(back.body.data.labels).toEqual(['bug', 'dry']);
    expect(await listed(yard)).toEqual(['BUG 1 0', 'wet 0 0']);
    expect(await titles(`endeavour_id=${garden}&label=dry`)).toEqual(['moving']);
  });

  it('change in bulk, claim and by-external requests', async () => {
    const one = await task('1', ['a', 'b']);
    await task('2', ['b']);
    await task('3', []);
    const bulk = (changes: object, more: object = {}) =>
      app
        .as(ann)
        .post('/tasks/bulk')
        .send({ filter: { endeavour_id: garden, label: ['b'] }, changes, ...more })
        .expect(202);
    const labels = { add: ['c'], remove: ['a'] };
    const preview = await finished((await bulk({ labels }, { dry_run: true })).headers.location);
    expect(preview).toMatchObject({ changed: 2, unchanged: 0 });
    expect(await listed()).toEqual(['a 1 0', 'b 2 0']);
    const done = await finished((await bulk({ labels })).headers.location);
    expect(done).toMatchObject({ changed: 2, unchanged: 0, refused: 0 });
    expect(await labelsOf(one)).toEqual(['b', 'c']);
    const events = await read(`/tasks/${one}/changes`);
    expect(events[0]).toMatchObject({ previous: { labels: ['a', 'b'] }, data: { labels: ['b', 'c'] } });
    const again = await finished((await bulk({ labels: ['C', 'B'] })).headers.location);
    expect(again).toMatchObject({ changed: 0, unchanged: 2 });
    const claim = { endeavour_id: garden, filter: { label: 'b,c', 'label.all': true } };
    expect((await app.as(ann).post('/tasks/claim').send(claim).expect(200)).body.data.title).toBe('1');
    const path = `/tasks/by-external/jira/G-1?endeavour_id=${garden}`;
    const created = await app
      .as(ann)
      .put(path)
      .send({ title: 'Dig', labels: ['soil'] })
      .expect(201);
    expect(created.body.data.labels).toEqual(['soil']);
    const changed = await app
      .as(ann)
      .put(path)
      .send({ labels: { add: ['wet'] } })
      .expect(200);
    expect(changed.body.data.labels).toEqual(['soil', 'wet']);
  });

  it('come back from a CSV list as changes', async () => {
    const id = await task('1', ['a', 'b']);
    const { text } = await app
      .as(ann)
      .get(`/tasks?endeavour_id=${garden}&fields=id,revision,labels`)
      .set('Accept', 'text/csv');
    expect(text).toContain('"[""a"",""b""]"');
    const file = text.replace('"[""a"",""b""]"', '"[""b"",""c""]"');
    const report = await new Importing(app, ann, garden).run({ format: 'csv' }, file);
    expect(report).toMatchObject({ counts: { updated: 1 }, refusals: [], notes: [] });
    expect(await labelsOf(id)).toEqual(['b', 'c']);
  });

  it('come from imports, which keep what cannot be one, and follow the source', async () => {
    const importing = new Importing(app, ann, garden);
    const issue = (...labels: string[]) => [
      {
        number: 1,
        title: 'Dig',
        state: 'open',
        html_url: 'https://github.com/acme/garden/issues/1',
        labels: labels.map((name) => ({ name })),
      },
    ];
    const dig = async () => (await importing.tasks()).get('Dig');
    const first = await importing.run({ format: 'github' }, issue('Bug', 'a,b', 'none', 'wet', 'BUG'));
    expect(await dig()).toMatchObject({
      labels: ['Bug', 'wet'],
      metadata: { imported: { labels: ['a,b', 'none'] } },
    });
    expect(first.notes.map(({ kind, name, count }) => [kind, name, count])).toEqual([
      ['value', 'labels', 1],
      ['value', 'labels', 1],
    ]);
    const { id } = (await dig()) as { id: string };
    await patch(`/tasks/${id}`, { labels: { add: ['mine'] } }).expect(200);
    await patch(`/endeavours/${garden}/labels/wet`, { name: 'damp' }).expect(200);
    await importing.run({ format: 'github' }, issue('bug', 'new', 'wet'));
    expect(await labelsOf(id)).toEqual(['Bug', 'damp', 'mine', 'new']);
    await importing.run({ format: 'github' }, issue('new', 'wet'));
    expect(await labelsOf(id)).toEqual(['damp', 'mine', 'new']);
    const { counts } = await importing.run({ format: 'github' }, issue('new', 'wet'));
    expect(counts).toMatchObject({ unchanged: 1, updated: 0 });
  });

  it('count as a populated field of the Definition of Done', async () => {
    const policy = {
      name: 'Labeled',
      conditions: [{ type: 'field_populated', params: { field: 'labels' } }],
    };
    const { body } = await app
      .as(await app.admin('Ada'))
      .post('/dod-policies')
      .send(policy)
      .expect(201);
    await app.as(ann).post(`/endeavours/${garden}/dod-policy`).send({ policy_id: body.data.id }).expect(200);
    await app.as(ann).post('/dod-endorsements').send({ endeavour_id: garden }).expect(201);
    const id = await app.task(ann, garden);
    await patch(`/tasks/${id}`, { status: 'active' }).expect(200);
    expect((await patch(`/tasks/${id}`, { status: 'done' }).expect(409)).body.error.code).toBe('dod_not_met');
    await patch(`/tasks/${id}`, { status: 'done', labels: ['checked'] }).expect(200);
  });
});
