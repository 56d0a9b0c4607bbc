import * as fc from 'fast-check';
import { findTerms, foldTerm } from '../../src/modules/organizations/alerts/term-search.js';
import { InProcessApp } from '../support/in-process-app.js';
import type { Person } from '../support/test-app.js';

const words = ({ data }: { data: { term: string; weight: number }[] }) =>
  data.map(({ term, weight }) => `${term} ${weight}`);

const finds = (term: string, text: string) => findTerms(text, [foldTerm(term)]).size === 1;

describe('alerts', () => {
  let app: InProcessApp;
  let ann: Person;
  let bob: Person;
  let riverside: string;
  let garden: string;

  beforeAll(async () => {
    app = await InProcessApp.open();
  });

  beforeEach(async () => {
    [ann, bob] = [await app.person('Ann'), await app.person('Bob')];
    riverside = await app.organization(ann);
    garden = await app.endeavour(ann, { organization_id: riverside });
    await app.join(riverside, bob, 'member');
  });

  afterAll(() => app.close());

  const put = (body: unknown, person = ann) =>
    app.as(person).put(`/organizations/${riverside}/alert-terms`).type('json').send(JSON.stringify(body));
  const alerts = async () =>
    (await app.as(ann).get(`/organizations/${riverside}/alerts`).expect(200)).body.data as Record<string, unknown>[];
  const inbox = async (person: Person) =>
    (await app.as(person).get('/messages?intent=alert').expect(200)).body.data as Record<string, unknown>[];

  describe('terms', () => {
    it('can be set as objects, strings or a bare list, and read by every member', async () => {
      const { body } = await put({ terms: [{ term: ' Leak ', weight: 7 }, 'breach'] }).expect(200);
      expect(words(body)).toEqual(['breach 1', 'Leak 7']);
      expect(body.data[0]).toEqual({
        id: expect.stringMatching(/^trm_/),
        term: 'breach',
        weight: 1,
        created_at: expect.any(String),
      });
      const read = await app.as(bob).get(`/organizations/${riverside}/alert-terms`).expect(200);
      expect(read.body).toEqual(body);
      const again = await put(['LEAK', { term: 'fire' }]).expect(200);
      expect(words(again.body)).toEqual(['fire 1', 'LEAK 1']);
      expect(again.body.data[1].id).toBe(body.data[1].id);
    });

    it.each([[null], [[]], [{ terms: null }], [{ terms: [] }]])('are cleared by %j', async (body) => {
      await put(['leak']).expect(200);
      expect((await put(body).expect(200)).body).toEqual({ data: [] });
    });

    it.each([
      ['a body without terms', {}, 'terms required'],
      ['a string', 'leak', 'body invalid_type'],
      ['a string as terms', { terms: 'leak' }, 'terms invalid_type'],
      ['an empty term', [' '], 'terms.0.term too_short'],
      ['a long term', ['x'.repeat(201)], 'terms.0.term too_long'],
      ['a heavy term', [{ term: 'leak', weight: 11 }], 'terms.0.weight out_of_range'],
      ['two terms that differ only in case', ['Straße', 'STRASSE'], 'terms.1.term invalid_value'],
      ['too many terms', Array.from({ length: 101 }, (_, n) => `term ${n}`), 'terms too_long'],
      ['an unknown field', { terms: [], more: 1 }, 'more unknown_field'],
    ])('reject %s', async (_, sent, fault) => {
      const { body } = await put(sent).expect(400);
      const faults = body.error.details.fields.map((f: { field: string; code: string }) => `${f.field} ${f.code}`);
      expect(faults).toEqual([fault]);
    });

    it('can be written by admins, and read by members of the organization', async () => {
      const eve = await app.person('Eve');
      await put(['leak'], bob).expect(403);
      await put(['leak'], eve).expect(404);
      await app.as(eve).get(`/organizations/${riverside}/alert-terms`).expect(404);
      await app.as(bob).get(`/organizations/${riverside}/alerts`).expect(403);
      await put(['leak']).set('If-Match', '"9"').expect(412);
      await app.database.query(`UPDATE organizations SET status = 'archived' WHERE id = $1`, [riverside]);
      await put(['leak']).expect(409);
    });

    it('record no event when nothing changes', async () => {
      await put(['leak']).expect(200);
      const events = await app.count('events');
      await put(['leak']).expect(200);
      expect(await app.count('events')).toBe(events);
    });
  });

  it('are raised when a created or changed text contains a term, and sent to the admins at once', async () => {
    await put([{ term: 'water leak', weight: 5 }, 'fire']).expect(200);
    const sent = { title: 'Fire drill', description: 'Beware of the WATER\n leak in shed 3; fireworks are fine' };
    const id = await app.task(bob, garden, sent);
    expect(await alerts()).toEqual([
      {
        id: expect.stringMatching(/^alt_/),
        entity_type: 'task',
        entity_id: id,
        term: 'water leak',
        weight: 5,
        excerpt: 'Beware of the WATER\n leak in shed 3; fireworks are fine',
        author_id: bob.resourceId,
        created_at: expect.any(String),
      },
      expect.objectContaining({ term: 'fire', excerpt: 'Fire drill' }),
    ]);
    expect(await inbox(ann)).toEqual([
      expect.objectContaining({ intent: 'alert', entity_id: id, entity_type: 'task', sender_id: null }),
    ]);
    expect(await inbox(bob)).toEqual([]);
    await app.as(bob).patch(`/tasks/${id}`).send({ estimate: 2, title: 'Fire drill' }).expect(200);
    expect(await alerts()).toHaveLength(2);
    await app.as(bob).patch(`/tasks/${id}`).send({ title: 'Second fire drill' }).expect(200);
    expect(await alerts()).toHaveLength(3);
    expect(await inbox(ann)).toHaveLength(2);
    const filtered = await app.as(ann).get(`/organizations/${riverside}/alerts?sort=-weight&limit=1`).expect(200);
    expect(filtered.body).toMatchObject({ data: [{ term: 'water leak' }], meta: { total: 3 } });
  });

  it('can be read by admins who see the entity', async () => {
    await put(['leak']).expect(200);
    const id = await app.task(bob, garden, { title: 'A leak' });
    const [alert] = await alerts();
    const read = (person: Person) => app.as(person).get(`/alerts/${alert.id as string}`);
    expect((await read(ann).expect(200)).body).toEqual({ data: alert });
    const some = await app
      .as(ann)
      .get(`/alerts/${alert.id as string}?fields=term,entity_id`)
      .expect(200);
    expect(some.body).toEqual({ data: { entity_id: id, term: 'leak' } });
    await read(bob).expect(403);
    await read(await app.person('Eve')).expect(404);
    await app.database.query('UPDATE entities SET deleted_at = now() WHERE id = $1', [id]);
    await read(ann).expect(404);
  });

  it('are raised for every kind of text, including messages to the whole organization', async () => {
    await put(['leak']).expect(200);
    const title = 'A leak';
    const post = async (path: string, body: object) =>
      (await app.as(bob).post(path).send(body).expect(201)).body.data.id as string;
    const found = [
      await post('/demands', { type: 'bug', title, endeavour_id: garden }),
      await post('/comments', { entity_type: 'endeavour', entity_id: garden, content: title }),
      await post('/artifacts', { kind: 'doc', title, endeavour_id: garden }),
      await post('/messages', { content: title, scope_type: 'organization', scope_id: riverside }),
    ];
    const ritual = { name: title, endeavour_id: garden };
    found.push((await app.as(ann).post('/rituals').send(ritual).expect(201)).body.data.id);
    await post('/messages', { content: title, recipient_ids: [ann.id] });
    expect((await alerts()).map(({ entity_id }) => entity_id)).toEqual(found.toReversed());
    await app.as(bob).patch(`/demands/${found[0]}`).send({ title: 'No more leak' }).expect(200);
    expect(await alerts()).toHaveLength(found.length + 1);
  });

  it('are raised in the home organization of an endeavour, not where it is only shared', async () => {
    await put(['leak']).expect(200);
    const partner = await app.organization(ann);
    const terms = ['leak', 'breach'];
    await app.as(ann).put(`/organizations/${partner}/alert-terms`).send(terms).expect(200);
    await app.link(partner, garden);
    await app.task(bob, garden, { title: 'A leak and a breach' });
    expect(await alerts()).toMatchObject([{ term: 'leak' }]);
    expect((await app.as(ann).get(`/organizations/${partner}/alerts`).expect(200)).body.data).toEqual([]);
  });

  it('are visible only while their entity is visible', async () => {
    await put(['leak']).expect(200);
    const onEndeavour = { entity_type: 'endeavour', entity_id: garden };
    const { body } = await app
      .as(bob)
      .post('/comments')
      .send({ ...onEndeavour, content: 'A leak' })
      .expect(201);
    await app.task(bob, garden, { title: 'Another leak' });
    expect(await alerts()).toHaveLength(2);
    await app.as(bob).delete(`/comments/${body.data.id}`).expect(200);
    expect(await alerts()).toMatchObject([{ entity_type: 'task' }]);
  });

  it('are not raised in organizations that have nothing to do with the endeavour', async () => {
    await put(['leak']).expect(200);
    const eve = await app.person('Eve');
    await app.task(eve, await app.endeavour(eve), { title: 'A leak elsewhere' });
    expect(await alerts()).toEqual([]);
  });

  it('cost one statement in organizations without terms', async () => {
    const query = jest.spyOn(app.database, 'query');
    await app.task(ann, garden, { title: 'A leak' });
    const asked = query.mock.calls.filter(([sql]) => /alert/.test(sql));
    query.mockRestore();
    expect(asked).toHaveLength(1);
  });

  describe('find terms', () => {
    it.each([
      ['fire', 'The FIRE!', true],
      ['fire', 'fireworks', false],
      ['fire', 'campfire', false],
      ['fire', 'fire_door', false],
      ['fire', 'a fire7', false],
      ['fire', '«fire»', true],
      ['fire', 'fireworks by the fire', true],
      ['straße', 'STRASSE', true],
      ['s', 'ß', false],
      ['ΟΔΟΣ', 'η οδος.', true],
      ['οδός', 'ΟΔΌΣ', true],
      ['пожар', 'ПОЖАР!', true],
      ['пожар', 'пожарный', false],
      ['café', 'cafe\u0301', true],
      ['cafe', 'café', false],
      ['危险', '这很危险吗', true],
      ['AI', '使用AI技术', true],
      ['c++', 'Learn C++11', true],
      ['#1', 'we are #1', true],
      ['water leak', 'water   leak', true],
      ['a.b', 'aXb', false],
      ['🔥', 'x🔥x', true],
    ])('%s in %s: %s', (term, text, expected) => {
      expect(finds(term, text)).toBe(expected);
    });

    it('with many common prefixes, each at its first occurrence', () => {
      const terms = Array.from({ length: 100 }, (_, n) => 'a '.repeat(n) + 'a');
      expect(findTerms('a '.repeat(25_000), terms).size).toBe(100);
      expect(findTerms('a'.repeat(50_000), terms).size).toBe(0);
      const found = findTerms(`${'x '.repeat(100)}she said ushers: hers, she`, [
        'he',
        'she',
        'hers',
        'ushers',
        'hers, she',
      ]);
      expect([...found.keys()].sort()).toEqual(['hers', 'hers, she', 'she', 'ushers']);
      expect(found.get('she')).toMatch(/^…(x )+she said ushers: hers, she$/);
    });

    it('in ASCII texts as in other texts', () => {
      const letter = fc.constantFrom('a', 'B', ' ', '\n', '\t', '_', '9', '-');
      fc.assert(
        fc.property(
          fc.string({ unit: letter, maxLength: 30 }),
          fc.string({ unit: letter, maxLength: 4 }),
          (text, word) => {
            const term = foldTerm(word);
            if (term === '') return;
            const other = findTerms(`${text} \u00fc`, [term]);
            expect([...findTerms(`${text} u`, [term])].map(([, found]) => found.replace(/u$/, '\u00fc'))).toEqual([
              ...other.values(),
            ]);
          },
        ),
      );
    });

    it('together as in separate searches', () => {
      const word = fc.array(fc.constantFrom('a', 'b', 'ab', ' ', 'ß', 's', '-'), { minLength: 1, maxLength: 5 });
      const some = fc.array(word, { minLength: 1, maxLength: 8 });
      fc.assert(
        fc.property(some, fc.array(word, { maxLength: 12 }), (wanted, pieces) => {
          const terms = [...new Set(wanted.map((parts) => foldTerm(parts.join(''))))].filter((term) => term !== '');
          const text = pieces.flat().join('');
          const together = findTerms(text, terms);
          for (const term of terms) expect(together.get(term)).toBe(findTerms(text, [term]).get(term));
        }),
      );
    });
  });
});
