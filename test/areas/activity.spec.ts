import { TestApp, type Person } from '../support/test-app.js';

interface Entry {
  sequence: number;
  text: string;
  type: string;
  day: string;
  entity_id: string;
}

describe('activity', () => {
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

  describe('of one entity', () => {
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

  it('reads as in the example of the OpenAPI document', async () => {
    const archer = await app.person('Ann Archer');
    const own = await app.endeavour(archer);
    const gate = await app.task(archer, own, { title: 'Paint the garden gate' });
    for (const status of ['active', 'done']) await app.as(archer).patch(`/tasks/${gate}`).send({ status }).expect(200);
    const { body } = await app.as(archer).get('/activity?type=task.status_changed').expect(200);
    const { text: example } = body.data[0];
    expect(app.document.components?.schemas?.Activity).toMatchObject({ properties: { text: { example } } });
  });

  it('of relations and invitations is visible to users who can read these', async () => {
    const other = await app.task(ann, garden);
    const related = await app
      .as(ann)
      .post('/relations')
      .send({
        relationship_type: 'relates_to',
        source_entity_type: 'task',
        source_entity_id: task,
        target_entity_type: 'task',
        target_entity_id: other,
      })
      .expect(201);
    const invited = await app
      .as(ann)
      .post('/invitations')
      .send({ email: ben.email, endeavour_id: garden, endeavour_role: 'viewer' })
      .expect(201);
    const relation = `/relations/${related.body.data.id}/changes`;
    const invitation = `/invitations/${invited.body.data.id}/changes`;
    const typesOf = async (person: Person, path: string): Promise<string[]> =>
      (await app.as(person).get(path).expect(200)).body.data.map(({ type }: Entry) => type);
    expect(await typesOf(ann, relation)).toEqual(['relation.created']);
    expect(await typesOf(ann, invitation)).toEqual(['invitation.created']);
    await app.as(ben).get(relation).expect(404);
    // Only users who can list the invitation see its events.
    expect(await typesOf(ben, invitation)).toEqual([]);
    await app
      .as(await app.person('Eve'))
      .get(invitation)
      .expect(404);
    await app.as(ann).get(`${relation}?sort=title`).expect(400);
    await app.join(garden, ben, 'viewer');
    expect(await typesOf(ben, relation)).toEqual(['relation.created']);
  });

  it('of a resource shows guests of its home only the properties that they may read', async () => {
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
      const changes = await app.as(person).get(`/resources/${id}/changes`).expect(200);
      const feed = await app.as(person).get(`/changes?entity_id=${id}`).expect(200);
      expect([changes.body.data.length, feed.body.data.length]).toEqual([2, 2]);
      for (const { data } of [...changes.body.data, ...feed.body.data]) {
        expect(data).toMatchObject({ id, name: expect.stringContaining('Mower'), type: 'service', status: 'active' });
        expect(Object.keys(data).length === 4).toBe(role === 'guest');
      }
      for (const { text } of [changes, feed]) expect(/secret|:97[78],/.test(text)).toBe(role === 'member');
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

    it('accepts the filters of the feed, and rejects invalid parameters', async () => {
      expect((await read(ann, `entity_id=${task}`)).data).toHaveLength(1);
      expect((await read(ann, `endeavour_id=${garden}&type=task.*`)).data).toHaveLength(1);
      expect((await read(ben)).data.map(({ entity_id }) => entity_id)).not.toContain(task);
      await app.as(ann).get('/activity?before=0').expect(400);
    });
  });

  describe('as counts', () => {
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

    it('includes the endeavours of an organization in its counts', async () => {
      const organization = await app.organization(ann);
      const cellar = await app.endeavour(ann, { organization_id: organization });
      await app.task(ann, cellar);
      const counts = await read(ann, `organization_id=${organization}`);
      expect(counts.map(({ type }) => type)).toEqual(expect.arrayContaining(['organization.created', 'task.created']));
    });

    it('limits the length of the period', async () => {
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

  describe('as CSV', () => {
    const csv = (path: string, person = ann) => app.as(person).get(path).set('Accept', 'text/csv');

    it('has every entry on one page, and no cell that a spreadsheet would evaluate as a formula', async () => {
      await app.as(ann).patch(`/tasks/${task}`).send({ title: '=1+1, "now"' }).expect(200);
      for (let i = 0; i < 210; i += 1) await app.as(ann).patch(`/tasks/${task}`).send({ estimate: i }).expect(200);
      const { text, headers } = await csv(`/activity?entity_id=${task}`).expect(200);
      expect(headers['content-disposition']).toBe('attachment; filename="activity.csv"');
      const [header, first, ...rest] = text.split('\r\n');
      expect(header).toBe(
        'id,sequence,day,occurred_at,actor_id,actor_name,text,type,entity_type,entity_id,entity_key,entity_title,endeavour_id',
      );
      expect(first).toContain(`task.updated,task,${task},GARD-1,"'=1+1, ""now""",${garden}`);
      expect(rest.filter((line) => line !== '')).toHaveLength(211);
      expect((await csv('/activity', ben).expect(200)).text).not.toContain(task);
      await csv('/activity?limit=x').expect(400);
      await app.as(ann).head('/activity').set('Accept', 'text/csv').expect(200);
      const plain = await app.as(ann).get('/activity').set('Accept', 'text/csv;q=0.5, application/json').expect(200);
      expect(plain.body.data.length).toBeGreaterThan(0);
    });

    it('has the counts of the summary', async () => {
      const { text } = await csv(`/activity/summary?endeavour_id=${garden}`).expect(200);
      const day = new Date().toISOString().slice(0, 10);
      expect(text.split('\r\n').slice(0, 2)).toEqual(['at,type,count', `${day},endeavour.created,1`]);
    });
  });
});
