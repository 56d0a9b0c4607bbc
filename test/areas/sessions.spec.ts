import { TestApp, type Person } from '../support/test-app.js';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.open();
});
afterAll(() => app.close());

const listed = async (person: Person): Promise<{ id: string; is_current: boolean }[]> =>
  (await app.as(person).get('/auth/sessions').expect(200)).body.data;

const currentOf = async (person: Person): Promise<string> =>
  (await listed(person)).find(({ is_current }) => is_current)?.id ?? '';

describe('sessions', () => {
  it('are listed with their client, and the current one is marked', async () => {
    const ann = await app.person('Ann');
    const elsewhere = await app.signInAgain(ann);
    const { body } = await app.as(elsewhere).get('/auth/sessions').expect(200);
    expect(body.meta.total).toBe(2);
    expect(body.data[0]).toEqual({
      id: expect.stringMatching(/^ses_/),
      is_current: true,
      method: 'password',
      proved_at: expect.stringMatching(/Z$/),
      created_at: expect.stringMatching(/Z$/),
      expires_at: expect.stringMatching(/Z$/),
      client_address: null,
      user_agent: null,
    });
    expect(body.data[1].is_current).toBe(false);
  });

  it('of others, and ended or expired ones, are not listed', async () => {
    const ann = await app.person('Ann');
    const [gone, expired] = [await app.signInAgain(ann), await app.signInAgain(ann)];
    const expiredId = await currentOf(expired);
    await app.as(gone).post('/auth/logout').expect(200);
    await app.database.query(`UPDATE sessions SET expires_at = now() - interval '1 second' WHERE id = $1`, [expiredId]);
    await app.person('Ben');
    expect(await listed(ann)).toEqual([expect.objectContaining({ is_current: true })]);
    const ada = await app.admin();
    expect(await listed(ada)).toHaveLength(1);
  });

  it('end one by one, the current one as well', async () => {
    const ann = await app.person('Ann');
    const elsewhere = await app.signInAgain(ann);
    const other = await currentOf(elsewhere);
    const { body } = await app.as(ann).delete(`/auth/sessions/${other}`).expect(200);
    expect(body.data).toEqual({ ended: 1 });
    await app.as(elsewhere).get('/auth/whoami').expect(401);
    await app.as(ann).delete(`/auth/sessions/${other}`).expect(404);
    await app
      .as(ann)
      .delete(`/auth/sessions/${await currentOf(ann)}`)
      .expect(200);
    await app.as(ann).get('/auth/whoami').expect(401);
  });

  it('of others cannot be ended', async () => {
    const [ann, ada] = [await app.person('Ann'), await app.admin()];
    const id = await currentOf(ann);
    await app.as(ada).delete(`/auth/sessions/${id}`).expect(404);
    await app.as(ann).get('/auth/whoami').expect(200);
  });

  it('end all but the current one', async () => {
    const ann = await app.person('Ann');
    const others = [await app.signInAgain(ann), await app.signInAgain(ann)];
    const { body } = await app.as(ann).delete('/auth/sessions').expect(200);
    expect(body.data).toEqual({ ended: 2 });
    for (const other of others) await app.as(other).get('/auth/whoami').expect(401);
    expect(await listed(ann)).toHaveLength(1);
    expect((await app.as(ann).delete('/auth/sessions').expect(200)).body.data).toEqual({ ended: 0 });
  });
});
