import { forecastOf } from '../../src/modules/tasks/progress/forecast.rules.js';
import { TestApp, type Person } from '../support/test-app.js';

type Status = 'planned' | 'active' | 'done' | 'canceled';
type Step = [status: Status, at: string];

interface Interval extends Record<Status | 'created' | 'completed' | 'closed' | 'reopened' | 'hours', number> {
  date: string;
  starts_at: string;
  ends_at: string;
}

describe('the progress of an endeavour', () => {
  let app: TestApp;
  let ann: Person;
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open({ WORKERS: 'true', LIMIT_WRITES_PER_MINUTE: '100000' });
    ann = await app.person('Ann', { tier: 3 });
  });

  beforeEach(async () => {
    garden = await app.endeavour(ann, { timezone: 'Europe/Berlin' });
  });

  afterAll(() => app.close());

  const progress = async (query = '', endeavour = garden) =>
    (await app.as(ann).get(`/endeavours/${endeavour}/progress${query}`).expect(200)).body.data;
  const move = (task: string, status: Status, more: object = {}) =>
    app
      .as(ann)
      .patch(`/tasks/${task}`)
      .send({ status, ...(status === 'canceled' && { canceled_reason: 'No' }), ...more })
      .expect(200);
  /** Creates a task, makes the status changes now and backdates them. */
  const task = async (steps: Step[], more: object = {}): Promise<string> => {
    const id = await app.task(ann, garden);
    for (const [status] of steps.slice(1)) await move(id, status, status === 'done' ? more : {});
    await date(id, steps);
    return id;
  };
  const date = async (id: string, steps: Step[]): Promise<void> => {
    const times = steps.map(([, at]) => at);
    const started = steps.find(([status]) => status === 'active')?.[1] ?? null;
    await app.database.query(
      `UPDATE task_statuses s SET entered_at = ($2::timestamptz[])[place.n], left_at = ($2::timestamptz[])[place.n + 1],
         started_at = CASE WHEN s.status = 'done' THEN $3::timestamptz END
       FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM task_statuses WHERE task_id = $1) place
       WHERE place.id = s.id`,
      [id, times, started],
    );
    await app.database.query(
      `UPDATE task_statuses s SET closed_again_at = closing.again
       FROM (SELECT id, lead(entered_at) OVER (ORDER BY id) AS again FROM task_statuses
         WHERE task_id = $1 AND status IN ('done', 'canceled')) closing
       WHERE s.id = closing.id`,
      [id],
    );
    await app.database.query('UPDATE tasks SET created_at = $2, started_at = $3 WHERE id = $1', [
      id,
      times[0],
      started,
    ]);
  };
  const shown = ({ date: day, planned, active, done, canceled, created, completed, closed, hours }: Interval) =>
    `${day} ${[planned, active, done, canceled].join(' ')} +${created} ${completed}/${closed} ${hours}h`;

  it('shows the hours that were spent in the period, by who did the work', async () => {
    const bob = await app.person('Bob');
    await app.join(garden, bob, 'member');
    const [whole, part] = [await app.task(ann, garden), await app.task(ann, garden)];
    await app.as(ann).patch(`/tasks/${part}`).send({ parent_id: whole }).expect(200);
    const spend = (person: Person, task_id: string, minutes: number, day: string) =>
      app.as(person).post('/time-entries').send({ task_id, minutes, day }).expect(201);
    await spend(ann, whole, 40, '2023-05-02');
    await spend(bob, part, 60, '2023-05-01');
    await spend(bob, whole, 30, '2023-05-02');
    await spend(bob, whole, 600, '2023-04-30');
    await spend(bob, whole, 600, '2023-05-03');
    const spent = async (query = '') => (await progress(`?from=2023-05-01&to=2023-05-02${query}`)).time_spent;
    const [own, other] = [
      { resource_id: ann.resourceId, resource_name: 'Ann' },
      { resource_id: bob.resourceId, resource_name: 'Bob' },
    ];
    expect(await spent()).toEqual({
      hours: 2.17,
      resources: [
        { ...other, hours: 1.5 },
        { ...own, hours: 0.67 },
      ],
      omitted: 0,
    });
    expect(await spent(`&under=${whole}`)).toEqual({ hours: 1, resources: [{ ...other, hours: 1 }], omitted: 0 });
    expect((await progress('?from=2023-06-01&to=2023-06-02')).time_spent).toEqual({
      hours: 0,
      resources: [],
      omitted: 0,
    });
  });

  it('counts tasks by status at the end of each day in its time zone', async () => {
    // In Berlin the days of this period begin at 22:00 UTC, and from the 30th on at 23:00.
    await task([
      ['planned', '2022-10-28T21:59:59Z'],
      ['active', '2022-10-29T22:00:00Z'],
      ['done', '2022-10-30T22:30:00Z'],
    ]);
    await task([
      ['planned', '2022-10-28T22:00:00Z'],
      ['canceled', '2022-10-30T23:00:00Z'],
    ]);
    const response = await progress('?from=2022-10-28&to=2022-10-31');
    expect(response).toMatchObject({ endeavour_id: garden, timezone: 'Europe/Berlin', interval: 'day' });
    expect(response.intervals.map(shown)).toEqual([
      '2022-10-28 1 0 0 0 +1 0/0 0h',
      '2022-10-29 2 0 0 0 +1 0/0 0h',
      '2022-10-30 1 0 1 0 +0 1/1 0h',
      '2022-10-31 0 0 1 1 +0 0/1 0h',
    ]);
    expect(response.intervals.map(({ starts_at, ends_at }: Interval) => [starts_at, ends_at])).toEqual([
      ['2022-10-27T22:00:00.000Z', '2022-10-28T22:00:00.000Z'],
      ['2022-10-28T22:00:00.000Z', '2022-10-29T22:00:00.000Z'],
      ['2022-10-29T22:00:00.000Z', '2022-10-30T23:00:00.000Z'],
      ['2022-10-30T23:00:00.000Z', '2022-10-31T23:00:00.000Z'],
    ]);
  });

  it('counts by weeks that start on Monday, with throughput and cycle times of the period', async () => {
    const worked = (from: string, to: string, actual: number) =>
      task(
        [
          ['planned', '2023-01-02T08:00:00Z'],
          ['active', from],
          ['done', to],
        ],
        { actual },
      );
    await worked('2023-01-03T08:00:00Z', '2023-01-03T18:00:00Z', 3);
    await worked('2023-01-04T08:00:00Z', '2023-01-08T22:59:00Z', 5.5);
    await worked('2023-01-09T08:00:00Z', '2023-01-09T10:00:00Z', 1);
    const response = await progress('?interval=week&from=2023-01-04T10:00:00Z&to=2023-01-10');
    expect(response.intervals.map(shown)).toEqual(['2023-01-02 1 0 2 0 +3 2/2 8.5h', '2023-01-09 0 0 3 0 +0 1/1 1h']);
    expect(response.throughput).toEqual({ completed: 3, per_interval: 1.5 });
    expect(response.cycle_time).toEqual({ tasks: 3, median_hours: 10, p85_hours: 80.69 });
  });

  describe('by measure', () => {
    /** One task that is done, one that is canceled after it was reopened, and one that stays planned. */
    const sizes: [hours: number | null, points: number | null][] = [
      [2.1, 5],
      [4.2, 0.5],
      [null, 8],
    ];

    beforeEach(async () => {
      const [first, second, third] = [
        await task([
          ['planned', '2023-03-01T10:00:00Z'],
          ['active', '2023-03-02T10:00:00Z'],
          ['done', '2023-03-03T10:00:00Z'],
        ]),
        await task([
          ['planned', '2023-03-01T11:00:00Z'],
          ['active', '2023-03-01T12:00:00Z'],
          ['done', '2023-03-02T10:00:00Z'],
          ['active', '2023-03-03T10:00:00Z'],
          ['canceled', '2023-03-04T10:00:00Z'],
        ]),
        await task([['planned', '2023-03-02T10:00:00Z']]),
      ];
      for (const [at, id] of [first, second, third].entries()) {
        const [estimate, points] = sizes[at];
        await app.as(ann).patch(`/tasks/${id}`).send({ estimate, points }).expect(200);
      }
    });

    const days = async (measure: string) =>
      (await progress(`?from=2023-03-01&to=2023-03-04&measure=${measure}`)).intervals.map((one: Interval) =>
        `${shown(one)} again ${one.reopened}`.slice(8),
      );

    it('counts tasks, their estimates or their points', async () => {
      expect(await days('count')).toEqual([
        '01 1 1 0 0 +2 0/0 0h again 0',
        '02 1 1 1 0 +1 0/0 0h again 1',
        '03 1 1 1 0 +0 1/1 0h again 0',
        '04 1 0 1 1 +0 0/1 0h again 0',
      ]);
      expect(await days('hours')).toEqual([
        '01 2.1 4.2 0 0 +6.3 0/0 0h again 0',
        '02 0 2.1 4.2 0 +0 0/0 0h again 4.2',
        '03 0 4.2 2.1 0 +0 2.1/2.1 0h again 0',
        '04 0 0 2.1 4.2 +0 0/4.2 0h again 0',
      ]);
      expect(await days('points')).toEqual([
        '01 5 0.5 0 0 +5.5 0/0 0h again 0',
        '02 8 5 0.5 0 +8 0/0 0h again 0.5',
        '03 8 0.5 5 0 +0 5/5 0h again 0',
        '04 8 0 5 0.5 +0 0/0.5 0h again 0',
      ]);
    });

    it('sums up throughput and what is open in the measure, and says which it is', async () => {
      const inPoints = await progress('?from=2023-03-01&to=2023-03-04&measure=points');
      expect(inPoints).toMatchObject({
        measure: 'points',
        throughput: { completed: 5, per_interval: 1.25 },
        cycle_time: { tasks: 1, median_hours: 24 },
        forecast: { open: 8 },
      });
      expect(await progress('?from=2023-03-01&to=2023-03-04')).toMatchObject({
        measure: 'count',
        forecast: { open: 1 },
      });
      const { text, body } = await app
        .as(ann)
        .get(`/endeavours/${garden}/progress?measure=hours`)
        .set('Accept', 'image/svg+xml')
        .expect(200);
      expect(text ?? String(body)).toContain('>Hours</text>');
    });
  });

  describe('under a task', () => {
    it('counts only its parts, on all levels, and not the task itself', async () => {
      const [whole, part, leaf] = [
        await task([['planned', '2023-03-01T10:00:00Z']]),
        await task([
          ['planned', '2023-03-01T10:00:00Z'],
          ['active', '2023-03-02T10:00:00Z'],
        ]),
        await task([
          ['planned', '2023-03-01T10:00:00Z'],
          ['active', '2023-03-02T10:00:00Z'],
          ['done', '2023-03-02T20:00:00Z'],
        ]),
      ];
      await app.as(ann).patch(`/tasks/${part}`).send({ parent_id: whole, points: 3 }).expect(200);
      await app.as(ann).patch(`/tasks/${leaf}`).send({ parent_id: part, points: 2 }).expect(200);
      const under = async (id: string, more = '') => {
        const { intervals, cycle_time } = await progress(`?from=2023-03-01&to=2023-03-02&under=${id}${more}`);
        return [...intervals.map(shown), cycle_time.tasks];
      };
      expect(await under(whole)).toEqual(['2023-03-01 2 0 0 0 +2 0/0 0h', '2023-03-02 0 1 1 0 +0 1/1 0h', 1]);
      expect(await under(whole, '&measure=points')).toEqual([
        '2023-03-01 5 0 0 0 +5 0/0 0h',
        '2023-03-02 0 3 2 0 +0 2/2 0h',
        1,
      ]);
      const { key } = (await app.as(ann).get(`/tasks/${part}`).expect(200)).body.data;
      expect(await under(key)).toEqual(['2023-03-01 1 0 0 0 +1 0/0 0h', '2023-03-02 0 0 1 0 +0 1/1 0h', 1]);
      expect(await under(leaf)).toEqual(['2023-03-01 0 0 0 0 +0 0/0 0h', '2023-03-02 0 0 0 0 +0 0/0 0h', 0]);
    });

    it('refuses a task of another endeavour as one that does not exist, and what is no task', async () => {
      const other = await app.task(ann, await app.endeavour(ann));
      const refused = async (under: string) =>
        (await app.as(ann).get(`/endeavours/${garden}/progress?under=${under}`).expect(400)).body.error.details.fields;
      const unusable = [expect.objectContaining({ field: 'under', code: 'reference_not_found' })];
      expect(await refused(other)).toEqual(unusable);
      expect(await refused(`tsk_${'0'.repeat(32)}`)).toEqual(unusable);
      expect(await refused('NONE-1')).toEqual(unusable);
      expect(await refused('everything')).toEqual([
        expect.objectContaining({ field: 'under', code: 'invalid_format' }),
      ]);
    });
  });

  it('shows the past as it was, despite later changes', async () => {
    const id = await task(
      [
        ['planned', '2023-02-01T10:00:00Z'],
        ['active', '2023-02-02T10:00:00Z'],
        ['done', '2023-02-03T10:00:00Z'],
      ],
      { actual: 4 },
    );
    const before = (await progress('?from=2023-02-01&to=2023-02-04')).intervals.map(shown);
    expect(before).toEqual([
      '2023-02-01 1 0 0 0 +1 0/0 0h',
      '2023-02-02 0 1 0 0 +0 0/0 0h',
      '2023-02-03 0 0 1 0 +0 1/1 4h',
      '2023-02-04 0 0 1 0 +0 0/0 0h',
    ]);
    await move(id, 'active', { actual: 6 });
    await move(id, 'planned');
    expect((await progress('?from=2023-02-01&to=2023-02-04')).intervals.map(shown)).toEqual(before);
    const [today] = (await progress()).intervals.slice(-1);
    expect(shown(today)).toMatch(/ 1 0 0 0 \+0 0\/0 0h$/);
    // Hours count once, however often a task is closed; a correction counts on the day of the last closing.
    await move(id, 'canceled');
    expect((await progress()).intervals.at(-1).hours).toBe(2);
    await app.as(ann).patch(`/tasks/${id}`).send({ actual: 7 }).expect(200);
    expect((await progress()).intervals.at(-1).hours).toBe(3);
    expect((await progress('?from=2023-02-01&to=2023-02-04')).intervals.map(shown)).toEqual(before);
  });

  it('counts a task that is closed many times once, by its last close in the period', async () => {
    const again = Array.from({ length: 4 }, (_, n): Step[] => [
      ['active', `2023-04-0${n + 1}T10:00:00Z`],
      ['done', `2023-04-0${n + 1}T12:00:00Z`],
    ]).flat();
    await task([['planned', '2023-03-31T10:00:00Z'], ...again]);
    await task([
      ['planned', '2023-04-01T08:00:00Z'],
      ['active', '2023-04-01T10:00:00Z'],
      ['done', '2023-04-01T12:00:00Z'],
      ['active', '2023-04-02T10:00:00Z'],
      ['canceled', '2023-04-02T11:00:00Z'],
    ]);
    await task([
      ['planned', '2023-04-01T08:00:00Z'],
      ['active', '2023-04-01T10:00:00Z'],
      ['done', '2023-04-01T12:00:00Z'],
    ]);
    const read = async (query: string) => {
      const { intervals, throughput, cycle_time } = await progress(query);
      const days = (intervals as Interval[]).map(
        ({ completed, closed, reopened }) => `${completed}/${closed} ${reopened}`,
      );
      return [days.join(', '), throughput.completed, cycle_time.tasks, cycle_time.median_hours];
    };
    expect(await read('?from=2023-04-01&to=2023-04-04')).toEqual(['1/1 2, 0/1 1, 0/0 1, 1/1 0', 2, 2, 38]);
    expect(await read('?from=2023-04-01&to=2023-04-02')).toEqual(['1/1 2, 1/2 0', 2, 2, 14]);
    expect(await read('?from=2023-04-01&to=2023-04-01')).toEqual(['3/3 0', 3, 3, 2]);
    expect(await read('?interval=week&from=2023-03-27&to=2023-04-04')).toEqual(['1/2 3, 1/1 1', 2, 2, 38]);
  });

  it('agrees with the status history of the tasks in every period', async () => {
    let seed = 7;
    const below = (most: number): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % most;
    };
    const next: Record<Status, Status[]> = {
      planned: ['active', 'canceled'],
      active: ['done', 'canceled', 'planned'],
      done: ['active'],
      canceled: ['planned'],
    };
    for (let n = 0; n < 12; n += 1) {
      let at = Date.UTC(2024, 2, 20) + below(10 * 24) * 3_600_000;
      const steps: Step[] = [['planned', new Date(at).toISOString()]];
      for (let length = below(6); length > 0; length -= 1) {
        const possible = next[steps[steps.length - 1][0]];
        at += below(60) * 3_600_000;
        steps.push([possible[below(possible.length)], new Date(at).toISOString()]);
      }
      await task(steps);
    }
    for (const period of [
      'from=2024-03-19&to=2024-04-20',
      'from=2024-03-31&to=2024-03-31',
      'interval=week&from=2024-03-25',
    ]) {
      const { intervals } = await progress(`?${period}`);
      for (const { ends_at, planned, active, done, canceled } of intervals as Interval[]) {
        const [expected] = await app.database.query(
          `SELECT ${['planned', 'active', 'done', 'canceled']
            .map((status) => `count(*) FILTER (WHERE s.status = '${status}')::integer AS ${status}`)
            .join(', ')}
           FROM task_statuses s JOIN tasks t ON t.id = s.task_id WHERE t.endeavour_id = $1
             AND s.entered_at < $2 AND (s.left_at IS NULL OR s.left_at >= $2)`,
          [garden, ends_at],
        );
        expect([ends_at, { planned, active, done, canceled }]).toEqual([ends_at, expected]);
      }
    }
  });

  it('moves with a task to its new endeavour', async () => {
    const id = await task([
      ['planned', '2023-03-01T10:00:00Z'],
      ['active', '2023-03-02T10:00:00Z'],
    ]);
    const other = await app.endeavour(ann);
    await app.as(ann).patch(`/tasks/${id}`).send({ endeavour_id: other }).expect(200);
    const march = '?from=2023-03-01&to=2023-03-02';
    expect((await progress(march)).intervals.map(shown)).toEqual([
      '2023-03-01 0 0 0 0 +0 0/0 0h',
      '2023-03-02 0 0 0 0 +0 0/0 0h',
    ]);
    expect((await progress(march, other)).intervals.map(shown)).toEqual([
      '2023-03-01 1 0 0 0 +1 0/0 0h',
      '2023-03-02 0 1 0 0 +0 0/0 0h',
    ]);
  });

  it('counts imported tasks at their original times', async () => {
    const query = new URLSearchParams({
      endeavour_id: garden,
      format: 'csv',
      mapping: JSON.stringify({
        Key: 'id',
        Name: 'title',
        State: 'status',
        Opened: 'created_at',
        Begun: 'started_at',
        Closed: 'ended_at',
      }),
      options: JSON.stringify({ source: 'garden' }),
    });
    const file = `Key,Name,State,Opened,Begun,Closed
G-1,Dig,Done,2021-03-01T09:00:00Z,2021-03-02T09:00:00Z,2021-03-03T21:00:00Z
G-2,Plant,Canceled,2021-03-02T09:00:00Z,,2021-03-04T09:00:00Z
G-3,Water,Open,2021-03-04T09:00:00Z,,
`;
    const { headers } = await app
      .as(ann)
      .post(`/imports?${query.toString()}`)
      .set('Content-Type', 'application/octet-stream')
      .send(file)
      .expect(202);
    const { body } = await app.ended(ann, headers.location);
    expect(body.data).toMatchObject({ status: 'succeeded' });
    const response = await progress('?from=2021-03-01&to=2021-03-05');
    expect(response.intervals.map(shown)).toEqual([
      '2021-03-01 1 0 0 0 +1 0/0 0h',
      '2021-03-02 1 1 0 0 +1 0/0 0h',
      '2021-03-03 1 0 1 0 +0 1/1 0h',
      '2021-03-04 1 0 1 1 +1 0/1 0h',
      '2021-03-05 1 0 1 1 +0 0/0 0h',
    ]);
    expect(response.cycle_time).toEqual({ tasks: 1, median_hours: 36, p85_hours: 36 });
    // The open task is still planned, and is not counted as created at the time of the import.
    expect(shown((await progress()).intervals.at(-1))).toMatch(/ 1 0 1 1 \+0 0\/0 0h$/);
  });

  it('includes the ages of open tasks, and a reproducible forecast from the days of the period', async () => {
    const hoursAgo = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();
    for (let day = 1; day <= 5; day += 1) {
      await task([
        ['planned', hoursAgo(24 * 8)],
        ['active', hoursAgo(24 * day + 2)],
        ['done', hoursAgo(24 * day)],
      ]);
    }
    for (const age of [10, 20, 30]) await task([['planned', hoursAgo(age)]]);
    await task([
      ['planned', hoursAgo(100)],
      ['active', hoursAgo(5)],
    ]);
    const { age, forecast, cycle_time } = await progress();
    expect(age.planned).toMatchObject({
      tasks: 3,
      median_hours: expect.closeTo(20, 1),
      p85_hours: expect.closeTo(27, 1),
    });
    expect(age.active).toMatchObject({ tasks: 1, median_hours: expect.closeTo(5, 1) });
    expect(cycle_time).toMatchObject({ tasks: 5, median_hours: 2, p85_hours: 2 });
    expect(forecast).toMatchObject({ open: 4, sampled_days: 8 });
    expect(forecast.p50_date > new Date().toISOString().slice(0, 10)).toBe(true);
    expect(forecast.p85_date >= forecast.p50_date).toBe(true);
    expect((await progress()).forecast).toEqual(forecast);
  });

  it('has no forecast if nothing is open, nothing was done, or the end is too far away', () => {
    const none = { p50_date: null, p85_date: null };
    expect(forecastOf(0, [1, 2], '2026-11-23')).toEqual({ open: 0, sampled_days: 2, ...none });
    expect(forecastOf(3, [0, 0], '2026-11-23')).toEqual({ open: 3, sampled_days: 2, ...none });
    expect(forecastOf(3, [], '2026-11-23')).toEqual({ open: 3, sampled_days: 0, ...none });
    expect(forecastOf(100_000, [0, 1], '2026-11-23')).toEqual({ open: 100_000, sampled_days: 2, ...none });
    expect(forecastOf(10, [1], '2026-11-23')).toMatchObject({ p50_date: '2026-12-03', p85_date: '2026-12-03' });
    const { p50_date, p85_date } = forecastOf(100, [0, 1, 2, 3], '2026-11-23');
    // 1.5 tasks a day: 67 days, give or take six.
    expect([String(p50_date).slice(0, 7), String(p85_date).slice(0, 7)]).toEqual(['2027-01', '2027-02']);
  });

  it('contains only zeros if there are no tasks', async () => {
    const response = await progress('?interval=week');
    expect(response.intervals).toHaveLength(12);
    expect(response.intervals.every((one: Interval) => one.planned + one.created + one.hours === 0)).toBe(true);
    expect(response.cycle_time).toEqual({ tasks: 0, median_hours: null, p85_hours: null });
    expect((await progress()).intervals).toHaveLength(30);
  });

  it('is available as a labelled SVG for light and dark mode, without scripts', async () => {
    garden = await app.endeavour(ann, { name: 'Beds & <script>alert(1)</script>' });
    await task([
      ['planned', '2023-04-01T10:00:00Z'],
      ['active', '2023-04-02T10:00:00Z'],
    ]);
    const picture = async (query: string): Promise<string> => {
      const call = app.as(ann).get(`/endeavours/${garden}/progress${query}`).set('Accept', 'image/svg+xml');
      const { headers, text, body } = await call.expect(200);
      expect(headers['content-type']).toBe('image/svg+xml; charset=utf-8');
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      return text ?? String(body);
    };
    const drawn = await picture('?from=2023-04-01&to=2023-04-05');
    expect(drawn).toMatch(/^<svg xmlns/);
    expect(drawn).toContain('<title>Cumulative flow of Beds &amp; &lt;script&gt;alert(1)&lt;/script&gt;</title>');
    expect(drawn).not.toMatch(/<script|onload|href=|NaN|undefined/);
    expect(drawn).toContain('prefers-color-scheme: dark');
    for (const label of ['planned', 'active', 'done', 'canceled', 'Date', 'Tasks', '2023-04-01']) {
      expect(drawn).toContain(`>${label}</text>`);
    }
    // One interval, and no task at all.
    for (const query of ['?from=2023-04-01&to=2023-04-01', '?from=2020-01-01&to=2020-01-01']) {
      expect(await picture(query)).not.toMatch(/NaN|Infinity|undefined/);
    }
    await app.as(ann).get(`/endeavours/${garden}/progress?interval=hour`).set('Accept', 'image/svg+xml').expect(400);
  });

  it('rejects invalid and too long periods', async () => {
    const faults = async (query: string) => {
      const { body } = await app.as(ann).get(`/endeavours/${garden}/progress?${query}`).expect(400);
      return body.error.details.fields.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`);
    };
    expect(await faults('interval=hour&from=yesterday&to=2023-02-30')).toEqual([
      'interval invalid_value',
      'from invalid_date',
      'to invalid_date',
    ]);
    expect(await faults('from=2023-02-02&to=2023-02-01')).toEqual(['from out_of_range']);
    expect(await faults('from=2999-01-01')).toEqual(['from out_of_range']);
    expect(await faults('from=2020-01-01&to=2022-01-01')).toEqual(['from out_of_range']);
    await progress('?interval=week&from=2020-01-01&to=2022-01-01');
  });
});
