import { TestApp, type Person } from '../support/test-app.js';

interface Kind {
  path: string;
  /** The container: sent in the query of PUT and in the body of POST. */
  container(): Record<string, string>;
  body: Record<string, unknown>;
}

const CROWD = { tasks: 100, others: 10 };

interface Refused {
  body: { error: { details: { fields: { field: string; code: string }[] } } };
}

const faultsOf = ({ body }: Refused): Record<string, string> =>
  Object.fromEntries(body.error.details.fields.map(({ field, code }) => [field, code]));

describe('references to other systems', () => {
  let app: TestApp;
  let [ann, vic, eve]: Person[] = [];
  let [club, garden, yard]: string[] = [];

  beforeAll(async () => {
    app = await TestApp.open({ LIMIT_WRITES_PER_MINUTE: '100000' });
    [ann, vic, eve] = [await app.person('Ann'), await app.person('Vic'), await app.person('Eve')];
    club = await app.organization(ann);
    [garden, yard] = [await app.endeavour(ann), await app.endeavour(ann)];
    await app.join(garden, vic, 'viewer');
  });

  afterAll(() => app.close());

  const inGarden = () => ({ endeavour_id: garden });
  const inClub = () => ({ organization_id: club });
  const KINDS: Kind[] = [
    { path: 'tasks', container: inGarden, body: { title: 'Paint the gate' } },
    { path: 'demands', container: inGarden, body: { type: 'story', title: 'More shade' } },
    { path: 'artifacts', container: inGarden, body: { kind: 'doc', title: 'Plan' } },
    { path: 'resources', container: inClub, body: { name: 'Mower', type: 'service' } },
    { path: 'endeavours', container: inClub, body: { name: 'Terrace' } },
  ];
  const post = (path: string, body: object, person = ann) => app.as(person).post(`/${path}`).send(body);
  const patch = (path: string, body: object) => app.as(ann).patch(path).send(body);
  const put = (path: string, ref: string, container: Record<string, string>, body: object, person = ann) =>
    app
      .as(person)
      .put(`/${path}/by-external/${ref}?${new URLSearchParams(container).toString()}`)
      .send(body);
  const idsOf = async (path: string, external: string, person = ann): Promise<string[]> => {
    const { body } = await app
      .as(person)
      .get(`/${path}?external=${encodeURIComponent(external)}`)
      .expect(200);
    return body.data.map(({ id }: { id: string }) => id);
  };

  describe.each(KINDS)('of $path', ({ path, container, body }) => {
    it('can be set, filtered by, changed in part and removed', async () => {
      const external_ref = { source: 'jira', id: 'SET-1: a,b', url: 'https://jira.example.com/browse/SET-1' };
      const made = await post(path, { ...body, ...container(), external_ref }).expect(201);
      expect(made.body.data.external_ref).toEqual(external_ref);
      const { id } = made.body.data;
      expect(await idsOf(path, 'jira:SET-1: a,b')).toEqual([id]);
      expect(await idsOf(path, 'jira:SET-1')).toEqual([]);
      expect(await idsOf(path, 'jira:SET-1: a,b', eve)).toEqual([]);
      const moved = await patch(`/${path}/${id}`, { external_ref: { id: 'SET-2', url: '' } }).expect(200);
      expect(moved.body.data.external_ref).toEqual({ source: 'jira', id: 'SET-2', url: null });
      const same = await patch(`/${path}/${id}`, { external_ref: { id: 'SET-2' } }).expect(200);
      expect(same.body.data.revision).toBe(moved.body.data.revision);
      const gone = await patch(`/${path}/${id}`, { external_ref: null }).expect(200);
      expect(gone.body.data.external_ref).toBeNull();
      expect(await idsOf(path, 'jira:SET-2')).toEqual([]);
    });

    it('are unique within the container', async () => {
      const external_ref = { source: 'jira', id: 'ONCE-1' };
      await post(path, { ...body, ...container(), external_ref }).expect(201);
      const again = await post(path, { ...body, ...container(), external_ref }).expect(409);
      expect(again.body.error.details.reason).toBe('external_ref_taken');
      const other = await post(path, { ...body, ...container() }).expect(201);
      const taken = await patch(`/${path}/${other.body.data.id}`, { external_ref }).expect(409);
      expect(taken.body.error.details.reason).toBe('external_ref_taken');
    });

    it('create one entity for concurrent requests', async () => {
      const ref = 'github/acme%2Fgarden%2317';
      const length = path === 'tasks' ? CROWD.tasks : CROWD.others;
      const responses = await Promise.all(
        Array.from({ length }, () => put(path, ref, container(), { ...body, ...container(), metadata: { a: 1 } })),
      );
      const statuses = responses.map(({ status }) => status).sort();
      expect(statuses).toEqual([...Array.from({ length: length - 1 }, () => 200), 201]);
      const ids = new Set(responses.map((response) => response.body.data.id));
      expect([...ids]).toEqual(await idsOf(path, 'github:acme/garden#17'));
      expect(responses.map((response) => response.body.data.revision)).toEqual(responses.map(() => 1));
    });

    it('create an absent entity, and patch an existing one', async () => {
      const url = 'https://example.com/2';
      const made = await put(path, 'jira/PUT-1', container(), { ...body, external_ref: { url } }).expect(201);
      expect(made.body.data).toMatchObject({ ...body, external_ref: { source: 'jira', id: 'PUT-1', url } });
      expect(made.headers.location).toBe(`/api/v1/${path}/${made.body.data.id}`);
      const changed = await put(path, 'jira/PUT-1', container(), { metadata: { b: 2 } }).expect(200);
      expect(changed.body.data).toMatchObject({ id: made.body.data.id, metadata: { b: 2 }, external_ref: { url } });
      const stale = await put(path, 'jira/PUT-1', container(), {}).set('If-Match', '"99"').expect(412);
      expect(stale.body.error.details.current_revision).toBe(2);
      await put(path, 'jira/PUT-2', container(), body).set('If-Match', '*').expect(412);
    });
  });

  it.each(KINDS.filter(({ path }) => ['artifacts', 'resources'].includes(path)))(
    'create a new entity if the existing one is deleted meanwhile: $path',
    async ({ path, container, body }) => {
      const { id } = (await put(path, 'jira/GONE-1', container(), body).expect(201)).body.data;
      const outside = await app.openConnection();
      try {
        await outside.query(`BEGIN; SELECT 1 FROM ${path} WHERE id = '${id}' FOR UPDATE`);
        const deleted = Promise.resolve(app.as(ann).delete(`/${path}/${id}`));
        await app.untilLockWaits(1);
        const again = Promise.resolve(put(path, 'jira/GONE-1', container(), body));
        await app.untilLockWaits(2);
        await outside.query('COMMIT');
        expect((await deleted).status).toBe(200);
        const { status, body: response } = await again;
        expect(status).toBe(201);
        expect(response.data.id).not.toBe(id);
      } finally {
        await outside.end();
      }
    },
  );

  describe('in a body', () => {
    const faults = async (external_ref: unknown) =>
      faultsOf(await post('tasks', { title: 'Paint', endeavour_id: garden, external_ref }).expect(400));

    it('are rejected with all errors', async () => {
      expect(await faults('jira:1')).toEqual({ external_ref: 'invalid_type' });
      expect(await faults({ url: 'ftp://x', more: 1 })).toEqual({
        'external_ref.source': 'required',
        'external_ref.id': 'required',
        'external_ref.url': 'invalid_format',
        'external_ref.more': 'unknown_field',
      });
      expect(await faults({ source: 'a:b', id: 'x'.repeat(201) })).toEqual({
        'external_ref.source': 'invalid_format',
        'external_ref.id': 'too_long',
      });
      expect(await faults({ source: 'x'.repeat(51), id: 'a\nb' })).toEqual({
        'external_ref.source': 'too_long',
        'external_ref.id': 'invalid_text',
      });
    });

    it('require source and id if a patch sets a new one', async () => {
      const task = await app.task(ann, garden);
      const { body } = await patch(`/tasks/${task}`, { external_ref: { url: 'https://example.com' } }).expect(400);
      expect(faultsOf({ body })).toEqual({ 'external_ref.source': 'required', 'external_ref.id': 'required' });
      const cleared = await patch(`/tasks/${task}`, { external_ref: { source: null, id: 'x' } }).expect(400);
      expect(faultsOf(cleared)).toEqual({ 'external_ref.source': 'not_nullable' });
    });

    it('are rejected as a filter without an id', async () => {
      const { body } = await app.as(ann).get('/tasks?external=jira').expect(400);
      expect(faultsOf({ body })).toEqual({ external: 'invalid_format' });
    });
  });

  it('accept nothing in PUT that POST and PATCH reject', async () => {
    const completed = await app.endeavour(ann);
    await patch(`/endeavours/${completed}`, { status: 'completed' }).expect(200);
    for (const [path, body] of [
      ['tasks', { title: 'Paint the gate' }],
      ['demands', { type: 'story', title: 'More shade' }],
    ] as const) {
      const late = await put(path, 'jira/LATE-1', { endeavour_id: completed }, body).expect(409);
      expect(late.body.error).toMatchObject({ code: 'conflict', details: { reason: 'completed' } });
    }
    const report = { kind: 'test-report', title: 'Run 7', tags: ['test-report'], metadata: { result: 'failed' } };
    await put('artifacts', 'ci/7', inGarden(), report).expect(201);
    const turned = await put('artifacts', 'ci/7', inGarden(), { metadata: { result: 'passed' } }).expect(409);
    expect(turned.body.error).toMatchObject({ code: 'conflict', details: { reason: 'evidence' } });
  });

  it('must be unique in the target of a move, also for artifacts of the moved task', async () => {
    const external_ref = { source: 'jira', id: 'MOVE-1' };
    const here = await app.task(ann, garden, { external_ref });
    await app.task(ann, yard, { external_ref });
    const moved = await patch(`/tasks/${here}`, { endeavour_id: yard }).expect(409);
    expect(moved.body.error.details.reason).toBe('external_ref_taken');

    const plain = await app.task(ann, garden);
    const plan = { kind: 'doc', title: 'Plan', external_ref };
    await post('artifacts', { ...plan, task_id: plain }).expect(201);
    await post('artifacts', { ...plan, endeavour_id: yard }).expect(201);
    const along = await patch(`/tasks/${plain}`, { endeavour_id: yard }).expect(409);
    expect(along.body.error.details.reason).toBe('external_ref_taken');
  });

  it('must be unique in the organization that a resource joins', async () => {
    const external_ref = { source: 'jira', id: 'HOME-1' };
    const homeless = (await post('resources', { name: 'Spade', type: 'service', external_ref }).expect(201)).body.data
      .id;
    const duplicate = await post('resources', { name: 'Spade', type: 'service', external_ref }).expect(409);
    expect(duplicate.body.error.details.reason).toBe('external_ref_taken');
    await post('resources', { name: 'Spade', type: 'service', external_ref }, eve).expect(201);
    const atHome = { name: 'Spade', type: 'service', external_ref, organization_id: club };
    const there = (await post('resources', atHome).expect(201)).body.data.id;
    const joining = await post(`organizations/${club}/resources`, { resource_id: homeless }).expect(409);
    expect(joining.body.error.details.reason).toBe('external_ref_taken');
    await app.as(ann).delete(`/resources/${there}`).expect(200);
    await post(`organizations/${club}/resources`, { resource_id: homeless }).expect(200);
  });

  it('must be unique in the organization that an endeavour joins', async () => {
    const external_ref = { source: 'jira', id: 'HOME-2' };
    const homeless = await app.endeavour(ann, { external_ref });
    await app.endeavour(ann, { external_ref, organization_id: club });
    const joining = await post(`organizations/${club}/endeavours`, { endeavour_id: homeless }).expect(409);
    expect(joining.body.error.details.reason).toBe('external_ref_taken');
  });

  it('can be reused when the artifact is deleted, and are removed from its events', async () => {
    const plan = { kind: 'doc', title: 'Plan', endeavour_id: garden, external_ref: { source: 'jira', id: 'FREE-1' } };
    const id = (await post('artifacts', plan).expect(201)).body.data.id;
    await app.as(ann).delete(`/artifacts/${id}`).expect(200);
    await post('artifacts', plan).expect(201);
    const kept = await app.database.query(`SELECT 1 FROM events WHERE entity_id = $1 AND data::text LIKE '%FREE-1%'`, [
      id,
    ]);
    expect(kept).toEqual([]);
  });

  describe('PUT', () => {
    it('rejects a status on creation, and applies the transitions of PATCH afterwards', async () => {
      const started = await put('tasks', 'jira/ST-1', inGarden(), { title: 'Dig', status: 'active' }).expect(400);
      expect(faultsOf(started)).toEqual({ status: 'read_only' });
      await put('tasks', 'jira/ST-1', inGarden(), { title: 'Dig' }).expect(201);
      await put('tasks', 'jira/ST-1', inGarden(), { status: 'done' }).expect(400);
      const active = await put('tasks', 'jira/ST-1', inGarden(), { title: 'Dig', status: 'active' }).expect(200);
      expect(active.body.data.status).toBe('active');
    });

    it('reports errors in path, query and body', async () => {
      expect(faultsOf(await put('tasks', `${'x'.repeat(51)}/1`, {}, {}).expect(400))).toEqual({
        source: 'too_long',
        endeavour_id: 'required',
      });
      expect(faultsOf(await put('tasks', 'jira/%00', { endeavour_id: club }, {}).expect(400))).toEqual({
        external_id: 'invalid_text',
        endeavour_id: 'invalid_format',
      });
      await put('tasks', `jira/${'%F0%9F%8C%B3'.repeat(200)}`, inGarden(), { title: 'Trees' }).expect(201);
      expect(faultsOf(await put('demands', 'jira/F-1', inGarden(), { type: 1, title: 'x' }).expect(400))).toEqual({
        type: 'invalid_type',
      });
      expect(faultsOf(await put('demands', 'jira/F-1', inGarden(), {}).expect(400))).toEqual({
        type: 'required',
        title: 'required',
      });
      const elsewhere = { title: 'x', endeavour_id: yard, external_ref: { id: 'F-2' } };
      expect(faultsOf(await put('tasks', 'jira/F-1', inGarden(), elsewhere).expect(400))).toEqual({
        endeavour_id: 'invalid_value',
        external_ref: 'invalid_value',
      });
    });

    it('rejects a changed value of a property that only creation sets', async () => {
      const demand = { type: 'bug', title: 'No shade' };
      await put('demands', 'jira/FX-1', inGarden(), demand).expect(201);
      await put('demands', 'jira/FX-1', inGarden(), demand).expect(200);
      const other = await put('demands', 'jira/FX-1', inGarden(), { ...demand, type: 'story' }).expect(400);
      expect(faultsOf(other)).toEqual({ type: 'read_only' });
      const renamed = await put('demands', 'jira/FX-1', inGarden(), { external_ref: { id: 'FX-2' } }).expect(400);
      expect(faultsOf(renamed)).toEqual({ external_ref: 'invalid_value' });
    });

    it('is rejected by quorums, transitions and policies like PATCH', async () => {
      const [bob, terrace] = [await app.person('Bob'), await app.endeavour(ann, { organization_id: club })];
      await app.join(club, bob, 'member');
      const crew = { name: 'Crew', type: 'team', organization_id: club };
      const team = (await post('resources', crew).expect(201)).body.data.id;
      for (const { id } of [ann, bob]) await post(`resources/${team}/members`, { resource_id: id }).expect(201);
      await patch(`/resources/${team}`, { quorum: { default: 2 } }).expect(200);
      const at = { endeavour_id: terrace };
      const codes: string[] = [];
      for (const [path, body, status] of [
        ['tasks', { title: 'Dig' }, 'active'],
        ['demands', { title: 'Shade', type: 'bug' }, 'in_progress'],
      ] as const) {
        await put(path, 'jira/Q-1', at, body).expect(201);
        await put(path, 'jira/Q-1', at, { owner_id: team }).expect(200);
        const moved = await put(path, 'jira/Q-1', at, { status }, bob).expect(409);
        const wrong = await put(path, 'jira/Q-1', at, { status: path === 'tasks' ? 'done' : 'fulfilled' }).expect(400);
        codes.push(moved.body.error.code, wrong.body.error.code);
      }
      await put('endeavours', 'jira/Q-1', inClub(), { name: 'Shed', status: 'pending' }).expect(201);
      const held = await put('endeavours', 'jira/Q-1', inClub(), { status: 'on_hold' }).expect(400);
      const shed = (await put('endeavours', 'jira/Q-1', inClub(), { status: 'active' }).expect(200)).body.data.id;
      await post('tasks', { title: 'Sweep', endeavour_id: shed }).expect(201);
      const open = await put('endeavours', 'jira/Q-1', inClub(), { status: 'completed' }).expect(409);
      expect(open.body.error.details).toMatchObject({ reason: 'open_tasks', open_tasks: 1 });
      const conditions = [{ type: 'manual_attestation' }];
      const policy = (await post('dod-policies', { name: 'Ours', conditions, endeavour_id: terrace }).expect(201)).body;
      await post(`endeavours/${terrace}/dod-policy`, { policy_id: policy.data.id }).expect(200);
      await put('tasks', 'jira/Q-1', at, { status: 'active' }).expect(200);
      const undone = await put('tasks', 'jira/Q-1', at, { status: 'done' }).expect(409);
      expect([...codes, held.body.error.code, undone.body.error.code]).toEqual([
        'quorum_not_met',
        'invalid_transition',
        'quorum_not_met',
        'invalid_transition',
        'invalid_transition',
        'dod_not_met',
      ]);
    });

    it('counts toward the tier limits like POST', async () => {
      const max = await app.person('Max', { tier: 1 });
      const own = { organization_id: await app.organization(max) };
      const made = async (path: string, ref: string, body: object) => {
        const response = await put(path, ref, own, body, max);
        return response.status === 201 ? 201 : response.body.error.code;
      };
      expect(await made('endeavours', 'jira/1', { name: 'One' })).toBe(201);
      expect(await made('endeavours', 'jira/2', { name: 'Two' })).toBe('tier_limit');
      const teams: unknown[] = [];
      for (let n = 0; n < 6; n++) teams.push(await made('resources', `jira/${n}`, { name: 'Team', type: 'team' }));
      expect(teams.at(-1)).toBe('tier_limit');
    });

    it('reveals nothing that the caller may not see', async () => {
      const secret = { name: 'Secret', is_private: true, organization_id: club };
      await post('endeavours', { ...secret, external_ref: { source: 'jira', id: 'PRIVATE' } }).expect(201);
      await app.join(club, eve, 'member');
      await put('endeavours', 'jira/PRIVATE', inClub(), { name: 'Mine' }, eve).expect(201);
      await put('tasks', 'jira/PUT-1', inGarden(), { title: 'x' }, vic).expect(403);
      await put('tasks', 'jira/PUT-1', { endeavour_id: yard }, { title: 'x' }, vic).expect(400);
    });
  });

  it('are indexed only if they are set', async () => {
    const row = await app.database.one<{ definitions: string }>(
      `SELECT string_agg(indexdef, ' ') AS definitions FROM pg_indexes WHERE indexname LIKE '%external_ref_taken%'`,
    );
    expect(row?.definitions.match(/WHERE \(+external_ref IS NOT NULL\)/g)).toHaveLength(5);
  });
});
