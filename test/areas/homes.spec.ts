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

  /** One person with each role in the organization, lowest first. */
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

  /** A company of Ann's with an endeavour, and an organization of Pat's that shares it. */
  const company = async (more: object = {}) => {
    const [ann, pat] = [await app.person('Ann'), await app.person('Pat')];
    const [home, partner] = [await app.organization(ann), await app.organization(pat)];
    const endeavour = await app.endeavour(ann, { organization_id: home, ...more });
    await app.link(partner, endeavour);
    return { ann, pat, home, partner, endeavour };
  };

  describe('roles', () => {
    it('are those of the home as they are, and member at most through an organization that shares it', async () => {
      const { home, partner, endeavour } = await company();
      expect(await rolesIn(endeavour, await peopleOf(home))).toEqual(['viewer', 'member', 'admin', 'owner']);
      expect(await rolesIn(endeavour, await peopleOf(partner))).toEqual(['viewer', 'member', 'member', 'member']);
    });

    it('are those of admins and owners of the home alone where it is private', async () => {
      const { home, partner, endeavour } = await company({ is_private: true });
      expect(await rolesIn(endeavour, await peopleOf(home))).toEqual([null, null, 'admin', 'owner']);
      expect(await rolesIn(endeavour, await peopleOf(partner))).toEqual([null, null, null, null]);
    });

    it('follow when it becomes private and public again', async () => {
      const { ann, home, partner, endeavour } = await company();
      const [insiders, partners] = [await peopleOf(home), await peopleOf(partner)];
      const patched = await app.as(ann).patch(`/endeavours/${endeavour}`).send({ is_private: true }).expect(200);
      expect(patched.body.data.is_private).toBe(true);
      expect(await rolesIn(endeavour, [insiders[1], partners[3]])).toEqual([null, null]);
      await app.as(ann).patch(`/endeavours/${endeavour}`).send({ is_private: false }).expect(200);
      expect(await rolesIn(endeavour, [insiders[1], partners[3]])).toEqual(['member', 'member']);
    });

    it('decide who sees a private endeavour in a report of the organization', async () => {
      const { ann, home } = await company({ name: 'Hidden', is_private: true });
      const [, member] = await peopleOf(home);
      const report = async (person: Person): Promise<string> =>
        (await app.as(person).get(`/reports/organization/${home}`).expect(200)).body.data.markdown;
      expect(await report(ann)).toContain('Hidden');
      expect(await report(member)).not.toContain('Hidden');
    });

    it('are the highest of the direct and the derived ones', async () => {
      const { partner, endeavour } = await company();
      const [, member] = await peopleOf(partner);
      await app.join(endeavour, member, 'admin');
      expect(await roleIn(endeavour, member)).toBe('admin');
    });
  });

  describe('linking', () => {
    it('is the organization that it was created in', async () => {
      const { ann, home, endeavour } = await company();
      const { body } = await app.as(ann).get(`/endeavours/${endeavour}`).expect(200);
      expect(body.data).toMatchObject({ organization_id: home, is_private: false });
      const refused = await app.as(ann).patch(`/endeavours/${endeavour}`).send({ organization_id: home }).expect(400);
      expect(refused.body.error.details.fields[0]).toMatchObject({ field: 'organization_id', code: 'read_only' });
    });

    it('brings an endeavour without a home to its home, with an event', async () => {
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

    it('shares an endeavour with another organization by an owner of its home who is admin there', async () => {
      const { ann, home, endeavour } = await company();
      const other = await app.organization(await app.person());
      await app.join(other, ann, 'admin');
      const share = () => app.as(ann).post(`/organizations/${other}/endeavours`).send({ endeavour_id: endeavour });
      expect((await share().expect(200)).body.data).toEqual({ organization_id: other, endeavour_id: endeavour });
      await share().expect(200);
      const { body } = await app.as(ann).get(`/endeavours/${endeavour}`).expect(200);
      expect(body.data.organization_id).toBe(home);
    });

    it('refuses a direct owner who does not own the home', async () => {
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

    it("gives no admin rights in a company's endeavour to an organization that a co-owner links it to", async () => {
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

    it('ends the sharing by an admin of the organization that it is shared with', async () => {
      const { home, partner, pat, ann, endeavour } = await company();
      await unlink(pat, partner, endeavour).expect(200);
      const { body } = await app.as(ann).get(`/endeavours/${endeavour}`).expect(200);
      expect(body.data.organizations.map(({ id }: { id: string }) => id)).toEqual([home]);
      await unlink(pat, partner, endeavour).expect(404);
    });

    it('ends the sharing of a private endeavour that the admin cannot see', async () => {
      const { partner, pat, endeavour } = await company({ is_private: true });
      await unlink(pat, partner, endeavour).expect(200);
    });

    it('ends the sharing by any owner of the endeavour, who need not see the organization', async () => {
      const { partner, endeavour } = await company();
      const dee = await app.person('Dee');
      await app.join(endeavour, dee, 'owner');
      await app.as(dee).get(`/organizations/${partner}`).expect(404);
      await unlink(dee, partner, endeavour).expect(200);
    });

    it('is refused to other users', async () => {
      const { home, partner, endeavour } = await company();
      const [, member, admin] = await peopleOf(home);
      await unlink(admin, partner, endeavour).expect(404);
      await unlink(member, partner, endeavour).expect(404);
      const [, partnerMember] = await peopleOf(partner);
      await unlink(partnerMember, partner, endeavour).expect(403);
    });

    it('takes an endeavour out of its home by an owner of the home only', async () => {
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

    it('leaves no endeavour without both a home and an owner', async () => {
      const { ann, home, endeavour } = await company();
      await app.as(ann).delete(`/endeavours/${endeavour}/members/${ann.id}`).expect(200);
      const { body } = await unlink(ann, home, endeavour).expect(409);
      expect(body.error.details.reason).toBe('last_owner');
    });

    it('lets the next organization that an owner links become the home, while shares stay shares', async () => {
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
    it('keeps the last direct owner only without a home organization', async () => {
      const { ann, home, endeavour } = await company();
      const garden = await app.endeavour(ann);
      const { body } = await app.as(ann).delete(`/endeavours/${garden}/members/${ann.id}`).expect(409);
      expect(body.error.details.reason).toBe('last_owner');
      await app.as(ann).delete(`/endeavours/${endeavour}/members/${ann.id}`).expect(200);
      expect(await roleIn(endeavour, ann)).toBe('owner');
      expect(home).toMatch(/^org_/);
    });

    it('lets only owners of the home grant outsiders a role above member', async () => {
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
