import { newId } from '../../src/common/ids.js';
import { Clock } from '../../src/platform/jobs/clock.js';
import { House, type Person } from '../support/house.js';

const fields = (body: { error: { details: { fields: { field: string; code: string }[] } } }): string[] =>
  body.error.details.fields.map(({ field, code }) => `${field} ${code}`);

describe('reports', () => {
  let house: House;
  let ada: Person;
  let ann: Person;
  let vic: Person;
  let eve: Person;
  let garden: string;
  let riverside: string;
  let task: string;

  beforeAll(async () => {
    house = await House.open();
    [ada, ann, vic, eve] = [
      await house.admin('Ada'),
      await house.person('Ann'),
      await house.person('Vic'),
      await house.person('Eve'),
    ];
    riverside = await house.organization(ann, { name: 'Riverside' });
    garden = await house.endeavour(ann, { name: 'Garden | North', lang: 'de', timezone: 'Europe/Berlin' });
    await house.link(riverside, garden);
    await house.join(garden, vic, 'viewer');
    task = await house.task(ann, garden, { title: 'Paint | gate\\', description: 'One\ntwo | three' });
  });

  afterAll(() => house.close());

  const report = (path: string, person = ann) => house.as(person).get(`/reports/${path}`);
  const markdownOf = async (path: string, person = ann): Promise<string> =>
    (await report(path, person).expect(200)).body.data.markdown;
  const template = async (body: string, more: object = {}, person = ann): Promise<string> => {
    const sent = { name: 'Own', scope: 'task', organization_id: riverside, body, ...more };
    return (await house.as(person).post('/templates').send(sent).expect(201)).body.data.id;
  };
  const preview = (id: string, body: object, person = ann) =>
    house.as(person).post(`/templates/${id}/preview`).send(body);
  /** What a template makes of the task, without being saved. */
  const tried = async (body: string, entity = task, scope = 'task'): Promise<string> => {
    const { body: found } = await house.as(ann).get(`/templates?origin=template&lang=en&scope=${scope}`).expect(200);
    return (await preview(found.data[0].id, { entity_id: entity, body }).expect(200)).body.data.markdown;
  };

  /** How long another request takes meanwhile. */
  const ping = async (): Promise<number> => {
    const asked = performance.now();
    await house.as(ann).get(`/tasks/${task}`).expect(200);
    return performance.now() - asked;
  };

  describe('choose their template', () => {
    it('in the asked language, else the endeavour’s, else English', async () => {
      const { body } = await report(`task/${task}`).expect(200);
      expect(body.data).toEqual({
        scope: 'task',
        entity_id: task,
        template_id: expect.stringMatching(/^tpl_00000000000070008000/),
        title: 'Aufgabenbericht: Paint | gate\\',
        markdown: expect.stringContaining('# Paint'),
        generated_at: expect.stringMatching(/Z$/),
      });
      const titleOf = async (lang: string) => (await report(`task/${task}?lang=${lang}`).expect(200)).body.data.title;
      expect(await titleOf('fr')).toMatch(/^Rapport de tâche/);
      expect(await titleOf('es-MX')).toMatch(/^Informe de tarea/);
      expect(await titleOf('ja')).toMatch(/^Aufgabenbericht/);
      expect((await report(`organization/${riverside}?lang=ja`).expect(200)).body.data.title).toMatch(/^Organization/);
    });

    it('as the newest that one may see and that is active and a report', async () => {
      const yard = await house.endeavour(ann, { name: 'Yard' });
      const own = await template('own', { scope: 'endeavour' });
      await template('list', { scope: 'endeavour', type: 'checklist' });
      expect(await markdownOf(`endeavour/${yard}`)).toBe('own');
      await house.join(yard, vic, 'viewer');
      expect(await markdownOf(`endeavour/${yard}`, vic)).toContain('# Yard');
      await house.as(ann).patch(`/templates/${own}`).send({ status: 'archived' }).expect(200);
      expect(await markdownOf(`endeavour/${yard}`)).toContain('# Yard');
    });

    it('and not somebody’s personal copy, for administrators', async () => {
      const yard = await house.endeavour(eve, { name: 'Yard' });
      const { body } = await house.as(eve).get('/templates?origin=template&scope=endeavour&lang=en').expect(200);
      await house.as(eve).post(`/templates/${body.data[0].id}/fork`).send({ body: 'mine' }).expect(201);
      expect(await markdownOf(`endeavour/${yard}`, eve)).toBe('mine');
      expect(await markdownOf(`endeavour/${yard}`, ada)).toContain('# Yard');
    });

    it('as it is given, of whatever type, if it is visible and of the scope', async () => {
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

    it('or say that there is none', async () => {
      const { body: made } = await house
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

  it('are about what one sees, and about nothing else', async () => {
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

  describe('put out values', () => {
    it('so that they can stand in a table, or raw', async () => {
      expect(await tried('| {{ task.title }} | {{ task.description }} |')).toBe(
        '| Paint \\| gate\\\\ | One two \\| three |',
      );
      expect(await tried('{{ task.title | raw }} {{ task.description | raw }}')).toBe(
        'Paint | gate\\ One\ntwo | three',
      );
      expect(await tried('{{ task.nothing }}{{ nothing.at.all }}|{{ task.metadata }}')).toBe('|{}');
    });

    it('with times in the zone of the endeavour', async () => {
      const late = await house.task(ann, garden, { due_date: '2026-07-01' });
      expect(await tried('{{ task.due_date | date: "%Y-%m-%d %H:%M", timezone }} {{ timezone }}', late)).toBe(
        '2026-07-01 23:59 Europe/Berlin',
      );
    });
  });

  it('of an endeavour know its work, its people and its days', async () => {
    jest.spyOn(house.app.get(Clock), 'now').mockImplementation(() => new Date('2026-12-24T12:00:00Z'));
    const yard = await house.endeavour(ann, { name: 'Yard', timezone: 'Asia/Tokyo', goals: ['Gate'] });
    const { body: demand } = await house
      .as(ann)
      .post('/demands')
      .send({ title: 'Fence', type: 'story', endeavour_id: yard, priority: 'high' })
      .expect(201);
    const late = await house.task(ann, yard, { title: 'Late', due_date: '2026-12-01', assignee_id: 'me' });
    const done = await house.task(ann, yard, { title: 'Done', demand_id: demand.data.id });
    for (const status of ['active', 'done']) {
      await house.as(ann).patch(`/tasks/${done}`).send({ status, assignee_id: 'me', actual: 2.5 }).expect(200);
    }
    await house.database.query(
      `UPDATE tasks SET created_at = '2026-12-23T16:00:00Z', updated_at = '2026-12-01T00:00:00Z',
         completed_at = CASE WHEN id = $2 THEN timestamptz '2026-12-24T11:00:00Z' END WHERE endeavour_id = $1`,
      [yard, done],
    );
    await house.as(ann).post('/rituals').send({ name: 'Round', endeavour_id: yard }).expect(201);
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
    jest.restoreAllMocks();
  });

  it('of an organization know its endeavours', async () => {
    const gone = await house.endeavour(ann, { name: 'Gone', organization_id: riverside });
    await house.database.query("UPDATE endeavours SET status = 'archived' WHERE id = $1", [gone]);
    expect(await tried('{{ organization.name }}: {{ endeavours | map: "name" }}', riverside, 'organization')).toBe(
      'Riverside: Garden \\| North',
    );
  });

  it('are built in for every scope and language, and say something in each', async () => {
    const { body: demand } = await house
      .as(ann)
      .post('/demands')
      .send({ title: 'Fence', type: 'story', endeavour_id: garden })
      .expect(201);
    const subjects = { task, demand: demand.data.id, endeavour: garden, organization: riverside };
    const { body } = await house.as(ann).get('/templates?origin=template&limit=200').expect(200);
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

  describe('stand hostile templates', () => {
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
      ['a slow filter', `{% assign n = (1..1400000) | where_exp: "i", "i${' | plus: 1 | minus: 1'.repeat(5)}" %}`],
      ['one that is broken', '{{ task.title'],
      ['an include', '{% include "package.json" %}'],
    ])('such as %s, with 400 in time, while others are served', async (_what, body) => {
      const own = await template('x');
      const started = performance.now();
      const pings: Promise<number>[] = [];
      const timer = setInterval(() => pings.push(ping()), 100);
      const { body: refused } = await preview(own, { entity_id: task, body }).expect(400);
      clearInterval(timer);
      expect(performance.now() - started).toBeLessThan(6_000);
      expect(Math.max(0, ...(await Promise.all(pings)))).toBeLessThan(1_000);
      expect(fields(refused)).toEqual(['body invalid_format']);
      expect((await preview(own, { entity_id: task }).expect(200)).body.data.markdown).toBe('x');
    });

    it('that ask for prototypes, with nothing', async () => {
      const asked = ['constructor', '__proto__', 'toString', 'constructor.constructor', 'metadata.__proto__.polluted'];
      for (const path of asked) expect(await tried(`[{{ task.${path} }}]`)).toBe('[]');
      expect(
        await tried('[{{ "x".constructor.name }}{{ tasks.constructor }}{{ process.env.PEPPER }}{{ global }}]'),
      ).toBe('[]');
      const { body } = await house
        .as(ann)
        .patch(`/tasks/${task}`)
        .send({ metadata: { constructor: 'own' } })
        .expect(200);
      expect(body.data.metadata).toEqual({ constructor: 'own' });
      expect(await tried('{{ task.metadata.constructor }}')).toBe('own');
    });

    it('that were saved, with 400 on the template of the report', async () => {
      const own = await template(bomb);
      expect(fields((await report(`task/${task}?template_id=${own}`).expect(400)).body)).toEqual([
        'template_id invalid_format',
      ]);
    });
  });

  it('of a large endeavour come in time', async () => {
    const large = await house.endeavour(ann, { name: 'Large' });
    await house.database.query(
      `WITH made AS (SELECT 'tsk_' || md5(n::text) AS id, n FROM generate_series(1, 2000) n),
       placed AS (INSERT INTO entities (id, kind, endeavour_id, title) SELECT id, 'task', $1, 'T' FROM made)
       INSERT INTO tasks (id, title, endeavour_id, owner_id, creator_id, description)
       SELECT id, 'Task ' || n, $1, $2, $2, repeat('words ', 200) FROM made`,
      [large, ann.resourceId],
    );
    const started = performance.now();
    const { body } = await report(`endeavour/${large}`).expect(200);
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(body.data.markdown).toContain('2000');
    expect(await tried('{{ tasks.size }} {{ counts.tasks.total }}', large, 'endeavour')).toBe('500 2000');
  });
});
