import { SchedulesService } from '../../src/modules/rituals/schedules/schedules.service.js';
import { Clock } from '../../src/platform/jobs/clock.js';
import { InProcessApp } from '../support/in-process-app.js';
import { fieldErrorsOf } from '../support/refusals.js';
import type { Person } from '../support/test-app.js';
import { tokenOf } from '../support/tokens.js';

describe('a ritual with the length of an iteration', () => {
  let app: InProcessApp;
  let ann: Person;
  let yard: string;
  let now: Date;

  beforeAll(async () => {
    app = await InProcessApp.open();
    jest.spyOn(app.nest.get(Clock), 'now').mockImplementation(() => now);
    ann = await app.person('Ann');
  });

  beforeEach(async () => {
    now = new Date('2026-10-24T22:30:00Z');
    yard = await app.endeavour(ann, { name: 'Yard', timezone: 'Europe/Berlin' });
  });

  afterEach(() => app.database.query('UPDATE rituals SET is_enabled = false WHERE endeavour_id = $1', [yard]));

  afterAll(() => app.close());

  const create = (more: object = {}, person = ann) =>
    app
      .as(person)
      .post('/rituals')
      .send({ name: 'Sprint Planning', endeavour_id: yard, iteration_days: 14, ...more });
  const made = async (more: object = {}): Promise<string> => (await create(more).expect(201)).body.data.id;
  const run = (ritual_id: string, person = ann) => app.as(person).post('/ritual-runs').send({ ritual_id });
  const iterations = async (): Promise<Record<string, unknown>[]> =>
    (await app.as(ann).get(`/iterations?endeavour_id=${yard}&sort=start_day`).expect(200)).body.data;
  const daysOf = async (): Promise<unknown[]> =>
    (await iterations()).map(({ name, start_day, end_day }) => [name, start_day, end_day]);

  it('plans one that begins today in the time zone, and the next one behind it once it has started', async () => {
    const ritual = await made();
    expect((await run(ritual).expect(201)).body.data.task_errors).toEqual([]);
    await run(ritual).expect(201);
    expect(await daysOf()).toEqual([['Iteration 1', '2026-10-25', '2026-11-07']]);
    const [{ id, created_by }] = await iterations();
    expect(created_by).toBe(ann.resourceId);
    await app
      .as(ann)
      .patch(`/iterations/${String(id)}`)
      .send({ status: 'active', name: 'Sprint 41' })
      .expect(200);
    await run(ritual).expect(201);
    expect(await daysOf()).toEqual([
      ['Sprint 41', '2026-10-25', '2026-11-07'],
      ['Sprint 42', '2026-11-08', '2026-11-21'],
    ]);
  });

  it('plans them on its schedule', async () => {
    await made({ schedule: { type: 'cron', expression: '* * * * *' }, iteration_days: 1 });
    now = new Date(now.getTime() + 60_000);
    await app.nest.get(SchedulesService, { strict: false }).runDue();
    expect(await daysOf()).toEqual([['Iteration 1', '2026-10-25', '2026-10-25']]);
  });

  it('says in the run why it could not plan one', async () => {
    const ritual = await made();
    const first = { name: 'First', endeavour_id: yard, start_day: '2026-01-05', end_day: '2026-01-16' };
    const id = (await app.as(ann).post('/iterations').send(first).expect(201)).body.data.id;
    await app.as(ann).patch(`/iterations/${id}`).send({ status: 'active' }).expect(200);
    await app.database.query(
      `WITH copies AS (SELECT 'itr_' || replace(gen_random_uuid()::text, '-', '') AS id FROM generate_series(1, 999)),
         placed AS (INSERT INTO entities (id, kind, endeavour_id, title) SELECT c.id, 'iteration', $2, 'First' FROM copies c)
       INSERT INTO iterations (id, name, endeavour_id, start_day, end_day, status, started_at, closed_at, created_by)
       SELECT c.id, i.name, i.endeavour_id, i.start_day, i.end_day, 'closed', now(), now(), i.created_by
       FROM copies c, iterations i WHERE i.id = $1`,
      [id, yard],
    );
    const { body } = await run(ritual).expect(201);
    expect(body.data.task_errors).toEqual([expect.objectContaining({ field: 'iteration_days', code: 'out_of_range' })]);
  });

  it('can be changed and forked, and needs a token that may write endeavours', async () => {
    for (const iteration_days of [0, 367, 1.5]) {
      expect(fieldErrorsOf((await create({ iteration_days }).expect(400)).body)[0]).toMatch(/^iteration_days /);
    }
    const ritual = await made();
    const { body } = await app.as(ann).post(`/rituals/${ritual}/fork`).send({ endeavour_id: yard }).expect(201);
    expect(body.data.iteration_days).toBe(14);
    const cleared = await app.as(ann).patch(`/rituals/${ritual}`).send({ iteration_days: null }).expect(200);
    expect(cleared.body.data.iteration_days).toBeNull();
    await run(ritual).expect(201);
    expect(await iterations()).toEqual([]);
    const token = await tokenOf(app, ann, { scopes: ['rituals:write'] });
    await create({}, token).expect(403);
    await create({ iteration_days: undefined }, token).expect(201);
    await run(body.data.id, token).expect(403);
  });
});
