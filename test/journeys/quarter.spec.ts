import { SchedulesService } from '../../src/modules/rituals/schedules.service.js';
import { Clock } from '../../src/platform/jobs/clock.js';
import { sweep } from '../faults/support/invariants.mjs';
import { House, type Person } from '../support/house.js';

const PEER_REVIEWED = 'dod_01942f3e4c0070008000000000000002';
const TWO_WEEKS_MS = 14 * 86_400_000;

const failed = (check: { conditions: { id: string; status: string }[] }) =>
  check.conditions.filter(({ status }) => status === 'failed').map(({ id }) => id);

/** A quarter of a small company, from what it agrees on to what it keeps of it; each step goes on from the one before. */
describe('a quarter', () => {
  let house: House;
  /** Owns the company and plans the quarter. */
  let ann: Person;
  /** Does the work. */
  let bob: Person;
  /** Speaks for the visitors: a member with the stakeholder role product_owner. */
  let pat: Person;
  /** A member like Bob. */
  let mia: Person;
  let now: Date;
  let riverside: string;
  let garden: string;
  let policy: string;
  let demand: string;
  let gate: string;
  let sign: string;

  beforeAll(async () => {
    house = await House.open();
    now = new Date('2026-10-01T08:00:00Z');
    jest.spyOn(house.app.get(Clock), 'now').mockImplementation(() => now);
    ann = await house.person('Ann');
    bob = await house.person('Bob');
    pat = await house.person('Pat');
    mia = await house.person('Mia');
  });

  afterAll(() => house.close());

  const get = async (path: string, person = ann) => (await house.as(person).get(path).expect(200)).body.data;
  const post = (path: string, body: object, person = ann) => house.as(person).post(path).send(body);
  const make = async (path: string, body: object, person = ann): Promise<string> =>
    (await post(path, body, person).expect(201)).body.data.id;
  const patch = (path: string, body: object, person = ann) => house.as(person).patch(path).send(body);
  const approve = (id: string, person: Person, more: object = {}) =>
    post('/approvals', { entity_type: 'task', entity_id: id, verdict: 'approved', ...more }, person);

  it('begins with a company, an endeavour and its people', async () => {
    riverside = await house.organization(ann, { name: 'Riverside Gardens' });
    garden = await house.endeavour(ann, {
      name: 'Visitors find their way',
      organization_id: riverside,
      timezone: 'Europe/Berlin',
      goals: ['Nobody asks for the exit'],
    });
    for (const person of [bob, mia]) await house.join(garden, person, 'member');
    await house.join(garden, pat, 'member', ['product_owner']);
    expect((await get(`/endeavours/${garden}`, pat)).my_role).toBe('member');
  });

  it('agrees on what done means, which those who do the work endorse', async () => {
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

  it('takes a demand and cuts it into tasks; the first to begin starts it', async () => {
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

  it('does not let the work be done before it is, and says all that is missing', async () => {
    const { body } = await patch(`/tasks/${gate}`, { status: 'done' }, bob).expect(409);
    expect(body.error.code).toBe('dod_not_met');
    expect(failed(body.error.details)).toEqual(['review', 'owner', 'list']);
    const transitions = await get(`/tasks/${gate}/transitions`, bob);
    const done = transitions.find(({ status }: { status: string }) => status === 'done');
    expect(done).toMatchObject({ allowed: false, reasons: [{}, {}, {}] });
  });

  it('counts only the word of somebody else, and of who holds the role', async () => {
    await patch(`/tasks/${gate}`, { metadata: { checklist: [{ text: 'Two coats', checked: true }] } }, bob).expect(200);
    await approve(gate, bob).expect(201);
    await approve(gate, mia, { role: 'product_owner' }).expect(403);
    await approve(gate, pat, { role: 'product_owner', comment: 'Just as we need it' }).expect(201);
    const { body } = await post(`/tasks/${gate}/dod-check`, {}, bob).expect(200);
    expect(body.data).toMatchObject({ result: 'met', endorsed: true });
  });

  it('asks again when the work became another', async () => {
    await patch(`/tasks/${gate}`, { description: 'Blue, not green' }, bob).expect(200);
    const approvals = await get(`/approvals?entity_id=${gate}`);
    expect(approvals.map(({ stale }: { stale: boolean }) => stale)).toEqual([true, true]);
    const { body } = await patch(`/tasks/${gate}`, { status: 'done' }, bob).expect(409);
    expect(failed(body.error.details)).toEqual(['review', 'owner']);
  });

  it('is done when all is in order, by who is bound to the agreement', async () => {
    await approve(gate, pat, { role: 'product_owner' }).expect(201);
    const refused = await patch(`/tasks/${gate}`, { status: 'done' }, mia).expect(409);
    expect(refused.body.error.details).toMatchObject({ result: 'not_met', endorsed: false });
    const { body } = await patch(`/tasks/${gate}`, { status: 'done' }, bob).expect(200);
    const [check] = await get(`/tasks/${gate}/dod-checks`);
    expect(body.data).toMatchObject({ status: 'done', dod_check_id: check.id, actual: expect.any(Number) });
    expect(check).toMatchObject({ result: 'met', policy_id: policy, checked_by: bob.resourceId });
    expect(await get(`/tasks/${gate}/dod-checks?result=not_met`)).toHaveLength(3);
  });

  it('lets one task pass by the word of an admin, and fulfils the demand', async () => {
    await patch(`/tasks/${sign}`, { status: 'active' }, bob).expect(200);
    await post(`/tasks/${sign}/dod-override`, { reason: 'Carved by the city' }, bob).expect(403);
    const { body } = await post(`/tasks/${sign}/dod-override`, { reason: 'Carved by the city' }).expect(200);
    expect(body.data.conditions_bypassed).toHaveLength(3);
    await patch(`/tasks/${sign}`, { status: 'done' }, bob).expect(200);
    await patch(`/demands/${demand}`, { status: 'fulfilled' }, pat).expect(200);
  });

  it('looks back every two weeks, when the time has come', async () => {
    const [builtIn] = await get('/rituals?origin=template&search=Retrospective');
    const schedule = { type: 'interval', every: '2w', start: '2026-10-01T09:00:00Z' };
    const ritual = await make(`/rituals/${builtIn.id}/fork`, { endeavour_id: garden, schedule });
    const schedules = house.app.get(SchedulesService, { strict: false });
    await schedules.sweep();
    expect(await get(`/ritual-runs?ritual_id=${ritual}`)).toEqual([]);
    now = new Date(now.getTime() + TWO_WEEKS_MS + 7_200_000);
    await schedules.sweep();
    const [run] = await get(`/ritual-runs?ritual_id=${ritual}`, mia);
    expect(run).toMatchObject({ trigger: 'schedule', status: 'running', endeavour_id: garden });
    const [message] = await get(`/messages?entity_id=${run.id}`, bob);
    expect(message).toMatchObject({ intent: 'action', subject: 'Retrospective' });
    const ended = { status: 'succeeded', result_summary: 'Agree on a comment for every task' };
    await patch(`/ritual-runs/${run.id}`, ended, mia).expect(200);
    expect((await get(`/rituals/${ritual}`)).last_run).toMatchObject({ id: run.id, status: 'succeeded' });
  });

  it('is told in a report', async () => {
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

  it('agrees anew: the next version takes over, and everybody is asked again', async () => {
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

  it('can be taken home, whole, by the owner alone', async () => {
    await house.as(bob).get(`/organizations/${riverside}/export`).expect(404);
    const { body } = await house.as(ann).get(`/organizations/${riverside}/export`).expect(200);
    const found = (section: string) => body[section].length;
    expect(body.dod_policies.map(({ version }: { version: number }) => version).sort()).toEqual([2, 3]);
    expect([found('tasks'), found('demands'), found('approvals'), found('endorsements')]).toEqual([3, 1, 3, 2]);
    expect([found('relations'), found('ritual_runs')]).toEqual([1, 1]);
    const kept = await get(`/tasks/${gate}/dod-checks`);
    expect(body.dod_checks).toEqual(expect.arrayContaining(kept));
  });

  it('has left everything in the database in order', async () => {
    expect(await sweep((sql) => house.database.query(sql))).toEqual([]);
  });
});
