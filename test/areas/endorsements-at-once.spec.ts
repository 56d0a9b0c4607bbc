import { newId } from '../../src/common/ids.js';
import { race } from '../support/races.js';
import { TestApp, type Person } from '../support/test-app.js';
import { tokenOf } from '../support/tokens.js';

interface Refused {
  index: number;
  code: string;
  reason: string | null;
  field: string | null;
}

describe('many endorsements at once', () => {
  let app: TestApp;
  let [ann, vic]: Person[] = [];
  let policy: string;
  let [garden, shed, pond]: string[] = [];

  beforeAll(async () => {
    app = await TestApp.open();
  });
  beforeEach(async () => {
    [ann, vic] = [await app.person('Ann'), await app.person('Vic')];
    const made = { name: 'Ours', conditions: [{ type: 'manual_attestation' }] };
    policy = (await app.as(ann).post('/dod-policies').send(made).expect(201)).body.data.id;
    [garden, shed, pond] = [await bound('Garden'), await bound('Shed'), await bound('Pond')];
  });
  afterAll(() => app.close());

  async function bound(name: string): Promise<string> {
    const id = await app.endeavour(ann, { name });
    await app.as(ann).post(`/endeavours/${id}/dod-policy`).send({ policy_id: policy }).expect(200);
    return id;
  }
  const endorse = (person: Person, endorsements: object[], query = '') =>
    app.as(person).post(`/dod-endorsements/bulk${query}`).send({ endorsements });
  const refusedOf = ({ body }: { body: { error: { details: { refused: Refused[] } } } }) =>
    body.error.details.refused.map(({ index, code, reason, field }) => [index, code, field ?? reason]);
  const endorsed = async (person: Person) =>
    (await app.as(person).get(`/dod-endorsements?resource_id=${person.resourceId}&status=active`).expect(200)).body
      .data as Record<string, unknown>[];

  it('are returned in the order of the request, with an event each', async () => {
    const sent = [{ endeavour_id: pond, policy_id: policy }, { endeavour_id: garden }, { endeavour_id: shed }];
    const { body, headers } = await endorse(ann, sent).expect(201);
    expect(body.data.map((one: Record<string, unknown>) => [one.endeavour_id, one.policy_id, one.status])).toEqual(
      [pond, garden, shed].map((id) => [id, policy, 'active']),
    );
    expect(headers.location).toBeUndefined();
    const { body: read } = await app.as(ann).get(`/dod-endorsements/${body.data[1].id}`).expect(200);
    expect(body.data[1]).toEqual(read.data);
    const events = await app.database.query<{ entity_id: string }>(
      `SELECT entity_id FROM events WHERE type = 'dod_endorsement.created' AND entity_id = ANY($1)`,
      [body.data.map(({ id }: { id: string }) => id)],
    );
    expect(events).toHaveLength(3);
  });

  it('are all refused if one is, and the error names each that is', async () => {
    const bare = await app.endeavour(ann);
    const other = await app
      .as(ann)
      .post('/dod-policies')
      .send({ name: 'Other', conditions: [{ type: 'tests_pass' }] });
    await app.as(ann).post('/dod-endorsements').send({ endeavour_id: pond }).expect(201);
    const response = await endorse(ann, [
      { endeavour_id: garden },
      { endeavour_id: bare },
      { endeavour_id: shed, policy_id: other.body.data.id },
      { endeavour_id: newId('endeavour') },
      { endeavour_id: pond },
      { endeavour_id: garden },
    ]).expect(409);
    expect(refusedOf(response)).toEqual([
      [1, 'conflict', 'no_policy'],
      [2, 'conflict', 'not_assigned'],
      [3, 'invalid_input', 'endorsements.3.endeavour_id'],
      [4, 'conflict', 'already_endorsed'],
      [5, 'invalid_input', 'endorsements.5.endeavour_id'],
    ]);
    expect(response.body.error).toMatchObject({ code: 'conflict', details: { reason: 'no_policy' } });
    expect(response.body.error.message).toMatch(/^5 of 6 endorsements are refused; first: endorsements\.1: No policy/);
    expect((await endorsed(ann)).map(({ endeavour_id }) => endeavour_id)).toEqual([pond]);
  });

  it('name every invalid field with its path, of all items', async () => {
    const absent = [newId('endeavour'), newId('endeavour')];
    const { body } = await endorse(ann, [
      { endeavour_id: absent[0] },
      { endeavour_id: garden, policy_id: newId('dod_policy') },
      { endeavour_id: absent[1] },
    ]).expect(400);
    const fields = ['endorsements.0.endeavour_id', 'endorsements.1.policy_id', 'endorsements.2.endeavour_id'];
    expect(body.error.details.fields.map(({ field }: { field: string }) => field)).toEqual(fields);
    for (const [index, { message }] of body.error.details.fields.entries()) expect(message).toContain(fields[index]);
    const malformed = await endorse(ann, [{ endeavour_id: garden, color: 1 }, {}]).expect(400);
    expect(malformed.body.error.details.fields.map(({ field }: { field: string }) => field)).toEqual([
      'endorsements.0.color',
      'endorsements.1.endeavour_id',
    ]);
    await endorse(ann, []).expect(400);
    await endorse(
      ann,
      Array.from({ length: 51 }, () => ({ endeavour_id: garden })),
    ).expect(400);
    expect(await endorsed(ann)).toEqual([]);
  });

  it('need the member role in each endeavour, which another endeavour does not give', async () => {
    await app.join(garden, vic, 'member');
    await app.join(shed, vic, 'viewer');
    const response = await endorse(vic, [
      { endeavour_id: garden },
      { endeavour_id: shed },
      { endeavour_id: pond },
    ]).expect(403);
    expect(refusedOf(response)).toEqual([
      [1, 'forbidden', null],
      [2, 'invalid_input', 'endorsements.2.endeavour_id'],
    ]);
    expect(await endorsed(vic)).toEqual([]);
    await endorse(vic, [{ endeavour_id: garden }]).expect(201);
  });

  it('are refused to a token that is restricted to one of the endeavours, and to those of archived ones', async () => {
    const token = await tokenOf(app, ann, { endeavour_id: garden });
    const response = await endorse(token, [{ endeavour_id: garden }, { endeavour_id: shed }]);
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(refusedOf(response).map(([index]) => index)).toEqual([1]);
    await app.as(ann).post(`/endeavours/${shed}/archive`).send({ reason: 'Sold' }).expect(200);
    const archived = await endorse(ann, [{ endeavour_id: garden }, { endeavour_id: shed }]).expect(409);
    expect(refusedOf(archived)).toEqual([[1, 'archived', null]]);
    expect(await endorsed(ann)).toEqual([]);
  });

  it('are repeated under an idempotency key, and leave nothing after a dry run', async () => {
    const sent = [{ endeavour_id: garden }, { endeavour_id: shed }];
    const { body: tried } = await endorse(ann, sent, '?dry_run=true').expect(201);
    expect(tried.data).toHaveLength(2);
    expect(await endorsed(ann)).toEqual([]);
    const ask = () => endorse(ann, sent).set('Idempotency-Key', 'endorse-once').expect(201);
    const { body } = await ask();
    expect((await ask()).body).toEqual(body);
    expect(await endorsed(ann)).toHaveLength(2);
  });

  race('by one person in different orders are given once', 5, async () => {
    const one = [garden, shed, pond].map((endeavour_id) => ({ endeavour_id }));
    for (const { id } of await endorsed(ann))
      await app
        .as(ann)
        .delete(`/dod-endorsements/${String(id)}`)
        .expect(200);
    const responses = await Promise.all([endorse(ann, one), endorse(ann, one.toReversed())]);
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    expect(await endorsed(ann)).toHaveLength(3);
  });
});
