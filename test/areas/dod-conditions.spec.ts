import { Agreement, faults } from '../support/dod.js';
import type { TestApp, Person } from '../support/test-app.js';

describe('the Definition of Done', () => {
  let agreed: Agreement;
  let app: TestApp;
  let ann: Person;
  let bob: Person;

  beforeAll(async () => {
    agreed = await Agreement.open();
    ({ app, ann, bob } = agreed);
  });

  afterAll(() => app.close());

  const approve = (id: string, person: Person, more: object = {}) =>
    app
      .as(person)
      .post('/approvals')
      .send({ entity_type: 'task', entity_id: id, verdict: 'approved', ...more });
  const verdict = async (id: string) => (await agreed.check(id)).result;

  describe('conditions', () => {
    it('count the newest posted result of a custom check', async () => {
      const garden = await agreed.bound({ type: 'custom_check', params: { name: 'scan' } });
      const id = await agreed.active(garden);
      const post = (passed: boolean, more: object = {}, person = ann) =>
        app
          .as(person)
          .post(`/tasks/${id}/dod-results`)
          .send({ name: 'scan', passed, ...more });
      const vic = await app.person('Vic');
      await app.join(garden, vic, 'viewer');
      await post(true, {}, vic).expect(403);
      expect(faults((await post(true, { name: '', colour: 'red' }).expect(400)).body)).toEqual([
        'name too_short',
        'colour unknown_field',
      ]);
      await post(true).expect(201);
      expect((await agreed.check(id)).result).toBe('met');
      const { body } = await post(false, { detail: '3 leaks' }, bob).expect(201);
      expect(body.data).toMatchObject({ name: 'scan', passed: false, detail: '3 leaks', posted_by: bob.resourceId });
      expect(await agreed.check(id)).toMatchObject({ result: 'not_met', rested_on: [body.data.id] });
    });

    it('quote only the beginning of long prompts and posted details, in whole characters', async () => {
      const garden = await agreed.bound(
        { type: 'manual_attestation', params: { prompt: '🌱'.repeat(5000) } },
        { type: 'custom_check', params: { name: 'scan' } },
      );
      const id = await agreed.active(garden);
      const posted = { name: 'scan', passed: false, detail: `a${'🌱'.repeat(5000)}` };
      await app.as(ann).post(`/tasks/${id}/dod-results`).send(posted).expect(201);
      const { conditions, hint } = await agreed.check(id);
      expect(conditions).toMatchObject([
        { hint: `${'🌱'.repeat(500)}… Confirm with metadata.dod_attested: true.` },
        { detail: `scan failed: a${'🌱'.repeat(499)}…` },
      ]);
      expect(hint.length).toBeLessThan(2000);
    });

    it('count a custom check only by a holder of the role or the named user, and since the last reopening', async () => {
      const cat = await app.person('Cat');
      const garden = await agreed.bound(
        { type: 'custom_check', params: { name: 'audit', by: 'auditor' } },
        { type: 'custom_check', params: { name: 'scan', by: bob.id } },
      );
      await app.join(garden, cat, 'member', ['auditor']);
      const id = await agreed.active(garden);
      const post = (name: string, person: Person, passed = true) =>
        app.as(person).post(`/tasks/${id}/dod-results`).send({ name, passed });
      await post('audit', ann).expect(403);
      await post('scan', cat).expect(403);
      await post('lint', ann).expect(201);
      const { body, headers } = await post('audit', cat).expect(201);
      expect(headers.location).toBe(`/api/v1/dod-results/${body.data.id}`);
      expect((await app.as(bob).get(`/dod-results/${body.data.id}`).expect(200)).body.data).toEqual(body.data);
      await post('scan', bob).expect(201);
      const list = async (query: string) =>
        (await app.as(ann).get(`/tasks/${id}/dod-results?${query}`).expect(200)).body.data;
      expect((await list('')).map(({ name }: { name: string }) => name)).toEqual(['scan', 'audit', 'lint']);
      expect(await list(`name=audit&posted_by=${cat.id}&passed=true`)).toHaveLength(1);
      expect(await list('passed=false')).toEqual([]);
      await app
        .as(await app.person('Eve'))
        .get(`/tasks/${id}/dod-results`)
        .expect(404);
      const check = await agreed.check(id);
      expect(check.result).toBe('met');
      expect((await app.as(bob).get(`/dod-checks/${check.id}`).expect(200)).body.data).toEqual(check);
      await agreed.done(id).expect(200);
      await agreed.patch(id, { status: 'active' }).expect(200);
      await agreed.done(id).expect(409);
      await post('audit', cat).expect(201);
      await post('scan', bob).expect(201);
      await agreed.done(id).expect(200);
    });

    it('count comments on the task that are not deleted', async () => {
      const garden = await agreed.bound({ type: 'comment_required' });
      const id = await agreed.active(garden);
      const comment = (entity_type: string, entity_id: string) =>
        app.as(bob).post('/comments').send({ entity_type, entity_id, content: 'Well done' }).expect(201);
      await comment('endeavour', garden);
      expect((await agreed.check(id)).result).toBe('not_met');
      const { body } = await comment('task', id);
      expect(await agreed.check(id)).toMatchObject({ result: 'met', rested_on: [body.data.id] });
      await app.as(bob).delete(`/comments/${body.data.id}`).expect(200);
      expect((await agreed.check(id)).result).toBe('not_met');
    });

    it('rest on no more comments than they require', async () => {
      const garden = await agreed.bound({ type: 'comment_required', params: { min_comments: 2 } });
      const id = await agreed.active(garden);
      const comments: string[] = [];
      while (comments.length < 4) {
        const sent = { entity_type: 'task', entity_id: id, content: 'Well done' };
        comments.push((await app.as(bob).post('/comments').send(sent).expect(201)).body.data.id);
      }
      const check = await agreed.check(id);
      expect(check).toMatchObject({ result: 'met', rested_on: [comments[3], comments[2]] });
      expect(check.conditions).toMatchObject([{ detail: '2 of 2 comments' }]);
    });

    it('count the newest report of the task, linked by task_id or by a relation in either direction', async () => {
      const garden = await agreed.bound({ type: 'tests_pass' });
      const id = await agreed.active(garden);
      const report = async (result: string, more: object) => {
        const sent = { kind: 'test-report', title: 'Run', tags: ['test-report'], metadata: { result }, ...more };
        return (await app.as(ann).post('/artifacts').send(sent).expect(201)).body.data.id;
      };
      const relate = (source: [string, string], target: [string, string]) =>
        app
          .as(ann)
          .post('/relations')
          .send({
            relationship_type: 'references',
            source_entity_type: source[0],
            source_entity_id: source[1],
            target_entity_type: target[0],
            target_entity_id: target[1],
          })
          .expect(201);
      const loose = await report('passed', { endeavour_id: garden });
      expect((await agreed.check(id)).result).toBe('not_met');
      await relate(['artifact', loose], ['task', id]);
      expect(await agreed.check(id)).toMatchObject({ result: 'met', rested_on: [loose] });
      await report('failed', { task_id: id });
      expect((await agreed.check(id)).result).toBe('not_met');
      const last = await report('passed', { endeavour_id: garden });
      await relate(['task', id], ['artifact', last]);
      expect((await agreed.check(id)).result).toBe('met');
      await app.as(ann).delete(`/artifacts/${last}`).expect(200);
      expect((await agreed.check(id)).result).toBe('not_met');
    });

    describe('about other tasks', () => {
      let [dia]: Person[] = [];
      beforeAll(async () => {
        dia = await app.person('Dia');
      });
      const relate = async (type: string, source: string, target: string): Promise<string> => {
        const ends = { source_entity_type: 'task', source_entity_id: source, target_entity_type: 'task' };
        const sent = { relationship_type: type, ...ends, target_entity_id: target };
        return (await app.as(bob).post('/relations').send(sent).expect(201)).body.data.id;
      };
      const place = async (type: string): Promise<string> => {
        const garden = await agreed.bound({ type });
        await app.join(garden, dia, 'admin');
        return garden;
      };
      const KINDS: [string, string, (task: string, other: string) => Promise<string>][] = [
        ['children_closed', 'a child', (task, other) => relate('parent_of', task, other)],
        ['not_blocked', 'a task that it depends on', (task, other) => relate('depends_on', task, other)],
        ['not_blocked', 'a task that blocks it', (task, other) => relate('blocks', other, task)],
      ];

      it.each(KINDS)('%s fails while %s is open', async (type, _, tie) => {
        const garden = await place(type);
        const [id, other] = [await agreed.active(garden), await app.task(ann, garden)];
        await tie(id, other);
        const check = await agreed.check(id);
        expect([check.result, check.conditions[0].detail]).toEqual(['not_met', `1 open: ${other}`]);
        await agreed.patch(other, { status: 'active' }).expect(200);
        await agreed.done(id).expect(409);
        await agreed.override(other).expect(200);
        await agreed.done(other).expect(200);
        await agreed.done(id).expect(200);
      });

      it.each(KINDS)('%s counts on when a member or an author takes away %s', async (type, _, tie) => {
        const garden = await place(type);
        const [id, other] = [await agreed.active(garden), await app.task(ann, garden)];
        const remove = async (person: Person) =>
          app
            .as(person)
            .delete(`/relations/${await tie(id, other)}`)
            .expect(200);
        for (const person of [bob, ann]) {
          await remove(person);
          const [{ detail }] = (await agreed.check(id)).conditions;
          expect(detail).toBe('1 open: 1 taken away in this round');
          await agreed.done(id).expect(409);
        }
        await remove(dia);
        await agreed.done(id).expect(200);
      });

      it.each(KINDS)('%s counts on when an author moves away %s', async (type, _, tie) => {
        const garden = await place(type);
        const shed = await app.endeavour(ann);
        await app.join(shed, dia, 'admin');
        const [id, other] = [await agreed.active(garden), await app.task(ann, garden)];
        await tie(id, other);
        await agreed.patch(other, { endeavour_id: shed }).expect(200);
        await agreed.done(id).expect(409);
        await agreed.patch(other, { endeavour_id: garden }).expect(200);
        await agreed.patch(other, { endeavour_id: shed }, dia).expect(200);
        await agreed.done(id).expect(200);
      });

      it.each(KINDS)('%s counts on when an author moves the done task away from %s', async (type, _, tie) => {
        const [garden, shed] = [await app.endeavour(ann), await place(type)];
        await app.join(garden, bob, 'member');
        await app.join(garden, dia, 'admin');
        await app.as(dia).post('/dod-endorsements').send({ endeavour_id: shed }).expect(201);
        const id = await agreed.active(garden);
        await agreed.done(id).expect(200);
        await tie(id, await app.task(ann, garden));
        const move = (person: Person) => agreed.patch(id, { endeavour_id: shed, owner_id: person.id }, person);
        expect((await move(ann).expect(409)).body.error.code).toBe('dod_not_met');
        const { body } = await move(dia).expect(200);
        expect(body.data.dod.result).toBe('met');
      });

      it('count nothing that was taken away in an earlier round, or lies in another endeavour', async () => {
        const garden = await place('children_closed');
        const shed = await app.endeavour(ann);
        await app.join(shed, bob, 'member');
        const [id, other] = [await agreed.active(garden), await app.task(ann, garden)];
        const relation = await relate('parent_of', id, other);
        await relate('parent_of', id, await app.task(ann, shed));
        await app.as(bob).delete(`/relations/${relation}`).expect(200);
        await agreed.override(id).expect(200);
        await agreed.done(id).expect(200);
        await agreed.patch(id, { status: 'active' }).expect(200);
        await agreed.done(id).expect(200);
      });
    });

    it('measure the time in a status by the history of the task', async () => {
      const garden = await agreed.bound({ type: 'time_in_status', params: { min_duration: '1h' } });
      const id = await agreed.active(garden);
      await agreed.done(id).expect(409);
      await app.database.query(
        `UPDATE task_statuses SET entered_at = now() - interval '61 minutes' WHERE task_id = $1 AND status = 'active'`,
        [id],
      );
      await agreed.done(id).expect(200);
    });

    describe('reviews', () => {
      let cat: Person;

      beforeAll(async () => {
        cat = await app.person('Cat');
      });

      const reviewed = async (params: object = {}): Promise<string> => {
        const garden = await agreed.bound({ type: 'peer_review', params });
        await app.join(garden, cat, 'member');
        return agreed.active(garden);
      };

      it('are not counted from the creator, the assignee or members of an assigned team', async () => {
        const id = await reviewed();
        await approve(id, ann).expect(201);
        expect(await verdict(id)).toBe('not_met');
        await agreed.patch(id, { assignee_id: bob.id }).expect(200);
        await approve(id, bob).expect(201);
        expect(await verdict(id)).toBe('not_met');
        await agreed.patch(id, { assignee_id: null }).expect(200);
        expect(await verdict(id)).toBe('met');
        const team = await teamOf(app, ann, (await agreed.task(id)).endeavour_id, [bob]);
        await agreed.patch(id, { assignee_id: team }).expect(200);
        expect(await verdict(id)).toBe('not_met');
        const { body } = await approve(id, cat).expect(201);
        expect(await agreed.check(id)).toMatchObject({ result: 'met', rested_on: [body.data.id] });
      });

      it('are evaluated with the assignee that the closing patch sets', async () => {
        const id = await reviewed();
        await approve(id, bob).expect(201);
        await agreed.done(id, ann, { assignee_id: bob.id }).expect(409);
        await agreed.done(id).expect(200);
      });

      it('count people, not approvals', async () => {
        const id = await reviewed({ min_reviewers: 2 });
        await approve(id, bob).expect(201);
        await approve(id, bob, { role: 'member' }).expect(201);
        await approve(id, bob, { role: 'viewer' }).expect(201);
        await approve(id, bob).expect(409);
        expect(await verdict(id)).toBe('not_met');
        await approve(id, cat).expect(201);
        expect(await verdict(id)).toBe('met');
        await approve(id, cat, { role: 'member', verdict: 'rejected' }).expect(201);
        expect(await verdict(id)).toBe('not_met');
      });

      it('go stale with the content, also with changes in the closing patch', async () => {
        const id = await reviewed();
        await approve(id, bob).expect(201);
        await agreed.done(id, ann, { title: 'Paint the fence' }).expect(409);
        await agreed.patch(id, { description: 'Blue' }).expect(200);
        expect(await verdict(id)).toBe('not_met');
        await approve(id, bob).expect(201);
        await agreed.done(id, ann, { metadata: { colour: 'blue' } }).expect(200);
      });

      it('with a stakeholder role count only from holders of the role', async () => {
        const garden = await agreed.bound({ type: 'stakeholder_sign_off', params: { role: 'product_owner' } });
        await app.join(garden, cat, 'member', ['product_owner']);
        const id = await agreed.active(garden);
        await approve(id, bob, { role: 'product_owner' }).expect(201);
        await approve(id, ann, { role: 'product_owner' }).expect(201);
        await approve(id, cat).expect(201);
        expect(await verdict(id)).toBe('not_met');
        await approve(id, cat, { role: 'product_owner' }).expect(201);
        expect(await verdict(id)).toBe('met');
        await agreed.patch(id, { estimate: 3 }).expect(200);
        expect(await verdict(id)).toBe('met');
        await agreed.patch(id, { title: 'Paint the fence' }).expect(200);
        expect(await verdict(id)).toBe('not_met');
      });

      it('do not count as votes of a team', async () => {
        const id = await reviewed();
        const garden = (await agreed.task(id)).endeavour_id;
        const team = await teamOf(app, ann, garden, [bob, cat]);
        await app
          .as(ann)
          .patch(`/resources/${team}`)
          .send({ quorum: { default: 2 } })
          .expect(200);
        await agreed.patch(id, { owner_id: team }).expect(200);
        await agreed.endorse(garden, cat).expect(201);
        expect((await agreed.done(id, bob).expect(409)).body.error.code).toBe('quorum_not_met');
        expect((await agreed.done(id, cat).expect(409)).body.error).toMatchObject({
          code: 'dod_not_met',
          details: { conditions: [{ type: 'peer_review', status: 'failed' }], rested_on: [] },
        });
      });
    });
  });
});

/** Creates a team in a new organization to which the endeavour is linked; returns the id of the team. */
async function teamOf(app: TestApp, owner: Person, endeavour: string, members: Person[]): Promise<string> {
  const organization = await app.organization(owner);
  await app.link(organization, endeavour);
  const sent = { name: 'Painters', type: 'team', organization_id: organization };
  const { body } = await app.as(owner).post('/resources').send(sent).expect(201);
  for (const member of members) {
    await app.join(organization, member, 'member');
    const path = `/resources/${body.data.id}/members`;
    await app
      .as(owner)
      .post(path)
      .send({ resource_id: member.resourceId })
      .expect(({ status }) => expect(status).toBeLessThan(300));
  }
  return body.data.id;
}
