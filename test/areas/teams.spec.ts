import { newId } from '../../src/common/ids.js';
import { TestApp, type Person } from '../support/test-app.js';
import { race } from '../support/races.js';

const faults = (body: { error: { details: { fields: { field: string; code: string }[] } } }) =>
  body.error.details.fields.map(({ field, code }) => `${field} ${code}`);

describe('teams', () => {
  let app: TestApp;
  let ann: Person;
  let mia: Person;
  let max: Person;
  let riverside: string;
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open();
    ann = await app.person('Ann');
    riverside = await app.organization(ann);
    garden = await app.endeavour(ann, { organization_id: riverside });
    [mia, max] = [await colleague('Mia'), await colleague('Max')];
  });

  afterAll(() => app.close());

  const colleague = async (name: string, role = 'member'): Promise<Person> => {
    const person = await app.person(name);
    await app.join(riverside, person, role);
    return person;
  };
  const add = (team: string, resource_id: string, person = ann, more: object = {}) =>
    app
      .as(person)
      .post(`/resources/${team}/members`)
      .send({ resource_id, ...more });
  const made = async (...members: Person[]): Promise<string> => {
    const sent = { name: 'Gardeners', type: 'team', organization_id: riverside };
    const { body } = await app.as(ann).post('/resources').send(sent).expect(201);
    for (const { id } of members) await add(body.data.id, id).expect(201);
    return body.data.id;
  };
  const members = async (team: string): Promise<string[]> => {
    const { body } = await app.as(ann).get(`/resources/${team}/members`).expect(200);
    return body.data.map(({ name }: { name: string }) => name);
  };
  const move = (id: string, body: object, person: Person) =>
    app
      .as(person)
      .patch(`/${id.startsWith('tsk') ? 'tasks' : 'demands'}/${id}`)
      .send(body);
  const owned = async (team: string): Promise<string> => {
    const task = await app.task(ann, garden);
    await move(task, { owner_id: team }, ann).expect(200);
    return task;
  };
  const votes = (id: string) => app.count(`quorum_votes WHERE lapsed_at IS NULL AND entity_id = '${id}'`);
  const revision = async (task: string) => (await app.as(ann).get(`/tasks/${task}`).expect(200)).body.data.revision;
  const quorum = (team: string, rules: unknown) => app.as(ann).patch(`/resources/${team}`).send({ quorum: rules });

  describe('members', () => {
    it('are added, listed, given another role and removed', async () => {
      const team = await made();
      const { body } = await add(team, mia.id, ann, { role: 'lead' }).expect(201);
      expect(body.data).toEqual({
        team_id: team,
        resource_id: mia.resourceId,
        name: 'Mia',
        type: 'human',
        status: 'active',
        role: 'lead',
        joined_at: expect.any(String),
      });
      await add(team, max.resourceId).expect(201);
      expect((await add(team, mia.id).expect(201)).body.data.role).toBe('lead');
      expect((await add(team, mia.id, ann, { role: 'cook' }).expect(201)).body.data.role).toBe('cook');
      expect(await members(team)).toEqual(['Mia', 'Max']);
      const { body: gone } = await app.as(ann).delete(`/resources/${team}/members/${mia.resourceId}`).expect(200);
      expect(gone.data).toEqual({ id: mia.resourceId, deleted: true });
      await app.as(ann).delete(`/resources/${team}/members/${mia.resourceId}`).expect(404);
      expect(await members(team)).toEqual(['Max']);
    });

    it("come only from the team's home, cannot be teams, and exist only in teams", async () => {
      const eve = await app.person('Eve');
      await app.join(garden, eve, 'member');
      const [team, other] = [await made(), await made()];
      await add(team, eve.id).expect(403);
      const { body } = await app.as(ann).post('/resources').send({ name: 'Spade', type: 'service' }).expect(201);
      expect(faults((await add(team, body.data.id).expect(400)).body)).toEqual(['resource_id reference_not_found']);
      expect(faults((await add(team, other).expect(400)).body)).toEqual(['resource_id invalid_value']);
      expect((await add(mia.resourceId, max.id, mia).expect(409)).body.error.details.reason).toBe('not_a_team');
    });

    it('are looked up, and their consent is checked, before If-Match is compared', async () => {
      const eve = await app.person('Eve');
      await app.join(garden, eve, 'member');
      const team = await made(mia);
      const stale = '"999"';
      const remove = (id: string) => app.as(ann).delete(`/resources/${team}/members/${id}`).set('If-Match', stale);
      await add(team, newId('resource')).set('If-Match', stale).expect(400);
      await add(team, eve.id).set('If-Match', stale).expect(403);
      await add(team, max.id).set('If-Match', stale).expect(412);
      await add(mia.resourceId, max.id, mia).set('If-Match', stale).expect(412);
      await remove(max.resourceId).expect(404);
      await remove(mia.resourceId).expect(412);
      expect(await members(team)).toEqual(['Mia']);
    });

    it('can be managed by those who manage the team, and seen by those who see it', async () => {
      const [team, eve] = [await made(mia), await app.person('Eve')];
      await add(team, max.id, mia).expect(403);
      await app.as(mia).delete(`/resources/${team}/members/${mia.resourceId}`).expect(403);
      await app.as(mia).get(`/resources/${team}/members`).expect(200);
      await app.as(eve).get(`/resources/${team}/members`).expect(404);
      await add(team, eve.id, eve).expect(404);
    });

    it('leave the team when they leave its home', async () => {
      const pat = await colleague('Pat');
      const team = await made(pat);
      await app.as(ann).delete(`/organizations/${riverside}/members/${pat.id}`).expect(200);
      expect(await members(team)).toEqual([]);
    });

    describe('leave with an event when', () => {
      let ada: Person;
      let spade: string;
      beforeAll(async () => {
        ada = await app.admin();
      });
      beforeEach(async () => {
        spade = await resource({ name: 'Spade', type: 'service' });
      });

      const resource = async (sent: object): Promise<string> =>
        (await app.as(ann).post('/resources').send(sent).expect(201)).body.data.id;
      const bring = (id: string) =>
        app.as(ann).post(`/organizations/${riverside}/resources`).send({ resource_id: id }).expect(200);
      const takeAway = (id: string) => app.as(ann).delete(`/organizations/${riverside}/resources/${id}`).expect(200);
      const removed = async (team: string) => {
        const { body } = await app.as(ada).get(`/resources/${team}/changes`).expect(200);
        const gone = body.data.filter(({ type }: { type: string }) => type === 'member.removed');
        return gone.map((one: { actor_id: string; data: { resource_id: string } }) => [
          one.actor_id,
          one.data.resource_id,
        ]);
      };

      it('their account is erased', async () => {
        const pat = await colleague('Pat');
        const team = await made(pat);
        await app.as(ada).delete(`/users/${pat.id}?erase=now`).expect(200);
        expect(await removed(team)).toEqual([[pat.resourceId, pat.resourceId]]);
      });

      it('the agent is deleted', async () => {
        const sent = { name: 'Triage', organization_id: riverside };
        const { id, resource_id } = (await app.as(ann).post('/agents').send(sent).expect(201)).body.data;
        const team = await made();
        await add(team, id).expect(201);
        await app.as(ann).delete(`/agents/${id}`).expect(200);
        expect(await removed(team)).toEqual([[ann.resourceId, resource_id]]);
      });

      it('the team is transferred', async () => {
        const team = await made(ann, mia);
        const sent = { organization_id: await app.organization(ann) };
        await app.as(ann).post(`/resources/${team}/transfer`).send(sent).expect(200);
        expect(await removed(team)).toEqual([[ann.resourceId, mia.resourceId]]);
      });

      it('the team loses its home', async () => {
        const team = await made(ann, mia);
        await takeAway(team);
        expect(await removed(team)).toEqual([[ann.resourceId, mia.resourceId]]);
      });

      it('the team gets a home', async () => {
        const team = await resource({ name: 'Gardeners', type: 'team' });
        for (const id of [ann.id, spade]) await add(team, id).expect(201);
        await bring(team);
        expect(await removed(team)).toEqual([[ann.resourceId, spade]]);
      });

      it('a resource gets a home, or loses it', async () => {
        const [own, team] = [await resource({ name: 'Gardeners', type: 'team' }), await made()];
        await add(own, spade).expect(201);
        await bring(spade);
        await add(team, spade).expect(201);
        await takeAway(spade);
        for (const left of [own, team]) expect(await removed(left)).toEqual([[ann.resourceId, spade]]);
      });
    });

    it('are removed when the team is deleted', async () => {
      const team = await made(mia);
      const task = await app.task(ann, garden, { assignee_id: team });
      await app.as(ann).patch(`/tasks/${task}`).send({ status: 'canceled', canceled_reason: 'Rain' }).expect(200);
      await app.as(ann).delete(`/resources/${team}`).expect(200);
      const { body: changes } = await app.as(ann).get(`/changes?entity_id=${team}`).expect(200);
      expect(changes.data.map(({ type, data }: { type: string; data: object }) => [type, data]).slice(-2)).toEqual([
        ['member.removed', { resource_id: mia.resourceId, role: null }],
        ['resource.deleted', expect.objectContaining({ id: team })],
      ]);
      const { body } = await app.as(mia).get('/tasks?assignee_id=me').expect(200);
      expect(body.data.map(({ id }: { id: string }) => id)).not.toContain(task);
    });
  });

  describe('work', () => {
    it("counts as its members' own", async () => {
      const team = await made(mia);
      const task = await app.task(ann, garden, { assignee_id: team });
      const listed = async (person: Person, query: string) => {
        const { body } = await app.as(person).get(`/tasks?${query}`).expect(200);
        return body.data.map(({ id }: { id: string }) => id);
      };
      expect(await listed(mia, 'assignee_id=me')).toContain(task);
      expect(await listed(max, 'assignee_id=me')).not.toContain(task);
      await app.as(ann).patch(`/tasks/${task}`).send({ owner_id: team }).expect(200);
      expect(await listed(mia, 'owner_id=me')).toContain(task);
      const cancel = { status: 'canceled', canceled_reason: 'Rain' };
      await app.as(max).patch(`/tasks/${task}`).send(cancel).expect(403);
      await app.as(mia).patch(`/tasks/${task}`).send(cancel).expect(200);
    });
  });

  describe('the quorum', () => {
    it('is a number from 2 to the number of members, only for teams, and merged by key', async () => {
      const team = await made(mia, max);
      expect((await quorum(team, { cancel: 2, default: 2 }).expect(200)).body.data.quorum).toEqual({
        cancel: 2,
        default: 2,
      });
      expect((await quorum(team, { default: null, fulfill: 2 }).expect(200)).body.data.quorum).toEqual({
        cancel: 2,
        fulfill: 2,
      });
      expect((await quorum(team, null).expect(200)).body.data.quorum).toBeNull();
      const cases: [unknown, string][] = [
        [{ cancel: 3 }, 'quorum.cancel out_of_range'],
        [{ cancel: 1 }, 'quorum.cancel out_of_range'],
        [{ cancel: 2.5 }, 'quorum.cancel invalid_type'],
        [{ cancel: '2' }, 'quorum.cancel invalid_type'],
        [{ close: 2 }, 'quorum unknown_field'],
        [{ close: 2, open: 2 }, 'quorum unknown_field'],
        [[2], 'quorum invalid_type'],
      ];
      for (const [rules, fault] of cases) expect(faults((await quorum(team, rules).expect(400)).body)).toEqual([fault]);
      const person = app
        .as(ann)
        .patch(`/resources/${ann.resourceId}`)
        .send({ quorum: { cancel: 2 } });
      expect(faults((await person.expect(400)).body)).toEqual(['quorum invalid_value']);
    });

    describe('of the team that owns the work', () => {
      const cancel = { status: 'canceled', canceled_reason: 'Rain' };
      it('keeps the vote of each rejected request, and the last vote makes the change', async () => {
        const pat = await colleague('Pat');
        const team = await made(mia, max, pat);
        await quorum(team, { cancel: 3 }).expect(200);
        const task = await owned(team);
        const first = await move(task, cancel, mia).expect(409);
        expect(first.body.error).toMatchObject({
          code: 'quorum_not_met',
          details: { action: 'cancel', current_count: 1, required_count: 3 },
        });
        expect((await move(task, cancel, mia).expect(409)).body.error.details.current_count).toBe(1);
        expect(await votes(task)).toBe(1);
        expect((await move(task, cancel, max).expect(409)).body.error.details.current_count).toBe(2);
        expect(await revision(task)).toBe(2);
        const { body } = await move(task, { ...cancel, title: 'Gone' }, pat).expect(200);
        expect(body.data).toMatchObject({ status: 'canceled', title: 'Gone', revision: 3 });
        expect(await votes(task)).toBe(0);
      });

      it('counts a vote only for its own change, once per member, and until the status changes', async () => {
        const team = await made(mia, max);
        await quorum(team, { cancel: 2, default: 2 }).expect(200);
        const task = await owned(team);
        await move(task, cancel, mia).expect(409);
        await move(task, { status: 'active' }, max).expect(409);
        await move(task, { status: 'active' }, mia).expect(200);
        expect((await move(task, cancel, max).expect(409)).body.error.details.current_count).toBe(1);
        await move(task, { status: 'planned' }, max).expect(409);
        expect((await move(task, cancel, mia).expect(409)).body.error.details.current_count).toBe(1);
      });

      it('lets endeavour admins change the status alone, and rejects users outside the team', async () => {
        const [adam, nia] = [await colleague('Adam', 'admin'), await colleague('Nia')];
        const team = await made(mia, max);
        await quorum(team, { default: 2, cancel: 2 }).expect(200);
        const task = await owned(team);
        await move(task, { status: 'active' }, nia).expect(403);
        await move(task, { title: 'Mine' }, nia).expect(200);
        const other = await app.task(nia, garden);
        await move(other, { owner_id: team }, nia).expect(200);
        await move(other, cancel, nia).expect(403);
        expect([await votes(task), await votes(other)]).toEqual([0, 0]);
        await move(task, { status: 'active' }, adam).expect(200);
      });

      it('requires no more members than are active', async () => {
        const [pat, sam] = [await colleague('Pat'), await colleague('Sam')];
        const team = await made(mia, pat, sam);
        await quorum(team, { cancel: 3 }).expect(200);
        const task = await owned(team);
        expect((await move(task, cancel, mia).expect(409)).body.error.details.required_count).toBe(3);
        await app.as(pat).patch(`/resources/${pat.resourceId}`).send({ status: 'inactive' }).expect(200);
        await app.database.query(`UPDATE users SET status = 'suspended' WHERE id = $1`, [sam.id]);
        await move(task, cancel, mia).expect(200);
      });

      it('rejects votes of inactive members, both for a status and for a new owner', async () => {
        const [pat, sam, nia] = [await colleague('Pat'), await colleague('Sam'), await colleague('Nia')];
        const team = await made(pat, sam);
        const activate = (person: Person, status: string) =>
          app.as(person).patch(`/resources/${person.resourceId}`).send({ status }).expect(200);
        const asked = async () => (await app.as(sam).get('/work?why=vote').expect(200)).body.data.length;
        await quorum(team, { cancel: 2, default: 2 }).expect(200);
        const [task, demand] = [await owned(team), await app.demand(ann, garden)];
        await move(demand, { owner_id: team }, ann).expect(200);
        await activate(pat, 'inactive');
        for (const body of [cancel, { status: 'active' }, { owner_id: nia.id }]) {
          expect((await move(task, body, pat).expect(403)).body.error.code).toBe('forbidden');
        }
        await move(demand, cancel, pat).expect(403);
        expect([await votes(task), await votes(demand)]).toEqual([0, 0]);
        const { body } = await app.as(pat).get(`/tasks/${task}/transitions`).expect(200);
        expect(body.data[2].reasons).toMatchObject([{ code: 'forbidden' }]);
        await activate(pat, 'active');
        await move(task, cancel, pat).expect(409);
        expect(await asked()).toBe(1);
        await activate(sam, 'inactive');
        expect(await asked()).toBe(0);
      });

      it('applies to the owner of the work at the time of the change', async () => {
        const team = await made(mia, max);
        await quorum(team, { default: 2 }).expect(200);
        const task = await app.task(ann, garden);
        const otherSession = await app.openConnection();
        try {
          await otherSession.query('BEGIN');
          await otherSession.query('UPDATE tasks SET owner_id = $1 WHERE id = $2', [team, task]);
          const moved = move(task, { status: 'active' }, mia).then((response) => response);
          await app.untilLockWaits(1);
          await otherSession.query('COMMIT');
          expect((await moved).body.error.code).toBe('quorum_not_met');
        } finally {
          await otherSession.end();
        }
      });

      it('records no vote if the patch fails for another reason', async () => {
        const team = await made(mia, max);
        await quorum(team, { cancel: 2, fulfill: 2 }).expect(200);
        const task = await owned(team);
        await move(task, { status: 'canceled' }, mia).expect(400);
        await move(task, { ...cancel, assignee_id: newId('resource') }, mia).expect(400);
        await move(task, { ...cancel, colour: 'red' }, mia).expect(400);
        await move(task, cancel, mia).set('If-Match', '"1"').expect(412);
        const demand = await app.demand(ann, garden);
        await app.as(ann).post('/tasks').send({ title: 'Open', endeavour_id: garden, demand_id: demand }).expect(201);
        await move(demand, { owner_id: team, status: 'in_progress' }, ann).expect(200);
        const { body } = await move(demand, { status: 'fulfilled' }, mia).expect(409);
        expect(body.error.details.reason).toBe('open_tasks');
        expect([await votes(task), await votes(demand)]).toEqual([0, 0]);
      });

      it('applies to demands too: to cancel, to fulfil, and to other changes', async () => {
        const team = await made(mia, max);
        await quorum(team, { cancel: 2, fulfill: 2, default: 2 }).expect(200);
        const demand = await app.demand(ann, garden);
        await move(demand, { owner_id: team }, ann).expect(200);
        const steps: [object, string][] = [
          [{ status: 'in_progress' }, 'default'],
          [{ status: 'fulfilled' }, 'fulfill'],
          [{ status: 'open' }, 'default'],
          [cancel, 'cancel'],
        ];
        for (const [body, action] of steps) {
          expect((await move(demand, body, mia).expect(409)).body.error.details.action).toBe(action);
          await move(demand, body, max).expect(200);
        }
      });

      it('is shown in the transitions of a task', async () => {
        const nia = await colleague('Nia');
        const team = await made(mia, max);
        await quorum(team, { cancel: 2, default: 2 }).expect(200);
        const task = await owned(team);
        const codes = async (person: Person) => {
          const { body } = await app.as(person).get(`/tasks/${task}/transitions`).expect(200);
          return body.data.map(({ status, reasons }: { status: string; reasons: { code: string }[] }) => [
            status,
            ...reasons.map(({ code }) => code),
          ]);
        };
        expect(await codes(mia)).toEqual([
          ['active', 'quorum_not_met'],
          ['done', 'invalid_transition'],
          ['canceled', 'quorum_not_met'],
        ]);
        expect(await codes(nia)).toEqual([
          ['active', 'forbidden'],
          ['done', 'invalid_transition'],
          ['canceled', 'forbidden'],
        ]);
        await move(task, { status: 'active' }, max).expect(409);
        expect((await codes(mia))[0]).toEqual(['active']);
      });

      it('reports each vote to the team, the assignee and the creator of the work', async () => {
        const [pat, sam] = [await colleague('Pat'), await colleague('Sam')];
        const team = await made(mia, max);
        await quorum(team, { default: 2 }).expect(200);
        const task = await app.task(pat, garden, { assignee_id: sam.id });
        const demand = await app.demand(pat, garden);
        for (const id of [task, demand]) await move(id, { owner_id: team }, ann).expect(200);
        const { body } = await app.as(ann).get('/changes?after=now').expect(200);
        await move(task, { status: 'active' }, mia).expect(409);
        await move(demand, { status: 'in_progress' }, mia).expect(409);
        const eventTypesFor = async (person: Person) => {
          const response = await app.as(person).get(`/changes?about=me&after=${body.meta.next}`).expect(200);
          return response.body.data.map(({ type }: { type: string }) => type);
        };
        expect(await eventTypesFor(max)).toEqual(['task.voted', 'demand.voted']);
        expect(await eventTypesFor(pat)).toEqual(['task.voted', 'demand.voted']);
        expect(await eventTypesFor(sam)).toEqual(['task.voted']);
        expect([await eventTypesFor(mia), await eventTypesFor(ann)]).toEqual([[], []]);
      });

      race('counts concurrent votes one after the other', 20, async () => {
        const pat = await colleague('Pat');
        const team = await made(mia, max, pat);
        await quorum(team, { cancel: 3 }).expect(200);
        const task = await owned(team);
        const responses = await Promise.all([mia, max, pat].map((person) => move(task, cancel, person)));
        const statuses = responses.map(({ status }) => status).sort((a, b) => a - b);
        expect(statuses).toEqual([200, 409, 409]);
      });

      it('counts one vote of a person who repeats the request under the same idempotency key', async () => {
        const team = await made(mia, max);
        await quorum(team, { cancel: 2 }).expect(200);
        const task = await owned(team);
        const ask = () => move(task, cancel, mia).set('Idempotency-Key', 'once').expect(409);
        const [first, second] = [await ask(), await ask()];
        expect(second.headers['idempotent-replayed']).toBeUndefined();
        expect(second.body.error.details).toEqual(first.body.error.details);
        await move(task, cancel, max).expect(200);
      });
    });
  });
});
