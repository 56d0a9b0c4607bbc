import { newId } from '../../src/common/ids.js';
import { TestApp, type Person } from '../support/test-app.js';

const fields = (body: { error: { details: { fields: { field: string; code: string }[] } } }): string[] =>
  body.error.details.fields.map(({ field, code }) => `${field} ${code}`);

describe('reports', () => {
  let app: TestApp;
  let ada: Person;
  let ann: Person;
  let vic: Person;
  let eve: Person;
  let garden: string;
  let riverside: string;
  let task: string;

  beforeAll(async () => {
    app = await TestApp.open();
    [ada, ann, vic, eve] = [
      await app.admin('Ada'),
      await app.person('Ann'),
      await app.person('Vic'),
      await app.person('Eve'),
    ];
    riverside = await app.organization(ann, { name: 'Riverside' });
    garden = await app.endeavour(ann, { name: 'Garden | North', lang: 'de', timezone: 'Europe/Berlin' });
    await app.link(riverside, garden);
    await app.join(garden, vic, 'viewer');
    task = await app.task(ann, garden, { title: 'Paint | gate\\', description: 'One\ntwo | three' });
  });

  afterEach(() => app.service.setTime(null));
  afterAll(() => app.close());

  const report = (path: string, person = ann) => app.as(person).get(`/reports/${path}`);
  const markdownOf = async (path: string, person = ann): Promise<string> =>
    (await report(path, person).expect(200)).body.data.markdown;
  const template = async (body: string, more: object = {}, person = ann): Promise<string> => {
    const sent = { name: 'Own', scope: 'task', organization_id: riverside, body, ...more };
    return (await app.as(person).post('/templates').send(sent).expect(201)).body.data.id;
  };
  const preview = (id: string, body: object, person = ann) =>
    app.as(person).post(`/templates/${id}/preview`).send(body);
  /** Renders a template without saving it. */
  const tried = async (body: string, entity = task, scope = 'task'): Promise<string> => {
    const { body: found } = await app.as(ann).get(`/templates?origin=template&lang=en&scope=${scope}`).expect(200);
    return (await preview(found.data[0].id, { entity_id: entity, body }).expect(200)).body.data.markdown;
  };

  describe('choose their template', () => {
    it('in the requested language, or that of the endeavour, or English', async () => {
      const { body } = await report(`task/${task}`).expect(200);
      expect(body.data).toEqual({
        scope: 'task',
        entity_id: task,
        template_id: expect.stringMatching(/^tpl_00000000000070008000/),
        title: 'Aufgabenbericht: Paint | gate\\',
        markdown: expect.stringMatching(/^# GN-\d+ Paint/),
        generated_at: expect.stringMatching(/Z$/),
      });
      const titleOf = async (lang: string) => (await report(`task/${task}?lang=${lang}`).expect(200)).body.data.title;
      expect(await titleOf('fr')).toMatch(/^Rapport de tâche/);
      expect(await titleOf('es-MX')).toMatch(/^Informe de tarea/);
      expect(await titleOf('ja')).toMatch(/^Aufgabenbericht/);
      expect((await report(`organization/${riverside}?lang=ja`).expect(200)).body.data.title).toMatch(/^Organization/);
    });

    it('as the newest active report of the home organization, for every caller', async () => {
      const company = await app.organization(ann);
      const yard = await app.endeavour(ann, { name: 'Yard', organization_id: company });
      const own = await template('own', { scope: 'endeavour', organization_id: company });
      await template('list', { scope: 'endeavour', type: 'checklist', organization_id: company });
      expect(await markdownOf(`endeavour/${yard}`)).toBe('own');
      await app.join(yard, vic, 'viewer');
      expect(await markdownOf(`endeavour/${yard}`, vic)).toBe('own');
      expect(await markdownOf(`endeavour/${await app.endeavour(ann, { name: 'Elsewhere' })}`)).toContain('# Elsewhere');
      const partner = await app.organization(ann);
      await app.link(partner, yard);
      await template('shared', { scope: 'endeavour', organization_id: partner });
      expect(await markdownOf(`endeavour/${yard}`)).toBe('own');
      await app.as(ann).patch(`/templates/${own}`).send({ status: 'archived' }).expect(200);
      expect(await markdownOf(`endeavour/${yard}`)).toContain('# Yard');
    });

    it('but not a personal copy, unless template_id names it', async () => {
      const yard = await app.endeavour(eve, { name: 'Yard' });
      const { body } = await app.as(eve).get('/templates?origin=template&scope=endeavour&lang=en').expect(200);
      const copy = await app.as(eve).post(`/templates/${body.data[0].id}/fork`).send({ body: 'mine' }).expect(201);
      for (const person of [eve, ada]) expect(await markdownOf(`endeavour/${yard}`, person)).toContain('# Yard');
      expect(await markdownOf(`endeavour/${yard}?template_id=${copy.body.data.id}`, eve)).toBe('mine');
    });

    it('by template_id, of any type, if it is visible and has the right scope', async () => {
      const own = await template('{{ task.id }}', { type: 'checklist' });
      expect(await markdownOf(`task/${task}?template_id=${own}`)).toBe(task);
      const faultOf = async (id: string, person = ann) =>
        fields((await report(`task/${task}?template_id=${id}`, person).expect(400)).body);
      expect(await faultOf(own, vic)).toEqual(['template_id reference_not_found']);
      expect(await faultOf(newId('template'))).toEqual(['template_id reference_not_found']);
      expect(await faultOf(await template('x', { scope: 'demand' }))).toEqual(['template_id invalid_value']);
      expect(await faultOf('x')).toEqual(['template_id invalid_format']);
      expect(fields((await report(`task/${task}?lang=de_DE&x=1`).expect(400)).body)).toEqual([
        'lang invalid_format',
        'x unknown_field',
      ]);
    });

    it('or return 409 if there is none', async () => {
      const { body: made } = await app
        .as(ann)
        .post('/rituals')
        .send({ name: 'Round', endeavour_id: garden })
        .expect(201);
      const { body } = await report(`ritual/${made.data.id}`).expect(409);
      expect(body.error).toMatchObject({ code: 'conflict', details: { reason: 'no_template' } });
      await template('{{ ritual.name }} {{ run_counts.total }} {{ runs.size }}', { scope: 'ritual' });
      expect(await markdownOf(`ritual/${made.data.id}`)).toBe('Round 0 0');
    });
  });

  it('are available only for entities that the caller sees', async () => {
    await report(`task/${task}`, vic).expect(200);
    await report(`task/${task}`, eve).expect(404);
    await report(`task/${newId('task')}`).expect(404);
    await report(`demand/${task}`).expect(404);
    await report(`planet/${task}`).expect(404);
    await report(`task/x`).expect(404);
    await report(`endeavour/${garden}`, eve).expect(404);
    await report(`organization/${riverside}`, vic).expect(404);
    const own = await template('x');
    await preview(own, { entity_id: task }, eve).expect(404);
    expect(fields((await preview(own, { entity_id: newId('task') }).expect(400)).body)).toEqual([
      'entity_id reference_not_found',
    ]);
    expect(fields((await preview(own, { entity_id: garden }).expect(400)).body)).toEqual([
      'entity_id reference_not_found',
    ]);
    expect(fields((await preview(own, { entity_id: newId('user'), x: 1 }).expect(400)).body)).toEqual([
      'entity_id invalid_format',
      'x unknown_field',
    ]);
  });

  describe('render values', () => {
    it('escaped for Markdown tables, or raw', async () => {
      expect(await tried('| {{ task.title }} | {{ task.description }} |')).toBe(
        '| Paint \\| gate\\\\ | One two \\| three |',
      );
      expect(await tried('{{ task.title | raw }} {{ task.description | raw }}')).toBe(
        'Paint | gate\\ One\ntwo | three',
      );
      expect(await tried('{{ task.nothing }}{{ nothing.at.all }}|{{ task.metadata }}')).toBe('|{}');
    });

    it('as text if they contain HTML or links to anything but web pages', async () => {
      const description =
        '<img src=x onerror=alert(1)> [a](javascript:alert(1)) [b](https://example.org) [c]\n[c]: data:text/html,x\n[d](< javascript:x>)[e]';
      const id = await app.task(ann, garden, { title: '[x](  JavaScript:alert(1))', description });
      const markdown = await tried('{{ task.title }}\n{{ task.description | raw }}', id);
      expect(markdown).toBe(
        '[x&#93;(  JavaScript:alert(1))\n' +
          '&lt;img src=x onerror=alert(1)> [a&#93;(javascript:alert(1)) [b](https://example.org) [c]\n' +
          '[c&#93;: data:text/html,x\n[d&#93;(&lt; javascript:x>)[e&#93;',
      );
    });

    it('with times in the time zone of the endeavour', async () => {
      const late = await app.task(ann, garden, { due_date: '2026-07-01' });
      expect(await tried('{{ task.due_date | date: "%Y-%m-%d %H:%M", timezone }} {{ timezone }}', late)).toBe(
        '2026-07-01 23:59 Europe/Berlin',
      );
    });
  });

  it('of an endeavour contain its work, its people and its daily trend', async () => {
    await app.service.setTime('2026-12-24T12:00:00Z');
    const yard = await app.endeavour(ann, { name: 'Yard', timezone: 'Asia/Tokyo', goals: ['Gate'] });
    const { body: demand } = await app
      .as(ann)
      .post('/demands')
      .send({ title: 'Fence', type: 'story', endeavour_id: yard, priority: 'high' })
      .expect(201);
    const late = await app.task(ann, yard, { title: 'Late', due_date: '2026-12-01', assignee_id: 'me' });
    const done = await app.task(ann, yard, { title: 'Done', demand_id: demand.data.id });
    for (const status of ['active', 'done']) {
      await app.as(ann).patch(`/tasks/${done}`).send({ status, assignee_id: 'me', actual: 2.5 }).expect(200);
    }
    await app.database.query(
      `UPDATE tasks SET created_at = '2026-12-23T16:00:00Z', updated_at = '2026-12-01T00:00:00Z',
         completed_at = CASE WHEN id = $2 THEN timestamptz '2026-12-24T11:00:00Z' END WHERE endeavour_id = $1`,
      [yard, done],
    );
    await app.as(ann).post('/rituals').send({ name: 'Round', endeavour_id: yard }).expect(201);
    const body = `{{ endeavour.name }} {{ endeavour.progress.done }} {{ goals[0].title }} {{ goals[0].status }}
tasks {% for task in tasks %}{{ task.title }},{% endfor %} demands {{ demands[0].title }}
counts {{ counts.tasks.total }} {{ counts.tasks.planned }} {{ counts.tasks.done }} {{ counts.tasks.overdue }} {{ counts.tasks.stale }} {{ counts.tasks.unassigned }} {{ counts.demands.total }} {{ counts.demands.in_progress }}
overdue {{ overdue_tasks | map: "id" }} stale {{ stale_tasks | map: "title" }}
by {{ contributors[0].name }} {{ contributors[0].tasks }} {{ contributors[0].done }} {{ contributors[0].hours }}
days {{ trend.size }} {{ trend.last.day }} {{ trend.last.created }} {{ trend.last.done }} {{ trend[12].created }}
rituals {{ rituals[0].name }} {{ rituals[0].runs.total }}
at {{ generated_at }} {{ lang }}`;
    expect((await tried(body, yard, 'endeavour')).split('\n')).toEqual([
      'Yard 1 Gate open',
      'tasks Late,Done, demands Fence',
      'counts 2 1 1 1 1 0 1 1',
      `overdue ${late} stale Late`,
      'by Ann 2 1 2.5',
      'days 14 2026-12-24 2 1 0',
      'rituals Round 0',
      'at 2026-12-24T12:00:00.000Z en',
    ]);
    expect(await tried('{{ demand.title }} {{ tasks | map: "title" }}', demand.data.id, 'demand')).toBe('Fence Done');
  });

  it('of an organization contain its endeavours that are not archived', async () => {
    const gone = await app.endeavour(ann, { name: 'Gone', organization_id: riverside });
    await app.database.query("UPDATE endeavours SET status = 'archived' WHERE id = $1", [gone]);
    expect(await tried('{{ organization.name }}: {{ endeavours | map: "name" }}', riverside, 'organization')).toBe(
      'Riverside: Garden \\| North',
    );
  });

  it('are built in for every scope and language, and render complete text in each', async () => {
    const { body: demand } = await app
      .as(ann)
      .post('/demands')
      .send({ title: 'Fence', type: 'story', endeavour_id: garden })
      .expect(201);
    const subjects = { task, demand: demand.data.id, endeavour: garden, organization: riverside };
    const { body } = await app.as(ann).get('/templates?origin=template&limit=200').expect(200);
    const texts = new Set<string>();
    for (const { id, scope } of body.data as { id: string; scope: keyof typeof subjects }[]) {
      const markdown = await markdownOf(`${scope}/${subjects[scope]}?template_id=${id}`);
      expect(markdown).toMatch(/^# \w/);
      expect(markdown).not.toMatch(/\{\{|\{%|\[object|undefined|null/);
      const tables = markdown.split(/\n\n+/).filter((block) => block.startsWith('|'));
      for (const table of tables) {
        const cells = table
          .trim()
          .split('\n')
          .map((line) => line.replaceAll(/\\./g, '').split('|').length);
        expect(new Set(cells).size).toBe(1);
      }
      texts.add(markdown);
    }
    expect(texts.size).toBe(16);
  });

  describe('withstand hostile templates', () => {
    /** A replica with a short time limit, which even a good template can exceed on a busy machine. */
    let strict: TestApp;
    beforeAll(async () => (strict = await TestApp.open({ TEMPLATE_TIMEOUT_MS: '2000' }, app)));
    afterAll(() => strict.close());

    const bomb =
      '{% assign s = "xxxxxxxxxx" %}{% for i in (1..40) %}{% capture s %}{{ s }}{{ s }}{% endcapture %}{% endfor %}';

    it.each([
      [
        'a loop without end',
        '{% for i in (1..9999) %}{% for j in (1..9999) %}{% cycle "", "" %}{% endfor %}{% endfor %}',
      ],
      ['a range beyond counting', '{% for i in (1..1000000000) %}x{% endfor %}'],
      ['ten megabytes', `{% for i in (1..100000) %}${'x'.repeat(100)}{% endfor %}`],
      ['text that doubles', bomb],
      ['a slow filter', `{% assign n = (1..1400000) | where_exp: "i", "i${' | plus: 1 | minus: 1'.repeat(50)}" %}`],
      ['one that is broken', '{{ task.title'],
      ['an include', '{% include "package.json" %}'],
    ])('such as %s, with 400, while other requests are served', async (_what, body) => {
      const own = await template('x');
      const refusal = strict.as(ann).post(`/templates/${own}/preview`).send({ entity_id: task, body }).expect(400);
      const [{ body: refused }] = await Promise.all([refusal, strict.as(ann).get(`/tasks/${task}`).expect(200)]);
      expect(fields(refused)).toEqual(['body invalid_format']);
      expect((await preview(own, { entity_id: task }).expect(200)).body.data.markdown).toBe('x');
    });

    it('that read prototypes, with an empty result', async () => {
      const asked = ['constructor', '__proto__', 'toString', 'constructor.constructor', 'metadata.__proto__.polluted'];
      for (const path of asked) expect(await tried(`[{{ task.${path} }}]`)).toBe('[]');
      expect(
        await tried('[{{ "x".constructor.name }}{{ tasks.constructor }}{{ process.env.PEPPER }}{{ global }}]'),
      ).toBe('[]');
      const { body } = await app
        .as(ann)
        .patch(`/tasks/${task}`)
        .send({ metadata: { constructor: 'own' } })
        .expect(200);
      expect(body.data.metadata).toEqual({ constructor: 'own' });
      expect(await tried('{{ task.metadata.constructor }}')).toBe('own');
    });

    it('that are saved, with 400 for the template_id of the report', async () => {
      const own = await template(bomb);
      expect(fields((await report(`task/${task}?template_id=${own}`).expect(400)).body)).toEqual([
        'template_id invalid_format',
      ]);
    });
  });

  it('of a large endeavour show the first 500 of its tasks', async () => {
    const large = await app.endeavour(ann, { name: 'Large' });
    await app.database.query(
      `WITH made AS (SELECT 'tsk_' || md5(n::text) AS id, n FROM generate_series(1, 2000) n),
       placed AS (INSERT INTO entities (id, kind, endeavour_id, title) SELECT id, 'task', $1, 'T' FROM made)
       INSERT INTO tasks (id, title, endeavour_id, owner_id, creator_id, description)
       SELECT id, 'Task ' || n, $1, $2, $2, repeat('words ', 200) FROM made`,
      [large, ann.resourceId],
    );
    const { body } = await report(`endeavour/${large}`).expect(200);
    expect(body.data.markdown).toContain('2000');
    expect(await tried('{{ tasks.size }} {{ counts.tasks.total }}', large, 'endeavour')).toBe('500 2000');
  });

  it('show as many list entries as fit into 2 MiB', async () => {
    const wordy = await app.endeavour(ann, { name: 'Wordy' });
    await app.database.query(
      `WITH made AS (SELECT 'tsk_' || md5('wordy' || n) AS id FROM generate_series(1, 60) n),
       placed AS (INSERT INTO entities (id, kind, endeavour_id, title) SELECT id, 'task', $1, 'T' FROM made)
       INSERT INTO tasks (id, title, endeavour_id, owner_id, creator_id, description)
       SELECT id, 'T', $1, $2, $2, repeat('"', 25000) FROM made`,
      [wordy, ann.resourceId],
    );
    const [shown, total] = (await tried('{{ tasks.size }} {{ counts.tasks.total }}', wordy, 'endeavour')).split(' ');
    // Each quotation mark takes two bytes in JSON.
    const fitting = (bytes: number): number => Math.floor((2 * 1024 * 1024) / bytes);
    expect(Number(shown)).toBeGreaterThanOrEqual(fitting(53_000));
    expect(Number(shown)).toBeLessThanOrEqual(fitting(50_000));
    expect(total).toBe('60');
  });
});
