import { brokenInvariants } from '../faults/support/invariants.mjs';
import { TestApp, type Person } from '../support/test-app.js';

const PEER_REVIEWED = 'dod_01942f3e4c0070008000000000000002';
const PASSWORD = 'two wooden ladders';
const BEGINNING = new Date('2026-10-01T08:00:00Z');
const TWO_WEEKS_MS = 14 * 86_400_000;

const failed = (check: { conditions: { id: string; status: string }[] }) =>
  check.conditions.filter(({ status }) => status === 'failed').map(({ id }) => id);

/** The work of a small company, from its Definition of Done to its exports. Each step continues the previous one. */
describe('a quarter in a small company', () => {
  let app: TestApp;
  /** Owns the company and plans the quarter. */
  let ann: Person;
  /** Does the work. */
  let bob: Person;
  /** Speaks for the visitors: a member with the stakeholder role product_owner. */
  let pat: Person;
  /** A member like Bob. */
  let mia: Person;
  let riverside: string;
  let garden: string;
  let policy: string;
  let demand: string;
  let gate: string;
  let sign: string;

  beforeAll(async () => {
    app = await TestApp.open();
    await app.service.setTime(BEGINNING.toISOString());
    ann = await app.person('Ann');
    bob = await app.person('Bob');
    pat = await app.person('Pat');
    mia = await app.person('Mia', { passwordHash: await app.service.hashPassword(PASSWORD) });
  });

  afterAll(() => app.close());

  const get = async (path: string, person = ann) => (await app.as(person).get(path).expect(200)).body.data;
  const post = (path: string, body: object, person = ann) => app.as(person).post(path).send(body);
  const make = async (path: string, body: object, person = ann): Promise<string> =>
    (await post(path, body, person).expect(201)).body.data.id;
  const patch = (path: string, body: object, person = ann) => app.as(person).patch(path).send(body);
  const approve = (id: string, person: Person, more: object = {}) =>
    post('/approvals', { entity_type: 'task', entity_id: id, verdict: 'approved', ...more }, person);

  it('begins with an organization, an endeavour and its members', async () => {
    riverside = await app.organization(ann, { name: 'Riverside Gardens' });
    garden = await app.endeavour(ann, {
      name: 'Visitors find their way',
      organization_id: riverside,
      timezone: 'Europe/Berlin',
      goals: ['Visitors find the exit'],
    });
    for (const person of [bob, mia]) await app.join(garden, person, 'member');
    await app.join(garden, pat, 'member', ['product_owner']);
    expect((await get(`/endeavours/${garden}`, pat)).my_role).toBe('member');
  });

  it('sets a Definition of Done, which the members who do the work endorse', async () => {
    const conditions = [
      { id: 'review', type: 'peer_review' },
      { id: 'owner', type: 'stakeholder_sign_off', params: { role: 'product_owner' } },
      { id: 'list', type: 'checklist_complete' },
    ];
    const body = { organization_id: riverside, name: 'How we finish', conditions };
    policy = await make(`/dod-policies/${PEER_REVIEWED}/versions`, body);
    await post(`/endeavours/${garden}/dod-policy`, { policy_id: policy }).expect(200);
    for (const person of [ann, bob]) await make('/dod-endorsements', { endeavour_id: garden }, person);
    const status = await get(`/endeavours/${garden}/dod-status`, mia);
    expect(status.policy).toMatchObject({ id: policy, name: 'How we finish', version: 2, origin: 'fork' });
    expect(status.members_without_endorsement.map(({ name }: { name: string }) => name)).toEqual(['Mia', 'Pat']);
  });

  it('splits a demand into tasks; the first active task starts the demand', async () => {
    demand = await make('/demands', { type: 'story', title: 'Signs at every fork', endeavour_id: garden }, pat);
    const common = { endeavour_id: garden, demand_id: demand, assignee_id: bob.id };
    gate = await make('/tasks', { ...common, title: 'Paint the gate', description: 'Green' });
    sign = await make('/tasks', { ...common, title: 'Carve the sign' });
    await make('/relations', {
      relationship_type: 'depends_on',
      source_entity_type: 'task',
      source_entity_id: sign,
      target_entity_type: 'task',
      target_entity_id: gate,
    });
    await patch(`/tasks/${gate}`, { status: 'active' }, bob).expect(200);
    expect(await get(`/demands/${demand}`)).toMatchObject({
      status: 'in_progress',
      progress: { planned: 1, active: 1, done: 0, canceled: 0 },
    });
  });

  it('rejects the completion of a task with all unmet conditions', async () => {
    const { body } = await patch(`/tasks/${gate}`, { status: 'done' }, bob).expect(409);
    expect(body.error.code).toBe('dod_not_met');
    expect(failed(body.error.details)).toEqual(['review', 'owner', 'list']);
    const transitions = await get(`/tasks/${gate}/transitions`, bob);
    const done = transitions.find(({ status }: { status: string }) => status === 'done');
    expect(done).toMatchObject({ allowed: false, reasons: [{}, {}, {}] });
  });

  it('counts only approvals by other users who hold the role', async () => {
    await patch(`/tasks/${gate}`, { metadata: { checklist: [{ text: 'Two coats', checked: true }] } }, bob).expect(200);
    await approve(gate, bob).expect(201);
    expect((await approve(gate, mia, { role: 'product_owner' }).expect(201)).body.data.role_held).toBe(false);
    await approve(gate, pat, { role: 'product_owner', comment: 'Just as we need it' }).expect(201);
    const { body } = await post(`/tasks/${gate}/dod-check`, {}, bob).expect(200);
    expect(body.data).toMatchObject({ result: 'met', endorsed: true });
  });

  it('requires new approvals after a change of the task', async () => {
    await patch(`/tasks/${gate}`, { description: 'Blue, not green' }, bob).expect(200);
    const approvals = await get(`/approvals?entity_id=${gate}`);
    expect(approvals.map(({ stale }: { stale: boolean }) => stale)).toEqual([true, true, true]);
    const { body } = await patch(`/tasks/${gate}`, { status: 'done' }, bob).expect(409);
    expect(failed(body.error.details)).toEqual(['review', 'owner']);
  });

  it('lets a member who endorsed the policy complete the task when all conditions are met', async () => {
    await approve(gate, pat, { role: 'product_owner' }).expect(201);
    const refused = await patch(`/tasks/${gate}`, { status: 'done' }, mia).expect(409);
    expect(refused.body.error.details).toMatchObject({ result: 'not_met', endorsed: false });
    const { body } = await patch(`/tasks/${gate}`, { status: 'done' }, bob).expect(200);
    const [check] = await get(`/tasks/${gate}/dod-checks`);
    expect(body.data).toMatchObject({ status: 'done', dod: { check_id: check.id }, actual: expect.any(Number) });
    expect(check).toMatchObject({ result: 'met', policy_id: policy, checked_by: bob.resourceId });
    expect(await get(`/tasks/${gate}/dod-checks?result=not_met`)).toHaveLength(3);
  });

  it('lets the owner override the policy for one task, and fulfils the demand', async () => {
    await patch(`/tasks/${sign}`, { status: 'active' }, bob).expect(200);
    await post(`/tasks/${sign}/dod-override`, { reason: 'Carved by the city' }, bob).expect(403);
    const { body } = await post(`/tasks/${sign}/dod-override`, { reason: 'Carved by the city' }).expect(200);
    expect(body.data.conditions_bypassed).toHaveLength(3);
    await patch(`/tasks/${sign}`, { status: 'done' }, bob).expect(200);
    await patch(`/demands/${demand}`, { status: 'fulfilled' }, pat).expect(200);
  });

  it('holds a retrospective every two weeks, when it is due', async () => {
    const [builtIn] = await get('/rituals?origin=template&search=Retrospective');
    const schedule = { type: 'interval', every: '2w', start: '2026-10-01T09:00:00Z' };
    const ritual = await make(`/rituals/${builtIn.id}/fork`, { endeavour_id: garden, schedule });
    await app.service.startDueRuns();
    expect(await get(`/ritual-runs?ritual_id=${ritual}`)).toEqual([]);
    await app.service.setTime(new Date(BEGINNING.getTime() + TWO_WEEKS_MS + 7_200_000).toISOString());
    await app.service.startDueRuns();
    const [run] = await get(`/ritual-runs?ritual_id=${ritual}`, mia);
    expect(run).toMatchObject({ trigger: 'schedule', status: 'running', endeavour_id: garden });
    const [message] = await get(`/messages?entity_id=${run.id}`, bob);
    expect(message).toMatchObject({ intent: 'action', subject: 'Retrospective' });
    const recipients = await get(`/messages/${message.id}/recipients`, bob);
    expect(recipients.map(({ name }: { name: string }) => name)).toContain('Mia');
    await patch(`/ritual-runs/${run.id}`, { claim: true }, mia).expect(200);
    const { body: taken } = await patch(`/ritual-runs/${run.id}`, { claim: true }, bob).expect(409);
    expect(taken.error.details.reason).toBe('claimed');
    const ended = { status: 'succeeded', result_summary: 'Agree on a comment for every task' };
    await patch(`/ritual-runs/${run.id}`, ended, mia).expect(200);
    const { body: read } = await app.as(bob).post('/messages/read').send({ all: true }).expect(200);
    expect(read.data.read).toBeGreaterThan(0);
    expect(await get('/messages?unread', bob)).toEqual([]);
    await app.as(bob).delete(`/messages/${message.id}`).expect(200);
    expect(await get(`/messages?entity_id=${run.id}`, bob)).toEqual([]);
    expect((await get(`/rituals/${ritual}`)).last_run).toMatchObject({ id: run.id, status: 'succeeded' });
  });

  it('is summarized in a report', async () => {
    const { markdown } = await get(`/reports/endeavour/${garden}`, mia);
    for (const told of [
      '# Visitors find their way',
      '| Tasks | 2 | 0 | 0 | 2 | 0 |',
      '| Bob | 0 | 0 | 2 |',
      '| Retrospective |',
    ]) {
      expect(markdown).toContain(told);
    }
  });

  it('replaces the policy by its next version, which every member has to endorse again', async () => {
    const { conditions } = await get(`/dod-policies/${policy}`);
    const next = await make(`/dod-policies/${policy}/versions`, {
      conditions: [...conditions, { type: 'comment_required' }],
    });
    expect((await get(`/endeavours/${garden}`)).dod_policy_id).toBe(next);
    const endorsements = await get(`/dod-endorsements?endeavour_id=${garden}`);
    expect(endorsements.map(({ status }: { status: string }) => status)).toEqual(['superseded', 'superseded']);
    const lineage = await get(`/dod-policies/${next}/lineage`);
    expect(lineage.map(({ version }: { version: number }) => version)).toEqual([1, 2, 3]);
    const bench = await make('/tasks', { endeavour_id: garden, title: 'Mend the bench' });
    await patch(`/tasks/${bench}`, { status: 'active' }, bob).expect(200);
    const { body } = await patch(`/tasks/${bench}`, { status: 'done' }, bob).expect(409);
    expect(body.error.details).toMatchObject({ endorsed: false, policy_version: 3 });
    expect(failed(body.error.details)).toEqual(['review', 'owner', 'list', 'comment_required']);
  });

  it('invites users to the organization by e-mail address, who accept or refuse without a token', async () => {
    const ask = (person: Person) =>
      make('/invitations', { organization_id: riverside, email: person.email, role: 'guest' });
    const [forMia, forPat] = [await ask(mia), await ask(pat)];
    expect((await get('/invitations?mine=true', mia)).map(({ id }: Person) => id)).toEqual([forMia]);
    const { body } = await post(`/invitations/${forMia}/accept`, {}, mia).expect(200);
    expect(body.data).toMatchObject({ organization_id: riverside, role: 'guest' });
    await post(`/invitations/${forPat}/refuse`, {}, pat).expect(200);
    expect(await get(`/invitations/${forPat}`)).toMatchObject({ status: 'refused', uses: 0 });
  });

  it('has the limits of the tier of its owner, which administrators change', async () => {
    const ada = await app.admin();
    await patch('/tiers/3', { max_teams_per_org: 200 }, ada).expect(200);
    expect((await get('/tiers', ada)).map(({ name }: Person) => name)).toEqual([
      'explorer',
      'professional',
      'enterprise',
    ]);
    expect((await get('/auth/whoami')).tier_limits).toMatchObject({ max_orgs: -1, max_teams_per_org: 200 });
  });

  it('can be exported completely, by the owner only', async () => {
    await app.as(bob).get(`/organizations/${riverside}/export`).expect(404);
    const { body } = await app.as(ann).get(`/organizations/${riverside}/export`).expect(200);
    const found = (section: string) => body[section].length;
    expect(body.dod_policies.map(({ version }: { version: number }) => version).sort()).toEqual([2, 3]);
    expect([found('tasks'), found('demands'), found('approvals'), found('endorsements')]).toEqual([3, 1, 4, 2]);
    expect([found('relations'), found('ritual_runs')]).toEqual([1, 1]);
    const kept = await get(`/tasks/${gate}/dod-checks`);
    expect(body.dod_checks).toEqual(expect.arrayContaining(kept));
  });

  it('redacts a description from the change history', async () => {
    const [change] = await app.database.query<{ id: string }>(
      `SELECT id FROM events WHERE entity_id = $1 AND 'description' = ANY(changed)`,
      [gate],
    );
    const { body } = await post(`/changes/${change.id}/redact`, {
      field: 'description',
      reason: 'Trade secret',
    }).expect(200);
    expect(body.data.erased.events).toBeGreaterThan(2);
    expect((await get(`/tasks/${gate}`)).description).toBe('Blue, not green');
    const { text } = await app.as(ann).get(`/endeavours/${garden}/export`).expect(200);
    expect(text.match(/Blue, not green/g)).toHaveLength(1);
  });

  it('lets a user leave: reassign work, export data, and erase the account', async () => {
    const hinge = await make('/tasks', { endeavour_id: garden, title: 'Oil the hinge', assignee_id: mia.id });
    await make('/comments', { entity_type: 'task', entity_id: hinge, content: 'It squeaks' }, mia);
    expect((await post(`/resources/${mia.resourceId}/reassign`, { to: bob.id }, mia).expect(200)).body.data).toEqual({
      moved: 1,
      skipped: [],
    });
    const { body: data } = await app.as(mia).get('/auth/my-data').expect(200);
    expect(data.comments).toEqual([expect.objectContaining({ content: 'It squeaks' })]);
    await post('/auth/delete-account', { current_password: PASSWORD }, mia).expect(200);
    await app.as(mia).get('/auth/whoami').expect(401);
    await app.database.query(`UPDATE users SET erasure_at = now() WHERE id = $1`, [mia.id]);
    await app.database.query(`UPDATE jobs SET due_at = '-infinity' WHERE name = 'account_erasure'`);
    await app.service.runJobs();
    const { text } = await app.as(ann).get(`/organizations/${riverside}/export`).expect(200);
    expect(text).not.toContain('Mia');
    expect(text).toContain('It squeaks');
    expect((await get(`/comments?entity_id=${hinge}`))[0]).toMatchObject({ author_name: 'Deleted user' });
  });

  it('violates no invariant of the database', async () => {
    expect(await brokenInvariants((sql) => app.database.query(sql))).toEqual([]);
  });
});
