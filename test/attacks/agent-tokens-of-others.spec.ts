import type { Response } from 'supertest';
import { canaryReads } from '../support/canaries.js';
import { TestApp, type Person } from '../support/test-app.js';

/**
 * An agent counts as one person with its manager, and an admin of its organization can create tokens for it: what such a
 * token did in the name of the manager.
 */
describe("a token that another admin creates for a manager's agent", () => {
  let app: TestApp;
  let [ann, mia, noa]: Person[] = [];
  let [organization, garden]: string[] = [];
  let agent: Person;
  /** The agent, with a token that Mia created. */
  let token: Person;

  beforeAll(async () => {
    app = await TestApp.open({ WORKERS: 'true', LIMIT_WRITES_PER_MINUTE: '100000' });
  });
  afterAll(() => app.close());

  beforeEach(async () => {
    [ann, mia, noa] = [await app.person('Ann'), await app.person('Mia'), await app.person('Noa')];
    organization = await app.organization(ann);
    await app.join(organization, mia, 'admin');
    await app.join(organization, noa, 'member');
    garden = await app.endeavour(ann, { organization_id: organization });
    const made = await app.as(ann).post('/agents').send({ name: 'Helper', organization_id: organization }).expect(201);
    agent = { ...ann, id: made.body.data.id, resourceId: made.body.data.resource_id };
    token = await tokenBy(mia);
  });

  const tokenBy = async (person: Person, more: object = {}): Promise<Person> => {
    const sent = { name: 'Main', scopes: ['*'], ...more };
    const { body } = await app.as(person).post(`/agents/${agent.id}/tokens`).send(sent).expect(201);
    return { ...agent, token: body.data.token };
  };
  const reasonOf = ({ body }: { body: { error: { details?: { reason?: string } } } }) => body.error.details?.reason;
  const refused = async (call: PromiseLike<Response>): Promise<void> => {
    const response = await call;
    expect([response.status, reasonOf(response)]).toEqual([403, 'managers_token_required']);
  };

  it('works for everything else, and tells the manager', async () => {
    await app.task(token, garden);
    const { body } = await app.as(ann).get('/messages').expect(200);
    expect(body.data).toMatchObject([
      {
        sender_id: null,
        entity_id: agent.id,
        content: expect.stringMatching(/^Mia created an access token for your agent Helper/),
      },
    ]);
    await tokenBy(ann);
    expect((await app.as(ann).get('/messages').expect(200)).body.meta.total).toBe(1);
    expect((await app.as(mia).get('/messages').expect(200)).body.data).toEqual([]);
  });

  it('forges neither a review nor its dismissal, a check result, an attestation or an endorsement', async () => {
    const policy = { name: 'Reviewed', organization_id: organization, conditions: [{ type: 'peer_review' }] };
    const { body: made } = await app.as(ann).post('/dod-policies').send(policy).expect(201);
    await app.as(ann).post(`/endeavours/${garden}/dod-policy`).send({ policy_id: made.data.id }).expect(200);
    const task = await app.task(noa, garden);
    const verdict = { entity_type: 'task', entity_id: task, verdict: 'rejected' };
    const rejection = await app.as(noa).post('/approvals').send(verdict).expect(201);
    await app.join(garden, agent, 'admin');
    await refused(
      app
        .as(token)
        .post('/approvals')
        .send({ ...verdict, verdict: 'approved' }),
    );
    await refused(app.as(token).post(`/approvals/${rejection.body.data.id}/dismiss`).send({ reason: 'No' }));
    await refused(app.as(token).post('/dod-endorsements').send({ endeavour_id: garden }));
    await refused(app.as(token).post(`/tasks/${task}/dod-results`).send({ name: 'build', passed: true }));
    await refused(app.as(token).post(`/tasks/${task}/dod-override`).send({ reason: 'Now' }));
    await refused(
      app
        .as(token)
        .patch(`/tasks/${task}`)
        .send({ metadata: { dod_attested: true } }),
    );
    const bulk = { filter: { endeavour_id: garden }, changes: { metadata: { dod_attested: true } } };
    const { headers } = await app.as(token).post('/tasks/bulk').send(bulk).expect(202);
    const { body } = await app.ended(token, headers.location);
    expect(JSON.stringify(body)).toContain('managers_token_required');
    const batch = {
      operations: [{ method: 'POST', path: '/api/v1/approvals', body: { ...verdict, verdict: 'approved' } }],
    };
    const { body: batched } = await app.as(token).post('/batch').send(batch);
    expect(JSON.stringify(batched)).toContain('managers_token_required');
    const report = { kind: 'test-report', title: 'Tests', task_id: task, tags: ['test-report'] };
    await refused(
      app
        .as(token)
        .post('/artifacts')
        .send({ ...report, metadata: { result: 'passed' } }),
    );
    const plain = await app.as(token).post('/artifacts').send(report).expect(201);
    await refused(
      app
        .as(token)
        .patch(`/artifacts/${plain.body.data.id}`)
        .send({ metadata: { result: 'passed' } }),
    );
    await app
      .as(await tokenBy(ann))
      .post('/approvals')
      .send({ ...verdict, verdict: 'approved' })
      .expect(201);
  });

  it('casts no vote of a team', async () => {
    const team = { name: 'Board', type: 'team', organization_id: organization };
    const { body } = await app.as(ann).post('/resources').send(team).expect(201);
    const members = [ann.resourceId, agent.resourceId, noa.resourceId, mia.resourceId];
    for (const resource_id of members) {
      await app.as(ann).post(`/resources/${body.data.id}/members`).send({ resource_id }).expect(201);
    }
    await app
      .as(ann)
      .patch(`/resources/${body.data.id}`)
      .send({ quorum: { default: 2 } })
      .expect(200);
    const task = await app.task(ann, garden);
    await app.as(ann).patch(`/tasks/${task}`).send({ owner_id: body.data.id }).expect(200);
    await refused(app.as(token).patch(`/tasks/${task}`).send({ status: 'active' }));
    expect(await app.count(`quorum_votes WHERE entity_id = '${task}'`)).toBe(0);
    const vote = await app
      .as(await tokenBy(ann))
      .patch(`/tasks/${task}`)
      .send({ status: 'active' });
    expect(vote.body.error.code).toBe('quorum_not_met');
  });

  it('never has more rights than its creator, also where the agent and its manager are owners', async () => {
    await app.database.query(
      `UPDATE organization_resources SET role = 'owner' WHERE organization_id = $1 AND user_id = $2`,
      [organization, agent.id],
    );
    const own = await app.endeavour(ann, { organization_id: organization, is_private: true });
    await app.join(own, agent, 'owner');
    const archive = (by: Person, path: string) => app.as(by).post(`${path}/archive`).send({ reason: 'Mine' });
    await archive(token, `/organizations/${organization}`).expect(404);
    await archive(token, `/endeavours/${garden}`).expect(403);
    await app.as(token).get(`/endeavours/${garden}/export`).expect(403);
    await app.database.query(`DELETE FROM organization_resources WHERE user_id = $1`, [mia.id]);
    await app.as(token).get('/auth/whoami').expect(401);
    await app.join(organization, mia, 'admin');
    await app.as(ann).patch(`/endeavours/${own}`).send({ description: 'Secret' }).expect(200);
    // An admin of the home organization has the same role in its private endeavours, but Max has none in this one.
    const max = await app.person('Max');
    const shop = await app.organization(max);
    await app.join(shop, mia, 'admin');
    await app.as(mia).get(`/endeavours/${own}`).expect(200);
    await archive(token, `/endeavours/${own}`).expect(403);
    await archive(await tokenBy(ann), `/endeavours/${own}`).expect(200);
  });

  it("reads nothing of the agent's messages", async () => {
    await app
      .as(ann)
      .post('/messages')
      .send({ recipient_ids: [agent.id], subject: 'Zebra', content: 'Zebra is the password?', intent: 'question' })
      .expect(201);
    const scope = { scope_type: 'endeavour', scope_id: garden };
    await app
      .as(ann)
      .post('/messages')
      .send({ ...scope, content: 'Zebra for all', intent: 'question' })
      .expect(201);
    const before = await tokenBy(ann);
    expect(await canaryReads(app, before, 'Zebra')).toEqual(
      expect.arrayContaining(['/api/v1/activity', '/api/v1/messages', '/api/v1/search', '/api/v1/work']),
    );
    expect(await canaryReads(app, token, 'Zebra')).toEqual([]);
    for (const path of ['/messages', '/notifications']) await refused(app.as(token).get(path));
    const administrators = await tokenBy(await app.admin());
    await refused(app.as(administrators).get('/messages'));
  });
});
