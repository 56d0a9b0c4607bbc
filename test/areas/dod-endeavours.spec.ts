import { newId } from '../../src/common/ids.js';
import { Agreement, attestation, faults } from '../support/dod.js';
import type { TestApp, Person } from '../support/test-app.js';
import { race } from '../support/races.js';

describe('the policy of an endeavour', () => {
  let agreed: Agreement;
  let app: TestApp;
  let ann: Person;
  let bob: Person;

  beforeAll(async () => {
    agreed = await Agreement.open();
    ({ app, ann, bob } = agreed);
  });

  afterAll(() => app.close());

  const addActive = (garden: string, count: number) =>
    app.database.query(
      `WITH made AS (SELECT 'tsk_' || md5($1 || n::text || $2::text) AS id FROM generate_series(1, $2::integer) n),
         placed AS (INSERT INTO entities (id, kind, endeavour_id, title) SELECT id, 'task', $1, 'Mow' FROM made)
       INSERT INTO tasks (id, endeavour_id, title, owner_id, creator_id, status, started_at)
       SELECT id, $1, 'Mow', $3, $3, 'active', now() FROM made`,
      [garden, count, ann.resourceId],
    );

  describe('assigning', () => {
    it('accepts global policies and those of an organization of the endeavour, from admins only', async () => {
      const garden = await app.endeavour(ann);
      await app.join(garden, bob, 'member');
      const global = await agreed.policy(attestation);
      await agreed.assign(garden, global, bob).expect(403);
      await agreed.assign(garden, global, await app.person('Eve')).expect(404);
      const { body } = await agreed.assign(garden, global).expect(200);
      expect(body.data).toEqual({ endeavour_id: garden, policy_id: global, status: 'assigned' });
      const riverside = await app.organization(ann);
      const ours = (
        await app
          .as(ann)
          .post('/dod-policies')
          .send({ name: 'Riverside', organization_id: riverside, conditions: [attestation] })
          .expect(201)
      ).body.data.id;
      expect(faults((await agreed.assign(garden, ours).expect(400)).body)).toEqual(['policy_id reference_not_found']);
      await app.link(riverside, garden);
      await agreed.assign(garden, ours).expect(200);
      const absent = await agreed.assign(garden, newId('dod_policy')).expect(400);
      expect(faults(absent.body)).toEqual(['policy_id reference_not_found']);
    });

    it('accepts a policy of the endeavour, and personal ones of its admins only', async () => {
      const [garden, shed] = [await app.endeavour(ann), await app.endeavour(ann)];
      await app.join(garden, bob, 'member');
      const make = async (person: Person, more: object): Promise<string> => {
        const sent = { name: 'Own', conditions: [attestation], ...more };
        return (await app.as(person).post('/dod-policies').send(sent).expect(201)).body.data.id;
      };
      const own = await make(ann, { endeavour_id: garden });
      await agreed.assign(garden, own).expect(200);
      await agreed.assign(shed, own).expect(400);
      const personal = await make(bob, {});
      await agreed.assign(garden, personal, agreed.ada).expect(400);
      await agreed.assign(garden, personal).expect(400);
      await app.database.query(`UPDATE endeavour_members SET role = 'admin' WHERE endeavour_id = $1 AND user_id = $2`, [
        garden,
        bob.id,
      ]);
      await agreed.assign(garden, personal, bob).expect(200);
      await agreed.endorse(garden).expect(201);
    });

    it('keeps a copy of a personal policy as soon as its creator is no longer an admin', async () => {
      const policyOf = async (garden: string): Promise<string> =>
        (await app.as(ann).get(`/endeavours/${garden}`).expect(200)).body.data.dod_policy_id;
      const bound = async (organization?: string): Promise<[string, string]> => {
        const garden = await app.endeavour(ann, { organization_id: organization });
        if (organization === undefined) await app.join(garden, bob, 'admin');
        const { body } = await app
          .as(bob)
          .post('/dod-policies')
          .send({ name: 'Own', conditions: [attestation] });
        await agreed.assign(garden, body.data.id, bob).expect(200);
        return [garden, body.data.id];
      };
      const company = await app.organization(ann);
      await app.join(company, bob, 'admin');
      const member = `/organizations/${company}/members/${bob.id}`;
      const losses: [() => Promise<[string, string]>, (garden: string) => Promise<unknown>][] = [
        [bound, (garden) => app.as(ann).delete(`/endeavours/${garden}/members/${bob.id}`).expect(200)],
        [
          bound,
          (garden) => app.as(ann).patch(`/endeavours/${garden}/members/${bob.id}`).send({ role: 'member' }).expect(200),
        ],
        [bound, (garden) => app.as(bob).delete(`/endeavours/${garden}/members/${bob.id}`).expect(200)],
        [() => bound(company), () => app.as(ann).patch(member).send({ role: 'member' }).expect(200)],
        [
          async () => {
            await app.as(ann).patch(member).send({ role: 'admin' }).expect(200);
            return bound(company);
          },
          (garden) => app.as(ann).delete(`/organizations/${company}/endeavours/${garden}`).expect(200),
        ],
        [() => bound(company), () => app.as(ann).delete(member).expect(200)],
      ];
      for (const [prepare, lose] of losses) {
        const [garden, policy] = await prepare();
        expect(await policyOf(garden)).toBe(policy);
        await lose(garden);
        const copy = await policyOf(garden);
        expect(copy).not.toBe(policy);
        const { body } = await app.as(ann).get(`/dod-policies/${copy}`).expect(200);
        expect(body.data).toMatchObject({ container: 'endeavour', endeavour_id: garden, conditions: [attestation] });
      }
    });

    it('rejects an archived policy', async () => {
      const garden = await app.endeavour(ann);
      const old = await agreed.policy(attestation);
      await app.as(agreed.ada).post(`/dod-policies/${old}/versions`).expect(201);
      expect((await agreed.assign(garden, old).expect(409)).body.error.code).toBe('archived');
    });

    race('never leaves an endeavour with a version that was replaced at the same time', 2, async () => {
      const gardens = await Promise.all(Array.from({ length: 8 }, () => app.endeavour(ann)));
      const first = await agreed.policy(attestation);
      const version = app.as(agreed.ada).post(`/dod-policies/${first}/versions`);
      const responses = await Promise.all([version, ...gardens.map((garden) => agreed.assign(garden, first))]);
      const [made, ...assigned] = responses;
      expect(made.status).toBe(201);
      for (const [index, { status }] of assigned.entries()) {
        expect([200, 409]).toContain(status);
        const { body } = await app.as(ann).get(`/endeavours/${gardens[index]}`).expect(200);
        expect(body.data.dod_policy_id).toBe(status === 200 ? made.body.data.id : null);
      }
    });

    it('another policy supersedes the endorsements, and the same one changes nothing', async () => {
      const garden = await agreed.bound(attestation);
      const { body } = await app.as(ann).get(`/endeavours/${garden}`).expect(200);
      const statuses = async () => (await agreed.endorsements(garden)).map(({ status }) => status);
      await agreed.assign(garden, body.data.dod_policy_id).expect(200);
      expect(await statuses()).toEqual(['active']);
      await agreed.assign(garden, await agreed.policy(attestation)).expect(200);
      expect(await statuses()).toEqual(['superseded']);
    });

    it('shows a preview of its effects with dry_run', async () => {
      const garden = await agreed.bound(attestation);
      const [fails, passes] = [await agreed.active(garden), await agreed.active(garden, { description: 'Green' })];
      const [endorsement] = await agreed.endorsements(garden);
      const next = await agreed.policy({ type: 'field_populated', params: { field: 'description' } });
      const dry = (flag: string) =>
        app.as(ann).post(`/endeavours/${garden}/dod-policy?dry_run=${flag}`).send({ policy_id: next });
      await dry('perhaps').expect(400);
      const { body } = await dry('true').expect(200);
      expect(body.data).toMatchObject({
        status: 'dry_run',
        failing_tasks: [{ id: fails, conditions: [{ type: 'field_populated' }] }],
        lapsing_endorsements: [endorsement.id],
      });
      const { body: after } = await app.as(ann).get(`/endeavours/${garden}/dod-status`).expect(200);
      expect(after.data.policy.id).not.toBe(next);
      expect(passes).not.toBe(fails);
    });

    it('truncates a preview whose texts are too long, and reports it', async () => {
      const garden = await app.endeavour(ann);
      const labelled = { type: 'manual_attestation', label: 'l'.repeat(500), params: { prompt: 'p'.repeat(1000) } };
      const next = await agreed.policy(...Array.from({ length: 50 }, () => labelled));
      await addActive(garden, 200);
      const { body } = await app
        .as(ann)
        .post(`/endeavours/${garden}/dod-policy?dry_run=true`)
        .send({ policy_id: next })
        .expect(200);
      expect(body.data.truncated).toBe(true);
      expect(body.data.failing_tasks.length).toBeGreaterThan(0);
      expect(JSON.stringify(body).length).toBeLessThan(8_000_000);
    });

    it('accepts stored policies that exceed the limits of new ones, and versions of them', async () => {
      const [garden, small, large] = [await app.endeavour(ann), await agreed.policy(attestation), newId('dod_policy')];
      const conditions = ['a', 'b', 'c'].map((id) => ({
        id,
        type: 'manual_attestation',
        label: 'Attestation',
        params: { prompt: 'p'.repeat(50_000) },
        required: true,
      }));
      await app.database.query(
        `WITH placed AS (INSERT INTO entities (id, kind, endeavour_id, title) VALUES ($2, 'dod_policy', $4, 'Ours'))
         INSERT INTO dod_policies (id, lineage_id, version, origin, name, conditions, container, endeavour_id, created_by)
         SELECT $2, $2, 1, origin, name, $3, 'endeavour', $4, created_by FROM dod_policies WHERE id = $1`,
        [small, large, JSON.stringify(conditions), garden],
      );
      await agreed.assign(garden, large).expect(200);
      const id = await agreed.active(garden);
      expect((await agreed.check(id)).result).toBe('not_met');
      await agreed.attest(id).expect(200);
      expect((await agreed.check(id)).result).toBe('met');
      const renamed = app.as(ann).post(`/dod-policies/${large}/versions`).send({ name: 'Next' });
      expect((await renamed.expect(201)).body.data.conditions).toEqual(conditions);
    });

    it('can be undone repeatedly', async () => {
      const garden = await agreed.bound(attestation);
      const unassign = (person: Person) => app.as(person).delete(`/endeavours/${garden}/dod-policy`);
      await unassign(bob).expect(403);
      expect((await unassign(ann).expect(200)).body.data).toEqual({ endeavour_id: garden, status: 'unassigned' });
      await unassign(ann).expect(200);
      await agreed.done(await agreed.active(garden)).expect(200);
    });
  });

  describe('endorsing', () => {
    it('binds to the assigned version, once', async () => {
      const garden = await app.endeavour(ann);
      expect((await agreed.endorse(garden).expect(409)).body.error.details.reason).toBe('no_policy');
      const [ours, other] = [await agreed.policy(attestation), await agreed.policy(attestation)];
      await agreed.assign(garden, ours).expect(200);
      expect((await agreed.endorse(garden, ann, { policy_id: other }).expect(409)).body.error.details.reason).toBe(
        'not_assigned',
      );
      expect(faults((await agreed.endorse(garden, ann, { policy_id: newId('dod_policy') }).expect(400)).body)).toEqual([
        'policy_id reference_not_found',
      ]);
      const { body } = await agreed.endorse(garden, ann, { policy_id: ours }).expect(201);
      expect(body.data).toMatchObject({
        policy_id: ours,
        policy_version: 1,
        resource_id: ann.resourceId,
        resource_name: 'Ann',
        endeavour_id: garden,
        status: 'active',
        endorsed_at: body.data.created_at,
        superseded_at: null,
      });
      expect((await agreed.endorse(garden).expect(409)).body.error.details.reason).toBe('already_endorsed');
    });

    race('succeeds once for 20 concurrent requests', 2, async () => {
      const garden = await app.endeavour(ann);
      await agreed.assign(garden, await agreed.policy(attestation)).expect(200);
      const responses = await Promise.all(Array.from({ length: 20 }, () => agreed.endorse(garden)));
      expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    });

    race('never binds to the old version while a new one is created', 2, async () => {
      const garden = await app.endeavour(ann);
      const first = await agreed.policy(attestation);
      await agreed.assign(garden, first).expect(200);
      const members = await Promise.all(Array.from({ length: 6 }, (_, n) => app.person(`Member ${n}`)));
      for (const member of members) await app.join(garden, member, 'member');
      const version = app.as(agreed.ada).post(`/dod-policies/${first}/versions`).expect(201);
      const [made] = await Promise.all([
        version,
        ...members.map((member) => agreed.endorse(garden, member).expect(201)),
      ]);
      const active = await agreed.endorsements(garden, ann, '&status=active');
      expect(active.map(({ policy_id }) => policy_id)).toEqual(active.map(() => made.body.data.id));
    });

    it('is allowed to members, visible to viewers, and withdrawn by the endorser only', async () => {
      const garden = await agreed.bound(attestation);
      const [vic, eve] = [await app.person('Vic'), await app.person('Eve')];
      await app.join(garden, vic, 'viewer');
      await agreed.endorse(garden, vic).expect(403);
      expect(faults((await agreed.endorse(garden, eve).expect(400)).body)).toEqual([
        'endeavour_id reference_not_found',
      ]);
      const list = async (person: Person, query = '') =>
        (await agreed.endorsements(garden, person, query)).map((each) => each.id);
      const [id] = await list(vic, '&resource_id=' + ann.id);
      expect(await list(vic)).toEqual([id]);
      expect(await list(vic, '&status=withdrawn')).toEqual([]);
      expect(await list(eve)).toEqual([]);
      const withdraw = (person: Person) => app.as(person).delete(`/dod-endorsements/${id}`);
      await withdraw(eve).expect(404);
      await withdraw(bob).expect(403);
      expect((await withdraw(ann).expect(200)).body.data).toEqual({ id, deleted: true });
      expect((await withdraw(ann).expect(409)).body.error.details.reason).toBe('not_active');
      expect(await list(vic, '&status=withdrawn')).toEqual([id]);
      const task = await agreed.active(garden);
      await agreed.attest(task).expect(200);
      await agreed.done(task).expect(409);
      await agreed.endorse(garden).expect(201);
      await agreed.done(task).expect(200);
    });
  });

  describe('the status of an endeavour', () => {
    it('counts its active tasks and lists members without an endorsement', async () => {
      const garden = await agreed.bound(attestation);
      const vic = await app.person('Vic');
      await app.join(garden, vic, 'viewer');
      const [met, overridden] = [await agreed.active(garden), await agreed.active(garden)];
      await agreed.active(garden);
      await app.task(ann, garden);
      await agreed.attest(met).expect(200);
      await app.as(ann).post(`/tasks/${overridden}/dod-override`).send({ reason: 'Rain' }).expect(200);
      const { body } = await app.as(vic).get(`/endeavours/${garden}/dod-status`).expect(200);
      expect(body.data).toMatchObject({
        endeavour_id: garden,
        policy: { name: 'Ours', version: 1 },
        endorsements: [expect.objectContaining({ resource_id: expect.any(String), status: 'active' })],
        endorsement_counts: { active: 1, superseded: 0 },
        more_without_endorsement: 0,
        truncated: false,
        members_without_endorsement: [{ user_id: bob.id, resource_id: bob.resourceId, name: 'Bob' }],
        tasks: { met: 1, not_met: 1, overridden: 1 },
      });
    });

    it('lists the tasks that do not meet the policy with their failed conditions, page by page', async () => {
      const garden = await agreed.bound(attestation);
      const tasks: string[] = [];
      while (tasks.length < 5) tasks.push(await agreed.active(garden));
      await agreed.attest(tasks[3]).expect(200);
      await agreed.override(tasks[1]).expect(200);
      const path = `/endeavours/${garden}/dod-status?tasks=not_met`;
      const { body } = await app.as(bob).get(`${path}&limit=2`).expect(200);
      expect(body).toMatchObject({
        data: [
          { id: tasks[4], title: 'Paint the gate', conditions: [{ type: 'manual_attestation', status: 'failed' }] },
        ],
        meta: { total: null, limit: 2, next_cursor: expect.any(String) },
      });
      const next = await app.as(bob).get(`${path}&limit=2&cursor=${body.meta.next_cursor}`).expect(200);
      expect(next.body.data.map(({ id }: { id: string }) => id)).toEqual([tasks[2]]);
      const all = await app.as(bob).get(path).expect(200);
      expect(all.body.data.map(({ id }: { id: string }) => id)).toEqual([tasks[4], tasks[2], tasks[0]]);
      for (const query of ['tasks=met', 'limit=2', 'tasks=not_met&limit=0', 'tasks=not_met&sort=title']) {
        await app.as(bob).get(`/endeavours/${garden}/dod-status?${query}`).expect(400);
      }
      await app
        .as(await app.person('Eve'))
        .get(path)
        .expect(404);
    });

    it('stops counting at 1,000 tasks, and lists at most 50 members', async () => {
      const garden = await agreed.bound(attestation);
      const next = await agreed.policy(attestation);
      const status = async () => (await app.as(ann).get(`/endeavours/${garden}/dod-status`).expect(200)).body.data;
      const dry = async () =>
        (await app.as(ann).post(`/endeavours/${garden}/dod-policy?dry_run=true`).send({ policy_id: next }).expect(200))
          .body.data;
      await addActive(garden, 1000);
      expect(await status()).toMatchObject({ tasks: { not_met: 1000 }, truncated: false });
      await addActive(garden, 1);
      expect(await status()).toMatchObject({ tasks: { not_met: 1000 }, truncated: true });
      const impact = await dry();
      expect([impact.failing_tasks.length, impact.truncated]).toEqual([1000, true]);
      for (let n = 0; n < 52; n += 1) await app.join(garden, await app.person(`Member ${n}`), 'member');
      const { members_without_endorsement: named, more_without_endorsement: more } = await status();
      expect([named.length, more]).toEqual([50, 3]);
    });

    it('is empty without a policy, and returns 404 to strangers', async () => {
      const garden = await app.endeavour(ann);
      const { body } = await app.as(ann).get(`/endeavours/${garden}/dod-status`).expect(200);
      expect(body.data).toEqual({
        endeavour_id: garden,
        policy: null,
        endorsements: [],
        endorsement_counts: { active: 0, superseded: 0 },
        members_without_endorsement: [],
        more_without_endorsement: 0,
        tasks: { met: 0, not_met: 0, overridden: 0 },
        truncated: false,
      });
      const { body: unmet } = await app.as(ann).get(`/endeavours/${garden}/dod-status?tasks=not_met`).expect(200);
      expect(unmet.data).toEqual([]);
      await app
        .as(await app.person('Eve'))
        .get(`/endeavours/${garden}/dod-status`)
        .expect(404);
    });
  });

  it('cannot be changed in an archived endeavour', async () => {
    const garden = await agreed.bound(attestation);
    const id = await agreed.active(garden);
    const [endorsement] = await agreed.endorsements(garden);
    await app.as(ann).post(`/endeavours/${garden}/archive`).send({ reason: 'Winter' }).expect(200);
    const refused = [
      app.as(ann).post(`/tasks/${id}/dod-check`),
      app.as(ann).post(`/tasks/${id}/dod-override`).send({ reason: 'Rain' }),
      app.as(ann).delete(`/tasks/${id}/dod-override`),
      app.as(ann).post(`/tasks/${id}/dod-results`).send({ name: 'scan', passed: true }),
      app.as(ann).delete(`/endeavours/${garden}/dod-policy`),
      agreed.assign(garden, await agreed.policy(attestation)),
      agreed.endorse(garden, bob),
      app.as(ann).delete(`/dod-endorsements/${endorsement.id}`),
    ];
    for (const response of refused) expect((await response.expect(409)).body.error.code).toBe('archived');
    await app.as(ann).get(`/endeavours/${garden}/dod-status`).expect(200);
    await app.as(ann).get(`/tasks/${id}/dod-checks`).expect(200);
  });
});
