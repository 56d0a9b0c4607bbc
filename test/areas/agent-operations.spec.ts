import { TestApp, type Person } from '../support/test-app.js';

const SMALL = { OPERATION_THRESHOLD: '2', OPERATION_PIECE: '2', LIMIT_WRITES_PER_MINUTE: '100000' };

/** An operation that an agent starts runs in the background, with no more rights than its manager has at that time. */
describe('an operation that an agent started', () => {
  let app: TestApp;
  let ann: Person;
  let ben: Person;
  let agent: Person;
  let cellar: string;
  let operation: string;

  beforeAll(async () => {
    // This instance has no workers; `outcome` starts an instance that has.
    app = await TestApp.open(SMALL);
  });
  afterAll(() => app.close());

  beforeEach(async () => {
    [ann, ben] = [await app.person('Ann'), await app.person('Ben')];
    const organization = await app.organization(ann);
    const sent = { name: 'Triage', organization_id: organization };
    const { body } = await app.as(ann).post('/agents').send(sent).expect(201);
    const path = `/agents/${body.data.id}/tokens`;
    const made = await app
      .as(ann)
      .post(path)
      .send({ name: 'Main', scopes: ['*'] })
      .expect(201);
    agent = { ...ann, id: body.data.id, resourceId: body.data.resource_id, token: made.body.data.token };
    cellar = await app.endeavour(ben);
    for (const person of [ann, agent]) await app.join(cellar, person, 'owner');
    for (let n = 0; n < 5; n += 1) await app.task(ben, cellar);
    const begun = await app.as(agent).post(`/endeavours/${cellar}/archive`).send({ reason: 'Over' }).expect(202);
    operation = begun.body.data.id;
  });

  const outcome = async () => {
    const worker = await TestApp.open({ ...SMALL, WORKERS: 'true' }, app);
    const response = await worker.ended(ben, `/operations/${operation}`);
    await worker.close();
    return response.body.data;
  };
  const planned = async (): Promise<number> =>
    (await app.as(ben).get(`/tasks/summary?endeavour_id=${cellar}&archived=any`).expect(200)).body.data.planned;

  it('succeeds while its manager has the rights for it', async () => {
    expect(await outcome()).toMatchObject({ status: 'succeeded', error: null });
    expect(await planned()).toBe(0);
  });

  it('fails if its manager is demoted in the meantime, as the request itself would', async () => {
    await app.as(ben).patch(`/endeavours/${cellar}/members/${ann.id}`).send({ role: 'viewer' }).expect(200);
    await app.as(agent).post(`/endeavours/${cellar}/archive`).send({ reason: 'Over' }).expect(403);
    expect(await outcome()).toMatchObject({ status: 'failed', error: { code: 'forbidden' } });
    expect(await planned()).toBe(5);
  });

  it('fails if its manager leaves in the meantime', async () => {
    await app.as(ben).delete(`/endeavours/${cellar}/members/${ann.id}`).expect(200);
    await app.as(agent).get(`/endeavours/${cellar}`).expect(404);
    expect(await outcome()).toMatchObject({ status: 'failed', error: { code: 'forbidden' } });
    expect(await planned()).toBe(5);
  });

  it('fails if its manager is suspended in the meantime', async () => {
    const ada = await app.admin();
    await app.as(ada).patch(`/users/${ann.id}`).send({ status: 'suspended' }).expect(200);
    expect(await outcome()).toMatchObject({ status: 'failed', error: { code: 'forbidden' } });
    expect(await planned()).toBe(5);
  });
});

describe('an agent', () => {
  it('cannot create a container that neither it nor its manager could see', async () => {
    const app = await TestApp.open();
    const ann = await app.person('Ann');
    const organization = await app.organization(ann);
    const sent = { name: 'Triage', organization_id: organization };
    const { body } = await app.as(ann).post('/agents').send(sent).expect(201);
    const path = `/agents/${body.data.id}/tokens`;
    const made = await app
      .as(ann)
      .post(path)
      .send({ name: 'Main', scopes: ['*'] })
      .expect(201);
    const agent = { ...ann, id: body.data.id, token: made.body.data.token };
    await app.as(agent).post('/endeavours').send({ name: 'Nowhere' }).expect(403);
    await app.as(agent).post('/organizations').send({ name: 'Nowhere' }).expect(403);
    const garden = await app.endeavour(agent, { organization_id: organization });
    await app.as(agent).get(`/endeavours/${garden}`).expect(200);
    await app.as(ann).get(`/endeavours/${garden}`).expect(200);
    await app.close();
  });
});
