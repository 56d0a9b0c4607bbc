import { MessagesService } from '../../src/modules/messages/messages.service.js';
import { SchedulesService } from '../../src/modules/rituals/schedules.service.js';
import { Clock } from '../../src/platform/jobs/clock.js';
import { Jobs } from '../../src/platform/jobs/jobs.js';
import { House, type Person } from '../support/house.js';

interface Run {
  id: string;
  status: string;
  started_at: string;
  finished_at: string | null;
  error: object | null;
}

const sweep = (...houses: House[]): Promise<unknown> =>
  Promise.all(houses.map(({ app }) => app.get(SchedulesService, { strict: false }).sweep()));

describe('runs that a schedule begins', () => {
  let house: House;
  let ann: Person;
  let mia: Person;
  let vic: Person;
  let now: Date;

  const replica = async (): Promise<House> => {
    const other = await House.open({}, house);
    jest.spyOn(other.app.get(Clock), 'now').mockImplementation(() => now);
    return other;
  };

  beforeAll(async () => {
    house = await House.open();
    jest.spyOn(house.app.get(Clock), 'now').mockImplementation(() => now);
    [ann, mia, vic] = [await house.person('Ann'), await house.person('Mia'), await house.person('Vic')];
  });

  beforeEach(() => {
    now = new Date('2026-10-24T22:00:00Z');
  });

  afterAll(() => house.close());

  const EACH_MINUTE = { type: 'cron', expression: '* * * * *' };
  const wait = (minutes: number): void => {
    now = new Date(now.getTime() + minutes * 60_000);
  };
  const yardOf = async (more: object = {}): Promise<string> => {
    const yard = await house.endeavour(ann, { name: 'Yard', ...more });
    await house.join(yard, mia, 'member');
    await house.join(yard, vic, 'viewer');
    return yard;
  };
  const ritual = async (yard: string | undefined, more: object = {}): Promise<string> => {
    const sent = { name: 'Round', prompt: 'Walk round', endeavour_id: yard, ...more };
    return (await house.as(ann).post('/rituals').send(sent).expect(201)).body.data.id;
  };
  const runsOf = async (ritualId: string): Promise<Run[]> =>
    (await house.as(ann).get(`/ritual-runs?ritual_id=${ritualId}&sort=created_at&limit=200`).expect(200)).body.data;
  const endAll = (ritualId: string) =>
    house.database.query(
      "UPDATE ritual_runs SET status = 'succeeded', finished_at = now() WHERE ritual_id = $1 AND status = 'running'",
      [ritualId],
    );
  const inbox = async (person: Person, entityId: string) =>
    (await house.as(person).get(`/messages?entity_id=${entityId}`).expect(200)).body.data;

  it('are one for each time over two replicas, with one message each, whichever of them dies', async () => {
    const id = await ritual(await yardOf(), { schedule: EACH_MINUTE });
    let other = await replica();
    for (let minute = 1; minute <= 10; minute += 1) {
      wait(1);
      if (minute === 4) await other.close();
      if (minute === 7) other = await replica();
      const alive = minute >= 4 && minute < 7 ? [house] : [house, other];
      await sweep(...alive, ...alive);
      await endAll(id);
    }
    await other.close();
    const runs = await runsOf(id);
    expect(runs.map(({ started_at }) => started_at)).toEqual(
      Array.from({ length: 10 }, (_, minute) => new Date(Date.UTC(2026, 9, 24, 22, minute + 1)).toISOString()),
    );
    for (const run of runs) expect(await inbox(mia, run.id)).toHaveLength(1);
  });

  it('come from another replica where one dies in the middle of it, and the dead one leaves nothing', async () => {
    const id = await ritual(await yardOf(), { schedule: EACH_MINUTE });
    const other = await replica();
    const dying = jest.spyOn(other.app.get(MessagesService, { strict: false }), 'send').mockImplementation(async () => {
      await other.database.query('SELECT pg_terminate_backend(pg_backend_pid())');
      throw new Error('still alive');
    });
    wait(1);
    await sweep(other);
    expect(dying).toHaveBeenCalledTimes(1);
    expect(await runsOf(id)).toEqual([]);
    await sweep(house);
    await other.close();
    const [run, ...more] = await runsOf(id);
    expect(more).toEqual([]);
    expect(await inbox(mia, run.id)).toHaveLength(1);
    await house.database.query('UPDATE rituals SET is_enabled = false WHERE id = $1', [id]);
  });

  it('wait for the next look where the database is away, instead of asking it without end', async () => {
    let asked = 0;
    const away = jest.spyOn(house.database, 'one').mockImplementation(() => {
      asked += 1;
      return asked < 20 ? Promise.reject(new Error('Connection terminated')) : Promise.resolve(undefined);
    });
    await expect(sweep(house)).rejects.toThrow('Connection terminated');
    away.mockRestore();
    expect(asked).toBe(1);
  });

  it('come from the job of whichever replica claims it', async () => {
    const id = await ritual(await yardOf(), { schedule: EACH_MINUTE });
    const other = await replica();
    for (let minute = 1; minute <= 3; minute += 1) {
      wait(1);
      await Promise.all([house, other].map(({ app }) => app.get(Jobs).runDue()));
      await endAll(id);
    }
    await other.close();
    expect(await runsOf(id)).toHaveLength(3);
  });

  it('tell everyone in the endeavour what to do', async () => {
    const yard = await yardOf();
    const id = await ritual(yard, { schedule: EACH_MINUTE });
    wait(1);
    await sweep(house);
    const [run] = await runsOf(id);
    expect(run).toMatchObject({ trigger: 'schedule', status: 'running', run_by: null, endeavour_id: yard });
    for (const person of [ann, mia, vic]) {
      const [message, ...more] = await inbox(person, run.id);
      expect(more).toEqual([]);
      expect(message).toMatchObject({
        sender_id: null,
        intent: 'action',
        subject: 'Round',
        content: 'Walk round',
        entity_type: 'ritual_run',
        entity_id: run.id,
      });
    }
    const { body } = await house.as(ann).get(`/rituals/${id}`).expect(200);
    expect(body.data).toMatchObject({
      last_run: { id: run.id },
      next_run_at: '2026-10-24T22:02:00.000Z',
      revision: 1,
    });
  });

  it('are one after a long silence, and then go on in time', async () => {
    const id = await ritual(await yardOf(), { schedule: { type: 'cron', expression: '*/5 * * * *' } });
    wait(183);
    await sweep(house);
    expect(await runsOf(id)).toHaveLength(1);
    const { body } = await house.as(ann).get(`/rituals/${id}`).expect(200);
    expect(body.data.next_run_at).toBe('2026-10-25T01:05:00.000Z');
  });

  it('do not come a second time where the clock of another replica was ahead, and go on after it', async () => {
    const id = await ritual(await yardOf(), { schedule: EACH_MINUTE });
    wait(2);
    await sweep(house);
    const runs = await runsOf(id);
    expect(runs).toHaveLength(1);
    await endAll(id);
    // Planned anew by a replica whose clock is behind.
    const [{ at }] = await house.database.query<{ at: Date }>(
      `UPDATE rituals r SET next_run_at = n.scheduled_for FROM ritual_runs n
       WHERE r.id = $1 AND n.id = $2 RETURNING r.next_run_at AS at`,
      [id, runs[0].id],
    );
    expect(at.getTime()).toBeLessThanOrEqual(now.getTime());
    await sweep(house);
    expect(await runsOf(id)).toHaveLength(1);
    wait(1);
    await sweep(house);
    expect(await runsOf(id)).toHaveLength(2);
  });

  it('are skipped, without a message, while the last one goes on', async () => {
    const id = await ritual(await yardOf(), { schedule: EACH_MINUTE });
    for (let minute = 1; minute <= 3; minute += 1) {
      wait(1);
      await sweep(house);
    }
    const runs = await runsOf(id);
    expect(runs.map(({ status }) => status)).toEqual(['running', 'skipped', 'skipped']);
    expect(runs[1]).toMatchObject({ started_at: null, finished_at: '2026-10-24T22:02:00.000Z' });
    expect(await inbox(mia, runs[1].id)).toEqual([]);
    await house.as(mia).patch(`/ritual-runs/${runs[0].id}`).send({ status: 'succeeded' }).expect(200);
    wait(1);
    await sweep(house);
    expect((await runsOf(id))[3].status).toBe('running');
  });

  it('do not come where the ritual is disabled, archived, manual, personal, or of an organization', async () => {
    const yard = await yardOf();
    const riverside = await house.organization(ann);
    const off = await ritual(yard, { schedule: EACH_MINUTE, is_enabled: false });
    const gone = await ritual(yard, { schedule: EACH_MINUTE });
    await house.as(ann).patch(`/rituals/${gone}`).send({ status: 'archived' }).expect(200);
    const personal = await ritual(undefined, { schedule: EACH_MINUTE });
    const copy = await house.as(ann).post(`/rituals/${personal}/fork`).send({ organization_id: riverside }).expect(201);
    const manual = await ritual(yard);
    wait(5);
    await sweep(house);
    for (const id of [off, gone, personal, copy.body.data.id, manual]) expect(await runsOf(id)).toEqual([]);
  });

  it('do not come in completed endeavours, nor all at once when work goes on there', async () => {
    const yard = await yardOf();
    const id = await ritual(yard, { schedule: EACH_MINUTE });
    await house.as(ann).patch(`/endeavours/${yard}`).send({ status: 'completed' }).expect(200);
    wait(5);
    await sweep(house);
    expect(await runsOf(id)).toEqual([]);
    expect((await house.as(ann).get(`/rituals/${id}`).expect(200)).body.data.next_run_at).toBeNull();
    await house.as(ann).patch(`/endeavours/${yard}`).send({ status: 'active' }).expect(200);
    await sweep(house);
    expect(await runsOf(id)).toEqual([]);
    wait(1);
    await sweep(house);
    expect(await runsOf(id)).toHaveLength(1);
  });

  it('do not come in archived endeavours, even if their ritual is still enabled', async () => {
    const yard = await yardOf();
    const id = await ritual(yard, { schedule: EACH_MINUTE });
    await house.database.query("UPDATE endeavours SET status = 'archived' WHERE id = $1", [yard]);
    wait(1);
    await sweep(house);
    expect(await runsOf(id)).toEqual([]);
  });

  it('follow the endeavour into another zone, unless the schedule names its own', async () => {
    const yard = await yardOf({ timezone: 'Europe/Berlin' });
    const daily = { type: 'cron', expression: '0 9 * * *' };
    const [follows, stays] = [
      await ritual(yard, { schedule: daily }),
      await ritual(yard, { schedule: { ...daily, timezone: 'Europe/Berlin' } }),
    ];
    await house.as(ann).patch(`/endeavours/${yard}`).send({ timezone: 'Asia/Tokyo' }).expect(200);
    await sweep(house);
    const nextOf = async (id: string) => (await house.as(ann).get(`/rituals/${id}`)).body.data.next_run_at;
    expect(await nextOf(follows)).toBe('2026-10-25T00:00:00.000Z');
    expect(await nextOf(stays)).toBe('2026-10-25T08:00:00.000Z');
    expect(await runsOf(follows)).toEqual([]);
  });

  it('are not held up by one that cannot be begun', async () => {
    const yard = await yardOf();
    const [bad, good] = [
      await ritual(yard, { schedule: EACH_MINUTE, name: 'Bad' }),
      await ritual(yard, { schedule: EACH_MINUTE }),
    ];
    await house.database.query(`UPDATE rituals SET schedule = '{"type": "cron", "expression": "x"}' WHERE id = $1`, [
      bad,
    ]);
    wait(1);
    await sweep(house);
    expect(await runsOf(bad)).toEqual([]);
    expect(await runsOf(good)).toHaveLength(1);
    await house.database.query('UPDATE rituals SET is_enabled = false WHERE id = $1', [bad]);
  });

  it('leave neither run nor next time behind where the message fails', async () => {
    const id = await ritual(await yardOf(), { schedule: EACH_MINUTE });
    await house.database.query('ALTER TABLE messages ADD CONSTRAINT broken CHECK (false) NOT VALID');
    wait(1);
    await sweep(house);
    expect(await runsOf(id)).toEqual([]);
    await house.database.query('ALTER TABLE messages DROP CONSTRAINT broken');
    await sweep(house);
    expect(await runsOf(id)).toHaveLength(1);
  });

  it('fail with a timeout when nobody ends them for a day', async () => {
    const id = await ritual(await yardOf());
    const { body } = await house.as(mia).post('/ritual-runs').send({ ritual_id: id }).expect(201);
    const run = body.data.id;
    wait(24 * 60 - 1);
    await sweep(house);
    expect((await runsOf(id))[0].status).toBe('running');
    wait(1);
    await sweep(house, house);
    const [ended] = await runsOf(id);
    expect(ended).toMatchObject({
      id: run,
      status: 'failed',
      error: { code: 'timeout' },
      finished_at: now.toISOString(),
      revision: 2,
    });
    const events = await house.database.query('SELECT type FROM events WHERE entity_id = $1 ORDER BY sequence', [run]);
    expect(events).toEqual([{ type: 'ritual_run.created' }, { type: 'ritual_run.status_changed' }]);
  });
});
