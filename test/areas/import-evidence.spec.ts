import { Agreement, results } from '../support/dod.js';
import type { Person, TestApp } from '../support/test-app.js';

type Item = Record<string, unknown> & { id: string; metadata: { imported: Record<string, unknown> } };

/** Imports of approvals, and of endeavours that already exist in the target. */
describe('imports of exports with evidence', () => {
  let ours: Agreement;
  let app: TestApp;
  let [ann, bob]: Person[] = [];

  beforeAll(async () => {
    ours = await Agreement.open({ WORKERS: 'true', LIMIT_WRITES_PER_MINUTE: '100000' });
    ({ app, ann, bob } = ours);
  });
  afterAll(() => app.close());

  const get = async (path: string) => (await app.as(ann).get(path).expect(200)).body;
  const imported = async (target: string, document: object) => {
    const kind = target.startsWith('org') ? 'organization' : 'endeavour';
    const { body, headers } = await app
      .as(ann)
      .post(`/imports?format=worksmith&${kind}_id=${target}`)
      .set('Content-Type', 'application/octet-stream')
      .send(JSON.stringify(document))
      .expect(202);
    const ended = await app.ended(ann, headers.location);
    expect(ended.body.data).toMatchObject({ status: 'succeeded', error: null });
    return (await get(`/imports/${body.data.id.replace('opr_', 'imp_')}`)).data;
  };

  it('keep approvals as metadata, which does not count in the Definition of Done', async () => {
    const garden = await ours.bound({ type: 'peer_review' });
    const task = await ours.active(garden, { title: 'Dig' });
    const verdict = { entity_type: 'task', entity_id: task, verdict: 'approved', role: 'member', comment: 'Well dug' };
    const { body: approval } = await app.as(bob).post('/approvals').send(verdict).expect(201);
    const met = await app.as(ann).post(`/tasks/${task}/dod-check`).expect(200);
    expect(results(met.body.data)).toEqual(['peer_review passed']);
    const document = await get(`/endeavours/${garden}/export`);
    const copy = await ours.bound({ type: 'peer_review' });
    await imported(copy, document);
    const [dug]: Item[] = (await get(`/tasks?endeavour_id=${copy}`)).data;
    expect(dug.metadata.imported.approvals).toEqual([
      { verdict: 'approved', role: 'member', by: 'Bob', at: approval.data.created_at },
    ]);
    const { body } = await app.as(ann).post(`/tasks/${dug.id}/dod-check`).expect(200);
    expect(results(body.data)).toEqual(['peer_review failed']);
    expect((await get(`/approvals?entity_id=${dug.id}`)).data).toEqual([]);
    expect(await imported(copy, document)).toMatchObject({ counts: { created: 0, updated: 0 }, refused: 0 });
  });

  it('do not let the importer review what was imported under the name of another author', async () => {
    const { ada } = ours;
    const garden = await ours.bound({ type: 'peer_review' });
    await app.join(garden, ada, 'member');
    const cat = await app.person('Cat');
    await app.join(garden, cat, 'member');
    const file = `id,title,author,status\n1,Dig,${bob.email},active\n`;
    const { headers } = await app
      .as(ada)
      .post(`/imports?format=csv&endeavour_id=${garden}`)
      .set('Content-Type', 'application/octet-stream')
      .send(file)
      .expect(202);
    await app.ended(ada, headers.location);
    const [dug]: (Item & { creator_id: string })[] = (await get(`/tasks?endeavour_id=${garden}`)).data;
    expect(dug.creator_id).toBe(bob.resourceId);
    for (const [reviewer, result] of [
      [ada, 'not_met'],
      [bob, 'not_met'],
      [cat, 'met'],
    ] as const) {
      const verdict = { entity_type: 'task', entity_id: dug.id, verdict: 'approved' };
      await app.as(reviewer).post('/approvals').send(verdict).expect(201);
      expect((await ours.check(dug.id)).result).toBe(result);
    }
  });

  it('find endeavours by external_ref, and report those whose reference is taken', async () => {
    const organization_id = await app.organization(ann);
    const reference = (id: string) => ({ external_ref: { source: 'jira', id, url: null } });
    const here = await app.endeavour(ann, { organization_id, name: 'Here', ...reference('ONE') });
    const endeavour = (id: string, name: string, ref: string) => ({ id, name, status: 'active', ...reference(ref) });
    const document = {
      version: 1,
      kind: 'organization',
      organization: { id: 'org_1', name: 'There' },
      endeavours: [
        endeavour('edv_1', 'Found', 'ONE'),
        endeavour('edv_2', 'New', 'TWO'),
        endeavour('edv_3', 'Late', 'TWO'),
      ],
      tasks: [{ id: 'tsk_1', title: 'Dig', status: 'planned', endeavour_id: 'edv_1' }],
    };
    const report = await imported(organization_id, document);
    expect(report.counts).toMatchObject({ created: 2, updated: 1 });
    expect(report.refusals).toEqual([
      expect.objectContaining({ external_id: 'edv_3', code: 'conflict', reason: 'external_ref_taken' }),
    ]);
    expect((await get(`/endeavours/${here}`)).data).toMatchObject({ name: 'Found' });
    expect((await get(`/tasks?endeavour_id=${here}`)).data).toMatchObject([{ title: 'Dig' }]);
    const { data } = await get(`/endeavours?organization_id=${organization_id}&fields=name&sort=name`);
    expect(data).toEqual([{ name: 'Found' }, { name: 'New' }]);
  });
});
