import { fieldErrorsOf } from '../support/refusals.js';
import { TestApp, type Person } from '../support/test-app.js';
import { tokenOf } from '../support/tokens.js';

interface Hit {
  type: string;
  id: string;
  title: string;
  excerpt: string;
  endeavour_id: string | null;
  endeavour_name: string | null;
  score: number;
}

describe('the search across all types', () => {
  let app: TestApp;
  let ann: Person;
  let eve: Person;
  let riverside: string;
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open({ LIMIT_WRITES_PER_MINUTE: '100000' });
  });

  beforeEach(async () => {
    [ann, eve] = [await app.person('Ann'), await app.person('Eve')];
    riverside = await app.organization(ann);
    garden = await app.endeavour(ann, { name: 'Orangerie', organization_id: riverside });
  });

  afterAll(() => app.close());

  const search = (query: string, person = ann) => app.as(person).get(`/search?${query}`);
  const find = async (q: string, more = '', person = ann): Promise<Hit[]> =>
    (await search(`q=${encodeURIComponent(q)}${more}`, person).expect(200)).body.data;
  const ids = async (q: string, more = '', person = ann) => (await find(q, more, person)).map(({ id }) => id);
  const send = async (path: string, body: object, person = ann): Promise<string> =>
    (await app.as(person).post(path).send(body).expect(201)).body.data.id;

  /** Creates an entity of each type that contains the word, and returns their ids by type. */
  async function oneOfEach(word: string): Promise<Map<string, string>> {
    const task = await app.task(ann, garden, { title: 'Prune', description: `Around the ${word}` });
    const scoped = { endeavour_id: garden };
    const policy = { name: `Policy ${word}`, conditions: [{ type: 'manual_attestation' }], organization_id: riverside };
    const made: [string, Promise<string> | string][] = [
      ['task', task],
      ['demand', app.demand(ann, garden, { title: word })],
      ['artifact', send('/artifacts', { kind: 'link', title: word, url: 'https://a.example', ...scoped })],
      ['comment', send('/comments', { entity_type: 'task', entity_id: task, content: `See the ${word}` })],
      ['message', send('/messages', { recipient_ids: [ann.id], content: `About the ${word}` })],
      ['other', send('/messages', { recipient_ids: [ann.id], content: 'About something else' })],
      ['endeavour', app.endeavour(ann, { name: word })],
      ['organization', app.organization(ann, { name: word })],
      ['resource', send('/resources', { name: word, type: 'service', organization_id: riverside })],
      ['ritual', send('/rituals', { name: word, ...scoped })],
      ['template', send('/templates', { name: word, scope: 'task', body: 'x', organization_id: riverside })],
      ['dod_policy', send('/dod-policies', policy)],
    ];
    const found = new Map<string, string>();
    for (const [type, id] of made) found.set(type, await id);
    found.delete('other');
    return found;
  }

  it('finds entities of every type, but only those that the caller can see', async () => {
    const made = await oneOfEach('pergola');
    const hits = await find('pergola');
    expect(new Map(hits.map(({ type, id }) => [type, id]))).toEqual(new Map([...made].toSorted()));
    expect(hits).toHaveLength(made.size);
    for (const type of made.keys()) expect(await ids('pergola', `&types=${type}`)).toEqual([made.get(type)]);
    expect(await ids('pergola', '&types=!task,demand')).toHaveLength(made.size - 2);
    expect(await find('pergola', '', eve)).toEqual([]);
    const noa = await app.person('Noa');
    await app.join(garden, noa, 'viewer');
    const seen = (await find('pergola', '', noa)).map(({ type }) => type);
    expect(seen.toSorted()).toEqual(['artifact', 'comment', 'demand', 'ritual', 'task']);
    const admin = (await find('pergola', '', await app.admin())).map(({ type }) => type);
    // Administrators, too, find only their own messages.
    expect(admin.toSorted()).toEqual([...made.keys()].filter((type) => type !== 'message').toSorted());
    const token = await tokenOf(app, ann, { endeavour_id: garden });
    const confined = (await find('pergola', '', token)).map(({ type }) => type);
    expect(confined.toSorted()).toEqual(['artifact', 'comment', 'demand', 'ritual', 'task']);
    await search('q=pergola', await tokenOf(app, ann, { scopes: ['tasks:read'] })).expect(403);
  });

  it('finds entities of every type by id, if they are visible', async () => {
    const made = await oneOfEach('trellis');
    for (const id of made.values()) expect([id, await ids(id)]).toEqual([id, [id]]);
    expect(await find(String(made.get('task')), '', eve)).toEqual([]);
    expect(await find(String(made.get('task')), '&types=demand')).toEqual([]);
  });

  it('ignores accents and case, and matches inflections and prefixes of words', async () => {
    const task = await app.task(ann, garden, {
      title: 'Überprüfung der Straße',
      description: 'À côté du café: plannings',
    });
    for (const q of [
      'uberprufung',
      'ÜBERPRÜF',
      'strasse',
      'Straße',
      'stras',
      'cafe',
      'CAFÉ',
      'cote',
      'planning',
      'plannin',
      'plans',
      'a cot',
      'der cafe str',
    ]) {
      expect([q, await ids(q, '&types=task')]).toEqual([q, [task]]);
    }
    for (const q of ['prufung', 'ffee', 'tea', 'cafe tea']) expect([q, await ids(q, '&types=task')]).toEqual([q, []]);
    const other = await app.task(ann, garden, { title: 'e\u0301tude, Ångström, Łódź' });
    for (const q of ['étude', 'etud', 'angstrom', 'lodz']) expect([q, await ids(q)]).toEqual([q, [other]]);
    // The same holds for the search in lists.
    const { body } = await app.as(ann).get('/tasks?search=strasse%20cafe&fields=id').expect(200);
    expect(body.data).toEqual([{ id: task }]);
    const japanese = await app.task(ann, garden, { title: '庭の門を塗る' });
    expect(await ids('門を')).toEqual([japanese]);
    expect((await find('門を'))[0].excerpt).toBe('庭の<mark>門を</mark>塗る');
  });

  it('treats operators, wildcards and quotes of the text search as word separators', async () => {
    const task = await app.task(ann, garden, { title: "It's 50%_off: e-mail v1.5.2 (gate)" });
    for (const q of [
      '50%_off',
      'e-mail',
      'mail',
      'v1.5',
      'gate & !off',
      'gate:*',
      '(gate',
      "'gate",
      '"gate',
      '-gate',
      'gate \\',
      'gate | tea',
      "gate') OR ('off' = 'off' --",
    ]) {
      const found = await ids(q, '&types=task');
      expect([q, found]).toEqual([q, q === 'gate | tea' ? [] : [task]]);
    }
    for (const q of ['%', '_', '*', ':*', '&', "'", '\\', '!!', '()', '🙂', '\u200b', 'x'.repeat(200)]) {
      const { body } = await search(`q=${encodeURIComponent(q)}`).expect(200);
      expect([q, body.data]).toEqual([q, []]);
    }
    expect(await ids('a '.repeat(99), '&types=task')).toEqual([]);
    expect(await ids('the of', '&types=task')).toEqual([]);
    expect(await ids('the gate', '&types=task')).toEqual([task]);
  });

  it('ranks titles before texts, and escapes the text around marked matches', async () => {
    const text = await app.task(ann, garden, {
      title: 'Order',
      description: `${'Soil and stones. '.repeat(30)}A <mark>dark</mark> gate & "hinge". ${'Then rest a while. '.repeat(30)}`,
    });
    const title = await app.task(ann, garden, { title: 'Paint the <b>gates</b>' });
    const hits = await find('gate');
    expect(hits.map(({ id }) => id)).toEqual([title, text]);
    expect(hits[0]).toEqual({
      type: 'task',
      id: title,
      key: expect.stringMatching(/^ORAN-\d+$/),
      title: 'Paint the <b>gates</b>',
      excerpt: 'Paint the &lt;b&gt;<mark>gates</mark>&lt;/b&gt;',
      endeavour_id: garden,
      endeavour_name: 'Orangerie',
      score: expect.any(Number),
    });
    expect(hits[0].score).toBeGreaterThan(hits[1].score);
    expect(hits[1].excerpt).toContain('&lt;mark&gt;dark&lt;/mark&gt; <mark>gate</mark> &amp; &quot;hinge&quot;.');
    expect(hits[1].excerpt).toMatch(/^… Soil|^… stones|^… and/);
    expect(hits[1].excerpt).toMatch(/ …$/);
  });

  it('supports pages, counts and selected properties', async () => {
    const made = [];
    for (let i = 0; i < 5; i += 1) made.unshift(await app.task(ann, garden, { title: 'Rake leaves' }));
    const first = await search('q=rake&limit=2').expect(200);
    expect(first.body.meta).toEqual({ total: 5, limit: 2, offset: 0, next_cursor: expect.any(String) });
    const found = [...first.body.data];
    for (let cursor = first.body.meta.next_cursor; cursor !== null;) {
      const { body } = await search(`q=rake&limit=2&count=false&cursor=${cursor}`).expect(200);
      expect(body.meta.total).toBeNull();
      found.push(...body.data);
      cursor = body.meta.next_cursor;
    }
    expect(found.map(({ id }: Hit) => id)).toEqual(made);
    const { body: part } = await search('q=rake&limit=2&offset=3&fields=id,title').expect(200);
    expect(part.data).toEqual(made.slice(3).map((id) => ({ id, title: 'Rake leaves' })));
    const { body: beyond } = await search('q=rake&offset=9').expect(200);
    expect([beyond.data, beyond.meta.total]).toEqual([[], 5]);
    const { headers } = await search('q=rake').expect(200);
    await search('q=rake').set('If-None-Match', headers.etag).expect(304);
    expect(
      await find(
        'rake',
        '&types=!task,demand,artifact,comment,message,endeavour,organization,resource,ritual,template,dod_policy',
      ),
    ).toEqual([]);
    const refused = await search(`q=leaves&cursor=${first.body.meta.next_cursor}`).expect(400);
    expect(fieldErrorsOf(refused.body)).toEqual(['cursor invalid_format']);
    await search(`q=rake&offset=1&cursor=${first.body.meta.next_cursor}`).expect(400);
  });

  it('is limited to the given endeavours, and excludes archived entities unless they are requested', async () => {
    const made = await oneOfEach('cistern');
    expect(await ids('cistern', `&endeavour_id=${made.get('endeavour')}`)).toEqual([made.get('endeavour')]);
    const inside = async (more = '', person = ann) =>
      (await find('cistern', `&endeavour_id=${garden}${more}`, person)).map(({ type }) => type).toSorted();
    const all = ['artifact', 'comment', 'demand', 'ritual', 'task'];
    expect(await inside()).toEqual(all);
    expect(await inside('', await app.admin())).toEqual(all);
    expect(await inside('', eve)).toEqual([]);
    expect(await find('cistern', `&endeavour_id=edv_${'0'.repeat(32)}`)).toEqual([]);
    await app.as(ann).post(`/endeavours/${garden}/archive`).send({ reason: 'Over' }).expect(200);
    expect(await inside()).toEqual([]);
    expect(await inside('&archived=true')).toEqual(all);
    expect((await find('cistern', '&archived=true')).map(({ type }) => type).toSorted()).toEqual(all);
    expect(await find('cistern', '&archived=any')).toHaveLength(made.size);
    expect(await find('cistern')).toHaveLength(made.size - all.length);
  });

  it('no longer finds deleted entities and replaced texts', async () => {
    const task = await app.task(ann, garden, { title: 'Prune' });
    const comment = await send('/comments', {
      entity_type: 'task',
      entity_id: task,
      content: 'Beware of the wisteria',
    });
    expect(await ids('wisteria')).toEqual([comment]);
    await app.as(ann).patch(`/comments/${comment}`).send({ content: 'Beware of the magnolia' }).expect(200);
    expect([await ids('wisteria'), await ids('magnolia')]).toEqual([[], [comment]]);
    await app.as(ann).delete(`/comments/${comment}`).expect(200);
    expect(await ids('magnolia')).toEqual([]);
    await app.as(ann).patch(`/tasks/${task}`).send({ description: 'Magnolia' }).expect(200);
    expect(await ids('magnolia')).toEqual([task]);
  });

  it('requires a text, and rejects invalid parameters with all errors at once', async () => {
    expect(fieldErrorsOf((await search('').expect(400)).body)).toEqual(['q required']);
    expect(fieldErrorsOf((await search('q=%20').expect(400)).body)).toEqual(['q too_short']);
    const refused = await search(`q=${'x'.repeat(201)}&types=users&archived=maybe&fields=name&limit=0&count=2&x=1`);
    expect([refused.status, fieldErrorsOf(refused.body)]).toEqual([
      400,
      [
        'q too_long',
        'types invalid_value',
        'archived invalid_value',
        'fields invalid_value',
        'limit out_of_range',
        'count invalid_value',
        'x unknown_field',
      ],
    ]);
  });

  describe('among 21,000 other tasks', () => {
    beforeAll(async () => {
      const person = await app.person('Mass');
      const meadow = await app.endeavour(person);
      for (const statement of [
        `INSERT INTO entities (id, kind, endeavour_id, title) SELECT id, 'task', $1, 'Mow' FROM mowing`,
        `INSERT INTO tasks (id, endeavour_id, title, description, owner_id, creator_id)
         SELECT id, $1, 'Mow the common', 'lawn ' || n, $2, $2 FROM mowing`,
      ]) {
        const mowing = `WITH mowing AS (SELECT n, 'tsk_' || lpad(to_hex(n), 32, '0') AS id FROM generate_series(1, 21000) n)`;
        await app.database.query(`${mowing} ${statement}`, [
          meadow,
          ...(statement.includes('$2') ? [person.resourceId] : []),
        ]);
      }
      await app.observer.query('ANALYZE tasks');
    });

    it('finds own tasks by common words, and by common and rare words together', async () => {
      const task = await app.task(ann, garden, { title: 'Mow the common', description: 'lawn and verbena' });
      const admin = await app.admin();
      for (const q of ['mow', 'm', 'common lawn', 'lawn verb', 'mow verbena'])
        expect([q, await ids(q, '&types=task')]).toEqual([q, [task]]);
      expect(await ids('mow', `&endeavour_id=${garden}`, admin)).toEqual([task]);
      expect(await ids('mow verbena', '', admin)).toEqual([task]);
      const { body } = await search('q=mow&types=task', admin).expect(200);
      expect([body.data.length, body.data[0].id, body.meta.total]).toEqual([50, task, null]);
      expect(await find('mow', '', eve)).toEqual([]);
      const own = await search('q=mow').expect(200);
      expect(own.body.meta.total).toBe(1);
    });
  });
});
