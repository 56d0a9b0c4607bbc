import { TestApp, type Person } from '../support/test-app.js';

/** What stands in a task, and searches that find it: by copying a part, and as other people type it. */
const TEXTS: readonly (readonly [title: string, description: string, searches: readonly string[]])[] = [
  ['GAR-17 paint the gate', '', ['GAR-17', 'gar-17', 'GAR 17', 'GAR‑17', '"GAR-17"']],
  ['Gate', 'Relates to GAR-18 and PROJ-2026-001.', ['GAR-18', 'PROJ-2026-001', '2026-001', 'PROJ-2026']],
  ['covid-19 plan', '', ['covid-19', 'COVID 19']],
  ['K8s v1.29.3 upgrade', '', ['1.29.3', 'v1.29.3', 'v1.29', 'K8s']],
  ['Rack 4-12', 'Shelf −7, row +3, #4711, §12(3), r1234', ['4-12', 'Rack 4-12', '4711', '#4711', '§12(3)', '1234']],
  ['Opening', 'on 2026-12-05 at 10:30, until 24/12/2026', ['2026-12-05', '10:30', '24/12/2026', '12/2026']],
  ['会议纪要', '我家在上海东边。请检查仓库的门锁', ['东边', '门锁', '会议', '请检查仓库', '上海东边']],
  ['한국어', '서울시청에서 회의합니다', ['시청', '서울시청', '회의']],
  ['ประชุมทีม', 'เตรียมเอกสารการประชุมประจำเดือน', ['เอกสาร', 'ประจำเดือน', 'ประชุม']],
  ['テスト', 'これは全文検索のテストです。ｶﾞｰﾃﾞﾝ', ['全文', '検索', '全文検索のテスト', 'ガーデン', 'ﾃｽﾄ']],
  ['ລາວ ខ្មែរ မြန်မာ', 'ສະບາຍດີທຸກຄົນ សូមស្វាគមន៍ မင်္ဂလာပါ', ['ບາຍດີ', 'ស្វាគមន៍', 'ဂလာပါ']],
  [
    'Paths',
    'see node_modules/foo_bar.ts and https://wiki.example.org/pages/GateKeeper?x=1 and /srv/data/gate.log, user@example.com',
    [
      'foo_bar',
      'foo_bar.ts',
      'gate.log',
      'GateKeeper',
      'keeper',
      'example.com',
      'user@example.com',
      'node_modules',
      'srv',
    ],
  ],
  [
    'Windows',
    String.raw`C:\Users\mara\Rake.exe and <div class="leaf">`,
    ['mara', String.raw`C:\Users\mara`, 'leaf', '<div class="leaf">'],
  ],
  [
    'Code',
    'new XMLHttpRequest() parseInt(snake_case) kebab-case-name',
    ['http', 'XMLHttpRequest', 'snake', 'kebab-case', 'request'],
  ],
  ['Ｆｕｌｌ ｗｉｄｔｈ', 'oﬃce № 5, Åse, O’Brien', ['full width', 'office', 'ase', "o'brien", 'O’Brien']],
  ['שָׁלוֹם', 'شُكْرًا جزيلاً ـــ مـرحبا', ['שלום', 'شكرا', 'مرحبا', 'جزيلا']],
];

describe('a search', () => {
  let app: TestApp;
  let ann: Person;
  let garden: string;
  const ids = new Map<string, string>();

  const list = async (text: string, more = ''): Promise<string[]> => {
    const { body } = await app
      .as(ann)
      .get(`/tasks?fields=id&search=${encodeURIComponent(text)}${more}`)
      .expect(200);
    return body.data.map(({ id }: { id: string }) => id);
  };
  const everywhere = async (text: string): Promise<string[]> => {
    const { body } = await app
      .as(ann)
      .get(`/search?types=task&fields=id&q=${encodeURIComponent(text)}`)
      .expect(200);
    return body.data.map(({ id }: { id: string }) => id);
  };
  const both = async (text: string) => [(await list(text)).toSorted(), (await everywhere(text)).toSorted()];

  beforeAll(async () => {
    app = await TestApp.open();
    ann = await app.person('Ann');
    garden = await app.endeavour(ann);
    for (const [title, description] of TEXTS) ids.set(title, await app.task(ann, garden, { title, description }));
  });

  afterAll(() => app.close());

  it.each(TEXTS.flatMap(([title, , searches]) => searches.map((text) => [text, title])))(
    'for %s finds the task that contains it, in lists and everywhere',
    async (text, title) => {
      const id = ids.get(title);
      const [listed, found] = await both(text);
      expect([listed.includes(String(id)), found.includes(String(id))]).toEqual([true, true]);
      expect(await list(text, '&sort=relevance')).toContain(id);
    },
  );

  it('for numbers behind hyphens finds no task that contains both elsewhere', async () => {
    expect(await both('10-20')).toEqual([[], []]);
    expect(await both('17-4')).toEqual([[], []]);
    const pages = await app.task(ann, garden, { title: 'Read', description: 'pages 10-20' });
    expect(await both('10-20')).toEqual([[pages], [pages]]);
  });

  it('for characters without spaces finds no text with the same characters apart', async () => {
    expect(await both('东门')).toEqual([[], []]);
    expect(await both('全検')).toEqual([[], []]);
  });

  it('finds characters and keys at the end of long texts', async () => {
    const title = 'Long';
    const long = await app.task(ann, garden, { title, description: `${'我家在上海。'.repeat(8_000)}天文台 END-4711` });
    expect(await both('天文台')).toEqual([[long], [long]]);
    expect(await both('END-4711')).toEqual([[long], [long]]);
  });

  it('in web-search syntax means the same in lists and everywhere', async () => {
    const [gate, fence, both_] = [
      await app.task(ann, garden, { title: 'Oil the portcullis' }),
      await app.task(ann, garden, { title: 'Oil the drawbridge' }),
      await app.task(ann, garden, { title: 'Portcullis and drawbridge', description: 'oil' }),
    ];
    const same = async (text: string, expected: string[]) =>
      expect([text, ...(await both(text))]).toEqual([text, expected.toSorted(), expected.toSorted()]);
    await same('portcullis -drawbridge', [gate]);
    await same('"oil the portcullis"', [gate]);
    await same('oil -"oil the portcullis"', [fence, both_]);
    await same('portcullis or drawbridge', [gate, fence, both_]);
    await same('oil portcullis OR drawbridge -portcullis', [gate, both_, fence]);
  });

  it('finds a part of a title, and the id elsewhere, in lists and everywhere', async () => {
    const task = await app.task(ann, garden, {
      title: 'Rhododendronbeet',
      external_ref: { source: 'tracker', id: 'OLD-4242' },
    });
    expect(await both('dendronb')).toEqual([[task], [task]]);
    expect(await both('OLD-4242')).toEqual([[task], [task]]);
    await app
      .as(ann)
      .patch(`/tasks/${task}`)
      .send({ external_ref: { source: 'tracker', id: 'NEW-77' } })
      .expect(200);
    expect(await both('OLD-4242')).toEqual([[], []]);
    expect(await both('NEW-77')).toEqual([[task], [task]]);
  });

  it('marks characters and parts of words in excerpts', async () => {
    const excerpt = async (q: string): Promise<string> =>
      (
        await app
          .as(ann)
          .get(`/search?types=task&q=${encodeURIComponent(q)}`)
          .expect(200)
      ).body.data[0].excerpt;
    expect(await excerpt('门锁')).toContain('请检查仓库的<mark>门锁</mark>');
    expect(await excerpt('keeper')).toContain('pages/<mark>GateKeeper</mark>');
    expect(await excerpt('เอกสาร')).toContain('<mark>เอกสาร</mark>');
  });
});
