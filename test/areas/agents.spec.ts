import { canaryReads } from '../support/canaries.js';
import { TestApp, type Person } from '../support/test-app.js';

const GENEROUS = { LIMIT_WRITES_PER_MINUTE: '100000' };

let app: TestApp;
let ann: Person;
let organization: string;
let garden: string;

beforeAll(async () => {
  app = await TestApp.open(GENEROUS);
});
afterAll(() => app.close());
beforeEach(async () => {
  ann = await app.person('Ann');
  organization = await app.organization(ann);
  garden = await app.endeavour(ann, { organization_id: organization });
});

interface Agent extends Person {
  tokenId: string;
}

/** Creates an agent that the person manages in the organization, with a token for all scopes. */
async function agentOf(manager: Person, name = 'Triage'): Promise<Agent> {
  const { body } = await app.as(manager).post('/agents').send({ name, organization_id: organization }).expect(201);
  const { id, resource_id: resourceId } = body.data;
  const made = await app
    .as(manager)
    .post(`/agents/${id}/tokens`)
    .send({ name: 'Main', scopes: ['*'] })
    .expect(201);
  return { id, resourceId, name, email: '', token: made.body.data.token, tokenId: made.body.data.id };
}

const reasonOf = ({ body }: { body: { error: { details: { reason?: string } } } }) => body.error.details.reason;

describe('an agent', () => {
  it('is created by an admin, who manages it, without an email address or password', async () => {
    const sent = { name: 'Triage', organization_id: organization, lang: 'de', metadata: { model: 'x' } };
    const { body } = await app.as(ann).post('/agents').send(sent).expect(201);
    expect(body.data).toMatchObject({ ...sent, status: 'active', manager_id: ann.id, manager_name: 'Ann' });
    const { body: list } = await app.as(ann).get('/agents').expect(200);
    expect(list.data).toEqual([body.data]);
    const ada = await app.admin();
    const { body: user } = await app.as(ada).get(`/users/${body.data.id}`).expect(200);
    expect(user.data).toMatchObject({ email: null, user_type: 'agent', is_admin: false });
    const { body: member } = await app.as(ann).get(`/organizations/${organization}/members`).expect(200);
    expect(JSON.stringify(member.data)).toContain(body.data.id);
    expect(JSON.stringify(member.data)).not.toContain('agent.invalid');
  });

  it('has tokens whose events are visible to its current manager only', async () => {
    const ben = await app.person('Ben');
    await app.join(organization, ben, 'owner');
    const agent = await agentOf(ann);
    const eventTypesFor = async (person: Person): Promise<string[]> => {
      const { body } = await app.as(person).get(`/changes?entity_id=${agent.tokenId}`).expect(200);
      return body.data.map(({ type }: { type: string }) => type);
    };
    expect([await eventTypesFor(ann), await eventTypesFor(ben), await eventTypesFor(agent)]).toEqual([
      ['access_token.created'],
      [],
      [],
    ]);
    await app.as(ann).delete(`/organizations/${organization}/members/${ann.id}`).expect(200);
    expect([await eventTypesFor(ann), await eventTypesFor(ben)]).toEqual([
      [],
      ['access_token.created', 'access_token.deleted'],
    ]);
  });

  it('is shown as acting for its manager', async () => {
    const agent = await agentOf(ann);
    const task = await app.task(agent, garden);
    const { body } = await app.as(ann).get(`/tasks/${task}`).expect(200);
    expect(body.data.creator_name).toBe('Triage, for Ann');
    await app.as(ann).patch('/auth/profile').send({ name: 'Anna' }).expect(200);
    await app.as(ann).patch(`/agents/${agent.id}`).send({ name: 'Sorter' }).expect(200);
    const { body: renamed } = await app.as(ann).get(`/tasks/${task}`).expect(200);
    expect(renamed.data.creator_name).toBe('Sorter, for Anna');
    const refused = await app.as(agent).patch(`/resources/${agent.resourceId}`).send({ name: 'Boss' }).expect(409);
    expect(reasonOf(refused)).toBe('managed_agent');
    const { body: whoami } = await app.as(agent).get('/auth/whoami').expect(200);
    expect(whoami.data).toMatchObject({ user_id: agent.id, email: null, user_type: 'agent' });
  });

  it('never has more rights than its manager has at that moment', async () => {
    const agent = await agentOf(ann);
    const cellar = await app.endeavour(ann, { name: 'Cellar' });
    await app.as(ann).post(`/endeavours/${cellar}/members`).send({ user_id: agent.id, role: 'admin' }).expect(201);
    await app.as(agent).patch(`/endeavours/${cellar}`).send({ description: 'Dry' }).expect(200);
    const ben = await app.person('Ben');
    await app.join(cellar, ben, 'owner');
    await app.as(ben).patch(`/endeavours/${cellar}/members/${ann.id}`).send({ role: 'viewer' }).expect(200);
    await app.as(agent).get(`/endeavours/${cellar}`).expect(200);
    await app.as(agent).patch(`/endeavours/${cellar}`).send({ description: 'Damp' }).expect(403);
    const { body } = await app.as(agent).get('/auth/whoami').expect(200);
    expect(body.data.endeavours[cellar]).toBe('viewer');
    await app.as(ben).delete(`/endeavours/${cellar}/members/${ann.id}`).expect(200);
    await app.as(agent).get(`/endeavours/${cellar}`).expect(404);
    expect((await app.as(agent).get('/endeavours').expect(200)).body.data.map(({ id }: { id: string }) => id)).toEqual([
      garden,
    ]);
  });

  it('is rejected while it is paused or its manager is inactive', async () => {
    const [agent, ada] = [await agentOf(ann), await app.admin()];
    await app.as(ann).patch(`/agents/${agent.id}`).send({ status: 'paused' }).expect(200);
    await app.as(agent).get('/auth/whoami').expect(401);
    await app.as(ann).patch(`/agents/${agent.id}`).send({ status: 'active' }).expect(200);
    await app.as(agent).get('/auth/whoami').expect(200);
    await app.as(ada).patch(`/users/${ann.id}`).send({ status: 'inactive' }).expect(200);
    await app.as(agent).get('/auth/whoami').expect(401);
  });

  it.each([
    [
      'suspends',
      'suspended',
      (ada: Person, id: string) => app.as(ada).patch(`/users/${id}`).send({ status: 'suspended' }),
    ],
    ['closes', 'inactive', (ada: Person, id: string) => app.as(ada).delete(`/users/${id}`)],
  ])('that an administrator %s is resumed only by an administrator', async (_, status, step) => {
    const [{ id }, ada] = [await agentOf(ann), await app.admin()];
    await step(ada, id).expect(200);
    const stateOf = () => app.database.one('SELECT status, erasure_at, closed_by FROM users WHERE id = $1', [id]);
    const before = await stateOf();
    expect(before).toMatchObject({ status });
    const change = (by: Person, body: object) => app.as(by).patch(`/agents/${id}`).send(body);
    expect(reasonOf(await change(ann, { status: 'active' }).expect(409))).toBe('suspended');
    const { body } = await change(ann, { name: 'Sorter', status: 'paused' }).expect(200);
    expect(body.data).toMatchObject({ name: 'Sorter', status: 'paused' });
    expect(await stateOf()).toEqual(before);
    await change(ada, { status: 'active' }).expect(200);
    expect(await stateOf()).toEqual({ status: 'active', erasure_at: null, closed_by: null });
  });

  it.each([
    ['leaves', (_owner: Person, mia: Person) => app.as(mia).delete(`/organizations/${organization}/members/${mia.id}`)],
    [
      'is demoted',
      (owner: Person, mia: Person) =>
        app.as(owner).patch(`/organizations/${organization}/members/${mia.id}`).send({ role: 'member' }),
    ],
  ])('gets another manager when its manager %s, and loses its tokens and its inbox', async (_, step) => {
    const [mia, late] = [await app.person('Mia'), await app.person('Late')];
    await app.join(organization, mia, 'admin');
    await app.join(organization, late, 'owner');
    const agent = await agentOf(mia);
    const again = await app
      .as(ann)
      .post(`/agents/${agent.id}/tokens`)
      .send({ name: 'Other', scopes: ['*'] })
      .expect(201);
    const other = { ...agent, token: again.body.data.token };
    await app
      .as(mia)
      .post('/messages')
      .send({ recipient_ids: [agent.id], content: 'Zebra, a secret' })
      .expect(201);
    const sent = await app
      .as(agent)
      .post('/messages')
      .send({ recipient_ids: [mia.id], content: 'Zebra, an answer' })
      .expect(201);
    expect((await canaryReads(app, agent, 'Zebra')).length).toBeGreaterThan(2);
    await step(ann, mia).expect(200);
    for (const holder of [agent, other]) await app.as(holder).get('/auth/whoami').expect(401);
    const ended = `SELECT x.deleted_at FROM access_tokens t JOIN entities x USING (id) WHERE t.user_id = $1 AND t.ended_at IS NOT NULL`;
    const isDeleted = { deleted_at: expect.any(Date) };
    expect(await app.database.query(ended, [agent.id])).toEqual([isDeleted, isDeleted]);
    const [end] = await app.database.query<{ changed: string[]; data: object }>(
      `SELECT changed, data FROM events WHERE entity_id = $1 AND type = 'access_token.deleted'`,
      [agent.tokenId],
    );
    const [made] = await app.database.query<{ data: object }>(
      `SELECT data FROM events WHERE entity_id = $1 AND type = 'access_token.created'`,
      [agent.tokenId],
    );
    expect(end.changed).toEqual(['ended_at']);
    expect(end.data).toEqual({ ...made.data, revision: 2, updated_at: expect.stringMatching(/^\d{4}-.*Z$/) });
    expect(await app.count(`access_token_secrets WHERE token_id = '${agent.tokenId}'`)).toBe(0);
    const audit = await app.as(ann).get(`/audit?entity_id=${agent.tokenId}&action=access_token.deleted`).expect(200);
    expect(audit.body.data).toEqual([
      expect.objectContaining({ user_id: agent.id, actor_id: null, organization_id: organization }),
    ]);
    const { body } = await app.as(ann).get('/agents').expect(200);
    expect(body.data).toMatchObject([{ id: agent.id, manager_id: ann.id }]);
    const events = await app.database.query(
      `SELECT changed, previous, data->'revision' AS revision FROM events WHERE entity_id = $1 AND type = 'user.updated'`,
      [agent.id],
    );
    expect(events).toEqual([
      { changed: ['manager_id'], previous: { manager_id: mia.id }, revision: body.data[0].revision },
    ]);
    const fresh = await app
      .as(ann)
      .post(`/agents/${agent.id}/tokens`)
      .send({ name: 'Fresh', scopes: ['*'] })
      .expect(201);
    const successor = { ...agent, token: fresh.body.data.token };
    expect(await canaryReads(app, successor, 'Zebra')).toEqual([]);
    for (const path of ['', '/thread', '/changes']) {
      await app.as(successor).get(`/messages/${sent.body.data.id}${path}`).expect(404);
    }
    expect((await app.as(successor).get('/messages?box=sent').expect(200)).body.data).toEqual([]);
    expect((await app.as(mia).get(`/messages/${sent.body.data.id}`).expect(200)).body.data.sender_name).toContain(
      'Triage',
    );
    const task = await app.task(successor, garden);
    expect((await app.as(ann).get(`/tasks/${task}`).expect(200)).body.data.creator_name).toBe('Triage, for Ann');
    await app.as(mia).patch(`/agents/${agent.id}`).send({ name: 'Mine' }).expect(404);
  });

  it('gets another manager when its manager is no longer an administrator of the service', async () => {
    const [ada, other] = [await app.admin(), await app.admin()];
    const agent = await agentOf(ada);
    await app.as(ada).get(`/organizations/${organization}`).expect(200);
    await app.as(other).patch(`/users/${ada.id}`).send({ is_admin: false }).expect(200);
    await app.as(agent).get('/auth/whoami').expect(401);
    expect((await app.as(ann).get('/agents').expect(200)).body.data).toMatchObject([
      { id: agent.id, manager_id: ann.id },
    ]);
  });

  it('has at most 50 tokens', async () => {
    const agent = await agentOf(ann);
    await app.database.query(
      `WITH x AS (INSERT INTO entities (id, kind, title, owner_user_id)
         SELECT 'tok_a' || lpad(n::text, 31, '0'), 'access_token', 'Access token', $1 FROM generate_series(1, 49) n
         RETURNING id)
       INSERT INTO access_tokens (id, user_id, made_by, name, scopes, expires_at)
       SELECT id, $1, $2, 'Robot', '{*}', now() + interval '1 day' FROM x`,
      [agent.id, ann.id],
    );
    const body = { name: 'Fifty-first', scopes: ['*'] };
    const refused = await app.as(ann).post(`/agents/${agent.id}/tokens`).send(body).expect(409);
    expect(reasonOf(refused)).toBe('too_many_tokens');
  });

  it('can be changed by its manager and the admins of its organization only', async () => {
    const [mia, ben] = [await app.person('Mia'), await app.person('Ben')];
    await app.join(organization, mia, 'admin');
    await app.join(organization, ben, 'member');
    const agent = await agentOf(ann);
    for (const [person, status] of [
      [mia, 200],
      [ben, 404],
    ] as const) {
      await app
        .as(person)
        .patch(`/agents/${agent.id}`)
        .send({ name: `By ${person.name}` })
        .expect(status);
    }
    await app
      .as(ben)
      .post(`/agents/${agent.id}/tokens`)
      .send({ name: 'Mine', scopes: ['*'] })
      .expect(404);
    await app.as(ben).delete(`/agents/${agent.id}`).expect(404);
    expect((await app.as(ben).get('/agents').expect(200)).body.data).toEqual([]);
    await app.as(ben).post('/agents').send({ name: 'Own', organization_id: organization }).expect(403);
    const { body } = await app.as(ann).get(`/auth/tokens?user_id=${agent.id}`).expect(200);
    expect(body.data).toMatchObject([{ id: agent.tokenId, user_id: agent.id }]);
    await app.as(ann).delete(`/auth/tokens/${agent.tokenId}`).expect(200);
    await app.as(agent).get('/auth/whoami').expect(401);
  });

  it('loses its tokens when it is deleted, and keeps its name on its work', async () => {
    const agent = await agentOf(ann);
    const task = await app.task(agent, garden);
    await app.as(ann).patch(`/agents/${agent.id}`).set('If-Match', '"999"').send({ name: 'Late' }).expect(412);
    await app.as(ann).delete(`/agents/${agent.id}`).set('If-Match', '"999"').expect(412);
    await app.as(ann).delete(`/agents/${agent.id}`).expect(200);
    await app.as(agent).get('/auth/whoami').expect(401);
    expect((await app.as(ann).get(`/tasks/${task}`).expect(200)).body.data.creator_name).toBe('Triage, for Ann');
    expect((await app.as(ann).get('/agents').expect(200)).body.data).toEqual([]);
    await app.as(ann).patch(`/agents/${agent.id}`).send({ status: 'active' }).expect(404);
  });

  it('loses all its roles when it is deleted, and cannot get new ones', async () => {
    const [agent, ada, elsewhere] = [await agentOf(ann), await app.admin(), await app.organization(ann)];
    const own = await app.endeavour(ann);
    await app.as(ann).post(`/organizations/${elsewhere}/members`).send({ user_id: agent.id }).expect(201);
    const join = (by: Person, endeavour: string) =>
      app.as(by).post(`/endeavours/${endeavour}/members`).send({ user_id: agent.id, role: 'admin' });
    for (const endeavour of [garden, own]) await join(ann, endeavour).expect(201);
    await app.as(ann).delete(`/agents/${agent.id}`).expect(200);
    for (const container of [garden, own, organization, elsewhere]) {
      const area = container.startsWith('edv_') ? 'endeavours' : 'organizations';
      const { body: members } = await app.as(ann).get(`/${area}/${container}/members`).expect(200);
      expect(members.data.map(({ user_id }: { user_id: string }) => user_id)).toEqual([ann.id]);
      const removed = await app.database.query(
        `SELECT actor_id, data ->> 'user_id' AS user_id FROM events WHERE entity_id = $1 AND type = 'member.removed'`,
        [container],
      );
      expect(removed).toEqual([{ actor_id: ann.resourceId, user_id: agent.id }]);
    }
    for (const by of [ann, ada]) {
      await join(by, garden).expect(400);
      await app.as(by).post(`/organizations/${organization}/members`).send({ user_id: agent.id }).expect(400);
    }
  });

  it('cannot become an administrator or get an e-mail address', async () => {
    const [agent, ada] = [await agentOf(ann), await app.admin()];
    for (const body of [
      { is_admin: true },
      { email: 'bot@example.test' },
      { user_type: 'human' },
      { email_copy: true },
    ]) {
      const refused = await app.as(ada).patch(`/users/${agent.id}`).send(body).expect(409);
      expect(reasonOf(refused)).toBe('managed_agent');
    }
  });

  it('counts toward the tier limit, and cannot be created in an archived organization', async () => {
    await app.database.query('UPDATE tiers SET max_agents_per_org = 1 WHERE id = 2');
    const bea = await app.person('Bea', { tier: 2 });
    const small = await app.organization(bea);
    const create = () => app.as(bea).post('/agents').send({ name: 'One', organization_id: small });
    await create().expect(201);
    expect((await create().expect(403)).body.error.code).toBe('tier_limit');
    await app.as(bea).post(`/organizations/${small}/archive`).send({ reason: 'Over' }).expect(200);
    await create().expect(409);
  });

  it('counts as the same person as its manager in reviews', async () => {
    const policy = {
      name: 'Reviewed',
      organization_id: organization,
      conditions: [{ type: 'peer_review', params: { min_reviewers: 2 } }],
    };
    const { body: made } = await app.as(ann).post('/dod-policies').send(policy).expect(201);
    await app.as(ann).post(`/endeavours/${garden}/dod-policy`).send({ policy_id: made.data.id }).expect(200);
    const [mia, noa] = [await app.person('Mia'), await app.person('Noa')];
    await app.join(organization, mia, 'admin');
    await app.join(organization, noa, 'member');
    const agent = await agentOf(mia);
    const task = await app.task(ann, garden);
    const approve = (person: Person) =>
      app.as(person).post('/approvals').send({ entity_type: 'task', entity_id: task, verdict: 'approved' }).expect(201);
    const met = async (): Promise<string> =>
      (await app.as(ann).post(`/tasks/${task}/dod-check`).expect(200)).body.data.result;
    await approve(agent);
    await approve(mia);
    expect(await met()).toBe('not_met');
    await approve(noa);
    expect(await met()).toBe('met');

    const own = await app.task(agent, garden);
    const onOwn = { entity_type: 'task', entity_id: own, verdict: 'approved' };
    for (const person of [mia, noa]) await app.as(person).post('/approvals').send(onOwn).expect(201);
    expect((await app.as(ann).post(`/tasks/${own}/dod-check`).expect(200)).body.data.result).toBe('not_met');
  });

  it('counts as a reviewer only while its manager may review', async () => {
    const policy = { name: 'Reviewed', organization_id: organization, conditions: [{ type: 'peer_review' }] };
    const { body: made } = await app.as(ann).post('/dod-policies').send(policy).expect(201);
    await app.as(ann).post(`/endeavours/${garden}/dod-policy`).send({ policy_id: made.data.id }).expect(200);
    const mia = await app.person('Mia');
    await app.join(garden, mia, 'member');
    const { body } = await app
      .as(mia)
      .post('/agents')
      .send({ name: 'Reviewer', organization_id: await app.organization(mia) })
      .expect(201);
    const tokens = app
      .as(mia)
      .post(`/agents/${body.data.id}/tokens`)
      .send({ name: 'Main', scopes: ['*'] });
    const { token } = (await tokens.expect(201)).body.data;
    const agent = { id: body.data.id, resourceId: body.data.resource_id, name: 'Reviewer', email: '', token };
    await app.join(garden, agent, 'member');
    const task = await app.task(ann, garden);
    await app
      .as(agent)
      .post('/approvals')
      .send({ entity_type: 'task', entity_id: task, verdict: 'approved' })
      .expect(201);
    const met = async (): Promise<string> =>
      (await app.as(ann).post(`/tasks/${task}/dod-check`).expect(200)).body.data.result;
    expect(await met()).toBe('met');
    const set = (status: string) => app.database.query('UPDATE users SET status = $2 WHERE id = $1', [mia.id, status]);
    await set('suspended');
    expect(await met()).toBe('not_met');
    await set('active');
    expect(await met()).toBe('met');
    await app.as(ann).patch(`/endeavours/${garden}/members/${mia.id}`).send({ role: 'viewer' }).expect(200);
    expect(await met()).toBe('not_met');
  });

  describe('with a former manager', () => {
    let mia: Person;
    let noa: Person;
    let agent: Agent;

    beforeEach(async () => {
      [mia, noa] = [await app.person('Mia'), await app.person('Noa')];
      await app.join(organization, mia, 'admin');
      await app.join(organization, noa, 'member');
      agent = await agentOf(mia);
    });

    /** Demotes Mia, so that Ann becomes the manager of the agent. */
    const demote = () =>
      app.as(ann).patch(`/organizations/${organization}/members/${mia.id}`).send({ role: 'member' }).expect(200);
    const require = async (min_reviewers: number) => {
      const conditions = [{ type: 'peer_review', params: { min_reviewers } }];
      const policy = { name: 'Reviewed', organization_id: organization, conditions };
      const { body } = await app.as(ann).post('/dod-policies').send(policy).expect(201);
      await app.as(ann).post(`/endeavours/${garden}/dod-policy`).send({ policy_id: body.data.id }).expect(200);
    };
    const approve = (person: Person, task: string) =>
      app.as(person).post('/approvals').send({ entity_type: 'task', entity_id: task, verdict: 'approved' }).expect(201);
    const resultOf = async (task: string): Promise<string> =>
      (await app.as(ann).post(`/tasks/${task}/dod-check`).expect(200)).body.data.result;

    it('counts as the same person as its manager and their other agents, and as the former manager for its earlier work', async () => {
      await require(1);
      const task = await app.task(agent, garden);
      const other = await agentOf(ann, 'Other');
      await demote();
      for (const person of [mia, ann, other]) {
        await approve(person, task);
        expect(await resultOf(task)).toBe('not_met');
      }
      await approve(noa, task);
      expect(await resultOf(task)).toBe('met');
    });

    it('counts as one reviewer with the former manager', async () => {
      await require(2);
      const task = await app.task(noa, garden);
      await approve(agent, task);
      await demote();
      await approve(mia, task);
      expect(await resultOf(task)).toBe('not_met');
      const stranger = await app.person('Pat');
      await app.join(organization, stranger, 'member');
      await approve(stranger, task);
      expect(await resultOf(task)).toBe('met');
    });

    it('gives no second vote to a former manager, and its new manager can vote by it', async () => {
      const sent = { name: 'Crew', type: 'team', organization_id: organization };
      const { body } = await app.as(ann).post('/resources').send(sent).expect(201);
      const team = body.data.id;
      for (const { resourceId } of [mia, agent, noa]) {
        await app.as(ann).post(`/resources/${team}/members`).send({ resource_id: resourceId }).expect(201);
      }
      const quorum = { cancel: 2 };
      await app.as(ann).patch(`/resources/${team}`).send({ quorum }).expect(200);
      const task = await app.task(ann, garden);
      await app.as(ann).patch(`/tasks/${task}`).send({ owner_id: team }).expect(200);
      const cancel = (person: Person) =>
        app.as(person).patch(`/tasks/${task}`).send({ status: 'canceled', canceled_reason: 'Rain' });
      await cancel(agent).expect(409);
      await demote();
      const { error } = (await cancel(mia).expect(409)).body;
      expect(error.details).toMatchObject({ current_count: 1, required_count: 2 });
      // The agent needs a new token, because the tokens that its former manager created have ended.
      const again = await app
        .as(ann)
        .post(`/agents/${agent.id}/tokens`)
        .send({ name: 'New', scopes: ['*'] });
      await cancel({ ...agent, token: again.body.data.token }).expect(200);
    });

    it('makes its new manager no author by what that manager did to its assignment before', async () => {
      await require(1);
      const [taken, given] = [await app.task(noa, garden), await app.task(noa, garden)];
      const assign = (task: string, to: Person | null, by: Person) =>
        app
          .as(by)
          .patch(`/tasks/${task}`)
          .send({ assignee_id: to?.id ?? null })
          .expect(200);
      for (const task of [taken, given]) await assign(task, agent, noa);
      await assign(taken, noa, ann);
      await assign(given, noa, mia);
      await demote();
      for (const [task, reviewer, result] of [
        [taken, ann, 'met'],
        [given, mia, 'not_met'],
        [given, ann, 'met'],
      ] as const) {
        await approve(reviewer, task);
        expect([reviewer.name, await resultOf(task)]).toEqual([reviewer.name, result]);
      }
    });

    it('makes its manager no author of a task whose attestation ends because the manager reopens it', async () => {
      const task = await app.task(noa, garden);
      const patch = (body: object, by: Person) => app.as(by).patch(`/tasks/${task}`).send(body).expect(200);
      await patch({ assignee_id: agent.id, status: 'active', metadata: { dod_attested: true } }, noa);
      await patch({ status: 'done' }, noa);
      await patch({ status: 'active' }, mia);
      await patch({ assignee_id: null }, noa);
      await require(1);
      await approve(mia, task);
      expect(await resultOf(task)).toBe('met');
    });

    it('makes no two people one for ever: a former manager lifts no rejection of the new one', async () => {
      await require(1);
      await demote();
      const task = await app.task(noa, garden);
      await app
        .as(ann)
        .post('/approvals')
        .send({ entity_type: 'task', entity_id: task, verdict: 'rejected' })
        .expect(201);
      await approve(mia, task);
      expect(await resultOf(task)).toBe('not_met');
      await approve(ann, task);
      expect(await resultOf(task)).toBe('met');
      const later = await app.task(ann, garden);
      await approve(mia, later);
      expect(await resultOf(later)).toBe('met');
    });

    it('keeps its former manager from reviewing its earlier work, also when it has no new one', async () => {
      await require(1);
      const task = await app.task(agent, garden);
      await app.database.query(`UPDATE users SET manager_id = NULL WHERE id = $1`, [agent.id]);
      await approve(mia, task);
      expect(await resultOf(task)).toBe('not_met');
    });
  });

  it('makes its manager an author if it works on a task while the manager is assigned to it', async () => {
    const policy = { name: 'Reviewed', organization_id: organization, conditions: [{ type: 'peer_review' }] };
    const { body: made } = await app.as(ann).post('/dod-policies').send(policy).expect(201);
    await app.as(ann).post(`/endeavours/${garden}/dod-policy`).send({ policy_id: made.data.id }).expect(200);
    const [mia, noa] = [await app.person('Mia'), await app.person('Noa')];
    await app.join(organization, mia, 'admin');
    await app.join(organization, noa, 'member');
    const agent = await agentOf(mia);
    const patch = (id: string, body: object, person: Person = ann) =>
      app.as(person).patch(`/tasks/${id}`).send(body).expect(200);
    const report = { kind: 'doc', title: 'Plan' };
    const works: [string, Person, (task: string) => unknown][] = [
      ['met', agent, (task) => patch(task, { status: 'active' }, agent)],
      ['not_met', agent, (task) => patch(task, { estimate: 3 }, agent)],
      [
        'not_met',
        agent,
        (task) =>
          app
            .as(agent)
            .post('/artifacts')
            .send({ ...report, task_id: task })
            .expect(201),
      ],
      [
        'not_met',
        agent,
        (task) => app.as(agent).post(`/tasks/${task}/dod-results`).send({ name: 'scan', passed: true }).expect(201),
      ],
      [
        'met',
        agent,
        (task) =>
          app
            .as(noa)
            .post('/artifacts')
            .send({ ...report, task_id: task })
            .expect(201),
      ],
      ['not_met', mia, () => undefined],
    ];
    for (const [result, assigner, work] of works) {
      const task = await app.task(ann, garden);
      const to = assigner === mia ? agent : mia;
      await patch(task, { assignee_id: to.id }, assigner === mia ? mia : ann);
      await work(task);
      await patch(task, { assignee_id: noa.id });
      await app
        .as(mia)
        .post('/approvals')
        .send({ entity_type: 'task', entity_id: task, verdict: 'approved' })
        .expect(201);
      expect((await app.as(ann).post(`/tasks/${task}/dod-check`).expect(200)).body.data.result).toBe(result);
    }
  });

  it('does not let its manager dismiss a rejection of its work', async () => {
    const agent = await agentOf(ann);
    const noa = await app.person('Noa');
    await app.join(organization, noa, 'member');
    const reject = async (demand: string): Promise<string> => {
      const sent = { entity_type: 'demand', entity_id: demand, verdict: 'rejected' };
      return (await app.as(noa).post('/approvals').send(sent).expect(201)).body.data.id;
    };
    const dismiss = (id: string) => app.as(ann).post(`/approvals/${id}/dismiss`).send({ reason: 'Of another demand' });
    await dismiss(await reject(await app.demand(agent, garden))).expect(403);
    const changed = await app.demand(noa, garden);
    const rejection = await reject(changed);
    await app.as(agent).patch(`/demands/${changed}`).send({ title: 'New' }).expect(200);
    await dismiss(rejection).expect(403);
    await app.as(noa).patch(`/demands/${changed}`).send({ title: 'Newer' }).expect(200);
    await dismiss(rejection).expect(200);
  });

  it('can post results of checks in place of its manager, but not the other way round', async () => {
    const [mia, noa] = [await app.person('Mia'), await app.person('Noa')];
    await app.join(organization, mia, 'admin');
    await app.join(organization, noa, 'member');
    const agent = await agentOf(mia);
    const check = (name: string, by: string) => ({ type: 'custom_check', params: { name, by } });
    const conditions = [check('scan', mia.id), check('audit', mia.resourceId), check('build', agent.id)];
    const policy = { name: 'Scanned', organization_id: organization, conditions };
    const { body: made } = await app.as(ann).post('/dod-policies').send(policy).expect(201);
    await app.as(ann).post(`/endeavours/${garden}/dod-policy`).send({ policy_id: made.data.id }).expect(200);
    const task = await app.task(ann, garden);
    const post = (name: string, person: Person) =>
      app.as(person).post(`/tasks/${task}/dod-results`).send({ name, passed: true });
    const other = await agentOf(ann, 'Other');
    for (const person of [noa, other]) await post('scan', person).expect(403);
    await post('build', mia).expect(403);
    for (const name of ['scan', 'audit', 'build']) await post(name, agent).expect(201);
    expect((await app.as(ann).post(`/tasks/${task}/dod-check`).expect(200)).body.data.result).toBe('met');
  });

  it('counts as one voter with its manager', async () => {
    const mia = await app.person('Mia');
    await app.join(organization, mia, 'admin');
    const agent = await agentOf(mia);
    const noa = await app.person('Noa');
    await app.join(organization, noa, 'member');
    const team = { name: 'Crew', type: 'team', organization_id: organization };
    const { body } = await app.as(ann).post('/resources').send(team).expect(201);
    for (const person of [mia, agent, noa]) {
      await app.as(ann).post(`/resources/${body.data.id}/members`).send({ resource_id: person.resourceId }).expect(201);
    }
    await app
      .as(ann)
      .patch(`/resources/${body.data.id}`)
      .send({ quorum: { cancel: 2 } })
      .expect(200);
    const task = await app.task(ann, garden, { owner_id: undefined });
    await app.as(ann).patch(`/tasks/${task}`).send({ owner_id: body.data.id }).expect(200);
    const cancel = (person: Person) =>
      app.as(person).patch(`/tasks/${task}`).send({ status: 'canceled', canceled_reason: 'Rain' });
    await app.database.query(`UPDATE organization_resources SET role = 'member' WHERE user_id = $1`, [noa.id]);
    expect((await cancel(noa).expect(409)).body.error.details).toMatchObject({ current_count: 1, required_count: 2 });
    expect((await cancel(agent).expect(200)).body.data.status).toBe('canceled');
  });
});

describe('an agent that is an owner', () => {
  let agent: Agent;
  beforeEach(async () => {
    agent = await agentOf(ann);
  });
  const leave = (path: string) => app.as(ann).delete(`${path}/members/${ann.id}`);

  it('cannot be the last owner of an organization', async () => {
    await app.join(organization, await app.person('Mia'), 'member');
    const path = `/organizations/${organization}`;
    await app.as(ann).patch(`${path}/members/${agent.id}`).send({ role: 'owner' }).expect(200);
    expect(reasonOf(await leave(path).expect(409))).toBe('last_owner');
    const demoted = app.as(ann).patch(`${path}/members/${ann.id}`).send({ role: 'admin' });
    expect(reasonOf(await demoted.expect(409))).toBe('last_owner');
  });

  it('cannot be the last owner of an endeavour without a home', async () => {
    const sent = { user_id: agent.id, role: 'owner' };
    const shed = await app.endeavour(ann);
    await app.as(ann).post(`/endeavours/${shed}/members`).send(sent).expect(201);
    expect(reasonOf(await leave(`/endeavours/${shed}`).expect(409))).toBe('last_owner');
    await app.as(ann).post(`/endeavours/${garden}/members`).send(sent).expect(201);
    await leave(`/endeavours/${garden}`).expect(200);
    const unlinked = app.as(ann).delete(`/organizations/${organization}/endeavours/${garden}`);
    expect(reasonOf(await unlinked.expect(409))).toBe('last_owner');
  });

  it('cannot be the only manager of a resource without a home that it created', async () => {
    const path = `/organizations/${organization}`;
    await app.as(ann).patch(`${path}/members/${agent.id}`).send({ role: 'owner' }).expect(200);
    const sent = { name: 'Server', type: 'service', organization_id: organization };
    const { body } = await app.as(agent).post('/resources').send(sent).expect(201);
    const removed = app.as(ann).delete(`${path}/resources/${body.data.id}`);
    expect(reasonOf(await removed.expect(409))).toBe('last_owner');
  });
});
