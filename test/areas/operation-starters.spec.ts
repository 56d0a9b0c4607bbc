import { TestApp, type Person } from '../support/test-app.js';

const SMALL = { OPERATION_THRESHOLD: '2', OPERATION_PIECE: '2', LIMIT_WRITES_PER_MINUTE: '100000' };

/** An operation continues in the background after the request that started it. */
describe('an operation', () => {
  let app: TestApp;
  let ada: Person;
  let ben: Person;
  let cellar: string;

  beforeAll(async () => {
    // Workers run in the second process only, so that operations wait until a test starts it.
    app = await TestApp.open(SMALL);
    ada = await app.admin();
  });
  afterAll(() => app.close());

  beforeEach(async () => {
    ben = await app.person('Ben');
    cellar = await app.endeavour(ben);
    for (let n = 0; n < 5; n += 1) await app.task(ben, cellar);
  });

  const archive = async (as: Person): Promise<string> =>
    (await app.as(as).post(`/endeavours/${cellar}/archive`).send({ reason: 'Over' }).expect(202)).body.data.id;

  const outcomeOf = async (operation: string) => {
    const worker = await TestApp.open({ ...SMALL, WORKERS: 'true' }, app);
    const response = await worker.ended(ada, `/operations/${operation}`);
    await worker.close();
    return response.body.data;
  };

  const makeToken = async (): Promise<{ id: string; token: string }> =>
    (
      await app
        .as(ben)
        .post('/auth/tokens')
        .send({ name: 'Script', scopes: ['*'] })
        .expect(201)
    ).body.data;

  it('that was started with a valid access token succeeds', async () => {
    const operation = await archive({ ...ben, token: (await makeToken()).token });
    expect(await outcomeOf(operation)).toMatchObject({ status: 'succeeded', error: null });
  });

  it('that was started with an access token fails after the token has been deleted', async () => {
    const { id, token } = await makeToken();
    const operation = await archive({ ...ben, token });
    await app.as(ben).delete(`/auth/tokens/${id}`).expect(200);
    expect(await outcomeOf(operation)).toMatchObject({
      status: 'failed',
      error: { code: 'forbidden', message: 'You need a valid access token.' },
    });
    const { body } = await app.as(ben).get(`/tasks/summary?endeavour_id=${cellar}`).expect(200);
    expect(body.data.planned).toBe(5);
  });

  it('that was started in a session succeeds after the user has signed out', async () => {
    const operation = await archive(ben);
    await app.as(ben).post('/auth/logout').expect(200);
    expect(await outcomeOf(operation)).toMatchObject({ status: 'succeeded', error: null });
  });
});
