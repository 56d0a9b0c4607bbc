import { Agreement, attestation, faults } from '../support/dod.js';
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

  describe('overriding', () => {
    it('lets an endeavour admin close a task, without changing its metadata', async () => {
      const garden = await agreed.bound(attestation);
      const id = await agreed.active(garden);
      await agreed.override(id, bob).expect(403);
      expect(faults((await agreed.override(id, ann, ' ').expect(400)).body)).toEqual(['reason too_short']);
      const { body } = await agreed.override(id).expect(200);
      expect(body.data).toMatchObject({
        task_id: id,
        status: 'overridden',
        reason: 'The client took it as it is',
        by: ann.resourceId,
        conditions_bypassed: [{ type: 'manual_attestation', status: 'failed' }],
      });
      expect(await agreed.task(id)).toMatchObject({ dod: { overridden: true, by: ann.resourceId }, metadata: {} });
      expect(await agreed.check(id)).toMatchObject({ result: 'not_met', overridden: true });
      const closed = (await agreed.done(id, bob).expect(200)).body.data;
      expect(closed.dod).toMatchObject({ result: 'overridden', overridden: true });
      const [made] = await agreed.checks(id);
      expect(made).toMatchObject({ id: closed.dod.check_id, result: 'not_met', overridden: true });
      const types = await app.database.query<{ type: string }>(
        `SELECT type FROM events WHERE entity_id = $1 AND type LIKE 'dod.%'`,
        [id],
      );
      expect(types).toEqual([{ type: 'dod.overridden' }]);
    });

    it('lapses when the task is reopened, and can be lifted', async () => {
      const garden = await agreed.bound(attestation);
      const id = await agreed.active(garden);
      await agreed.override(id).expect(200);
      await agreed.done(id).expect(200);
      expect((await agreed.patch(id, { status: 'active' }).expect(200)).body.data.dod).toBeNull();
      await agreed.done(id).expect(409);
      await agreed.override(id).expect(200);
      const lift = (person: Person) => app.as(person).delete(`/tasks/${id}/dod-override`);
      await lift(bob).expect(403);
      expect((await lift(ann).expect(200)).body.data).toEqual({ task_id: id, status: 'lifted' });
      await lift(ann).expect(200);
      await agreed.done(id).expect(409);
    });

    it('ends when the task moves, and a done task cannot move back unchecked', async () => {
      const garden = await agreed.bound(attestation);
      const shed = await app.endeavour(ann, { name: 'Shed' });
      const id = await agreed.active(garden);
      await agreed.override(id).expect(200);
      expect((await agreed.patch(id, { endeavour_id: shed }).expect(200)).body.data.dod).toBeNull();
      await agreed.done(id).expect(200);
      const { body } = await agreed.patch(id, { endeavour_id: garden }).expect(409);
      expect(body.error.code).toBe('dod_not_met');
      await agreed.patch(id, { status: 'active' }).expect(200);
      await agreed.patch(id, { endeavour_id: garden }).expect(200);
      await agreed.done(id).expect(409);
    });

    it('cannot be forged by metadata', async () => {
      const garden = await agreed.bound(attestation);
      const id = await agreed.active(garden);
      const forged = { dod_override: true, dod_overridden: { by: ann.id }, dod_attested: 'yes', colour: 'green' };
      const wanted = [
        'metadata.dod_override read_only',
        'metadata.dod_overridden read_only',
        'metadata.dod_attested invalid_type',
      ];
      expect(faults((await agreed.patch(id, { metadata: forged }).expect(400)).body)).toEqual(wanted);
      wanted[2] = 'metadata.dod_attested read_only';
      const create = app.as(ann).post('/tasks').send({ title: 'Forged', endeavour_id: garden, metadata: forged });
      expect(faults((await create.expect(400)).body)).toEqual(wanted);
    });
  });
});
