import { TestApp, type Person } from '../support/test-app.js';
import { tokenOf } from '../support/tokens.js';

const DAY_MS = 86_400_000;

describe('the load', () => {
  let app: TestApp;
  let [ann, bob, eve]: Person[] = [];
  let riverside: string;
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open({ LIMIT_WRITES_PER_MINUTE: '100000' });
    [ann, bob, eve] = [await app.person('Ann', { tier: 3 }), await app.person('Bob'), await app.person('Eve')];
  });

  beforeEach(async () => {
    riverside = await app.organization(ann);
    garden = await app.endeavour(ann, { organization_id: riverside });
    for (const person of [bob, eve]) await app.join(riverside, person, 'member');
  });

  afterAll(() => app.close());

  const get = async (person: Person, path: string) => (await app.as(person).get(path).expect(200)).body.data;
  const daysFromNow = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();
  /** Creates a task that is due in the given number of days. */
  const due = (days: number, more: object = {}, endeavour = garden) =>
    app.task(ann, endeavour, { due_date: daysFromNow(days), ...more });
  const service = async (body: object = {}): Promise<string> => {
    const sent = { name: 'Excavator', type: 'service', organization_id: riverside, ...body };
    return (await app.as(ann).post('/resources').send(sent).expect(201)).body.data.id;
  };

  it('of a resource contains the estimates of its open tasks in the weeks in which they are due', async () => {
    const digger = await service({ capacity_model: 'hours_per_week', capacity_value: 35 });
    const mine = { assignee_id: digger };
    await due(0.001, { ...mine, estimate: 4, points: 0.1 });
    await due(0.001, { ...mine, estimate: 0, points: 0.2 });
    await due(-30, { ...mine, estimate: 2.5 });
    await due(14, { ...mine, estimate: 8 });
    await due(14, mine);
    await due(400, { ...mine, estimate: 100 });
    await app.task(ann, garden, { ...mine, estimate: 16 });
    const over = await due(14, { ...mine, estimate: 1000 });
    await app.as(ann).patch(`/tasks/${over}`).send({ status: 'canceled', canceled_reason: 'No' }).expect(200);
    const load = await get(ann, `/resources/${digger}/load`);
    expect(load).toMatchObject({
      resource_id: digger,
      timezone: 'UTC',
      weekly_capacity: 35,
      undated: { tasks: 1, hours: 16, unestimated: 0, points: 0 },
      elsewhere: 0,
    });
    expect(load.weeks).toHaveLength(12);
    const work = load.weeks.map(({ tasks, hours, unestimated, points }: Record<string, number>) => [
      tasks,
      hours,
      unestimated,
      points,
    ]);
    expect(work.slice(0, 3)).toEqual([
      [3, 6.5, 0, 0.3],
      [0, 0, 0, 0],
      [2, 8, 1, 0],
    ]);
    expect(
      work
        .slice(3)
        .flat()
        .every((number: number) => number === 0),
    ).toBe(true);
    const [first, second] = load.weeks;
    expect(new Date(first.date).getUTCDay()).toBe(1);
    expect([first.starts_at, first.ends_at]).toEqual([`${first.date}T00:00:00.000Z`, second.starts_at]);
    const later = await get(ann, `/resources/${digger}/load?from=${daysFromNow(390)}&to=${daysFromNow(410)}`);
    expect(later.weeks.reduce((sum: number, { hours }: { hours: number }) => sum + hours, 0)).toBe(100);
  });

  it('shows visible work, and a total of the rest to admins of the home and to the person', async () => {
    const shed = await app.endeavour(bob);
    const digger = await service();
    await due(1, { assignee_id: digger, estimate: 3 });
    await due(1, { assignee_id: bob.id, estimate: 5 });
    await app
      .as(bob)
      .post('/tasks')
      .send({ title: 'Own', endeavour_id: shed, assignee_id: 'me', estimate: 7, due_date: daysFromNow(1) })
      .expect(201);
    const hours = async (person: Person, id: string) => {
      const { weeks, elsewhere } = await get(person, `/resources/${id}/load`);
      return [weeks.reduce((sum: number, week: { hours: number }) => sum + week.hours, 0), elsewhere];
    };
    expect(await hours(ann, bob.resourceId)).toEqual([5, null]);
    expect(await hours(bob, bob.resourceId)).toEqual([12, 0]);
    expect(await hours(await app.admin(), bob.resourceId)).toEqual([12, 0]);
    expect(await hours(eve, digger)).toEqual([3, null]);
    // A person can still be assigned to tasks in an endeavour that they have left.
    await app.as(ann).delete(`/organizations/${riverside}/members/${bob.id}`).expect(200);
    await app.database.query('UPDATE tasks SET assignee_id = $1 WHERE endeavour_id = $2 AND estimate = 5', [
      bob.resourceId,
      garden,
    ]);
    expect(await hours(bob, bob.resourceId)).toEqual([7, 5]);
    expect(await hours(await tokenOf(app, bob, { endeavour_id: shed }), bob.resourceId)).toEqual([7, null]);
    const annexed = await app.endeavour(eve);
    await app.database.query(
      `UPDATE tasks SET endeavour_id = $1 WHERE id = (SELECT id FROM tasks WHERE assignee_id = $2)`,
      [annexed, digger],
    );
    expect(await hours(ann, digger)).toEqual([0, 3]);
    await app
      .as(await app.person('Zoe'))
      .get(`/resources/${digger}/load`)
      .expect(404);
  });

  it('shows the capacity only to those who can read it, and only if it is in hours', async () => {
    const digger = await service({ capacity_model: 'hours_per_week', capacity_value: 20 });
    const robot = await service({ capacity_model: 'tokens_per_day', capacity_value: 20 });
    const guest = await app.person('Guest');
    await app.join(riverside, guest, 'guest');
    const capacity = async (person: Person, id: string) => (await get(person, `/resources/${id}/load`)).weekly_capacity;
    expect(await capacity(bob, digger)).toBe(20);
    expect(await capacity(guest, digger)).toBeNull();
    expect(await capacity(ann, robot)).toBeNull();
  });

  it('of an endeavour has an entry for each assignee, those with the most hours first', async () => {
    const digger = await service({ capacity_model: 'hours_per_week', capacity_value: 35 });
    const other = await app.endeavour(ann, { organization_id: riverside });
    await due(7, { assignee_id: bob.id, estimate: 5 });
    await due(0.001, { assignee_id: digger, estimate: 8 });
    await due(7, { assignee_id: digger, estimate: 0.5, points: 3 });
    await app.task(ann, garden, { assignee_id: digger, estimate: 6, points: 1 });
    await due(7, { estimate: 2 });
    await due(7);
    await due(1, { assignee_id: digger, estimate: 30 }, other);
    const load = await get(ann, `/endeavours/${garden}/load?to=${daysFromNow(13)}`);
    const zeros = load.weeks.slice(2).map(() => 0);
    expect(load).toMatchObject({ endeavour_id: garden, timezone: 'UTC', omitted: 0 });
    expect(load.resources).toEqual([
      {
        resource_id: digger,
        resource_name: 'Excavator',
        weekly_capacity: 35,
        hours: [8, 0.5, ...zeros],
        points: [0, 3, ...zeros],
        spent_hours: [0, 0, ...zeros],
        tasks: 2,
        unestimated: 0,
        undated: { tasks: 1, hours: 6, unestimated: 0, points: 1 },
        elsewhere: 30,
      },
      {
        resource_id: bob.resourceId,
        resource_name: 'Bob',
        weekly_capacity: null,
        hours: [0, 5, ...zeros],
        points: [0, 0, ...zeros],
        spent_hours: [0, 0, ...zeros],
        tasks: 1,
        unestimated: 0,
        undated: { tasks: 0, hours: 0, unestimated: 0, points: 0 },
        elsewhere: null,
      },
    ]);
    expect(load.unassigned).toEqual({
      hours: [0, 2, ...zeros],
      points: [0, 0, ...zeros],
      tasks: 2,
      unestimated: 1,
      undated: { tasks: 0, hours: 0, unestimated: 0, points: 0 },
    });
    const seenByBob = await get(bob, `/endeavours/${garden}/load`);
    expect(seenByBob.resources.map(({ elsewhere }: { elsewhere: number | null }) => elsewhere)).toEqual([
      null,
      expect.any(Number),
    ]);
  });

  it('shows the hours that were spent in each week, also those of people without open tasks', async () => {
    const apart = await app.endeavour(ann);
    const [task, other] = [await app.task(ann, garden), await app.task(ann, apart)];
    const spend = (minutes: number, day: string, more: object = {}) =>
      app
        .as(ann)
        .post('/time-entries')
        .send({ task_id: task, minutes, day, resource_id: bob.id, ...more })
        .expect(201);
    await spend(20, '2027-01-04');
    await spend(25, '2027-01-10');
    await spend(60, '2027-01-11');
    await spend(90, '2027-01-03');
    await spend(90, '2027-01-18');
    await spend(30, '2027-01-05', { resource_id: 'me', task_id: other });
    const { body } = await spend(15, '2027-01-04');
    await app.as(ann).delete(`/time-entries/${body.data.id}`).expect(200);
    const period = 'from=2027-01-04&to=2027-01-11';
    const load = await get(ann, `/endeavours/${garden}/load?${period}`);
    expect(load.resources).toMatchObject([
      { resource_id: bob.resourceId, spent_hours: [0.75, 1], hours: [0, 0], tasks: 0 },
    ]);
    expect(load.omitted).toBe(0);
    const spent = async (person: Person, id: string) =>
      (await get(person, `/resources/${id}/load?${period}`)).weeks.map(
        ({ spent_hours: hours }: { spent_hours: number }) => hours,
      );
    expect(await spent(eve, bob.resourceId)).toEqual([0.75, 1]);
    expect(await spent(ann, ann.resourceId)).toEqual([0.5, 0]);
    expect(await spent(eve, ann.resourceId)).toEqual([0, 0]);
  });

  it('of an endeavour has weeks in the time zone of the endeavour', async () => {
    const apia = await app.endeavour(ann, { timezone: 'Pacific/Apia' });
    const load = await get(ann, `/endeavours/${apia}/load?from=2027-01-04&to=2027-01-11`);
    expect(load.weeks).toEqual([
      { date: '2027-01-04', starts_at: '2027-01-03T11:00:00.000Z', ends_at: '2027-01-10T11:00:00.000Z' },
      { date: '2027-01-11', starts_at: '2027-01-10T11:00:00.000Z', ends_at: '2027-01-17T11:00:00.000Z' },
    ]);
  });

  it('rejects invalid and too long periods', async () => {
    for (const query of [
      'from=soon',
      'from=2027-02-02&to=2027-02-01',
      'from=2027-01-01&to=2029-01-01',
      'from=9999-12-30&to=9999-12-31',
      'from=2999-01-01',
      'interval=day',
    ]) {
      await app.as(ann).get(`/endeavours/${garden}/load?${query}`).expect(400);
      await app.as(ann).get(`/resources/${bob.resourceId}/load?${query}`).expect(400);
    }
  });
});
