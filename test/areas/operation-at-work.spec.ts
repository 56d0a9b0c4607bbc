import { newId } from '../../src/common/ids.js';
import { Agreement, attestation } from '../support/dod.js';
import type { TestApp, Person } from '../support/test-app.js';

let agreed: Agreement;
let app: TestApp;
let ann: Person;
let ben: Person;

beforeAll(async () => {
  agreed = await Agreement.open();
  ({ app } = agreed);
});
beforeEach(async () => {
  [ann, ben] = [await app.person('Ann'), await app.person('Ben')];
});
afterAll(() => app.close());

/** Inserts an operation of Ann that blocks the container until the test ends. */
async function startOperationOn(container: string): Promise<string> {
  const id = newId('operation');
  await app.database.query(
    `INSERT INTO operations (id, type, user_id, created_by, container_id) VALUES ($1, 'archives', $2, $3, $4)`,
    [id, ann.id, ann.resourceId, container],
  );
  const table = container.startsWith('edv_') ? 'endeavours' : 'organizations';
  await app.database.query(`UPDATE ${table} SET closed_by = $1 WHERE id = $2`, [id, container]);
  return id;
}

/** The error of requests that the operation blocks. */
const refusal = (operation: string) => ({ code: 'in_progress', details: { operation_id: operation } });

describe('while an operation works on a container', () => {
  it('a reply to all recipients is rejected', async () => {
    const garden = await app.endeavour(ann);
    await app.join(garden, ben, 'member');
    const message = { subject: 'Rain', content: 'Come inside', scope_type: 'endeavour', scope_id: garden };
    const { body } = await app.as(ann).post('/messages').send(message).expect(201);
    const operation = await startOperationOn(garden);
    const refused = await app.as(ben).post(`/messages/${body.data.id}/reply`).send({ content: 'Yes', all: true });
    expect(refused.body.error).toMatchObject(refusal(operation));
    expect(refused.status).toBe(409);
  });

  it('a higher role is rejected, a lower one is accepted', async () => {
    const [garden, shop] = [await app.endeavour(ann), await app.organization(ann)];
    for (const container of [garden, shop]) await app.join(container, ben, 'member');
    for (const [path, container, lower] of [
      [`/endeavours/${garden}/members/${ben.id}`, garden, 'viewer'],
      [`/organizations/${shop}/members/${ben.id}`, shop, 'guest'],
    ] as const) {
      const operation = await startOperationOn(container);
      const refused = await app.as(ann).patch(path).send({ role: 'admin' }).expect(409);
      expect(refused.body.error).toMatchObject(refusal(operation));
      await app.as(ann).patch(path).send({ role: lower }).expect(200);
    }
  });

  it('a change of an invitation to it is rejected', async () => {
    const shop = await app.organization(ann);
    const { body } = await app.as(ann).post('/invitations').send({ organization_id: shop, max_uses: 2 }).expect(201);
    const operation = await startOperationOn(shop);
    const refused = await app.as(ann).patch(`/invitations/${body.data.id}`).send({ max_uses: 3 }).expect(409);
    expect(refused.body.error).toMatchObject(refusal(operation));
  });

  it('withdrawing an endorsement is rejected', async () => {
    const garden = await agreed.bound(attestation);
    const [endorsement] = await agreed.endorsements(garden);
    const operation = await startOperationOn(garden);
    const refused = await app.as(agreed.ann).delete(`/dod-endorsements/${endorsement.id}`).expect(409);
    expect(refused.body.error).toMatchObject(refusal(operation));
  });

  it('deleting the assignee of an open task is rejected, and the task keeps its assignee', async () => {
    const riverside = await app.organization(ann);
    const garden = await app.endeavour(ann, { organization_id: riverside });
    const mower = { name: 'Mower', type: 'service', organization_id: riverside };
    const { body } = await app.as(ann).post('/resources').send(mower).expect(201);
    const task = await app.task(ann, garden, { assignee_id: body.data.id });
    const operation = await startOperationOn(garden);
    const refused = await app.as(ann).delete(`/resources/${body.data.id}?reassign_to=me`).expect(409);
    expect(refused.body.error).toMatchObject(refusal(operation));
    const kept = await app.as(ann).get(`/tasks/${task}`).expect(200);
    expect(kept.body.data).toMatchObject({ assignee_id: body.data.id, revision: 1 });
  });

  it('a new version of its policy takes effect only in other endeavours', async () => {
    const policy = await agreed.policy(attestation);
    const [garden, yard] = [await app.endeavour(ann), await app.endeavour(ann)];
    for (const endeavour of [garden, yard]) await agreed.assign(endeavour, policy, ann).expect(200);
    await startOperationOn(garden);
    await app.as(agreed.ada).post(`/dod-policies/${policy}/versions`).expect(201);
    const policyOf = async (id: string) =>
      (await app.as(ann).get(`/endeavours/${id}`).expect(200)).body.data.dod_policy_id;
    expect(await policyOf(garden)).toBe(policy);
    expect(await policyOf(yard)).not.toBe(policy);
  });

  it('deleting its only member is rejected', async () => {
    const operation = await startOperationOn(await app.endeavour(ann));
    const refused = await app.as(agreed.ada).delete(`/users/${ann.id}`).expect(409);
    expect(refused.body.error).toMatchObject(refusal(operation));
  });
});
