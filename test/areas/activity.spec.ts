import { TestApp, type Person } from '../support/test-app.js';

interface Entry {
  sequence: number;
  text: string;
  type: string;
  day: string;
  entity_id: string;
}

describe('what happened', () => {
  let app: TestApp;
  let ann: Person;
  let ben: Person;
  let garden: string;
  let task: string;

  beforeAll(async () => {
    app = await TestApp.open({ EVENTS_DAYS: '90' });
  });

  beforeEach(async () => {
    ann = await app.person('Ann');
    ben = await app.person('Ben');
    garden = await app.endeavour(ann);
    task = await app.task(ann, garden, { title: 'Paint the gate' });
  });

  afterAll(() => app.close());

  describe('to one entity', () => {
    it('is listed newest first, with the changed properties and their previous values', async () => {
      await app.as(ann).patch(`/tasks/${task}`).send({ title: 'Paint the fence', estimate: 2 }).expect(200);
      await app.as(ann).patch(`/tasks/${task}`).send({ status: 'active' }).expect(200);
      const { body } = await app.as(ann).get(`/tasks/${task}/changes`).expect(200);
      expect(body.data).toEqual([
        expect.objectContaining({
          type: 'task.status_changed',
          previous: expect.objectContaining({ status: 'planned' }),
        }),
        expect.objectContaining({
          type: 'task.updated',
          actor_name: 'Ann',
          changed: ['title', 'estimate'],
          previous: { title: 'Paint the gate', estimate: null },
        }),
        expect.objectContaining({ type: 'task.created' }),
      ]);
      expect(body.meta.total).toBe(3);
      const moves = await app.as(ann).get(`/tasks/${task}/changes?type=task.status_changed&actor_id=me`).expect(200);
      expect(moves.body.data).toHaveLength(1);
    });

    it('is hidden if the entity is invisible, and hides properties that the caller may not read', async () => {
      await app.as(ben).get(`/tasks/${task}/changes`).expect(404);
      await app.join(garden, ben, 'viewer');
      await app.as(ben).get(`/tasks/${task}/changes`).expect(200);
      const { body } = await app.as(ben).get(`/users/${ann.id}/changes`).expect(200);
      expect(body.data).toEqual([]);
      await app.as(ben).get(`/tasks/${task}/changes?sort=title`).expect(400);
    });
  });

  it('to a resource shows guests of its home no more of it than they see', async () => {
    const riverside = await app.organization(ann);
    for (const [person, role] of [
      [ben, 'guest'],
      [await app.person('Mia'), 'member'],
    ] as const) {
      await app.join(riverside, person, role);
      const sent = { name: 'Mower', type: 'service', organization_id: riverside, capacity_model: 'budget' };
      const secret = { ...sent, capacity_value: 977, metadata: { lease: 'secret' }, skills: ['secret'] };
      const made = await app.as(ann).post('/resources').send(secret).expect(201);
      const { id } = made.body.data;
      await app.as(ann).patch(`/resources/${id}`).send({ capacity_value: 978, name: 'Mower 2' }).expect(200);
      const told = await app.as(person).get(`/resources/${id}/changes`).expect(200);
      const feed = await app.as(person).get(`/changes?entity_id=${id}`).expect(200);
      expect([told.body.data.length, feed.body.data.length]).toEqual([2, 2]);
      for (const { data } of [...told.body.data, ...feed.body.data]) {
        expect(data).toMatchObject({ id, name: expect.stringContaining('Mower'), type: 'service', status: 'active' });
        expect(Object.keys(data).length === 4).toBe(role === 'guest');
      }
      for (const { text } of [told, feed]) expect(/secret|97[78]/.test(text)).toBe(role === 'member');
      await app.as(person).get('/activity').expect(200);
    }
  });

  describe('as sentences', () => {
    const read = async (person: Person, query = ''): Promise<{ data: Entry[]; meta: { next: number | null } }> =>
      (await app.as(person).get(`/activity?${query}`).expect(200)).body;

    it('returns sentences, newest first and page by page', async () => {
      await app.as(ann).patch(`/tasks/${task}`).send({ title: 'Paint the fence', due_date: '2027-01-01' }).expect(200);
      await app.as(ann).patch(`/tasks/${task}`).send({ status: 'active' }).expect(200);
      await app.join(garden, ben, 'viewer');
      const first = await read(ben, `endeavour_id=${garden}&limit=2`);
      expect(first.data.map(({ text }) => text)).toEqual([
        'Ann moved task \u201cPaint the fence\u201d from planned to active.',
        'Ann changed title and due date of task \u201cPaint the fence\u201d.',
      ]);
      expect(first.data[0].day).toMatch(/^\d{4}-\d\d-\d\d$/);
      const second = await read(ben, `endeavour_id=${garden}&limit=2&before=${first.meta.next}`);
      expect(second.data.map(({ text }) => text)).toEqual([
        'Ann created task \u201cPaint the fence\u201d.',
        'Ann created endeavour \u201cGarden\u201d.',
      ]);
      expect(second.meta.next).toBeNull();
    });

    it('filters as the feed does, and refuses what it does not understand', async () => {
      expect((await read(ann, `entity_id=${task}`)).data).toHaveLength(1);
      expect((await read(ann, `endeavour_id=${garden}&type=task.*`)).data).toHaveLength(1);
      expect((await read(ben)).data.map(({ entity_id }) => entity_id)).not.toContain(task);
      await app.as(ann).get('/activity?before=0').expect(400);
    });
  });

  describe('in numbers', () => {
    const read = async (person: Person, query = ''): Promise<{ at: string; type: string; count: number }[]> =>
      (await app.as(person).get(`/activity/summary?${query}`).expect(200)).body.data;

    it('counts visible events by day and by hour', async () => {
      await app.task(ann, garden);
      const today = new Date().toISOString().slice(0, 10);
      expect(await read(ann, `endeavour_id=${garden}`)).toContainEqual({ at: today, type: 'task.created', count: 2 });
      const hours = await read(
        ann,
        `endeavour_id=${garden}&by=hour&from=${new Date(Date.now() - 3_600_000).toISOString()}`,
      );
      expect(hours.filter(({ type }) => type === 'task.created').reduce((sum, { count }) => sum + count, 0)).toBe(2);
      expect(await read(ben, `endeavour_id=${garden}`)).toEqual([]);
      expect((await read(ann)).length).toBeGreaterThan(0);
      expect((await read(await app.admin(), `endeavour_id=${garden}`)).length).toBeGreaterThan(0);
    });

    it('counts in an organization what is in its endeavours', async () => {
      const organization = await app.organization(ann);
      const cellar = await app.endeavour(ann, { organization_id: organization });
      await app.task(ann, cellar);
      const counts = await read(ann, `organization_id=${organization}`);
      expect(counts.map(({ type }) => type)).toEqual(expect.arrayContaining(['organization.created', 'task.created']));
    });

    it('bounds the time that it looks at', async () => {
      await app.as(ann).get('/activity/summary?from=2026-01-01&to=2026-03-01').expect(400);
      await app.as(ann).get(`/activity/summary?from=2026-01-01&to=2026-03-01&endeavour_id=${garden}`).expect(200);
      await app.as(ann).get(`/activity/summary?from=2026-01-01&to=2026-01-04&by=hour`).expect(400);
      await app.as(ann).get('/activity/summary?from=2026-02-01&to=2026-01-01').expect(400);
    });
  });

  it('is removed after EVENTS_DAYS, except for creations, deletions and status changes', async () => {
    await app.as(ann).patch(`/tasks/${task}`).send({ title: 'Paint the fence' }).expect(200);
    await app.as(ann).patch(`/tasks/${task}`).send({ status: 'active' }).expect(200);
    const { body: before } = await app.as(ann).get('/changes?after=now').expect(200);
    await app.database.query(`UPDATE feed SET occurred_at = now() - interval '91 days'`);
    await app.as(ann).patch(`/tasks/${task}`).send({ title: 'Paint both' }).expect(200);
    await app.as(ann).get('/changes?after=now').expect(200);
    await app.service.runJobs();
    const { body } = await app
      .as(ann)
      .get(`/changes?after=${before.meta.next - 1}`)
      .expect(410);
    expect(body.error.details).toEqual({ oldest: before.meta.next + 1 });
    const { body: kept } = await app.as(ann).get(`/changes?after=0&entity_id=${task}`).expect(200);
    expect(kept.data.map(({ data }: { data: { title: string } }) => data.title)).toEqual(['Paint both']);
    const { body: history } = await app.as(ann).get(`/tasks/${task}/changes`).expect(200);
    expect(
      history.data.map(({ type, sequence }: { type: string; sequence: number | null }) => [type, sequence]),
    ).toEqual([
      ['task.updated', expect.any(Number)],
      ['task.status_changed', null],
      ['task.created', null],
    ]);
  });
});
