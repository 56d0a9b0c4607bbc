import { Agreement } from '../support/dod.js';
import { fieldErrorsOf } from '../support/refusals.js';
import { Rules } from '../support/rules.js';
import { tokenOf } from '../support/tokens.js';
import { TestApp, type Person } from '../support/test-app.js';

const WORKING = { WORKERS: 'true', LIMIT_WRITES_PER_MINUTE: '100000', ERASURE_DAYS: '0' };
const SEEN = { actions: [{ comment: { content: 'Seen.' } }] };

/** People who try to do by rules what they may not do themselves. */
describe('a rule', () => {
  let agreed: Agreement;
  let app: TestApp;
  let rules: Rules;
  let ann: Person;
  let bob: Person;
  let garden: string;

  beforeAll(async () => {
    agreed = await Agreement.open(WORKING);
    ({ app } = agreed);
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    [ann, bob] = [await app.person('Ann'), await app.person('Bob')];
    rules = new Rules(app, ann);
    garden = await app.endeavour(ann);
    await app.join(garden, bob, 'admin');
  });

  const commentsOn = (id: string) => app.count(`comments WHERE entity_id = '${id}'`);
  const alertsOf = async (person: Person): Promise<string[]> => {
    const { body } = await app.as(person).get('/messages').expect(200);
    return body.data.map(({ entity_id: about }: { entity_id: string }) => about);
  };

  it.each(['viewer', 'member'])('is not made or changed by a %s', async (role) => {
    const vic = await app.person('Vic');
    await app.join(garden, vic, role);
    const rule = await rules.make(garden, SEEN);
    const body = { name: 'Mine', endeavour_id: garden, on: ['task.*'], ...SEEN };
    await app.as(vic).post('/rules').send(body).expect(403);
    await app.as(vic).patch(`/rules/${rule}`).send(SEEN).expect(403);
    await app.as(vic).delete(`/rules/${rule}`).expect(403);
    await app.as(vic).post(`/rules/${rule}/dry-run`).expect(403);
  });

  it.each<[string, (person: Person) => Promise<unknown>]>([
    ['is demoted', ({ id }) => app.as(ann).patch(`/endeavours/${garden}/members/${id}`).send({ role: 'member' })],
    ['is dismissed', ({ id }) => app.as(ann).delete(`/endeavours/${garden}/members/${id}`)],
    ['leaves', (person) => app.as(person).delete(`/endeavours/${garden}/members/${person.id}`)],
    ['is suspended', ({ id }) => app.as(agreed.ada).patch(`/users/${id}`).send({ status: 'suspended' })],
    ['is deleted', ({ id }) => app.as(agreed.ada).delete(`/users/${id}`)],
  ])('does nothing more and is disabled with a message when its owner %s', async (_, lose) => {
    const rule = await rules.make(garden, SEEN, bob);
    const id = await app.task(ann, garden);
    expect(((await lose(bob)) as { status: number }).status).toBe(200);
    await rules.move(id, 'active').expect(200);
    expect(await rules.disabled(rule)).toMatchObject({ disabled_reason: 'owner_left' });
    await rules.settled();
    expect(await commentsOn(id)).toBe(0);
    expect(await alertsOf(ann)).toContain(rule);
    await app.as(ann).patch(`/rules/${rule}`).send({ is_enabled: true }).expect(200);
    await rules.move(id, 'planned').expect(200);
    await rules.ended(rule);
    expect(await commentsOn(id)).toBe(1);
  });

  it('cancels all 100 waiting runs when its owner leaves', async () => {
    const rule = await rules.make(garden, { ...SEEN, on: ['task.created'] }, bob);
    await rules.spend(rule, garden);
    const ids: string[] = [];
    for (let at = 0; at < 100; at += 1) ids.push(await app.task(ann, garden));
    await rules.waiting(rule, 100);
    await app.as(bob).delete(`/endeavours/${garden}/members/${bob.id}`).expect(200);
    await rules.nextMinute(rule);
    await rules.disabled(rule);
    await rules.settled();
    expect(await app.count(`comments WHERE entity_id IN ('${ids.join("', '")}')`)).toBe(0);
    expect(await app.count(`rule_runs WHERE rule_id = '${rule}' AND status = 'canceled'`)).toBe(100);
  });

  it('of another admin runs as the last person who changed it', async () => {
    const rule = await rules.make(garden, SEEN);
    await app
      .as(bob)
      .patch(`/rules/${rule}`)
      .send({ actions: [{ comment: { content: 'By Bob' } }] })
      .expect(200);
    const id = await app.task(ann, garden);
    await rules.move(id, 'active').expect(200);
    await rules.ended(rule);
    expect(await app.count(`comments WHERE entity_id = '${id}' AND author_id = '${bob.resourceId}'`)).toBe(1);
  });

  it('names nothing of other endeavours, not even of its owner', async () => {
    const shed = await app.endeavour(ann);
    const eve = await app.person('Eve');
    const hers = await app.endeavour(eve);
    const patches = [
      { demand_id: await app.demand(ann, shed) },
      { demand_id: await app.demand(eve, hers) },
      { parent_id: await app.task(ann, shed) },
      { parent_id: await app.task(eve, hers) },
      { assignee_id: eve.resourceId },
      { owner_id: eve.resourceId },
    ];
    const made: string[] = [];
    for (const patch of patches) made.push(await rules.make(garden, { actions: [{ patch }] }));
    const message = { recipient_ids: [eve.resourceId], content: 'Hello' };
    const sent = { name: 'Mine', endeavour_id: garden, on: ['task.*'], actions: [...SEEN.actions, { message }] };
    const refused = await app.as(ann).post('/rules').send(sent).expect(400);
    expect(fieldErrorsOf(refused.body)).toEqual(['actions.1.message.recipient_ids.0 reference_not_found']);
    const id = await app.task(ann, garden);
    const before = (await app.as(ann).get(`/tasks/${id}`).expect(200)).body.data;
    await rules.move(id, 'active').expect(200);
    for (const rule of made) {
      expect(await rules.ended(rule)).toMatchObject([{ status: 'refused', error_code: 'invalid_input' }]);
    }
    const after = (await app.as(ann).get(`/tasks/${id}`).expect(200)).body.data;
    for (const name of ['demand_id', 'parent_id', 'assignee_id', 'owner_id']) expect(after[name]).toBe(before[name]);
    expect(await alertsOf(eve)).toEqual([]);
  });

  it('does not follow a task to another endeavour', async () => {
    const rule = await rules.make(garden, SEEN);
    await rules.spend(rule, garden);
    const [id, shed] = [await app.task(ann, garden), await app.endeavour(ann)];
    await rules.move(id, 'active').expect(200);
    await rules.waiting(rule);
    await app.as(ann).patch(`/tasks/${id}`).send({ endeavour_id: shed }).expect(200);
    await rules.nextMinute(rule);
    const run = (await rules.ended(rule, 61)).find(({ entity_id: thing }) => thing === id);
    expect(run).toMatchObject({ status: 'refused', error_code: 'not_found' });
    expect(await commentsOn(id)).toBe(0);
  });

  it('leaves its name behind when the task moves to another endeavour', async () => {
    const rule = await rules.make(garden, { ...SEEN, name: 'Secret plan', actions: [{ patch: { title: 'Seen' } }] });
    const [id, eve] = [await app.task(ann, garden), await app.person('Eve')];
    await rules.move(id, 'active').expect(200);
    await rules.ended(rule);
    const shed = await app.endeavour(ann);
    await app.join(shed, eve, 'viewer');
    await app.as(ann).patch(`/tasks/${id}`).send({ endeavour_id: shed }).expect(200);
    for (const path of [`/tasks/${id}/changes`, `/changes?entity_id=${id}`]) {
      const { text } = await app.as(eve).get(path).expect(200);
      expect(text).toContain('"title":"Seen"');
      expect(text).not.toContain('Secret plan');
      expect(text).not.toContain(rule);
    }
  });

  it('gives no evidence by its comments', async () => {
    const bound = await agreed.bound({ type: 'comment_required' });
    const rule = await rules.make(bound, SEEN, agreed.ann);
    const id = await agreed.active(bound);
    await rules.ended(rule, 1, agreed.ann);
    expect(await commentsOn(id)).toBe(1);
    expect((await agreed.check(id)).result).toBe('not_met');
    await agreed.done(id).expect(409);
    const said = { entity_type: 'task', entity_id: id, content: 'By a person' };
    await app.as(agreed.bob).post('/comments').send(said).expect(201);
    expect((await agreed.check(id)).result).toBe('met');
  });

  it('does not get work done that its Definition of Done refuses', async () => {
    const bound = await agreed.bound({ type: 'manual_attestation' });
    const rule = await rules.make(
      bound,
      { on: ['comment.created'], actions: [{ patch: { status: 'done' } }] },
      agreed.ann,
    );
    const id = await agreed.active(bound);
    const said = { entity_type: 'task', entity_id: id, content: 'Do it' };
    await app.as(agreed.bob).post('/comments').send(said).expect(201);
    const [run] = await rules.ended(rule, 1, agreed.ann);
    expect(run).toMatchObject({ status: 'refused', error_code: 'dod_not_met' });
    expect((await agreed.task(id)).status).toBe('active');
  });

  it('of an agent reaches no further than its manager', async () => {
    const organization = await app.organization(ann);
    const lawn = await app.endeavour(ann, { organization_id: organization });
    const mia = await app.person('Mia');
    await app.join(organization, mia, 'admin');
    const { body } = await app
      .as(mia)
      .post('/agents')
      .send({ name: 'Triage', organization_id: organization })
      .expect(201);
    const { id: agentId, resource_id: resourceId } = body.data;
    const made = await app
      .as(mia)
      .post(`/agents/${agentId}/tokens`)
      .send({ name: 'Main', scopes: ['*'] })
      .expect(201);
    const agent: Person = { id: agentId, resourceId, name: 'Triage', email: '', token: made.body.data.token };
    await app.join(lawn, agent, 'admin');
    const rule = await rules.make(lawn, { ...SEEN, on: ['task.created'] }, agent);
    await app.task(ann, lawn);
    expect(await rules.ended(rule)).toMatchObject([{ status: 'succeeded' }]);
    await app.as(ann).patch(`/organizations/${organization}/members/${mia.id}`).send({ role: 'member' }).expect(200);
    const after = await app.task(ann, lawn);
    expect(await rules.disabled(rule)).toMatchObject({ disabled_reason: 'owner_left' });
    expect(await commentsOn(after)).toBe(0);
  });

  it('reaches no organization that requires a second factor which its owner has not proved', async () => {
    const organization = await app.organization(ann);
    const lawn = await app.endeavour(ann, { organization_id: organization });
    await app.join(lawn, bob, 'admin');
    const rule = await rules.make(lawn, { ...SEEN, on: ['task.created'] }, bob);
    const secure = await app.signInAgain(ann);
    const session = `SELECT id FROM sessions WHERE user_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1`;
    await app.database.query(`UPDATE sessions SET has_second_factor = true WHERE id = (${session})`, [ann.id]);
    const own = await rules.make(lawn, { ...SEEN, on: ['task.created'] }, secure);
    await app.database.query(`UPDATE organizations SET second_factor = 'required' WHERE id = $1`, [organization]);
    await app.database.query('DELETE FROM sessions WHERE user_id = $1', [bob.id]);
    const id = await app.task(secure, lawn);
    expect(await rules.disabled(rule, secure)).toMatchObject({ disabled_reason: 'owner_left' });
    expect(await rules.ended(own, 1, secure)).toMatchObject([{ status: 'succeeded' }]);
    expect(await app.count(`comments WHERE entity_id = '${id}' AND author_id = '${bob.resourceId}'`)).toBe(0);
  });

  it('that a token wrote has its limits and ends with it', async () => {
    const narrow = await tokenOf(app, ann, { scopes: ['endeavours:write', 'tasks:write'] });
    const body = { name: 'Mine', endeavour_id: garden, on: ['task.created'], ...SEEN };
    await app.as(narrow).post('/rules').send(body).expect(403);
    const confined = await tokenOf(app, ann, { endeavour_id: garden });
    const message = { to: ['creator'], content: 'Hello' };
    const rule = await rules.make(garden, { on: ['task.created'], actions: [{ message }] }, confined);
    const other = await rules.make(garden, { ...SEEN, on: ['task.created'] }, confined);
    await app.task(ann, garden);
    expect(await rules.ended(rule)).toMatchObject([{ status: 'refused', error_code: 'forbidden' }]);
    expect(await rules.ended(other)).toMatchObject([{ status: 'succeeded' }]);
    await app.as(ann).delete(`/auth/tokens/${confined.tokenId}`).expect(200);
    const id = await app.task(ann, garden);
    expect(await rules.disabled(other)).toMatchObject({ disabled_reason: 'owner_left' });
    expect(await commentsOn(id)).toBe(0);
  });
});
