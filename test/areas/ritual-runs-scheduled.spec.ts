import { MessagesService } from '../../src/modules/messages/messages.service.js';
import { Prompts } from '../../src/modules/rituals/prompts.js';
import { SchedulesService } from '../../src/modules/rituals/schedules/schedules.service.js';
import { Clock } from '../../src/platform/jobs/clock.js';
import { Jobs } from '../../src/platform/jobs/jobs.js';
import { InProcessApp } from '../support/in-process-app.js';
import type { Person } from '../support/test-app.js';

interface Run {
  id: string;
  status: string;
  started_at: string;
  finished_at: string | null;
  error: object | null;
}

const runDueRituals = (...apps: InProcessApp[]): Promise<unknown> =>
  Promise.all(apps.map(({ nest }) => nest.get(SchedulesService, { strict: false }).runDue()));

const UNRENDERED = 'Ritual due: Round\n\nIts prompt could not be rendered; an admin of the endeavour can correct it.';

describe('scheduled ritual runs', () => {
  let app: InProcessApp;
  let ann: Person;
  let mia: Person;
  let vic: Person;
  let now: Date;

  const replica = async (): Promise<InProcessApp> => {
    const other = await InProcessApp.open({}, app);
    jest.spyOn(other.nest.get(Clock), 'now').mockImplementation(() => now);
    return other;
  };

  beforeAll(async () => {
    app = await InProcessApp.open();
    jest.spyOn(app.nest.get(Clock), 'now').mockImplementation(() => now);
    [ann, mia, vic] = [await app.person('Ann'), await app.person('Mia'), await app.person('Vic')];
  });

  beforeEach(() => {
    now = new Date('2026-10-24T22:00:00Z');
  });

  afterAll(() => app.close());

  const EACH_MINUTE = { type: 'cron', expression: '* * * * *' };
  const wait = (minutes: number): void => {
    now = new Date(now.getTime() + minutes * 60_000);
  };
  const yardOf = async (more: object = {}): Promise<string> => {
    const yard = await app.endeavour(ann, { name: 'Yard', ...more });
    await app.join(yard, mia, 'member');
    await app.join(yard, vic, 'viewer');
    return yard;
  };
  const ritual = async (yard: string | undefined, more: object = {}): Promise<string> => {
    const sent = { name: 'Round', prompt: 'Walk round', endeavour_id: yard, ...more };
    return (await app.as(ann).post('/rituals').send(sent).expect(201)).body.data.id;
  };
  const runsOf = async (ritualId: string): Promise<Run[]> =>
    (await app.as(ann).get(`/ritual-runs?ritual_id=${ritualId}&sort=created_at&limit=200`).expect(200)).body.data;
  const endAll = (ritualId: string) =>
    app.database.query(
      "UPDATE ritual_runs SET status = 'succeeded', finished_at = now() WHERE ritual_id = $1 AND status = 'running'",
      [ritualId],
    );
  const inbox = async (person: Person, entityId: string) =>
    (await app.as(person).get(`/messages?entity_id=${entityId}`).expect(200)).body.data;

  it('start once per scheduled time over two replicas, with one message, even if a replica stops', async () => {
    const id = await ritual(await yardOf(), { schedule: EACH_MINUTE });
    let other = await replica();
    for (let minute = 1; minute <= 10; minute += 1) {
      wait(1);
      if (minute === 4) await other.close();
      if (minute === 7) other = await replica();
      const alive = minute >= 4 && minute < 7 ? [app] : [app, other];
      await runDueRituals(...alive, ...alive);
      await endAll(id);
    }
    await other.close();
    const runs = await runsOf(id);
    expect(runs.map(({ started_at }) => started_at)).toEqual(
      Array.from({ length: 10 }, (_, minute) => new Date(Date.UTC(2026, 9, 24, 22, minute + 1)).toISOString()),
    );
    for (const run of runs) expect(await inbox(mia, run.id)).toHaveLength(1);
  });

  it('are started by another replica if one dies midway, which leaves no partial run', async () => {
    const id = await ritual(await yardOf(), { schedule: EACH_MINUTE });
    const other = await replica();
    const dying = jest
      .spyOn(other.nest.get(MessagesService, { strict: false }), 'send')
      .mockImplementation(async () => {
        await other.database.query('SELECT pg_terminate_backend(pg_backend_pid())');
        throw new Error('still alive');
      });
    wait(1);
    await runDueRituals(other);
    expect(dying).toHaveBeenCalledTimes(1);
    expect(await runsOf(id)).toEqual([]);
    await runDueRituals(app);
    await other.close();
    const [run, ...more] = await runsOf(id);
    expect(more).toEqual([]);
    expect(await inbox(mia, run.id)).toHaveLength(1);
    await app.database.query('UPDATE rituals SET is_enabled = false WHERE id = $1', [id]);
  });

  it('wait for the next check if the database is unavailable, instead of retrying endlessly', async () => {
    let asked = 0;
    const away = jest.spyOn(app.database, 'one').mockImplementation(() => {
      asked += 1;
      return asked < 20 ? Promise.reject(new Error('Connection terminated')) : Promise.resolve(undefined);
    });
    await expect(runDueRituals(app)).rejects.toThrow('Connection terminated');
    away.mockRestore();
    expect(asked).toBe(1);
  });

  it('are started by the job of one replica only', async () => {
    const id = await ritual(await yardOf(), { schedule: EACH_MINUTE });
    const other = await replica();
    for (let minute = 1; minute <= 3; minute += 1) {
      wait(1);
      await Promise.all([app, other].map(({ nest }) => nest.get(Jobs).runDue()));
      await endAll(id);
    }
    await other.close();
    expect(await runsOf(id)).toHaveLength(3);
  });

  it('send their prompt to the members of the endeavour, but not to viewers', async () => {
    const yard = await yardOf();
    const id = await ritual(yard, { schedule: EACH_MINUTE });
    wait(1);
    await runDueRituals(app);
    const [run] = await runsOf(id);
    expect(run).toMatchObject({ trigger: 'schedule', status: 'running', run_by: null, endeavour_id: yard });
    expect(await inbox(vic, run.id)).toEqual([]);
    for (const person of [ann, mia]) {
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
    const { body } = await app.as(ann).get(`/rituals/${id}`).expect(200);
    expect(body.data).toMatchObject({
      last_run: { id: run.id },
      next_run_at: '2026-10-24T22:02:00.000Z',
      revision: 1,
    });
  });

  it('start once after a long pause, and then continue on schedule', async () => {
    const id = await ritual(await yardOf(), { schedule: { type: 'cron', expression: '*/5 * * * *' } });
    wait(183);
    await runDueRituals(app);
    expect(await runsOf(id)).toHaveLength(1);
    const { body } = await app.as(ann).get(`/rituals/${id}`).expect(200);
    expect(body.data.next_run_at).toBe('2026-10-25T01:05:00.000Z');
  });

  it('do not start twice if the clock of a replica is behind, and then continue on schedule', async () => {
    const id = await ritual(await yardOf(), { schedule: EACH_MINUTE });
    wait(2);
    await runDueRituals(app);
    const runs = await runsOf(id);
    expect(runs).toHaveLength(1);
    await endAll(id);
    // As if a replica whose clock is behind had scheduled the same run again.
    const [{ at }] = await app.database.query<{ at: Date }>(
      `UPDATE rituals r SET next_run_at = n.scheduled_for FROM ritual_runs n
       WHERE r.id = $1 AND n.id = $2 RETURNING r.next_run_at AS at`,
      [id, runs[0].id],
    );
    expect(at.getTime()).toBeLessThanOrEqual(now.getTime());
    await runDueRituals(app);
    expect(await runsOf(id)).toHaveLength(1);
    wait(1);
    await runDueRituals(app);
    expect(await runsOf(id)).toHaveLength(2);
  });

  it('start every day although the previous run was not finished', async () => {
    const daily = { type: 'cron', expression: '0 9 * * *' };
    const id = await ritual(await yardOf(), { schedule: daily });
    for (let day = 1; day <= 4; day += 1) {
      wait(24 * 60);
      await runDueRituals(app);
    }
    const runs = await runsOf(id);
    expect(runs.map(({ status }) => status)).toEqual(['failed', 'failed', 'failed', 'running']);
    expect(runs[0]).toMatchObject({ error: { code: 'untouched' }, revision: 2 });
    for (const run of runs) expect(await inbox(mia, run.id)).toHaveLength(1);
  });

  it('are not delayed by a manual run that was never finished', async () => {
    const id = await ritual(await yardOf(), { schedule: EACH_MINUTE });
    await app.as(mia).post('/ritual-runs').send({ ritual_id: id }).expect(201);
    wait(1);
    await runDueRituals(app);
    expect((await runsOf(id)).map(({ status }) => status)).toEqual(['running', 'running']);
  });

  it('are skipped while the previous run is claimed or was updated', async () => {
    const id = await ritual(await yardOf(), { schedule: EACH_MINUTE });
    const touches = [{ claim: true }, { result_summary: 'Half way' }, { metadata: { at: 'gate' } }];
    for (const touch of touches) {
      wait(1);
      await runDueRituals(app);
      const run = (await runsOf(id)).at(-1) as Run;
      expect(run.status).toBe('running');
      await app.as(mia).patch(`/ritual-runs/${run.id}`).send(touch).expect(200);
      wait(1);
      await runDueRituals(app);
      expect((await runsOf(id)).at(-1)?.status).toBe('skipped');
      await app.as(mia).patch(`/ritual-runs/${run.id}`).send({ status: 'succeeded' }).expect(200);
    }
  });

  it('send prompts up to the maximum length, rendered, or the name of the ritual instead of a broken prompt', async () => {
    const yard = await yardOf({ name: 'Yard <b>' });
    await app.task(ann, yard, { title: 'Fence' });
    const tail = 'x'.repeat(99_900);
    const long = await ritual(yard, {
      schedule: EACH_MINUTE,
      prompt: `Look at {{ endeavour.name }} {{ tasks[0].title }} ${tail}`,
    });
    const plain = await ritual(yard, { schedule: EACH_MINUTE, prompt: 'y'.repeat(100_000) });
    const broken = await ritual(yard, { schedule: EACH_MINUTE, prompt: 'Use {{ endeavour.name and {% more' });
    const endless = await ritual(yard, {
      schedule: EACH_MINUTE,
      prompt: '{% for i in (1..1000000000) %}x{% endfor %}',
    });
    wait(1);
    await runDueRituals(app);
    const promptOf = async (id: string) => (await inbox(mia, (await runsOf(id))[0].id))[0].content;
    expect(await promptOf(long)).toBe(`Look at Yard &lt;b> Fence ${tail}`);
    expect(await promptOf(plain)).toBe('y'.repeat(100_000));
    expect(await promptOf(broken)).toBe(UNRENDERED);
    expect(await promptOf(endless)).toBe(UNRENDERED);
  });

  it('render a prompt again that was empty or took too long the previous time', async () => {
    const yard = await yardOf();
    const endless = '{% for i in (1..1000000000) %}x{% endfor %}';
    const prompts = [
      '{% for task in tasks %}{{ task.title }}{% endfor %}',
      `{% if tasks.size == 0 %}${endless}{% endif %}Go`,
    ];
    const rituals: string[] = [];
    for (const prompt of prompts) rituals.push(await ritual(yard, { schedule: EACH_MINUTE, prompt }));
    const runPrompts = async (): Promise<string[]> => {
      await runDueRituals(app);
      const runs = await Promise.all(rituals.map(async (id) => (await runsOf(id)).at(-1) as Run));
      const inboxes = await Promise.all(runs.map(({ id }) => inbox(mia, id)));
      await Promise.all(rituals.map(endAll));
      return inboxes.map(([{ content }]) => content);
    };
    wait(1);
    expect(await runPrompts()).toEqual(['Ritual due: Round', UNRENDERED]);
    await app.task(ann, yard, { title: 'Fence' });
    wait(61);
    expect(await runPrompts()).toEqual(['Fence', 'Go']);
  });

  it('send the new prompt of a ritual that is changed while the old one is rendered', async () => {
    const id = await ritual(await yardOf(), { schedule: EACH_MINUTE, prompt: 'Old {{ endeavour.name }}' });
    const prompts = app.nest.get(Prompts, { strict: false });
    const render = prompts.render.bind(prompts);
    const rendering = jest.spyOn(prompts, 'render').mockImplementationOnce(async (due) => {
      const text = await render(due);
      await app.as(ann).patch(`/rituals/${id}`).send({ prompt: 'New {{ endeavour.name }}' }).expect(200);
      return text;
    });
    wait(1);
    await runDueRituals(app);
    rendering.mockRestore();
    expect(await runsOf(id)).toEqual([]);
    await runDueRituals(app);
    const [run] = await runsOf(id);
    expect((await inbox(mia, run.id))[0].content).toBe('New Yard');
  });

  it('are skipped without a message while the previous run is claimed', async () => {
    const id = await ritual(await yardOf(), { schedule: EACH_MINUTE });
    for (let minute = 1; minute <= 3; minute += 1) {
      wait(1);
      await runDueRituals(app);
      if (minute > 1) continue;
      const [{ id: run }] = await runsOf(id);
      await app.as(mia).patch(`/ritual-runs/${run}`).send({ claim: true }).expect(200);
    }
    const runs = await runsOf(id);
    expect(runs.map(({ status }) => status)).toEqual(['running', 'skipped', 'skipped']);
    expect(runs[1]).toMatchObject({ started_at: null, finished_at: '2026-10-24T22:02:00.000Z' });
    expect(await inbox(mia, runs[1].id)).toEqual([]);
    await app.as(mia).patch(`/ritual-runs/${runs[0].id}`).send({ status: 'succeeded' }).expect(200);
    wait(1);
    await runDueRituals(app);
    expect((await runsOf(id))[3].status).toBe('running');
  });

  it('do not start if the ritual is disabled, archived, manual, personal, or of an organization', async () => {
    const yard = await yardOf();
    const riverside = await app.organization(ann);
    const off = await ritual(yard, { schedule: EACH_MINUTE, is_enabled: false });
    const gone = await ritual(yard, { schedule: EACH_MINUTE });
    await app.as(ann).patch(`/rituals/${gone}`).send({ status: 'archived' }).expect(200);
    const personal = await ritual(undefined, { schedule: EACH_MINUTE });
    const copy = await app.as(ann).post(`/rituals/${personal}/fork`).send({ organization_id: riverside }).expect(201);
    const manual = await ritual(yard);
    wait(5);
    await runDueRituals(app);
    for (const id of [off, gone, personal, copy.body.data.id, manual]) expect(await runsOf(id)).toEqual([]);
  });

  it('do not start in completed endeavours, and are not made up for when work resumes', async () => {
    const yard = await yardOf();
    const id = await ritual(yard, { schedule: EACH_MINUTE });
    await app.as(ann).patch(`/endeavours/${yard}`).send({ status: 'completed' }).expect(200);
    wait(5);
    await runDueRituals(app);
    expect(await runsOf(id)).toEqual([]);
    expect((await app.as(ann).get(`/rituals/${id}`).expect(200)).body.data.next_run_at).toBeNull();
    await app.as(ann).patch(`/endeavours/${yard}`).send({ status: 'active' }).expect(200);
    await runDueRituals(app);
    expect(await runsOf(id)).toEqual([]);
    wait(1);
    await runDueRituals(app);
    expect(await runsOf(id)).toHaveLength(1);
  });

  it('do not start in archived endeavours, even if their ritual is still enabled', async () => {
    const yard = await yardOf();
    const id = await ritual(yard, { schedule: EACH_MINUTE });
    await app.database.query("UPDATE endeavours SET status = 'archived' WHERE id = $1", [yard]);
    wait(1);
    await runDueRituals(app);
    expect(await runsOf(id)).toEqual([]);
  });

  it('wait while an operation works on the endeavour, and then start once', async () => {
    const yard = await yardOf();
    const id = await ritual(yard, { schedule: EACH_MINUTE });
    await app.database.query(
      `WITH made AS (INSERT INTO operations (id, type, user_id, created_by, container_id)
         VALUES ('opr_schedules', 'archives', $2, $3, $1))
       UPDATE endeavours SET closed_by = 'opr_schedules' WHERE id = $1`,
      [yard, ann.id, ann.resourceId],
    );
    wait(2);
    await runDueRituals(app);
    expect(await runsOf(id)).toEqual([]);
    await app.database.query('UPDATE endeavours SET closed_by = NULL WHERE id = $1', [yard]);
    await runDueRituals(app);
    expect(await runsOf(id)).toHaveLength(1);
  });

  it('follow the endeavour into another time zone, unless the schedule names its own', async () => {
    const yard = await yardOf({ timezone: 'Europe/Berlin' });
    const daily = { type: 'cron', expression: '0 9 * * *' };
    const [follows, stays] = [
      await ritual(yard, { schedule: daily }),
      await ritual(yard, { schedule: { ...daily, timezone: 'Europe/Berlin' } }),
    ];
    await app.as(ann).patch(`/endeavours/${yard}`).send({ timezone: 'Asia/Tokyo' }).expect(200);
    await runDueRituals(app);
    const nextOf = async (id: string) => (await app.as(ann).get(`/rituals/${id}`)).body.data.next_run_at;
    expect(await nextOf(follows)).toBe('2026-10-25T00:00:00.000Z');
    expect(await nextOf(stays)).toBe('2026-10-25T08:00:00.000Z');
    expect(await runsOf(follows)).toEqual([]);
  });

  it('are not delayed by a run that cannot be started', async () => {
    const yard = await yardOf();
    const [bad, good] = [
      await ritual(yard, { schedule: EACH_MINUTE, name: 'Bad' }),
      await ritual(yard, { schedule: EACH_MINUTE }),
    ];
    await app.database.query(`UPDATE rituals SET schedule = '{"type": "cron", "expression": "x"}' WHERE id = $1`, [
      bad,
    ]);
    wait(1);
    await runDueRituals(app);
    expect(await runsOf(bad)).toEqual([]);
    expect(await runsOf(good)).toHaveLength(1);
    await app.database.query('UPDATE rituals SET is_enabled = false WHERE id = $1', [bad]);
  });

  it('of others, and the timeout of old runs, are not delayed by a user with many slow prompts', async () => {
    const shed = await app.endeavour(vic, { name: 'Shed' });
    const yard = await yardOf();
    const forgotten = await ritual(yard);
    await app.as(mia).post('/ritual-runs').send({ ritual_id: forgotten }).expect(201);
    wait(24 * 60);
    const slow = { prompt: 'Slow {{ endeavour.name }}', endeavour_id: shed, schedule: EACH_MINUTE };
    for (let n = 1; n <= 20; n += 1) {
      await app
        .as(vic)
        .post('/rituals')
        .send({ ...slow, name: `Slow ${n}` })
        .expect(201);
    }
    const own = [await ritual(yard, { schedule: EACH_MINUTE }), await ritual(yard, { schedule: EACH_MINUTE })];
    await app.database.query(`UPDATE rituals SET next_run_at = next_run_at + interval '1 second' WHERE id = ANY($1)`, [
      own,
    ]);
    const prompts = app.nest.get(Prompts, { strict: false });
    const render = prompts.render.bind(prompts);
    const rendering = jest.spyOn(prompts, 'render').mockImplementation(async (due) => {
      if (due.endeavourId === shed) now = new Date(now.getTime() + 1_500);
      return render(due);
    });
    wait(2);
    const start = now.getTime();
    const delayOf = (time: string | null) => (time === null ? undefined : Date.parse(time) - start);
    await runDueRituals(app);
    for (const id of own) {
      const [run] = await runsOf(id);
      expect(delayOf(run.started_at)).toBeLessThanOrEqual(1_500);
    }
    const [ended] = await runsOf(forgotten);
    expect(ended).toMatchObject({ status: 'failed', error: { code: 'timeout' } });
    expect(delayOf(ended.finished_at)).toBeLessThan(22_000);
    await runDueRituals(app);
    rendering.mockRestore();
    expect(await app.count(`ritual_runs WHERE endeavour_id = '${shed}'`)).toBe(20);
    await app.database.query('UPDATE rituals SET is_enabled = false WHERE endeavour_id = ANY($1)', [[shed, yard]]);
  });

  it('are rolled back if the message fails', async () => {
    const id = await ritual(await yardOf(), { schedule: EACH_MINUTE });
    await app.observer.query('ALTER TABLE messages ADD CONSTRAINT broken CHECK (false) NOT VALID');
    wait(1);
    await runDueRituals(app);
    expect(await runsOf(id)).toEqual([]);
    await app.observer.query('ALTER TABLE messages DROP CONSTRAINT broken');
    await runDueRituals(app);
    expect(await runsOf(id)).toHaveLength(1);
  });

  it('fail with a timeout when they are not finished within a day', async () => {
    const id = await ritual(await yardOf());
    const { body } = await app.as(mia).post('/ritual-runs').send({ ritual_id: id }).expect(201);
    const run = body.data.id;
    wait(24 * 60 - 1);
    await runDueRituals(app);
    expect((await runsOf(id))[0].status).toBe('running');
    wait(1);
    await runDueRituals(app, app);
    const [ended] = await runsOf(id);
    expect(ended).toMatchObject({
      id: run,
      status: 'failed',
      error: { code: 'timeout' },
      finished_at: now.toISOString(),
      revision: 2,
    });
    const events = await app.database.query('SELECT type FROM events WHERE entity_id = $1 ORDER BY sequence', [run]);
    expect(events).toEqual([{ type: 'ritual_run.created' }, { type: 'ritual_run.status_changed' }]);
  });
});
