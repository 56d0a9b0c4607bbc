import { TestApp, type Person } from '../support/test-app.js';
import { fieldErrorsOf } from '../support/refusals.js';

describe('rules', () => {
  let app: TestApp;
  let [ann, bea, mia, vic, eve]: Person[] = [];
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open();
    [ann, bea, mia, vic, eve] = await Promise.all(['Ann', 'Bea', 'Mia', 'Vic', 'Eve'].map((name) => app.person(name)));
    garden = await app.endeavour(ann);
    await app.join(garden, bea, 'admin');
    await app.join(garden, mia, 'member');
    await app.join(garden, vic, 'viewer');
  });

  afterAll(() => app.close());

  const RULE = { name: 'First', on: ['task.status_changed'], actions: [{ comment: { content: 'Seen.' } }] };
  const create = (more: object = {}, person = ann) =>
    app
      .as(person)
      .post('/rules')
      .send({ ...RULE, endeavour_id: garden, ...more });
  const made = async (more: object = {}): Promise<string> => (await create(more).expect(201)).body.data.id;
  const ids = async (query: string, person = ann): Promise<string[]> => {
    const { body } = await app.as(person).get(`/rules?${query}`).expect(200);
    return body.data.map(({ id }: { id: string }) => id);
  };
  const faults = async (more: object): Promise<string[]> => fieldErrorsOf((await create(more).expect(400)).body);

  it('are created by admins, and returned completely', async () => {
    const filter = { status: ['done', 'active'], overdue: true };
    const { body, headers } = await create({ filter }).expect(201);
    expect(headers.location).toBe(`/api/v1/rules/${body.data.id}`);
    expect(body.data).toEqual({
      id: expect.stringMatching(/^rul_[0-9a-f]{32}$/),
      ...RULE,
      endeavour_id: garden,
      filter: { status: 'done,active', overdue: 'true' },
      is_enabled: true,
      disabled_reason: null,
      owner_id: ann.resourceId,
      created_by: ann.resourceId,
      created_at: expect.any(String),
      updated_at: body.data.created_at,
      revision: 1,
    });
    await create({}, vic).expect(403);
    await create({}, mia).expect(403);
    await create({}, eve).expect(400);
    await app.as(vic).get(`/rules/${body.data.id}`).expect(200);
    await app.as(eve).get(`/rules/${body.data.id}`).expect(404);
  });

  it('name every malformed field', async () => {
    expect(await faults({ name: '', endeavour_id: 'garden', on: 'task.*', actions: [], is_enabled: 1 })).toEqual([
      'name too_short',
      'endeavour_id invalid_format',
      'on invalid_type',
      'actions too_short',
      'is_enabled invalid_type',
    ]);
    expect(await faults({ on: [] })).toEqual(['on too_short']);
    expect(await faults({ actions: Array(6).fill(RULE.actions[0]) })).toEqual(['actions too_long']);
    expect(await faults({ when: 'now' })).toEqual(['when unknown_field']);
    await create({ name: undefined, endeavour_id: undefined, on: undefined, actions: undefined }).expect(400);
  });

  it.each([
    [
      { on: ['task.created', 'tasks', 'task.painted', 'webhook.created'] },
      ['on.1 invalid_format', 'on.2 invalid_value', 'on.3 invalid_value'],
    ],
    [{ filter: { colour: 'green' } }, ['filter.colour unknown_field']],
    [{ filter: { status: 'painted' } }, ['filter.status invalid_value']],
    [{ filter: { sort: 'title', limit: 3 } }, ['filter.limit unknown_field', 'filter.sort unknown_field']],
    [{ filter: { offset: 3 } }, ['filter.offset unknown_field']],
    [{ filter: { endeavour_id: `edv_${'0'.repeat(32)}` } }, ['filter.endeavour_id unknown_field']],
    [{ filter: { filter: 'status = ' } }, ['filter.filter invalid_format']],
    [{ on: ['demand.created'], filter: { assignee_id: 'me' } }, ['filter.assignee_id unknown_field']],
    [{ actions: [{}] }, ['actions.0 required']],
    [{ actions: [{ patch: {} }] }, ['actions.0.patch required']],
    [{ actions: [{ patch: { title: 'A' }, comment: { content: 'B' } }] }, ['actions.0 invalid_value']],
    [{ actions: [{ comment: {} }] }, ['actions.0.comment.content required']],
    [{ actions: [{ message: { content: 'A' } }] }, ['actions.0.message.to required']],
    [{ actions: [{ message: { content: 'A', to: ['neighbour'] } }] }, ['actions.0.message.to.0 invalid_value']],
    [
      { actions: [{ patch: { status: 'painted', colour: 1 } }] },
      ['actions.0.patch.status invalid_value', 'actions.0.patch.colour unknown_field'],
    ],
    [
      { on: ['demand.created'], actions: [{ patch: { assignee_id: 'me' } }] },
      ['actions.0.patch.assignee_id unknown_field'],
    ],
    [{ actions: [{ shout: 'A' }] }, ['actions.0.shout unknown_field']],
  ])('cannot be made of %j', async (more, expected) => {
    expect(await faults(more)).toEqual(expected);
  });

  it('can neither move things elsewhere nor write evidence', async () => {
    const patch = {
      endeavour_id: await app.endeavour(ann),
      metadata: {
        dod_attested: true,
        dod_other: 1,
        checklist: [],
        acceptance: 'A',
        auto_complete: true,
        imported: {},
        own: 1,
      },
    };
    expect(await faults({ actions: [{ patch }] })).toEqual([
      'actions.0.patch.endeavour_id read_only',
      'actions.0.patch.metadata.dod_attested read_only',
      'actions.0.patch.metadata.dod_other read_only',
      'actions.0.patch.metadata.checklist read_only',
      'actions.0.patch.metadata.acceptance read_only',
      'actions.0.patch.metadata.auto_complete read_only',
      'actions.0.patch.metadata.imported read_only',
    ]);
    expect(await faults({ actions: [{ patch: { metadata: null } }] })).toEqual([
      'actions.0.patch.metadata not_nullable',
    ]);
    await create({ actions: [{ patch: { metadata: { own: 1 } } }] }).expect(201);
  });

  it('take keys in their filters', async () => {
    const demand = await app.demand(ann, garden);
    const { key } = (await app.as(ann).get(`/demands/${demand}`).expect(200)).body.data;
    const { body } = await create({ filter: { demand_id: key, filter: `demand_id = "${key}"` } }).expect(201);
    expect(body.data.filter).toEqual({ demand_id: demand, filter: `demand_id = ${demand}` });
  });

  it('are changed with merge patches, whose author becomes the owner', async () => {
    const id = await made({ filter: { status: 'done', priority: 'high' } });
    const patch = (body: object, person = ann) => app.as(person).patch(`/rules/${id}`).send(body);
    const sent = { name: 'Second', filter: { priority: null, overdue: false }, on: ['task.*'] };
    const { body } = await patch(sent, bea).set('If-Match', '"1"').expect(200);
    expect(body.data).toMatchObject({ ...sent, filter: { status: 'done', overdue: 'false' }, revision: 2 });
    expect(body.data).toMatchObject({ owner_id: bea.resourceId, created_by: ann.resourceId });
    await patch({ name: 'Third' }).set('If-Match', '"1"').expect(412);
    await patch({ name: 'Third' }, mia).expect(403);
    const { body: refused } = await patch({ on: ['demand.created'], filter: { assignee_id: 'me' } }).expect(400);
    expect(fieldErrorsOf(refused)).toEqual(['filter.assignee_id unknown_field', 'filter.status invalid_value']);
    const { body: same } = await patch({ name: 'Second' }).expect(200);
    expect(same.data).toMatchObject({ owner_id: bea.resourceId, revision: 2 });
  });

  it('are tried out before they are made', async () => {
    const { body } = await app
      .as(ann)
      .post('/rules?dry_run=true')
      .send({ ...RULE, name: 'Never', endeavour_id: garden })
      .expect(201);
    expect(body.data.name).toBe('Never');
    expect(await ids(`endeavour_id=${garden}&search=never`)).toEqual([]);
  });

  it('are listed and searched where they are visible', async () => {
    const lawn = await app.endeavour(ann);
    const [first, second] = [
      await made({ name: 'Green', endeavour_id: lawn, is_enabled: false }),
      await made({ name: 'Blue', endeavour_id: lawn }),
    ];
    expect(await ids(`endeavour_id=${lawn}&sort=name`)).toEqual([second, first]);
    expect(await ids(`endeavour_id=${lawn}&search=gree`)).toEqual([first]);
    expect(await ids(`endeavour_id=${lawn}&is_enabled=true`)).toEqual([second]);
    expect(await ids(`endeavour_id=${lawn}&owner_id=me&is_enabled=false`)).toEqual([first]);
    expect(await ids(`endeavour_id=${lawn}`, eve)).toEqual([]);
  });

  it('are gone once they are deleted, with their texts', async () => {
    const id = await made({ name: 'Canary', actions: [{ comment: { content: 'Canary' } }] });
    await app.as(vic).delete(`/rules/${id}`).expect(403);
    await app.as(ann).delete(`/rules/${id}`).expect(200);
    await app.as(ann).get(`/rules/${id}`).expect(404);
    expect(await ids(`endeavour_id=${garden}`)).not.toContain(id);
    expect(await app.count(`rules WHERE id = '${id}' AND (name || actions::text) LIKE '%Canary%'`)).toBe(0);
    expect(await app.count(`events WHERE entity_id = '${id}' AND data::text LIKE '%Canary%'`)).toBe(0);
  });

  it('are at most 100 in an endeavour', async () => {
    const lawn = await app.endeavour(ann);
    for (let at = 0; at < 100; at += 1) await made({ endeavour_id: lawn });
    const { body } = await create({ endeavour_id: lawn }).expect(409);
    expect(body.error.details.reason).toBe('too_many_rules');
  });
});
