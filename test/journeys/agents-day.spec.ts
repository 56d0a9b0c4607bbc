import { TestApp, type Person } from '../support/test-app.js';

const MAX_CALLS = 8;
const MAX_BYTES = 6_700;

interface Seen {
  type: string;
  entity_id: string;
  data: Record<string, unknown>;
}

describe('the working day of an agent that has one token and no password', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await TestApp.open();
  });

  afterAll(() => app.close());

  it(`completes a task from its assignment to its approval in ${MAX_CALLS} calls and ${MAX_BYTES / 1000} kB`, async () => {
    const [ada, ann, bob] = [await app.admin('Ada'), await app.person('Ann'), await app.person('Bob')];
    const riverside = await app.organization(ann);
    await app.join(riverside, bob, 'member');
    const garden = await app.endeavour(ann, { organization_id: riverside });
    const conditions = [
      { type: 'custom_check', params: { name: 'build' } },
      { type: 'comment_required' },
      { type: 'peer_review', params: { user_type: 'human' } },
    ];
    const policy = await app.as(ada).post('/dod-policies').send({ name: 'Reviewed', conditions }).expect(201);
    const policy_id = policy.body.data.id;
    await app.as(ann).post(`/endeavours/${garden}/dod-policy`).send({ policy_id }).expect(200);
    const made = await app.as(ann).post('/agents').send({ name: 'Triage', organization_id: riverside }).expect(201);
    const agentId = made.body.data.id;
    const scopes = ['*:read', 'tasks:write', 'comments:write', 'dod:write'];
    const { body } = await app.as(ann).post(`/agents/${agentId}/tokens`).send({ name: 'Main', scopes }).expect(201);
    const agent: Person = { ...bob, id: agentId, token: body.data.token };
    await app.as(agent).post('/dod-endorsements').send({ endeavour_id: garden }).expect(201);
    const start = await app.as(agent).get('/changes?after=now').expect(200);

    let [calls, bytes] = [0, 0];
    const call = async (method: 'get' | 'post' | 'patch', path: string, status: number, sent?: object) => {
      const request = app.as(agent)[method](path);
      const response = await (sent === undefined ? request : request.send(sent)).expect(status);
      calls += 1;
      bytes += path.length + JSON.stringify(sent ?? '').length + response.text.length;
      return response.body;
    };
    const wait = (after: number) =>
      call('get', `/changes?about=me&wait=30&after=${after}&fields=type,entity_id,data`, 200);

    // While the agent waits for events, a task is assigned to it.
    const waiting = wait(start.body.meta.next);
    const assigned = app.task(ann, garden, {
      title: 'Find out why the pump stops',
      description: 'It stops after ten minutes. The log is in the shed.',
      assignee_id: agentId,
    });
    const first = await waiting;
    const [{ type, entity_id: task }] = first.data as Seen[];
    expect([type, task]).toEqual(['task.created', await assigned]);
    const { data } = await call('get', `/tasks/${task}?fields=title,description,status,metadata`, 200);
    expect(data).toMatchObject({ title: 'Find out why the pump stops', status: 'planned' });
    await call('patch', `/tasks/${task}`, 200, { status: 'active' });
    await call('post', '/comments', 201, { entity_type: 'task', entity_id: task, content: 'The filter is blocked.' });
    await call('post', `/tasks/${task}/dod-results`, 201, { name: 'build', passed: true });
    // Only the peer review is missing.
    const refused = await call('patch', `/tasks/${task}`, 409, { status: 'done' });
    expect(refused.error.details.conditions.map(({ status }: { status: string }) => status)).toEqual([
      'passed',
      'passed',
      'failed',
    ]);
    const verdict = wait(first.meta.next);
    const approval = { entity_type: 'task', entity_id: task, verdict: 'approved' };
    await app.as(bob).post('/approvals').send(approval).expect(201);
    const [said] = (await verdict).data as Seen[];
    expect(said).toMatchObject({ type: 'approval.created', data: { verdict: 'approved', entity_id: task } });
    const closed = await call('patch', `/tasks/${task}`, 200, { status: 'done' });
    expect(closed.data.dod).toMatchObject({ result: 'met' });
    expect(calls).toBe(MAX_CALLS);
    expect(bytes).toBeLessThan(MAX_BYTES);
  });
});
