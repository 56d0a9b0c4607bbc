import { Agreement, attestation } from '../support/dod.js';
import { fieldErrorsOf } from '../support/refusals.js';
import type { Person, TestApp } from '../support/test-app.js';
import { tokenOf } from '../support/tokens.js';

interface Result {
  dry_run: boolean;
  changed: number;
  unchanged: number;
  refused: number;
  refusals: { id: string; code: string; reason: string | null; message: string }[];
}

describe('POST /tasks/bulk', () => {
  let ours: Agreement;
  let app: TestApp;
  let [ann, bob]: Person[] = [];
  let garden: string;

  beforeAll(async () => {
    ours = await Agreement.open({ WORKERS: 'true', OPERATION_PIECE: '3', LIMIT_WRITES_PER_MINUTE: '100000' });
    ({ app, ann, bob } = ours);
  });

  beforeEach(async () => {
    garden = await app.endeavour(ann);
    await app.join(garden, bob, 'member');
  });

  afterAll(() => app.close());

  const send = (body: object, person = ann) => app.as(person).post('/tasks/bulk').send(body);
  const bulk = async (changes: object, more: { filter?: object; dry_run?: boolean; person?: Person } = {}) => {
    const { filter = {}, dry_run, person = ann } = more;
    const { headers } = await send({ filter: { endeavour_id: garden, ...filter }, changes, dry_run }, person).expect(
      202,
    );
    const { body } = await app.ended(person, headers.location);
    expect(body.data).toMatchObject({ type: 'tasks_bulk', status: 'succeeded', error: null });
    return body.data.result as Result;
  };
  const tasks = (count: number, more: object = {}): Promise<string[]> =>
    Promise.all(Array.from({ length: count }, () => app.task(ann, garden, more)));
  const read = async (id: string) => (await app.as(ann).get(`/tasks/${id}`).expect(200)).body.data;
  const eventsOf = (ids: string[]) =>
    app.database.query(
      `SELECT type, changed, previous, data, actor_id, endeavour_id, audience FROM events
       WHERE entity_id = ANY($1) AND type <> 'task.created' ORDER BY sequence`,
      [ids],
    );

  it('notifies an assignee once, with the number of tasks', async () => {
    const zoe = await app.person('Zoe');
    await app.join(garden, zoe, 'member');
    const ids = await tasks(60);
    await bulk({ assignee_id: zoe.id }, { filter: { unassigned: true } });
    const { body } = await app.as(zoe).get('/notifications').expect(200);
    const [{ count }] = body.data;
    expect(count).toBeGreaterThanOrEqual(ids.length);
    expect(body.data).toMatchObject([{ kinds: ['assigned'], entity_type: 'endeavour', entity_id: garden }]);
  });

  it('changes the tasks that the filter selects, and no others', async () => {
    const [first, ...others] = await tasks(7);
    await app.as(ann).patch(`/tasks/${first}`).send({ status: 'active' }).expect(200);
    const result = await bulk({ assignee_id: bob.id, due_date: '2030-01-01' }, { filter: { status: 'planned' } });
    expect(result).toEqual({ dry_run: false, changed: 6, unchanged: 0, refused: 0, refusals: [] });
    for (const id of others) {
      expect(await read(id)).toMatchObject({
        assignee_id: bob.resourceId,
        due_date: '2030-01-01T23:59:59.000Z',
        revision: 2,
      });
    }
    expect(await read(first)).toMatchObject({ assignee_id: null, revision: 2 });
    const again = await bulk({ assignee_id: bob.id }, { filter: { status: ['planned'], unassigned: false } });
    expect(again).toMatchObject({ changed: 0, unchanged: 6, refused: 0 });
  });

  it('writes the same rows and events as single patches', async () => {
    for (const [before, changes] of [
      [{}, { assignee_id: bob.id, estimate: 2.5, metadata: { team: { green: true } } }],
      [{}, { status: 'active' }],
      [{ status: 'active' }, { status: 'done', actual: 3 }],
      [{}, { status: 'canceled', canceled_reason: 'Another plan' }],
      [{ status: 'active' }, { description: 'Measure first', due_date: '2031-05-05T10:00:00Z' }],
      [{}, { title: 'Together' }],
    ]) {
      const other = await app.endeavour(ann);
      await app.join(other, bob, 'member');
      const metadata = { team: { red: 1 }, size: 3 };
      const fields = { description: 'As it was', due_date: '2029-01-01T08:30:00Z', estimate: 1.5, metadata };
      const [single, many] = [await app.task(ann, other, fields), await app.task(ann, garden, fields)];
      for (const id of [single, many]) await app.as(ann).patch(`/tasks/${id}`).send(before).expect(200);
      await app.as(ann).patch(`/tasks/${single}`).send(changes).expect(200);
      expect(await bulk(changes, { filter: { status: 'planned,active' } })).toMatchObject({ changed: 1, refused: 0 });
      const alike = (found: unknown): unknown => alikeWithout(found, [single, other], [many, garden]);
      expect(alike(await eventsOf([many]))).toEqual(alike(await eventsOf([single])));
      expect(alike(await read(many))).toEqual(alike(await read(single)));
      await app.as(ann).patch(`/tasks/${many}`).send({ status: 'canceled', canceled_reason: 'Next' });
    }
  });

  it('records the token that started it in every event', async () => {
    const token = await tokenOf(app, ann, { scopes: ['tasks:read', 'tasks:write', '*:read'] });
    const [task] = await tasks(1);
    expect(await bulk({ estimate: 3 }, { person: token })).toMatchObject({ changed: 1 });
    const { body } = await app.as(ann).get(`/changes?entity_id=${task}&after=0`).expect(200);
    expect(body.data).toMatchObject([
      { type: 'task.created', token_id: null },
      { type: 'task.updated', token_id: token.tokenId },
    ]);
  });

  it('reports why a task is not changed, as its dry run does', async () => {
    const [planned, active, done] = await tasks(3);
    for (const [id, steps] of [
      [active, ['active']],
      [done, ['active', 'done']],
    ] as const) {
      for (const status of steps) await app.as(ann).patch(`/tasks/${id}`).send({ status }).expect(200);
    }
    const expected = {
      changed: 1,
      unchanged: 1,
      refused: 1,
      refusals: [{ id: planned, code: 'invalid_transition', reason: null, message: expect.any(String) }],
    };
    const before = await eventsOf([planned, active, done]);
    expect(await bulk({ status: 'done' }, { dry_run: true })).toEqual({ dry_run: true, ...expected });
    expect(await eventsOf([planned, active, done])).toEqual(before);
    expect(await read(active)).toMatchObject({ status: 'active' });
    expect(await bulk({ status: 'done' })).toEqual({ dry_run: false, ...expected });
    expect(await read(active)).toMatchObject({ status: 'done' });
  });

  it('requires the same rights as each patch', async () => {
    const own = await app.task(bob, garden);
    const [theirs] = await tasks(1);
    const cancel = { status: 'canceled', canceled_reason: 'Rain' };
    for (const dry_run of [true, false]) {
      const result = await bulk(cancel, { person: bob, dry_run });
      expect(result).toMatchObject({ changed: 1, refused: 1, refusals: [{ id: theirs, code: 'forbidden' }] });
    }
    expect(await read(own)).toMatchObject({ status: 'canceled' });
    const stranger = await app.person('Eve');
    for (const dry_run of [true, false]) {
      const result = await bulk({ assignee_id: stranger.id }, { dry_run, filter: { status: 'planned' } });
      expect(result).toMatchObject({ changed: 0, refusals: [{ id: theirs, code: 'invalid_input' }] });
      const moved = await bulk({ endeavour_id: await app.endeavour(stranger) }, { dry_run });
      expect(moved).toMatchObject({ changed: 0, refused: 2 });
      expect(await bulk({ owner_id: bob.id }, { person: bob, dry_run, filter: { status: 'planned' } })).toMatchObject({
        refusals: [{ id: theirs, code: 'forbidden' }],
      });
    }
  });

  it('applies the Definition of Done, and stores its checks unless it is a dry run', async () => {
    garden = await ours.bound(attestation);
    const [attested, plain] = [await ours.active(garden), await ours.active(garden)];
    await ours.patch(attested, { metadata: { dod_attested: true } }).expect(200);
    for (const dry_run of [true, false]) {
      const result = await bulk({ status: 'done' }, { dry_run });
      expect(result).toMatchObject({ changed: 1, refused: 1, refusals: [{ id: plain, code: 'dod_not_met' }] });
      const checks = await app.as(ann).get(`/tasks/${plain}/dod-checks`).expect(200);
      expect(checks.body.data).toHaveLength(dry_run ? 0 : 1);
    }
    expect(await read(attested)).toMatchObject({ status: 'done', dod: { result: 'met' } });
  });

  it('starts a demand, unblocks dependent tasks, and completes the endeavour', async () => {
    const demand = await app.demand(ann, garden);
    const [first, second] = await tasks(2, { demand_id: demand });
    const waiting = await app.task(ann, garden);
    for (const blocker of [first, second]) {
      await app
        .as(ann)
        .post('/relations')
        .send({
          relationship_type: 'depends_on',
          source_entity_type: 'task',
          source_entity_id: waiting,
          target_entity_type: 'task',
          target_entity_id: blocker,
        })
        .expect(201);
    }
    expect(await bulk({ status: 'active' }, { filter: { demand_id: demand } })).toMatchObject({ changed: 2 });
    const { body } = await app.as(ann).get(`/demands/${demand}`).expect(200);
    expect(body.data.status).toBe('in_progress');
    expect(await bulk({ status: 'done' }, { filter: { demand_id: demand } })).toMatchObject({ changed: 2 });
    expect(await read(waiting)).toMatchObject({ blocked_by_count: 0 });
    expect((await eventsOf([waiting])).map(({ type }) => type).filter((type) => type === 'task.unblocked')).toEqual([
      'task.unblocked',
    ]);
    await app.as(ann).patch(`/demands/${demand}`).send({ status: 'fulfilled' }).expect(200);
    await app
      .as(ann)
      .patch(`/endeavours/${garden}`)
      .send({ metadata: { auto_complete: true } })
      .expect(200);
    await bulk({ status: 'active' }, { filter: { ready: true } });
    await bulk({ status: 'done' }, { filter: { status: 'active' } });
    expect((await app.as(ann).get(`/endeavours/${garden}`).expect(200)).body.data.status).toBe('completed');
  });

  it('moves tasks to another endeavour, except those whose external reference is taken there', async () => {
    const shed = await app.endeavour(ann);
    const ref = { external_ref: { source: 'jira', id: 'G-1' } };
    await app.task(ann, shed, ref);
    const [taken, free] = [await app.task(ann, garden, ref), await app.task(ann, garden)];
    const result = await bulk({ endeavour_id: shed });
    expect(result).toMatchObject({ changed: 1, refused: 1, refusals: [{ id: taken, reason: 'external_ref_taken' }] });
    expect(await read(free)).toMatchObject({ endeavour_id: shed });
    expect(await read(taken)).toMatchObject({ endeavour_id: garden });
  });

  it('includes the endeavours of an organization that the caller sees', async () => {
    const riverside = await app.organization(ann);
    const own = await app.endeavour(ann, { organization_id: riverside });
    const task = await app.task(ann, own);
    const { headers } = await send({ filter: { organization_id: riverside }, changes: { status: 'active' } }).expect(
      202,
    );
    const { body } = await app.ended(ann, headers.location);
    expect(body.data.result).toMatchObject({ changed: 1 });
    expect(await read(task)).toMatchObject({ status: 'active' });
  });

  it('reports every invalid field, and rejects too many tasks and archived endeavours', async () => {
    const wrong = {
      filter: { endeavour_id: garden, state: 'x', status: 'open' },
      changes: { status: 'shut', revision: 3, colour: 1, external_ref: { source: 'a', id: 'b' } },
      more: true,
    };
    expect(fieldErrorsOf((await send(wrong).expect(400)).body)).toEqual([
      'filter.state unknown_field',
      'filter.status invalid_value',
      'changes.status invalid_value',
      'changes.revision read_only',
      'changes.colour unknown_field',
      'more unknown_field',
    ]);
    const faults = async (filter: object, changes: object = { status: 'active' }) =>
      fieldErrorsOf((await send({ filter, changes }).expect(400)).body);
    expect(await faults({})).toEqual(['filter.endeavour_id required']);
    expect(await faults({ endeavour_id: `${garden},${garden.replace(/.$/, '0')}` })).toEqual([
      'filter.endeavour_id invalid_value',
    ]);
    expect(await faults({ endeavour_id: garden }, { external_ref: { source: 'a', id: 'b' } })).toEqual([
      'changes.external_ref invalid_value',
    ]);
    await app.database.query(
      `INSERT INTO entities (id, kind, endeavour_id, title)
         SELECT 'tsk_' || lpad(to_hex(n), 32, '0'), 'task', $1, 'x' FROM generate_series(1, 10001) n`,
      [garden],
    );
    await app.database.query(
      `INSERT INTO tasks (id, title, endeavour_id, owner_id, creator_id)
         SELECT 'tsk_' || lpad(to_hex(n), 32, '0'), 'x', $1, $2, $2 FROM generate_series(1, 10001) n`,
      [garden, ann.resourceId],
    );
    const { body } = await send({ filter: { endeavour_id: garden }, changes: {} }).expect(409);
    expect(body.error.details.reason).toBe('too_large');
    const old = await app.endeavour(ann);
    await app.as(ann).post(`/endeavours/${old}/archive`).send({ reason: 'Over' }).expect(200);
    const archived = await send({ filter: { endeavour_id: old }, changes: {} }).expect(409);
    expect(archived.body.error.code).toBe('archived');
  });
});

/** Replaces what differs between two equal histories: ids of tasks and endeavours, ranks by these ids, and times. */
const alikeWithout = (found: unknown, ...pairs: [task: string, endeavour: string][]): unknown => {
  const named = pairs.reduce(
    (text, [task, endeavour]) =>
      text.replaceAll(task, 'task').replaceAll(endeavour, 'endeavour').replaceAll(task.slice('tsk_'.length), 'rank'),
    JSON.stringify(found),
  );
  const untimed = named.replaceAll(/"202\d-[^"]*Z"/g, '"time"');
  return JSON.parse(untimed.replaceAll(/"key":"GARD\d*-\d+","number":\d+/g, '"key":"GARD-1","number":1'));
};
