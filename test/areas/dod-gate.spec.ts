import { newId } from '../../src/common/ids.js';
import { Agreement, attestation, results } from '../support/dod.js';
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

  describe('checking', () => {
    it('shows the unmet conditions to everyone who sees the task, and is stored', async () => {
      const garden = await agreed.bound(attestation, { type: 'field_populated', params: { field: 'description' } });
      const vic = await app.person('Vic');
      await app.join(garden, vic, 'viewer');
      const id = await agreed.active(garden);
      const made = await agreed.check(id, vic);
      expect(made).toMatchObject({
        id: expect.stringMatching(/^dck_/),
        task_id: id,
        result: 'not_met',
        overridden: false,
        policy_name: 'Ours',
        policy_version: 1,
        endorsed: false,
        hint: expect.stringContaining('dod_attested'),
        checked_by: vic.resourceId,
      });
      expect(results(made)).toEqual(['manual_attestation failed', 'field_populated failed']);
      await agreed.patch(id, { description: 'Green' }).expect(200);
      await agreed.attest(id, bob).expect(200);
      const met = await agreed.check(id);
      expect(met).toMatchObject({ result: 'met', endorsed: true, hint: null, rested_on: [bob.resourceId] });
      expect((await agreed.checks(id)).map((each: { id: string }) => each.id)).toEqual([met.id, made.id]);
    });

    it('reports a missing policy, and returns 404 if the task is invisible', async () => {
      const garden = await app.endeavour(ann);
      const id = await app.task(ann, garden);
      expect(await agreed.check(id)).toMatchObject({ result: 'no_policy', policy_id: null, conditions: [] });
      const eve = await app.person('Eve');
      await app.as(eve).post(`/tasks/${id}/dod-check`).expect(404);
      await app.as(eve).get(`/tasks/${id}/dod-checks`).expect(404);
      await app
        .as(ann)
        .post(`/tasks/${newId('task')}/dod-check`)
        .expect(404);
    });

    it('leaves a record that cannot be changed in the database', async () => {
      const garden = await agreed.bound(attestation);
      const { id } = await agreed.check(await agreed.active(garden));
      const forge = app.database.query(`UPDATE dod_checks SET result = 'met' WHERE id = $1`, [id]);
      await expect(forge).rejects.toThrow('kept as they were');
    });
  });

  describe('closing', () => {
    it('is rejected with the check, which is stored although the transition is not', async () => {
      const garden = await agreed.bound(attestation);
      const id = await agreed.active(garden);
      const { body } = await agreed.done(id).expect(409);
      expect(body.error).toMatchObject({ code: 'dod_not_met', details: { task_id: id, result: 'not_met' } });
      expect(results(body.error.details)).toEqual(['manual_attestation failed']);
      expect((await agreed.checks(id)).map((each: { id: string }) => each.id)).toEqual([body.error.details.id]);
      expect(await agreed.task(id)).toMatchObject({ status: 'active', dod: null });
    });

    it('succeeds if the task meets the policy after the patch, and references the check', async () => {
      const garden = await agreed.bound(attestation, { type: 'checklist_complete' });
      const id = await agreed.active(garden);
      const metadata = { dod_attested: true, checklist: [{ text: 'Oil the hinges', checked: true }] };
      const { body } = await agreed.done(id, ann, { metadata }).expect(200);
      const [made] = await agreed.checks(id);
      expect(body.data).toMatchObject({ status: 'done', attested_at: expect.any(String) });
      const by = { overridden: false, reason: null, by: null, at: null, changed_by: null, changed_at: null };
      expect(body.data.dod).toEqual({ result: 'met', check_id: made.id, ...by });
      expect(made).toMatchObject({ result: 'met', endorsed: true });
      expect((await agreed.patch(id, { status: 'active' }).expect(200)).body.data.dod).toBeNull();
    });

    it('evaluates a field as the same patch leaves it', async () => {
      const garden = await agreed.bound({ type: 'field_populated', params: { field: 'description' } });
      const id = await agreed.active(garden, { description: 'Green' });
      await agreed.done(id, ann, { description: null }).expect(409);
      await agreed.done(id).expect(200);
    });

    it('requires an endorsement of the policy by the caller', async () => {
      const garden = await agreed.bound(attestation);
      const id = await agreed.active(garden);
      await agreed.attest(id).expect(200);
      const { body } = await agreed.done(id, bob).expect(409);
      expect(body.error.details).toMatchObject({ result: 'not_met', endorsed: false });
      expect(body.error.details.hint).toContain('POST /dod-endorsements');
      await agreed.endorse(garden, bob).expect(201);
      await agreed.done(id, bob).expect(200);
    });

    it('requires nothing if no policy is assigned', async () => {
      const id = await agreed.active(await app.endeavour(ann));
      expect((await agreed.done(id).expect(200)).body.data.dod).toMatchObject({ result: 'no_policy', check_id: null });
      expect(await agreed.checks(id)).toEqual([]);
    });

    it('is rejected if a condition cannot be evaluated', async () => {
      const garden = await agreed.bound(attestation);
      const id = await agreed.active(garden);
      await agreed.attest(id).expect(200);
      await app.database.query('ALTER TABLE dod_policies DISABLE TRIGGER dod_policies_keep');
      const strange = [{ id: 'x', type: 'prayer', label: 'Prayer', params: {}, required: false }];
      await app.database.query(
        `UPDATE dod_policies p SET conditions = conditions || $2 FROM endeavours e WHERE e.id = $1 AND p.id = e.dod_policy_id`,
        [garden, JSON.stringify(strange)],
      );
      await app.database.query('ALTER TABLE dod_policies ENABLE TRIGGER dod_policies_keep');
      expect((await agreed.done(id).expect(409)).body.error.code).toBe('dod_not_met');
    });

    it('fails if the check itself fails', async () => {
      const garden = await agreed.bound({ type: 'custom_check', params: { name: 'scan' } });
      const id = await agreed.active(garden);
      await agreed.override(id).expect(200);
      await app.database.query('ALTER TABLE dod_results RENAME TO lost_results');
      await agreed.done(id).expect(500);
      await app.database.query('ALTER TABLE lost_results RENAME TO dod_results');
      expect(await agreed.task(id)).toMatchObject({ status: 'active' });
    });

    it('is checked again for the same idempotency key, because error responses are not stored', async () => {
      const garden = await agreed.bound(attestation);
      const id = await agreed.active(garden);
      await agreed.done(id).set('Idempotency-Key', 'close').expect(409);
      await agreed.done(id).set('Idempotency-Key', 'close').expect(409);
      expect(await agreed.checks(id)).toHaveLength(2);
    });

    it('is listed in the transitions with every reason that prevents it', async () => {
      const garden = await agreed.bound(attestation, { type: 'custom_check', params: { name: 'scan' } });
      const id = await agreed.active(garden);
      const reasons = async (person: Person) => {
        const { body } = await app.as(person).get(`/tasks/${id}/transitions`).expect(200);
        return body.data.find(({ status }: { status: string }) => status === 'done');
      };
      expect(await reasons(ann)).toMatchObject({
        allowed: false,
        reasons: [
          { code: 'dod_not_met', message: expect.stringContaining('Attestation') },
          { code: 'dod_not_met', message: expect.stringContaining('scan') },
        ],
      });
      expect((await reasons(bob)).reasons).toHaveLength(3);
      expect(await agreed.checks(id)).toEqual([]);
    });
  });

  it('lists done as allowed if the transition itself sets what is lacking', async () => {
    const garden = await agreed.bound({ type: 'field_populated', params: { field: 'actual' } });
    const id = await agreed.active(garden);
    const { body } = await app.as(ann).get(`/tasks/${id}/transitions`).expect(200);
    expect(body.data.find(({ status }: { status: string }) => status === 'done')).toEqual({
      status: 'done',
      allowed: true,
      reasons: [],
    });
    await agreed.done(id).expect(200);
  });

  describe('attesting', () => {
    it('is recorded with its time, and lapses when the task is reopened', async () => {
      const garden = await agreed.bound(attestation);
      const id = await agreed.active(garden);
      const { body } = await agreed.attest(id, bob).expect(200);
      expect(body.data).toMatchObject({ attested_at: expect.any(String), metadata: { dod_attested: true } });
      // To attest again is to attest: by whom, when, and what the policy asks now.
      expect((await agreed.attest(id).expect(200)).body.data.revision).toBe(body.data.revision + 1);
      await agreed.done(id).expect(200);
      const reopened = (await agreed.patch(id, { status: 'active' }).expect(200)).body.data;
      expect(reopened).toMatchObject({ attested_at: null, metadata: {} });
      await agreed.done(id).expect(409);
      await agreed.attest(id).expect(200);
      await agreed.done(id).expect(200);
    });

    it('is withdrawn with false, with null, and by clearing the metadata', async () => {
      const garden = await agreed.bound(attestation);
      const id = await agreed.active(garden);
      for (const metadata of [{ dod_attested: false }, { dod_attested: null }, null]) {
        await agreed.attest(id).expect(200);
        expect((await agreed.patch(id, { metadata }).expect(200)).body.data.attested_at).toBeNull();
      }
      await agreed.patch(id, { metadata: { colour: 'green' } }).expect(200);
      await agreed.done(id).expect(409);
    });
  });
});
