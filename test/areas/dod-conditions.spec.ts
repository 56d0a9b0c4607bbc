import { Agreement, faults } from '../support/dod.js';
import type { House, Person } from '../support/house.js';

describe('what conditions count', () => {
  let agreed: Agreement;
  let house: House;
  let ann: Person;
  let bob: Person;

  beforeAll(async () => {
    agreed = await Agreement.open();
    ({ house, ann, bob } = agreed);
  });

  afterAll(() => house.close());

  describe('conditions', () => {
    it('count the newest posted result of a custom check', async () => {
      const garden = await agreed.bound({ type: 'custom_check', params: { name: 'scan' } });
      const id = await agreed.active(garden);
      const post = (passed: boolean, more: object = {}, person = ann) =>
        house
          .as(person)
          .post(`/tasks/${id}/dod-results`)
          .send({ name: 'scan', passed, ...more });
      const vic = await house.person('Vic');
      await house.join(garden, vic, 'viewer');
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

    it('count living comments on the task', async () => {
      const garden = await agreed.bound({ type: 'comment_required' });
      const id = await agreed.active(garden);
      const comment = (entity_type: string, entity_id: string) =>
        house.as(bob).post('/comments').send({ entity_type, entity_id, content: 'Well done' }).expect(201);
      await comment('endeavour', garden);
      expect((await agreed.check(id)).result).toBe('not_met');
      const { body } = await comment('task', id);
      expect(await agreed.check(id)).toMatchObject({ result: 'met', rested_on: [body.data.id] });
      await house.as(bob).delete(`/comments/${body.data.id}`).expect(200);
      expect((await agreed.check(id)).result).toBe('not_met');
    });

    it('count the newest report that belongs to the task, by itself or by a relation either way', async () => {
      const garden = await agreed.bound({ type: 'tests_pass' });
      const id = await agreed.active(garden);
      const report = async (result: string, more: object) => {
        const sent = { kind: 'test-report', title: 'Run', tags: ['test-report'], metadata: { result }, ...more };
        return (await house.as(ann).post('/artifacts').send(sent).expect(201)).body.data.id;
      };
      const relate = (source: [string, string], target: [string, string]) =>
        house
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
      await house.as(ann).delete(`/artifacts/${last}`).expect(200);
      expect((await agreed.check(id)).result).toBe('not_met');
    });

    it('count the time in a status by the history of the task', async () => {
      const garden = await agreed.bound({ type: 'time_in_status', params: { min_duration: '1h' } });
      const id = await agreed.active(garden);
      await agreed.done(id).expect(409);
      await house.database.query(
        `UPDATE task_statuses SET entered_at = now() - interval '61 minutes' WHERE task_id = $1 AND status = 'active'`,
        [id],
      );
      await agreed.done(id).expect(200);
    });
  });
});
