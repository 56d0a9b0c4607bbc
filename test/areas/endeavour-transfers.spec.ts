import { attestation } from '../support/dod.js';
import { TestApp, type Person } from '../support/test-app.js';

describe('transferring an endeavour', () => {
  let app: TestApp;
  let ann: Person;
  let home: string;
  let target: string;
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open();
  });

  beforeEach(async () => {
    ann = await app.person('Ann');
    [home, target] = [await app.organization(ann), await app.organization(ann, { name: 'Target' })];
    garden = await app.endeavour(ann, { organization_id: home });
  });

  afterAll(() => app.close());

  const transfer = (person: Person, to = target, endeavour = garden) =>
    app.as(person).post(`/endeavours/${endeavour}/transfer`).send({ organization_id: to });
  const colleague = async (organization: string, role: string): Promise<Person> => {
    const person = await app.person(role);
    await app.join(organization, person, role);
    return person;
  };
  const events = async (): Promise<object[]> =>
    app.database.query(
      `SELECT type, organization_id FROM events WHERE entity_id = $1 AND type <> 'endeavour.created' ORDER BY sequence`,
      [garden],
    );

  it('removes the link to the old home, and lists direct members from outside the new one', async () => {
    const [admin, mia] = [await colleague(home, 'admin'), await colleague(home, 'member')];
    await app.join(garden, mia, 'admin');
    const { body } = await transfer(ann).expect(200);
    expect(body.data).toMatchObject({
      id: garden,
      organization_id: target,
      organizations: [{ id: target, name: 'Target' }],
      my_role: 'owner',
      outsiders: [{ user_id: mia.id, role: 'admin' }],
    });
    await app.as(admin).get(`/endeavours/${garden}`).expect(404);
    expect((await app.as(mia).get(`/endeavours/${garden}`).expect(200)).body.data.my_role).toBe('admin');
    expect(await events()).toEqual([
      { type: 'endeavour.transferred', organization_id: target },
      // For Ann and Mia, who still see the endeavour, unlike the other members of the old home.
      { type: 'visibility.gained', organization_id: null },
      { type: 'endeavour.unlinked', organization_id: home },
    ]);
    expect((await transfer(ann).expect(200)).body.data.revision).toBe(body.data.revision);
  });

  it('keeps other links, and turns an existing link to the target into the home', async () => {
    const partner = await app.organization(await app.person('Pat'));
    await app.link(partner, garden);
    await app.link(target, garden);
    const { body } = await transfer(ann).expect(200);
    const ids = body.data.organizations.map(({ id }: { id: string }) => id).sort();
    expect(ids).toEqual([partner, target].sort());
  });

  it('requires an owner of the home who is an admin of the target', async () => {
    const [admin, dee] = [await colleague(home, 'admin'), await app.person('Dee')];
    await app.join(target, admin, 'owner');
    await app.join(garden, dee, 'owner');
    const own = await app.organization(dee);
    await transfer(admin).expect(403);
    await transfer(dee, own).expect(403);
    await transfer(ann, own).expect(400);
    await app.join(own, ann, 'member');
    await transfer(ann, own).expect(403);
    await app.database.query(
      `UPDATE organization_resources SET role = 'admin' WHERE organization_id = $1 AND user_id = $2`,
      [own, ann.id],
    );
    await transfer(ann, own).expect(200);
  });

  it('is rejected without a home, and if the target is archived', async () => {
    const { body } = await transfer(ann, target, await app.endeavour(ann)).expect(409);
    expect(body.error.details.reason).toBe('no_home');
    await app.database.query(`UPDATE organizations SET status = 'archived' WHERE id = $1`, [target]);
    expect((await transfer(ann).expect(409)).body.error.code).toBe('archived');
  });

  it('counts toward the tier limit of the target', async () => {
    const small = await app.person('Small', { tier: 1 });
    const [from, to] = [await app.organization(small), await app.organization(ann)];
    await app.join(to, small, 'admin');
    for (let n = 0; n < 3; n += 1) await app.link(to, await app.endeavour(ann));
    const yard = await app.endeavour(small, { organization_id: from });
    const { body } = await transfer(small, to, yard).expect(403);
    expect(body.error.code).toBe('tier_limit');
  });

  describe('with a policy of the old home', () => {
    const policyOf = async () => (await app.as(ann).get(`/endeavours/${garden}`).expect(200)).body.data.dod_policy_id;
    const assigned = async (): Promise<string> => {
      const sent = { name: 'Ours', conditions: [attestation], organization_id: home };
      const { body } = await app.as(ann).post('/dod-policies').send(sent).expect(201);
      const policy = { policy_id: body.data.id };
      await app.as(ann).post(`/endeavours/${garden}/dod-policy`).send(policy).expect(200);
      await app.as(ann).post('/dod-endorsements').send({ endeavour_id: garden }).expect(201);
      return body.data.id;
    };

    it.each([
      ['transfer', () => transfer(ann)],
      ['unlink', () => app.as(ann).delete(`/organizations/${home}/endeavours/${garden}`)],
    ])('keeps the current version as a policy of the endeavour on %s, despite later changes', async (_, leave) => {
      const policy = await assigned();
      await leave().expect(200);
      const frozen = await policyOf();
      expect(frozen).not.toBe(policy);
      const { body } = await app.as(ann).get(`/dod-policies/${frozen}`).expect(200);
      expect(body.data).toMatchObject({
        name: 'Ours',
        origin: 'fork',
        version: 2,
        predecessor_id: policy,
        container: 'endeavour',
        endeavour_id: garden,
        organization_id: null,
        status: 'active',
      });
      const endorsements = await app.as(ann).get(`/dod-endorsements?endeavour_id=${garden}`).expect(200);
      expect(endorsements.body.data).toMatchObject([{ policy_id: frozen, policy_version: 2, status: 'active' }]);
      const strict = { conditions: [{ type: 'peer_review', params: { min_reviewers: 9 } }] };
      await app.as(ann).post(`/dod-policies/${policy}/versions`).send(strict).expect(201);
      expect(await policyOf()).toBe(frozen);
    });

    it('keeps a global policy', async () => {
      const row = await app.database.one<{ id: string }>(
        `SELECT id FROM dod_policies WHERE container = 'global' LIMIT 1`,
      );
      await app.as(ann).post(`/endeavours/${garden}/dod-policy`).send({ policy_id: row?.id }).expect(200);
      await transfer(ann).expect(200);
      expect(await policyOf()).toBe(row?.id);
    });
  });
});
