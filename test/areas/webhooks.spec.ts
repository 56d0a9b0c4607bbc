import { TestApp, type Person } from '../support/test-app.js';
import { tokenOf } from '../support/tokens.js';

const URL = 'https://hooks.example.com/worksmith';

let app: TestApp;
let owner: Person;

beforeAll(async () => {
  app = await TestApp.open();
});
afterAll(() => app.close());
beforeEach(async () => {
  owner = await app.person('Ann');
});

const create = async (body: object, by = owner): Promise<Record<string, unknown>> =>
  (
    await app
      .as(by)
      .post('/webhooks')
      .send({ url: URL, ...body })
      .expect(201)
  ).body.data;

const faultsOf = (body: { error: { details: { fields: { field: string; code: string }[] } } }): string[] =>
  body.error.details.fields.map(({ field, code }) => `${field} ${code}`);

describe('webhooks', () => {
  it('are created with what was sent, and a secret that is shown only once', async () => {
    const endeavour = await app.endeavour(owner);
    const body = { endeavour_id: endeavour, events: ['task.*', '*.deleted'], description: 'Chat' };
    const { secret, ...made } = await create(body);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(made).toMatchObject({
      url: URL,
      organization_id: null,
      endeavour_id: endeavour,
      events: ['task.*', '*.deleted'],
      description: 'Chat',
      is_enabled: true,
      disabled_reason: null,
      owner_id: owner.resourceId,
      owner_name: 'Ann',
      secret_rotated_at: null,
      failing_since: null,
      last_success_at: null,
      revision: 1,
    });
    const { body: read } = await app
      .as(owner)
      .get(`/webhooks/${String(made.id)}`)
      .expect(200);
    expect(read.data).toEqual(made);
  });

  it('send all events if no patterns are given', async () => {
    const endeavour_id = await app.endeavour(owner);
    for (const more of [{}, { events: [] }, { events: null }]) {
      expect(await create({ endeavour_id, ...more })).toMatchObject({ events: ['*'] });
    }
  });

  it('require one container, a target and valid patterns, and return all errors at once', async () => {
    const [organization_id, endeavour_id] = [await app.organization(owner), await app.endeavour(owner)];
    const bodies: [object, string[]][] = [
      [{}, ['url required']],
      [{ url: URL }, ['organization_id required']],
      [{ url: URL, organization_id, endeavour_id }, ['endeavour_id invalid_value']],
      [
        { url: 'http://hooks.example.com', endeavour_id, events: ['task.*', 'task', 'Task.x', '*.*'] },
        ['events.1 invalid_format', 'events.2 invalid_format', 'url invalid_value'],
      ],
      [
        { url: 'https://me:pass@hooks.example.com', endeavour_id, events: ['*', '*'] },
        ['events.1 invalid_value', 'url invalid_format'],
      ],
      [{ url: URL, endeavour_id, events: Array.from({ length: 51 }, (_, at) => `task.a${at}`) }, ['events too_long']],
    ];
    for (const [sent, faults] of bodies) {
      const { body } = await app.as(owner).post('/webhooks').send(sent).expect(400);
      expect(faultsOf(body).sort()).toEqual(faults);
    }
  });

  it('reject mistyped events, which would never be sent, and name the existing types', async () => {
    const endeavour_id = await app.endeavour(owner);
    const mistyped = ['tasks.created', 'task.create', 'task.complete', '*.created_at', 'message.*', 'redacted.*'];
    const { body } = await app
      .as(owner)
      .post('/webhooks')
      .send({ url: URL, endeavour_id, events: mistyped })
      .expect(400);
    expect(faultsOf(body)).toEqual(mistyped.map((_, at) => `events.${at} invalid_value`));
    expect(body.error.details.fields[0].allowed).toContain('task.created');
    const known = ['task.*', '*.deleted', '*.*', 'redacted', 'dod.checked', 'ritual_run.status_changed', 'member.*'];
    const webhook = await create({ endeavour_id, events: known });
    const changed = { events: ['demand.done'] };
    const refused = await app
      .as(owner)
      .patch(`/webhooks/${String(webhook.id)}`)
      .send(changed)
      .expect(400);
    expect(faultsOf(refused.body)).toEqual(['events.0 invalid_value']);
  });

  it('are limited to 20 per container, even with concurrent requests', async () => {
    const endeavour_id = await app.endeavour(owner);
    for (let count = 0; count < 18; count += 1) await create({ endeavour_id });
    const responses = await Promise.all(
      Array.from({ length: 4 }, () => app.as(owner).post('/webhooks').send({ url: URL, endeavour_id })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409]);
    const refused = responses.find(({ status }) => status === 409);
    expect(refused?.body.error).toMatchObject({ code: 'conflict', details: { reason: 'too_many_webhooks' } });
    const { body } = await app.as(owner).get(`/webhooks?endeavour_id=${endeavour_id}&limit=1`).expect(200);
    await app.as(owner).delete(`/webhooks/${body.data[0].id}`).expect(200);
    await create({ endeavour_id });
  });

  it('are changed by a merge patch, which makes its sender their owner', async () => {
    const endeavour_id = await app.endeavour(owner);
    const admin = await app.person('Ben');
    await app.join(endeavour_id, admin, 'admin');
    const { id } = await create({ endeavour_id, events: ['task.*'], description: 'Chat' });
    const path = `/webhooks/${String(id)}`;
    const { body: same } = await app.as(admin).patch(path).send({ description: 'Chat' }).expect(200);
    expect(same.data).toMatchObject({ owner_id: owner.resourceId, revision: 1 });
    const changes = { url: 'https://other.example.com/', events: null, description: null, is_enabled: false };
    const { body } = await app.as(admin).patch(path).send(changes).expect(200);
    const now = { ...changes, events: ['*'], owner_id: admin.resourceId, disabled_reason: null, revision: 2 };
    expect(body.data).toMatchObject(now);
    expect(body.data).not.toHaveProperty('secret');
    const { body: refused } = await app
      .as(admin)
      .patch(path)
      .send({ endeavour_id, url: null, events: ['x'] });
    expect(faultsOf(refused).sort()).toEqual(['endeavour_id read_only', 'url not_nullable']);
    const { body: pattern } = await app
      .as(admin)
      .patch(path)
      .send({ events: ['x'] })
      .expect(400);
    expect(faultsOf(pattern)).toEqual(['events.0 invalid_format']);
  });

  it('are listed to admins, by container and by whether they are enabled', async () => {
    const organization_id = await app.organization(owner);
    const endeavour_id = await app.endeavour(owner, { organization_id });
    const [ofOrganization, ofEndeavour] = [await create({ organization_id }), await create({ endeavour_id })];
    await app
      .as(owner)
      .patch(`/webhooks/${String(ofEndeavour.id)}`)
      .send({ is_enabled: false })
      .expect(200);
    const listed = async (person: Person, query = ''): Promise<string[]> =>
      (await app.as(person).get(`/webhooks${query}`).expect(200)).body.data.map(({ id }: { id: string }) => id);
    expect(await listed(owner)).toEqual([ofEndeavour.id, ofOrganization.id]);
    expect(await listed(owner, `?organization_id=${organization_id}`)).toEqual([ofOrganization.id]);
    expect(await listed(owner, `?endeavour_id=${endeavour_id}`)).toEqual([ofEndeavour.id]);
    expect(await listed(owner, '?is_enabled=true')).toEqual([ofOrganization.id]);
    const [member, admin] = [await app.person('Mia'), await app.person('Ben')];
    await app.join(organization_id, member, 'member');
    await app.join(endeavour_id, admin, 'admin');
    expect(await listed(member)).toEqual([]);
    expect(await listed(admin)).toEqual([ofEndeavour.id]);
    expect(await listed(await tokenOf(app, owner, { scopes: ['*:read'], endeavour_id }))).toEqual([ofEndeavour.id]);
  });

  it('require a session to be created and to change their URL or secret', async () => {
    const endeavour_id = await app.endeavour(owner);
    const { id } = await create({ endeavour_id });
    const robot = await tokenOf(app, owner);
    const asked = [
      app.as(robot).post('/webhooks').send({ url: URL, endeavour_id }),
      app
        .as(robot)
        .patch(`/webhooks/${String(id)}`)
        .send({ url: URL }),
      app.as(robot).post(`/webhooks/${String(id)}/rotate-secret`),
    ];
    for (const test of asked) {
      expect((await test.expect(403)).body.error.details).toMatchObject({ reason: 'session_required' });
    }
    await app
      .as(robot)
      .delete(`/webhooks/${String(id)}`)
      .expect(200);
  });

  it('do not return their secret again for the same idempotency key', async () => {
    const endeavour_id = await app.endeavour(owner);
    const send = () =>
      app.as(owner).post('/webhooks').set('Idempotency-Key', `once-${endeavour_id}`).send({ url: URL, endeavour_id });
    const [first, again] = [await send().expect(201), await send().expect(201)];
    expect(again.body.data).toEqual({ ...first.body.data, secret: null });
  });

  it('get a new secret by rotation', async () => {
    const { id, secret } = await create({ endeavour_id: await app.endeavour(owner) });
    const { body } = await app
      .as(owner)
      .post(`/webhooks/${String(id)}/rotate-secret`)
      .expect(200);
    expect(body.data.secret).toMatch(/^whsec_/);
    expect(body.data.secret).not.toBe(secret);
    expect(body.data.secret_rotated_at).not.toBeNull();
  });

  it('return 404, with all their deliveries, after they are deleted', async () => {
    const { id } = await create({ endeavour_id: await app.endeavour(owner) });
    const path = `/webhooks/${String(id)}`;
    const { body: test } = await app.as(owner).post(`${path}/test`).expect(201);
    const { body } = await app.as(owner).delete(path).expect(200);
    expect(body.data).toEqual({ id, deleted: true });
    for (const gone of [path, `${path}/deliveries`, `${path}/deliveries/${test.data.id}`]) {
      await app.as(owner).get(gone).expect(404);
    }
    expect((await app.as(owner).get('/webhooks').expect(200)).body.data).toEqual([]);
  });

  it('show their events to admins only', async () => {
    const endeavour_id = await app.endeavour(owner);
    const member = await app.person('Mia');
    await app.join(endeavour_id, member, 'member');
    const { id } = await create({ endeavour_id });
    const path = `/webhooks/${String(id)}`;
    await app.as(owner).patch(path).send({ description: 'Chat' }).expect(200);
    await app.as(owner).post(`${path}/rotate-secret`).expect(200);
    await app.as(owner).delete(path).expect(200);
    const typesFor = async (person: Person): Promise<string[]> =>
      (await app.as(person).get('/changes?entity_type=webhook').expect(200)).body.data.map(
        ({ type }: { type: string }) => type,
      );
    const types = ['webhook.created', 'webhook.updated', 'webhook.secret_rotated', 'webhook.deleted'];
    expect(await typesFor(owner)).toEqual(types);
    expect(await typesFor(member)).toEqual([]);
  });

  it('show a delivery only under the webhook that it belongs to', async () => {
    const endeavour_id = await app.endeavour(owner);
    const [one, other] = [await create({ endeavour_id }), await create({ endeavour_id })];
    const { body } = await app
      .as(owner)
      .post(`/webhooks/${String(one.id)}/test`)
      .expect(201);
    const { id } = body.data;
    expect(
      (
        await app
          .as(owner)
          .get(`/webhooks/${String(one.id)}/deliveries/${id}`)
          .expect(200)
      ).body,
    ).toEqual(body);
    await app
      .as(owner)
      .get(`/webhooks/${String(other.id)}/deliveries/${id}`)
      .expect(404);
    await app
      .as(owner)
      .post(`/webhooks/${String(other.id)}/deliveries/${id}/redeliver`)
      .expect(404);
    const { body: mine } = await app
      .as(owner)
      .get(`/webhooks/${String(one.id)}/deliveries`)
      .expect(200);
    // The other one is the test that the receiver must accept before it gets events.
    expect(mine.data.map((delivery: { id: string }) => delivery.id)).toEqual([id, expect.any(String)]);
    const { body: none } = await app
      .as(owner)
      .get(`/webhooks/${String(other.id)}/deliveries`)
      .expect(200);
    expect(none.data).toMatchObject([{ type: 'webhook.test', webhook_id: other.id }]);
  });

  it('are disabled when the account of their owner is suspended', async () => {
    const endeavour_id = await app.endeavour(owner);
    const admin = await app.person('Ben');
    await app.join(endeavour_id, admin, 'owner');
    const { id } = await create({ endeavour_id }, admin);
    await app.database.query(`UPDATE users SET status = 'suspended' WHERE id = $1`, [admin.id]);
    await app.service.runJobs();
    const { body } = await app
      .as(owner)
      .get(`/webhooks/${String(id)}`)
      .expect(200);
    expect(body.data).toMatchObject({ is_enabled: false, disabled_reason: 'owner_left' });
  });
});
