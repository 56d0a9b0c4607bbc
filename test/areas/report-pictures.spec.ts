import { createHash } from 'node:crypto';
import { TestApp, type Person } from '../support/test-app.js';

describe('the pictures of reports', () => {
  let app: TestApp;
  let ann: Person;
  let vic: Person;

  beforeAll(async () => {
    app = await TestApp.open({ LIMIT_WRITES_PER_MINUTE: '100000' });
    [ann, vic] = [await app.person('Ann', { tier: 3 }), await app.person('Vic')];
  });

  afterAll(() => app.close());

  const page = async (path: string, person = ann): Promise<string> =>
    (await app.as(person).get(`/reports/${path}`).set('Accept', 'text/html').expect(200)).text;
  const relate = (source: string, relationship_type: string, target: string) => {
    const ends = { source_entity_type: 'task', target_entity_type: 'task' };
    const sent = { relationship_type, source_entity_id: source, target_entity_id: target, ...ends };
    return app.as(ann).post('/relations').send(sent).expect(201);
  };
  const template = async (scope: string, body: string, more: object = {}): Promise<string> => {
    const { body: made } = await app
      .as(ann)
      .post('/templates')
      .send({ name: 'Own', scope, body, ...more })
      .expect(201);
    return made.data.id;
  };
  const captions = (html: string): string[] =>
    [...html.matchAll(/<figcaption>([^<]*)<\/figcaption>/g)].map(([, caption]) => caption);
  const boxes = (html: string): string[] =>
    [...html.matchAll(/<g class="node[^>]*><title>[A-Z0-9]+-\d+ ([^<]*)<\/title>/g)].map(([, title]) => title);

  it('show the stages of an endeavour that has some, in their colors', async () => {
    const stages = [
      { name: 'Backlog', status: 'planned' },
      { name: 'Doing', status: 'active' },
      { name: 'Review </title>', status: 'active' },
    ];
    const garden = await app.endeavour(ann, { name: 'Garden', stages });
    const [first] = [await app.task(ann, garden), await app.task(ann, garden)];
    await app.as(ann).patch(`/tasks/${first}`).send({ stage: 'Review </title>' }).expect(200);
    const text = await page(`endeavour/${garden}`);
    expect(captions(text).slice(0, 2)).toEqual(['Tasks by stage', 'Cumulative flow of the last 30 days']);
    const bar = /class="chart bar".*?<\/svg>/.exec(text)?.[0] ?? '';
    expect(
      [...bar.matchAll(/<rect class="(\w+)"(?: opacity="([\d.]+)")?[^>]*><title>([^<]*)</g)].map(([, ...part]) => part),
    ).toEqual([
      ['active', '0.65', 'Review &lt;/title&gt;: 1'],
      ['planned', undefined, 'Backlog: 1'],
    ]);
    expect(text).toContain('</svg>Backlog 1</li>');
    expect(text.match(/<path class="(?:active|planned)"(?: opacity="[\d.]+")? d=/g)).toHaveLength(3);
  });

  it('precede the first section, with one style that the content security policy allows', async () => {
    const garden = await app.endeavour(ann, { name: 'Garden', lang: 'de' });
    const [frame, door] = [
      await app.task(ann, garden, { title: 'Frame </title><script>alert(1)</script>' }),
      await app.task(ann, garden, { title: 'Door </style>' }),
    ];
    await relate(door, 'depends_on', frame);
    const { text, headers } = await app
      .as(ann)
      .get(`/reports/endeavour/${garden}`)
      .set('Accept', 'text/html')
      .expect(200);
    expect(captions(text)).toEqual([
      'Aufgaben nach Stand',
      'Verlauf der letzten 30 Tage',
      'Angelegt und erledigt in den letzten zwei Wochen',
      'Abhängigkeiten der Aufgaben',
    ]);
    expect(text.indexOf('<figure')).toBeLessThan(text.indexOf('<h2>'));
    expect(boxes(text)).toEqual(['Frame &lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;', 'Door &lt;/style&gt;']);
    const styles = [...text.matchAll(/<style>([^]*?)<\/style>/g)].map(([, style]) => style);
    expect(styles).toHaveLength(1);
    const hash = createHash('sha256').update(styles[0]).digest('base64');
    const policy = headers['content-security-policy'];
    expect(policy).toContain(`style-src 'sha256-${hash}';`);
    expect(policy).not.toContain('unsafe');
    expect(text).toContain(`<meta http-equiv="Content-Security-Policy" content="${policy.split('; frame-')[0]}">`);
    expect(text).not.toMatch(/<script|<img|<link|@import|src=|href=|style=|onerror=|url\((?!#arrow\))|NaN|undefined/);
  });

  it('are part of reports, also from custom templates, but not of other template types', async () => {
    const garden = await app.endeavour(ann);
    await app.task(ann, garden);
    const own = await template('endeavour', '# Own');
    expect(captions(await page(`endeavour/${garden}?template_id=${own}`))).toHaveLength(3);
    const checklist = await template('endeavour', '# Own', { type: 'checklist' });
    expect(captions(await page(`endeavour/${garden}?template_id=${checklist}`))).toEqual([]);
    const empty = await app.endeavour(ann);
    expect(captions(await page(`endeavour/${empty}`))).toEqual([]);
  });

  it('show the dependencies of a task and the progress of a demand', async () => {
    const garden = await app.endeavour(ann);
    const demand = await app.demand(ann, garden);
    const [frame, door, lone] = [
      await app.task(ann, garden, { title: 'Frame', demand_id: demand }),
      await app.task(ann, garden, { title: 'Door' }),
      await app.task(ann, garden, { title: 'Lone' }),
    ];
    await relate(door, 'depends_on', frame);
    expect(boxes(await page(`task/${door}`))).toEqual(['Frame', 'Door']);
    expect(captions(await page(`task/${lone}`))).toEqual([]);
    const drawn = await page(`demand/${demand}`);
    expect(captions(drawn)).toEqual(['Tasks by status']);
    expect(drawn).toContain('</svg>planned 1</li>');
  });

  it('show finished tasks as long as there is room for them', async () => {
    const garden = await app.endeavour(ann);
    const steps: string[] = [];
    for (let n = 0; n < 7; n += 1) steps.push(await app.task(ann, garden, { title: `Step ${n}` }));
    for (const n of [1, 2, 3, 4]) await relate(steps[n], 'depends_on', steps[n - 1]);
    for (const status of ['active', 'done']) await app.as(ann).patch(`/tasks/${steps[0]}`).send({ status }).expect(200);
    expect(boxes(await page(`endeavour/${garden}`))).toEqual(['Step 0', 'Step 1', 'Step 2', 'Step 3', 'Step 4']);
    await relate(steps[5], 'depends_on', steps[4]);
    const fewer = await page(`endeavour/${garden}`);
    expect(boxes(fewer)).toEqual(['Step 1', 'Step 2', 'Step 3', 'Step 4', 'Step 5']);
    expect(fewer).toContain('<p class="note">5 of 6 shown</p>');
    await relate(steps[6], 'depends_on', steps[5]);
    const first = await page(`endeavour/${garden}`);
    expect(boxes(first)).toEqual(boxes(fewer));
    expect(first).toContain('<p class="note">5 of 6 shown</p>');
  });

  it('are kept when an endeavour is archived', async () => {
    const garden = await app.endeavour(ann);
    const [frame, door] = [
      await app.task(ann, garden, { title: 'Frame' }),
      await app.task(ann, garden, { title: 'Door' }),
    ];
    await relate(door, 'depends_on', frame);
    await app.as(ann).post(`/endeavours/${garden}/archive`).send({ reason: 'Over' }).expect(200);
    expect(boxes(await page(`endeavour/${garden}`))).toEqual(['Frame', 'Door']);
  });

  describe('respect what their reader can see', () => {
    it('by showing the whole endeavour to a viewer and nothing to another tenant', async () => {
      const garden = await app.endeavour(ann);
      const [frame, door] = [
        await app.task(ann, garden, { title: 'Frame' }),
        await app.task(ann, garden, { title: 'Door' }),
      ];
      await relate(door, 'depends_on', frame);
      const asked = () => app.as(vic).get(`/reports/endeavour/${garden}`).set('Accept', 'text/html');
      await asked().expect(404);
      await app.join(garden, vic, 'viewer');
      expect(boxes(await page(`endeavour/${garden}`, vic))).toEqual(boxes(await page(`endeavour/${garden}`)));
      expect(boxes(await page(`task/${door}`, vic))).toEqual(['Frame', 'Door']);
    });

    it('by showing neither tasks of other endeavours nor private endeavours', async () => {
      const eve = await app.person('Eve', { tier: 3 });
      const home = await app.organization(eve);
      const [open, hidden] = [
        await app.endeavour(eve, { name: 'Open', organization_id: home }),
        await app.endeavour(eve, { name: 'Hidden', organization_id: home, is_private: true }),
      ];
      const [frame, door, secret] = [
        await app.task(eve, open, { title: 'Frame' }),
        await app.task(eve, open, { title: 'Door' }),
        await app.task(eve, hidden, { title: 'Secret' }),
      ];
      const ends = { source_entity_type: 'task', target_entity_type: 'task', relationship_type: 'depends_on' };
      for (const [source, target] of [
        [door, frame],
        [door, secret],
      ]) {
        const sent = { ...ends, source_entity_id: source, target_entity_id: target };
        await app.as(eve).post('/relations').send(sent).expect(201);
      }
      const meg = await app.person('Meg');
      await app.join(home, meg, 'member');
      for (const path of [`endeavour/${open}`, `task/${door}`]) {
        const drawn = await page(path, meg);
        expect(boxes(drawn)).toEqual(['Frame', 'Door']);
        expect(drawn).not.toContain('Secret');
      }
      const [ofMember, ofOwner] = [await page(`organization/${home}`, meg), await page(`organization/${home}`, eve)];
      expect(ofMember).toContain('<span>Open</span><span>0 / 2</span>');
      expect(ofMember).not.toContain('Hidden');
      expect(ofOwner).toContain('<span>Hidden</span><span>0 / 1</span>');
    });
  });

  describe('of large endeavours', () => {
    /** Inserts a chain of tasks, each of which depends on the one before it. */
    const chain = async (endeavour: string, name: string, length: number): Promise<void> => {
      const id = `md5('${name}' || n)`;
      await app.database.query(
        `WITH numbers AS (SELECT n FROM generate_series(1, ${length}) n),
         placed AS (INSERT INTO entities (id, kind, endeavour_id, title)
           SELECT 'tsk_' || ${id}, 'task', $1, 'Step' FROM numbers
           UNION ALL SELECT 'rel_' || ${id}, 'relation', $1, 'depends_on' FROM numbers WHERE n > 1)
         INSERT INTO tasks (id, title, endeavour_id, owner_id, creator_id, description)
         SELECT 'tsk_' || ${id}, 'Step ' || n, $1, $2, $2, repeat('words ', 20) FROM numbers`,
        [endeavour, ann.resourceId],
      );
      // Without triggers, one of which locks and counts both tasks of each relation.
      await app.database.query(
        `BEGIN; SET LOCAL session_replication_role = replica;
         INSERT INTO relations (id, relationship_type, source_entity_type, source_entity_id, target_entity_type,
           target_entity_id, created_by)
         SELECT 'rel_' || ${id}, 'depends_on', 'task', 'tsk_' || ${id}, 'task',
           'tsk_' || md5('${name}' || n - 1), '${ann.resourceId}' FROM generate_series(2, ${length}) n;
         COMMIT`,
      );
    };

    it('show the first tasks and the total number', async () => {
      const field = await app.endeavour(ann);
      await chain(field, 'short', 60);
      const drawn = await page(`endeavour/${field}`);
      expect(boxes(drawn)).toEqual(['Step 1', 'Step 2', 'Step 3', 'Step 4', 'Step 5']);
      expect(drawn).toContain('<p class="note">5 of 60 shown</p>');
    });

    it('are omitted, with a note, if more than 2,000 tasks depend on each other', async () => {
      const field = await app.endeavour(ann);
      await chain(field, 'long', 10_000);
      const drawn = await page(`endeavour/${field}`);
      expect(boxes(drawn)).toEqual([]);
      expect(drawn).toContain('<p class="note">More than 2,000 tasks depend on each other, which');
      expect(drawn).toContain('</svg>planned 10,000</li>');
      expect(drawn.length).toBeLessThan(200_000);
    });
  });

  it.each([
    ['a page that is much longer than its text', "'{% for i in (1..1000000) %}'{% endfor %}"],
    [
      'a table that is mostly empty',
      `${'|a'.repeat(600)}|\n${'|-'.repeat(600)}|\n{% for i in (1..1000) %}|\n{% endfor %}`,
    ],
    ['quotations without end', '{% for i in (1..20000) %}> {% endfor %}'],
  ])('result in 400 for a hostile template: %s', async (_what, body) => {
    const garden = await app.endeavour(ann);
    const own = await template('endeavour', body);
    const { body: refused } = await app
      .as(ann)
      .get(`/reports/endeavour/${garden}?template_id=${own}`)
      .set('Accept', 'text/html')
      .expect(400);
    expect(refused.error.details.fields).toEqual([
      expect.objectContaining({ field: 'template_id', code: 'invalid_format' }),
    ]);
  });
});
