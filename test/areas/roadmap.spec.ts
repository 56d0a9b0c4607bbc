import { TestApp, type Person } from '../support/test-app.js';
import { fieldErrorsOf } from '../support/refusals.js';

describe('the roadmap of an endeavour', () => {
  let app: TestApp;
  let [ann, vic, eve]: Person[] = [];
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open({ LIMIT_WRITES_PER_MINUTE: '100000' });
    [ann, vic, eve] = [await app.person('Ann', { tier: 3 }), await app.person('Vic'), await app.person('Eve')];
  });

  beforeEach(async () => {
    const goals = [
      { title: 'Later' },
      { title: 'Pond', due_day: '2027-06-01' },
      { title: 'Path', due_day: '2027-05-01' },
    ];
    garden = await app.endeavour(ann, { name: 'Garden', timezone: 'Asia/Tokyo', goals });
    await app.join(garden, vic, 'viewer');
  });

  afterAll(() => app.close());

  const roadmap = async (query = '', person = vic) =>
    (await app.as(person).get(`/endeavours/${garden}/roadmap${query}`).expect(200)).body.data;
  const picture = async (query = '?format=svg') => {
    const response = await app.as(vic).get(`/endeavours/${garden}/roadmap${query}`).buffer(true);
    return { ...response, text: response.text ?? String(response.body) };
  };
  const iteration = async (name: string, start_day: string, end_day: string): Promise<string> => {
    const sent = { name, endeavour_id: garden, start_day, end_day };
    return (await app.as(ann).post('/iterations').send(sent).expect(201)).body.data.id;
  };
  const titles = (things: { title?: string; name?: string }[]) => things.map(({ title, name }) => title ?? name);

  it('shows goals with their work, iterations and dated demands in the order of their days', async () => {
    const [later, pond, path] = (await app.as(ann).get(`/endeavours/${garden}`)).body.data.goals;
    const may = await iteration('May', '2027-05-01', '2027-05-14');
    await iteration('April', '2027-04-15', '2027-04-30');
    await app.demand(ann, garden, { title: 'Undated', goal_id: pond.id });
    const dug = await app.demand(ann, garden, {
      title: 'Dig',
      start_date: '2027-05-03',
      due_date: '2027-05-09T15:00:00Z',
      goal_id: path.id,
      iteration_id: may,
    });
    const early = await app.demand(ann, garden, { title: 'Plan', due_day: '2027-05-02', goal_id: path.id });
    await app.as(ann).patch(`/demands/${early}`).send({ status: 'in_progress' }).expect(200);
    await app.as(ann).patch(`/demands/${early}`).send({ status: 'fulfilled' }).expect(200);
    await app.task(ann, garden, { goal_id: path.id });
    const over = await app.task(ann, garden, { goal_id: path.id });
    await app.as(ann).patch(`/tasks/${over}`).send({ status: 'canceled', canceled_reason: 'Rain' }).expect(200);
    const data = await roadmap();
    const none = { open: 0, done: 0, canceled: 0 };
    expect(data).toMatchObject({ endeavour_id: garden, timezone: 'Asia/Tokyo' });
    expect(data.goals).toEqual([
      {
        id: path.id,
        title: 'Path',
        status: 'open',
        due_day: '2027-05-01',
        tasks: { open: 1, done: 0, canceled: 1 },
        demands: { open: 1, done: 1, canceled: 0 },
      },
      {
        id: pond.id,
        title: 'Pond',
        status: 'open',
        due_day: '2027-06-01',
        tasks: none,
        demands: { ...none, open: 1 },
      },
      { id: later.id, title: 'Later', status: 'open', due_day: null, tasks: none, demands: none },
    ]);
    expect(titles(data.iterations)).toEqual(['April', 'May']);
    expect(titles(data.demands)).toEqual(['Plan', 'Dig']);
    expect(data.demands[1]).toEqual({
      id: dug,
      key: expect.stringMatching(/^[A-Z0-9]+-\d+$/),
      type: expect.any(String),
      title: 'Dig',
      status: 'open',
      goal_id: path.id,
      iteration_id: may,
      start_date: '2027-05-03',
      due_day: '2027-05-10',
    });
    expect(data.omitted).toEqual({ iterations: 0, demands: 0 });
    await app.as(eve).get(`/endeavours/${garden}/roadmap`).expect(404);
  });

  it('shows only what has days in the period', async () => {
    await iteration('April', '2027-04-15', '2027-04-30');
    await iteration('May', '2027-05-01', '2027-05-14');
    await app.demand(ann, garden, { title: 'Long', start_date: '2027-04-01', due_day: '2027-07-01' });
    await app.demand(ann, garden, { title: 'Open', start_date: '2027-05-20' });
    await app.demand(ann, garden, { title: 'Due', due_day: '2027-04-30' });
    const shown = async (query: string) => {
      const { goals, iterations, demands } = await roadmap(query);
      return [goals, iterations, demands].map(titles);
    };
    expect(await shown('?from=2027-05-01&to=2027-05-19')).toEqual([['Path', 'Later'], ['May'], ['Long']]);
    expect(await shown('?from=2027-05-20')).toEqual([['Pond', 'Later'], [], ['Long', 'Open']]);
    expect(await shown('?to=2027-04-30')).toEqual([['Later'], ['April'], ['Long', 'Due']]);
    const refused = await app.as(vic).get(`/endeavours/${garden}/roadmap?from=soon&until=x&format=png`).expect(400);
    expect(fieldErrorsOf(refused.body).sort()).toEqual([
      'format invalid_value',
      'from invalid_date',
      'until unknown_field',
    ]);
    const turned = await app.as(vic).get(`/endeavours/${garden}/roadmap?from=2027-05-02&to=2027-05-01`).expect(400);
    expect(fieldErrorsOf(turned.body)).toEqual(['to out_of_range']);
  });

  it('says how much it leaves out', async () => {
    await app.demand(ann, garden, { title: 'First', due_day: '2027-01-01' });
    await app.database.query(
      `WITH copies AS (SELECT 'dmd_' || md5($1 || n) AS id, n FROM generate_series(1, 501) n),
         placed AS (INSERT INTO entities (id, kind, endeavour_id, title) SELECT c.id, 'demand', $1, 'Copy' FROM copies c)
       INSERT INTO demands (id, type, title, endeavour_id, owner_id, creator_id, due_day)
       SELECT c.id, 'story', 'Copy', $1, $2, $2, '2027-02-01' FROM copies c`,
      [garden, ann.resourceId],
    );
    await app.database.query(
      `WITH copies AS (SELECT 'itr_' || md5($1 || n) AS id FROM generate_series(1, 103) n),
         placed AS (INSERT INTO entities (id, kind, endeavour_id, title) SELECT c.id, 'iteration', $1, 'Round' FROM copies c)
       INSERT INTO iterations (id, name, endeavour_id, start_day, end_day, created_by)
       SELECT c.id, 'Round', $1, '2027-02-01', '2027-02-02', $2 FROM copies c`,
      [garden, ann.resourceId],
    );
    const data = await roadmap();
    expect(data.omitted).toEqual({ iterations: 3, demands: 2 });
    expect([data.iterations, data.demands].map(({ length }) => length)).toEqual([100, 500]);
    expect(data.demands[0].title).toBe('First');
    expect((await picture()).text).toContain('Left out: 3 iterations, 2 demands');
  });

  it('is a picture by its format, or by Accept', async () => {
    await iteration('May & June', '2027-05-01', '2027-05-14');
    await app.demand(ann, garden, { title: '<script>"Dig"', start_date: '2027-05-03' });
    const { text, headers, status } = await picture();
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('image/svg+xml; charset=utf-8');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(text).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    expect(text).toContain('May &amp; June');
    expect(text).toContain('&lt;script&gt;&quot;Dig&quot;');
    expect(text).not.toContain('<script');
    // One mark for each goal with a day, and one bar for the iteration and the demand.
    expect(text.match(/<path class="goal"/g)).toHaveLength(2);
    expect(text.match(/<rect class="(?:iteration|demand)"/g)).toHaveLength(2);
    expect(text).toContain('2027-05-01');
    const accepted = await app.as(vic).get(`/endeavours/${garden}/roadmap`).set('Accept', 'image/svg+xml').expect(200);
    expect(accepted.headers['content-type']).toContain('image/svg+xml');
    const json = await app.as(vic).get(`/endeavours/${garden}/roadmap?format=json`).set('Accept', 'image/svg+xml');
    expect(json.body.data.endeavour_id).toBe(garden);
  });

  it('of an endeavour without any days is empty', async () => {
    await app.as(ann).patch(`/endeavours/${garden}`).send({ goals: [] }).expect(200);
    expect(await roadmap()).toMatchObject({ goals: [], iterations: [], demands: [] });
    expect((await picture()).text).toContain('Roadmap of Garden');
  });
});
