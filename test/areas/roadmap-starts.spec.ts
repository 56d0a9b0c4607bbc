import { TestApp, type Person } from '../support/test-app.js';
import { fieldErrorsOf } from '../support/refusals.js';

describe('the first days of tasks and demands', () => {
  let app: TestApp;
  let ann: Person;
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open({ WORKERS: 'true', LIMIT_WRITES_PER_MINUTE: '100000' });
    ann = await app.person('Ann', { tier: 3 });
  });

  beforeEach(async () => {
    garden = await app.endeavour(ann, { timezone: 'Asia/Tokyo' });
  });

  afterAll(() => app.close());

  const patch = (at: string, body: object) => app.as(ann).patch(at).send(body);
  const ids = async (at: string): Promise<string[]> =>
    (await app.as(ann).get(at).expect(200)).body.data.map(({ id }: { id: string }) => id);
  const work = (kind: string, more: object = {}) =>
    kind === 'tasks' ? app.task(ann, garden, more) : app.demand(ann, garden, more);

  describe.each(['tasks', 'demands'])('of %s', (kind) => {
    it('are set, changed and cleared', async () => {
      const id = await work(kind, { start_date: '2027-05-01' });
      const { body } = await app.as(ann).get(`/${kind}/${id}`).expect(200);
      expect(body.data).toMatchObject({ start_date: '2027-05-01', due_date: null });
      const changed = await patch(`/${kind}/${id}`, { start_date: '2027-05-02' }).expect(200);
      expect(changed.body.data).toMatchObject({ start_date: '2027-05-02', revision: 2 });
      const same = await patch(`/${kind}/${id}`, { start_date: '2027-05-02' }).expect(200);
      expect(same.body.data.revision).toBe(2);
      expect((await patch(`/${kind}/${id}`, { start_date: null }).expect(200)).body.data.start_date).toBeNull();
      for (const start of ['2027-02-30', '2027-05-01T10:00:00Z', '1969-12-31']) {
        const refused = await patch(`/${kind}/${id}`, { start_date: start }).expect(400);
        expect(fieldErrorsOf(refused.body)).toEqual([expect.stringMatching(/^start_date /)]);
      }
    });

    it('are not after the day on which it is due, whichever changes', async () => {
      const both = ['start_date out_of_range', 'due_date out_of_range'];
      const id = await work(kind, { start_date: '2027-05-10', due_date: '2027-05-10' });
      const refusals = [
        { start_date: '2027-05-11' },
        { due_day: '2027-05-09' },
        { due_date: '2027-05-09' },
        // The ninth of May in Tokyo.
        { due_date: '2027-05-09T14:59:59Z' },
      ];
      for (const changes of refusals) {
        expect(fieldErrorsOf((await patch(`/${kind}/${id}`, changes).expect(400)).body)).toEqual(both);
      }
      // The tenth of May in Tokyo.
      await patch(`/${kind}/${id}`, { due_date: '2027-05-09T15:00:00Z' }).expect(200);
      await patch(`/${kind}/${id}`, { start_date: '2027-05-12', due_day: '2027-05-12' }).expect(200);
      const dates = { start_date: '2027-05-11', due_date: '2027-05-10' };
      const sent = { title: 'Dig', endeavour_id: garden, ...(kind === 'demands' && { type: 'story' }), ...dates };
      expect(fieldErrorsOf((await app.as(ann).post(`/${kind}`).send(sent).expect(400)).body)).toEqual(both);
    });

    it('are not long after it even where a writer does not know the rule', async () => {
      const id = await work(kind, { start_date: '2027-05-10', due_date: '2027-05-10' });
      await expect(
        app.database.query(`UPDATE ${kind} SET start_date = '2027-05-20' WHERE id = $1`, [id]),
      ).rejects.toMatchObject({ constraint: `${kind}_start_date_check` });
    });

    it('filter and sort lists', async () => {
      const [late, soon] = [
        await work(kind, { start_date: '2027-05-02' }),
        await work(kind, { start_date: '2027-05-01' }),
      ];
      const without = await work(kind);
      const listed = (query: string) => ids(`/${kind}?endeavour_id=${garden}&${query}`);
      expect(await listed('sort=start_date')).toEqual([soon, late, without]);
      expect(await listed('start_after=2027-05-02')).toEqual([late]);
      expect(await listed('start_before=2027-05-02')).toEqual([soon]);
      const expression = (text: string) => listed(`filter=${encodeURIComponent(text)}`);
      expect(await expression('start_date > "2027-05-01"')).toEqual([late]);
      expect(await expression('start_date <= "2027-05-01"')).toEqual([soon]);
      const refused = await app.as(ann).get(`/${kind}?start_after=soon`).expect(400);
      expect(fieldErrorsOf(refused.body)).toEqual(['start_after invalid_date']);
    });
  });

  it('come from a file, which can change them later', async () => {
    const send = async (...rows: string[]) => {
      const { body, headers } = await app
        .as(ann)
        .post(`/imports?format=csv&endeavour_id=${garden}`)
        .set('Content-Type', 'application/octet-stream')
        .send(['id,title,start_date,due_date', ...rows].join('\n'))
        .expect(202);
      expect((await app.ended(ann, headers.location)).body.data).toMatchObject({ status: 'succeeded' });
      const report = await app
        .as(ann)
        .get(`/imports/${body.data.id.replace('opr_', 'imp_')}`)
        .expect(200);
      return report.body.data;
    };
    const starts = async () => {
      const { body } = await app.as(ann).get(`/tasks?endeavour_id=${garden}&sort=title`).expect(200);
      return body.data.map((task: { start_date: string | null; due_day: string | null }) => [
        task.start_date,
        task.due_day,
      ]);
    };
    const { notes } = await send('1,Dig,2027-05-10,2027-05-11', '2,Mow,2027-05-12,2027-05-11', '3,Sow,2027-05-13,');
    expect(await starts()).toEqual([
      ['2027-05-10', '2027-05-11'],
      [null, '2027-05-11'],
      ['2027-05-13', null],
    ]);
    expect(JSON.stringify(notes)).toContain('start_date must not be after the day of due_date. Left out.');
    const again = await send('1,Dig,2027-05-09,2027-05-11', '3,Sow,,');
    expect(again.counts).toMatchObject({ created: 0, updated: 2 });
    expect(await starts()).toEqual([
      ['2027-05-09', '2027-05-11'],
      [null, '2027-05-11'],
      [null, null],
    ]);
  });

  it('stay when the time zone of the endeavour changes', async () => {
    const id = await work('tasks', { start_date: '2027-05-10', due_date: '2027-05-10' });
    await patch(`/endeavours/${garden}`, { timezone: 'America/Los_Angeles' }).expect(200);
    const { body } = await app.as(ann).get(`/tasks/${id}`).expect(200);
    expect(body.data).toMatchObject({ start_date: '2027-05-10', due_day: '2027-05-10' });
  });
});
