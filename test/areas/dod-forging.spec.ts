import { Agreement, faults } from '../support/dod.js';
import type { TestApp, Person } from '../support/test-app.js';

describe('attempts to forge a done task', () => {
  let agreed: Agreement;
  let app: TestApp;
  let [ann, bob, cat]: Person[] = [];

  beforeAll(async () => {
    agreed = await Agreement.open();
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

  /** Creates an endeavour of Ann with a policy that the members Bob and Cat have endorsed as well. */
  async function bound(...conditions: object[]): Promise<string> {
    const garden = await agreed.bound(...conditions);
    await app.join(garden, cat, 'member');
    for (const person of [bob, cat]) await agreed.endorse(garden, person).expect(201);
    return garden;
  }

  const comment = async (id: string, person: Person): Promise<string> => {
    const sent = { entity_type: 'task', entity_id: id, content: 'Hm' };
    return (await app.as(person).post('/comments').send(sent).expect(201)).body.data.id;
  };
  async function tieReport(id: string, person: Person): Promise<void> {
    const { endeavour_id } = await agreed.task(id);
    const sent = { kind: 'report', title: 'Run', endeavour_id };
    const { body } = await app.as(ann).post('/artifacts').send(sent).expect(201);
    const source = { source_entity_type: 'artifact', source_entity_id: body.data.id };
    const relation = { relationship_type: 'references', ...source, target_entity_type: 'task', target_entity_id: id };
    await app.as(person).post('/relations').send(relation).expect(201);
  }

  /** Creates an active task of Ann in an endeavour that requires peer review. */
  const reviewed = async (params: object = {}): Promise<string> =>
    agreed.active(await bound({ type: 'peer_review', params }));

  describe('by reviewing one’s own work', () => {
    it('excludes an assignee who hands the task to a colleague with the closing patch', async () => {
      const id = await agreed.active(await bound({ type: 'peer_review' }), { assignee_id: bob.id });
      await say(id, bob).expect(201);
      await agreed.done(id, ann, { assignee_id: cat.id }).expect(409);
      await agreed.done(id, bob, { assignee_id: cat.id }).expect(409);
    });

    it('permanently excludes a former assignee who worked on it', async () => {
      const id = await reviewed();
      await patch(id, { assignee_id: bob.id });
      await patch(id, { metadata: { colour: 'green' } }, bob);
      await patch(id, { assignee_id: null });
      await say(id, bob).expect(201);
      expect(await verdict(id)).toBe('not_met');
    });

    it('permanently excludes users who assigned the task to themselves', async () => {
      const id = await reviewed();
      await patch(id, { assignee_id: bob.id }, bob);
      await patch(id, { assignee_id: null }, bob);
      await say(id, bob).expect(201);
      expect(await verdict(id)).toBe('not_met');
    });

    it('excludes an assignee after an hour of activity, even without writes', async () => {
      const id = await reviewed();
      await patch(id, { assignee_id: bob.id });
      await app.database.query(
        `UPDATE task_assignments SET assigned_at = assigned_at - interval '2 hours' WHERE task_id = $1`,
        [id],
      );
      await app.database.query(
        `UPDATE task_statuses SET entered_at = entered_at - interval '61 minutes' WHERE task_id = $1 AND left_at IS NULL`,
        [id],
      );
      await patch(id, { assignee_id: null });
      await say(id, bob).expect(201);
      expect(await verdict(id)).toBe('not_met');
    });

    it('excludes a member who left the assigned team a minute ago', async () => {
      const garden = await bound({ type: 'peer_review' });
      const id = await agreed.active(garden);
      const team = await teamOf(garden, [bob]);
      await patch(id, { assignee_id: team });
      await app.as(ann).delete(`/resources/${team}/members/${bob.resourceId}`).expect(200);
      await say(id, bob).expect(201);
      expect(await verdict(id)).toBe('not_met');
      await say(id, cat).expect(201);
      expect(await verdict(id)).toBe('met');
    });

    describe('of an agent that was handed over while the task was assigned to it', () => {
      /** An agent of Bob and Cat, who are owners of its organization; Bob manages it first. */
      async function sharedAgent(garden: string) {
        const organization = await app.organization(bob);
        await app.join(organization, cat, 'member');
        const { body } = await app
          .as(bob)
          .post('/agents')
          .send({ name: 'Bot', organization_id: organization })
          .expect(201);
        const bot = { ...bob, id: String(body.data.id), resourceId: String(body.data.resource_id) };
        await app.join(garden, bot, 'member');
        const member = (person: Person): string => `/organizations/${organization}/members/${person.id}`;
        const actFor = async (manager: Person): Promise<void> => {
          const sent = { name: 'Work', scopes: ['*'] };
          const made = await app.as(manager).post(`/agents/${bot.id}/tokens`).send(sent).expect(201);
          bot.token = made.body.data.token;
        };
        const handOver = async (from: Person, to: Person): Promise<void> => {
          await app.as(from).patch(member(to)).send({ role: 'owner' }).expect(200);
          await app.as(to).patch(member(from)).send({ role: 'member' }).expect(200);
          await actFor(to);
        };
        await actFor(bob);
        return { bot, handOver };
      }

      it('excludes only managers of the times at which it wrote', async () => {
        const garden = await bound({ type: 'peer_review' });
        const { bot, handOver } = await sharedAgent(garden);
        const id = await agreed.active(garden, { assignee_id: bot.id });
        await patch(id, { metadata: { colour: 'green' } }, bot);
        await handOver(bob, cat);
        await handOver(cat, bob);
        await patch(id, { assignee_id: null });
        await say(id, bob).expect(201);
        expect(await verdict(id)).toBe('not_met');
        await say(id, cat).expect(201);
        expect(await verdict(id)).toBe('met');
      });

      it('excludes a manager in whose time it wrote again, after the agent was handed back', async () => {
        const garden = await bound({ type: 'peer_review' });
        const { bot, handOver } = await sharedAgent(garden);
        const id = await agreed.active(garden, { assignee_id: bot.id });
        await patch(id, { metadata: { colour: 'green' } }, bot);
        await handOver(bob, cat);
        await patch(id, { metadata: { colour: 'red' } }, bot);
        await handOver(cat, bob);
        await patch(id, { assignee_id: null });
        await say(id, cat).expect(201);
        expect(await verdict(id)).toBe('not_met');
      });

      it('excludes all its managers if only the agent is known as a writer', async () => {
        const garden = await bound({ type: 'peer_review' });
        const { bot, handOver } = await sharedAgent(garden);
        const id = await agreed.active(garden, { assignee_id: bot.id });
        await patch(id, { metadata: { colour: 'green' } }, bot);
        await app.database.query('UPDATE task_assignments SET writers = ARRAY[$2] WHERE task_id = $1', [
          id,
          bot.resourceId,
        ]);
        await handOver(bob, cat);
        await handOver(cat, bob);
        await patch(id, { assignee_id: null });
        await say(id, cat).expect(201);
        expect(await verdict(id)).toBe('not_met');
      });

      it('excludes a manager of an agent in a team only for the time of its membership', async () => {
        const garden = await bound({ type: 'peer_review' });
        const { bot, handOver } = await sharedAgent(garden);
        const team = await teamOf(garden, []);
        const id = await agreed.active(garden, { assignee_id: team });
        await handOver(bob, cat);
        await handOver(cat, bob);
        const joining = [team, bot.resourceId];
        await app.database.query('INSERT INTO team_members (team_id, resource_id) VALUES ($1, $2)', joining);
        await say(id, cat).expect(201);
        expect(await verdict(id)).toBe('met');
      });
    });

    it('excludes a user who posted evidence while assigned', async () => {
      const id = await reviewed();
      await patch(id, { assignee_id: bob.id });
      await app.as(bob).post(`/tasks/${id}/dod-results`).send({ name: 'scan', passed: true }).expect(201);
      await patch(id, { assignee_id: null });
      await say(id, bob).expect(201);
      expect(await verdict(id)).toBe('not_met');
    });

    it.each<[string, (id: string) => unknown]>([
      ['gives the assignment up', () => undefined],
      ['comments', (id) => comment(id, bob)],
      [
        'edits a comment',
        async (id) =>
          app
            .as(bob)
            .patch(`/comments/${await comment(id, bob)}`)
            .send({ content: 'Ah' }),
      ],
      ['enters hours', (id) => patch(id, { actual: 3 }, bob)],
      ['ties a report to it', (id) => tieReport(id, bob)],
      ['takes it over by his team', (id) => patch(id, { assignee_id: null }, bob)],
    ])('excludes an assignee of a minute who %s', async (act, work) => {
      const garden = await bound({ type: 'peer_review' });
      const id = await agreed.active(garden);
      const assignee = act.includes('team') ? await teamOf(garden, [bob]) : bob.id;
      await patch(id, { assignee_id: assignee });
      await work(id);
      await patch(id, { assignee_id: null }, act.startsWith('gives') ? bob : ann);
      await say(id, bob).expect(201);
      expect(await verdict(id)).toBe('not_met');
      await say(id, cat).expect(201);
      expect(await verdict(id)).toBe('met');
    });

    it('excludes only the user who last changed the content', async () => {
      const id = await reviewed();
      await patch(id, { description: 'Green' }, bob);
      await say(id, bob).expect(201);
      expect(await verdict(id)).toBe('not_met');
      await patch(id, { description: 'Blue' }, cat);
      await say(id, bob).expect(201);
      expect(await verdict(id)).toBe('met');
    });

    it('does not let a brief assignment by another person disqualify a reviewer or lift a rejection', async () => {
      const id = await reviewed();
      await patch(id, { assignee_id: bob.id });
      await patch(id, { status: 'planned' }, bob);
      await patch(id, { status: 'active', due_date: '2027-01-01' }, bob);
      await patch(id, { assignee_id: null });
      await say(id, bob).expect(201);
      expect(await verdict(id)).toBe('met');
      await say(id, cat, { verdict: 'rejected' }).expect(201);
      expect(await verdict(id)).toBe('not_met');
      await patch(id, { assignee_id: cat.id });
      expect(await verdict(id)).toBe('not_met');
      await patch(id, { status: 'planned' }, cat);
      await patch(id, { status: 'active', assignee_id: null });
      expect(await verdict(id)).toBe('not_met');
      await agreed.done(id).expect(409);
    });
  });

  describe('by a role that the user does not hold', () => {
    it('rejects member roles as names of stakeholder roles', async () => {
      const garden = await bound({ type: 'stakeholder_sign_off', params: { role: 'owner' } });
      const member = `/endeavours/${garden}/members/${bob.id}`;
      const { body } = await app
        .as(ann)
        .patch(member)
        .send({ stakeholder_roles: ['qa', 'owner', ' Admin'] })
        .expect(400);
      expect(faults(body)).toEqual(['stakeholder_roles.1 invalid_value', 'stakeholder_roles.2 invalid_value']);
      const added = { endeavour_id: garden, stakeholder_roles: ['viewer'] };
      await app.as(ann).post(`/users/${bob.id}/endeavours`).send(added).expect(400);
      const id = await agreed.active(garden);
      expect((await say(id, bob, { role: 'owner' }).expect(201)).body.data.role_held).toBe(false);
      expect(await verdict(id)).toBe('not_met');
    });

    it('counts no sign-off of an author or of a user who lost the role', async () => {
      const garden = await bound({ type: 'stakeholder_sign_off', params: { role: 'product_owner' } });
      const hold = (person: Person, roles: string[]) =>
        app.as(ann).patch(`/endeavours/${garden}/members/${person.id}`).send({ stakeholder_roles: roles }).expect(200);
      await hold(ann, ['product_owner']);
      await hold(bob, ['product_owner']);
      const id = await agreed.active(garden);
      await say(id, ann, { role: 'product_owner' }).expect(201);
      expect(await verdict(id)).toBe('not_met');
      await say(id, bob, { role: 'product_owner' }).expect(201);
      expect(await verdict(id)).toBe('met');
      await hold(bob, []);
      expect(await verdict(id)).toBe('not_met');
    });
  });

  describe('by approvals of people who have lost their role', () => {
    it.each([
      ['was removed', `DELETE FROM endeavour_members WHERE endeavour_id = $1 AND user_id = $2`],
      ['was demoted', `UPDATE endeavour_members SET role = 'viewer' WHERE endeavour_id = $1 AND user_id = $2`],
      ['was suspended', `UPDATE users SET status = 'suspended' WHERE id = $2 AND $1::text IS NOT NULL`],
    ])('counts no approval of a reviewer who %s', async (_, sql) => {
      const rex = await app.person('Rex');
      const garden = await bound({ type: 'peer_review' });
      await app.join(garden, rex, 'member');
      const id = await agreed.active(garden);
      await say(id, rex).expect(201);
      expect(await verdict(id)).toBe('met');
      await app.database.query(sql, [garden, rex.id]);
      await agreed.done(id).expect(409);
    });

    it('does not count the approval of an administrator who is not a member', async () => {
      const id = await reviewed();
      await say(id, agreed.ada).expect(201);
      expect(await verdict(id)).toBe('not_met');
    });

    it('ends an endorsement when the membership ends', async () => {
      const garden = await agreed.bound({ type: 'manual_attestation' });
      await agreed.endorse(garden, bob).expect(201);
      await app.as(ann).delete(`/endeavours/${garden}/members/${bob.id}`).expect(200);
      await app.join(garden, bob, 'member');
      const [endorsement] = await agreed.endorsements(garden, ann, `&resource_id=${bob.resourceId}`);
      expect(endorsement.status).toBe('withdrawn');
      const [event] = await app.database.query(
        `SELECT audience, data->>'resource_id' AS resource FROM events WHERE type = 'dod_endorsement.withdrawn' AND entity_id = $1`,
        [endorsement.id],
      );
      expect(event).toEqual({ audience: [bob.resourceId], resource: bob.resourceId });
      const id = await agreed.active(garden);
      await agreed.attest(id, bob).expect(200);
      await agreed.done(id, bob).expect(409);
    });
  });

  describe('by ignoring a rejection', () => {
    it('keeps a task open that a second reviewer rejects after an approval', async () => {
      const id = await agreed.active(await bound({ type: 'peer_review' }), {});
      await say(id, bob).expect(201);
      await say(id, cat, { verdict: 'rejected' }).expect(201);
      const { body } = await agreed.done(id).expect(409);
      expect(body.error.details.conditions[0].detail).toContain(`rejected by ${cat.resourceId}`);
      await patch(id, { title: 'Paint the fence' });
      await say(id, bob).expect(201);
      await agreed.done(id).expect(409);
      await say(id, cat).expect(201);
      await agreed.done(id).expect(200);
    });

    it.each<[string, (garden: string, task: string) => unknown]>([
      ['from the endeavour', (garden) => app.as(ann).delete(`/endeavours/${garden}/members/${cat.id}`).expect(200)],
      [
        'by making the endeavour private',
        async (garden) => {
          const organization = await app.organization(ann);
          await app.join(organization, cat, 'member');
          await app.link(organization, garden);
          await app.as(ann).delete(`/endeavours/${garden}/members/${cat.id}`).expect(200);
          await app.as(ann).patch(`/endeavours/${garden}`).send({ is_private: true }).expect(200);
        },
      ],
      [
        'by ending the link of their organization',
        async (garden) => {
          const organization = await app.organization(ann);
          await app.join(organization, cat, 'member');
          await app.link(organization, garden);
          await app.as(ann).delete(`/endeavours/${garden}/members/${cat.id}`).expect(200);
          await app.as(ann).delete(`/organizations/${organization}/endeavours/${garden}`).expect(200);
        },
      ],
    ])(
      'keeps the rejection of a person whom an author removes %s, until somebody else dismisses it',
      async (_, remove) => {
        const garden = await bound({ type: 'peer_review' });
        const dia = await app.person('Dia');
        await app.join(garden, dia, 'owner');
        const id = await agreed.active(garden);
        const rejection = (await say(id, cat, { verdict: 'rejected' }).expect(201)).body.data.id;
        await say(id, bob).expect(201);
        await remove(garden, id);
        await app.as(cat).get(`/tasks/${id}`).expect(404);
        await agreed.done(id).expect(409);
        await app.as(dia).post(`/approvals/${rejection}/dismiss`).send({ reason: 'Mistaken' }).expect(200);
        await agreed.done(id).expect(200);
      },
    );

    it('lifts the rejection of a person who leaves or is removed by someone else, and does not revive it when they return', async () => {
      const garden = await bound({ type: 'peer_review' });
      const dia = await app.person('Dia');
      await app.join(garden, dia, 'admin');
      const id = await agreed.active(garden);
      await say(id, bob).expect(201);
      await say(id, cat, { verdict: 'rejected' }).expect(201);
      const member = `/endeavours/${garden}/members/${cat.id}`;
      await app.as(dia).delete(member).expect(200);
      expect(await verdict(id)).toBe('met');
      await app.join(garden, cat, 'member');
      expect(await verdict(id)).toBe('met');
      await say(id, cat, { verdict: 'rejected' }).expect(201);
      await app.as(ann).delete(member).expect(200);
      expect(await verdict(id)).toBe('not_met');
      await app.join(garden, cat, 'member');
      await app.as(cat).delete(member).expect(200);
      expect(await verdict(id)).toBe('met');
    });

    it('keeps the rejection of an agent whose manager an author removes', async () => {
      const organization_id = await app.organization(cat);
      const { body } = await app.as(cat).post('/agents').send({ name: 'Bot', organization_id }).expect(201);
      const agent = { ...cat, id: body.data.id, resourceId: body.data.resource_id };
      const sent = { name: 'Work', scopes: ['*'] };
      const made = await app.as(cat).post(`/agents/${agent.id}/tokens`).send(sent).expect(201);
      const garden = await bound({ type: 'peer_review' });
      await app.join(garden, agent, 'member');
      const id = await agreed.active(garden);
      await say(id, bob).expect(201);
      await say(id, { ...agent, token: made.body.data.token }, { verdict: 'rejected' }).expect(201);
      await app.as(ann).delete(`/endeavours/${garden}/members/${cat.id}`).expect(200);
      expect(await verdict(id)).toBe('not_met');
    });

    it('closes it after an uninvolved admin dismissed the rejection, which the check reports', async () => {
      const garden = await bound({ type: 'peer_review' });
      const dia = await app.person('Dia');
      await app.join(garden, dia, 'admin');
      const id = await agreed.active(garden);
      await say(id, bob).expect(201);
      const rejection = (await say(id, cat, { verdict: 'rejected' }).expect(201)).body.data.id;
      const dismiss = (person: Person) =>
        app.as(person).post(`/approvals/${rejection}/dismiss`).send({ reason: 'About another task' });
      await dismiss(ann).expect(403);
      await dismiss(dia).expect(200);
      const check = await agreed.check(id);
      expect(check).toMatchObject({ result: 'met', rested_on: expect.arrayContaining([rejection]) });
      expect(check.conditions[0].detail).toContain(`${rejection} was dismissed by ${dia.resourceId}`);
    });
  });

  describe('by changing what was approved', () => {
    it('marks an approval stale when the checklist is replaced after it', async () => {
      const garden = await bound({ type: 'peer_review' }, { type: 'checklist_complete' });
      const id = await agreed.active(garden, { metadata: { checklist: [{ text: 'Test it' }, { text: 'Deploy it' }] } });
      await say(id, bob).expect(201);
      await agreed.done(id, ann, { metadata: { checklist: [{ text: 'Nothing', checked: true }] } }).expect(409);
      await patch(id, { metadata: { checklist: [{ text: 'Nothing', checked: true }] } });
      await agreed.done(id).expect(409);
      await say(id, bob).expect(201);
      await agreed.done(id).expect(200);
    });

    it.each(['checklist', 'acceptance'])(
      'marks an approval stale when the %s is replaced, under any policy',
      async (key) => {
        const id = await agreed.active(await bound({ type: 'peer_review' }), {
          metadata: { [key]: [{ text: 'Test it' }] },
        });
        await say(id, bob).expect(201);
        await patch(id, { metadata: { [key]: [{ text: 'Test it', checked: true }] } });
        expect(await verdict(id)).toBe('met');
        await patch(id, { metadata: { [key]: [{ text: 'Nothing' }] } });
        expect(await verdict(id)).toBe('not_met');
        await patch(id, { metadata: { [key]: [{ text: 'Test it' }] } });
        expect(await verdict(id)).toBe('not_met');
      },
    );

    it('keeps an approval when checklist items are only checked', async () => {
      const garden = await bound({ type: 'peer_review' }, { type: 'checklist_complete' });
      const id = await agreed.active(garden, { metadata: { checklist: [{ text: 'Test it' }] } });
      await say(id, bob).expect(201);
      await agreed.done(id, ann, { metadata: { checklist: [{ text: 'Test it', checked: true }] } }).expect(200);
    });

    it('rejects an attestation at creation, and voids one when the content changes', async () => {
      const garden = await bound({ type: 'manual_attestation' });
      const sent = { title: 'Paint', endeavour_id: garden, metadata: { dod_attested: true } };
      const { body } = await app.as(ann).post('/tasks').send(sent).expect(400);
      expect(faults(body)).toEqual(['metadata.dod_attested read_only']);
      const id = await agreed.active(garden);
      await agreed.attest(id, bob).expect(200);
      await patch(id, { estimate: 3 });
      expect(await agreed.task(id)).toMatchObject({ attested_at: expect.any(String) });
      await patch(id, { title: 'Paint the fence' });
      expect(await agreed.task(id)).toMatchObject({ attested_at: null, metadata: {} });
      await agreed.done(id).expect(409);
    });

    it('ends an override when the content changes, which requires the right to cancel', async () => {
      const garden = await bound({ type: 'manual_attestation' });
      const id = await agreed.active(garden);
      await agreed.override(id).expect(200);
      await agreed.patch(id, { title: 'Paint the fence' }, bob).expect(403);
      await patch(id, { due_date: '2027-01-01' }, bob);
      await patch(id, { title: 'Paint the fence' });
      expect((await agreed.task(id)).dod).toBeNull();
      await agreed.done(id).expect(409);
    });
  });

  describe('by self-made evidence', () => {
    const report = async (person: Person, result: string, more: object): Promise<string> => {
      const sent = { kind: 'test-report', title: 'Run', tags: ['test-report'], metadata: { result }, ...more };
      return (await app.as(person).post('/artifacts').send(sent).expect(201)).body.data.id;
    };
    const relate = async (person: Person, artifact: string, task: string): Promise<string> => {
      const ends = { source_entity_type: 'artifact', source_entity_id: artifact };
      const sent = { relationship_type: 'references', ...ends, target_entity_type: 'task', target_entity_id: task };
      return (await app.as(person).post('/relations').send(sent).expect(201)).body.data.id;
    };

    it.each(['passed', 'failed'])(
      'ignores a %s report that a viewer created elsewhere and related to the task',
      async (result) => {
        const garden = await bound({ type: 'tests_pass' });
        const vic = await app.person('Vic');
        await app.join(garden, vic, 'viewer');
        const id = await agreed.active(garden);
        if (result === 'failed') await report(ann, 'passed', { task_id: id });
        const own = await app.endeavour(vic);
        await relate(vic, await report(vic, result, { endeavour_id: own }), id);
        expect(await verdict(id)).toBe(result === 'failed' ? 'met' : 'not_met');
      },
    );

    it('keeps the result of a report, even if the artifact changes', async () => {
      const garden = await bound({ type: 'tests_pass' });
      const id = await agreed.active(garden);
      const failed = await report(bob, 'failed', { task_id: id });
      const change = (body: object) => app.as(bob).patch(`/artifacts/${failed}`).send(body);
      const shed = await app.task(ann, garden);
      for (const body of [
        { metadata: { result: 'passed' } },
        { metadata: { result: null } },
        { metadata: null },
        { tags: ['notes'] },
        { task_id: null },
        { task_id: shed },
      ]) {
        expect((await change(body).expect(409)).body.error.details.reason).toBe('evidence');
      }
      await change({ title: 'Nightly run', metadata: { seconds: 3 } }).expect(200);
      const passed = await report(ann, 'passed', { endeavour_id: garden });
      await app.database.query(`UPDATE artifacts SET created_at = created_at - interval '1 hour' WHERE id = $1`, [
        passed,
      ]);
      await relate(ann, passed, id);
      expect(await verdict(id)).toBe('not_met');
      await change({ status: 'archived' }).expect(200);
      expect(await verdict(id)).toBe('not_met');
      await app.as(bob).delete(`/artifacts/${failed}`).expect(200);
      expect(await agreed.check(id)).toMatchObject({ result: 'not_met', rested_on: [failed] });
      await report(ann, 'passed', { task_id: id });
      expect(await verdict(id)).toBe('met');
    });

    it('keeps a failed report of an endeavour that the task has left, wherever it goes, in every order', async () => {
      const [garden, shed] = [await bound({ type: 'tests_pass' }), await bound({ type: 'tests_pass' })];
      const id = await agreed.active(garden);
      const failed = await report(ann, 'failed', { endeavour_id: garden });
      const relation = await relate(ann, failed, id);
      await patch(id, { endeavour_id: shed });
      const check = await agreed.check(id);
      expect([check.result, check.rested_on]).toEqual(['not_met', [failed]]);
      expect(check.conditions[0].detail).toMatch(new RegExp(`^${failed} of 20[-0-9T:.]+Z is the latest result$`));
      await app.as(ann).delete(`/relations/${relation}`).expect(200);
      await app.as(ann).delete(`/artifacts/${failed}`).expect(200);
      await agreed.done(id).expect(409);
      await report(ann, 'passed', { task_id: id });
      expect(await verdict(id)).toBe('met');
      await relate(ann, await report(ann, 'failed', { endeavour_id: garden }), id);
      expect(await verdict(id)).toBe('not_met');
      await patch(id, { endeavour_id: garden });
      expect(await verdict(id)).toBe('not_met');
    });

    it('keeps a failed report whose relation is deleted, and drops one that passed', async () => {
      const garden = await bound({ type: 'tests_pass' });
      const id = await agreed.active(garden);
      const relation = await relate(ann, await report(ann, 'passed', { endeavour_id: garden }), id);
      expect(await verdict(id)).toBe('met');
      await app.as(ann).delete(`/relations/${relation}`).expect(200);
      expect(await verdict(id)).toBe('not_met');
      await relate(ann, await report(ann, 'passed', { endeavour_id: garden }), id);
      const against = await relate(ann, await report(ann, 'failed', { endeavour_id: garden }), id);
      await app.as(ann).delete(`/relations/${against}`).expect(200);
      expect(await verdict(id)).toBe('not_met');
    });
  });

  describe('by text that shows nothing', () => {
    const INVISIBLE = [
      '\u200b',
      ' \u2060\ufeff ',
      '<!-- looks good -->',
      '<!-- a --> \u00ad<!-- never closed',
      '&#8203;&nbsp;',
    ];

    it.each(INVISIBLE)('stores the comment %j, and counts it nowhere', async (content) => {
      const id = await agreed.active(await bound({ type: 'comment_required' }));
      const sent = { entity_type: 'task', entity_id: id, content };
      const { body } = await app.as(bob).post('/comments').send(sent).expect(201);
      expect(body.data.content).toBe(content);
      expect(await verdict(id)).toBe('not_met');
      await app.as(bob).patch(`/comments/${body.data.id}`).send({ content: 'Well done' }).expect(200);
      expect(await verdict(id)).toBe('met');
      await app.as(bob).patch(`/comments/${body.data.id}`).send({ content }).expect(200);
      expect(await verdict(id)).toBe('not_met');
    });

    it.each(INVISIBLE)('counts %j neither as a field nor as an item of a checklist', async (text) => {
      const garden = await bound(
        { type: 'field_populated', params: { field: 'description' } },
        { type: 'field_populated', params: { field: 'result_summary' } },
        { type: 'checklist_complete' },
      );
      const metadata = { result_summary: [{ text }], checklist: [{ text, checked: true }] };
      const id = await agreed.active(garden, { description: text, metadata });
      const { conditions } = await agreed.check(id);
      expect(conditions.map(({ status }: { status: string }) => status)).toEqual(['failed', 'failed', 'failed']);
    });

    it('accepts it as no reason', async () => {
      const id = await agreed.active(await bound({ type: 'peer_review' }));
      await agreed.override(id, ann, '\u200b').expect(400);
      await agreed.patch(id, { status: 'canceled', canceled_reason: '<!-- no -->' }).expect(400);
      const rejection = (await say(id, cat, { verdict: 'rejected' }).expect(201)).body.data.id;
      await app.as(ann).post(`/approvals/${rejection}/dismiss`).send({ reason: '\u200b' }).expect(400);
    });
  });

  it.each(['title', 'status', 'owner_name', 'created_at', 'revision', 'started_at', 'completed_at'])(
    'refuses a condition that cannot fail: %s is filled',
    async (field) => {
      const conditions = [{ type: 'field_populated', params: { field } }];
      const sent = { name: 'Empty', conditions };
      const { body } = await app.as(agreed.ada).post('/dod-policies').send(sent).expect(400);
      expect(faults(body)).toEqual(['conditions.0.params.field invalid_value']);
    },
  );

  /** Creates a team in a new organization to which the endeavour is linked; returns the id of the team. */
  async function teamOf(endeavour: string, members: Person[]): Promise<string> {
    const organization = await app.organization(ann);
    await app.link(organization, endeavour);
    const sent = { name: 'Painters', type: 'team', organization_id: organization };
    const { body } = await app.as(ann).post('/resources').send(sent).expect(201);
    for (const member of members) {
      await app.join(organization, member, 'member');
      const added = { resource_id: member.resourceId };
      await app.as(ann).post(`/resources/${body.data.id}/members`).send(added).expect(201);
    }
    return body.data.id;
  }
});
