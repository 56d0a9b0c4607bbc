import { newId } from '../../src/common/ids.js';
import { TestApp, type Person } from '../support/test-app.js';
import { race } from '../support/races.js';

const membersOf = (container: string) =>
  `/${container.startsWith('org') ? 'organizations' : 'endeavours'}/${container}/members`;

const statusesOf = (responses: { status: number }[]) => responses.map(({ status }) => status).sort((a, b) => a - b);

describe('members', () => {
  let app: TestApp;
  let ann: Person;
  let bob: Person;
  let eve: Person;
  let riverside: string;
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open();
  });

  beforeEach(async () => {
    [ann, bob, eve] = [await app.person('Ann'), await app.person('Bob'), await app.person('Eve')];
    riverside = await app.organization(ann);
    garden = await app.endeavour(ann);
    await app.join(riverside, bob, 'admin');
  });

  afterAll(() => app.close());

  const resources = () => `/organizations/${riverside}/resources`;
  const links = () => `/organizations/${riverside}/endeavours`;
  const listed = async (container: string, person: Person, query = '') =>
    (
      await app
        .as(person)
        .get(`${membersOf(container)}${query}`)
        .expect(200)
    ).body.data as Record<string, unknown>[];
  const roles = async (container: string) =>
    Object.fromEntries((await listed(container, ann)).map(({ name, role }) => [name, role]));
  const events = async (container: string) =>
    (
      await app.database.query<{ type: string }>(
        `SELECT type FROM events WHERE entity_id = $1 AND type LIKE 'member.%' ORDER BY sequence`,
        [container],
      )
    ).map(({ type }) => type);

  describe('of an organization', () => {
    it('are listed with their roles, and with email addresses for admins only', async () => {
      const gus = await app.person('Gus');
      await app.join(riverside, gus, 'guest');
      expect(await listed(riverside, bob)).toEqual([
        {
          user_id: ann.id,
          resource_id: ann.resourceId,
          name: 'Ann',
          email: ann.email,
          role: 'owner',
          via_group: false,
          capacity: null,
          joined_at: expect.any(String),
        },
        expect.objectContaining({ user_id: bob.id, role: 'admin', email: bob.email }),
        expect.objectContaining({ user_id: gus.id, role: 'guest', email: gus.email }),
      ]);
      expect((await listed(riverside, gus)).map(({ email }) => email)).toEqual([null, null, gus.email]);
      expect((await listed(riverside, gus, '?role=owner,admin&sort=-name')).map(({ name }) => name)).toEqual([
        'Bob',
        'Ann',
      ]);
      await app.as(eve).get(membersOf(riverside)).expect(404);
    });

    it('are added, given another role and removed, with one event each', async () => {
      await app.join(garden, eve, 'viewer');
      const admin = await app.admin();
      const { body, headers } = await app.as(admin).post(membersOf(riverside)).send({ user_id: eve.id }).expect(201);
      expect(body.data).toMatchObject({ user_id: eve.id, role: 'member' });
      expect(headers.location).toBeUndefined();
      const one = `${membersOf(riverside)}/${eve.id}`;
      expect((await app.as(ann).patch(one).send({ role: 'guest' }).expect(200)).body.data.role).toBe('guest');
      expect((await app.as(ann).patch(one).send({}).expect(200)).body.data.role).toBe('guest');
      const gone = await app.as(ann).delete(one).expect(200);
      expect(gone.body).toEqual({ data: { id: eve.id, deleted: true, ended: [], outsiders: [], links: [] } });
      await app.as(ann).delete(one).expect(404);
      await app.as(ann).patch(one).send({ role: 'guest' }).expect(404);
      expect(await events(riverside)).toEqual(['member.added', 'member.changed', 'member.removed']);
    });

    it('are not added or removed by callers with too low a role, and cannot be users they do not see', async () => {
      const add = (person: Person, body: object) => app.as(person).post(membersOf(riverside)).send(body);
      const absent = await add(ann, { user_id: newId('user') }).expect(400);
      const invisible = await add(ann, { user_id: eve.id }).expect(400);
      expect(absent.body.error.details.fields).toEqual([
        { field: 'user_id', code: 'reference_not_found', message: expect.any(String) },
      ]);
      expect(invisible.body.error.details).toEqual(absent.body.error.details);
      await add(bob, { user_id: ann.id, role: 'member' }).expect(403);
      await add(bob, { user_id: bob.id, role: 'owner' }).expect(403);
      const mia = await app.person('Mia');
      await app.join(riverside, mia, 'member');
      await add(mia, { user_id: bob.id }).expect(403);
      await app
        .as(mia)
        .delete(`${membersOf(riverside)}/${bob.id}`)
        .expect(403);
      await add(eve, { user_id: bob.id }).expect(404);
      expect(await roles(riverside)).toEqual({ Ann: 'owner', Bob: 'admin', Mia: 'member' });
    });

    it('can leave, except for the last active owner', async () => {
      await app
        .as(bob)
        .delete(`${membersOf(riverside)}/${bob.id}`)
        .expect(200);
      await app.as(bob).get(membersOf(riverside)).expect(404);
      const { body } = await app
        .as(ann)
        .delete(`${membersOf(riverside)}/${ann.id}`)
        .expect(409);
      expect(body.error.details.reason).toBe('last_owner');
      await app
        .as(ann)
        .patch(`${membersOf(riverside)}/${ann.id}`)
        .send({ role: 'admin' })
        .expect(409);
    });

    it('keep their last owner even if that account is inactive', async () => {
      const gone = await app.person('Gone');
      const shop = await app.organization(gone);
      const admin = await app.admin();
      await app.as(admin).patch(`/users/${gone.id}`).send({ status: 'inactive' }).expect(200);
      const remove = () => app.as(admin).delete(`${membersOf(shop)}/${gone.id}`);
      const { body } = await remove().expect(409);
      expect(body.error.details.reason).toBe('last_owner');
      await app.as(admin).post(membersOf(shop)).send({ user_id: bob.id, role: 'owner' }).expect(201);
      await remove().expect(200);
    });

    race('keep an owner when the last two demote each other at once', 20, async () => {
      const [one, two] = [await app.person('One'), await app.person('Two')];
      const org = await app.organization(one);
      await app.join(org, two, 'owner');
      const demote = (by: Person, whom: Person) =>
        app
          .as(by)
          .patch(`${membersOf(org)}/${whom.id}`)
          .send({ role: 'member' });
      const responses = await Promise.all([demote(one, two), demote(two, one)]);
      expect(statusesOf(responses)).toEqual([200, 403]);
      expect((await listed(org, one)).filter(({ role }) => role === 'owner')).toHaveLength(1);
    });

    it('keep an owner when the last two demote each other before either change is written', async () => {
      const [one, two] = [await app.person('One'), await app.person('Two')];
      const org = await app.organization(one);
      await app.join(org, two, 'owner');
      const outside = await app.openConnection();
      await outside.query('BEGIN');
      await outside.query('SELECT 1 FROM organization_resources WHERE organization_id = $1 FOR UPDATE', [org]);
      const demote = async (by: Person, whom: Person) =>
        app
          .as(by)
          .patch(`${membersOf(org)}/${whom.id}`)
          .send({ role: 'member' });
      const responses = [demote(one, two), demote(two, one)];
      await app.untilLockWaits(responses.length);
      await outside.query('COMMIT');
      await outside.end();
      expect(statusesOf(await Promise.all(responses))).toEqual([200, 403]);
    });

    it('can be removed or demoted while it is archived, but not added or promoted', async () => {
      await app.database.query(`UPDATE organizations SET status = 'archived' WHERE id = $1`, [riverside]);
      await app.join(garden, eve, 'viewer');
      const admin = await app.admin();
      await app.as(admin).post(membersOf(riverside)).send({ user_id: eve.id }).expect(409);
      await app
        .as(ann)
        .patch(`${membersOf(riverside)}/${bob.id}`)
        .send({ role: 'owner' })
        .expect(409);
      await app
        .as(ann)
        .patch(`${membersOf(riverside)}/${bob.id}`)
        .send({ role: 'guest' })
        .expect(200);
      await app
        .as(ann)
        .delete(`${membersOf(riverside)}/${bob.id}`)
        .expect(200);
    });
  });

  describe('of an endeavour', () => {
    it('are listed with direct roles and with roles from organizations', async () => {
      await app.link(riverside, garden);
      const mia = await app.person('Mia');
      await app.join(garden, mia, 'viewer', ['product_owner']);
      const members = await listed(garden, ann);
      expect(members).toEqual([
        expect.objectContaining({ name: 'Ann', role: 'owner', direct: true, via: [riverside], email: ann.email }),
        expect.objectContaining({ name: 'Bob', role: 'admin', direct: false, via: [riverside] }),
        {
          user_id: mia.id,
          resource_id: mia.resourceId,
          name: 'Mia',
          email: null,
          role: 'viewer',
          stakeholder_roles: ['product_owner'],
          direct: true,
          via: [],
          joined_at: expect.any(String),
        },
      ]);
      expect((await listed(garden, mia)).map(({ email }) => email)).toEqual([null, null, mia.email]);
      expect((await listed(garden, ann, '?direct=false')).map(({ name }) => name)).toEqual(['Bob']);
      await app.as(eve).get(membersOf(garden)).expect(404);
    });

    it('have stakeholder roles, which null clears and an empty patch keeps', async () => {
      const body = { user_id: bob.id, role: 'viewer', stakeholder_roles: ['sponsor'] };
      const added = await app.as(ann).post(membersOf(garden)).send(body).expect(201);
      expect(added.body.data).toMatchObject({ role: 'viewer', stakeholder_roles: ['sponsor'], direct: true });
      const one = `${membersOf(garden)}/${bob.id}`;
      expect((await app.as(ann).patch(one).send({}).expect(200)).body.data.stakeholder_roles).toEqual(['sponsor']);
      const cleared = await app.as(ann).patch(one).send({ stakeholder_roles: null }).expect(200);
      expect(cleared.body.data).toMatchObject({ role: 'viewer', stakeholder_roles: [] });
      expect(await events(garden)).toEqual(['member.added', 'member.changed']);
      await app.as(ann).patch(one).send({ role: null }).expect(400);
      await app.as(ann).delete(one).expect(200);
      await app.as(ann).delete(one).expect(404);
    });

    it('with a role from an organization cannot be changed or removed in the endeavour', async () => {
      await app.link(riverside, garden);
      const { body } = await app
        .as(ann)
        .delete(`${membersOf(garden)}/${bob.id}`)
        .expect(409);
      expect(body.error.details.reason).toBe('derived');
      await app
        .as(ann)
        .patch(`${membersOf(garden)}/${bob.id}`)
        .send({ role: 'viewer' })
        .expect(409);
    });

    it('with a role from an organization: the role of the caller and If-Match are checked first', async () => {
      await app.link(riverside, garden);
      const [mia, val] = [await app.person('Mia'), await app.person('Val')];
      await app.join(riverside, mia, 'member');
      await app.join(garden, val, 'viewer');
      const remove = (by: Person, whom: Person) => app.as(by).delete(`${membersOf(garden)}/${whom.id}`);
      await remove(val, bob).expect(403);
      await remove(val, bob).set('If-Match', '"999"').expect(403);
      await remove(ann, bob).set('If-Match', '"999"').expect(412);
      await remove(mia, mia).set('If-Match', '"999"').expect(412);
      await remove(mia, mia).expect(409);
      await app
        .as(ann)
        .patch(`${membersOf(garden)}/${bob.id}`)
        .set('If-Match', '"999"')
        .send({ role: 'viewer' })
        .expect(412);
    });

    it('must be users that the caller sees, cannot get a higher role than the caller, and keep an owner', async () => {
      await app.join(garden, bob, 'admin');
      await app.as(ann).post(membersOf(garden)).send({ user_id: eve.id }).expect(400);
      await app.as(bob).post(membersOf(garden)).send({ user_id: bob.id, role: 'owner' }).expect(403);
      await app
        .as(bob)
        .patch(`${membersOf(garden)}/${ann.id}`)
        .send({ role: 'viewer' })
        .expect(403);
      const { body } = await app
        .as(ann)
        .delete(`${membersOf(garden)}/${ann.id}`)
        .expect(409);
      expect(body.error.details.reason).toBe('last_owner');
    });

    race('keep an owner when the last two leave at once', 20, async () => {
      const shed = await app.endeavour(ann);
      await app.join(shed, bob, 'owner');
      const leave = (person: Person) => app.as(person).delete(`${membersOf(shed)}/${person.id}`);
      const responses = await Promise.all([leave(ann), leave(bob)]);
      expect(statusesOf(responses)).toEqual([200, 409]);
    });
  });

  describe.each(['organization', 'endeavour'])('of an %s: changes with a stale If-Match', (kind) => {
    let container: string;
    let mia: Person;
    const one = ({ id }: Person) => `${membersOf(container)}/${id}`;
    const as = (person: Person) => {
      const agent = app.as(person);
      return {
        add: (body: object) => agent.post(membersOf(container)).set('If-Match', '"999"').send(body),
        change: (member: Person, body: object) => agent.patch(one(member)).set('If-Match', '"999"').send(body),
        remove: (member: Person) => agent.delete(one(member)).set('If-Match', '"999"'),
      };
    };

    beforeEach(async () => {
      container = kind === 'organization' ? riverside : garden;
      mia = await app.person('Mia');
      await app.join(container, mia, 'member');
      if (kind === 'endeavour') await app.join(garden, bob, 'admin');
    });

    it('return 403 if the role of the caller is too low', async () => {
      await as(mia).add({ user_id: bob.id, role: 'member' }).expect(403);
      await as(mia).change(bob, { role: 'member' }).expect(403);
      await as(mia).remove(bob).expect(403);
      await as(bob).add({ user_id: mia.id, role: 'owner' }).expect(403);
      await as(bob).add({ user_id: ann.id, role: 'member' }).expect(403);
      await as(bob).change(mia, { role: 'owner' }).expect(403);
      await as(bob).change(ann, { role: 'member' }).expect(403);
      await as(bob).remove(ann).expect(403);
      expect(await roles(container)).toEqual({ Ann: 'owner', Bob: 'admin', Mia: 'member' });
    });

    it('return 412 if the caller has the role, before the last owner is checked', async () => {
      await as(ann).add({ user_id: bob.id, role: 'member' }).expect(412);
      await as(ann).change(bob, { role: 'member' }).expect(412);
      await as(ann).remove(bob).expect(412);
      await as(ann).change(ann, { role: 'member' }).expect(412);
      await as(ann).remove(ann).expect(412);
      await as(mia).remove(mia).expect(412);
      expect(await roles(container)).toEqual({ Ann: 'owner', Bob: 'admin', Mia: 'member' });
    });
  });

  describe('added to an organization by their resource', () => {
    it('return 403 for a too low role before If-Match and the archived state are checked', async () => {
      const sent = { name: 'Broom', type: 'service', organization_id: riverside };
      const broom = (await app.as(ann).post('/resources').send(sent).expect(201)).body.data.id as string;
      const add = (person: Person, body: object, ifMatch: string) =>
        app
          .as(person)
          .post(resources())
          .set('If-Match', ifMatch)
          .send({ resource_id: broom, ...body });
      const remove = (person: Person, id = broom) =>
        app.as(person).delete(`${resources()}/${id}`).set('If-Match', '"999"');
      await add(bob, { role: 'owner' }, '"999"').expect(403);
      await add(ann, { role: 'owner' }, '"999"').expect(412);
      await remove(bob).expect(403);
      await remove(ann).expect(412);
      await remove(bob, ann.resourceId).expect(403);
      await app.database.query(`UPDATE organizations SET status = 'archived' WHERE id = $1`, [riverside]);
      await add(bob, { role: 'owner' }, '*').expect(403);
      await add(ann, { role: 'owner' }, '*').expect(409);
    });

    it('cannot be other people, who must be invited, except by an administrator', async () => {
      const shared = await app.person('Mia');
      await app.join(garden, shared, 'viewer');
      await app.as(ann).post(resources()).send({ resource_id: eve.resourceId }).expect(400);
      await app.as(ann).post(resources()).send({ resource_id: shared.resourceId }).expect(403);
      const admin = await app.admin();
      const sent = { resource_id: shared.resourceId, role: 'guest' };
      const { body } = await app.as(admin).post(resources()).send(sent).expect(200);
      expect(body).toEqual({ data: { organization_id: riverside, ...sent } });
      expect(await roles(riverside)).toMatchObject({ Mia: 'guest' });
      await app.as(ann).post(resources()).send({ resource_id: shared.id, role: 'member' }).expect(200);
      expect(await roles(riverside)).toMatchObject({ Mia: 'member' });
    });

    it('are removed under the same rules as members', async () => {
      await app.as(bob).delete(`${resources()}/${ann.resourceId}`).expect(403);
      await app.as(ann).delete(`${resources()}/${ann.resourceId}`).expect(409);
      const gone = await app.as(ann).delete(`${resources()}/${bob.resourceId}`).expect(200);
      expect(gone.body.data).toMatchObject({ id: bob.resourceId, deleted: true });
      await app.as(ann).delete(`${resources()}/${bob.resourceId}`).expect(404);
    });
  });

  describe('through links of endeavours to organizations', () => {
    it('have a role in the endeavour as long as the link exists', async () => {
      await app.as(bob).get(`/endeavours/${garden}`).expect(404);
      const { body } = await app.as(ann).post(links()).send({ endeavour_id: garden }).expect(200);
      expect(body).toEqual({ data: { organization_id: riverside, endeavour_id: garden } });
      await app.as(ann).post(links()).send({ endeavour_id: garden }).expect(200);
      expect((await app.as(bob).get(`/endeavours/${garden}`).expect(200)).body.data).toMatchObject({
        my_role: 'admin',
        organizations: [{ id: riverside, name: 'Riverside' }],
      });
      const gone = await app.as(ann).delete(`${links()}/${garden}`).expect(200);
      expect(gone.body.data).toEqual({ id: garden, deleted: true });
      await app.as(ann).delete(`${links()}/${garden}`).expect(404);
      await app.as(bob).get(`/endeavours/${garden}`).expect(404);
      const linkEvents = await app.database.query(
        `SELECT type FROM events WHERE entity_id = $1 AND organization_id = $2 ORDER BY sequence`,
        [garden, riverside],
      );
      expect(linkEvents).toEqual([{ type: 'endeavour.linked' }, { type: 'endeavour.unlinked' }]);
    });

    it('are not gained by linking an endeavour that the caller does not own', async () => {
      const secret = await app.endeavour(eve, { name: 'Secret' });
      const absent = await app
        .as(ann)
        .post(links())
        .send({ endeavour_id: newId('endeavour') })
        .expect(400);
      const foreign = await app.as(ann).post(links()).send({ endeavour_id: secret }).expect(400);
      expect(foreign.body.error.details).toEqual(absent.body.error.details);
      for (const role of ['viewer', 'member', 'admin']) {
        await app.database.query('DELETE FROM endeavour_members WHERE endeavour_id = $1 AND user_id = $2', [
          secret,
          ann.id,
        ]);
        await app.join(secret, ann, role);
        await app.as(ann).post(links()).send({ endeavour_id: secret }).expect(403);
      }
      expect((await app.as(eve).get(`/endeavours/${secret}`).expect(200)).body.data.organizations).toEqual([]);
    });

    it('are gained only if an owner of the endeavour who is admin of the organization links it', async () => {
      const shed = await app.endeavour(eve);
      await app.as(eve).post(links()).send({ endeavour_id: shed }).expect(404);
      await app.join(riverside, eve, 'member');
      await app.as(eve).post(links()).send({ endeavour_id: shed }).expect(403);
    });

    it('are not gained while the endeavour or the organization is archived', async () => {
      await app.database.query(`UPDATE endeavours SET status = 'archived' WHERE id = $1`, [garden]);
      await app.as(ann).post(links()).send({ endeavour_id: garden }).expect(409);
      const shed = await app.endeavour(ann);
      await app.database.query(`UPDATE organizations SET status = 'archived' WHERE id = $1`, [riverside]);
      const { body } = await app.as(ann).post(links()).send({ endeavour_id: shed }).expect(409);
      expect(body.error.code).toBe('archived');
    });
  });
});
