import { fieldErrorsOf } from '../support/refusals.js';
import { TestApp, type Person } from '../support/test-app.js';
import { tokenOf } from '../support/tokens.js';

interface Operation {
  id?: string;
  method: string;
  path: string;
  body?: object;
  if_match?: string;
}

const create = (title: string, endeavour_id: string, more: object = {}): Operation => ({
  method: 'POST',
  path: '/api/v1/tasks',
  body: { title, endeavour_id, ...more },
});

describe('a batch', () => {
  let app: TestApp;
  let ann: Person;
  let bob: Person;
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open();
    [ann, bob] = [await app.person('Ann', { tier: 3 }), await app.person('Bob')];
    garden = await app.endeavour(ann);
    await app.join(garden, bob, 'viewer');
  });

  afterAll(() => app.close());

  const batch = (operations: Operation[], more: object = {}, me = ann) =>
    app
      .as(me)
      .post('/batch')
      .send({ operations, ...more });
  const titles = async (): Promise<string[]> => {
    const { body } = await app.as(ann).get(`/tasks?endeavour_id=${garden}&sort=title`).expect(200);
    return (body.data as { title: string }[]).map(({ title }) => title);
  };

  it('executes its requests in order; later ones can refer to responses of earlier ones', async () => {
    const { body } = await batch([
      { id: 'd', method: 'POST', path: '/api/v1/demands', body: { type: 'story', title: '$$5', endeavour_id: garden } },
      { ...create('Of it', garden, { demand_id: '$d.id', metadata: { from: ['$d.title'] } }), id: 't' },
      { method: 'PATCH', path: '/api/v1/tasks/$t.id', body: { status: 'active' }, if_match: '"1"' },
    ]).expect(200);
    const [demand, task, moved] = body.data;
    expect([demand.id, demand.status, demand.body.data.title]).toEqual(['d', 201, '$5']);
    expect(demand.headers).toEqual({
      etag: expect.stringMatching(/^"1-/),
      location: `/api/v1/demands/${demand.body.data.id}`,
    });
    expect(task.body.data).toMatchObject({ demand_id: demand.body.data.id, metadata: { from: ['$5'] } });
    expect([moved.id, moved.status, moved.body.data.status]).toEqual([null, 200, 'active']);
    await app.as(ann).get(`/tasks/${task.body.data.id}`).expect(200);
  });

  it('is atomic, and its error names the rejected request', async () => {
    const before = await titles();
    const refused = await batch([create('One', garden), { ...create('', garden), id: 'b' }]).expect(400);
    expect(fieldErrorsOf(refused.body)).toEqual(['title too_short']);
    expect(refused.body.error.details.operation).toEqual({ index: 1, id: 'b' });
    expect(await titles()).toEqual(before);
    const events = await app.database.query('SELECT 1 FROM events');
    await batch([create('One', garden)], {}, bob).expect(403);
    expect(await app.database.query('SELECT 1 FROM events')).toHaveLength(events.length);
  });

  it('with atomic=false returns a response for each request, and executes every valid one', async () => {
    const { body } = await batch(
      [
        { ...create('', garden), id: 'a' },
        create('Alone', garden),
        { method: 'DELETE', path: '/api/v1/artifacts/$a.id' },
      ],
      { atomic: false },
    ).expect(207);
    expect(body.data.map(({ status }: { status: number }) => status)).toEqual([400, 201, 400]);
    expect(fieldErrorsOf(body.data[2].body)).toEqual(['$a.id reference_not_found']);
    expect(await titles()).toContain('Alone');
  });

  it('accepts paths without the prefix of the API', async () => {
    const { body } = await batch([
      { id: 'made', method: 'POST', path: '/tasks', body: { title: 'Rake', endeavour_id: garden } },
      { method: 'PATCH', path: '/tasks/$made.id', body: { status: 'active' } },
    ] as Operation[]).expect(200);
    expect(body.data[1].body.data).toMatchObject({ title: 'Rake', status: 'active' });
  });

  it('is rejected before any request is executed if one of them is not allowed in it', async () => {
    const faults = async (operation: object) =>
      fieldErrorsOf((await batch([create('x', garden), operation as Operation]).expect(400)).body);
    const post = (path: string, body?: object) => faults({ method: 'POST', path, ...(body && { body }) });
    const before = await titles();
    for (const path of ['/api/v1/batch', '/api/v1/auth/logout', '/api/v1/auth/tokens', '/api/v1/auth/can']) {
      expect([path, await post(path)]).toEqual([path, ['operations.1.path invalid_value']]);
    }
    for (const path of ['/api/v1/tasks/', '/tasks/', '/api/v1/../../health/live', '/api/v1//tasks', 'tasks']) {
      expect([path, await post(path)]).toEqual([path, ['operations.1.path invalid_format']]);
    }
    for (const path of ['/api/v1/%2e%2e/x', '/api/v1/tasks/..', 'https://example.org/api/v1/tasks', '/api/v1\\tasks']) {
      expect([path, await post(path)]).toEqual([path, ['operations.1.path invalid_format']]);
    }
    for (const path of ['/api/v1/nothing', '/api/v1/%62atch', '/health/live', '/metrics', '/api/v2/tasks', '/batch']) {
      expect([path, await post(path)]).toEqual([path, ['operations.1.path invalid_value']]);
    }
    const archive = `/api/v1/endeavours/${garden}`;
    expect(await post(`${archive}/archive`)).toEqual(['operations.1.path invalid_value']);
    expect(await faults({ method: 'DELETE', path: archive })).toEqual(['operations.1.path invalid_value']);
    expect(await post('/api/v1/tasks', { title: '$5' })).toEqual(['operations.1.body.title invalid_value']);
    expect(await post('/api/v1/tasks', { title: '$z.id' })).toEqual(['operations.1 invalid_value']);
    expect(await post('/api/v1/tasks?dry_run=true', {})).toEqual(['dry_run unknown_field']);
    const twice = { ...create('x', garden), id: 'a' };
    expect(fieldErrorsOf((await batch([twice, twice]).expect(400)).body)).toEqual(['operations.1.id invalid_value']);
    const conditional = await app
      .as(ann)
      .post('/batch')
      .set('If-Match', '"1"')
      .send({ operations: [twice] });
    expect(fieldErrorsOf(conditional.body)).toEqual(['If-Match invalid_value']);
    expect(await titles()).toEqual(before);
  });

  it('accepts every write operation except the excluded ones', async () => {
    const refused = new Set<string>();
    for (const [template, methods] of Object.entries(app.document.paths)) {
      for (const [method, operation] of Object.entries(methods as Record<string, { operationId: string }>)) {
        if (method === 'get' || !template.startsWith('/api/v1')) continue;
        const path = template.replaceAll(/\{[^}]+\}/g, 'x');
        const { body } = await batch([{ method: method.toUpperCase(), path }], { atomic: false });
        if (body.error !== undefined) refused.add(operation.operationId.replace(/_.*/, ''));
        if (body.error !== undefined && !/^(?:auth|agents|webhooks|invitations)_/.test(operation.operationId)) {
          refused.add(operation.operationId);
        }
      }
    }
    expect([...refused].sort()).toMatchSnapshot();
  });

  it('writes the same rows and events as its requests would separately', async () => {
    const operations = (endeavour_id: string): Operation[] => [
      { id: 'd', method: 'POST', path: '/api/v1/demands', body: { type: 'bug', title: 'Leak', endeavour_id } },
      { ...create('Mend', endeavour_id, { demand_id: '$d.id', assignee_id: 'me' }), id: 't' },
      { method: 'PATCH', path: '/api/v1/tasks/$t.id', body: { status: 'active' } },
      {
        method: 'POST',
        path: '/api/v1/comments',
        body: { entity_type: 'task', entity_id: '$t.id', content: 'Wet feet' },
      },
      { method: 'PATCH', path: '/api/v1/tasks/$t.id', body: { status: 'done', actual: 1 } },
      { method: 'PATCH', path: '/api/v1/demands/$d.id', body: { status: 'fulfilled' } },
    ];
    const [one, other] = [await app.endeavour(ann), await app.endeavour(ann)];
    await batch(operations(one)).expect(200);
    const ids: Record<string, string> = {};
    for (const { id, method, path, body } of operations(other)) {
      const filled = (text: string) => text.replaceAll(/\$([dt])\.id/g, (_, name: string) => ids[name]);
      const call = app.as(ann)[method.toLowerCase() as 'post'](filled(path).replace('/api/v1', ''));
      const response = await call.send(JSON.parse(filled(JSON.stringify(body))) as object);
      if (id !== undefined) ids[id] = response.body.data.id;
    }
    const [left, right] = [await traces(one), await traces(other)];
    expect(left.length).toBeGreaterThan(12);
    expect(left).toEqual(right);
  });

  /** Returns the rows of an endeavour, with ids numbered in order of appearance and without times. */
  async function traces(endeavour: string): Promise<string[]> {
    const tables = ['events', 'demands', 'tasks', 'comments', 'entities', 'entity_changes'];
    const existing = await app.database.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_name = ANY($1)`,
      [tables],
    );
    const rows: string[] = [];
    for (const { name } of existing.sort((a, b) => a.name.localeCompare(b.name))) {
      const found = await app.database.query<{ row: string }>(
        `SELECT to_jsonb(x)::text AS row FROM ${name} x
         WHERE to_jsonb(x)::text LIKE '%${endeavour}%' ORDER BY ${name === 'events' ? 'x.sequence, x.id' : 'x.id'}`,
      );
      rows.push(...found.map(({ row }) => `${name} ${row}`));
    }
    const names = new Map<string, string>();
    return rows.map((row) =>
      row
        .replaceAll(/\bGARD\d+/g, 'GARD')
        .replaceAll(/\b[a-z]{3}_[0-9a-f]{32}\b/g, (id) => {
          if (!names.has(id)) names.set(id, `${id.slice(0, 3)} ${names.size}`);
          return names.get(id) as string;
        })
        .replaceAll(/"\d{4}-\d\d-\d\d[T ][^"]*"/g, '""')
        .replaceAll(/"(?:request_id|rank)": "[^"]*"|"(?:sequence|number|transaction)[a-z_]*": "?\d+"?/g, ''),
    );
  }

  it('is replayed for the same idempotency key, and executed once', async () => {
    const keyed = (key: string, operations: Operation[], more: object = {}) =>
      batch(operations, more).set('Idempotency-Key', key);
    const first = await keyed('k1', [create('Keyed', garden)]).expect(200);
    const again = await keyed('k1', [create('Keyed', garden)]).expect(200);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.body).toEqual(first.body);
    await keyed('k1', [create('Other', garden)]).expect(422);
    // The response to the batch is stored after those of its requests, so a crash in between does not repeat these.
    const each = await keyed('k2', [create('Each', garden)], { atomic: false }).expect(207);
    await app.database.query(`DELETE FROM idempotency_keys WHERE key = 'k2'`);
    const once = await keyed('k2', [create('Each', garden)], { atomic: false }).expect(207);
    expect(once.body).toEqual(each.body);
    expect((await titles()).filter((title) => /^(?:Keyed|Other|Each)$/.test(title))).toEqual(['Each', 'Keyed']);
  });

  it.each([true, false])('is replayed for the same key although it deletes an entity (atomic: %s)', async (atomic) => {
    const operations = [
      { id: 'a', ...create('Short-lived', garden) },
      { id: 'r', method: 'POST', path: '/api/v1/artifacts', body: { kind: 'link', title: 'Map', task_id: '$a.id' } },
      { method: 'PATCH', path: '/api/v1/artifacts/$r.id', body: { title: 'Plan' } },
      { method: 'DELETE', path: '/api/v1/artifacts/$r.id' },
    ];
    const send = (person: Person) => app.as(person).post('/batch').send({ operations, atomic });
    const first = await send(ann)
      .set('Idempotency-Key', `deleting ${atomic}`)
      .expect(atomic ? 200 : 207);
    const again = await send(ann)
      .set('Idempotency-Key', `deleting ${atomic}`)
      .expect(atomic ? 200 : 207);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(first.body.data[3].body.data).toMatchObject({ deleted: true });
    // What is deleted is not repeated.
    const { id } = first.body.data[1].body.data;
    const repeated = structuredClone(first.body);
    for (const at of [1, 2]) repeated.data[at].body.data = { id };
    expect(again.body).toEqual(repeated);
  });

  it('supports dry runs, with atomic=false too', async () => {
    const before = await titles();
    const tried = await batch([
      { ...create('Tried', garden), id: 'a' },
      { method: 'PATCH', path: '/api/v1/tasks/$a.id' },
    ])
      .query({ dry_run: 'true' })
      .expect(200);
    expect(tried.headers['dry-run']).toBe('true');
    const nothing = { etag: null, location: null };
    expect(tried.body.data.map(({ status, headers }: Record<string, unknown>) => [status, headers])).toEqual([
      [201, nothing],
      [200, nothing],
    ]);
    await batch([create('Tried', garden)], { atomic: false })
      .query({ dry_run: 'true' })
      .expect(207);
    expect(await titles()).toEqual(before);
  });

  it('gives a token no more rights than separate requests', async () => {
    const other = await app.endeavour(ann);
    const within = await tokenOf(app, ann, { scopes: ['tasks:write'], endeavour_id: garden });
    await batch([create('By token', garden), create('By token', garden)], {}, within).expect(200);
    expect(fieldErrorsOf((await batch([create('x', other)], {}, within).expect(400)).body)).toEqual([
      'endeavour_id reference_not_found',
    ]);
    const demand = { method: 'POST', path: '/api/v1/demands', body: { type: 'bug', title: 'x', endeavour_id: garden } };
    const { body } = await batch([create('x', garden), demand], {}, within).expect(403);
    expect(body.error.details).toMatchObject({ reason: 'scope_required', operation: { index: 1 } });
    const each = await batch([demand, create('y', garden)], { atomic: false }, within).expect(207);
    expect(each.body.data.map(({ status }: { status: number }) => status)).toEqual([403, 201]);
  });

  it('rolls back the checks and votes that a separate rejected request would keep', async () => {
    const refusal = async (operation: Operation, status: number, me = ann) => {
      const { body } = await batch([operation], {}, me).expect(status);
      expect(body.error.details.operation).toEqual({ index: 0, id: null });
      return body.error.code;
    };
    const rows = (table: string) => app.database.query(`SELECT 1 FROM ${table}`);
    const riverside = await app.organization(ann);
    const endeavour_id = await app.endeavour(ann, { organization_id: riverside });
    const id = await app.task(ann, endeavour_id);
    const patch = (body: object, more: object = {}): Operation => ({
      method: 'PATCH',
      path: `/api/v1/tasks/${id}`,
      body,
      ...more,
    });
    expect(await refusal(patch({ status: 'done' }), 400)).toBe('invalid_transition');
    expect(await refusal(patch({ title: 'x' }, { if_match: '"9"' }), 412)).toBe('precondition_failed');
    const policy = { name: 'Attested', conditions: [{ type: 'manual_attestation' }], endeavour_id };
    const made = await app.as(ann).post('/dod-policies').send(policy).expect(201);
    const assignment = { policy_id: made.body.data.id };
    await app.as(ann).post(`/endeavours/${endeavour_id}/dod-policy`).send(assignment).expect(200);
    await app.as(ann).patch(`/tasks/${id}`).send({ status: 'active' }).expect(200);
    const checks = await rows('dod_checks');
    expect(await refusal(patch({ status: 'done' }), 409)).toBe('dod_not_met');
    expect(await rows('dod_checks')).toHaveLength(checks.length);

    const [mia, max] = [await app.person('Mia'), await app.person('Max')];
    for (const person of [mia, max]) await app.join(riverside, person, 'member');
    const team = { name: 'Gardeners', type: 'team', organization_id: riverside };
    const teamId = (await app.as(ann).post('/resources').send(team).expect(201)).body.data.id;
    for (const person of [mia, max]) {
      await app.as(ann).post(`/resources/${teamId}/members`).send({ resource_id: person.id }).expect(201);
    }
    await app
      .as(ann)
      .patch(`/resources/${teamId}`)
      .send({ quorum: { cancel: 2 } })
      .expect(200);
    await app.as(ann).patch(`/tasks/${id}`).send({ owner_id: teamId }).expect(200);
    const cancel = patch({ status: 'canceled', canceled_reason: 'Rain' });
    expect(await refusal(cancel, 409, mia)).toBe('quorum_not_met');
    expect(await rows('quorum_votes')).toEqual([]);

    const relation = { relationship_type: 'relates_to', source_entity_type: 'task', source_entity_id: id };
    const relate = { ...relation, target_entity_type: 'endeavour', target_entity_id: endeavour_id };
    await app.as(ann).post('/relations').send(relate).expect(201);
    expect(await refusal({ method: 'POST', path: '/api/v1/relations', body: relate }, 409)).toBe('conflict');
    const found = { method: 'POST', path: '/api/v1/organizations', body: { name: 'More' } };
    const organizations = Array.from({ length: 20 }, (): Operation => ({ ...found }));
    const limited = await app.person('Lim', { tier: 1 });
    expect((await batch(organizations, {}, limited).expect(403)).body.error.code).toBe('tier_limit');
  });

  it('cannot exceed the body size limit by references', async () => {
    const long = { ...create('Long', garden, { description: 'x'.repeat(50_000) }), id: 'a' };
    const much = create('Much', garden, { metadata: { all: Array<string>(100).fill('$a.description') } });
    await batch([long, much]).expect(413);
  });

  it('succeeds in spite of a deadlock', async () => {
    const [a, b] = [await app.task(ann, garden, { title: 'A' }), await app.task(ann, garden, { title: 'B' })];
    const rename = (id: string): Operation => ({ method: 'PATCH', path: `/api/v1/tasks/${id}`, body: { title: 'C' } });
    const outside = await app.openConnection();
    try {
      await outside.query('BEGIN');
      await outside.query('UPDATE tasks SET title = title WHERE id = $1', [b]);
      const both = batch([rename(a), rename(b)]).then((response) => response);
      await app.untilLockWaits(1);
      // PostgreSQL ends either the batch, which is retried once the rows are free, or this transaction.
      await outside.query('UPDATE tasks SET title = title WHERE id = $1', [a]).catch(() => undefined);
      await outside.query('ROLLBACK');
      expect((await both).status).toBe(200);
    } finally {
      await outside.end();
    }
  });
});

describe('the limits of a batch', () => {
  let app: TestApp;
  let ann: Person;
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open({ LIMIT_WRITES_PER_MINUTE: '20' });
    ann = await app.person();
    garden = await app.endeavour(ann);
  });

  afterAll(() => app.close());

  it('count each request, and roll back a batch that takes more than BATCH_SECONDS', async () => {
    const hasty = await TestApp.open({ LIMIT_WRITES_PER_MINUTE: '20', BATCH_SECONDS: '1' }, app);
    const batch = (service: TestApp, ...titles: string[]) =>
      service
        .as(ann)
        .post('/batch')
        .send({ operations: titles.map((title) => create(title, garden)) });
    await app.database.query(
      `CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN IF NEW.title = 'Slow' THEN PERFORM pg_sleep(2); END IF; RETURN NEW; END $$;
       CREATE TRIGGER dawdle BEFORE INSERT ON tasks FOR EACH ROW EXECUTE FUNCTION dawdle()`,
    );
    const slow = await batch(hasty, 'Slow', 'Slow', 'Slow').expect(503);
    expect(slow.body.error).toMatchObject({ code: 'unavailable', details: { operation: { id: null } } });
    await hasty.close();
    const { body } = await batch(app, ...Array<string>(30).fill('x')).expect(429);
    expect(body.error.details.operation.index).toBeGreaterThan(10);
    expect(await app.database.query('SELECT 1 FROM tasks')).toEqual([]);
  });
});
