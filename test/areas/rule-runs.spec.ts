import { newId } from '../../src/common/ids.js';
import { Rules } from '../support/rules.js';
import { TestApp, type Person } from '../support/test-app.js';

const WORKING = { WORKERS: 'true', LIMIT_WRITES_PER_MINUTE: '100000' };

describe('the runs of rules', () => {
  let app: TestApp;
  let rules: Rules;
  let ann: Person;
  let bob: Person;
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open(WORKING);
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    [ann, bob] = [await app.person('Ann'), await app.person('Bob')];
    rules = new Rules(app, ann);
    garden = await app.endeavour(ann);
    await app.join(garden, bob, 'member');
  });

  const task = async (id: string) => (await app.as(ann).get(`/tasks/${id}`).expect(200)).body.data;
  const commentsOn = async (id: string): Promise<string[]> => {
    const { body } = await app.as(ann).get(`/comments?entity_id=${id}&sort=created_at`).expect(200);
    return body.data.map(({ content }: { content: string }) => content);
  };
  const inboxOf = async (person: Person) => (await app.as(person).get('/messages').expect(200)).body.data;
  const events = async (id: string) => (await app.as(bob).get(`/changes?entity_id=${id}`).expect(200)).body.data;

  it('patch, comment and send messages as the owner, and name the rule in the events', async () => {
    const id = await app.task(bob, garden, { assignee_id: 'me' });
    const rule = await rules.make(garden, {
      name: 'Praise',
      filter: { status: 'active' },
      actions: [
        { patch: { priority: 'high', metadata: { begun: true } } },
        { comment: { content: 'Well begun.' } },
        { message: { to: ['assignee', 'creator'], subject: 'Begun', content: 'It is begun.' } },
      ],
    });
    await rules.move(id, 'active', bob).expect(200);
    const [run] = await rules.ended(rule);
    expect(run).toMatchObject({ status: 'succeeded', entity_id: id, event_type: 'task.status_changed', error: null });
    expect(await task(id)).toMatchObject({ priority: 'high', metadata: { begun: true } });
    expect(await commentsOn(id)).toEqual(['Well begun.']);
    expect(await inboxOf(bob)).toMatchObject([
      { subject: 'Begun', content: 'It is begun.', sender_id: ann.resourceId, entity_id: id },
    ]);
    const [created, moved, patched] = await events(id);
    expect([created.rule_id, moved.rule_name]).toEqual([null, null]);
    expect(moved.id).toBe(run.event_id);
    expect(patched).toMatchObject({
      type: 'task.updated',
      actor_id: ann.resourceId,
      rule_id: rule,
      rule_name: 'Praise',
      request_id: run.id,
    });
  });

  it('are of things that match the filter, for events of the patterns', async () => {
    const comment = { actions: [{ comment: { content: 'Seen.' } }] };
    await rules.make(garden, { ...comment, filter: { filter: 'status = "active" AND assignee_id = me' } });
    const [mine, other, planned] = [
      await app.task(ann, garden, { assignee_id: 'me' }),
      await app.task(bob, garden, { assignee_id: 'me' }),
      await app.task(ann, garden, { assignee_id: 'me' }),
    ];
    await rules.move(mine, 'active').expect(200);
    await rules.move(other, 'active', bob).expect(200);
    await app.as(ann).patch(`/tasks/${planned}`).send({ title: 'Another' }).expect(200);
    await rules.settled();
    expect(await commentsOn(mine)).toEqual(['Seen.']);
    expect(await commentsOn(other)).toEqual([]);
    expect(await commentsOn(planned)).toEqual([]);
  });

  it('are about the task or demand of comments, artifacts and approvals', async () => {
    const rule = await rules.make(garden, {
      on: ['comment.created', 'artifact.*', 'approval.created', 'time_entry.created', 'demand.created'],
      actions: [{ patch: { title: 'Talked about' } }],
    });
    const [id, demand] = [await app.task(ann, garden), await app.demand(ann, garden)];
    const said = { content: 'Green?' };
    await app
      .as(bob)
      .post('/comments')
      .send({ entity_type: 'task', entity_id: id, ...said })
      .expect(201);
    await app
      .as(bob)
      .post('/comments')
      .send({ entity_type: 'endeavour', entity_id: garden, ...said })
      .expect(201);
    const by = (path: string, body: object) => app.as(bob).post(path).send(body).expect(201);
    await by('/artifacts', { kind: 'link', title: 'Map', url: 'https://example.com', task_id: id });
    await by('/approvals', { entity_type: 'task', entity_id: id, verdict: 'approved' });
    await by('/time-entries', { task_id: id, minutes: 5, day: '2026-11-20' });
    await rules.settled();
    const runs = await rules.runs(rule);
    const shown = runs.map((run) => `${run.event_type} ${run.entity_id} ${run.status}`);
    const kinds = ['comment', 'artifact', 'approval', 'time_entry'];
    const expected = kinds.map((kind) => `${kind}.created ${id} succeeded`);
    expect(shown.toSorted()).toEqual([...expected, `demand.created ${demand} succeeded`].toSorted());
    expect((await task(id)).title).toBe('Talked about');
  });

  it('trigger no rule', async () => {
    const ping = await rules.make(garden, { on: ['task.*'], actions: [{ patch: { title: 'Ping' } }] });
    const pong = await rules.make(garden, { on: ['task.*', 'comment.*'], actions: [{ comment: { content: 'Pong' } }] });
    const id = await app.task(bob, garden);
    await rules.ended(ping);
    await rules.ended(pong);
    await rules.settled();
    expect([(await rules.runs(ping)).length, (await rules.runs(pong)).length]).toEqual([1, 1]);
    expect(await commentsOn(id)).toEqual(['Pong']);
  });

  it('of one event happen in the order of the rules, and those of a thing in the order of its events', async () => {
    for (const name of ['First', 'Second', 'Third']) {
      await rules.make(garden, { name, actions: [{ comment: { content: name } }] });
    }
    const last = await rules.make(garden, { actions: [{ comment: { content: 'Last' } }] });
    const id = await app.task(bob, garden);
    for (const status of ['active', 'planned']) await rules.move(id, status, bob).expect(200);
    await rules.ended(last, 2);
    const round = ['First', 'Second', 'Third', 'Last'];
    expect(await commentsOn(id)).toEqual([...round, ...round]);
  });

  it('wait while an operation keeps the endeavour closed', async () => {
    const rule = await rules.make(garden, { actions: [{ comment: { content: 'Seen.' } }] });
    const id = await app.task(bob, garden);
    await rules.spend(rule, garden);
    await rules.move(id, 'active', bob).expect(200);
    await rules.waiting(rule);
    const operation = newId('operation');
    await app.database.query(
      `INSERT INTO operations (id, type, user_id, created_by, container_id) VALUES ($1, 'archives', $2, $3, $4)`,
      [operation, ann.id, ann.resourceId, garden],
    );
    await app.database.query('UPDATE endeavours SET closed_by = $2 WHERE id = $1', [garden, operation]);
    await rules.nextMinute(rule);
    const due = `rule_runs WHERE rule_id = '${rule}' AND status = 'waiting' AND due_at > now()`;
    while ((await app.count(due)) === 0) continue;
    await app.database.query('UPDATE endeavours SET closed_by = NULL WHERE id = $1', [garden]);
    await app.database.query(`UPDATE rule_runs SET due_at = now() WHERE rule_id = $1 AND status = 'waiting'`, [rule]);
    await rules.ended(rule, 61);
    expect(await commentsOn(id)).toEqual(['Seen.']);
  });

  it('that fail are tried five times and hold up the others only so long', async () => {
    const rule = await rules.make(garden, { actions: [{ comment: { content: 'Broken' } }] });
    const other = await rules.make(garden, { actions: [{ patch: { title: 'Seen' } }] });
    const id = await app.task(bob, garden);
    await app.database.query(`CREATE FUNCTION break_it() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'broken'; END $$`);
    await app.database.query(`CREATE TRIGGER break_it BEFORE INSERT ON comments FOR EACH ROW
      WHEN (NEW.content = 'Broken') EXECUTE FUNCTION break_it()`);
    await rules.move(id, 'active', bob).expect(200);
    const due = `UPDATE rule_runs SET due_at = now() WHERE rule_id = $1 AND status = 'waiting'`;
    while (!(await rules.runs(rule)).some(({ status }) => status === 'failed')) await app.database.query(due, [rule]);
    await app.database.query('DROP TRIGGER break_it ON comments');
    expect(await rules.ended(rule)).toMatchObject([{ status: 'failed', error_code: 'internal_error' }]);
    expect(await app.count(`rule_runs WHERE rule_id = '${rule}' AND attempts = 4`)).toBe(1);
    expect(await rules.ended(other)).toMatchObject([{ status: 'succeeded' }]);
    expect((await task(id)).title).toBe('Seen');
  });

  it('do everything or nothing, and keep why they were refused', async () => {
    const rule = await rules.make(garden, {
      filter: { status: 'active' },
      actions: [{ comment: { content: 'Half' } }, { patch: { assignee_id: (await app.person('Eve')).resourceId } }],
    });
    const id = await app.task(bob, garden);
    await rules.move(id, 'active', bob).expect(200);
    const [run] = await rules.ended(rule);
    expect(run).toMatchObject({ status: 'refused', error_code: 'invalid_input', error: expect.any(String) });
    expect(await commentsOn(id)).toEqual([]);
    await app.as(bob).get(`/rules/${rule}/runs`).expect(403);
    expect((await app.as(ann).get(`/rules/${rule}/runs?status=refused`).expect(200)).body.meta.total).toBe(1);
  });

  it('begin with the events after the rule was made or enabled', async () => {
    const id = await app.task(bob, garden);
    await rules.move(id, 'active', bob).expect(200);
    const rule = await rules.make(garden, { is_enabled: false, actions: [{ comment: { content: 'Seen.' } }] });
    await rules.move(id, 'planned', bob).expect(200);
    await app.as(ann).patch(`/rules/${rule}`).send({ is_enabled: true }).expect(200);
    await rules.move(id, 'active', bob).expect(200);
    await rules.ended(rule);
    await rules.settled();
    expect(await commentsOn(id)).toEqual(['Seen.']);
    await app.as(ann).patch(`/rules/${rule}`).send({ is_enabled: false }).expect(200);
    await rules.move(id, 'planned', bob).expect(200);
    await rules.settled();
    expect(await commentsOn(id)).toEqual(['Seen.']);
  });

  it('beyond 60 of an endeavour in a minute wait, and those of others do not', async () => {
    const rule = await rules.make(garden, { on: ['task.created'], actions: [{ patch: { title: 'Seen' } }] });
    for (let at = 0; at < 62; at += 1) await app.task(ann, garden);
    await rules.ended(rule, 60);
    const lawn = await app.endeavour(ann);
    const other = await rules.make(lawn, { on: ['task.created'], actions: [{ patch: { title: 'Seen' } }] });
    await app.task(ann, lawn);
    await rules.ended(other);
    const waiting = (await rules.runs(rule)).filter(({ status }) => status === 'waiting');
    expect(waiting).toHaveLength(2);
    await rules.nextMinute(rule);
    expect(await rules.ended(rule, 62)).toHaveLength(62);
  });

  it('disable their rule with a message when 1,000 wait', async () => {
    const rule = await rules.make(garden, {
      name: 'Busy',
      on: ['task.created'],
      actions: [{ patch: { title: 'Seen' } }],
    });
    await app.database.query(
      `INSERT INTO rule_runs (id, rule_id, endeavour_id, event_id, event_type, entity_id, status, ran_at, due_at)
       SELECT new_id('rur'), $1, $2, new_id('evt'), 'task.created', new_id('tsk'),
         CASE WHEN n <= 60 THEN 'succeeded' ELSE 'waiting' END, CASE WHEN n <= 60 THEN now() END,
         CASE WHEN n > 60 THEN now() END FROM generate_series(1, 1059) n`,
      [rule, garden],
    );
    await app.task(bob, garden);
    expect(await rules.disabled(rule)).toMatchObject({ disabled_reason: 'too_many_waiting' });
    expect(await app.count(`rule_runs WHERE rule_id = '${rule}' AND status = 'canceled'`)).toBe(1_000);
    expect(await inboxOf(ann)).toMatchObject([{ subject: 'A rule was disabled', entity_id: rule, sender_id: null }]);
    await app.as(ann).patch(`/rules/${rule}`).send({ is_enabled: true }).expect(200);
  });

  it('do not reach archived endeavours', async () => {
    const rule = await rules.make(garden, { on: ['task.*'], actions: [{ comment: { content: 'Seen.' } }] });
    const id = await app.task(bob, garden);
    await rules.ended(rule);
    await app.as(ann).post(`/endeavours/${garden}/archive`).send({ reason: 'Done.' }).expect(200);
    await rules.settled();
    expect(await commentsOn(id)).toEqual(['Seen.']);
    await app.as(ann).patch(`/rules/${rule}`).send({ name: 'Late' }).expect(409);
  });

  it('are tried for the latest events without writing', async () => {
    const eve = await app.person('Eve');
    const [id, still] = [await app.task(bob, garden), await app.task(bob, garden)];
    for (const each of [id, still]) await rules.move(each, 'active', bob).expect(200);
    await rules.move(still, 'planned', bob).expect(200);
    const body = { is_enabled: false, filter: { status: 'active' } };
    const rule = await rules.make(garden, { ...body, actions: [{ patch: { title: 'Seen' } }] });
    const refused = await rules.make(garden, { ...body, actions: [{ patch: { assignee_id: eve.resourceId } }] });
    const tryRule = async (each: string) =>
      (await app.as(ann).post(`/rules/${each}/dry-run`).expect(200)).body.data.events;
    const outcomes = (await tryRule(rule)).map((each: Record<string, unknown>) => [each.entity_id, each.outcome]);
    expect(outcomes).toEqual([
      [still, 'no_match'],
      [still, 'no_match'],
      [id, 'would_succeed'],
    ]);
    expect(await tryRule(refused)).toContainEqual(
      expect.objectContaining({ entity_id: id, outcome: 'would_be_refused', error_code: 'invalid_input' }),
    );
    expect((await task(id)).title).toBe('Paint the gate');
    await app.as(bob).post(`/rules/${rule}/dry-run`).expect(403);
  });
});
