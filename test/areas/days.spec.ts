import { TestApp, type Person } from '../support/test-app.js';

/** What was given as a day stays that day: in other time zones, after moves and imports, in filters and calendars. */
describe('days', () => {
  let app: TestApp;
  let ann: Person;
  let york: string;

  beforeAll(async () => {
    app = await TestApp.open({ LIMIT_WRITES_PER_MINUTE: '100000', WORKERS: 'true' });
    ann = await app.person('Ann', { tier: 3 });
  });

  beforeEach(async () => {
    york = await app.endeavour(ann, { name: 'New York', timezone: 'America/New_York' });
  });

  afterAll(() => app.close());

  const read = async (path: string) => (await app.as(ann).get(path).expect(200)).body.data;
  const patch = (path: string, body: object) => app.as(ann).patch(path).send(body);
  const dueIn = async (task: string) => {
    const { due_date, due_day } = await read(`/tasks/${task}`);
    return { due_date, due_day };
  };
  const jobIsDueIn = (delay: string) =>
    app.database.query(
      `UPDATE jobs SET due_at = now() + $1::interval WHERE name = 'dates of changed time zones' AND locked_until IS NULL`,
      [delay],
    );
  const ids = async (query: string): Promise<string[]> =>
    (await read(`/tasks?${query}&sort=due_date`)).map(({ id }: { id: string }) => id);

  describe('of a task and a demand', () => {
    it.each(['tasks', 'demands'])('are kept, and shown with the offset of the time zone: %s', async (kind) => {
      const body = { title: 'Due', endeavour_id: york, ...(kind === 'demands' && { type: 'story' }) };
      const create = async (more: object) =>
        (
          await app
            .as(ann)
            .post(`/${kind}`)
            .send({ ...body, ...more })
            .expect(201)
        ).body.data;
      const shown = { due_day: '2026-12-24', due_date: '2026-12-24T23:59:59.000-05:00' };
      const first = await create({ due_date: '2026-12-24' });
      expect(first).toMatchObject(shown);
      expect(await create({ due_day: '2026-12-24' })).toMatchObject(shown);
      expect(await create({ ...shown })).toMatchObject(shown);
      expect(await read(`/${kind}/${first.id}`)).toMatchObject(shown);
      expect((await read(`/${kind}?endeavour_id=${york}&limit=1`))[0]).toMatchObject(shown);
      expect(await create({ due_date: '2026-12-25T04:59:59Z' })).toMatchObject({
        due_day: null,
        due_date: '2026-12-25T04:59:59.000Z',
      });
      expect(await create({})).toMatchObject({ due_day: null, due_date: null });
    });

    it('are written in UTC with Z', async () => {
      const task = await app.task(ann, await app.endeavour(ann), { due_day: '2026-12-31' });
      expect(await dueIn(task)).toEqual({ due_day: '2026-12-31', due_date: '2026-12-31T23:59:59.000Z' });
    });

    it('do not move when a client sends back what is shown, or its first ten characters', async () => {
      const task = await app.task(ann, york, { due_date: '2026-12-24' });
      const { due_date, due_day } = await dueIn(task);
      for (const body of [
        { due_date },
        { due_date: '2026-12-25T04:59:59Z' },
        { due_date: due_date.slice(0, 10) },
        { due_date, due_day },
        { due_day },
      ]) {
        const { body: response } = await patch(`/tasks/${task}`, body).expect(200);
        expect([body, response.data]).toEqual([body, expect.objectContaining({ due_date, due_day, revision: 1 })]);
      }
    });

    it('become an instant, another day or nothing when that is sent', async () => {
      const task = await app.task(ann, york, { due_date: '2026-12-24' });
      const after = async (body: object) => (await patch(`/tasks/${task}`, body).expect(200)).body.data;
      expect(await after({ due_date: '2026-12-24T15:00:00Z' })).toMatchObject({
        due_day: null,
        due_date: '2026-12-24T15:00:00.000Z',
      });
      expect(await after({ due_date: '2026-12-24T15:00:00.000Z', due_day: null })).toMatchObject({ revision: 2 });
      expect(await after({ due_day: '2026-12-26' })).toMatchObject({ due_date: '2026-12-26T23:59:59.000-05:00' });
      expect(await after({ due_day: null })).toMatchObject({ due_day: null, due_date: null });
      await after({ due_date: '2026-12-26' });
      expect(await after({ due_date: null })).toMatchObject({ due_day: null, due_date: null });
    });

    it('are recorded in the event of a change with both properties', async () => {
      const task = await app.task(ann, york, { due_date: '2026-12-24' });
      await patch(`/tasks/${task}`, { due_date: '2026-12-26' }).expect(200);
      const [event] = await read(`/tasks/${task}/changes?limit=1`);
      expect(event).toMatchObject({
        changed: ['due_day', 'due_date'],
        previous: { due_day: '2026-12-24' },
        data: { due_day: '2026-12-26', due_date: '2026-12-26T23:59:59.000-05:00' },
      });
    });

    it.each([
      { due_date: '2026-12-24', due_day: '2026-12-25' },
      { due_date: '2026-12-24T15:00:00Z', due_day: '2026-12-24' },
      { due_date: '2026-12-24', due_day: null },
      { due_date: null, due_day: '2026-12-24' },
    ])('are refused if both properties contradict each other: %j', async (body) => {
      const task = await app.task(ann, york);
      const { body: refusal } = await patch(`/tasks/${task}`, body).expect(400);
      expect(refusal.error.details.fields).toEqual([
        expect.objectContaining({ field: 'due_day', code: 'invalid_value' }),
      ]);
    });

    it('are refused if they do not exist', async () => {
      const task = await app.task(ann, york);
      await patch(`/tasks/${task}`, { due_day: '2026-02-30' }).expect(400);
      await patch(`/tasks/${task}`, { due_day: '2026-12-24T00:00:00Z' }).expect(400);
    });
  });

  describe('in another time zone', () => {
    it('stay when the time zone of the endeavour changes, and change neither revision nor updated_at', async () => {
      const [day, instant] = [
        await app.task(ann, york, { due_date: '2026-12-24' }),
        await app.task(ann, york, { due_date: '2026-12-24T15:00:00Z' }),
      ];
      const demand = await app.demand(ann, york, { due_date: '2026-12-24' });
      const before = await read(`/tasks/${day}`);
      await patch(`/endeavours/${york}`, { timezone: 'Europe/Berlin' }).expect(200);
      expect(await read(`/tasks/${day}`)).toEqual({ ...before, due_date: '2026-12-24T23:59:59.000+01:00' });
      expect(await dueIn(instant)).toEqual({ due_day: null, due_date: '2026-12-24T15:00:00.000Z' });
      expect(await read(`/demands/${demand}`)).toMatchObject({ due_date: '2026-12-24T23:59:59.000+01:00' });
      const { rows } = await app.database
        .one<{ rows: number }>(`SELECT count(*)::integer AS rows FROM events WHERE entity_id = $1`, [day])
        .then((row) => row ?? { rows: 0 });
      expect(rows).toBe(1);
    });

    it('stay when a task moves to an endeavour of another time zone', async () => {
      const tokyo = await app.endeavour(ann, { timezone: 'Asia/Tokyo' });
      const task = await app.task(ann, york, { due_date: '2026-12-24' });
      const { body } = await patch(`/tasks/${task}`, { endeavour_id: tokyo }).expect(200);
      expect(body.data).toMatchObject({ due_day: '2026-12-24', due_date: '2026-12-24T23:59:59.000+09:00' });
    });

    it('are the same in export, import, export over three time zones', async () => {
      await app.task(ann, york, { title: 'Day', due_date: '2026-12-24' });
      await app.task(ann, york, { title: 'Instant', due_date: '2026-12-24T15:00:00Z' });
      await app.demand(ann, york, { due_date: '2026-12-31' });
      const datesOf = async (endeavour: string) => {
        const { tasks, demands } = (await app.as(ann).get(`/endeavours/${endeavour}/export`).expect(200)).body;
        return [...tasks, ...demands].map(({ title, due_day, due_date }) => ({
          title,
          due_day,
          due_date: due_day === null ? due_date : due_date.slice(0, 19),
        }));
      };
      const expected = await datesOf(york);
      let source = york;
      for (const timezone of ['Europe/Berlin', 'Asia/Tokyo', 'Pacific/Apia']) {
        const target = await app.endeavour(ann, { timezone });
        const { body } = await app.as(ann).get(`/endeavours/${source}/export`).expect(200);
        const { headers } = await app
          .as(ann)
          .post(`/imports?format=worksmith&endeavour_id=${target}`)
          .set('Content-Type', 'application/octet-stream')
          .send(JSON.stringify(body))
          .expect(202);
        const ended = await app.ended(ann, headers.location);
        expect(ended.body.data.status).toBe('succeeded');
        expect([timezone, await datesOf(target)]).toEqual([timezone, expected]);
        source = target;
      }
    });

    it('are the same in export, import, export of an organization with endeavours in three time zones', async () => {
      const organization = await app.organization(ann);
      for (const timezone of ['America/New_York', 'Asia/Tokyo', 'Pacific/Apia']) {
        const dates = { start_date: '2026-03-08', end_date: '2026-12-31' };
        const endeavour = await app.endeavour(ann, {
          organization_id: organization,
          name: timezone,
          timezone,
          ...dates,
        });
        await app.task(ann, endeavour, { title: 'Day', due_date: '2026-11-01' });
        await app.demand(ann, endeavour, { due_day: '2026-12-30' });
      }
      const exported = async (id: string) => (await app.as(ann).get(`/organizations/${id}/export`).expect(200)).body;
      const names = /^(title|name|(due|start|end)_(day|date))$/;
      const datesOf = (section: Record<string, unknown>[]) =>
        section
          .map((one) => Object.entries(one).filter(([name, value]) => names.test(name) && value !== null))
          .map((entries) => JSON.stringify(entries))
          .sort();
      const datedPartsOf = ({ endeavours, tasks, demands }: Record<string, Record<string, unknown>[]>) =>
        [endeavours, tasks, demands].map(datesOf);
      const first = await exported(organization);
      expect(datedPartsOf(first).map(({ length }) => length)).toEqual([3, 3, 3]);
      let document = first;
      for (let copies = 1; copies <= 2; copies += 1) {
        const target = await app.organization(ann);
        const { headers } = await app
          .as(ann)
          .post(`/imports?format=worksmith&organization_id=${target}`)
          .set('Content-Type', 'application/octet-stream')
          .send(JSON.stringify(document))
          .expect(202);
        const ended = await app.ended(ann, headers.location);
        expect(ended.body.data.status).toBe('succeeded');
        document = await exported(target);
        expect(datedPartsOf(document)).toEqual(datedPartsOf(first));
      }
    });

    it('are derived by a job in endeavours that are too large for a request', async () => {
      await app.database.query(
        `WITH made AS (
           INSERT INTO entities (id, kind, endeavour_id, is_global, title)
           SELECT 'tsk_' || lpad(to_hex(n), 32, '0'), 'task', $1, false, 'T' FROM generate_series(1, 5500) n RETURNING id)
         INSERT INTO tasks (id, title, endeavour_id, owner_id, creator_id, due_day)
         SELECT id, 'T', $1, $2, $2, '2026-12-24' FROM made`,
        [york, ann.resourceId],
      );
      const wrong = async () =>
        (
          await app.database.one<{ rows: number }>(
            `SELECT count(*)::integer AS rows FROM tasks
             WHERE endeavour_id = $1 AND due_date <> '2026-12-24T22:59:59Z'`,
            [york],
          )
        )?.rows;
      await jobIsDueIn('1 hour');
      await patch(`/endeavours/${york}`, { timezone: 'Europe/Berlin' }).expect(200);
      expect(await wrong()).toBe(1500);
      await jobIsDueIn('0 seconds');
      await app.service.runJobs();
      expect(await wrong()).toBe(0);
    });

    it.each([
      // The clocks skip midnight, repeat the hour before it, and skip the whole day.
      ['America/Asuncion', '2023-10-01', '2023-10-01T01:00:00.000-03:00', '2023-10-01T23:59:59.000-03:00'],
      ['America/Havana', '2026-11-01', '2026-11-01T00:00:00.000-04:00', '2026-11-01T23:59:59.000-05:00'],
      ['Asia/Amman', '2021-10-29', '2021-10-29T00:00:00.000+03:00', '2021-10-29T23:59:59.000+02:00'],
      ['Europe/Berlin', '2026-03-29', '2026-03-29T00:00:00.000+01:00', '2026-03-29T23:59:59.000+02:00'],
      ['Asia/Kathmandu', '2026-12-31', '2026-12-31T00:00:00.000+05:45', '2026-12-31T23:59:59.000+05:45'],
      ['America/St_Johns', '2026-12-31', '2026-12-31T00:00:00.000-03:30', '2026-12-31T23:59:59.000-03:30'],
    ])('begin and end where the clock of %s says, on %s', async (timezone, day, start_date, end_date) => {
      const endeavour = await app.endeavour(ann, { timezone, start_day: day, end_day: day });
      expect(await read(`/endeavours/${endeavour}`)).toMatchObject({
        start_day: day,
        start_date,
        end_day: day,
        end_date,
      });
    });
  });

  describe('of an endeavour', () => {
    it('do not move when a client that knows only dates saves them again and again', async () => {
      const endeavour = await app.endeavour(ann, {
        timezone: 'Europe/Berlin',
        start_date: '2026-07-01',
        end_date: '2026-07-31',
      });
      for (let saves = 0; saves < 3; saves += 1) {
        const { start_date, end_date } = await read(`/endeavours/${endeavour}`);
        await patch(`/endeavours/${endeavour}`, {
          start_date: start_date.slice(0, 10),
          end_date: end_date.slice(0, 10),
        }).expect(200);
      }
      expect(await read(`/endeavours/${endeavour}`)).toMatchObject({
        start_date: '2026-07-01T00:00:00.000+02:00',
        end_date: '2026-07-31T23:59:59.000+02:00',
        revision: 1,
      });
    });

    it('follow its time zone', async () => {
      const endeavour = await app.endeavour(ann, { timezone: 'Europe/Berlin', start_day: '2026-07-01' });
      const { body } = await patch(`/endeavours/${endeavour}`, { timezone: 'Asia/Tokyo' }).expect(200);
      expect(body.data).toMatchObject({ start_day: '2026-07-01', start_date: '2026-07-01T00:00:00.000+09:00' });
    });
  });

  describe('in filters', () => {
    it('are compared with days as days, and with instants in the time zone of the endeavour', async () => {
      const [before, day, early, late] = [
        await app.task(ann, york, { due_date: '2026-12-23' }),
        await app.task(ann, york, { due_date: '2026-12-24' }),
        await app.task(ann, york, { due_date: '2026-12-24T05:00:00Z' }),
        await app.task(ann, york, { due_date: '2026-12-25T05:00:00Z' }),
      ];
      const within = `endeavour_id=${york}`;
      expect(await ids(`${within}&due_after=2026-12-24&due_before=2026-12-25`)).toEqual([early, day]);
      expect(await ids(`${within}&due_before=2026-12-24`)).toEqual([before]);
      expect(await ids(`${within}&due_after=2026-12-25`)).toEqual([late]);
      const { body } = await app.as(ann).get(`/tasks/summary?${within}&due_after=2026-12-24`).expect(200);
      expect(body.data.total).toBe(3);
    });

    it('of several endeavours or none are meant in the time zone of the caller', async () => {
      const uma = await app.person('Uma', { tier: 3, timezone: 'Asia/Tokyo' });
      const task = await app.task(uma, await app.endeavour(uma), { due_date: '2026-12-23T15:00:00Z' });
      const found = async (query: string) => (await app.as(uma).get(`/tasks?${query}`).expect(200)).body.meta.total;
      expect(await found('due_after=2026-12-24')).toBe(1);
      expect(await found('due_before=2026-12-24')).toBe(0);
      const created = (await app.as(uma).get(`/tasks/${task}`)).body.data.created_at;
      const inTokyo = new Date(Date.parse(created) + 9 * 3_600_000).toISOString().slice(0, 10);
      expect(await found(`created_after=${inTokyo}`)).toBe(1);
      expect(await found(`created_before=${inTokyo}`)).toBe(0);
    });
  });

  describe('written by a release that knows none', () => {
    const write = (task: string, instant: string | null) =>
      app.database.query('UPDATE tasks SET due_date = $2 WHERE id = $1', [task, instant]);

    it('follow an instant at the end of another day, and are cleared by any other instant', async () => {
      const task = await app.task(ann, york, { due_date: '2026-12-24' });
      await write(task, '2026-12-27T04:59:59Z');
      expect(await dueIn(task)).toEqual({ due_day: '2026-12-26', due_date: '2026-12-26T23:59:59.000-05:00' });
      await write(task, '2026-12-27T15:00:00Z');
      expect(await dueIn(task)).toEqual({ due_day: null, due_date: '2026-12-27T15:00:00.000Z' });
    });

    it('are cleared with their instant', async () => {
      const task = await app.task(ann, york, { due_date: '2026-12-24' });
      await write(task, null);
      expect(await dueIn(task)).toEqual({ due_day: null, due_date: null });
    });

    it('become days where they are at the end of one, in endeavours from before', async () => {
      const [edge, instant] = [
        await app.task(ann, york, { due_date: '2026-12-25T04:59:59Z' }),
        await app.task(ann, york, { due_date: '2026-12-24T15:00:00Z' }),
      ];
      await patch(`/endeavours/${york}`, { start_date: '2026-12-01T05:00:00Z', end_date: '2027-01-01T04:59:58Z' });
      await app.database.query('UPDATE endeavours SET derived_timezone = NULL WHERE id = $1', [york]);
      await jobIsDueIn('0 seconds');
      await app.service.runJobs();
      expect(await dueIn(edge)).toEqual({ due_day: '2026-12-24', due_date: '2026-12-24T23:59:59.000-05:00' });
      expect(await dueIn(instant)).toEqual({ due_day: null, due_date: '2026-12-24T15:00:00.000Z' });
      expect(await read(`/endeavours/${york}`)).toMatchObject({
        start_day: '2026-12-01',
        end_day: null,
        end_date: '2027-01-01T04:59:58.000Z',
      });
    });
  });
});
