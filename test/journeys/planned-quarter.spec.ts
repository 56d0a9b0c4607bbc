import { brokenInvariants } from '../faults/support/invariants.mjs';
import { TestApp, type Person } from '../support/test-app.js';

const BEGINNING = Date.parse('2026-10-05T08:00:00Z');
const DAY_MS = 86_400_000;
const SPRINT_DAYS = 14;
const SPRINTS = 6;
/** The most requests that the quarter may take. */
const MOST_CALLS = 120;
const TEAMS = ['Shop', 'Warehouse', 'Support'];
const STORIES = 24;
/** How many stories of a team begin in each sprint. */
const STARTED = 4;
const POINTS = [1, 2, 3, 5, 8];
const STAGES = [
  { name: 'Backlog', status: 'planned' },
  { name: 'Doing', status: 'active', wip_limit: STARTED },
  { name: 'Review', status: 'active' },
  { name: 'Shipped', status: 'done' },
];
const FIELDS = [{ key: 'severity', name: 'Severity', type: 'choice', options: ['low', 'high'] }];

interface Story {
  key: string;
  points: number;
}

interface Report {
  status: string;
  velocity: { iterations: number; points: number };
  committed: { points: number };
  added: { points: number };
  removed: { points: number };
  completed: { points: number };
  carried_over: { points: number };
}

const total = (stories: readonly Story[]): number => stories.reduce((sum, { points }) => sum + points, 0);
const day = (days: number): string => new Date(BEGINNING + days * DAY_MS).toISOString().slice(0, 10);

/** What a product owner does in a quarter, by docs/planning.md alone. Each step continues the previous one. */
describe('a quarter of three teams', () => {
  let app: TestApp;
  let calls = 0;
  /** The product owner, an admin of all teams. */
  let pia: Person;
  /** Does the work of all teams. */
  let dev: Person;
  let company: string;
  let teams: string[];
  /** The backlogs by team, in their order; what a sprint takes is removed. */
  let backlogs: Story[][];
  let sprints: string[][];
  const open: Story[][] = TEAMS.map(() => []);
  /** The points that each team has completed, by sprint, and the number of its stories that are done. */
  const completed: number[][] = TEAMS.map(() => []);
  const done = TEAMS.map(() => 0);
  /** The committed, added, removed, completed and carried over points of each team in the sprint. */
  let expected: number[][];

  const as = (person: Person) => {
    calls += 1;
    return app.as(person);
  };
  const get = async (path: string, person = pia) => (await as(person).get(path).expect(200)).body.data;
  const post = async (path: string, body: object, person = pia, status = 201) =>
    (await as(person).post(path).send(body).expect(status)).body.data;
  const batch = async (operations: object[], person = pia) =>
    (await as(person).post('/batch').send({ operations }).expect(200)).body.data;
  const patchAll = (stories: readonly Story[], body: object) =>
    stories.map(({ key }) => ({ method: 'PATCH', path: `/api/v1/tasks/${key}`, body }));

  beforeAll(async () => {
    app = await TestApp.open({ WORKERS: 'true', LIMIT_WRITES_PER_MINUTE: '100000' });
    await app.service.setTime(new Date(BEGINNING).toISOString());
    pia = await app.person('Pia', { tier: 3 });
    dev = await app.person('Dev');
  });
  afterAll(() => app.close());

  it('begins with teams that have keys, stages and fields', async () => {
    ({ id: company } = await post('/organizations', { name: 'Lantern' }));
    const { id: invitation } = await post('/invitations', {
      organization_id: company,
      email: dev.email,
      role: 'member',
    });
    await post(`/invitations/${invitation}/accept`, {}, dev, 200);
    const made = await batch(
      TEAMS.map((name) => ({
        method: 'POST',
        path: '/api/v1/endeavours',
        body: { name, key: name.slice(0, 4).toUpperCase(), organization_id: company, stages: STAGES, fields: FIELDS },
      })),
    );
    teams = made.map(({ body }: { body: { data: { id: string } } }) => body.data.id);
    for (const team of teams) await post(`/endeavours/${team}/members`, { user_id: dev.id, role: 'member' });
  });

  it('gets its backlogs from files, with labels, points, priorities and fields', async () => {
    for (const [n, team] of teams.entries()) {
      const rows = Array.from({ length: STORIES }, (_, row) => [
        `${TEAMS[n]} story ${row + 1}`,
        row % 3 === 0 ? 'customer' : 'inside',
        POINTS[row % POINTS.length],
        row % 4 === 0 ? 'high' : 'medium',
        row % 2 === 0 ? 'high' : 'low',
      ]);
      const csv = ['title,labels,points,priority,severity', ...rows.map((row) => row.join(','))].join('\n');
      const { headers } = await as(pia)
        .post(`/imports?format=csv&endeavour_id=${team}`)
        .set('Content-Type', 'application/octet-stream')
        .send(csv)
        .expect(202);
      // One request, which waits for the end.
      calls += 1;
      await app.ended(pia, headers.location);
    }
    backlogs = [];
    for (const team of teams) {
      const found = await get(`/tasks?endeavour_id=${team}&sort=rank&limit=100&fields=key,points`);
      backlogs.push(found.map(({ key, points }: Story) => ({ key, points })));
    }
    expect(backlogs.map(({ length }) => length)).toEqual([STORIES, STORIES, STORIES]);
    expect(backlogs[0][0]).toMatchObject({ key: 'SHOP-1', points: 1 });
    const urgent = await get(
      `/tasks?endeavour_id=${teams[0]}&label=customer&priority=high&metadata.severity=high&sort=-priority,rank`,
    );
    expect(urgent.map(({ key }: Story) => key)).toEqual(['SHOP-1', 'SHOP-13']);
  });

  it('puts what matters first, splits what is large, and follows it', async () => {
    const [first, second] = backlogs[0];
    await post(`/tasks/${second.key}/rank`, { before: first.key }, pia, 200);
    backlogs[0] = [second, first, ...backlogs[0].slice(2)];
    const order = await get(`/tasks?endeavour_id=${teams[0]}&sort=rank&limit=2&fields=key`);
    expect(order.map(({ key }: Story) => key)).toEqual([second.key, first.key]);
    await batch(
      ['Draw it', 'Build it'].map((title) => ({
        method: 'POST',
        path: '/api/v1/tasks',
        body: { title, endeavour_id: teams[0], parent_id: second.key },
      })),
    );
    expect(await get(`/tasks/${second.key}?fields=children`)).toMatchObject({ children: { planned: 2 } });
    await as(pia).put(`/endeavours/${teams[0]}/watch`).expect(200);
  });

  it('saves its views, and has a rule do what would be forgotten', async () => {
    for (const [n, team] of teams.entries()) {
      const query = { endeavour_id: team, iteration: 'current', sort: 'stage,rank' };
      await post('/views', { name: `${TEAMS[n]} board`, kind: 'task', endeavour_id: team, query });
    }
    const actions = [{ comment: { content: 'Please tell the customer.' } }];
    const filter = { status: 'done', label: 'customer' };
    await post('/rules', { name: 'Tell', endeavour_id: teams[0], on: ['task.status_changed'], filter, actions });
  });

  it('plans its sprints', async () => {
    const made = await batch(
      teams.flatMap((team) =>
        Array.from({ length: SPRINTS }, (_, n) => ({
          method: 'POST',
          path: '/api/v1/iterations',
          body: {
            name: `Sprint ${n + 1}`,
            endeavour_id: team,
            start_day: day(n * SPRINT_DAYS),
            end_day: day((n + 1) * SPRINT_DAYS - 3),
          },
        })),
      ),
    );
    const ids = made.map(({ body }: { body: { data: { id: string } } }) => body.data.id);
    sprints = teams.map((_, n) => ids.slice(n * SPRINTS, (n + 1) * SPRINTS));
  });

  describe.each(Array.from({ length: SPRINTS }, (_, n) => n))('in sprint %d', (sprint) => {
    const idOf = (team: number): string => sprints[team][sprint];

    it('starts what the teams commit themselves to', async () => {
      await app.service.setTime(new Date(BEGINNING + sprint * SPRINT_DAYS * DAY_MS).toISOString());
      const planned = teams.map((_, n) => backlogs[n].splice(0, STARTED - open[n].length));
      await batch(
        teams.flatMap((_, n) => [
          ...patchAll(planned[n], { iteration_id: idOf(n) }),
          { method: 'PATCH', path: `/api/v1/iterations/${idOf(n)}`, body: { status: 'active' } },
        ]),
      );
      for (const [n, stories] of planned.entries()) open[n].push(...stories);
      expected = teams.map((_, n) => [total(open[n]), 0, 0, 0, 0]);
    });

    it('takes one story more and one less on the way', async () => {
      await app.service.setTime(new Date(BEGINNING + (sprint * SPRINT_DAYS + 4) * DAY_MS).toISOString());
      const team = sprint % teams.length;
      const late = backlogs[team].pop() as Story;
      const dropped = open[team].shift() as Story;
      await batch([...patchAll([late], { iteration_id: idOf(team) }), ...patchAll([dropped], { iteration_id: null })]);
      open[team].push(late);
      backlogs[team].unshift(dropped);
      expected[team] = [expected[team][0], late.points, dropped.points, 0, 0];
    });

    it('does the work, all but one story of each team', async () => {
      await app.service.setTime(new Date(BEGINNING + (sprint * SPRINT_DAYS + 9) * DAY_MS).toISOString());
      const finished = open.map((stories) => stories.slice(0, -1));
      for (const stage of ['Doing', 'Shipped'])
        await batch(
          finished.flatMap((stories) => patchAll(stories, { stage })),
          dev,
        );
      for (const [n, stories] of finished.entries()) {
        open[n] = open[n].slice(-1);
        expected[n][3] = total(stories);
        expected[n][4] = total(open[n]);
        completed[n].push(total(stories));
        done[n] += stories.length;
      }
    });

    it('closes with a report that says what became of what was promised', async () => {
      const isLast = sprint === SPRINTS - 1;
      for (const n of teams.keys()) {
        await post(`/iterations/${idOf(n)}/close`, { carry_over: isLast ? 'backlog' : 'next' }, pia, 200);
        const report: Report = await get(`/iterations/${idOf(n)}/report`);
        const parts = [report.committed, report.added, report.removed, report.completed, report.carried_over];
        expect(parts.map(({ points }) => points)).toEqual(expected[n]);
        const before = completed[n].slice(-6, -1);
        const mean = before.length === 0 ? 0 : before.reduce((sum, one) => sum + one, 0) / before.length;
        expect(report.velocity.iterations).toBe(before.length);
        expect(report.velocity.points).toBeCloseTo(mean, 1);
      }
    });
  });

  it('ends with a look at where the work was, and what is left', async () => {
    for (const [n, team] of teams.entries()) {
      expect(await get(`/tasks/summary?endeavour_id=${team}`)).toMatchObject({ active: 0, done: done[n] });
      const { stages } = await get(`/endeavours/${team}/progress?by=stage&measure=points`);
      const sizes = stages.map(({ name, sizes: each }: { name: string; sizes: number[] }) => [name, each.at(-1)]);
      const shipped = completed[n].reduce((sum, one) => sum + one, 0);
      expect(sizes).toEqual([
        ['Backlog', total([...backlogs[n], ...open[n]])],
        ['Doing', 0],
        ['Review', 0],
        ['Shipped', shipped],
      ]);
    }
  });

  it('renames a label, logs time, and reads the list as a table', async () => {
    const [team] = teams;
    await as(pia).patch(`/endeavours/${team}/labels/customer`).send({ name: 'asked for' }).expect(200);
    const asked = await get(`/tasks?endeavour_id=${team}&label=asked for&limit=100&fields=key`);
    expect(asked).toHaveLength(STORIES / 3);
    const [left] = await get(`/tasks?endeavour_id=${team}&iteration=none&status=planned&sort=rank&limit=1&fields=key`);
    const minutes = [30, 45];
    await batch(
      minutes.map((each) => ({
        method: 'POST',
        path: '/api/v1/time-entries',
        body: { task_id: left.key, minutes: each, day: day(80) },
      })),
      dev,
    );
    expect(await get(`/tasks/${left.key}?fields=actual`)).toEqual({ actual: 1.25 });
    const { text } = await as(pia).get(`/tasks?endeavour_id=${team}`).set('Accept', 'text/csv').expect(200);
    expect(text.split('\r\n')[0]).toContain('metadata.severity');
  });

  it('took few requests, and violates no invariant of the database', async () => {
    expect(calls).toBeLessThanOrEqual(MOST_CALLS);
    expect(await brokenInvariants((sql) => app.database.query(sql))).toEqual([]);
  });
});
