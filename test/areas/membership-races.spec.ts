import type pg from 'pg';
import { TestApp, type Person } from '../support/test-app.js';

/** Requests that wait for a concurrent removal must decide by the state after it. */
describe('a membership that ends during another request', () => {
  let app: TestApp;
  let ann: Person;
  let mia: Person;
  let riverside: string;
  let outside: pg.Client;

  beforeAll(async () => {
    app = await TestApp.open({ LIMIT_INVITATIONS_PER_HOUR: '1000' });
  });
  beforeEach(async () => {
    [ann, mia] = [await app.person('Ann'), await app.person('Mia')];
    riverside = await app.organization(ann);
    outside = await app.openConnection();
    await outside.query('BEGIN');
  });
  afterEach(() => outside.end());
  afterAll(() => app.close());

  type HttpResponse = { status: number; body: { error?: { code: string; details: { reason?: string } } } };
  const remove = (container: string, person: Person, by = ann, query = '') => {
    const path = container.startsWith('org_') ? 'organizations' : 'endeavours';
    return app.as(by).delete(`/${path}/${container}/members/${person.id}${query}`);
  };

  /** Locks Mia's direct role in the endeavour, so that its deletion waits. */
  const holdSeat = (endeavour: string) =>
    outside.query('SELECT 1 FROM endeavour_members WHERE endeavour_id = $1 AND user_id = $2 FOR UPDATE', [
      endeavour,
      mia.id,
    ]);

  /** Sends a request while the removal of the membership waits for its lock, and returns both responses. */
  async function during(
    ending: PromiseLike<HttpResponse>,
    request: PromiseLike<HttpResponse>,
  ): Promise<[HttpResponse, HttpResponse]> {
    const ended = Promise.resolve(ending);
    await app.untilLockWaits(1);
    const answered = Promise.resolve(request);
    await Promise.race([answered, app.untilLockWaits(2)]);
    await outside.query('COMMIT');
    return Promise.all([ended, answered]);
  }

  const invite = async (body: object): Promise<string> =>
    (
      await app
        .as(ann)
        .post('/invitations')
        .send({ max_uses: 5, ...body })
        .expect(201)
    ).body.data.token;
  const accept = (token: string) => app.as(mia).post('/invitations/accept').send({ token });
  const membershipsOf = async (person: Person) => {
    const { body } = await app.as(person).get('/auth/whoami').expect(200);
    return { organizations: body.data.organizations, endeavours: body.data.endeavours };
  };

  it('in an organization is not restored by an older invitation', async () => {
    const garden = await app.endeavour(ann, { organization_id: riverside });
    const token = await invite({ organization_id: riverside });
    await accept(token).expect(200);
    await app.join(garden, mia, 'viewer');
    await holdSeat(garden);
    const [dismissed, accepted] = await during(remove(riverside, mia), accept(token));
    expect([dismissed.status, accepted.status, accepted.body.error?.code]).toEqual([200, 400, 'invalid_token']);
    expect(await membershipsOf(mia)).toEqual({ organizations: {}, endeavours: {} });
  });

  it('in an endeavour is not restored by an older invitation', async () => {
    const garden = await app.endeavour(ann);
    const token = await invite({ endeavour_id: garden, endeavour_role: 'member' });
    await accept(token).expect(200);
    await holdSeat(garden);
    const [removed, accepted] = await during(remove(garden, mia), accept(token));
    expect([removed.status, accepted.status, accepted.body.error?.code]).toEqual([200, 400, 'invalid_token']);
    expect((await membershipsOf(mia)).endeavours).toEqual({});
  });

  it('in a home organization invalidates older invitations to its endeavours', async () => {
    const [garden, shed] = [
      await app.endeavour(ann, { organization_id: riverside }),
      await app.endeavour(ann, { organization_id: riverside }),
    ];
    await app.join(riverside, mia, 'member');
    await app.join(shed, mia, 'viewer');
    const token = await invite({ endeavour_id: garden, endeavour_role: 'admin' });
    await holdSeat(shed);
    const [dismissed, accepted] = await during(remove(riverside, mia), accept(token));
    expect([dismissed.status, accepted.status, accepted.body.error?.code]).toEqual([200, 400, 'invalid_token']);
    expect(await membershipsOf(mia)).toEqual({ organizations: {}, endeavours: {} });
  });

  it('in an endeavour is not restored by a concurrent POST to /users/{id}/endeavours', async () => {
    const garden = await app.endeavour(ann, { organization_id: riverside });
    await app.join(riverside, mia, 'member');
    await app.join(garden, mia, 'member');
    await holdSeat(garden);
    const added = app.as(ann).post(`/users/${mia.id}/endeavours`).send({ endeavour_id: garden, role: 'member' });
    const [left, refused] = await during(remove(garden, mia, mia), added);
    expect([left.status, refused.status, refused.body.error?.details.reason]).toEqual([
      200,
      403,
      'invitation_required',
    ]);
  });

  it('in a home organization leaves no direct role to an admin who adds themselves to its endeavour', async () => {
    const [garden, shed] = [
      await app.endeavour(ann, { organization_id: riverside }),
      await app.endeavour(ann, { organization_id: riverside }),
    ];
    await app.join(riverside, mia, 'admin');
    await app.join(shed, mia, 'viewer');
    await holdSeat(shed);
    const added = app.as(mia).post(`/endeavours/${garden}/members`).send({ user_id: mia.id, role: 'admin' });
    const [dismissed, refused] = await during(remove(riverside, mia), added);
    expect([dismissed.status, refused.status]).toEqual([200, 403]);
    expect((await membershipsOf(mia)).endeavours).toEqual({});
  });

  it('in an organization prevents the member from creating an endeavour there', async () => {
    const shed = await app.endeavour(ann, { organization_id: riverside });
    await app.join(riverside, mia, 'member');
    await app.join(shed, mia, 'viewer');
    await holdSeat(shed);
    const created = app.as(mia).post('/endeavours').send({ name: 'Orchard', organization_id: riverside });
    const [dismissed, refused] = await during(remove(riverside, mia), created);
    expect([dismissed.status, refused.status]).toEqual([200, 403]);
    expect(await membershipsOf(mia)).toEqual({ organizations: {}, endeavours: {} });
  });

  it('in an organization also ends the role in an endeavour that is being created', async () => {
    await app.join(riverside, mia, 'member');
    await outside.query('LOCK TABLE endeavours IN SHARE MODE');
    const create = app.as(mia).post('/endeavours').send({ name: 'Orchard', organization_id: riverside });
    const [created, dismissed] = await during(create, remove(riverside, mia));
    expect([created.status, dismissed.status]).toEqual([201, 200]);
    expect(await membershipsOf(mia)).toEqual({ organizations: {}, endeavours: {} });
  });

  it('in an organization prevents its admin from transferring an endeavour to it', async () => {
    const home = await app.organization(mia);
    const garden = await app.endeavour(mia, { organization_id: home });
    const shed = await app.endeavour(ann, { organization_id: riverside });
    await app.join(riverside, mia, 'admin');
    await app.join(shed, mia, 'viewer');
    await holdSeat(shed);
    const transfer = app.as(mia).post(`/endeavours/${garden}/transfer`).send({ organization_id: riverside });
    const [dismissed, refused] = await during(remove(riverside, mia), transfer);
    expect([dismissed.status, refused.status]).toEqual([200, 403]);
    const { body } = await app.as(mia).get(`/endeavours/${garden}`).expect(200);
    expect(body.data.organization_id).toBe(home);
  });

  describe('in a home organization, while an admin changes the direct role,', () => {
    let garden: string;
    let bob: Person;

    beforeEach(async () => {
      bob = await app.person('Bob');
      garden = await app.endeavour(ann, { organization_id: riverside });
      await app.join(riverside, bob, 'admin');
      await app.join(riverside, mia, 'member');
      await app.join(garden, mia, 'member');
      // Removing a member deletes the links after the roles, so locking this link delays the end of the removal.
      const shell = await app.organization(mia);
      await app.link(shell, garden);
      await outside.query('SELECT 1 FROM organization_endeavours WHERE organization_id = $1 FOR UPDATE', [shell]);
    });
    const raise = () => app.as(bob).patch(`/endeavours/${garden}/members/${mia.id}`).send({ role: 'admin' });

    it('ends that role too', async () => {
      const [dismissed, raised] = await during(remove(riverside, mia), raise());
      expect([dismissed.status, raised.status]).toEqual([200, 404]);
      expect((await membershipsOf(mia)).endeavours).toEqual({});
    });

    it('leaves at most the member role with keep_endeavours', async () => {
      const [dismissed, raised] = await during(remove(riverside, mia, ann, '?keep_endeavours=true'), raise());
      expect([dismissed.status, raised.status]).toEqual([200, 403]);
      expect((await membershipsOf(mia)).endeavours).toEqual({ [garden]: 'member' });
    });
  });
});
