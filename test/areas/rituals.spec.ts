import { newId } from '../../src/common/ids.js';
import { TestApp, type Person } from '../support/test-app.js';

const fields = (body: { error: { details: { fields: { field: string; code: string }[] } } }): string[] =>
  body.error.details.fields.map(({ field, code }) => `${field} ${code}`);

const every = (length: string) => ({ type: 'interval', every: length });
const at = (expression: string) => ({ type: 'cron', expression });

describe('rituals', () => {
  let app: TestApp;
  let ada: Person;
  let ann: Person;
  let mia: Person;
  let vic: Person;
  let eve: Person;
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open();
    await app.service.setTime('2026-10-22T12:00:00Z');
    [ada, ann, mia, vic, eve] = [
      await app.admin('Ada'),
      await app.person('Ann'),
      await app.person('Mia'),
      await app.person('Vic'),
      await app.person('Eve'),
    ];
    garden = await app.endeavour(ann, { name: 'Garden', timezone: 'Europe/Berlin' });
    await app.join(garden, mia, 'member');
    await app.join(garden, vic, 'viewer');
  });

  afterAll(() => app.close());

  const daily = { type: 'cron', expression: '0 9 * * 1-5' };
  const create = (more: object = {}, person = ann) =>
    app
      .as(person)
      .post('/rituals')
      .send({ name: 'Morning round', endeavour_id: garden, ...more });
  const made = async (more: object = {}, person = ann): Promise<string> =>
    (await create(more, person).expect(201)).body.data.id;
  const ids = async (person: Person, query: string): Promise<string[]> =>
    (await app.as(person).get(`/rituals?${query}`).expect(200)).body.data.map(({ id }: { id: string }) => id);
  const patch = (id: string, body: object, person = ann) => app.as(person).patch(`/rituals/${id}`).send(body);
  const fork = (id: string, body: object = {}, person = ann) => app.as(person).post(`/rituals/${id}/fork`).send(body);
  const builtIn = async (name: string): Promise<string> => {
    const { body } = await app
      .as(eve)
      .get(`/rituals?origin=template&search=${encodeURIComponent(name)}`)
      .expect(200);
    return body.data.find((ritual: { name: string }) => ritual.name === name).id;
  };

  describe('creating', () => {
    it('returns the whole representation', async () => {
      const sent = { description: 'D', prompt: 'Walk round', schedule: daily, lang: 'de', metadata: { a: 1 } };
      const { body, headers } = await create(sent).expect(201);
      expect(headers.location).toBe(`/api/v1/rituals/${body.data.id}`);
      expect(body.data).toEqual({
        id: expect.stringMatching(/^rtl_[0-9a-f]{32}$/),
        name: 'Morning round',
        ...sent,
        task: null,
        iteration_days: null,
        is_enabled: true,
        endeavour_id: garden,
        organization_id: null,
        origin: 'custom',
        version: 1,
        predecessor_id: null,
        lineage_id: body.data.id,
        status: 'active',
        next_run_at: '2026-10-23T07:00:00.000Z',
        last_run: null,
        created_by: ann.resourceId,
        created_at: expect.any(String),
        updated_at: body.data.created_at,
        revision: 1,
      });
    });

    it('is manual, enabled and English by default', async () => {
      const { body } = await create().expect(201);
      expect(body.data).toMatchObject({
        schedule: { type: 'manual' },
        is_enabled: true,
        lang: 'en',
        prompt: null,
        next_run_at: null,
      });
    });

    it('requires the endeavour admin role; a personal ritual requires none and is never scheduled', async () => {
      await create({}, mia).expect(403);
      expect(fields((await create({}, eve).expect(400)).body)).toEqual(['endeavour_id reference_not_found']);
      const { body } = await create({ endeavour_id: undefined, schedule: daily }, eve).expect(201);
      expect(body.data).toMatchObject({ endeavour_id: null, organization_id: null, next_run_at: null });
      await app.as(eve).get(`/rituals/${body.data.id}`).expect(200);
      await app.as(ann).get(`/rituals/${body.data.id}`).expect(404);
      await patch(body.data.id, { name: 'Mine' }, eve).expect(200);
    });

    it.each([
      ['an unknown type', { type: 'hourly' }],
      ['six fields', { type: 'cron', expression: '0 0 9 * * *' }],
      ['a time that never comes', { type: 'cron', expression: '0 0 30 2 *' }],
      ['an unknown zone', { type: 'cron', expression: '0 9 * * *', timezone: 'Mars/Olympus' }],
      ['an unknown unit', { type: 'interval', every: '2y' }],
      ['a date as its start', { type: 'interval', every: '2w', start: '2026-11-23' }],
      ['an additional property', { type: 'manual', note: 'x' }],
    ])('rejects a schedule with %s', async (_what, schedule) => {
      expect(fields((await create({ schedule }).expect(400)).body)).toEqual(['schedule invalid_value']);
    });

    it('returns all field errors at once', async () => {
      const sent = { schedule: 'daily', lang: 'x', is_enabled: 'yes', status: 'active', organization_id: null, x: 1 };
      const { body } = await app.as(ann).post('/rituals').send(sent).expect(400);
      expect(fields(body)).toEqual([
        'name required',
        'schedule invalid_type',
        'is_enabled invalid_type',
        'lang invalid_format',
        'status read_only',
        'organization_id read_only',
        'x unknown_field',
      ]);
    });

    it('is rejected in archived and in completed endeavours', async () => {
      const gone = await app.endeavour(ann);
      for (const [status, code] of [
        ['archived', 'archived'],
        ['completed', 'conflict'],
      ]) {
        await app.database.query('UPDATE endeavours SET status = $2 WHERE id = $1', [gone, status]);
        expect((await create({ endeavour_id: gone }).expect(409)).body.error.code).toBe(code);
      }
    });

    it('raises alerts in organizations whose alert terms it contains', async () => {
      const [riverside, yard] = [await app.organization(ann), await app.endeavour(ann)];
      await app.link(riverside, yard);
      await app.as(ann).put(`/organizations/${riverside}/alert-terms`).send(['poison', 'acid']).expect(200);
      const id = await made({ endeavour_id: yard, prompt: 'Spray poison' });
      await patch(id, { description: 'With acid' }).expect(200);
      await patch(id, { is_enabled: false }).expect(200);
      const { body } = await app.as(ann).get(`/organizations/${riverside}/alerts`).expect(200);
      expect(body.data.map(({ entity_id, term }: Record<string, string>) => [entity_id, term])).toEqual([
        [id, 'acid'],
        [id, 'poison'],
      ]);
    });
  });

  describe('patching', () => {
    it('changes only what is sent, and recomputes the next run', async () => {
      const id = await made({ schedule: daily, metadata: { a: 1 } });
      const change = { name: 'Evening round', description: 'D', prompt: 'P', lang: 'de' };
      const { body } = await patch(id, {
        ...change,
        schedule: { type: 'cron', expression: '0 18 * * *', timezone: 'UTC' },
        metadata: { b: 2 },
      }).expect(200);
      expect(body.data).toMatchObject({
        ...change,
        metadata: { a: 1, b: 2 },
        next_run_at: '2026-10-22T18:00:00.000Z',
        version: 1,
        revision: 2,
      });
      expect((await patch(id, change).expect(200)).body.data.revision).toBe(2);
      expect((await patch(id, { schedule: null, prompt: '' }).expect(200)).body.data).toMatchObject({
        schedule: { type: 'manual' },
        prompt: null,
        next_run_at: null,
      });
    });

    it('clears the next run while disabled, and recomputes it when enabled again', async () => {
      const id = await made({ schedule: daily });
      const off = await patch(id, { is_enabled: false }).expect(200);
      expect(off.body.data).toMatchObject({ is_enabled: false, next_run_at: null });
      const on = await patch(id, { is_enabled: true }).expect(200);
      expect(on.body.data).toMatchObject({ is_enabled: true, next_run_at: '2026-10-23T07:00:00.000Z', revision: 3 });
    });

    it('disables an archived ritual, which stays disabled when it is active again', async () => {
      const id = await made({ schedule: daily });
      const { body } = await patch(id, { status: 'archived' }).expect(200);
      expect(body.data).toMatchObject({ status: 'archived', is_enabled: false, next_run_at: null, revision: 2 });
      expect((await patch(id, { is_enabled: true }).expect(409)).body.error.details.reason).toBe('ritual_archived');
      const back = await patch(id, { status: 'active' }).expect(200);
      expect(back.body.data).toMatchObject({ status: 'active', is_enabled: false });
      await patch(id, { is_enabled: true }).expect(200);
    });

    it('rejects read-only fields, too low roles, strangers, stale revisions and archived endeavours', async () => {
      const yard = await app.endeavour(ann);
      await app.join(yard, mia, 'member');
      const id = await made({ endeavour_id: yard });
      expect(
        fields((await patch(id, { endeavour_id: garden, origin: 'fork', next_run_at: null }).expect(400)).body),
      ).toEqual(['endeavour_id read_only', 'origin read_only', 'next_run_at read_only']);
      expect(fields((await patch(id, { name: null, is_enabled: null, status: 'off' }).expect(400)).body)).toEqual([
        'name not_nullable',
        'is_enabled not_nullable',
        'status invalid_value',
      ]);
      await patch(id, { name: 'x' }, mia).expect(403);
      await patch(id, { name: 'x' }, eve).expect(404);
      await patch(newId('ritual'), { name: 'x' }).expect(404);
      await patch(id, { name: 'x' }).expect(200);
      await patch(id, { name: 'y' }).set('If-Match', '"1"').expect(412);
      await app.database.query("UPDATE endeavours SET status = 'archived' WHERE id = $1", [yard]);
      expect((await patch(id, { name: 'y' }).expect(409)).body.error.code).toBe('archived');
    });

    it('is rejected for built-in rituals', async () => {
      const id = await builtIn('Daily Standup');
      await patch(id, { name: 'Mine' }).expect(403);
      expect((await patch(id, { name: 'Mine' }, ada).expect(409)).body.error.details).toEqual({ reason: 'built_in' });
    });

    it('of different fields by concurrent requests keeps both changes', async () => {
      const id = await made();
      await Promise.all([patch(id, { name: 'A' }).expect(200), patch(id, { prompt: 'B' }).expect(200)]);
      const { body } = await app.as(ann).get(`/rituals/${id}`).expect(200);
      expect(body.data).toMatchObject({ name: 'A', prompt: 'B', revision: 3 });
    });
  });

  describe('forking', () => {
    it('copies a built-in ritual into an endeavour, where it is scheduled', async () => {
      const id = await builtIn('Daily Standup');
      const { body, headers } = await fork(id, { endeavour_id: garden, name: 'Our standup' }).expect(201);
      expect(headers.location).toBe(`/api/v1/rituals/${body.data.id}`);
      expect(body.data).toMatchObject({
        name: 'Our standup',
        prompt: expect.stringContaining('ten'),
        schedule: { type: 'cron', expression: '0 9 * * 1-5' },
        origin: 'fork',
        version: 2,
        predecessor_id: id,
        lineage_id: id,
        endeavour_id: garden,
        created_by: ann.resourceId,
        next_run_at: '2026-10-23T07:00:00.000Z',
        revision: 1,
      });
    });

    it('into another endeavour uses its time zone, and applies the fields that are sent', async () => {
      const abroad = await app.endeavour(ann, { name: 'Abroad', timezone: 'America/New_York' });
      const id = await made({ schedule: daily, metadata: { a: 1 }, is_enabled: false });
      const sent = { endeavour_id: abroad, is_enabled: true, description: 'D', prompt: 'P', lang: 'fr', metadata: {} };
      const { body } = await fork(id, sent).expect(201);
      expect(body.data).toMatchObject({ ...sent, version: 2, next_run_at: '2026-10-22T13:00:00.000Z' });
      const again = await fork(body.data.id, { schedule: { type: 'manual' } }).expect(201);
      expect(again.body.data).toMatchObject({ version: 3, endeavour_id: abroad, lineage_id: id, next_run_at: null });
    });

    it('starts disabled in the container of its source, unless is_enabled is sent', async () => {
      const id = await made({ schedule: daily });
      expect((await fork(id).expect(201)).body.data).toMatchObject({ endeavour_id: garden, is_enabled: false });
      expect((await fork(id, { is_enabled: true }).expect(201)).body.data.is_enabled).toBe(true);
      const abroad = await app.endeavour(ann, { name: 'Abroad' });
      expect((await fork(id, { endeavour_id: abroad }).expect(201)).body.data.is_enabled).toBe(true);
    });

    it('goes into the container of its source if the caller can create there, otherwise it is personal', async () => {
      const id = await made();
      expect((await fork(id).expect(201)).body.data.endeavour_id).toBe(garden);
      const { body } = await fork(id, {}, vic).expect(201);
      expect(body.data).toMatchObject({ endeavour_id: null, organization_id: null, created_by: vic.resourceId });
      await app.as(ann).get(`/rituals/${body.data.id}`).expect(404);
      const forAdmin = await fork(await builtIn('Task List'), {}, ada).expect(201);
      await app.as(ann).get(`/rituals/${forAdmin.body.data.id}`).expect(404);
      expect((await app.as(ann).post(`/rituals/${id}/fork`).expect(201)).body.data.version).toBe(2);
    });

    it('into an organization requires the admin role there, and is never scheduled', async () => {
      const riverside = await app.organization(ann);
      await app.join(riverside, mia, 'member');
      const id = await made({ schedule: daily });
      const { body } = await fork(id, { organization_id: riverside }).expect(201);
      expect(body.data).toMatchObject({ organization_id: riverside, endeavour_id: null, next_run_at: null });
      await app.as(mia).get(`/rituals/${body.data.id}`).expect(200);
      await fork(id, { organization_id: riverside }, mia).expect(403);
    });

    it('requires a visible source, and the admin role in the target', async () => {
      const id = await made();
      await fork(id, {}, eve).expect(404);
      await fork(id, { endeavour_id: garden }, mia).expect(403);
      const standup = await builtIn('Daily Standup');
      expect(fields((await fork(standup, { endeavour_id: garden }, eve).expect(400)).body)).toEqual([
        'endeavour_id reference_not_found',
      ]);
      const both = { endeavour_id: garden, organization_id: await app.organization(ann) };
      expect(fields((await fork(id, both).expect(400)).body)).toEqual(['organization_id invalid_value']);
      expect(fields((await fork(id, { version: 9, status: 'archived' }).expect(400)).body)).toEqual([
        'version read_only',
        'status read_only',
      ]);
      await patch(id, { name: 'x' }).expect(200);
      await fork(id).set('If-Match', '"1"').expect(412);
    });
  });

  describe('listing', () => {
    it('shows visible rituals by all filters', async () => {
      const yard = await app.endeavour(mia, { name: 'Yard' });
      const on = await made({ endeavour_id: yard, name: 'Zebra', lang: 'de' }, mia);
      const off = await made({ endeavour_id: yard, description: 'a zebra too', is_enabled: false }, mia);
      const own = await made({ endeavour_id: undefined, name: 'Zebra mine' }, mia);
      expect(await ids(mia, 'search=zebra')).toEqual([own, off, on]);
      expect(await ids(ann, 'search=zebra')).toEqual([]);
      expect(await ids(ada, 'search=zebra')).toEqual([own, off, on]);
      expect(await ids(ada, 'search=zebra&mine=true')).toEqual([]);
      expect(await ids(mia, `endeavour_id=${yard}`)).toEqual([off, on]);
      expect(await ids(mia, `endeavour_id=${yard}&is_enabled=false`)).toEqual([off]);
      const english = await ids(mia, 'origin=template&lang=en&limit=200');
      expect(english).toHaveLength(11);
      expect(await ids(mia, 'origin=template&lang=ja&limit=200')).toEqual(english);
      const german = await ids(mia, 'origin=template&lang=de&limit=200');
      expect(german).toHaveLength(11);
      expect(await ids(mia, 'origin=template&lang=de-CH&limit=200')).toEqual(german);
      expect(await ids(mia, `lang=de-CH&search=zebra`)).toEqual([]);
      expect(await ids(mia, `endeavour_id=${yard}&lang=de&status=active&origin=custom`)).toEqual([on]);
      expect(await ids(mia, `endeavour_id=${yard}&status=archived`)).toEqual([]);
      expect(await ids(ann, `endeavour_id=${yard}`)).toEqual([]);
    });

    it('includes the built-in ones unless origin excludes them', async () => {
      const own = await made({ endeavour_id: undefined, name: 'Only one' }, eve);
      const all = await ids(eve, 'limit=200');
      expect(all[0]).toBe(own);
      expect(all.filter((id) => id.startsWith('rtl_00000000000070008000'))).toHaveLength(44);
      expect(await ids(eve, 'origin=custom')).not.toContain(await builtIn('Kanban Board'));
    });

    it('rejects unknown filter values', async () => {
      expect(fields((await app.as(ann).get('/rituals?status=on&origin=x&is_enabled=x').expect(400)).body)).toEqual([
        'status invalid_value',
        'origin invalid_value',
        'is_enabled invalid_value',
      ]);
    });
  });

  it('include translations of the eleven built-in ones into German, French and Spanish', async () => {
    const inLanguage = async (lang: string) => {
      const { body } = await app.as(eve).get(`/rituals?origin=template&lang=${lang}&sort=-created_at&limit=200`);
      return body.data as { name: string; description: string; prompt: string; schedule: object; lang: string }[];
    };
    const english = await inLanguage('en');
    for (const lang of ['de', 'fr', 'es']) {
      const translated = await inLanguage(lang);
      expect(translated.map((ritual) => [ritual.schedule, ritual.lang])).toEqual(
        english.map((ritual) => [ritual.schedule, lang]),
      );
      for (const [index, { name, description, prompt }] of translated.entries()) {
        const original = english[index];
        expect([name, description, prompt]).not.toContain(original.prompt);
        expect(description).not.toBe(original.description);
        // The same steps and the same requests, in another language.
        expect(prompt.match(/^\d\./gm)).toEqual(original.prompt.match(/^\d\./gm));
        expect(prompt.match(/GET \S+/g)).toEqual(original.prompt.match(/GET \S+/g));
        expect(prompt.length).toBeGreaterThan(original.prompt.length * 0.8);
      }
    }
    const { body } = await app
      .as(eve)
      .post(`/rituals/${await builtIn('Tägliches Standup')}/fork`)
      .expect(201);
    expect(body.data).toMatchObject({ lang: 'de', origin: 'fork', version: 2 });
  });

  it('include eleven built-in ones, each with its own prompt and the schedule its name implies', async () => {
    const { body } = await app.as(eve).get('/rituals?origin=template&lang=en&sort=name&limit=200').expect(200);
    expect(body.data.map(({ name, schedule }: { name: string; schedule: object }) => [name, schedule])).toEqual([
      ['Backlog Triage', every('4h')],
      ['Daily Standup', at('0 9 * * 1-5')],
      ['Goal Review', every('1w')],
      ['Health Check', every('1h')],
      ['Kanban Board', { type: 'manual' }],
      ['Progress Digest', every('1d')],
      ['Retrospective', every('2w')],
      ['Sprint Planning', every('2w')],
      ['Task List', { type: 'manual' }],
      ['Task Review', every('2h')],
      ['Weekly Digest', at('0 17 * * 5')],
    ]);
    expect(new Set(body.data.map(({ prompt }: { prompt: string }) => prompt)).size).toBe(11);
    for (const ritual of body.data) {
      expect(ritual).toMatchObject({ lang: 'en', version: 1, created_by: null, next_run_at: null, is_enabled: true });
      expect(ritual.prompt.length).toBeGreaterThan(200);
    }
  });

  describe('the next occurrences', () => {
    it('are those of days of months, also after a change of the schedule and in the calendar', async () => {
      const schedule = { type: 'monthly', on: 'last day', time: '18:00', timezone: 'Europe/Berlin' };
      const { body } = await app
        .as(ann)
        .post('/rituals')
        .send({ name: 'Close the books', endeavour_id: garden, schedule })
        .expect(201);
      expect(body.data).toMatchObject({ schedule, next_run_at: expect.any(String) });
      const { id } = body.data;
      const times = async (): Promise<string[]> =>
        (await app.as(ann).get(`/rituals/${id}/occurrences?count=12`).expect(200)).body.data;
      const isLast = (time: string) => new Date(new Date(time).getTime() + 86_400_000).getUTCDate() === 1;
      expect(new Set((await times()).map((time) => time.slice(0, 7))).size).toBe(12);
      expect((await times()).every(isLast)).toBe(true);
      const changed = { type: 'monthly', on: '2nd monday' };
      await app.as(ann).patch(`/rituals/${id}`).send({ schedule: changed }).expect(200);
      expect((await app.as(ann).get(`/rituals/${id}`).expect(200)).body.data.schedule).toEqual(changed);
      const refused = await app
        .as(ann)
        .patch(`/rituals/${id}`)
        .send({ schedule: { type: 'monthly', on: '6th monday' } })
        .expect(400);
      expect(refused.body.error.details.fields).toMatchObject([{ field: 'schedule', code: 'invalid_value' }]);
      await app
        .as(ann)
        .patch(`/rituals/${id}`)
        .send({ schedule: { type: 'interval', every: '1w', on: 'friday' } })
        .expect(200);
      expect((await times()).every((time) => new Date(time).getUTCDay() === 5)).toBe(true);
    });

    it('are correct across a daylight saving change, in the time zone of the endeavour', async () => {
      const id = await made({ schedule: daily });
      const { body } = await app.as(vic).get(`/rituals/${id}/occurrences?count=3`).expect(200);
      expect(body.data).toEqual(['2026-10-23T07:00:00.000Z', '2026-10-26T08:00:00.000Z', '2026-10-27T08:00:00.000Z']);
      expect((await app.as(vic).get(`/rituals/${id}/occurrences`).expect(200)).body.data).toHaveLength(10);
    });

    it('are empty for a manual ritual, limited by count, and 404 for strangers', async () => {
      const id = await made();
      expect((await app.as(ann).get(`/rituals/${id}/occurrences`).expect(200)).body.data).toEqual([]);
      for (const count of ['0', '101', 'x', '-1']) {
        const { body } = await app.as(ann).get(`/rituals/${id}/occurrences?count=${count}`).expect(400);
        expect(fields(body)).toEqual(['count out_of_range']);
      }
      expect(fields((await app.as(ann).get(`/rituals/${id}/occurrences?n=1`).expect(400)).body)).toEqual([
        'n unknown_field',
      ]);
      await app.as(eve).get(`/rituals/${id}/occurrences`).expect(404);
    });
  });

  it('are exported with their endeavour, and so are their runs', async () => {
    const yard = await app.endeavour(ann, { name: 'Yard' });
    const id = await made({ endeavour_id: yard, schedule: daily });
    const run = await app.as(ann).post('/ritual-runs').send({ ritual_id: id }).expect(201);
    const { body } = await app.as(ann).get(`/endeavours/${yard}/export`).expect(200);
    expect(body.rituals.map((ritual: { id: string }) => ritual.id)).toEqual([id]);
    expect(body.ritual_runs).toEqual([run.body.data]);
  });

  it('are counted and disabled when their endeavour is archived', async () => {
    const yard = await app.endeavour(ann, { name: 'Yard' });
    const on = await made({ endeavour_id: yard, schedule: daily });
    await made({ endeavour_id: yard, is_enabled: false });
    const preview = await app.as(ann).get(`/endeavours/${yard}/archive`).expect(200);
    expect(preview.body.data.rituals_to_disable).toBe(1);
    const { body } = await app.as(ann).post(`/endeavours/${yard}/archive`).send({ reason: 'Winter' }).expect(200);
    expect(body.data.rituals_disabled).toBe(1);
    const after = await app.as(ann).get(`/rituals/${on}`).expect(200);
    expect(after.body.data).toMatchObject({ is_enabled: false, status: 'active', next_run_at: null, revision: 2 });
  });
});
