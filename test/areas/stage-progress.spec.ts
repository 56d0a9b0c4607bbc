import { TestApp, type Person } from '../support/test-app.js';

interface Flow {
  name: string;
  sizes: number[];
  time: object;
  age: { tasks: number };
}

describe('the progress by stage', () => {
  let app: TestApp;
  let [ann, vic]: Person[] = [];
  let garden: string;
  let stages: { id: string; name: string }[];

  beforeAll(async () => {
    app = await TestApp.open();
    [ann, vic] = [await app.person('Ann', { tier: 3 }), await app.person('Vic')];
  });

  afterAll(() => app.close());

  beforeEach(async () => {
    garden = await app.endeavour(ann, {
      timezone: 'Europe/Berlin',
      stages: [
        { name: 'Backlog', status: 'planned' },
        { name: 'Doing', status: 'active' },
        { name: 'Review', status: 'active' },
        { name: 'Shipped', status: 'done' },
      ],
    });
    await app.join(garden, vic, 'viewer');
    ({ stages } = (await app.as(ann).get(`/endeavours/${garden}`).expect(200)).body.data);
  });

  const progress = async (query: string, endeavour = garden) =>
    (await app.as(vic).get(`/endeavours/${endeavour}/progress?by=stage&${query}`).expect(200)).body.data;
  const flows = async (query: string): Promise<string[]> =>
    ((await progress(query)).stages as Flow[]).map(({ name, sizes }) => `${name} ${sizes.join(' ')}`);
  const patch = (id: string, body: object) => app.as(ann).patch(`/tasks/${id}`).send(body).expect(200);
  /** Creates a task, moves it through the stages now, and backdates when it entered them. */
  const task = async (steps: [stage: string, at: string][], more: object = {}): Promise<string> => {
    const id = await app.task(ann, garden, more);
    for (const [stage] of steps.slice(1)) await patch(id, { stage });
    const times = steps.map(([, at]) => at);
    await app.database.query(
      `UPDATE task_stages s SET entered_at = ($2::timestamptz[])[place.n], left_at = ($2::timestamptz[])[place.n + 1]
       FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM task_stages WHERE task_id = $1) place
       WHERE place.id = s.id`,
      [id, times],
    );
    return id;
  };
  const history = (id: string) =>
    app.database.query(
      `SELECT stage, left_at IS NULL AS is_current FROM task_stages WHERE task_id = $1 ORDER BY task_stages.id`,
      [id],
    );

  beforeEach(async () => {
    await task([['Backlog', '2023-03-01T10:00:00Z']], { points: 8 });
    await task(
      [
        ['Backlog', '2023-03-01T10:00:00Z'],
        ['Doing', '2023-03-02T10:00:00Z'],
        ['Review', '2023-03-03T10:00:00Z'],
        ['Doing', '2023-03-03T16:00:00Z'],
      ],
      { points: 3 },
    );
    await task(
      [
        ['Backlog', '2023-03-02T10:00:00Z'],
        ['Doing', '2023-03-02T12:00:00Z'],
        ['Shipped', '2023-03-04T12:00:00Z'],
      ],
      { points: 1 },
    );
  });

  it('is how many tasks were in each stage at the end of each day, and how long', async () => {
    const { stages: found } = await progress('from=2023-03-01&to=2023-03-04');
    expect(found).toEqual([
      {
        id: stages[0].id,
        name: 'Backlog',
        status: 'planned',
        sizes: [2, 1, 1, 1],
        time: { tasks: 2, median_hours: 13, p85_hours: 20.7 },
        age: { tasks: 1, median_hours: expect.any(Number), p85_hours: expect.any(Number) },
      },
      {
        id: stages[1].id,
        name: 'Doing',
        status: 'active',
        sizes: [0, 2, 2, 1],
        time: { tasks: 2, median_hours: 36, p85_hours: 44.4 },
        age: expect.objectContaining({ tasks: 1 }),
      },
      {
        id: stages[2].id,
        name: 'Review',
        status: 'active',
        sizes: [0, 0, 0, 0],
        time: { tasks: 1, median_hours: 6, p85_hours: 6 },
        age: { tasks: 0, median_hours: null, p85_hours: null },
      },
      {
        id: stages[3].id,
        name: 'Shipped',
        status: 'done',
        sizes: [0, 0, 0, 1],
        time: { tasks: 0, median_hours: null, p85_hours: null },
        age: expect.objectContaining({ tasks: 1 }),
      },
    ]);
  });

  it('takes weeks, measures, parts and periods that are over', async () => {
    expect(await flows('from=2023-03-01&to=2023-03-02')).toEqual([
      'Backlog 2 1',
      'Doing 0 2',
      'Review 0 0',
      'Shipped 0 0',
    ]);
    expect(await flows('from=2023-03-01&to=2023-03-04&measure=points')).toEqual([
      'Backlog 11 8 8 8',
      'Doing 0 4 4 3',
      'Review 0 0 0 0',
      'Shipped 0 0 0 1',
    ]);
    expect(await flows('interval=week&from=2023-02-20&to=2023-03-04')).toEqual([
      'Backlog 0 1',
      'Doing 0 1',
      'Review 0 0',
      'Shipped 0 1',
    ]);
    const whole = await app.task(ann, garden);
    await task([['Backlog', '2023-03-04T10:00:00Z']], { parent_id: whole });
    expect(await flows(`from=2023-03-03&to=2023-03-04&under=${whole}`)).toEqual([
      'Backlog 0 1',
      'Doing 0 0',
      'Review 0 0',
      'Shipped 0 0',
    ]);
  });

  it('is drawn by stage where the endeavour has any', async () => {
    const drawn = async (query: string, endeavour = garden): Promise<string[]> => {
      const request = app.as(vic).get(`/endeavours/${endeavour}/progress?${query}`).set('Accept', 'image/svg+xml');
      const svg = String((await request.expect(200)).body);
      expect(svg).not.toMatch(/NaN|undefined/);
      return [...svg.matchAll(/<path class="(\w+)"(?: opacity="([\d.]+)")? d="[^"]*"><title>([^<]*)</g)].map(
        ([, color, opacity = '1', name]) => `${name} ${color} ${opacity}`,
      );
    };
    const byStage = ['Shipped done 1', 'Review active 0.65', 'Doing active 1', 'Backlog planned 1'];
    const byStatus = ['done done 1', 'canceled canceled 1', 'active active 1', 'planned planned 1'];
    expect(await drawn('by=stage')).toEqual(byStage);
    expect(await drawn('by=stage&interval=week')).toEqual(byStage);
    expect(await drawn('by=status')).toEqual(byStatus);
    const plain = await app.endeavour(ann);
    await app.join(plain, vic, 'viewer');
    expect(await drawn('by=stage', plain)).toEqual(byStatus);
  });

  it('is absent unless it is asked for, and empty without stages', async () => {
    const { body } = await app.as(vic).get(`/endeavours/${garden}/progress?by=status`).expect(200);
    expect(body.data.stages).toBeNull();
    const plain = await app.endeavour(ann);
    await app.join(plain, vic, 'viewer');
    expect((await progress('', plain)).stages).toEqual([]);
    const refused = await app.as(vic).get(`/endeavours/${garden}/progress?by=assignee`).expect(400);
    expect(refused.body.error.details.fields).toMatchObject([{ field: 'by', code: 'invalid_value' }]);
  });

  it('records what a task enters and leaves, in the endeavour where it was', async () => {
    const id = await app.task(ann, garden);
    await patch(id, { stage: 'Doing' });
    await patch(id, { title: 'Same' });
    await patch(id, { status: 'canceled', canceled_reason: 'Rain' });
    await patch(id, { status: 'planned' });
    const [backlog, doing] = stages.map((stage) => stage.id);
    expect(await history(id)).toEqual([
      { stage: backlog, is_current: false },
      { stage: doing, is_current: false },
      { stage: backlog, is_current: true },
    ]);
    const plain = await app.endeavour(ann);
    await patch(id, { endeavour_id: plain });
    expect((await history(id)).map(({ is_current: isCurrent }) => isCurrent)).toEqual([false, false, false]);
    const untouched = await app.task(ann, plain);
    await patch(untouched, { status: 'active' });
    expect(await history(untouched)).toEqual([]);
  });

  it('counts tasks from before the stages in the first one of their status', async () => {
    const plain = await app.endeavour(ann);
    await app.join(plain, vic, 'viewer');
    await app.task(ann, plain);
    await app
      .as(ann)
      .patch(`/endeavours/${plain}`)
      .send({ stages: [{ name: 'First', status: 'planned' }] })
      .expect(200);
    const [first] = (await progress('', plain)).stages as Flow[];
    expect([first.sizes.at(-1), first.age.tasks]).toEqual([1, 1]);
  });
});
