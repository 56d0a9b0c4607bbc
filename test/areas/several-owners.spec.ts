import { TestApp, type Person } from '../support/test-app.js';

const SMALL = { OPERATION_PIECE: '4' };
const DAY_MS = 86_400_000;

describe('one of several owners', () => {
  let app: TestApp;
  let admin: Person;
  let ann: Person;
  let ben: Person;
  let company: string;
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open(SMALL);
    admin = await app.admin();
  });

  beforeEach(async () => {
    [ann, ben] = [await app.person('Ann'), await app.person('Ben')];
    company = await app.organization(ann, { name: 'Company' });
    await app.join(company, ben, 'owner');
    garden = await app.endeavour(ann, { name: 'Garden', organization_id: company });
  });

  afterAll(() => app.close());

  const kinds = [
    ['organization', () => company, 'Company'],
    ['endeavour', () => garden, 'Garden'],
  ] as const;
  const pathOf = (id: string): string => (id.startsWith('org') ? `/organizations/${id}` : `/endeavours/${id}`);
  const archive = (id: string, person = ann) =>
    app
      .as(person)
      .post(`${pathOf(id)}/archive`)
      .send({ reason: 'Over' })
      .expect(200);
  const get = async (id: string, person = ann) => (await app.as(person).get(pathOf(id)).expect(200)).body.data;
  const erase = (id: string, name: string, person = ann) => app.as(person).delete(`${pathOf(id)}?confirm=${name}`);
  const stop = (id: string, person = ben) => app.as(person).delete(`${pathOf(id)}/erasure`);
  const subjectsTo = async (person: Person): Promise<string[]> =>
    (await app.mail(person.email)).map(({ subject }) => subject);
  const requested = async (id: string, name: string): Promise<string> => {
    await archive(id);
    return (await erase(id, name).expect(202)).body.data.id;
  };
  /** Ends the delay, and runs the operation. */
  const run = async (operation: string): Promise<{ status: string; error: object | null }> => {
    await app.database.query(`UPDATE operations SET due_at = now() - interval '1 second' WHERE id = $1`, [operation]);
    const worker = await TestApp.open({ ...SMALL, WORKERS: 'true' }, app);
    const { body } = await worker.ended(admin, `/operations/${operation}`);
    await worker.close();
    return body.data;
  };

  it.each(kinds)('erases the %s only after 14 days, of which all owners know', async (_kind, id, name) => {
    const operation = await requested(id(), name);
    const { erasure_at: erasureAt, status } = await get(id(), ben);
    expect(status).toBe('archived');
    expect(Date.parse(erasureAt) - Date.now()).toBeGreaterThan(13.9 * DAY_MS);
    for (const owner of [ann, ben]) {
      const mail = (await app.mail(owner.email)).find(({ subject }) => subject === `${name} will be erased`);
      expect(mail?.text).toContain(erasureAt.slice(0, 10));
      expect(await subjectsTo(owner)).toContain(`${name} was archived`);
    }
    const again = await erase(id(), name, ben).expect(409);
    expect(again.body.error.details).toEqual({ reason: 'erasure_requested' });
    expect(again.body.error.message).toContain(erasureAt);
    expect(await run(operation)).toMatchObject({ status: 'succeeded', error: null });
    await app.as(ann).get(pathOf(id())).expect(404);
  });

  it('does not erase before, although the worker erases what was requested later and is due', async () => {
    const first = await requested(company, 'Company');
    const other = await app.endeavour(ann, { name: 'Other' });
    expect(await run(await requested(other, 'Other'))).toMatchObject({ status: 'succeeded' });
    expect((await app.as(ann).get(`/operations/${first}`).expect(200)).body.data.status).toBe('queued');
    await app.as(ann).delete(`/organizations/${company}/members/${ben.id}`).expect(200);
  });

  it.each(kinds)('can stop the erasure of the %s that another one requested', async (_kind, id, name) => {
    const operation = await requested(id(), name);
    const { body } = await stop(id()).expect(200);
    expect(body.data).toEqual({ id: id(), deleted: true });
    expect(await get(id())).toMatchObject({ status: 'archived', erasure_at: null });
    expect((await app.as(ann).get(`/operations/${operation}`).expect(200)).body.data.status).toBe('canceled');
    for (const owner of [ann, ben]) expect(await subjectsTo(owner)).toContain(`${name} will not be erased`);
    expect((await stop(id()).expect(409)).body.error.details.reason).toBe('no_erasure');
    await erase(id(), name).expect(202);
  });

  it.each(kinds)('stops the erasure of the %s by restoring it', async (_kind, id, name) => {
    await requested(id(), name);
    await app
      .as(ben)
      .post(`${pathOf(id())}/unarchive`)
      .expect(200);
    expect(await get(id())).toMatchObject({ status: 'active', erasure_at: null });
    await archive(id());
    expect((await get(id())).erasure_at).toBeNull();
  });

  it.each(kinds)('no longer erases the %s after the loss of the role', async (_kind, id, name) => {
    await archive(id(), ann);
    const operation = (await erase(id(), name, ben).expect(202)).body.data.id;
    await app.as(ann).patch(`/organizations/${company}/members/${ben.id}`).send({ role: 'member' }).expect(200);
    expect(await run(operation)).toMatchObject({ status: 'failed', error: { code: 'forbidden' } });
    expect(await get(id())).toMatchObject({ status: 'archived', erasure_at: null });
  });

  it('restores an endeavour with its organization although its own erasure was requested', async () => {
    const operation = await requested(garden, 'Garden');
    await archive(company);
    await app.as(ben).post(`/organizations/${company}/unarchive`).expect(200);
    await app.as(ben).post(`/endeavours/${garden}/unarchive`).expect(200);
    expect(await run(operation)).toMatchObject({ status: 'canceled' });
    expect((await get(garden)).status).toBe('active');
  });

  it('admins and members cannot stop an erasure', async () => {
    await requested(company, 'Company');
    const adm = await app.person('Adm');
    await app.join(company, adm, 'admin');
    await stop(company, adm).expect(403);
    await stop(company, await app.person('Out')).expect(404);
  });

  describe('transfers an endeavour', () => {
    let shell: string;

    beforeEach(async () => {
      shell = await app.organization(ann, { name: 'Shell' });
    });

    const transfer = (person: Person, to = shell) =>
      app.as(person).post(`/endeavours/${garden}/transfer`).send({ organization_id: to });

    it('to an organization of which no other owner is an owner only with a second one', async () => {
      const { body } = await transfer(ann).expect(409);
      expect(body.error.details.reason).toBe('second_owner_required');
      expect((await get(garden)).organization_id).toBe(company);
      const [mail, ...others] = await app.mail(ben.email);
      expect(mail.subject).toBe('Ann wants to transfer Garden');
      expect(mail.text).toContain(shell);
      await transfer(ann).expect(409);
      expect(await app.mail(ben.email)).toHaveLength(others.length + 1);
      expect((await transfer(ben).expect(200)).body.data).toMatchObject({ organization_id: shell, outsiders: [] });
      expect((await get(garden)).organization_id).toBe(shell);
      for (const owner of [ann, ben]) expect(await subjectsTo(owner)).toContain('Garden was transferred');
      await app.as(ben).get(`/endeavours/${garden}`).expect(404);
    });

    it('only to the organization that was requested, by an owner who still is one', async () => {
      await transfer(ann).expect(409);
      const other = await app.organization(ann, { name: 'Other' });
      await transfer(ben, other).expect(400);
      await app.as(ben).patch(`/organizations/${company}/members/${ann.id}`).send({ role: 'admin' }).expect(200);
      await transfer(ben).expect(400);
      expect((await get(garden)).organization_id).toBe(company);
    });

    it('alone, if another owner owns the target too, or there is no other owner', async () => {
      await app.join(shell, ben, 'admin');
      await transfer(ann).expect(409);
      await app.database.query(`UPDATE organization_resources SET role = 'owner' WHERE organization_id = $1`, [shell]);
      await transfer(ann).expect(200);
      const own = await app.organization(ann, { name: 'Own' });
      await app.as(ann).delete(`/organizations/${shell}/members/${ben.id}`).expect(200);
      await transfer(ann, own).expect(200);
    });
  });

  it('unlinks an endeavour, of which all owners know', async () => {
    await app.as(ann).delete(`/organizations/${company}/endeavours/${garden}`).expect(200);
    for (const owner of [ann, ben]) expect(await subjectsTo(owner)).toContain('Garden was unlinked from Company');
  });
});
