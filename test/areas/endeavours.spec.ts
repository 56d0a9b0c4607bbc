import { newId } from '../../src/common/ids.js';
import { TestApp, type Person } from '../support/test-app.js';
import { race } from '../support/races.js';

const idsOf = ({ body }: { body: { data: { id: string }[] } }) => body.data.map(({ id }) => id);
const faults = ({ body }: { body: { error: { details: { fields: { field: string; code: string }[] } } } }) =>
  body.error.details.fields.map(({ field, code }) => `${field} ${code}`);

describe('endeavours', () => {
  let app: TestApp;
  let ann: Person;

  beforeAll(async () => {
    app = await TestApp.open();
  });

  beforeEach(async () => {
    ann = await app.person('Ann');
  });

  afterAll(() => app.close());

  const create = (body: object, person = ann) => app.as(person).post('/endeavours').send(body);
  const into = (organization_id: string, person: Person) => create({ name: 'Shed', organization_id }, person);
  const patch = (id: string, body: object, person = ann) => app.as(person).patch(`/endeavours/${id}`).send(body);

  it('are created with their creator as owner, and with dates in their own time zone', async () => {
    const riverside = await app.organization(ann);
    const { body, headers } = await create({
      name: 'Open the garden',
      goals: ['Every visitor finds the exit', { title: 'No weeds', status: 'abandoned' }],
      timezone: 'Europe/Berlin',
      lang: 'de',
      start_date: '2026-07-01',
      end_date: '2026-07-31',
      organization_id: riverside,
    }).expect(201);
    expect(headers.location).toBe(`/api/v1/endeavours/${body.data.id}`);
    const link = { linked_entity_type: null, linked_entity_id: null, due_day: null };
    expect(body.data).toEqual({
      id: expect.stringMatching(/^edv_/),
      key: 'OTG',
      name: 'Open the garden',
      description: null,
      goals: [
        { id: expect.stringMatching(/^gol_/), title: 'Every visitor finds the exit', status: 'open', ...link },
        { id: expect.stringMatching(/^gol_/), title: 'No weeds', status: 'abandoned', ...link },
      ],
      stages: [],
      fields: [],
      status: 'active',
      timezone: 'Europe/Berlin',
      lang: 'de',
      start_date: '2026-07-01T00:00:00.000+02:00',
      start_day: '2026-07-01',
      end_date: '2026-07-31T23:59:59.000+02:00',
      end_day: '2026-07-31',
      external_ref: null,
      metadata: {},
      organization_id: riverside,
      is_private: false,
      organizations: [{ id: riverside, name: 'Riverside' }],
      progress: { planned: 0, active: 0, done: 0, canceled: 0 },
      my_role: 'owner',
      completed_at: null,
      archived_at: null,
      archived_reason: null,
      erasure_at: null,
      dod_policy_id: null,
      created_by: ann.resourceId,
      created_at: expect.any(String),
      updated_at: body.data.created_at,
      revision: 1,
    });
  });

  it('default to the language and time zone of their creator', async () => {
    const uma = await app.person('Uma', { lang: 'fr', timezone: 'Asia/Tokyo' });
    const sent = { name: 'Garden', start_date: '2026-07-01' };
    const { body } = await app.as(uma).post('/endeavours').send(sent).expect(201);
    expect(body.data).toMatchObject({
      lang: 'fr',
      timezone: 'Asia/Tokyo',
      start_date: '2026-07-01T00:00:00.000+09:00',
    });
    const other = await app.as(uma).post('/endeavours').send({ name: 'Yard', lang: 'es', timezone: 'UTC' }).expect(201);
    expect(other.body.data).toMatchObject({ lang: 'es', timezone: 'UTC' });
  });

  it('reject invalid fields and report all of them at once', async () => {
    const sent = {
      goals: [{ status: 'done' }],
      status: 'completed',
      timezone: 'Mars',
      lang: '??',
      start_date: '2026-02-30',
    };
    expect(faults(await create(sent).expect(400))).toEqual([
      'name required',
      'goals.0.title required',
      'goals.0.status invalid_value',
      'status invalid_value',
      'timezone invalid_format',
      'lang invalid_format',
      'start_date invalid_date',
    ]);
    const order = { name: 'Garden', start_date: '2026-07-02', end_date: '2026-07-01' };
    expect(faults(await create(order).expect(400))).toEqual(['end_date out_of_range']);
    const id = await app.endeavour(ann, { start_date: '2026-07-02' });
    expect(faults(await patch(id, { end_date: '2026-07-01' }).expect(400))).toEqual(['end_date out_of_range']);
  });

  it('can be created in an organization by its members only', async () => {
    const [gus, mia] = [await app.person('Gus'), await app.person('Mia')];
    const riverside = await app.organization(ann);
    await app.join(riverside, gus, 'guest');
    await app.join(riverside, mia, 'member');
    await into(riverside, gus).expect(403);
    const foreign = await into(await app.organization(await app.person('Eve')), mia).expect(400);
    const absent = await into(newId('organization'), mia).expect(400);
    expect(faults(foreign)).toEqual(['organization_id reference_not_found']);
    expect(foreign.body.error.details).toEqual(absent.body.error.details);
    const { body } = await into(riverside, mia).expect(201);
    expect((await app.as(gus).get(`/endeavours/${body.data.id}`).expect(200)).body.data.my_role).toBe('viewer');
    expect((await app.as(ann).get(`/endeavours/${body.data.id}`).expect(200)).body.data.my_role).toBe('owner');
  });

  it('are visible to users with a role there, and found by text, status and organization', async () => {
    const eve = await app.person('Eve');
    const riverside = await app.organization(ann);
    const [garden, shed] = [
      await app.endeavour(ann, { name: 'Garden', organization_id: riverside, start_date: '2026-01-01' }),
      await app.endeavour(ann, { name: 'Shed', description: 'Behind the garden', status: 'pending' }),
    ];
    const list = async (query: string, person = ann) =>
      idsOf(await app.as(person).get(`/endeavours?${query}`).expect(200));
    expect(await list('')).toEqual([shed, garden]);
    expect(await list('', eve)).toEqual([]);
    expect(await list(`organization_id=${riverside}`, eve)).toEqual([]);
    expect(await list(`organization_id=${riverside}`)).toEqual([garden]);
    expect(await list(`organization_id=${newId('organization')}`)).toEqual([]);
    expect(await list('status=pending')).toEqual([shed]);
    expect(await list('search=behind')).toEqual([shed]);
    expect(await list('sort=start_date')).toEqual([garden, shed]);
    expect(await list('sort=-start_date')).toEqual([garden, shed]);
    await app.as(ann).get('/endeavours?sort=goals').expect(400);
    await app.as(eve).get(`/endeavours/${garden}`).expect(404);
  });

  it('change only what is sent: {} changes nothing, null and "" clear', async () => {
    const id = await app.endeavour(ann, { description: 'Green', start_date: '2026-07-01', goals: ['Exit'] });
    const events = await app.count('events');
    for (const body of [{}, { name: 'Garden' }, { status: 'active' }, { start_date: '2026-07-01' }, { metadata: {} }]) {
      expect((await patch(id, body).expect(200)).body.data.revision).toBe(1);
    }
    expect(await app.count('events')).toBe(events);
    const cleared = await patch(id, { description: '', start_date: '', goals: null }).expect(200);
    expect(cleared.body.data).toMatchObject({ description: null, start_date: null, goals: [], revision: 2 });
    const refused = await patch(id, { name: '', timezone: null, organization_id: newId('organization'), progress: {} });
    expect(faults(refused)).toEqual([
      'name too_short',
      'timezone not_nullable',
      'organization_id read_only',
      'progress read_only',
    ]);
  });

  it('keep goals whose id is sent, and reject foreign ids and invisible links', async () => {
    const secret = await app.endeavour(await app.person('Eve'));
    const id = await app.endeavour(ann, { goals: ['Exit', 'Weeds'] });
    const { body } = await app.as(ann).get(`/endeavours/${id}`).expect(200);
    const [exit] = body.data.goals as { id: string }[];
    const goals = [{ id: exit.id, title: 'Exit', status: 'achieved' }, 'Benches'];
    const replaced = await patch(id, { goals }).expect(200);
    expect(replaced.body.data.goals).toMatchObject([{ id: exit.id, status: 'achieved' }, { title: 'Benches' }]);
    const foreign = await patch(id, { goals: [{ id: newId('goal'), title: 'Exit' }] }).expect(400);
    expect(faults(foreign)).toEqual(['goals.0.id reference_not_found']);
    const linked = await patch(id, { goals: [{ title: 'Exit', linked_entity_id: secret }] }).expect(400);
    expect(faults(linked)).toEqual(['goals.0.linked_entity_id reference_not_found']);
  });

  describe('move', () => {
    const ways: [string, string[]][] = [
      ['pending', ['active']],
      ['active', ['on_hold', 'completed']],
      ['on_hold', ['active']],
      ['completed', ['active']],
    ];
    const all = ways.map(([status]) => status);

    it.each(ways)('from %s only to %j', async (from, allowed) => {
      for (const to of all.filter((status) => status !== from)) {
        const id = await app.endeavour(ann, { status: from === 'pending' ? 'pending' : 'active' });
        if (from === 'on_hold' || from === 'completed') await patch(id, { status: from }).expect(200);
        const { status, body } = await patch(id, { status: to });
        expect([to, status]).toEqual([to, allowed.includes(to) ? 200 : 400]);
        if (status === 400) expect(body.error).toMatchObject({ code: 'invalid_transition', details: { from, to } });
      }
    });

    race('to completed only if no task is open, even while one is being created', 20, async () => {
      const id = await app.endeavour(ann);
      const task = { title: 'Late', endeavour_id: id };
      const [completed, created] = await Promise.all([
        patch(id, { status: 'completed' }),
        app.as(ann).post('/tasks').send(task),
      ]);
      expect([completed.status, created.status].sort((a, b) => a - b)).toEqual(
        completed.status === 200 ? [200, 409] : [201, 409],
      );
    });

    race('to the same status without errors for concurrent requests', 3, async () => {
      const id = await app.endeavour(ann);
      const responses = await Promise.all(Array.from({ length: 8 }, () => patch(id, { status: 'completed' })));
      expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(200));
      expect(responses.every(({ body }) => body.data.revision === 2)).toBe(true);
    });

    it('to active within the tier limit of the caller', async () => {
      const exa = await app.person('Exa', { tier: 1 });
      const id = await app.endeavour(exa, { status: 'pending' });
      await app.endeavour(exa);
      expect((await patch(id, { status: 'active' }, exa).expect(403)).body.error.code).toBe('tier_limit');
      expect((await create({ name: 'More' }, exa).expect(403)).body.error.code).toBe('tier_limit');
    });
  });
});
