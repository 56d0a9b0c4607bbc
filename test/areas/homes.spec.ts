import { TestApp, type Person } from '../support/test-app.js';

const ROLES = ['guest', 'member', 'admin', 'owner'];

describe('the home of an endeavour', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await TestApp.open();
  });

  afterAll(() => app.close());

  const roleIn = async (endeavour: string, person: Person): Promise<string | null> => {
    const { status, body } = await app.as(person).get(`/endeavours/${endeavour}`);
    return status === 404 ? null : body.data.my_role;
  };

  /** Creates a person for each role in the organization, lowest role first. */
  const peopleOf = async (organization: string): Promise<Person[]> => {
    const people: Person[] = [];
    for (const role of ROLES) {
      const person = await app.person(role);
      await app.join(organization, person, role);
      people.push(person);
    }
    return people;
  };

  const rolesIn = async (endeavour: string, people: Person[]): Promise<(string | null)[]> => {
    const roles: (string | null)[] = [];
    for (const person of people) roles.push(await roleIn(endeavour, person));
    return roles;
  };

  /** Creates Ann's organization with an endeavour that is shared with Pat's organization. */
  const company = async (more: object = {}) => {
    const [ann, pat] = [await app.person('Ann'), await app.person('Pat')];
    const [home, partner] = [await app.organization(ann), await app.organization(pat)];
    const endeavour = await app.endeavour(ann, { organization_id: home, ...more });
    await app.link(partner, endeavour);
    return { ann, pat, home, partner, endeavour };
  };

  describe('roles', () => {
    it('are the same as in the home, and at most member in an organization that shares the endeavour', async () => {
      const { home, partner, endeavour } = await company();
      expect(await rolesIn(endeavour, await peopleOf(home))).toEqual(['viewer', 'member', 'admin', 'owner']);
      expect(await rolesIn(endeavour, await peopleOf(partner))).toEqual(['viewer', 'member', 'member', 'member']);
    });

    it('are limited to admins and owners of the home if the endeavour is private', async () => {
      const { home, partner, endeavour } = await company({ is_private: true });
      expect(await rolesIn(endeavour, await peopleOf(home))).toEqual([null, null, 'admin', 'owner']);
      expect(await rolesIn(endeavour, await peopleOf(partner))).toEqual([null, null, null, null]);
    });

    it('change when the endeavour becomes private or public', async () => {
      const { ann, home, partner, endeavour } = await company();
      const [insiders, partners] = [await peopleOf(home), await peopleOf(partner)];
      const patched = await app.as(ann).patch(`/endeavours/${endeavour}`).send({ is_private: true }).expect(200);
      expect(patched.body.data.is_private).toBe(true);
      expect(await rolesIn(endeavour, [insiders[1], partners[3]])).toEqual([null, null]);
      await app.as(ann).patch(`/endeavours/${endeavour}`).send({ is_private: false }).expect(200);
      expect(await rolesIn(endeavour, [insiders[1], partners[3]])).toEqual(['member', 'member']);
    });

    it('determine who sees a private endeavour in a report of the organization', async () => {
      const { ann, home } = await company({ name: 'Hidden', is_private: true });
      const [, member] = await peopleOf(home);
      const report = async (person: Person): Promise<string> =>
        (await app.as(person).get(`/reports/organization/${home}`).expect(200)).body.data.markdown;
      expect(await report(ann)).toContain('Hidden');
      expect(await report(member)).not.toContain('Hidden');
    });

    it('are the higher of the direct and the derived role', async () => {
      const { partner, endeavour } = await company();
      const [, member] = await peopleOf(partner);
      await app.join(endeavour, member, 'admin');
      expect(await roleIn(endeavour, member)).toBe('admin');
    });
  });

  describe('linking', () => {
    it('is implied for the organization in which the endeavour is created', async () => {
      const { ann, home, endeavour } = await company();
      const { body } = await app.as(ann).get(`/endeavours/${endeavour}`).expect(200);
      expect(body.data).toMatchObject({ organization_id: home, is_private: false });
      const refused = await app.as(ann).patch(`/endeavours/${endeavour}`).send({ organization_id: home }).expect(400);
      expect(refused.body.error.details.fields[0]).toMatchObject({ field: 'organization_id', code: 'read_only' });
    });

    it('makes the organization the home of an endeavour without one, with an event', async () => {
      const ann = await app.person();
      const [home, endeavour] = [await app.organization(ann), await app.endeavour(ann)];
      await app.as(ann).post(`/organizations/${home}/endeavours`).send({ endeavour_id: endeavour }).expect(200);
      const { body } = await app.as(ann).get(`/endeavours/${endeavour}`).expect(200);
      expect(body.data).toMatchObject({ organization_id: home, organizations: [{ id: home }], revision: 2 });
      const event = await app.database.one(
        `SELECT type, organization_id, changed FROM events WHERE entity_id = $1 ORDER BY sequence DESC LIMIT 1`,
        [endeavour],
      );
      expect(event).toEqual({ type: 'endeavour.linked', organization_id: home, changed: ['organization_id'] });
    });

    it('shares an endeavour if the caller owns its home and is an admin of the other organization', async () => {
      const { ann, home, endeavour } = await company();
      const other = await app.organization(await app.person());
      await app.join(other, ann, 'admin');
      const share = () => app.as(ann).post(`/organizations/${other}/endeavours`).send({ endeavour_id: endeavour });
      expect((await share().expect(200)).body.data).toEqual({ organization_id: other, endeavour_id: endeavour });
      await share().expect(200);
      const { body } = await app.as(ann).get(`/endeavours/${endeavour}`).expect(200);
      expect(body.data.organization_id).toBe(home);
    });

    it('is rejected for a direct owner who does not own the home', async () => {
      const { home, endeavour } = await company();
      const eve = await app.person('Eve');
      await app.join(home, eve, 'admin');
      await app.join(endeavour, eve, 'owner');
      const shell = await app.organization(eve);
      const { body } = await app
        .as(eve)
        .post(`/organizations/${shell}/endeavours`)
        .send({ endeavour_id: endeavour })
        .expect(403);
      expect(body.error.details.required).toBe('the owner role in the home organization of this endeavour');
    });

    it('gives owners of another organization at most the member role, even if a co-owner links it', async () => {
      const { ann, home, endeavour } = await company();
      const [eve, stranger] = [await app.person('Eve'), await app.person('Stranger')];
      await app.join(home, eve, 'owner');
      const shell = await app.organization(eve);
      await app.as(eve).post(`/organizations/${shell}/endeavours`).send({ endeavour_id: endeavour }).expect(200);
      await app.join(shell, stranger, 'owner');
      expect(await roleIn(endeavour, stranger)).toBe('member');
      expect(await roleIn(endeavour, ann)).toBe('owner');
      await app.as(ann).delete(`/organizations/${shell}/endeavours/${endeavour}`).expect(200);
      expect(await roleIn(endeavour, stranger)).toBeNull();
    });
  });

  describe('unlinking', () => {
    const unlink = (person: Person, organization: string, endeavour: string) =>
      app.as(person).delete(`/organizations/${organization}/endeavours/${endeavour}`);

    it('ends sharing if an admin of the other organization requests it', async () => {
      const { home, partner, pat, ann, endeavour } = await company();
      await unlink(pat, partner, endeavour).expect(200);
      const { body } = await app.as(ann).get(`/endeavours/${endeavour}`).expect(200);
      expect(body.data.organizations.map(({ id }: { id: string }) => id)).toEqual([home]);
      await unlink(pat, partner, endeavour).expect(404);
    });

    it('ends sharing of a private endeavour that the admin cannot see', async () => {
      const { partner, pat, endeavour } = await company({ is_private: true });
      await unlink(pat, partner, endeavour).expect(200);
    });

    it('ends the sharing for any owner of the endeavour, who need not see the organization', async () => {
      const { partner, endeavour } = await company();
      const dee = await app.person('Dee');
      await app.join(endeavour, dee, 'owner');
      await app.as(dee).get(`/organizations/${partner}`).expect(404);
      await unlink(dee, partner, endeavour).expect(200);
    });

    it('is rejected for other users', async () => {
      const { home, partner, endeavour } = await company();
      const [, member, admin] = await peopleOf(home);
      await unlink(admin, partner, endeavour).expect(404);
      await unlink(member, partner, endeavour).expect(404);
      const [, partnerMember] = await peopleOf(partner);
      await unlink(partnerMember, partner, endeavour).expect(403);
    });

    it('removes the home only if an owner of the home requests it', async () => {
      const { ann, home, partner, pat, endeavour } = await company();
      const [, , admin] = await peopleOf(home);
      const dee = await app.person('Dee');
      await app.join(endeavour, dee, 'owner');
      await unlink(admin, home, endeavour).expect(403);
      await unlink(dee, home, endeavour).expect(403);
      await unlink(pat, home, endeavour).expect(404);
      await unlink(ann, home, endeavour).expect(200);
      const { body } = await app.as(ann).get(`/endeavours/${endeavour}`).expect(200);
      expect(body.data).toMatchObject({ organization_id: null, organizations: [{ id: partner }] });
      expect(await roleIn(endeavour, admin)).toBeNull();
      expect(await roleIn(endeavour, pat)).toBe('member');
    });

    it('is rejected if the endeavour would have neither a home nor an owner', async () => {
      const { ann, home, endeavour } = await company();
      await app.as(ann).delete(`/endeavours/${endeavour}/members/${ann.id}`).expect(200);
      const { body } = await unlink(ann, home, endeavour).expect(409);
      expect(body.error.details.reason).toBe('last_owner');
    });

    it('lets the next organization that an owner links become the home, and keeps other links', async () => {
      const { ann, home, partner, endeavour } = await company();
      await unlink(ann, home, endeavour).expect(200);
      const other = await app.organization(ann);
      await app.as(ann).post(`/organizations/${other}/endeavours`).send({ endeavour_id: endeavour }).expect(200);
      const { body } = await app.as(ann).get(`/endeavours/${endeavour}`).expect(200);
      expect(body.data.organization_id).toBe(other);
      const ids = body.data.organizations.map(({ id }: { id: string }) => id).sort();
      expect(ids).toEqual([partner, other].sort());
    });
  });

  describe('owners', () => {
    it('must include a direct owner only without a home organization', async () => {
      const { ann, home, endeavour } = await company();
      const garden = await app.endeavour(ann);
      const { body } = await app.as(ann).delete(`/endeavours/${garden}/members/${ann.id}`).expect(409);
      expect(body.error.details.reason).toBe('last_owner');
      await app.as(ann).delete(`/endeavours/${endeavour}/members/${ann.id}`).expect(200);
      expect(await roleIn(endeavour, ann)).toBe('owner');
      expect(home).toMatch(/^org_/);
    });

    it('of the home alone can grant outsiders a role above member', async () => {
      const { ann, home, partner, endeavour } = await company();
      const [, , admin] = await peopleOf(home);
      const [, outsider] = await peopleOf(partner);
      await app.join(endeavour, outsider, 'member');
      const raise = (by: Person) =>
        app.as(by).patch(`/endeavours/${endeavour}/members/${outsider.id}`).send({ role: 'admin' });
      const { body } = await raise(admin).expect(403);
      expect(body.error.details.required).toBe('the owner role in the home organization of this endeavour');
      await raise(ann).expect(200);
    });
  });
});
