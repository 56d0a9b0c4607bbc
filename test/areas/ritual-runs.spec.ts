import { newId } from '../../src/common/ids.js';
import { TestApp, type Person } from '../support/test-app.js';
import { race } from '../support/races.js';

const fields = (body: { error: { details: { fields: { field: string; code: string }[] } } }): string[] =>
  body.error.details.fields.map(({ field, code }) => `${field} ${code}`);

describe('runs that are started manually', () => {
  let app: TestApp;
  let ann: Person;
  let mia: Person;
  let vic: Person;
  let eve: Person;

  beforeAll(async () => {
    app = await TestApp.open();
    [ann, mia, vic, eve] = [
      await app.person('Ann'),
      await app.person('Mia'),
      await app.person('Vic'),
      await app.person('Eve'),
    ];
  });

  afterAll(() => app.close());

  const yardOf = async (): Promise<string> => {
    const yard = await app.endeavour(ann, { name: 'Yard' });
    await app.join(yard, mia, 'member');
    await app.join(yard, vic, 'viewer');
    return yard;
  };
  const ritual = async (yard: string | undefined, person = ann): Promise<string> => {
    const sent = { name: 'Round', endeavour_id: yard };
    return (await app.as(person).post('/rituals').send(sent).expect(201)).body.data.id;
  };
  const begin = (ritualId: string, more: object = {}, person = mia) =>
    app
      .as(person)
      .post('/ritual-runs')
      .send({ ritual_id: ritualId, ...more });
  const begun = async (ritualId: string): Promise<string> => (await begin(ritualId).expect(201)).body.data.id;
  const patch = (id: string, body: object, person = mia) => app.as(person).patch(`/ritual-runs/${id}`).send(body);
  const ids = async (person: Person, query: string): Promise<string[]> =>
    (await app.as(person).get(`/ritual-runs?${query}`).expect(200)).body.data.map(({ id }: { id: string }) => id);

  describe('can be claimed', () => {
    const scheduled = async (): Promise<string> => {
      const id = await begun(await ritual(await yardOf()));
      await app.database.query(
        `UPDATE ritual_runs SET run_by = NULL, trigger = 'schedule', scheduled_for = now() WHERE id = $1`,
        [id],
      );
      return id;
    };

    it('by one member only', async () => {
      const id = await scheduled();
      const { body } = await patch(id, { claim: true }).expect(200);
      expect(body.data).toMatchObject({ run_by: mia.resourceId, revision: 2 });
      expect((await patch(id, { claim: true }).expect(200)).body.data.revision).toBe(2);
      const refused = await patch(id, { claim: true, result_summary: 'Mine' }, ann).expect(409);
      expect(refused.body.error.details.reason).toBe('claimed');
      expect((await patch(id, { claim: false }, ann).expect(200)).body.data.run_by).toBe(mia.resourceId);
      await patch(id, { claim: true }, vic).expect(403);
      expect(fields((await patch(id, { claim: null, run_by: ann.resourceId }).expect(400)).body)).toEqual([
        'claim not_nullable',
        'run_by read_only',
      ]);
    });

    it('until they have ended, also by the patch that ends them', async () => {
      const id = await scheduled();
      await patch(id, { status: 'skipped' }).expect(200);
      expect((await patch(id, { claim: true }).expect(409)).body.error.details.reason).toBe('run_ended');
      const claimedAndDone = await scheduled();
      const { body } = await patch(claimedAndDone, { claim: true, status: 'succeeded' }).expect(200);
      expect(body.data).toMatchObject({ run_by: mia.resourceId, status: 'succeeded' });
    });

    it('and then another member or agent neither ends nor changes them, but admins and the manager of its agent do', async () => {
      const [noa, yard] = [await app.person('Noa'), await yardOf()];
      await app.join(yard, noa, 'member');
      const scheduledIn = async (): Promise<string> => {
        const id = await begun(await ritual(yard));
        await app.database.query(`UPDATE ritual_runs SET run_by = NULL WHERE id = $1`, [id]);
        return id;
      };
      const id = await scheduledIn();
      await patch(id, { claim: true }).expect(200);
      for (const body of [
        { status: 'succeeded' },
        { status: 'failed', error: { code: 'x' } },
        { result_summary: 'Mine' },
        { effects: { opened: 1 } },
        { metadata: { a: 1 } },
      ]) {
        await patch(id, body, noa).expect(403);
      }
      expect((await patch(id, { claim: true, status: 'failed' }, noa).expect(409)).body.error.details.reason).toBe(
        'claimed',
      );
      await patch(id, { status: 'failed' }, ann).expect(200);

      const shop = await app.organization(noa);
      const made = await app.as(noa).post('/agents').send({ name: 'Bot', organization_id: shop }).expect(201);
      const agent = { ...noa, id: made.body.data.id, resourceId: made.body.data.resource_id };
      await app.join(yard, agent, 'member');
      const token = await app
        .as(noa)
        .post(`/agents/${agent.id}/tokens`)
        .send({ name: 'Main', scopes: ['*'] })
        .expect(201);
      const other = await scheduledIn();
      await patch(other, { claim: true }, { ...agent, token: token.body.data.token }).expect(200);
      await patch(other, { status: 'succeeded' }, mia).expect(403);
      await patch(other, { status: 'succeeded' }, noa).expect(200);
    });

    race('by one of two concurrent requests', 10, async () => {
      const id = await scheduled();
      const responses = await Promise.all([patch(id, { claim: true }, ann), patch(id, { claim: true }, mia)]);
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
    });
  });

  it('return the whole representation, and are shown as the last run of the ritual', async () => {
    const yard = await yardOf();
    const id = await ritual(yard);
    const { body, headers } = await begin(id, { trigger: 'api', metadata: { a: 1 } }).expect(201);
    expect(headers.location).toBe(`/api/v1/ritual-runs/${body.data.id}`);
    expect(body.data).toEqual({
      id: expect.stringMatching(/^rtr_[0-9a-f]{32}$/),
      ritual_id: id,
      ritual_name: 'Round',
      task_id: null,
      task_errors: [],
      ritual_version: 1,
      endeavour_id: yard,
      status: 'running',
      trigger: 'api',
      run_by: mia.resourceId,
      result_summary: null,
      effects: null,
      error: null,
      started_at: expect.any(String),
      finished_at: null,
      metadata: { a: 1 },
      created_at: expect.any(String),
      updated_at: body.data.created_at,
      revision: 1,
    });
    const { body: shown } = await app.as(vic).get(`/rituals/${id}`).expect(200);
    expect(shown.data.last_run).toEqual({ id: body.data.id, status: 'running', finished_at: null });
    expect((await begin(id).expect(201)).body.data.trigger).toBe('manual');
  });

  it('end once, with a result, effects and metadata', async () => {
    const id = await begun(await ritual(await yardOf()));
    const said = { result_summary: 'All well', effects: { tasks: ['a'] }, metadata: { b: 2 } };
    const { body } = await patch(id, { status: 'succeeded', ...said }).expect(200);
    expect(body.data).toMatchObject({ ...said, status: 'succeeded', finished_at: expect.any(String), revision: 2 });
    expect((await patch(id, { status: 'succeeded', ...said }).expect(200)).body.data.revision).toBe(2);
    const { body: refused } = await patch(id, { status: 'failed' }).expect(400);
    expect(refused.error).toMatchObject({
      code: 'invalid_transition',
      details: { from: 'succeeded', to: 'failed', allowed: [] },
    });
    expect((await patch(id, { error: { code: 'late' }, effects: null }).expect(200)).body.data).toMatchObject({
      error: { code: 'late' },
      effects: null,
    });
  });

  it('require the member role, a visible active ritual that is not built in, and an active endeavour', async () => {
    const yard = await yardOf();
    const id = await ritual(yard);
    await begin(id, {}, vic).expect(403);
    expect(fields((await begin(id, {}, eve).expect(400)).body)).toEqual(['ritual_id reference_not_found']);
    expect(fields((await begin(newId('ritual')).expect(400)).body)).toEqual(['ritual_id reference_not_found']);
    expect(fields((await begin(newId('task'), { trigger: 'schedule', status: 'running' }).expect(400)).body)).toEqual([
      'ritual_id invalid_format',
      'trigger invalid_value',
      'status read_only',
    ]);
    const { body: builtIn } = await app.as(ann).get('/rituals?origin=template&limit=1').expect(200);
    await begin(builtIn.data[0].id).expect(403);
    const refused = await begin(builtIn.data[0].id, {}, await app.admin()).expect(409);
    expect(refused.body.error.details.reason).toBe('built_in');
    const archived = await ritual(yard);
    await app.as(ann).patch(`/rituals/${archived}`).send({ status: 'archived' }).expect(200);
    expect((await begin(archived).expect(409)).body.error.details.reason).toBe('ritual_archived');
    const run = await begun(id);
    await app.database.query("UPDATE endeavours SET status = 'completed' WHERE id = $1", [yard]);
    expect((await begin(id).expect(409)).body.error.details.reason).toBe('completed');
    await patch(run, { result_summary: 'Still told' }).expect(200);
    await app.database.query("UPDATE endeavours SET status = 'archived' WHERE id = $1", [yard]);
    expect((await begin(id).expect(409)).body.error.code).toBe('archived');
    expect((await patch(run, { status: 'failed' }).expect(409)).body.error.code).toBe('archived');
  });

  it('of a personal ritual are visible only to its owner', async () => {
    const id = await ritual(undefined, eve);
    const { body } = await begin(id, {}, eve).expect(201);
    expect(body.data).toMatchObject({ endeavour_id: null, run_by: eve.resourceId });
    await app.as(eve).get(`/ritual-runs/${body.data.id}`).expect(200);
    await app.as(ann).get(`/ritual-runs/${body.data.id}`).expect(404);
    await patch(body.data.id, { status: 'skipped' }, eve).expect(200);
  });

  it('can be patched by members, with If-Match', async () => {
    const id = await begun(await ritual(await yardOf()));
    await patch(id, { status: 'failed' }, vic).expect(403);
    await patch(id, { status: 'failed' }, eve).expect(404);
    expect(fields((await patch(id, { status: 'done', ritual_id: null, effects: [] }).expect(400)).body)).toEqual([
      'status invalid_value',
      'effects invalid_type',
      'ritual_id read_only',
    ]);
    await patch(id, { result_summary: 'x' }).expect(200);
    await patch(id, { status: 'failed' }).set('If-Match', '"1"').expect(412);
  });

  race('end once, even with two concurrent requests', 5, async () => {
    const id = await begun(await ritual(await yardOf()));
    const ends = await Promise.all(['succeeded', 'failed'].map((status) => patch(id, { status })));
    expect(ends.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 400]);
  });

  it('are listed by ritual, endeavour, status and trigger, to those who see them', async () => {
    const yard = await yardOf();
    const [one, two] = [await ritual(yard), await ritual(yard)];
    const [first, second] = [await begun(one), await begun(two)];
    await patch(second, { status: 'succeeded' }).expect(200);
    expect(await ids(vic, `endeavour_id=${yard}`)).toEqual([second, first]);
    expect(await ids(vic, `ritual_id=${one}`)).toEqual([first]);
    expect(await ids(vic, `endeavour_id=${yard}&status=succeeded&trigger=manual,api`)).toEqual([second]);
    expect(await ids(vic, `endeavour_id=${yard}&trigger=schedule`)).toEqual([]);
    expect(await ids(eve, `endeavour_id=${yard}`)).toEqual([]);
  });
});
