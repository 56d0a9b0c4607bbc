import { attestation } from '../support/dod.js';
import { fieldErrorsOf } from '../support/refusals.js';
import { TestApp, type Person } from '../support/test-app.js';

describe('a write with dry_run=true', () => {
  let app: TestApp;
  let ann: Person;
  let bob: Person;
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open();
    [ann, bob] = [await app.person('Ann'), await app.person('Bob')];
    garden = await app.endeavour(ann);
    await app.join(garden, bob, 'member');
  });

  afterAll(() => app.close());

  const count = async (from: string): Promise<number> =>
    (await app.database.query<{ count: number }>(`SELECT count(*)::integer AS count FROM ${from}`))[0].count;
  const create = (title: string) => app.as(ann).post('/tasks').send({ title, endeavour_id: garden });

  it('returns the response of the real request, without mail, events or stored data', async () => {
    const [events, mails] = [await count('events'), (await app.mail(bob.email)).length];
    const message = { recipient_ids: [bob.id], subject: 'Roses', content: 'Tomorrow?' };
    const tried = await app.as(ann).post('/messages?dry_run=true').send(message).expect(201);
    expect(await count('events')).toBe(events);
    expect((await app.mail(bob.email)).length).toBe(mails);
    await app.as(bob).get(`/messages/${tried.body.data.id}`).expect(404);
    const done = await app.as(ann).post('/messages').send(message).expect(201);
    const fixed = { id: '', thread_id: '', created_at: '' };
    expect({ ...done.body.data, ...fixed }).toEqual({ ...tried.body.data, ...fixed });
  });

  it('is rejected like the real request, without what that rejection would store', async () => {
    const id = await app.task(ann, garden);
    const policy = { name: 'Attested', conditions: [attestation], endeavour_id: garden };
    const { body } = await app.as(ann).post('/dod-policies').send(policy).expect(201);
    await app.as(ann).post(`/endeavours/${garden}/dod-policy`).send({ policy_id: body.data.id }).expect(200);
    await app.as(ann).patch(`/tasks/${id}`).send({ status: 'active' }).expect(200);
    const checks = await count('dod_checks');
    const refused = await app.as(ann).patch(`/tasks/${id}?dry_run=true`).send({ status: 'done' }).expect(409);
    expect([refused.body.error.code, refused.headers['dry-run']]).toEqual(['dod_not_met', undefined]);
    expect(await count('dod_checks')).toBe(checks);
    await app.as(ann).delete(`/endeavours/${garden}/dod-policy`).expect(200);
  });

  it('neither replays nor stores a response for an Idempotency-Key', async () => {
    const keyed = (path: string) =>
      app.as(ann).post(path).set('Idempotency-Key', 'one').send({ title: 'Keyed', endeavour_id: garden });
    await keyed('/tasks?dry_run=true').expect(201);
    const { body } = await keyed('/tasks').expect(201);
    const again = await keyed('/tasks?dry_run=true').expect(201);
    expect(again.headers['idempotent-replayed']).toBeUndefined();
    expect(again.body.data.id).not.toBe(body.data.id);
    const replayed = await keyed('/tasks').expect(201);
    expect(replayed.body.data.id).toBe(body.data.id);
  });

  it('returns no ETag, and counts toward the rate limits', async () => {
    const id = await app.task(ann, garden);
    const tried = await app.as(ann).patch(`/tasks/${id}?dry_run=1`).send({ title: 'Tried' }).expect(200);
    expect([tried.body.data.revision, tried.headers.etag, tried.headers['dry-run']]).toEqual([2, undefined, 'true']);
    const left = (headers: Record<string, string>) => Number(/r=(\d+)/.exec(headers.ratelimit)?.[1]);
    const next = await app.as(ann).patch(`/tasks/${id}?dry_run=true`).send({ title: 'Tried' }).expect(200);
    expect(left(next.headers)).toBe(left(tried.headers) - 1);
    expect((await app.as(ann).get(`/tasks/${id}`).expect(200)).body.data).toMatchObject({ revision: 1 });
  });

  it('accepts one boolean value, and is rejected where it is not supported', async () => {
    await create('Real').query({ dry_run: 'false' }).expect(201);
    expect(fieldErrorsOf((await create('x').query({ dry_run: 'maybe' }).expect(400)).body)).toEqual([
      'dry_run invalid_value',
    ]);
    const twice = await app.as(ann).post('/tasks?dry_run=true&dry_run=true').send({ title: 'x', endeavour_id: garden });
    expect(fieldErrorsOf(twice.body)).toEqual(['dry_run unknown_field']);
    const claim = app.as(ann).post('/tasks/claim?dry_run=true').set('Prefer', 'handling=lenient');
    expect(fieldErrorsOf((await claim.send({ endeavour_id: garden }).expect(400)).body)).toEqual([
      'dry_run unknown_field',
    ]);
    expect(fieldErrorsOf((await app.as(ann).get('/tasks?dry_run=true').expect(400)).body)).toEqual([
      'dry_run unknown_field',
    ]);
    // The policy assignment has its own dry run, which returns a report.
    const own = app.as(ann).post(`/endeavours/${garden}/dod-policy?dry_run=true`);
    const [policy] = (await app.as(ann).get('/dod-policies').expect(200)).body.data;
    expect((await own.send({ policy_id: policy.id }).expect(200)).body.data.status).toBe('dry_run');
  });
});
