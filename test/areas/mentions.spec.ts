import { foldName } from '../../src/common/texts/fold-name.js';
import { TestApp, type Person } from '../support/test-app.js';

/** People are mentioned by their names as other people and programs write them (spec 06). */
describe('mentions', () => {
  let app: TestApp;
  let ann: Person;
  let garden: string;
  let task: string;
  const members = new Map<string, Person>();

  beforeAll(async () => {
    app = await TestApp.open({ LIMIT_WRITES_PER_MINUTE: '100000' });
    ann = await app.person('Ann', { tier: 3 });
    garden = await app.endeavour(ann);
    task = await app.task(ann, garden);
    for (const name of ['İpek Işık', "O'Brien", 'José Peña', 'Dr. Kim', 'Weiß', '田中', 'Σοφός', 'Jean-Luc']) {
      const person = await app.person(name, { email: `p${members.size}.${Date.now()}@example.test` });
      await app.join(garden, person, 'member');
      members.set(name, person);
    }
  });

  afterAll(() => app.close());

  const comment = (content: string) =>
    app.as(ann).post('/comments').send({ entity_type: 'task', entity_id: task, content });
  /** The members who are notified of a new comment. */
  const notified = async (content: string): Promise<string[]> => {
    const { id } = (await comment(content).expect(201)).body.data;
    const told: string[] = [];
    for (const [name, person] of members) {
      const { data } = (await app.as(person).get('/messages').expect(200)).body;
      if (data.some(({ entity_id }: { entity_id: string }) => entity_id === id)) told.push(name);
    }
    return told;
  };

  it.each([
    ['a dotted capital I', '@İpek Işık, look', 'İpek Işık'],
    ['a dotted capital I in small letters', '@ipek ışık', 'İpek Işık'],
    ['the apostrophe of telephones', '@O’Brien', "O'Brien"],
    ['decomposed letters', '@José Peña'.normalize('NFD'), 'José Peña'],
    ['a no-break space', '@Dr.\u00a0Kim', 'Dr. Kim'],
    ['capital letters of ß', '@WEISS', 'Weiß'],
    ['full-width letters', '@Ｗｅｉß', 'Weiß'],
    ['a script without spaces', '確認は@田中さんへ', '田中'],
    ['a final sigma', '@ΣΟΦΟΣ', 'Σοφός'],
    ['another hyphen', '@Jean‐Luc', 'Jean-Luc'],
    ['an invisible character', '@Jean\u00ad-Luc', 'Jean-Luc'],
  ])('find a name with %s', async (_, content, name) => {
    // Accents count, so the last but two is a different name when its accent is missing.
    const expected = foldName(content).includes(foldName(name)) ? [name] : [];
    expect(await notified(content)).toEqual(expected);
  });

  it.each(['`@Weiß`', '```\n@Weiß\n```', '> @Weiß said so'])('notify nobody in %j', async (content) => {
    expect(await notified(content)).toEqual([]);
  });

  it('are folded alike by the program and the database', async () => {
    // Servers can have an older Unicode, without the capital letters of Georgian and the newest ones of Cyrillic.
    const isOld = (letter: string): boolean => !/[\u1c80-\u1cbf\u2c2f\u2c5f]/u.test(letter);
    const letters = Array.from({ length: 0x2fff }, (_, code) => String.fromCodePoint(code + 1)).filter(
      (letter) =>
        isOld(letter) && /[\p{L}\p{M}\p{N}\p{P}\p{Z}\p{Cf}]/u.test(letter) && !/[\u{d800}-\u{dfff}]/u.test(letter),
    );
    const samples = letters.map((letter) => `a${letter}B ${letter}c`);
    const rows = await app.database.query<{ folded: string }>(
      'SELECT fold_name(name) AS folded FROM unnest($1::text[]) WITH ORDINALITY AS sent (name, place) ORDER BY place',
      [samples],
    );
    const differing = samples.filter((sample, index) => foldName(sample) !== rows[index].folded);
    expect(differing.map((sample) => sample.codePointAt(1)?.toString(16))).toEqual([]);
  });

  it('of names in lists are sorted as people expect, with numbers by their value', async () => {
    const elsewhere = await app.endeavour(ann);
    for (const title of ['Step 10', 'step 9', 'Étape', 'Zoo', 'éclair', 'Step 2', 'apple']) {
      await app.task(ann, elsewhere, { title });
    }
    const titles = async (query: string): Promise<string[]> =>
      (await app.as(ann).get(`/tasks?endeavour_id=${elsewhere}&${query}`).expect(200)).body.data.map(
        (one: { title: string }) => one.title,
      );
    const sorted = ['apple', 'éclair', 'Étape', 'Step 2', 'step 9', 'Step 10', 'Zoo'];
    expect(await titles('sort=title')).toEqual(sorted);
    expect(await titles('sort=-title')).toEqual(sorted.toReversed());
    const first = (await app.as(ann).get(`/tasks?endeavour_id=${elsewhere}&sort=title&limit=4`).expect(200)).body;
    const rest = await titles(`sort=title&cursor=${encodeURIComponent(first.meta.next_cursor)}`);
    expect([...first.data.map((one: { title: string }) => one.title), ...rest]).toEqual(sorted);
  });
});
