import { TestApp, type Person } from '../support/test-app.js';
import { race } from '../support/races.js';
import { brokenInvariants } from '../faults/support/invariants.mjs';

type HttpResponse = {
  status: number;
  body: { data: Record<string, never>; error: { code: string; details?: object } };
};

const statusesOf = (responses: { status: number }[]): number[] =>
  responses.map(({ status }) => status).sort((a, b) => a - b);

/** Rules across features that hold in every order of concurrent requests; races of one feature are in its own tests. */
describe('in every order of concurrent requests', () => {
  const apps: TestApp[] = [];
  let app: TestApp;
  let [ann, bob, mia]: Person[] = [];

  beforeAll(async () => {
    app = await TestApp.open();
    apps.push(app, await TestApp.open({}, app));
    [ann, bob, mia] = [await app.person('Ann'), await app.person('Bob'), await app.person('Mia')];
  });

  afterAll(async () => {
    const broken = await brokenInvariants((sql) => app.database.query(sql));
    for (const each of apps.toReversed()) await each.close();
    expect(broken).toEqual([]);
  });

  /** The other replica. */
  const there = (person: Person) => apps[1].as(person);
  const here = (person: Person) => app.as(person);
  const owners = async (container: string): Promise<number> => {
    const area = container.startsWith('org_') ? 'organizations' : 'endeavours';
    const { body } = await here(ann).get(`/${area}/${container}/members?role=owner`);
    return body.data?.length ?? -1;
  };

  describe('containers', () => {
    race('an organization keeps an owner if one steps down and the other is removed as a resource', 10, async () => {
      const shop = await app.organization(ann);
      await app.join(shop, bob, 'owner');
      const responses = await Promise.all([
        here(ann).patch(`/organizations/${shop}/members/${ann.id}`).send({ role: 'member' }),
        there(ann).delete(`/organizations/${shop}/resources/${bob.resourceId}`),
      ]);
      expect(responses.filter(({ status }) => ![200, 403, 409].includes(status))).toEqual([]);
      expect(await owners(shop)).toBe(1);
    });

    race('an endeavour keeps an owner if its two owners demote each other by different operations', 10, async () => {
      const garden = await app.endeavour(ann);
      await app.join(garden, bob, 'owner');
      const responses = await Promise.all([
        here(ann).patch(`/endeavours/${garden}/members/${bob.id}`).send({ role: 'member' }),
        there(bob).post(`/users/${ann.id}/endeavours`).send({ endeavour_id: garden, role: 'viewer' }),
      ]);
      expect(statusesOf(responses)).toEqual([200, 403]);
      expect(await owners(garden)).toBe(1);
    });

    race('a user who is added several times at once becomes a member once', 5, async () => {
      const shop = await app.organization(ann);
      const garden = await app.endeavour(ann, { organization_id: shop });
      await app.join(shop, mia, 'guest');
      await app.join(shop, bob, 'admin');
      const add = (replica: typeof here, person: Person) =>
        replica(person).post(`/endeavours/${garden}/members`).send({ user_id: mia.id });
      const responses = await Promise.all([add(here, ann), add(there, bob), add(here, bob), add(there, ann)]);
      expect(responses.filter(({ status }) => ![201, 409].includes(status))).toEqual([]);
      const { body } = await here(ann).get(`/endeavours/${garden}/members?direct=true`).expect(200);
      const ids = body.data.map(({ user_id }: { user_id: string }) => user_id);
      expect(ids.sort()).toEqual([ann.id, mia.id].sort());
    });

    race('archiving an organization includes the endeavours that are created or linked meanwhile', 10, async () => {
      const shop = await app.organization(ann);
      const loose = await app.endeavour(ann);
      const [archived, born, linked] = await Promise.all([
        here(ann).post(`/organizations/${shop}/archive`).send({ reason: 'Rain' }),
        there(ann).post('/endeavours').send({ name: 'Late', organization_id: shop }),
        there(ann).post(`/organizations/${shop}/endeavours`).send({ endeavour_id: loose }),
      ]);
      expect(archived.status).toBe(200);
      expect([201, 409]).toContain(born.status);
      expect([200, 409]).toContain(linked.status);
      const came = Number(born.status === 201) + Number(linked.status === 200);
      expect(archived.body.data.endeavours_archived).toBe(came);
    });

    race('nothing that is created in an endeavour while it is archived stays open', 10, async () => {
      const garden = await app.endeavour(ann);
      const place = { endeavour_id: garden };
      const [archived, demand, ritual, ...others] = await Promise.all([
        here(ann).post(`/endeavours/${garden}/archive`).send({ reason: 'Rain' }),
        there(ann)
          .post('/demands')
          .send({ type: 'bug', title: 'Late', ...place }),
        there(ann)
          .post('/rituals')
          .send({ name: 'Late', ...place }),
        there(ann)
          .post('/artifacts')
          .send({ kind: 'doc', title: 'Late', ...place }),
        there(ann).post('/comments').send({ entity_type: 'endeavour', entity_id: garden, content: 'Late' }),
        there(ann).patch(`/endeavours/${garden}`).send({ name: 'Late' }),
      ]);
      expect(archived.status).toBe(200);
      expect([demand, ritual, ...others].filter(({ status }) => ![200, 201, 409].includes(status))).toEqual([]);
      const { demands_canceled, rituals_disabled } = archived.body.data;
      expect({ demands_canceled, rituals_disabled }).toEqual({
        demands_canceled: Number(demand.status === 201),
        rituals_disabled: Number(ritual.status === 201),
      });
    });

    race('a task is not reopened in an endeavour that is being completed', 10, async () => {
      const garden = await app.endeavour(ann);
      const task = await app.task(ann, garden);
      for (const status of ['active', 'done']) await here(ann).patch(`/tasks/${task}`).send({ status }).expect(200);
      const responses = await Promise.all([
        here(ann).patch(`/endeavours/${garden}`).send({ status: 'completed' }),
        there(ann).patch(`/tasks/${task}`).send({ status: 'active' }),
      ]);
      expect(statusesOf(responses)).toEqual([200, 409]);
    });

    race('alert terms are those of one request, never a mixture of two', 10, async () => {
      const shop = await app.organization(ann);
      const sets = [
        ['fire', 'smoke'],
        ['flood', 'leak', 'smoke'],
      ];
      const put = (replica: typeof here, terms: string[]) =>
        replica(ann).put(`/organizations/${shop}/alert-terms`).send({ terms }).expect(200);
      await Promise.all([put(here, sets[0]), put(there, sets[1]), put(there, sets[0]), put(here, sets[1])]);
      const { body } = await here(ann).get(`/organizations/${shop}/alert-terms`).expect(200);
      expect(sets).toContainEqual(body.data.map(({ term }: { term: string }) => term));
    });
  });

  describe('limits of a tier', () => {
    race('are exact for organizations and active endeavours', 5, async () => {
      const exa = await app.person('Exa', { tier: 1 });
      for (const path of ['/organizations', '/endeavours']) {
        const create = (replica: typeof here) => replica(exa).post(path).send({ name: 'Mine' });
        const responses: HttpResponse[] = await Promise.all([create(here), create(there), create(here), create(there)]);
        expect(statusesOf(responses)).toEqual([201, 403, 403, 403]);
      }
    });

    race('are exact for endeavours and teams in an organization', 5, async () => {
      const exa = await app.person('Exa', { tier: 1 });
      const shop = await app.organization(exa);
      const team = (replica: typeof here) =>
        replica(exa).post('/resources').send({ name: 'Crew', type: 'team', organization_id: shop });
      const teams = await Promise.all(Array.from({ length: 8 }, (_, n) => team(n % 2 === 0 ? here : there)));
      expect(statusesOf(teams)).toEqual([...Array(5).fill(201), ...Array(3).fill(403)]);
    });
  });

  describe('work', () => {
    race('a task that is completed and canceled at once ends in one of these states', 10, async () => {
      const task = await app.task(ann, await app.endeavour(ann));
      await here(ann).patch(`/tasks/${task}`).send({ status: 'active' }).expect(200);
      const responses = await Promise.all([
        here(ann).patch(`/tasks/${task}`).send({ status: 'done' }),
        there(ann).patch(`/tasks/${task}`).send({ status: 'canceled', canceled_reason: 'Rain' }),
      ]);
      expect(statusesOf(responses)).toEqual([200, 400]);
      const { body } = await here(ann).get(`/tasks/${task}`).expect(200);
      expect([body.data.completed_at, body.data.canceled_at].filter((time) => time !== null)).toHaveLength(1);
    });

    race('a task is always in the endeavour of its demand', 10, async () => {
      const [garden, shed] = [await app.endeavour(ann), await app.endeavour(ann)];
      const task = await app.task(ann, garden);
      const demand = await app.demand(ann, garden);
      const responses = await Promise.all([
        here(ann).patch(`/tasks/${task}`).send({ demand_id: demand }),
        there(ann).patch(`/tasks/${task}`).send({ endeavour_id: shed }),
      ]);
      expect(statusesOf(responses)).toEqual([200, 400]);
    });

    race('a demand that is canceled while its first task starts stays canceled', 10, async () => {
      const garden = await app.endeavour(ann);
      const demand = await app.demand(ann, garden);
      const task = await app.task(ann, garden, { demand_id: demand });
      const responses = await Promise.all([
        here(ann).patch(`/demands/${demand}`).send({ status: 'canceled', canceled_reason: 'Rain' }),
        there(ann).patch(`/tasks/${task}`).send({ status: 'active' }),
      ]);
      expect(statusesOf(responses)).toEqual([200, 200]);
      const { body } = await here(ann).get(`/demands/${demand}`).expect(200);
      expect(body.data).toMatchObject({ status: 'canceled', canceled_reason: 'Rain' });
    });

    race('a relation is deleted with the artifact that it points to', 10, async () => {
      const garden = await app.endeavour(ann);
      const task = await app.task(ann, garden);
      const sent = { kind: 'doc', title: 'Plan', endeavour_id: garden };
      const artifact = (await here(ann).post('/artifacts').send(sent).expect(201)).body.data.id;
      const [related, removed] = await Promise.all([
        here(ann).post('/relations').send({
          relationship_type: 'uses',
          source_entity_type: 'task',
          source_entity_id: task,
          target_entity_type: 'artifact',
          target_entity_id: artifact,
        }),
        there(ann).delete(`/artifacts/${artifact}`),
      ]);
      expect(removed.status).toBe(200);
      expect([201, 400]).toContain(related.status);
      const { body } = await here(ann).get(`/relations?entity_id=${task}`).expect(200);
      expect(body.data).toEqual([]);
    });
  });

  describe('agreements', () => {
    const policy = async (): Promise<string> => {
      const admin = await app.admin();
      const sent = { name: 'Agreed', conditions: [{ type: 'manual_attestation' }] };
      return (await here(admin).post('/dod-policies').send(sent).expect(201)).body.data.id;
    };

    race('an active endorsement always belongs to the assigned policy', 5, async () => {
      const garden = await app.endeavour(ann);
      await app.join(garden, bob, 'member');
      const [first, second] = [await policy(), await policy()];
      const assign = (replica: typeof here, policy_id: string) =>
        replica(ann).post(`/endeavours/${garden}/dod-policy`).send({ policy_id });
      await assign(here, first).expect(200);
      const [endorsed, assigned] = await Promise.all([
        here(bob).post('/dod-endorsements').send({ endeavour_id: garden, policy_id: first }),
        assign(there, second),
      ]);
      expect(assigned.status).toBe(200);
      expect([201, 409]).toContain(endorsed.status);
      const { body } = await here(ann).get(`/dod-endorsements?endeavour_id=${garden}&status=active`).expect(200);
      expect(body.data).toEqual([]);
    });

    race('an invitation that is revoked while it is accepted grants a role only if accepting succeeds', 5, async () => {
      const shop = await app.organization(ann);
      const joiner = await app.person('Joiner');
      const made = (await here(ann).post('/invitations').send({ organization_id: shop }).expect(201)).body.data;
      const [accepted, removed] = await Promise.all([
        here(joiner).post('/invitations/accept').send({ token: made.token }),
        there(ann).delete(`/invitations/${made.id}`),
      ]);
      expect([200, 400]).toContain(accepted.status);
      expect([200, 404, 409]).toContain(removed.status);
      const { body } = await here(joiner).get('/auth/whoami').expect(200);
      expect(Object.keys(body.data.organizations)).toEqual(accepted.status === 200 ? [shop] : []);
    });
  });
});
