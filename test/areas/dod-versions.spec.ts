import { newId } from '../../src/common/ids.js';
import { faults } from '../support/dod.js';
import { TestApp, type Person } from '../support/test-app.js';
import { race } from '../support/races.js';

const MINIMAL = 'dod_01942f3e4c0070008000000000000001';

describe('versions of DoD policies', () => {
  let app: TestApp;
  let ada: Person;
  let ann: Person;
  let riverside: string;

  beforeAll(async () => {
    app = await TestApp.open();
    ada = await app.admin('Ada');
    ann = await app.person('Ann');
    riverside = await app.organization(ann);
  });

  afterAll(() => app.close());

  const conditions = [{ type: 'manual_attestation' }];
  const made = async (more: object = {}): Promise<string> => {
    const sent = { name: 'Ours', organization_id: riverside, conditions, ...more };
    return (await app.as(ann).post('/dod-policies').send(sent).expect(201)).body.data.id;
  };
  const version = (id: string, body: object = {}, person = ann) =>
    app.as(person).post(`/dod-policies/${id}/versions`).send(body);
  const get = async (id: string, person = ann) =>
    (await app.as(person).get(`/dod-policies/${id}`).expect(200)).body.data;

  it('replace their predecessor and inherit properties that are not sent', async () => {
    const first = await made({ description: 'How we work', metadata: { a: 1 } });
    const { body } = await version(first, { conditions: [{ type: 'comment_required' }] }).expect(201);
    expect(body.data).toMatchObject({
      name: 'Ours',
      description: 'How we work',
      metadata: { a: 1 },
      conditions: [{ id: 'comment_required', type: 'comment_required' }],
      version: 2,
      predecessor_id: first,
      lineage_id: first,
      organization_id: riverside,
      origin: 'custom',
      status: 'active',
    });
    expect(await get(first)).toMatchObject({ status: 'archived', revision: 2 });
    const lineage = await app.as(ann).get(`/dod-policies/${body.data.id}/lineage`).expect(200);
    expect(lineage.body.data.map(({ id, visible }: { id: string; visible: boolean }) => [id, visible])).toEqual([
      [first, true],
      [body.data.id, true],
    ]);
  });

  it('require no body, but the admin role in the organization and a policy that is not archived', async () => {
    const mia = await app.person('Mia');
    await app.join(riverside, mia, 'member');
    const first = await made();
    await version(first, {}, mia).expect(403);
    expect(faults((await version(first, { organization_id: await app.organization(ann) }).expect(400)).body)).toEqual([
      'organization_id invalid_value',
    ]);
    await app.as(ann).post(`/dod-policies/${first}/versions`).set('If-Match', '"7"').expect(412);
    await app.as(ann).post(`/dod-policies/${first}/versions`).expect(201);
    expect((await version(first).expect(409)).body.error.code).toBe('archived');
  });

  it('are validated together with the properties that they inherit', async () => {
    const two = [...conditions, { type: 'comment_required' }];
    const first = await made({ conditions: two, strictness: 'n_of', quorum: 2 });
    expect(faults((await version(first, { conditions }).expect(400)).body)).toEqual(['quorum out_of_range']);
    const { body } = await version(first, { conditions, strictness: 'all' }).expect(201);
    expect(body.data).toMatchObject({ strictness: 'all', quorum: null });
  });

  race('are created once for 50 concurrent requests', 2, async () => {
    const first = await made();
    const responses = await Promise.all(Array.from({ length: 50 }, () => version(first)));
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(49);
    const rows = await app.database.query<{ version: number }>(
      'SELECT version FROM dod_policies WHERE lineage_id = $1 ORDER BY version',
      [first],
    );
    expect(rows.map((row) => row.version)).toEqual([1, 2]);
  });

  it('replace the assigned policy of every endeavour and supersede endorsements', async () => {
    const first = await made();
    const [garden, shed] = [
      await app.endeavour(ann, { organization_id: riverside }),
      await app.endeavour(ann, { organization_id: riverside, name: 'Shed' }),
    ];
    for (const endeavour of [garden, shed]) {
      await app.as(ann).post(`/endeavours/${endeavour}/dod-policy`).send({ policy_id: first }).expect(200);
    }
    const endorsed = await app.as(ann).post('/dod-endorsements').send({ endeavour_id: garden }).expect(201);
    const second = (await version(first).expect(201)).body.data.id;
    for (const endeavour of [garden, shed]) {
      const { body } = await app.as(ann).get(`/endeavours/${endeavour}`).expect(200);
      expect(body.data.dod_policy_id).toBe(second);
    }
    const { body } = await app.as(ann).get(`/dod-endorsements/${endorsed.body.data.id}`).expect(200);
    expect(body.data).toMatchObject({ status: 'superseded', superseded_at: expect.any(String), policy_version: 1 });
  });

  it('leave the old version assigned to endeavours where the author cannot assign policies', async () => {
    const first = await made();
    const mia = await app.person('Mia');
    await app.join(riverside, mia, 'member');
    const [garden, shed] = [
      await app.endeavour(ann, { organization_id: riverside }),
      await app.endeavour(mia, { organization_id: riverside }),
    ];
    const cleo = await app.person('Cleo');
    await app.join(riverside, cleo, 'admin');
    await app.database.query('UPDATE endeavours SET organization_id = NULL WHERE id = $1', [shed]);
    await app.database.query(`DELETE FROM organization_endeavours WHERE endeavour_id = $1`, [shed]);
    for (const [endeavour, person] of [
      [garden, ann],
      [shed, mia],
    ] as const) {
      await app.database.query('UPDATE endeavours SET dod_policy_id = $2 WHERE id = $1', [endeavour, first]);
      await app.as(person).post('/dod-endorsements').send({ endeavour_id: endeavour }).expect(201);
    }
    const second = (await version(first, {}, cleo).expect(201)).body.data.id;
    const stands = async (endeavour: string, person: Person) => {
      const { dod_policy_id } = (await app.as(person).get(`/endeavours/${endeavour}`).expect(200)).body.data;
      const path = `/dod-endorsements?endeavour_id=${endeavour}`;
      const endorsed = (await app.as(person).get(path).expect(200)).body.data;
      return [dod_policy_id, endorsed.map(({ status }: { status: string }) => status)];
    };
    expect(await stands(garden, ann)).toEqual([second, ['superseded']]);
    expect(await stands(shed, mia)).toEqual([first, ['active']]);
    expect(await get(first)).toMatchObject({ status: 'archived' });
  });

  it('of a built-in policy are copies: in an organization, in an endeavour, global or personal', async () => {
    const eve = await app.person('Eve');
    const ours = (await version(MINIMAL, { name: 'Our minimum', organization_id: riverside }).expect(201)).body.data;
    expect(ours).toMatchObject({
      name: 'Our minimum',
      organization_id: riverside,
      origin: 'fork',
      version: 2,
      predecessor_id: MINIMAL,
    });
    const mine = (await version(MINIMAL, {}, eve).expect(201)).body.data;
    expect(mine).toMatchObject({ name: 'Minimal', organization_id: null, container: 'personal', version: 2 });
    const garden = await app.endeavour(eve);
    const gardens = (await version(MINIMAL, { endeavour_id: garden }, eve).expect(201)).body.data;
    expect(gardens).toMatchObject({ endeavour_id: garden, container: 'endeavour' });
    await version(MINIMAL, { endeavour_id: garden, organization_id: riverside }, eve).expect(400);
    await app.as(ann).get(`/dod-policies/${mine.id}`).expect(404);
    const globalPolicy = (await version(MINIMAL, { name: 'For all' }, ada).expect(201)).body.data;
    await app.as(ann).get(`/dod-policies/${globalPolicy.id}`).expect(200);
    expect(await get(MINIMAL)).toMatchObject({ status: 'active', revision: 1 });
    await version(MINIMAL, { organization_id: riverside }, eve).expect(400);
    await version(mine.id, {}, eve).expect(201);
  });

  it('of an absent policy are not found', async () => {
    await version(newId('dod_policy')).expect(404);
    await app.as(ann).post('/dod-policies/nonsense/versions').expect(404);
  });
});
