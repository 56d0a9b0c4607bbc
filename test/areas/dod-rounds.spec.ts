import { Agreement, faults } from '../support/dod.js';
import type { TestApp, Person } from '../support/test-app.js';

describe('the rounds of a task', () => {
  let agreed: Agreement;
  let app: TestApp;
  let [ann, bob, cat]: Person[] = [];

  beforeAll(async () => {
    agreed = await Agreement.open({ WORKERS: 'true' });
    ({ app, ann, bob } = agreed);
    cat = await app.person('Cat');
  });

  afterAll(() => app.close());

  const say = (id: string, person: Person, more: object = {}) =>
    app
      .as(person)
      .post('/approvals')
      .send({ entity_type: 'task', entity_id: id, verdict: 'approved', ...more });
  const verdict = async (id: string): Promise<string> => (await agreed.check(id)).result;
  const patch = (id: string, body: object, person = ann) => agreed.patch(id, body, person).expect(200);
  const report = async (id: string, result: string): Promise<string> => {
    const sent = { kind: 'test-report', title: 'Run', tags: ['test-report'], metadata: { result }, task_id: id };
    return (await app.as(bob).post('/artifacts').send(sent).expect(201)).body.data.id;
  };
  const reopen = async (id: string): Promise<void> => {
    await agreed.done(id).expect(200);
    await patch(id, { status: 'active' });
  };

  async function bound(...conditions: object[]): Promise<string> {
    const garden = await agreed.bound(...conditions);
    await app.join(garden, cat, 'member', ['product_owner']);
    return garden;
  }

  describe('evidence of an earlier round', () => {
    it('does not close a reopened task: reviews', async () => {
      const id = await agreed.active(await bound({ type: 'peer_review' }));
      await say(id, bob).expect(201);
      await reopen(id);
      await agreed.done(id).expect(409);
      await say(id, bob).expect(201);
      await say(id, bob).expect(409);
      await agreed.done(id).expect(200);
    });

    it('does not close a reopened task: sign-offs', async () => {
      const id = await agreed.active(await bound({ type: 'stakeholder_sign_off', params: { role: 'product_owner' } }));
      await say(id, cat, { role: 'product_owner' }).expect(201);
      await reopen(id);
      await say(id, cat).expect(201);
      await agreed.done(id).expect(409);
      await say(id, cat, { role: 'product_owner' }).expect(201);
      await agreed.done(id).expect(200);
    });

    it('does not close a reopened task: test reports, also one that is tied to it only now', async () => {
      const garden = await bound({ type: 'tests_pass' });
      const id = await agreed.active(garden);
      const sent = { kind: 'test-report', title: 'Old', tags: ['test-report'], metadata: { result: 'passed' } };
      const { body } = await app
        .as(bob)
        .post('/artifacts')
        .send({ ...sent, endeavour_id: garden })
        .expect(201);
      await report(id, 'passed');
      await reopen(id);
      await agreed.done(id).expect(409);
      const relation = {
        relationship_type: 'references',
        source_entity_type: 'artifact',
        source_entity_id: body.data.id,
        target_entity_type: 'task',
        target_entity_id: id,
      };
      await app.as(bob).post('/relations').send(relation).expect(201);
      await agreed.done(id).expect(409);
      await report(id, 'passed');
      await agreed.done(id).expect(200);
    });

    it('does not close a reopened task: posted results and attestations', async () => {
      const garden = await bound(
        { type: 'custom_check', params: { name: 'scan' } },
        { type: 'manual_attestation', id: 'careful' },
      );
      const id = await agreed.active(garden);
      const scan = () => app.as(bob).post(`/tasks/${id}/dod-results`).send({ name: 'scan', passed: true }).expect(201);
      await scan();
      await agreed.attest(id).expect(200);
      await reopen(id);
      await agreed.done(id).expect(409);
      await scan();
      await agreed.done(id).expect(409);
      await agreed.attest(id).expect(200);
      await agreed.done(id).expect(200);
    });

    it('still blocks as a rejection, but not as needs_work', async () => {
      const garden = await bound(
        { type: 'peer_review' },
        { type: 'stakeholder_sign_off', params: { role: 'product_owner' }, required: false },
      );
      const id = await agreed.active(garden);
      await say(id, cat, { verdict: 'needs_work' }).expect(201);
      await say(id, bob).expect(201);
      await reopen(id);
      await say(id, bob).expect(201);
      const [review, signOff] = (await agreed.check(id)).conditions;
      expect([review.status, signOff.detail]).toEqual(['passed', '0 of 1 approvals in the role product_owner']);
      await agreed.done(id).expect(200);
      await patch(id, { status: 'active' });
      await say(id, cat, { verdict: 'rejected' }).expect(201);
      await agreed.override(id).expect(200);
      await reopen(id);
      await say(id, bob).expect(201);
      expect(await verdict(id)).toBe('not_met');
    });

    it('counts in the first round if it is older than the task, and survives canceling', async () => {
      const garden = await bound({ type: 'tests_pass' }, { type: 'peer_review' });
      const id = await agreed.active(garden);
      await report(id, 'passed');
      await say(id, bob).expect(201);
      await patch(id, { status: 'canceled', canceled_reason: 'Rain' });
      await patch(id, { status: 'planned' });
      await patch(id, { status: 'active' });
      await agreed.done(id).expect(200);
    });

    it('keeps comments and the checklist', async () => {
      const garden = await bound({ type: 'comment_required' }, { type: 'checklist_complete' });
      const id = await agreed.active(garden, { metadata: { checklist: [{ text: 'Paint', checked: true }] } });
      const sent = { entity_type: 'task', entity_id: id, content: 'Well done' };
      await app.as(bob).post('/comments').send(sent).expect(201);
      await reopen(id);
      await agreed.done(id).expect(200);
    });
  });

  describe('a done task whose approved content changes', () => {
    const dod = async (id: string) => (await agreed.task(id)).dod;
    const events = async (id: string): Promise<string[]> =>
      (await app.as(ann).get(`/tasks/${id}/changes?limit=5`).expect(200)).body.data.map(
        ({ type }: { type: string }) => type,
      );
    const notified = async (person: Person, id: string): Promise<string[][]> =>
      (await app.as(person).get('/notifications').expect(200)).body.data
        .filter(({ entity_id }: { entity_id: string }) => entity_id === id)
        .map(({ kinds }: { kinds: string[] }) => kinds);

    it('is changed until a check with new evidence is met, and tells those who approved it', async () => {
      const garden = await bound({ type: 'peer_review' });
      const id = await agreed.active(garden);
      await say(id, bob).expect(201);
      await agreed.done(id).expect(200);
      const { body } = await agreed.patch(id, { title: 'Sell the house' }, cat).expect(200);
      expect(body.data.dod).toMatchObject({
        result: 'changed',
        changed_by: cat.resourceId,
        changed_at: expect.any(String),
      });
      expect(await events(id)).toContain('dod.changed');
      expect(await notified(bob, id)).toEqual([['review_wanted']]);
      const changed = `/tasks?endeavour_id=${garden}&dod=changed`;
      const listed = async () =>
        (await app.as(ann).get(changed).expect(200)).body.data.map((each: { id: string }) => each.id);
      expect(await listed()).toEqual([id]);
      expect(await verdict(id)).toBe('not_met');
      await say(id, cat).expect(201);
      expect(await verdict(id)).toBe('not_met');
      await say(id, bob).expect(201);
      const check = await agreed.check(id, bob);
      expect([check.result, (await dod(id)).result]).toEqual(['met', 'changed']);
      const confirming = await agreed.check(id);
      expect(await dod(id)).toMatchObject({
        result: 'met',
        check_id: confirming.id,
        changed_by: null,
        changed_at: null,
      });
      expect(await listed()).toEqual([]);
      expect((await app.as(ann).get(`/tasks?endeavour_id=${garden}&dod=met`).expect(200)).body.data).toHaveLength(1);
    });

    it('is changed by its checklist and acceptance, under any policy, but not by ticks, dates and labels', async () => {
      const garden = await bound({ type: 'comment_required' });
      const metadata = { checklist: [{ text: 'Paint' }], acceptance: ['Green'] };
      const id = await agreed.active(garden, { metadata });
      const sent = { entity_type: 'task', entity_id: id, content: 'Well done' };
      await app.as(bob).post('/comments').send(sent).expect(201);
      await agreed.done(id).expect(200);
      await patch(id, { due_date: '2027-01-01', estimate: 3, metadata: { labels: ['a'] } });
      await patch(id, { metadata: { checklist: [{ text: 'Paint', checked: true }] } });
      expect((await dod(id)).result).toBe('met');
      await patch(id, { metadata: { acceptance: ['Blue'] } });
      expect((await dod(id)).result).toBe('changed');
      await agreed.check(id);
      expect((await dod(id)).result).toBe('met');
      await patch(id, { metadata: { checklist: [{ text: 'Sell' }] } });
      expect((await dod(id)).result).toBe('changed');
    });

    it('is changed by a bulk change and by a field that its policy names', async () => {
      const garden = await bound({ type: 'field_populated', params: { field: 'result_summary' } });
      const id = await agreed.active(garden, { metadata: { result_summary: 'Green' } });
      await agreed.done(id).expect(200);
      await patch(id, { metadata: { colour: 'blue' } });
      expect((await dod(id)).result).toBe('met');
      const bulk = { filter: { endeavour_id: garden }, changes: { metadata: { result_summary: 'Blue' } } };
      const { headers } = await app.as(ann).post('/tasks/bulk').send(bulk).expect(202);
      const { body } = await app.ended(ann, headers.location);
      expect(body.data.status).toBe('succeeded');
      expect((await dod(id)).result).toBe('changed');
    });

    it('stays changed without a policy, also in another endeavour', async () => {
      const garden = await bound({ type: 'field_populated', params: { field: 'description' } });
      const id = await agreed.active(garden, { description: 'Green' });
      await agreed.done(id).expect(200);
      await patch(id, { description: 'Blue' });
      await app.as(ann).delete(`/endeavours/${garden}/dod-policy`).expect(200);
      expect(await verdict(id)).toBe('no_policy');
      expect((await dod(id)).result).toBe('changed');
      const shed = await app.endeavour(ann);
      await patch(id, { endeavour_id: shed });
      expect((await dod(id)).result).toBe('changed');
    });

    it('does not become met by the evidence from before, when it changes in the patch that moves it', async () => {
      const garden = await bound({ type: 'custom_check', params: { name: 'scan' } });
      const shed = await bound({ type: 'custom_check', params: { name: 'scan' } });
      const id = await agreed.active(garden);
      await app.as(bob).post(`/tasks/${id}/dod-results`).send({ name: 'scan', passed: true }).expect(201);
      await agreed.done(id).expect(200);
      await patch(id, { endeavour_id: shed, title: 'Sell the house' });
      expect((await dod(id)).result).toBe('changed');
      await agreed.check(id);
      expect((await dod(id)).result).toBe('changed');
    });

    it('keeps no result when it was done without a policy', async () => {
      const shed = await app.endeavour(ann);
      const id = await agreed.active(shed);
      await agreed.done(id).expect(200);
      await patch(id, { title: 'Sell the house' });
      expect((await dod(id)).result).toBe('no_policy');
    });
  });

  describe('attestations and overrides', () => {
    it('do not count under a new version that asks something else', async () => {
      const careful = { type: 'manual_attestation', id: 'careful', params: { prompt: 'I corrected the typo.' } };
      const garden = await bound(careful);
      const id = await agreed.active(garden);
      const other = await agreed.active(garden);
      await agreed.attest(id).expect(200);
      await agreed.override(other).expect(200);
      const { dod_policy_id } = (await app.as(ann).get(`/endeavours/${garden}`).expect(200)).body.data;
      const version = async (policy: string, conditions: object[]) => {
        const sent = { name: 'Next', conditions };
        const { body } = await app.as(agreed.ada).post(`/dod-policies/${policy}/versions`).send(sent).expect(201);
        await agreed.assign(garden, body.data.id).expect(200);
        await agreed.endorse(garden).expect(201);
        return body.data.id;
      };
      const asks = { ...careful, params: { prompt: 'The lawyers have signed.' } };
      const second = await version(dod_policy_id, [asks]);
      await agreed.done(id).expect(409);
      const { body } = await agreed.done(other).expect(409);
      expect(body.error.details).toMatchObject({ overridden: false });
      expect(body.error.message).toContain('another version');
      await agreed.attest(id).expect(200);
      await agreed.override(other).expect(200);
      await version(second, [careful, { ...asks, id: 'signed' }]);
      await agreed.done(id).expect(409);
      await patch(id, { metadata: { dod_attested: ['careful'] } });
      await agreed.done(id).expect(409);
      await patch(id, { metadata: { dod_attested: ['signed'] } }, bob);
      const attested = await agreed.check(id);
      expect(attested.conditions.map(({ detail }: { detail: string }) => detail)).toEqual([
        `attested by ${ann.resourceId}`,
        `attested by ${bob.resourceId}`,
      ]);
      await agreed.done(id).expect(200);
    });

    it('name only conditions in force, and are never without effect', async () => {
      const garden = await bound({ type: 'manual_attestation', id: 'careful' });
      const id = await agreed.active(garden);
      const refused = await agreed.patch(id, { metadata: { dod_attested: ['careful', 'signed'] } }).expect(409);
      expect(refused.body.error.details).toEqual({ reason: 'not_in_force' });
      const { body } = await agreed.patch(id, { metadata: { dod_attested: [] } }).expect(400);
      expect(faults(body)).toEqual(['metadata.dod_attested invalid_type']);
      const first = (await agreed.attest(id).expect(200)).body.data;
      const second = (await agreed.attest(id, bob).expect(200)).body.data;
      expect(second.revision).toBe(first.revision + 1);
      expect((await agreed.check(id)).conditions[0].detail).toBe(`attested by ${bob.resourceId}`);
    });
  });

  it('can be given again, once the role of a sign-off is held', async () => {
    const garden = await bound({ type: 'stakeholder_sign_off', params: { role: 'lawyer' } });
    const id = await agreed.active(garden);
    const first = await say(id, cat, { role: 'lawyer' }).expect(201);
    expect(first.body.data.role_held).toBe(false);
    expect((await say(id, cat, { role: 'lawyer' }).expect(409)).body.error.details.reason).toBe('already_given');
    const member = { stakeholder_roles: ['lawyer'] };
    await app.as(ann).patch(`/endeavours/${garden}/members/${cat.id}`).send(member).expect(200);
    await say(id, cat, { role: 'lawyer' }).expect(201);
    await say(id, cat, { role: 'lawyer' }).expect(409);
    await agreed.done(id).expect(200);
  });
});
