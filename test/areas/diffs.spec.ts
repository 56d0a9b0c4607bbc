import { fieldErrorsOf } from '../support/refusals.js';
import { TestApp, type Person } from '../support/test-app.js';

interface Change {
  field: string;
  from: unknown;
  to: unknown;
  diff: string | null;
  too_large: boolean;
  from_length: number | null;
  to_length: number | null;
}

const nothing = { diff: null, too_large: false, from_length: null, to_length: null };

describe('differences', () => {
  let app: TestApp;
  let ann: Person;
  let eve: Person;
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open({ EVENTS_DAYS: '90' });
  });

  beforeEach(async () => {
    [ann, eve] = [await app.person('Ann'), await app.person('Eve')];
    garden = await app.endeavour(ann);
  });

  afterAll(() => app.close());

  const send = async (path: string, body: object = {}): Promise<string> =>
    (await app.as(ann).post(path).send(body).expect(201)).body.data.id;
  const read = (path: string, person = ann) => app.as(person).get(path);
  const changesOf = async (path: string): Promise<Change[]> => (await read(path).expect(200)).body.data.changes;
  /** A unified diff, as `patch` accepts it. */
  const lines = (name: string, ...hunk: string[]) => [`--- ${name}`, `+++ ${name}`, ...hunk, ''].join('\n');

  describe('between two versions', () => {
    it('of a ritual are listed by field, and of texts by line', async () => {
      const prompt = Array.from({ length: 12 }, (_, n) => `Step ${n}`).join('\n');
      const ritual = await send('/rituals', { name: 'Rounds', prompt, endeavour_id: garden, metadata: { pace: 1 } });
      const changed = { name: 'Long rounds', prompt: prompt.replace('Step 6', 'Rest'), metadata: { pace: 2 } };
      const fork = await send(`/rituals/${ritual}/fork`, changed);
      const { body } = await read(`/rituals/${ritual}/diff?to=${fork}`).expect(200);
      expect(body.data).toEqual({
        from: { id: ritual, version: 1 },
        to: { id: fork, version: 2 },
        changes: [
          { ...nothing, field: 'name', from: 'Rounds', to: 'Long rounds' },
          {
            field: 'prompt',
            from: null,
            to: null,
            diff: lines(
              'prompt',
              '@@ -4,7 +4,7 @@',
              ' Step 3\n Step 4\n Step 5\n-Step 6\n+Rest\n Step 7\n Step 8\n Step 9',
            ),
            too_large: false,
            from_length: prompt.length,
            to_length: prompt.length - 2,
          },
          { ...nothing, field: 'is_enabled', from: true, to: false },
          { ...nothing, field: 'origin', from: 'custom', to: 'fork' },
          { ...nothing, field: 'metadata', from: { pace: 1 }, to: { pace: 2 } },
        ],
      });
      expect(await changesOf(`/rituals/${fork}/diff?to=${fork}`)).toEqual([]);
    });

    it('of templates and DoD policies are listed in the same way', async () => {
      const template = await send('/templates', { name: 'Note', scope: 'task', body: 'One\nTwo\n' });
      const fork = await send(`/templates/${template}/fork`, { body: 'One\nThree\n' });
      const [change] = await changesOf(`/templates/${template}/diff?to=${fork}`);
      expect([change.field, change.diff]).toEqual(['body', lines('body', '@@ -1,2 +1,2 @@', ' One', '-Two', '+Three')]);
      const conditions = [{ type: 'manual_attestation' }];
      const policy = await send('/dod-policies', { name: 'Care', conditions, endeavour_id: garden });
      const next = await send(`/dod-policies/${policy}/versions`, {
        name: 'More care',
        conditions: [{ ...conditions[0], label: 'Look' }],
      });
      const fields = (await changesOf(`/dod-policies/${policy}/diff?to=${next}`)).map(({ field }) => field);
      expect(fields).toEqual(expect.arrayContaining(['name', 'conditions']));
    });

    it('are reported as too large if the comparison takes too long, which does not delay the next one', async () => {
      const noise = (seed: number) =>
        Array.from({ length: 30_000 }, (_, n) => ((n * seed) % 7919).toString(36))
          .join('\n')
          .slice(0, 100_000);
      const [from, to] = [noise(31), noise(57)];
      const template = await send('/templates', { name: 'Note', scope: 'task', body: from });
      const fork = await send(`/templates/${template}/fork`, { body: to });
      const hasty = await TestApp.open({ DIFF_TIMEOUT_MS: '2000' }, app);
      const bodyTo = async (other: string) =>
        (await hasty.as(ann).get(`/templates/${template}/diff?to=${other}`).expect(200)).body.data.changes[0];
      expect(await bodyTo(fork)).toEqual({
        field: 'body',
        from: null,
        to: null,
        diff: null,
        too_large: true,
        from_length: from.length,
        to_length: to.length,
      });
      // The next comparison runs in a new process.
      const small = await send(`/templates/${template}/fork`, { body: `${from.slice(0, -1)}!` });
      expect((await bodyTo(small)).too_large).toBe(false);
      await hasty.close();
    });

    it('are shown for two visible entities of one kind only', async () => {
      const ritual = await send('/rituals', { name: 'Rounds', endeavour_id: garden });
      const own = (await app.as(eve).post('/rituals').send({ name: 'Own' }).expect(201)).body.data.id;
      await read(`/rituals/${ritual}/diff?to=${own}`, eve).expect(404);
      const hidden = await read(`/rituals/${own}/diff?to=${ritual}`, eve).expect(400);
      expect(fieldErrorsOf(hidden.body)).toEqual(['to reference_not_found']);
      const absent = await read(`/rituals/${own}/diff?to=rtl_${'0'.repeat(32)}`, eve).expect(400);
      expect(absent.body.error.details).toEqual(hidden.body.error.details);
      expect(fieldErrorsOf((await read(`/rituals/${ritual}/diff`).expect(400)).body)).toEqual(['to required']);
      expect(fieldErrorsOf((await read(`/rituals/${ritual}/diff?to=${garden}`).expect(400)).body)).toEqual([
        'to invalid_format',
      ]);
    });
  });

  describe('of a task between two times', () => {
    const sequencesOf = async (task: string): Promise<number[]> =>
      (await app.as(ann).get(`/changes?after=0&entity_id=${task}`).expect(200)).body.data.map(
        ({ sequence }: { sequence: number }) => sequence,
      );

    it('are computed from its events, regardless of their number', async () => {
      const task = await app.task(ann, garden, { title: 'Paint', description: 'Green\nTwo coats\n' });
      const patch = (body: object) => app.as(ann).patch(`/tasks/${task}`).send(body).expect(200);
      await patch({ title: 'Paint the gate', description: 'Blue\nTwo coats\n' });
      await patch({ status: 'active' });
      await app
        .as(ann)
        .post(`/tasks/${task}/review-requests`)
        .send({ resource_ids: ['me'] })
        .expect(200);
      await patch({ title: 'Paint', estimate: 2 });
      const [created, second, third, asked, last] = await sequencesOf(task);
      const titles = { ...nothing, field: 'title' };
      expect(await changesOf(`/tasks/${task}/diff?from=${created}&to=${second}`)).toEqual([
        { ...titles, from: 'Paint', to: 'Paint the gate' },
        {
          field: 'description',
          from: null,
          to: null,
          diff: lines('description', '@@ -1,2 +1,2 @@', '-Green', '+Blue', ' Two coats'),
          too_large: false,
          from_length: 16,
          to_length: 15,
        },
      ]);
      const { body } = await read(`/tasks/${task}/diff?from=${asked}`).expect(200);
      expect(body.data.from).toBe(asked);
      expect(body.data.to).toBeGreaterThanOrEqual(last);
      expect(body.data.changes).toEqual([
        { ...titles, from: 'Paint the gate', to: 'Paint' },
        { ...nothing, field: 'estimate', from: null, to: 2 },
      ]);
      expect((await changesOf(`/tasks/${task}/diff?from=${created}&to=${last}`)).map(({ field }) => field)).toEqual([
        'description',
        'status',
        'estimate',
        'started_at',
      ]);
      expect(await changesOf(`/tasks/${task}/diff?from=${third}&to=${asked}`)).toEqual([]);
      const whole = await changesOf(`/tasks/${task}/diff?from=0&to=${created}`);
      expect(whole.find(({ field }) => field === 'title')).toEqual({ ...titles, from: null, to: 'Paint' });
      expect(await changesOf(`/tasks/${task}/diff?from=0&to=0`)).toEqual([]);
    });

    it('require that the caller sees the task, and existing sequences in ascending order', async () => {
      const task = await app.task(ann, garden);
      await read(`/tasks/${task}/diff?from=0`, eve).expect(404);
      await app.join(garden, eve, 'viewer');
      await read(`/tasks/${task}/diff?from=0`, eve).expect(200);
      const faults = async (query: string) =>
        fieldErrorsOf((await read(`/tasks/${task}/diff${query}`).expect(400)).body);
      expect(await faults('')).toEqual(['from required']);
      expect(await faults('?from=x&to=-1')).toEqual(['from invalid_type', 'to invalid_type']);
      expect(await faults('?from=2&to=1')).toEqual(['from out_of_range']);
      expect(await faults('?from=0&to=999999999')).toEqual(['to out_of_range']);
    });

    it('are empty for a new task whose creation has no sequence yet, because many events are waiting for theirs', async () => {
      const busy = await app.task(ann, garden);
      await app.as(ann).get('/changes?after=now').expect(200);
      await app.database.query(
        `INSERT INTO events (id, type, entity_type, entity_id, endeavour_id, data)
         SELECT new_id('evt'), 'task.voted', 'task', $1, $2, '{}' FROM generate_series(1, 1100) n`,
        [busy, garden],
      );
      const task = await app.task(ann, garden, { title: 'Paint' });
      // A reader numbers events for a second at most; this is how a slow disk uses it up with the first thousand.
      await app.database.query(
        `CREATE FUNCTION slow_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(1.1); RETURN NULL; END $$;
         CREATE TRIGGER slow_disk AFTER INSERT ON feed EXECUTE FUNCTION slow_disk()`,
      );
      try {
        expect(await changesOf(`/tasks/${task}/diff?from=0`)).toEqual([]);
      } finally {
        await app.database.query('DROP TRIGGER slow_disk ON feed; DROP FUNCTION slow_disk');
      }
      const changes = await changesOf(`/tasks/${task}/diff?from=0`);
      expect(changes).toContainEqual(expect.objectContaining({ field: 'title', from: null, to: 'Paint' }));
    });

    it('are not available once the events are deleted', async () => {
      const task = await app.task(ann, garden, { title: 'Paint' });
      await app.as(ann).get('/changes?after=now').expect(200);
      await app.database.query(`UPDATE feed SET occurred_at = now() - interval '91 days'`);
      await app.as(ann).patch(`/tasks/${task}`).send({ title: 'Paint both' }).expect(200);
      await app.as(ann).get('/changes?after=now').expect(200);
      await app.service.runJobs();
      const [kept] = await sequencesOf(task);
      const { body } = await read(`/tasks/${task}/diff?from=${kept - 1}`).expect(410);
      expect(body.error.details).toEqual({ oldest: kept });
      expect(await changesOf(`/tasks/${task}/diff?from=${kept}`)).toEqual([]);
    });
  });
});
