import { Agreement, results } from '../support/dod.js';
import type { TestApp, Person } from '../support/test-app.js';

/** Attempts to close a task without its evidence, and to keep a result that its content no longer has, by other operations. */
describe('attempts to forge a done task by other operations', () => {
  let agreed: Agreement;
  let app: TestApp;
  let [ada, ann, bob, cat, dia]: Person[] = [];
  let organization: string;

  beforeAll(async () => {
    agreed = await Agreement.open({ WORKERS: 'true', LIMIT_WRITES_PER_MINUTE: '100000' });
    ({ app, ada, ann, bob } = agreed);
    [cat, dia] = [await app.person('Cat'), await app.person('Dia')];
    organization = await app.organization(ann);
  });
  afterAll(() => app.close());

  const say = (id: string, person: Person, more: object = {}) =>
    app
      .as(person)
      .post('/approvals')
      .send({ entity_type: 'task', entity_id: id, verdict: 'approved', ...more });
  const verdict = async (id: string): Promise<string> => (await agreed.check(id)).result;
  const resultOf = async (id: string): Promise<string | undefined> => (await agreed.task(id)).dod?.result;
  const patch = (id: string, body: object, person = ann) => agreed.patch(id, body, person).expect(200);

  async function bound(where: object, ...conditions: object[]): Promise<string> {
    const garden = await app.endeavour(ann, where);
    for (const person of [bob, cat]) await app.join(garden, person, 'member');
    await agreed.assign(garden, await agreed.policy(...conditions)).expect(200);
    for (const person of [ann, bob, cat]) await agreed.endorse(garden, person).expect(201);
    return garden;
  }
  const imported = async (person: Person, garden: string, format: string, file: string, query = '') => {
    const { headers } = await app
      .as(person)
      .post(`/imports?format=${format}&endeavour_id=${garden}${query}`)
      .set('Content-Type', 'application/octet-stream')
      .send(file)
      .expect(202);
    let status = 'queued';
    while (['queued', 'running'].includes(status)) {
      status = (await app.as(person).get(headers.location).set('Prefer', 'wait=20').expect(200)).body.data.status;
    }
    return status;
  };
  const done = async (garden: string, more: object = {}): Promise<string> => {
    const id = await agreed.active(garden, more);
    await say(id, bob).expect(201);
    await agreed.done(id).expect(200);
    return id;
  };
  const reviewed = { type: 'peer_review', params: {} };

  describe('a rejection', () => {
    /** Creates a task of Ann's that Cat, who is only a member of the organization, rejects and Bob approves. */
    async function rejected(): Promise<{ garden: string; id: string }> {
      const garden = await bound({ organization_id: organization }, reviewed);
      await app.database.query('DELETE FROM endeavour_members WHERE endeavour_id = $1 AND user_id = $2', [
        garden,
        cat.id,
      ]);
      await app.database.query('DELETE FROM organization_resources WHERE organization_id = $1 AND user_id = $2', [
        organization,
        cat.id,
      ]);
      await app.join(organization, cat, 'member');
      const id = await agreed.active(garden);
      await say(id, cat, { verdict: 'rejected' }).expect(201);
      await say(id, bob).expect(201);
      expect(await verdict(id)).toBe('not_met');
      return { garden, id };
    }

    it('stays if an author removes its giver from the home organization', async () => {
      const { id } = await rejected();
      await app.as(ann).delete(`/organizations/${organization}/members/${cat.id}`).expect(200);
      expect(await verdict(id)).toBe('not_met');
      await agreed.done(id).expect(409);
    });

    it('stays if an author makes the endeavour private', async () => {
      const { garden, id } = await rejected();
      await app.as(ann).patch(`/endeavours/${garden}`).send({ is_private: true }).expect(200);
      expect(await verdict(id)).toBe('not_met');
    });

    it('stays if an author takes the endeavour out of the organization', async () => {
      const { garden, id } = await rejected();
      await app.join(garden, dia, 'admin');
      await app.as(ann).delete(`/organizations/${organization}/endeavours/${garden}`);
      expect(await verdict(id)).toBe('not_met');
    });

    it('stays if an author transfers the endeavour to another organization', async () => {
      const { garden, id } = await rejected();
      const other = await app.organization(ann);
      await app.as(ann).post(`/endeavours/${garden}/transfer`).send({ organization_id: other }).expect(200);
      await agreed.endorse(garden, ann);
      expect(await verdict(id)).toBe('not_met');
    });

    it('stays if an author makes its giver a guest of the organization', async () => {
      const { id } = await rejected();
      await app.as(ann).patch(`/organizations/${organization}/members/${cat.id}`).send({ role: 'guest' }).expect(200);
      expect(await verdict(id)).toBe('not_met');
    });

    it('stays if an author removes its giver by the relation that is the membership', async () => {
      const garden = await bound({}, reviewed);
      const id = await agreed.active(garden);
      await say(id, cat, { verdict: 'rejected' }).expect(201);
      await say(id, bob).expect(201);
      const path = `/relations?structural=true&entity_type=resource&entity_id=${cat.resourceId}`;
      const { body } = await app.as(ann).get(path).expect(200);
      const [membership] = (body.data as { id: string; target_entity_id: string }[]).filter(
        (each) => each.target_entity_id === garden,
      );
      await app.as(ann).delete(`/relations/${membership.id}`).expect(200);
      expect(await verdict(id)).toBe('not_met');
    });

    it('of an agent stays if an author deletes the agent', async () => {
      const garden = await bound({ organization_id: organization }, reviewed);
      await app.database.query('DELETE FROM organization_resources WHERE organization_id = $1 AND user_id = $2', [
        organization,
        dia.id,
      ]);
      await app.join(organization, dia, 'admin');
      const sent = { name: 'Robot', organization_id: organization };
      const { id: agent, resource_id } = (await app.as(dia).post('/agents').send(sent).expect(201)).body.data;
      const { token } = (
        await app
          .as(dia)
          .post(`/agents/${agent}/tokens`)
          .send({ name: 'Work', scopes: ['*'] })
          .expect(201)
      ).body.data;
      const robot = { ...dia, id: agent, resourceId: resource_id, token };
      await app.join(garden, robot, 'member');
      const id = await agreed.active(garden);
      await say(id, robot, { verdict: 'rejected' }).expect(201);
      await say(id, bob).expect(201);
      expect(await verdict(id)).toBe('not_met');
      await app.as(ann).delete(`/agents/${agent}`).expect(200);
      expect(await verdict(id)).toBe('not_met');
    });

    it('stays if its giver is removed in a batch by an author', async () => {
      const garden = await bound({}, reviewed);
      const id = await agreed.active(garden);
      await say(id, cat, { verdict: 'rejected' }).expect(201);
      await say(id, bob).expect(201);
      const operations = [{ id: 'a', method: 'DELETE', path: `/api/v1/endeavours/${garden}/members/${cat.id}` }];
      await app.as(ann).post('/batch').send({ operations }).expect(200);
      expect(await verdict(id)).toBe('not_met');
    });
  });

  describe('the content of a done task', () => {
    it('cannot be changed by an import without a trace', async () => {
      const garden = await bound({}, reviewed);
      const id = await done(garden, { external_ref: { source: 'csv', id: 'A1', url: null } });
      expect(await imported(ann, garden, 'csv', 'id,title\nA1,Rewritten\n')).toBe('succeeded');
      expect((await agreed.task(id)).title).toBe('Rewritten');
      expect(await resultOf(id)).toBe('changed');
    });

    it('cannot be changed by external reference, in a batch or in bulk without a trace', async () => {
      const garden = await bound({}, reviewed);
      const ref = { source: 'jira', id: 'B1', url: null };
      const id = await done(garden, { external_ref: ref });
      await app.as(ann).put(`/tasks/by-external/jira/B1?endeavour_id=${garden}`).send({ title: 'One' }).expect(200);
      expect(await resultOf(id)).toBe('changed');
      const other = await done(garden);
      const operations = [{ id: 'a', method: 'PATCH', path: `/api/v1/tasks/${other}`, body: { description: 'Two' } }];
      await app.as(ann).post('/batch').send({ operations }).expect(200);
      expect(await resultOf(other)).toBe('changed');
    });

    it('cannot be changed by clearing all metadata without a trace', async () => {
      const garden = await bound({}, reviewed);
      const id = await done(garden, { metadata: { checklist: [{ text: 'Sand', checked: true }] } });
      await patch(id, { metadata: null });
      expect(await resultOf(id)).toBe('changed');
    });

    it('cannot be changed through checklists with other names of their texts', async () => {
      const garden = await bound({}, reviewed);
      for (const items of [
        [{ name: 'Sand', checked: true }],
        ['Sand'],
        [{ checked: true, steps: [{ text: 'Sand' }] }],
        { first: { text: 'Sand' } },
      ]) {
        const id = await done(garden, { metadata: { acceptance: items } });
        const swapped = JSON.parse(JSON.stringify(items).replace('Sand', 'Nothing'));
        await patch(id, { metadata: { acceptance: swapped } });
        expect([items, await resultOf(id)]).toEqual([items, 'changed']);
      }
    });

    it('stays changed after a dry run of a check, and after a check without rights', async () => {
      const garden = await bound({}, reviewed);
      const id = await done(garden);
      await patch(id, { title: 'Rewritten' });
      await say(id, bob).expect(201);
      await app.as(ann).post(`/tasks/${id}/dod-check?dry_run=true`).expect(200);
      expect(await resultOf(id)).toBe('changed');
      await app.join(garden, dia, 'member');
      await agreed.check(id, dia);
      expect(await resultOf(id)).toBe('changed');
      await agreed.override(id);
      await agreed.check(id, dia);
      expect(await resultOf(id)).toBe('changed');
      const found = await app.as(ann).get(`/tasks?endeavour_id=${garden}&dod=changed`).expect(200);
      expect(found.body.data.map((each: { id: string }) => each.id)).toEqual([id]);
      await agreed.check(id, ann);
      expect(await resultOf(id)).toBe('met');
      expect((await agreed.task(id)).dod).not.toHaveProperty('changed_by', expect.any(String));
    });

    it('is not laundered by a move to an endeavour without a policy and back', async () => {
      const garden = await bound({}, reviewed);
      const shed = await app.endeavour(ann);
      const id = await done(garden);
      await patch(id, { title: 'Rewritten' });
      await patch(id, { endeavour_id: shed });
      expect(await resultOf(id)).not.toBe('met');
      await agreed.patch(id, { endeavour_id: garden }).expect(409);
      expect(await resultOf(id)).not.toBe('met');
    });
  });

  describe('evidence', () => {
    it('does not come with the creation or an import of a task', async () => {
      const garden = await bound({}, { type: 'manual_attestation', params: { prompt: 'Signed?' } });
      const sent = { title: 'Paint', endeavour_id: garden, metadata: { dod_attested: true } };
      const { status, body } = await app.as(ann).post('/tasks').send(sent);
      if (status === 201) expect(await verdict(body.data.id)).toBe('not_met');
      await imported(ann, garden, 'csv', 'id,title,metadata.dod_attested\nC1,Paint,true\n');
      await imported(ann, garden, 'csv', 'id,title,metadata.dod_attested\nC1,Paint again,true\n');
      const { body: found } = await app.as(ann).get(`/tasks?endeavour_id=${garden}&external=csv:C1`).expect(200);
      for (const each of found.data) expect(await verdict(each.id)).toBe('not_met');
    });

    it('is not the verdict of an administrator who is no member', async () => {
      const garden = await bound({}, reviewed);
      const id = await agreed.active(garden);
      await say(id, ada);
      expect(await verdict(id)).toBe('not_met');
    });

    it('is not a checklist whose items show nothing', async () => {
      const garden = await bound({}, { type: 'checklist_complete', params: {} });
      const id = await agreed.active(garden);
      for (const items of [
        [{ text: '\u200b', checked: true }],
        [{ text: '<!-- -->', checked: true }],
        [{ text: '', checked: true }],
      ]) {
        await patch(id, { metadata: { checklist: items } });
        expect([items, await verdict(id)]).toEqual([items, 'not_met']);
      }
    });

    it('is not a field without contents', async () => {
      const garden = await bound({}, { type: 'field_populated', params: { field: 'metadata.result_summary' } });
      const id = await agreed.active(garden);
      for (const value of [
        [],
        {},
        [''],
        '',
        '\u200b',
        '<!-- x -->',
        { text: '' },
        [null],
        '&nbsp;',
        '\u3164',
        '\u2800',
      ]) {
        await patch(id, { metadata: { result_summary: value } });
        expect([value, await verdict(id)]).toEqual([value, 'not_met']);
      }
    });

    it('is not a comment that was edited to show nothing', async () => {
      const garden = await bound({}, { type: 'comment_required', params: {} });
      const id = await agreed.active(garden);
      const sent = { entity_type: 'task', entity_id: id, content: 'Dry' };
      const { body } = await app.as(bob).post('/comments').send(sent).expect(201);
      expect(await verdict(id)).toBe('met');
      await app.as(bob).patch(`/comments/${body.data.id}`).send({ content: '<!-- Dry -->\u200b' }).expect(200);
      expect(await verdict(id)).toBe('not_met');
      await app.as(bob).patch(`/comments/${body.data.id}`).send({ content: '<!-- Dry --> Dry' }).expect(200);
      expect(await verdict(id)).toBe('met');
    });

    it('is not a report whose result was changed through another operation', async () => {
      const garden = await bound({}, { type: 'tests_pass', params: {} });
      const id = await agreed.active(garden);
      const report = { kind: 'test-report', title: 'Run', tags: ['test-report'], task_id: id };
      const ref = { source: 'ci', id: 'R1', url: null };
      const sent = { ...report, metadata: { result: 'failed' }, external_ref: ref };
      const made = await app.as(bob).post('/artifacts').send(sent).expect(201);
      const path = `/artifacts/${made.body.data.id}`;
      for (const body of [
        { metadata: { result: 'passed' } },
        { metadata: null },
        { metadata: { result: null } },
        { tags: ['other'] },
        { task_id: null },
      ]) {
        expect([body, (await app.as(bob).patch(path).send(body)).status]).toEqual([body, 409]);
        const put = await app.as(bob).put(`/artifacts/by-external/ci/R1?endeavour_id=${garden}`).send(body);
        expect([body, put.status]).toEqual([body, 409]);
      }
      const operations = [
        { id: 'a', method: 'PATCH', path: `/api/v1${path}`, body: { metadata: { result: 'passed' } } },
      ];
      await app.as(bob).post('/batch').send({ operations }).expect(409);
      expect(await verdict(id)).toBe('not_met');
    });

    it('is not reviewed by somebody who claimed the task, took it in bulk or through an agent', async () => {
      const garden = await bound({}, reviewed);
      const id = await app.task(ann, garden);
      const { body } = await app.as(bob).post('/tasks/claim').send({ endeavour_id: garden }).expect(200);
      expect(body.data.id).toBe(id);
      await patch(id, { assignee_id: null });
      await patch(id, { status: 'active' });
      await say(id, bob).expect(201);
      expect(await verdict(id)).toBe('not_met');
    });

    it('of an earlier round does not count if the task is reopened and closed in one batch', async () => {
      const garden = await bound({}, reviewed, { type: 'custom_check', params: { name: 'scan' } });
      const id = await agreed.active(garden);
      await say(id, bob).expect(201);
      await app.as(bob).post(`/tasks/${id}/dod-results`).send({ name: 'scan', passed: true }).expect(201);
      await agreed.done(id).expect(200);
      const step = (key: string, status: string) => ({
        id: key,
        method: 'PATCH',
        path: `/api/v1/tasks/${id}`,
        body: { status },
      });
      await app
        .as(ann)
        .post('/batch')
        .send({ operations: [step('a', 'active'), step('b', 'done')] })
        .expect(409);
      await patch(id, { status: 'active' });
      expect(results(await agreed.check(id))).toEqual(['peer_review failed', 'custom_check failed']);
      await agreed.done(id).expect(409);
    });
  });

  it('a condition that cannot fail is rejected', async () => {
    for (const field of [
      'title',
      'status',
      'id',
      'endeavour_id',
      'owner_id',
      'creator_id',
      'created_at',
      'updated_at',
      'revision',
      'started_at',
      'blocked_by_count',
      'completed_at',
      'creator_name',
      'endeavour_name',
    ]) {
      const conditions = [{ type: 'field_populated', params: { field } }];
      const { status } = await app.as(ada).post('/dod-policies').send({ name: 'Ours', conditions });
      expect([field, status]).toEqual([field, 400]);
    }
  });
});
