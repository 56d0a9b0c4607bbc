import { sample } from '../support/depth.js';
import { TestApp, type Person } from '../support/test-app.js';
import { tokenOf } from '../support/tokens.js';

/** Search texts that people and programs type, and some that are known to break parsers. */
const DICTIONARY = [
  String.raw`"¦""¦"""¦"open¦close"¦'¦''¦it's¦'or'¦´´¦«»¦\¦\\¦abc\¦\'¦\"¦%¦%%¦_¦__¦%_%¦50%¦a_b¦*¦**¦gat*¦:*¦gate:*¦gate:A`,
  String.raw`&¦&&¦|¦||¦!¦!!¦<->¦<2>¦(¦)¦()¦((¦))¦(gate¦gate)¦-¦--¦- -¦-gate¦--gate¦-"gate¦-""¦-"the"¦or¦OR¦or or¦or gate`,
  String.raw`gate or¦gate or or fence¦-or¦"or"¦and¦not¦the¦the of¦"the of"¦; DROP TABLE tasks; --¦' OR '1'='1¦$1¦$$¦::tsquery`,
  String.raw`{}¦[]¦{"a":1}¦null¦NaN¦http://a.b/c?d=e&f=g¦a@b.example¦/usr/bin/env¦1.5.2¦-1¦1e400¦tsk_0¦"a b" -c or d e:*`,
  'ä¦ß¦éé¦日本¦日本語のタスク¦задача¦🙂¦🙂🙂¦👩‍👩‍👧¦\u200b\u200b¦\u202etxet¦e\u0301¦\ufeffab¦\uffff\uffff¦\u0000¦a\u0000b¦\u0001\u0002¦a\u007fb',
  `${'-'.repeat(50)}¦${'- '.repeat(50)}a¦${'–'.repeat(50)}¦${'－ '.repeat(50)}¦${'-!'.repeat(50)}¦${'−'.repeat(40)}"a"¦${'-""'.repeat(50)}`,
  `${'or '.repeat(60)}¦${'-or '.repeat(45)}¦${'-a '.repeat(60)}¦’¦‘a¦ʼ¦ʼʼ¦´a¦＼¦a＼¦＇a¦${'!'.repeat(99)}¦${'(-'.repeat(50)}¦${'"-'.repeat(99)}`,
  `\t\t¦\n\n¦  ¦\u00a0\u00a0¦${'a'.repeat(200)}¦${'ab '.repeat(66)}¦${'x'.repeat(199)}"¦${'"'.repeat(200)}`,
].flatMap((line) => line.split('¦').map(encodeURIComponent));
/** Byte sequences and percent-encodings that are not valid text. */
const NO_TEXT = ['%ED%A0%80', '%FF%FE', '%C0%80', '%', '%zz'];

/** The number of other tasks: a search scans few visible tasks, and uses the index for many. */
describe.each([0, 3_000])('searching among %d other tasks', (others) => {
  let app: TestApp;
  let ann: Person;
  let garden: string;

  const find = async (path: string, text: string, more: string, person: Person): Promise<string[]> => {
    const { body } = await app
      .as(person)
      .get(`${path}?search=${encodeURIComponent(text)}${more}`)
      .expect(200);
    expect(body.meta.total).toBe(body.data.length);
    return body.data.map(({ title }: { title: string }) => title);
  };
  const titles = (text: string, more = '', person = ann) => find('/tasks', text, `&sort=title${more}`, person);
  const best = (text: string, more = '', person = ann) => find('/tasks', text, `&sort=relevance${more}`, person);

  beforeAll(async () => {
    app = await TestApp.open();
    ann = await app.person('Ann');
    garden = await app.endeavour(ann);
    const tasks: [string, string?][] = [
      ['Paint the garden gate', 'Green, with two coats'],
      ['Paint the fence'],
      ['Repair the gate of the fence', 'The hinge squeaks'],
      ['Buy paint', 'For gates and fences: 5 litres'],
      ['Order 50%_off bulbs'],
      ['Наточить лопаты'],
      ['庭の門を塗る'],
    ];
    for (const [title, description] of tasks) await app.task(ann, garden, { title, description });
    const meadow = await app.endeavour(ann);
    for (const statement of [
      `INSERT INTO entities (id, kind, endeavour_id, title) SELECT id, 'task', $1, 'Mow' FROM mowing`,
      `INSERT INTO tasks (id, endeavour_id, title, owner_id, creator_id) SELECT id, $1, 'Mow', $3, $3 FROM mowing`,
    ]) {
      const mowing = `WITH mowing AS (SELECT 'tsk_' || lpad(to_hex(n), 32, '0') AS id FROM generate_series(1, $2::integer) n)`;
      const values = [meadow, others, ...(statement.includes('$3') ? [ann.resourceId] : [])];
      await app.database.query(`${mowing} ${statement}`, values);
    }
  });

  afterAll(() => app.close());

  describe('as a filter', () => {
    it.each([
      ['paint gate', ['Buy paint', 'Paint the garden gate']],
      ['painting GATES', ['Buy paint', 'Paint the garden gate']],
      ['paint -gate', ['Paint the fence']],
      ['"garden gate"', ['Paint the garden gate']],
      ['"gate garden"', []],
      ['gate -"garden gate"', ['Buy paint', 'Repair the gate of the fence']],
      ['squeaks or litres', ['Buy paint', 'Repair the gate of the fence']],
      ['arden ga', ['Paint the garden gate']],
      ['50%_off', ['Order 50%_off bulbs']],
      ['%%', []],
      ['_o', ['Order 50%_off bulbs']],
      ['лопаты', ['Наточить лопаты']],
      ['tulip', []],
    ])('finds tasks that match all terms: %s', async (text, expected) => {
      expect(await titles(text)).toEqual(expected);
    });

    it.each([
      ['p', ['Buy paint', 'Paint the fence', 'Paint the garden gate']],
      ['PA', ['Buy paint', 'Paint the fence', 'Paint the garden gate']],
      ['c', ['Paint the garden gate']],
      ['th', ['Paint the fence', 'Paint the garden gate', 'Repair the gate of the fence']],
      ['ai', []],
      ['of', ['Order 50%_off bulbs', 'Repair the gate of the fence']],
      ['5', ['Buy paint', 'Order 50%_off bulbs']],
      ['ло', ['Наточить лопаты']],
      ['門', ['庭の門を塗る']],
      ['門を', ['庭の門を塗る']],
      ['%', ['Order 50%_off bulbs']],
      ["'", []],
      ['.*', []],
    ])('finds words by prefixes of one or two characters, and symbols anywhere: %s', async (text, expected) => {
      expect(await titles(text)).toEqual(expected);
      expect((await best(text)).sort()).toEqual([...expected].sort());
    });

    it('finds a task by its id', async () => {
      const { body } = await app.as(ann).get('/tasks?search=bulbs').expect(200);
      expect(await titles(body.data[0].id)).toEqual(['Order 50%_off bulbs']);
    });

    it('can be combined with other filters and with the summary', async () => {
      expect(await titles('paint', '&status=active')).toEqual([]);
      const { body } = await app.as(ann).get('/tasks?search=paint&summary=true').expect(200);
      expect(body.data).toMatchObject({ total: 3, planned: 3 });
    });
  });

  describe('by relevance', () => {
    it('finds tasks with any of the words, best match first', async () => {
      const found = await best('hinge of the gate squeaks');
      expect(found.slice(0, 2)).toEqual(['Repair the gate of the fence', 'Paint the garden gate']);
      expect(found).toContain('Buy paint');
    });

    it('ranks matches in the title before matches in the description, and an exact title first', async () => {
      expect((await best('paint fence'))[0]).toBe('Paint the fence');
      expect((await best('garden gate'))[0]).toBe('Paint the garden gate');
    });

    it('still honours phrases and exclusions', async () => {
      expect(await best('"garden gate" fence hinge')).toEqual(['Paint the garden gate']);
      expect(await best('paint gate -fence')).toEqual(['Paint the garden gate']);
      expect(await best('paint gate -"two coats" -litres')).toEqual(
        expect.not.arrayContaining(['Paint the garden gate', 'Buy paint']),
      );
    });

    it('weighs words in the same way for a token that is restricted to one endeavour', async () => {
      const roses = await app.endeavour(ann);
      const names = [...Array.from({ length: 40 }, () => 'Water the roses'), 'Fence posts', 'Roses at the fence'];
      const operations = names.map((title, at) => ({
        id: `t${at}`,
        method: 'POST',
        path: '/api/v1/tasks',
        body: { title, endeavour_id: roses },
      }));
      await app.as(ann).post('/batch').send({ operations }).expect(200);
      await app.database.query('ANALYZE tasks');
      const token = await tokenOf(app, ann, { scopes: ['tasks:read'], endeavour_id: roses });
      const found = await best('roses fence', `&endeavour_id=${roses}`);
      expect(found.slice(0, 3)).toEqual(['Roses at the fence', 'Fence posts', 'Water the roses']);
      expect(await best('roses fence', `&endeavour_id=${roses}`, token)).toEqual(found);
    });

    it('requires a search text', async () => {
      await app.as(ann).get('/tasks?sort=relevance').expect(400);
    });

    it('pages without overlap, by cursor and by offset', async () => {
      const all = await best('paint the gate of the fence');
      for (const follow of ['cursor', 'offset']) {
        const seen: string[] = [];
        let next = '';
        do {
          const query = `search=${encodeURIComponent('paint the gate of the fence')}&sort=relevance&limit=1${next}`;
          const { body } = await app.as(ann).get(`/tasks?${query}`).expect(200);
          seen.push(...body.data.map(({ title }: { title: string }) => title));
          const isMore = body.meta.next_cursor !== null;
          next = isMore ? `&${follow}=${follow === 'cursor' ? body.meta.next_cursor : seen.length}` : '';
        } while (next !== '');
        expect(seen).toEqual(all);
      }
    });
  });

  it('finds demands in the same way', async () => {
    await app.demand(ann, garden, { title: 'Visitors find the exit', description: 'Signs at every gate' });
    await app.demand(ann, garden, { title: 'Exit through the shop' });
    expect(await find('/demands', 'exit gate', '', ann)).toEqual(['Visitors find the exit']);
    expect(await find('/demands', 'exit gate', '&sort=relevance', ann)).toEqual([
      'Visitors find the exit',
      'Exit through the shop',
    ]);
  });

  it('finds nothing for a user without access', async () => {
    const eve = await app.person('Eve');
    expect(await titles('paint', '', eve)).toEqual([]);
    expect(await best('paint', '', eve)).toEqual([]);
  });

  it.each(['/tasks?', '/tasks?sort=relevance&', '/tasks?summary=true&', '/demands?sort=relevance&', '/resources?'])(
    'returns 200 or 400 for every query: %s',
    async (path) => {
      const responses: [string, boolean][] = [];
      for (const text of [...sample(DICTIONARY, 4, path.length + others), ...NO_TEXT]) {
        const { status } = await app.as(ann).get(`${path}search=${text}`);
        responses.push([text, [200, 400].includes(status)]);
      }
      expect(responses.filter(([, isFine]) => !isFine)).toEqual([]);
    },
  );
});
